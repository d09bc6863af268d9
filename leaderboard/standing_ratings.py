"""All ratings as of a mark, in memory: matches are rated here, and what has changed is written."""

from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from leaderboard.ratings import ANCHOR, ANCHOR_SPEC, NEWCOMER, Rating, expected_places, next_version, rate
from leaderboard.released import Batch, Match, read_mark
from leaderboard.scopes import Scope
from leaderboard.store import Store
from leaderboard.store.tables import moves, rated, rated_matches, ratings, scopes, versions

Row = dict[str, Any]
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
    """What a batch changes in the ratings, and the rows that tell of it."""

    def __init__(self, ratings: Ratings) -> None:
        self.ratings = ratings
        self.number = ratings.mark.matches
        self.scopes_before = len(ratings.scopes)
        self.scopes: dict[int, None] = {}  # that were played
        self.standings: dict[Key, bool] = {}  # that have changed; whether they are new
        self.matches: list[Row] = []
        self.moves: list[Row] = []

    def add(self, match: Match) -> None:
        self.number += 1
        self.matches.append(
            {
                "number": self.number,
                "fixture_id": match.fixture_id,
                "release_seq": match.release_seq,
                "players": match.players,
            }
        )
        for scope in match.scopes:
            scope_id = self.ratings.scope_id(scope)
            self.ratings.played[scope_id] += 1
            self.scopes[scope_id] = None
            self.rate(match, scope_id)

    def rate(self, match: Match, scope_id: int) -> None:
        standings = [[self.standing(scope_id, seat.version_id) for seat in side.seats] for side in match.sides]
        before = [[one.rating for one in side] for side in standings]
        after = rate(before, [side.place for side in match.sides], match.won_by)
        expected = expected_places(before)
        for number, side in enumerate(match.sides):
            for member, (seat, version_id, faults) in enumerate(side.seats):
                is_anchor = self.ratings.versions[version_id].is_anchor
                old = standings[number][member]
                new = Standing(
                    ANCHOR if is_anchor else after[number][member],
                    old.matches + 1,
                    old.wins + (side.place == 1),
                    old.faults + faults,
                    self.number,
                )
                self.ratings.standings[scope_id, version_id] = new
                self.moves.append(
                    {
                        "scope_id": scope_id,
                        "number": self.number,
                        "seat": seat,
                        "version_id": version_id,
                        "count": new.matches,
                        "place": side.place,
                        "faults": faults,
                        "mu_before": old.rating.mu,
                        "sigma_before": old.rating.sigma,
                        "mu": new.rating.mu,
                        "sigma": new.rating.sigma,
                        "expected": expected[number],
                    }
                )

    def standing(self, scope_id: int, version_id: int) -> Standing:
        """Before a match that will change it."""
        key = scope_id, version_id
        found = self.ratings.standings.get(key)
        self.standings.setdefault(key, found is None)
        return found or self.ratings.first_standing(scope_id, version_id)

    def write(self, connection: Connection) -> None:
        for table, rows in (
            (scopes, self.new_scopes()),
            (rated_matches, self.matches),
            (moves, self.moves),
            (ratings, [self.row(key) for key, is_new in self.standings.items() if is_new]),
        ):
            if rows:
                connection.execute(insert(table), rows)
        if played := [{"scope": one, "played": self.ratings.played[one]} for one in self.scopes]:
            mine = update(scopes).where(scopes.c.id == bindparam("scope"))
            connection.execute(mine.values(matches=bindparam("played")), played)
        if changed := [self.row(key) for key, is_new in self.standings.items() if not is_new]:
            connection.execute(_update_ratings(), [_bound(row) for row in changed])

    def new_scopes(self) -> list[Row]:
        return [
            scope._asdict() | {"id": number, "matches": self.ratings.played[number]}
            for scope, number in self.ratings.scopes.items()
            if number > self.scopes_before
        ]

    def row(self, key: Key) -> Row:
        (mu, sigma), *counts = self.ratings.standings[key]
        told = dict(zip(("matches", "wins", "faults", "last"), counts, strict=True))
        return {"scope_id": key[0], "version_id": key[1], "mu": mu, "sigma": sigma} | told


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


def _bound(row: Row) -> Row:
    return {f"new_{name}": value for name, value in row.items()}
