"""All ratings as of a mark, in memory: matches are rated here, and what has changed is written."""

from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, select, update

from leaderboard.ratings import ANCHOR, ANCHOR_SPEC, NEWCOMER, Rating, expected_places, next_version, rate
from leaderboard.released import Batch, Match, read_mark
from leaderboard.scopes import Scope
from leaderboard.store import Store
from leaderboard.store.database import insert_many
from leaderboard.store.tables import moves, rated, rated_matches, ratings, scopes, versions

Key = tuple[int, int]  # a scope and a version


class Version(NamedTuple):
    agent_id: int
    number: int
    is_anchor: bool


class Standing(NamedTuple):
    """How a version stands in a scope: a row of `ratings`."""

    rating: Rating
    matches: int
    wins: int
    faults: int
    last: int  # number of its last rated match


class Ratings:
    def __init__(self, store: Store) -> None:
        self.store = store
        with store.snapshot() as connection:
            self.mark = read_mark(connection)
            found = connection.execute(select(scopes)).all()
            self.scopes = {Scope(row.kind, row.name, row.rules_version): int(row.id) for row in found}
            self.played = {int(row.id): int(row.matches) for row in found}
            self.standings = _standings(connection)
            self.versions = _versions(connection)
        self.by_number = {(one.agent_id, one.number): version for version, one in self.versions.items()}

    def add(self, batch: Batch) -> bool:
        """Rates a batch and writes it, in one transaction.

        False if there are new versions, or the mark has moved: what is in memory does not hold any more then.
        """
        if not batch.versions() <= self.versions.keys():
            return False
        before, changes = self.mark, Changes(self)
        for match in batch.matches:
            changes.add(match)
        matches = before.matches + len(batch.matches)
        self.mark = before._replace(seq=batch.seq, release_seq=batch.release_seq, matches=matches)
        with self.store.writing() as connection:
            if read_mark(connection) != before:
                return False
            changes.write(connection)
            connection.execute(update(rated).values(self.mark._asdict()))
        return True

    def scope_id(self, scope: Scope) -> int:
        """Scopes are numbered in the order in which they come up."""
        number = self.scopes.setdefault(scope, len(self.scopes) + 1)
        self.played.setdefault(number, 0)
        return number

    def first_standing(self, scope_id: int, version_id: int) -> Standing:
        """Before its first match in the scope."""
        return Standing(self.first_rating(scope_id, version_id), 0, 0, 0, 0)

    def first_rating(self, scope_id: int, version_id: int) -> Rating:
        """That of the newest version before it, less certain, if one has played in the scope."""
        version = self.versions[version_id]
        if version.is_anchor:
            return ANCHOR
        for number in range(version.number - 1, 0, -1):
            before = self.standings.get((scope_id, self.by_number[version.agent_id, number]))
            if before is not None:
                return next_version(before.rating)
        return NEWCOMER


class Changes:
    """What a batch changes in the ratings, and the rows that tell of it, in the order of their columns."""

    def __init__(self, ratings: Ratings) -> None:
        self.ratings = ratings
        self.number = ratings.mark.matches
        self.scopes_before = len(ratings.scopes)
        self.scopes: dict[int, None] = {}  # that were played
        self.standings: dict[Key, bool] = {}  # that have changed; whether they are new
        self.matches: list[tuple[int, str, int, int]] = []
        self.moves: list[tuple[int | float, ...]] = []

    def add(self, match: Match) -> None:
        self.number += 1
        self.matches.append((self.number, match.fixture_id, match.release_seq, match.players))
        for scope in match.scopes:
            scope_id = self.ratings.scope_id(scope)
            self.ratings.played[scope_id] += 1
            self.scopes[scope_id] = None
            self.rate(match, scope_id)

    def rate(self, match: Match, scope_id: int) -> None:
        standings = [[self.standing(scope_id, seat.version_id) for seat in side.seats] for side in match.sides]
        before = [[one.rating for one in side] for side in standings]
        after = rate(before, [side.place for side in match.sides], match.won_by)
        for side, olds, news, expected in zip(match.sides, standings, after, expected_places(before), strict=True):
            for (seat, version_id, faults), old, new in zip(side.seats, olds, news, strict=True):
                if self.ratings.versions[version_id].is_anchor:
                    new = ANCHOR
                played, wins = old.matches + 1, old.wins + (side.place == 1)
                standing = Standing(new, played, wins, old.faults + faults, self.number)
                self.ratings.standings[scope_id, version_id] = standing
                told = seat, version_id, played, side.place, faults
                self.moves.append((scope_id, self.number, *told, *old.rating, *new, expected))

    def standing(self, scope_id: int, version_id: int) -> Standing:
        """Before a match that will change it."""
        key = scope_id, version_id
        found = self.ratings.standings.get(key)
        self.standings.setdefault(key, found is None)
        return found or self.ratings.first_standing(scope_id, version_id)

    def write(self, connection: Connection) -> None:
        insert_many(connection, scopes, self.new_scopes())
        insert_many(connection, rated_matches, self.matches)
        insert_many(connection, moves, self.moves)
        insert_many(connection, ratings, [self.row(key) for key, is_new in self.standings.items() if is_new])
        if played := [{"scope": one, "played": self.ratings.played[one]} for one in self.scopes]:
            mine = update(scopes).where(scopes.c.id == bindparam("scope"))
            connection.execute(mine.values(matches=bindparam("played")), played)
        if changed := [self.row(key) for key, is_new in self.standings.items() if not is_new]:
            names = [f"new_{column.name}" for column in ratings.columns]
            connection.execute(_update_ratings(), [dict(zip(names, row, strict=True)) for row in changed])

    def new_scopes(self) -> list[tuple[Any, ...]]:
        return [
            (number, *scope, self.ratings.played[number])
            for scope, number in self.ratings.scopes.items()
            if number > self.scopes_before
        ]

    def row(self, key: Key) -> tuple[int | float, ...]:
        rating, *counts = self.ratings.standings[key]
        return *key, *rating, *counts


def _standings(connection: Connection) -> dict[Key, Standing]:
    return {
        (row.scope_id, row.version_id): Standing(
            Rating(row.mu, row.sigma), row.matches, row.wins, row.faults, row.last
        )
        for row in connection.execute(select(ratings))
    }


def _versions(connection: Connection) -> dict[int, Version]:
    columns = versions.c
    query = select(columns.id, columns.agent_id, columns.number, columns.spec, columns.built_in)
    return {
        number: Version(agent_id, version, built_in and spec == ANCHOR_SPEC)
        for number, agent_id, version, spec, built_in in connection.execute(query)
    }


def _update_ratings() -> Any:
    """Its parameters are the names of the columns with `new_` before them."""
    keys = ratings.primary_key.columns
    mine = [key == bindparam(f"new_{key.name}") for key in keys]
    others = [column.name for column in ratings.c if not column.primary_key]
    values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in others}
    return update(ratings).where(*mine).values(values)
