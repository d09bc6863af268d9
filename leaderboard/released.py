"""What is to be rated: the matches of released blocks, in the order in which they count, read in batches."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, func, select

from engine.rules.errors import UnknownName
from engine.rules.variants import Variant, find
from leaderboard.scopes import Scope, scopes_of
from leaderboard.store import StoreError
from leaderboard.store.tables import blocks, corrections, entrants, fixtures, rated, releases, seats

BLOCKS_AT_ONCE: Final = 250


class Mark(NamedTuple):
    """How far ratings have come: the row of `rated`."""

    seq: int  # all corrections up to this one are taken into account
    release_seq: int  # all releases up to this one are rated
    matches: int
    parameters: str


NOTHING: Final = Mark(0, 0, 0, "")


class Seat(NamedTuple):
    """A version in a match, at its first seat; several seats of one version in a team count as one."""

    seat: int
    version_id: int
    faults: int


class Side(NamedTuple):
    """A team, or who plays for himself."""

    seats: list[Seat]
    place: int


class Match(NamedTuple):
    fixture_id: str
    release_seq: int
    players: int
    scopes: tuple[Scope, ...]
    won_by: str
    sides: list[Side]


class Batch(NamedTuple):
    """The next matches, and the mark that is reached with them. They are void or not as of `seq`."""

    seq: int
    release_seq: int
    matches: list[Match]

    def versions(self) -> set[int]:
        return {seat.version_id for match in self.matches for side in match.sides for seat in side.seats}


def read_mark(connection: Connection) -> Mark:
    """Of a store that was never rated: nothing."""
    found = connection.execute(select(*(rated.c[name] for name in Mark._fields))).one_or_none()
    return Mark(*found) if found else NOTHING


def taken_back(connection: Connection, mark: Mark) -> int | None:
    """The first release that is rated and holds a match that was corrected since; None if there is none."""
    query = (
        select(func.min(releases.c.seq))
        .select_from(corrections)
        .join(fixtures, fixtures.c.id == corrections.c.fixture_id)
        .join(releases, releases.c.block_id == fixtures.c.block_id)
        .where(corrections.c.seq > mark.seq, releases.c.seq <= mark.release_seq)
    )
    found: int | None = connection.execute(query).scalar_one()
    return found


def next_batch(connection: Connection, mark: Mark) -> Batch:
    """Must be read in a snapshot."""
    seq = max(connection.execute(select(_last(releases), _last(corrections))).one())
    query = (
        select(releases.c.seq, blocks.c.id, blocks.c.variant, blocks.c.rules_version)
        .join(blocks, blocks.c.id == releases.c.block_id)
        .where(releases.c.seq > mark.release_seq)
    )
    due = connection.execute(query.order_by(releases.c.seq).limit(BLOCKS_AT_ONCE)).all()
    played = _played(connection, [block.id for block in due])
    matches = [match for block in due for match in _matches(block, played.get(block.id, []))]
    return Batch(seq, due[-1].seq if due else mark.release_seq, matches)


def _last(table: Any) -> Any:
    return select(func.coalesce(func.max(table.c.seq), 0)).scalar_subquery()


def _played(connection: Connection, block_ids: Sequence[str]) -> dict[str, list[Any]]:
    """The seats of all matches that count, in order, by block."""
    query = (
        select(
            *(fixtures.c.block_id, seats.c.fixture_id, seats.c.seat, entrants.c.version_id),
            *(seats.c.place, seats.c.faults),
        )
        .join(fixtures, fixtures.c.id == seats.c.fixture_id)
        .join(entrants, entrants.c.id == seats.c.entrant_id)
        .where(fixtures.c.block_id.in_(block_ids), fixtures.c.state == "done")
        .order_by(fixtures.c.block_id, fixtures.c.number, seats.c.seat)
    )
    rows = connection.execute(query).all()
    return {block: list(mine) for block, mine in groupby(rows, key=lambda row: row.block_id)}


def _matches(block: Any, rows: list[Any]) -> list[Match]:
    if not rows:
        return []
    variant = _variant(block)
    scopes = scopes_of(variant, block.rules_version)
    found: list[Match] = []
    for fixture_id, sat in groupby(rows, key=lambda row: row.fixture_id):
        seated = list(sat)
        sides = sides_of(seated, variant.teams)
        if can_be_rated(sides):
            found.append(Match(fixture_id, block.seq, len(seated), scopes, variant.won_by, sides))
    return found


def _variant(block: Any) -> Variant:
    try:
        return find(block.variant)
    except UnknownName as error:
        raise StoreError(f"block {block.id} cannot be rated: {error} Update Conquest Arena.") from None


def sides_of(sat: list[Any], teams: int) -> list[Side]:
    """Teams sit in turn around the table; without teams everybody is one."""
    return [_side(sat[first :: teams or len(sat)]) for first in range(teams or len(sat))]


def _side(rows: list[Any]) -> Side:
    first: dict[int, int] = {}
    faults: dict[int, int] = {}
    for row in rows:
        first.setdefault(row.version_id, row.seat)
        faults[row.version_id] = faults.get(row.version_id, 0) + row.faults
    return Side([Seat(seat, one, faults[one]) for one, seat in first.items()], min(row.place for row in rows))


def can_be_rated(sides: list[Side]) -> bool:
    """A version that plays against itself proves nothing, nor do teams of unequal numbers of versions."""
    versions = [seat.version_id for side in sides for seat in side.seats]
    return len(set(versions)) == len(versions) and len({len(side.seats) for side in sides}) == 1
