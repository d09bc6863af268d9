"""The matches of a tournament, page by page, in the order in which they were drawn."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, Text, cast, func, literal, select

from leaderboard.standings import label_of
from leaderboard.store import Store, Tournament
from leaderboard.store.reading import seats_of
from leaderboard.store.tables import blocks, fixtures, results
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
    query = _matches(tournament, which).order_by(fixtures.c.number)
    if which == Which():  # numbers have no gaps
        query = query.where(fixtures.c.number.between(start, start + size - 1))
    else:
        query = query.offset(start).limit(size)
    with store.snapshot() as connection:
        return _listed(connection, connection.execute(query).all(), by_id(connection, tournament.id).released)


def count_matches(store: Store, tournament: Tournament, which: Which) -> int:
    query = _matches(tournament, which).with_only_columns(func.count(), maintain_column_froms=True)
    with store.reading() as connection:
        return int(connection.execute(query).scalar_one())


def latest(store: Store, tournament: Tournament, size: int) -> list[ListedMatch]:
    """Those that ended last, the last one first."""
    newest = (
        select(results.c.fixture_id)
        .where(results.c.tournament_id == tournament.id)
        .order_by(results.c.seq.desc())
        .limit(size)
    )
    query = _matches(tournament, Which()).where(fixtures.c.id.in_(newest)).order_by(results.c.seq.desc())
    with store.snapshot() as connection:
        return _listed(connection, connection.execute(query).all(), by_id(connection, tournament.id).released)


def _matches(tournament: Tournament, which: Which) -> Select[Any]:
    query = (
        select(
            *(fixtures.c.id, fixtures.c.number, fixtures.c.seats, fixtures.c.state),
            *(blocks.c.id.label("block_id"), blocks.c.round, blocks.c.number.label("block_number")),
            *(results.c.rounds, results.c.ending, results.c.committed),
        )
        .join(blocks, blocks.c.id == fixtures.c.block_id)
        .outerjoin(results, results.c.fixture_id == fixtures.c.id)
        .where(fixtures.c.tournament_id == tournament.id)
    )
    if which.state is not None:
        query = query.where(fixtures.c.state == which.state)
    if which.label is not None:  # an id is NAME/rROUND-LABEL-NUMBER, and each part but the name may hold a dash
        begin = literal(f"{tournament.name}/r") + cast(blocks.c.round, Text) + f"-{which.label}-"
        query = query.where(func.rtrim(blocks.c.id, "0123456789") == begin)
    if which.entrant is not None:  # of those still to be played only this list tells who sits there
        text = func.replace(func.replace(cast(fixtures.c.seats, Text), "[", ", "), "]", ",")
        query = query.where(text.contains(f" {which.entrant},"))
    return query


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
