"""Matches worth a look, among the last ones: the luckiest and the closest."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Final

from pydantic import BaseModel
from sqlalchemy import select

from engine.record import RecordError, read
from leaderboard.closeness import lead_changes
from leaderboard.store import Store
from leaderboard.store.database import pages
from leaderboard.store.tables import agents, blocks, entrants, fixtures, records, results, seats, versions

LUCK_AMONG: Final = 200  # matches that ended last
CLOSE_AMONG: Final = 30  # of which each is played again, once
AT_ONCE: Final = 8  # that are played again for a page while a tournament goes on; it takes some 10 ms each
SHOWN: Final = 3
REMEMBERED: Final = 1_000


class Player(BaseModel):
    agent: str
    place: int
    luck: float


class Remarkable(BaseModel):
    """A match: how often the lead changed hands, or who was how lucky."""

    match: str
    variant: str
    rounds: int
    played: float
    players: list[Player]
    lucky: Player | None = None
    lead_changes: int | None = None


class Leads:
    """How often the lead changed hands, of the matches that were looked at last. Threads may share it."""

    def __init__(self) -> None:
        self.known: OrderedDict[str, int] = OrderedDict()
        self.lock = threading.Lock()

    def of(self, store: Store, fixture_ids: Sequence[str]) -> dict[str, int]:
        """Those that are known, newest first; matches whose record this program cannot play are left out."""
        with self.lock:
            new = [one for one in fixture_ids if one not in self.known]
            if self.known:
                new = new[:AT_ONCE]
            for fixture_id, data in _records(store, new):
                self.known[fixture_id] = _changes(data)
            while len(self.known) > REMEMBERED:
                self.known.popitem(last=False)
            return {one: self.known[one] for one in fixture_ids if self.known.get(one, -1) >= 0}


def _changes(data: bytes) -> int:
    try:
        return lead_changes(read(data))
    except RecordError:
        return -1


def _records(store: Store, fixture_ids: Sequence[str]) -> list[tuple[str, bytes]]:
    query = select(records.c.fixture_id, records.c.record)
    with store.reading() as connection:
        return [
            (row.fixture_id, row.record)
            for ids in pages(fixture_ids)
            for row in connection.execute(query.where(records.c.fixture_id.in_(ids)))
        ]


def closest(store: Store, leads: Leads) -> list[Remarkable]:
    """Those in which the lead changed hands most often, at least once."""
    last = _last(store, CLOSE_AMONG)
    changes = leads.of(store, [row.fixture_id for row in last])
    best = sorted((row for row in last if changes.get(row.fixture_id)), key=lambda row: -changes[row.fixture_id])
    found = _remarkable(store, best[:SHOWN])
    return [one.model_copy(update={"lead_changes": changes[one.match]}) for one in found]


def luckiest(store: Store) -> list[Remarkable]:
    """Those in which the dice gave somebody most beyond what they give on average."""
    last = _last(store, LUCK_AMONG)
    query = select(seats.c.fixture_id, seats.c.seat, seats.c.luck)
    with store.reading() as connection:
        rows = connection.execute(query.where(seats.c.fixture_id.in_([row.fixture_id for row in last]))).all()
    most: dict[str, Any] = {}
    for row in sorted(rows, key=lambda row: row.luck):
        most[row.fixture_id] = row
    names = sorted(most, key=lambda name: -most[name].luck)[:SHOWN]
    known = {row.fixture_id: row for row in last}
    found = _remarkable(store, [known[name] for name in names])
    return [one.model_copy(update={"lucky": one.players[most[one.match].seat]}) for one in found]


def _last(store: Store, count: int) -> Sequence[Any]:
    """The results that were written last, those that are void left out."""
    newest = select(results).order_by(results.c.seq.desc()).limit(count).subquery()
    query = (
        select(newest.c.fixture_id, newest.c.rounds, newest.c.committed, blocks.c.variant)
        .join(fixtures, fixtures.c.id == newest.c.fixture_id)
        .join(blocks, blocks.c.id == fixtures.c.block_id)
        .where(fixtures.c.state == "done")
    )
    with store.reading() as connection:
        return connection.execute(query.order_by(newest.c.seq.desc())).all()


def _remarkable(store: Store, rows: Sequence[Any]) -> list[Remarkable]:
    """With the players in seat order."""
    query = (
        select(seats.c.fixture_id, seats.c.place, seats.c.luck, agents.c.name)
        .join(entrants, entrants.c.id == seats.c.entrant_id)
        .join(versions, versions.c.id == entrants.c.version_id)
        .join(agents, agents.c.id == versions.c.agent_id)
        .where(seats.c.fixture_id.in_([row.fixture_id for row in rows]))
    )
    players: dict[str, list[Player]] = {row.fixture_id: [] for row in rows}
    with store.reading() as connection:
        for row in connection.execute(query.order_by(seats.c.fixture_id, seats.c.seat)):
            players[row.fixture_id].append(Player(agent=row.name, place=row.place, luck=row.luck))
    return [
        Remarkable(
            match=row.fixture_id,
            variant=row.variant,
            rounds=row.rounds,
            played=row.committed,
            players=players[row.fixture_id],
        )
        for row in rows
    ]
