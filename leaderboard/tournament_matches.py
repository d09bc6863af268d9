"""The matches of a tournament, page by page, in the order in which they were drawn."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import CompoundSelect, Connection, Select, Text, cast, func, literal, select

from leaderboard.standings import label_of
from leaderboard.store import Store, Tournament
from leaderboard.store.reading import seats_of
from leaderboard.store.tables import blocks, entrants, fixtures, results, seats
from leaderboard.store.tournaments import AnyRow, by_id

STATES: Final = ("open", "done", "void")


class Which(NamedTuple):
    """The matches that are wanted; None wants all."""

    entrant: int | None = None  # its number
    label: str | None = None
    state: str | None = None  # one of STATES


class ListedMatch(NamedTuple):
    """A match of a tournament; what only a played match has is None before."""

    id: str
    number: int  # within the tournament, from 0
    round: int
    label: str
    state: str
    released: bool
    entrants: list[int]
    places: list[int] | None
    luck: list[float] | None
    faults: int
    rounds: int | None
    ending: int | None
    committed: float | None


def matches(store: Store, tournament: Tournament, which: Which, start: int, size: int) -> list[ListedMatch]:
    """So many of them, beginning with the one that has `start` before it."""
    with store.snapshot() as connection:
        if which == Which():  # numbers have no gaps
            numbers: Sequence[int] = range(start, start + size)
        else:
            query = _numbers(tournament, which).order_by(fixtures.c.number).offset(start).limit(size)
            numbers = connection.execute(query).scalars().all()
        mine = (fixtures.c.tournament_id == tournament.id) & fixtures.c.number.in_(numbers)
        wanted = _matches().where(mine).order_by(fixtures.c.number)
        return _listed(connection, connection.execute(wanted).all(), by_id(connection, tournament.id).released)


def count_matches(store: Store, tournament: Tournament, which: Which) -> int:
    mine = _numbers(tournament, which).subquery()
    last = func.coalesce(func.max(mine.c.number), -1) + 1
    with store.reading() as connection:
        query = select(last if which == Which() else func.count()).select_from(mine)
        return int(connection.execute(query).scalar_one())


def latest(store: Store, tournament: Tournament, size: int) -> list[ListedMatch]:
    """Those that ended last, the last one first."""
    ended = select(results.c.fixture_id).where(results.c.tournament_id == tournament.id)
    with store.snapshot() as connection:
        newest = connection.execute(ended.order_by(results.c.seq.desc()).limit(size)).scalars().all()
        query = _matches().where(fixtures.c.id.in_(newest)).order_by(results.c.seq.desc())
        return _listed(connection, connection.execute(query).all(), by_id(connection, tournament.id).released)


def _matches() -> Select[Any]:
    """With all that is told of them: to be asked for a few."""
    return (
        select(
            *(fixtures.c.id, fixtures.c.number, fixtures.c.seats, fixtures.c.state),
            *(blocks.c.id.label("block_id"), blocks.c.round, blocks.c.number.label("block_number")),
            *(results.c.rounds, results.c.ending, results.c.committed),
        )
        .join(blocks, blocks.c.id == fixtures.c.block_id)
        .outerjoin(results, results.c.fixture_id == fixtures.c.id)
    )


def _numbers(tournament: Tournament, which: Which) -> Select[Any]:
    """Of the matches that are wanted, and nothing else: there may be a hundred thousand.

    The tournament is named once: where it is asked for beside the ids of blocks or matches, a database without
    statistics goes through all of its matches instead of those.
    """
    query = select(fixtures.c.number)
    if which.label is None and which.entrant is None:
        query = query.where(fixtures.c.tournament_id == tournament.id)
    if which.state is not None:
        query = query.where(fixtures.c.state == which.state)
    if which.label is not None:
        query = query.where(fixtures.c.block_id.in_(_labelled(tournament, which.label)))
    if which.entrant is not None:
        query = query.where(fixtures.c.id.in_(_sat(tournament, which.entrant)))
    return query


def _labelled(tournament: Tournament, label: str) -> Select[Any]:
    """The blocks of a variant: an id is NAME/rROUND-LABEL-NUMBER, and each part but the name may hold a dash."""
    begin = literal(f"{tournament.name}/r") + cast(blocks.c.round, Text) + f"-{label}-"
    mine = blocks.c.tournament_id == tournament.id
    return select(blocks.c.id).where(mine, func.rtrim(blocks.c.id, "0123456789") == begin)


def _sat(tournament: Tournament, number: int) -> CompoundSelect[Any]:
    """The matches of an entrant. Who sits in those that are not played is told by their own list only."""
    mine = (entrants.c.tournament_id == tournament.id) & (entrants.c.number == number)
    played = select(seats.c.fixture_id).join(entrants, entrants.c.id == seats.c.entrant_id).where(mine)
    text = func.replace(func.replace(cast(fixtures.c.seats, Text), "[", ", "), "]", ",")
    others = select(fixtures.c.id).where(
        fixtures.c.tournament_id == tournament.id,
        fixtures.c.state.in_([state for state in STATES if state != "done"]),
        text.contains(f" {number},"),
    )
    return played.union(others)


def _listed(connection: Connection, rows: Sequence[AnyRow], released: int) -> list[ListedMatch]:
    sat = seats_of(connection, [row.id for row in rows if row.committed is not None])
    return [
        ListedMatch(
            *(row.id, row.number, row.round, label_of(row.block_id), row.state, row.block_number <= released),
            row.seats,
            [one.place for one in sat[row.id]] if row.id in sat else None,
            [one.luck for one in sat[row.id]] if row.id in sat else None,
            sum(one.faults for one in sat.get(row.id, [])),
            *(row.rounds, row.ending, row.committed),
        )
        for row in rows
    ]
