"""The ledger: results, corrections and releases, appended under one seq and never changed.

A result is taken if it is of its fixture's current attempt and comes from the current driver. The seq is given
out in the transaction that holds the lock of the store, so it has no gaps and is in the order of the commits.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from typing import Any, Final

from sqlalchemy import Connection, Table, bindparam, insert, select, update

from leaderboard.store.database import MOST_TEXT, PAGE, Database, pages, shown
from leaderboard.store.errors import StoreError
from leaderboard.store.rows import Committed, Lease, Result
from leaderboard.store.tables import (
    blocks,
    book,
    conduct,
    corrections,
    entrants,
    fixtures,
    records,
    releases,
    results,
    seats,
    tournaments,
)
from leaderboard.store.tournaments import AnyRow, by_id, held, lost

ACCEPTED: Final = "accepted"
DOUBLED: Final = "doubled"
FENCED: Final = "fenced"


class Ledger(Database):
    def commit(self, lease: Lease, reported: Sequence[Result]) -> Committed:
        """Takes results into the ledger, in one transaction, and releases the blocks that are complete.

        Doubled ones are ignored and counted, so the call may be made again when it is not known how it ended.
        LeaseLost if another driver has the tournament; the results count as fenced then.
        """
        with self.writing() as connection:
            row = by_id(connection, lease.tournament_id)
            if row.epoch != lease.epoch:
                verdicts = [FENCED] * len(reported)
            else:
                known = _fixtures_of(connection, lease.tournament_id, reported)
                verdicts = judge(reported, known, _played(connection, list(known)))
                self._take(connection, lease, [r for r, v in zip(reported, verdicts) if v == ACCEPTED], known)
            counts = Counter(verdicts)
            _count(connection, lease.tournament_id, {DOUBLED: counts[DOUBLED], FENCED: counts[FENCED]})
        if row.epoch != lease.epoch:
            raise lost(row, lease)
        return Committed(counts[ACCEPTED], counts[DOUBLED], counts[FENCED])

    def _take(self, connection: Connection, lease: Lease, taken: list[Result], known: dict[str, AnyRow]) -> None:
        if not taken:
            return
        told = {"tournament_id": lease.tournament_id, "epoch": lease.epoch, "committed": self.now()}
        append(connection, results, [_result_row(result) | told for result in taken])
        numbers = _entrant_ids(connection, lease.tournament_id)
        for table, rows in (
            (seats, [row for result in taken for row in _seat_rows(result, known[result.fixture_id], numbers)]),
            (records, [_record_row(result) for result in taken]),
            (conduct, [row for result in taken for row in conduct_rows(result)]),
        ):
            if rows:
                connection.execute(insert(table), rows)
        for ids in pages([result.fixture_id for result in taken]):
            connection.execute(update(fixtures).where(fixtures.c.id.in_(ids)).values(state="done"))
        _close(connection, Counter(known[result.fixture_id].block_id for result in taken))
        _count(connection, lease.tournament_id, {"faults": sum(sum(result.faults) for result in taken)})
        self._release(connection, lease.tournament_id)

    def void(self, who: Lease | str, fixture_id: str, reason: str) -> bool:
        """Strikes a fixture out, played or not; gives False if it is void already."""
        by = who.driver if isinstance(who, Lease) else who
        with self.writing() as connection:
            row = _fixture(connection, fixture_id)
            if isinstance(who, Lease) and held(connection, who).id != row.tournament_id:
                raise StoreError(f"fixture {fixture_id} is not in this tournament")
            if row.state == "void":
                return False
            self._correct(connection, row, "void", by, reason)
            if row.state == "open":
                _close(connection, {row.block_id: 1})
                self._release(connection, row.tournament_id)
            return True

    def reinstate(self, fixture_id: str, by: str, reason: str) -> bool:
        """Lets a void result count again; gives False if it is not void."""
        with self.writing() as connection:
            row = _fixture(connection, fixture_id)
            if row.state != "void":
                return False
            if not _played(connection, [fixture_id]):
                raise StoreError(f"fixture {fixture_id} was void before it was played: it has no result")
            self._correct(connection, row, "reinstate", by, reason)
            return True

    def _correct(self, connection: Connection, row: AnyRow, kind: str, by: str, reason: str) -> None:
        shown("who", by)
        shown("reason", reason, MOST_TEXT)
        told = {"fixture_id": row.id, "tournament_id": row.tournament_id, "committed": self.now()}
        append(connection, corrections, [told | {"kind": kind, "who": by, "reason": reason}])
        state = "void" if kind == "void" else "done"
        connection.execute(update(fixtures).where(fixtures.c.id == row.id).values(state=state))
        self.note(connection, by, kind, row.id, reason)

    def _release(self, connection: Connection, tournament_id: int) -> None:
        """Releases the blocks that are complete together with all before them."""
        last = by_id(connection, tournament_id).released
        while True:
            mine = (blocks.c.tournament_id == tournament_id) & (blocks.c.number > last)
            query = select(blocks.c.id, blocks.c.number, blocks.c.open).where(mine)
            rows = connection.execute(query.order_by(blocks.c.number).limit(PAGE)).all()
            due = list(takewhile(lambda row: row.open == 0, rows))
            if due:
                told = {"tournament_id": tournament_id, "committed": self.now()}
                append(connection, releases, [told | {"block_id": row.id} for row in due])
                last = due[-1].number
                change = update(tournaments).where(tournaments.c.id == tournament_id)
                connection.execute(change.values(released=last))
            if len(due) < PAGE:
                return


def append(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Writes rows into the ledger: their seq goes on from that of the book, which this transaction has locked."""
    last = connection.execute(select(book.c.seq)).scalar_one()
    connection.execute(insert(table), [row | {"seq": last + n} for n, row in enumerate(rows, 1)])
    count = book.c[table.name]
    connection.execute(update(book).values({book.c.seq: last + len(rows), count: count + len(rows)}))


def judge(reported: Sequence[Result], known: dict[str, AnyRow], played: set[str]) -> list[str]:
    """What becomes of each; StoreError for one that cannot be a result of its fixture."""
    verdicts, played = [], set(played)
    for result in reported:
        row = known.get(result.fixture_id)
        if row is None:
            raise StoreError(f"fixture {result.fixture_id} is not in this tournament")
        _check_form(result, len(row.seats))
        if result.attempt != row.attempt or row.attempt == 0:
            verdicts.append(FENCED)
        elif result.fixture_id in played:
            verdicts.append(DOUBLED)
        elif row.state == "void":
            verdicts.append(FENCED)
        else:
            verdicts.append(ACCEPTED)
            played.add(result.fixture_id)
    return verdicts


def _check_form(result: Result, count: int) -> None:
    if not len(result.places) == len(result.luck) == len(result.faults) == count:
        raise StoreError(f"the result of fixture {result.fixture_id} is not for {count} seats")
    if min(result.places) != 1 or max(result.places) > count:
        raise StoreError(f"the places of fixture {result.fixture_id} cannot be {list(result.places)}")
    shown("worker", result.worker)


def _fixtures_of(connection: Connection, tournament_id: int, reported: Sequence[Result]) -> dict[str, AnyRow]:
    """Looked up by their ids alone: that is quick even where PostgreSQL has no statistics of a new tournament."""
    found: dict[str, AnyRow] = {}
    for ids in pages([result.fixture_id for result in reported]):
        rows = connection.execute(select(fixtures).where(fixtures.c.id.in_(ids)))
        found.update((row.id, row) for row in rows if row.tournament_id == tournament_id)
    return found


def _played(connection: Connection, fixture_ids: Sequence[str]) -> set[str]:
    """Those that have a result."""
    found = set[str]()
    for ids in pages(fixture_ids):
        found.update(
            connection.execute(select(results.c.fixture_id).where(results.c.fixture_id.in_(ids))).scalars()
        )
    return found


def _fixture(connection: Connection, fixture_id: str) -> AnyRow:
    row = connection.execute(select(fixtures).where(fixtures.c.id == fixture_id)).one_or_none()
    if row is None:
        raise StoreError(f"there is no fixture {fixture_id}")
    return row


def _entrant_ids(connection: Connection, tournament_id: int) -> dict[int, int]:
    query = select(entrants.c.number, entrants.c.id).where(entrants.c.tournament_id == tournament_id)
    return {row.number: row.id for row in connection.execute(query)}


def _result_row(result: Result) -> dict[str, Any]:
    names = "fixture_id", "attempt", "rounds", "ending", "actions", "decisions", "worker", "seconds"
    return {name: getattr(result, name) for name in names}


def _record_row(result: Result) -> dict[str, Any]:
    return {"fixture_id": result.fixture_id, "record": result.record, "sidecar": result.sidecar}


def _seat_rows(result: Result, fixture: AnyRow, entrant_ids: dict[int, int]) -> list[dict[str, Any]]:
    return [
        {
            "fixture_id": result.fixture_id,
            "seat": seat,
            "entrant_id": entrant_ids[number],
            "place": result.places[seat],
            "luck": result.luck[seat],
            "faults": result.faults[seat],
        }
        for seat, number in enumerate(fixture.seats)
    ]


def conduct_rows(result: Result) -> list[dict[str, Any]]:
    return [
        {
            "fixture_id": result.fixture_id,
            "number": number,
            "seat": seat,
            "kind": kind,
            "detail": kept_text(detail),
            "action": action,
        }
        for number, (seat, kind, detail, action) in enumerate(result.conduct)
    ]


def kept_text(detail: str) -> str:
    """What a bot said, without the one character that PostgreSQL cannot keep."""
    return detail.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _close(connection: Connection, closed: dict[str, int]) -> None:
    """Fixtures that are closed, by their blocks."""
    change = update(blocks).where(blocks.c.id == bindparam("block")).values(open=blocks.c.open - bindparam("less"))
    connection.execute(change, [{"block": block, "less": less} for block, less in closed.items()])


def _count(connection: Connection, tournament_id: int, more: dict[str, int]) -> None:
    change = {name: tournaments.c[name] + number for name, number in more.items() if number}
    if change:
        connection.execute(update(tournaments).where(tournaments.c.id == tournament_id).values(change))
