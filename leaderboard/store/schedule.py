"""What is to be played: blocks, their fixtures, and attempts at them."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from leaderboard.store.database import PAGE, Database, pages
from leaderboard.store.errors import StoreError
from leaderboard.store.rows import Fixture, Lease, NewBlock, NewFixture
from leaderboard.store.tables import attempts, blocks, entrants, fixtures
from leaderboard.store.tournaments import held


class Schedule(Database):
    def add_blocks(self, lease: Lease, new: Sequence[NewBlock]) -> None:
        """Adds blocks with their fixtures, all or none. Those that are there already, just so, are passed over."""
        with self.writing() as connection:
            name = held(connection, lease).name
            known = _known_blocks(connection, [block.id for block in new])
            for block in new:
                if block.id in known and known[block.id] != (lease.tournament_id, block):
                    raise StoreError(f"block {block.id} is in the store with other content; it cannot be changed")
            fresh = [block for block in new if block.id not in known]
            if fresh:
                _check_blocks(connection, lease.tournament_id, fresh)
                _insert_blocks(connection, lease.tournament_id, fresh)
                detail = f"{fresh[0].number} to {fresh[-1].number}"
                self.note(connection, lease.driver, "blocks added", name, detail)

    def open_fixtures(self, tournament_id: int) -> Iterator[Fixture]:
        """In block order. They are read in pages, so those that close meanwhile may or may not be among them."""
        last = -1
        while True:
            with self.reading() as connection:
                rows = _open_page(connection, tournament_id, last)
            yield from (Fixture(*row[1:]) for row in rows)
            if len(rows) < PAGE:
                return
            last = rows[-1].number

    def next_attempts(self, lease: Lease, fixture_ids: Collection[str]) -> dict[str, int]:
        """Begins a new attempt at each that is open, and gives its number: what older ones report is refused."""
        begun: dict[str, int] = {}
        with self.writing() as connection:
            held(connection, lease)
            for ids in pages(sorted(set(fixture_ids))):
                found = connection.execute(select(fixtures).where(fixtures.c.id.in_(ids))).all()
                mine = [one for one in found if one.tournament_id == lease.tournament_id and one.state == "open"]
                change = update(fixtures).where(fixtures.c.id.in_([one.id for one in mine]))
                connection.execute(change.values(attempt=fixtures.c.attempt + 1))
                begun.update((one.id, one.attempt + 1) for one in mine)
            if begun:
                told = {"epoch": lease.epoch, "begun": self.now()}
                rows_of = [{"fixture_id": one, "attempt": number} | told for one, number in begun.items()]
                connection.execute(insert(attempts), rows_of)
        return begun


def _open_page(connection: Connection, tournament_id: int, last: int) -> Sequence[Any]:
    query = (
        select(
            *(fixtures.c.number, fixtures.c.id, fixtures.c.block_id, blocks.c.round, fixtures.c.rotation),
            *(blocks.c.variant, blocks.c.options, fixtures.c.seats, fixtures.c.attempt),
        )
        .join(blocks, blocks.c.id == fixtures.c.block_id)
        .where(fixtures.c.tournament_id == tournament_id, fixtures.c.state == "open", fixtures.c.number > last)
    )
    return connection.execute(query.order_by(fixtures.c.number).limit(PAGE)).all()


def _known_blocks(connection: Connection, ids: list[str]) -> dict[str, tuple[int, NewBlock]]:
    """Those that are in the store, each with the number of its tournament."""
    found: dict[str, tuple[int, NewBlock]] = {}
    for page in pages(ids):
        for row in connection.execute(select(blocks).where(blocks.c.id.in_(page))):
            game = row.variant, row.rules_version, row.options, row.players
            block = NewBlock(row.id, row.number, row.round, *game, [])
            found[row.id] = row.tournament_id, block
        mine = select(fixtures).where(fixtures.c.block_id.in_(page)).order_by(fixtures.c.number)
        for row in connection.execute(mine):
            found[row.block_id][1].fixtures.append(NewFixture(row.id, row.rotation, row.seats))
    return found


def _check_blocks(connection: Connection, tournament_id: int, new: list[NewBlock]) -> None:
    """Refuses what could not be played, or could not be released in order."""
    last = connection.execute(
        select(func.coalesce(func.max(blocks.c.number), -1)).where(blocks.c.tournament_id == tournament_id)
    ).scalar_one()
    count = connection.execute(
        select(func.count()).select_from(entrants).where(entrants.c.tournament_id == tournament_id)
    ).scalar_one()
    for block in new:
        if block.number <= last:
            raise StoreError(f"block {block.id} has number {block.number}, but {last} is in use: numbers ascend")
        last = block.number
        if not block.fixtures:
            raise StoreError(f"block {block.id} has no fixtures")
        for fixture in block.fixtures:
            if len(fixture.seats) != block.players or not set(fixture.seats) <= set(range(count)):
                raise StoreError(f"fixture {fixture.id} needs {block.players} entrants numbered 0 to {count - 1}")
    ids = [fixture.id for block in new for fixture in block.fixtures]
    for page in pages(ids):
        taken = connection.execute(select(fixtures.c.id).where(fixtures.c.id.in_(page))).scalars().first()
        if taken is not None:
            raise StoreError(f"fixture {taken} is in the store already, in another block")
    if len(set(ids)) != len(ids):
        raise StoreError("two fixtures have the same id")


def _insert_blocks(connection: Connection, tournament_id: int, new: list[NewBlock]) -> None:
    block_rows, fixture_rows = [], []
    number = connection.execute(
        select(func.coalesce(func.max(fixtures.c.number), -1)).where(fixtures.c.tournament_id == tournament_id)
    ).scalar_one()
    for block in new:
        row = block._asdict() | {"tournament_id": tournament_id, "open": len(block.fixtures)}
        del row["fixtures"]
        block_rows.append(row)
        for fixture in block.fixtures:
            number += 1
            home = {"tournament_id": tournament_id, "block_id": block.id, "number": number}
            fixture_rows.append(fixture._asdict() | home | {"state": "open", "attempt": 0})
    connection.execute(insert(blocks), block_rows)
    connection.execute(insert(fixtures), fixture_rows)
