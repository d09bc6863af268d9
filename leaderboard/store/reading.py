"""What the ledger tells: results, placements by block, progress, records. All of it is read in pages."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, String, func, literal, select, union_all

from leaderboard.store.database import PAGE, Database, pages
from leaderboard.store.errors import StoreError
from leaderboard.store.rows import BlockResult, FixtureResult, KeptRecord, LedgerRow, Progress, ResultRow
from leaderboard.store.tables import (
    blocks,
    book,
    corrections,
    entrants,
    fixtures,
    records,
    releases,
    results,
    seats,
)
from leaderboard.store.tournaments import AnyRow, by_id


class Reading(Database):
    def last_seq(self) -> int:
        with self.reading() as connection:
            return int(connection.execute(select(book.c.seq)).scalar_one())

    def ledger(self, after_seq: int = 0) -> Iterator[LedgerRow]:
        """All rows of the store in order."""
        while True:
            with self.reading() as connection:
                rows = connection.execute(_ledger_page(after_seq)).all()
            yield from (LedgerRow(*row) for row in rows)
            if len(rows) < PAGE:
                return
            after_seq = rows[-1].seq

    def results(self, tournament_id: int, after_seq: int = 0) -> Iterator[ResultRow]:
        """In the order of the ledger; those that are void now are marked."""
        while True:
            with self.reading() as connection:
                page = _results_page(connection, tournament_id, after_seq)
            yield from page
            if len(page) < PAGE:
                return
            after_seq = page[-1].seq

    def block_results(self, tournament_id: int, round: int | None = None) -> Iterator[BlockResult]:
        """The placements of every block in order, or of the blocks of one round."""
        last = -1
        while True:
            with self.reading() as connection:
                released = by_id(connection, tournament_id).released
                query = select(blocks).where(blocks.c.tournament_id == tournament_id, blocks.c.number > last)
                if round is not None:
                    query = query.where(blocks.c.round == round)
                page = connection.execute(query.order_by(blocks.c.number).limit(PAGE)).all()
                played = _fixture_results(connection, [row.id for row in page])
            for row in page:
                told = row.id, row.number, row.round, row.variant, row.players
                yield BlockResult(*told, row.number <= released, played[row.id])
            if len(page) < PAGE:
                return
            last = page[-1].number

    def progress(self, tournament_id: int) -> Progress:
        mine = fixtures.c.tournament_id == tournament_id
        count = select(fixtures.c.state, func.count().label("number")).where(mine).group_by(fixtures.c.state)
        with self.reading() as connection:
            row = by_id(connection, tournament_id)
            states = {row.state: row.number for row in connection.execute(count)}
        opened, done, void = (states.get(state, 0) for state in ("open", "done", "void"))
        return Progress(opened, done, void, row.doubled, row.fenced, row.faults)

    def record(self, fixture_id: str) -> KeptRecord:
        query = select(records.c.record, records.c.sidecar).where(records.c.fixture_id == fixture_id)
        with self.reading() as connection:
            found = connection.execute(query).one_or_none()
        if found is None:
            raise StoreError(f"there is no record of a fixture {fixture_id} in {self.name}")
        return KeptRecord(*found)


def _ledger_page(after_seq: int) -> Any:
    parts = [
        select(table.c.seq, kind, table.c.tournament_id, subject)
        .where(table.c.seq > after_seq, table.c.seq <= after_seq + PAGE)
        for table, kind, subject in (
            (results, literal("result", String).label("kind"), results.c.fixture_id),
            (corrections, corrections.c.kind, corrections.c.fixture_id),
            (releases, literal("release", String).label("kind"), releases.c.block_id),
        )
    ]  # fmt: skip
    return union_all(*parts).order_by("seq")


def _results_page(connection: Connection, tournament_id: int, after_seq: int) -> list[ResultRow]:
    query = select(results, fixtures.c.block_id, fixtures.c.seats, fixtures.c.state).join(
        fixtures, fixtures.c.id == results.c.fixture_id
    )
    mine = query.where(results.c.tournament_id == tournament_id, results.c.seq > after_seq)
    rows = connection.execute(mine.order_by(results.c.seq).limit(PAGE)).all()
    sat = seats_of(connection, [row.fixture_id for row in rows])
    return [_result_row(row, sat[row.fixture_id]) for row in rows]


def _result_row(row: AnyRow, sat: list[AnyRow]) -> ResultRow:
    return ResultRow(
        *(row.seq, row.fixture_id, row.block_id, row.attempt, row.seats),
        *([one.place for one in sat], [one.luck for one in sat], [one.faults for one in sat]),
        *(row.rounds, row.ending, row.actions, row.decisions, row.worker, row.seconds, row.committed),
        row.state == "void",
    )


def seats_of(connection: Connection, fixture_ids: Sequence[str]) -> dict[str, list[AnyRow]]:
    """The rows of the seats, each with its entrant's number, in seat order, by fixture."""
    found: dict[str, list[AnyRow]] = defaultdict(list)
    query = select(seats, entrants.c.number).join(entrants, entrants.c.id == seats.c.entrant_id)
    for ids in pages(fixture_ids):
        for row in connection.execute(query.where(seats.c.fixture_id.in_(ids)).order_by(seats.c.seat)):
            found[row.fixture_id].append(row)
    return found


def _fixture_results(connection: Connection, block_ids: Sequence[str]) -> dict[str, list[FixtureResult]]:
    placed: dict[str, list[int]] = defaultdict(list)
    query = select(seats.c.fixture_id, seats.c.place).join(fixtures, fixtures.c.id == seats.c.fixture_id)
    for fixture_id, place in connection.execute(
        query.where(fixtures.c.block_id.in_(block_ids)).order_by(seats.c.fixture_id, seats.c.seat)
    ):
        placed[fixture_id].append(place)
    found: dict[str, list[FixtureResult]] = defaultdict(list)
    mine = select(fixtures).where(fixtures.c.block_id.in_(block_ids)).order_by(fixtures.c.number)
    for row in connection.execute(mine):
        found[row.block_id].append(FixtureResult(row.id, row.seats, row.state, placed.get(row.id)))
    return found
