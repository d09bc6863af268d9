"""Whether the book holds: every fixture once, sums that agree, a ledger without gaps, records that say the same.

All rows are compared with each other and with the heads of the records; a sample of the records, or all of
them, is played again.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Select, func, select, text, union_all

from conquest.v1.record_pb2 import MatchRecord
from engine import record as match_record
from leaderboard.store.database import PAGE, Database, Told, is_sqlite
from leaderboard.store.ledger import kept_text
from leaderboard.store.reading import seats_of
from leaderboard.store.tables import (
    attempts,
    blocks,
    book,
    conduct,
    corrections,
    fixtures,
    records,
    releases,
    results,
    seats,
    tournaments,
)
from leaderboard.store.tournaments import AnyRow

SAMPLE: Final = 100
LUCK_ERROR: Final = 1e-6  # sums of floats may differ in their last digits


def check(store: Database, all: bool, sample: int, told: Told) -> list[str]:
    """All that is wrong, a line each; a driver may be at work meanwhile."""
    with store.snapshot() as connection:
        problems = list(_check_file(connection))
        problems += _check_seq(connection)
        problems += _check_fixtures(connection)
        problems += _check_attempts(connection)
        problems += _check_blocks(connection)
        problems += _check_tournaments(connection)
        problems += _check_orphans(connection)
        seqs = list(connection.execute(select(results.c.seq).order_by(results.c.seq)).scalars())
    again = set(seqs if all else random.sample(seqs, min(sample, len(seqs))))
    seen: dict[str, str] = {}
    done = 0
    for start in range(0, len(seqs), PAGE):
        page = seqs[start : start + PAGE]
        with store.reading() as connection:
            matches = list(_matches(connection, page[0], page[-1]))
        for match in matches:
            problems += match.problems(seen, match.row.seq in again)
            done += 1
            told(done, len(seqs))
    return problems


def _check_file(connection: Connection) -> Iterator[str]:
    """SQLite is asked whether its file is sound; a PostgreSQL server looks after its own."""
    if is_sqlite(connection.engine.url):
        for row in connection.execute(text("PRAGMA quick_check")):
            if row[0] != "ok":
                yield f"the file is damaged: {row[0]}"
        for row in connection.execute(text("PRAGMA foreign_key_check")):
            yield f"row {row[1]} of {row[0]} names a row of {row[2]} that is not there"


def _check_seq(connection: Connection) -> Iterator[str]:
    """Gapless from 1, each number once, and counted right in the book."""
    kept = connection.execute(select(book)).one()
    ledger = results, corrections, releases
    seqs = union_all(*(select(table.c.seq) for table in ledger)).order_by("seq")
    expected = 1
    for seq in connection.execute(seqs).scalars():
        if seq < expected:
            yield f"seq {seq} is in the ledger twice"
            continue
        if seq > expected:
            yield f"seq {expected} is missing in the ledger" + (f", to {seq - 1}" if seq - 1 > expected else "")
        expected = seq + 1
    if kept.seq != expected - 1:
        yield f"the book says that the ledger ends at seq {kept.seq}, but it ends at {expected - 1}"
    for table in ledger:
        count = connection.execute(select(func.count()).select_from(table)).scalar_one()
        if count != kept._mapping[table.name]:
            yield f"the book counts {kept._mapping[table.name]} {table.name}, but there are {count}"


def _check_fixtures(connection: Connection) -> Iterator[str]:
    """The state of each is what its result and its last correction make it."""
    last: dict[str, str] = {}
    for row in connection.execute(select(corrections).order_by(corrections.c.seq)):
        if row.kind == last.get(row.fixture_id, "reinstate"):
            yield f"fixture {row.fixture_id}: correction {row.seq} does not fit what was before it"
        last[row.fixture_id] = row.kind
    query = select(fixtures.c.id, fixtures.c.state, results.c.seq).outerjoin(
        results, results.c.fixture_id == fixtures.c.id
    )
    for row in connection.execute(query):
        played = "open" if row.seq is None else "done"
        expected = "void" if last.get(row.id) == "void" else played
        if row.state != expected:
            yield f"fixture {row.id} is {row.state}, but by the ledger it is {expected}"


def _check_attempts(connection: Connection) -> Iterator[str]:
    begun = select(attempts.c.fixture_id, func.max(attempts.c.attempt).label("last"), func.count().label("number"))
    counted = begun.group_by(attempts.c.fixture_id).subquery()
    last, number = func.coalesce(counted.c.last, 0), func.coalesce(counted.c.number, 0)
    query = select(fixtures.c.id).outerjoin(counted, counted.c.fixture_id == fixtures.c.id)
    for name in connection.execute(query.where((fixtures.c.attempt != last) | (last != number))).scalars():
        yield f"fixture {name}: its attempts are not all there"
    wrong = select(results.c.fixture_id).join(fixtures, fixtures.c.id == results.c.fixture_id)
    for name in connection.execute(wrong.where(results.c.attempt != fixtures.c.attempt)).scalars():
        yield f"fixture {name}: its result is not of its last attempt"


def _check_blocks(connection: Connection) -> Iterator[str]:
    """Open fixtures are counted right; blocks are released in order, when they and all before are complete."""
    closes = _last_seqs(connection)
    is_open = func.sum((fixtures.c.state == "open").cast(blocks.c.open.type))
    query = (
        select(blocks, func.count(fixtures.c.id).label("number_of"), is_open.label("are_open"), releases.c.seq)
        .outerjoin(fixtures, fixtures.c.block_id == blocks.c.id)
        .outerjoin(releases, releases.c.block_id == blocks.c.id)
        .group_by(blocks.c.id, releases.c.seq)
        .order_by(blocks.c.tournament_id, blocks.c.number)
    )
    due: dict[int, int] = defaultdict(int)  # by tournament: the seq of its last release; -1 if no more are due
    for row in connection.execute(query):
        if not row.number_of:
            yield f"block {row.id} has no fixtures"
        if row.open != (row.are_open or 0):
            yield f"block {row.id} counts {row.open} open fixtures, but has {row.are_open or 0}"
        before = due[row.tournament_id]
        if row.are_open or before < 0:
            due[row.tournament_id] = -1
            if row.seq is not None:
                yield f"block {row.id} is released, but it, or one before it, is not complete"
        elif row.seq is None:
            yield f"block {row.id} is complete with all before it, but not released"
        elif row.seq <= max(before, closes.get(row.id, 0)):
            yield f"block {row.id} was released before it, or one before it, was complete"
        else:
            due[row.tournament_id] = row.seq


def _last_seqs(connection: Connection) -> dict[str, int]:
    """By block: the seq that closed its last fixture, be it by its result or by its first correction."""
    closed = union_all(
        select(results.c.fixture_id, results.c.seq), select(corrections.c.fixture_id, corrections.c.seq)
    ).subquery()
    first = (
        select(closed.c.fixture_id, func.min(closed.c.seq).label("seq")).group_by(closed.c.fixture_id).subquery()
    )
    query = select(fixtures.c.block_id, func.max(first.c.seq)).join(first, first.c.fixture_id == fixtures.c.id)
    return _pairs(connection, query.group_by(fixtures.c.block_id))


def _check_tournaments(connection: Connection) -> Iterator[str]:
    faults = select(results.c.tournament_id, func.sum(seats.c.faults)).join(
        seats, seats.c.fixture_id == results.c.fixture_id
    )
    summed = _pairs(connection, faults.group_by(results.c.tournament_id))
    number = select(blocks.c.tournament_id, func.max(blocks.c.number)).join(releases)
    released = _pairs(connection, number.group_by(blocks.c.tournament_id))
    for row in connection.execute(select(tournaments).order_by(tournaments.c.id)):
        if row.faults != summed.get(row.id, 0):
            yield f"tournament '{row.name}' counts {row.faults} faults, but its seats {summed.get(row.id, 0)}"
        if row.released != released.get(row.id, -1):
            yield f"tournament '{row.name}' does not say which block was released last"


def _check_orphans(connection: Connection) -> Iterator[str]:
    """What belongs to a result is not there without it."""
    for table in (seats, records, conduct):
        query = select(table.c.fixture_id).outerjoin(results, results.c.fixture_id == table.c.fixture_id)
        for name in connection.execute(query.where(results.c.seq.is_(None)).distinct()).scalars():
            yield f"fixture {name} has {table.name}, but no result"


def _pairs(connection: Connection, query: Select[Any]) -> dict[Any, Any]:
    return {row[0]: row[1] for row in connection.execute(query)}


# Each result and its record


class Match:
    """A result with all that belongs to it."""

    def __init__(self, row: AnyRow, sat: Sequence[AnyRow], faults: Sequence[AnyRow]) -> None:
        self.row = row
        self.sat = sat
        self.faults = faults

    def problems(self, seen: dict[str, str], play_again: bool) -> Iterator[str]:
        """`seen` are the names of the matches so far, each with its fixture."""
        name = f"fixture {self.row.fixture_id}"
        if [(one.seat, one.number) for one in self.sat] != list(enumerate(self.row.seats)):
            yield f"{name}: the seats of the result are not those of the fixture"
        if self.row.record is None:
            yield f"{name}: its record is missing"
            return
        try:
            kept = match_record.read(self.row.record)
            yield from (f"{name}: {what} of the result and of the record differ" for what in self.differ(kept))
            other = seen.setdefault(kept.match_id, name)
            if other != name:
                yield f"{name}: its record is of the same match as that of {other}"
            if play_again:
                match_record.verify(kept)
                if any(abs(a - one.luck) > LUCK_ERROR for a, one in zip(match_record.luck(kept), self.sat)):
                    yield f"{name}: the luck of the result is not that of the record"
        except match_record.RecordError as error:
            yield f"{name}: {error}"

    def differ(self, kept: MatchRecord) -> Iterator[str]:
        row, result = self.row, kept.result
        pairs = {
            "the places": ([one.place for one in self.sat], list(result.places)),
            "the ends": ((row.rounds, row.ending), (result.rounds, result.ending)),
            "the numbers of actions": (row.actions, kept.actions),
            "the variants": ((row.variant, row.players), (kept.variant, kept.seat_count)),
            "the conduct": (
                [(one.seat, one.kind, one.detail, one.action) for one in self.faults],
                [(one.seat, one.kind, kept_text(one.detail), one.action) for one in kept.conduct],
            ),
        }
        yield from (what for what, (ours, recorded) in pairs.items() if ours != recorded)


def _matches(connection: Connection, first: int, last: int) -> Iterator[Match]:
    query = (
        select(results, fixtures.c.seats, blocks.c.variant, blocks.c.players, records.c.record)
        .join(fixtures, fixtures.c.id == results.c.fixture_id)
        .join(blocks, blocks.c.id == fixtures.c.block_id)
        .outerjoin(records, records.c.fixture_id == results.c.fixture_id)
        .where(results.c.seq.between(first, last))
        .order_by(results.c.seq)
    )
    rows = connection.execute(query).all()
    ids = [row.fixture_id for row in rows]
    sat = seats_of(connection, ids)
    faults: dict[str, list[AnyRow]] = defaultdict(list)
    for row in connection.execute(select(conduct).where(conduct.c.fixture_id.in_(ids)).order_by(conduct.c.number)):
        faults[row.fixture_id].append(row)
    for row in rows:
        yield Match(row, sat[row.fixture_id], faults[row.fixture_id])
