"""Tournaments and results for the tests, with the records of real matches."""

import functools

from arena.matches import Fixture as Match
from arena.matches import play
from conquest.v1.record_pb2 import MatchRecord
from engine import record
from engine.chance import commitment, seeded_keys
from leaderboard.store import Entrant, Lease, NewBlock, NewFixture, Result, Store, Tournament
from sdk.local import load_bot

PLAYERS = 3


class Clock:
    """Time as the test says."""

    def __init__(self) -> None:
        self.time = 1_000_000.0

    def __call__(self) -> float:
        return self.time


@functools.cache
def match() -> tuple[MatchRecord, int, tuple[float, ...]]:
    """A short real match: its record, decisions and luck."""
    bots = [load_bot("aggressor")] * PLAYERS
    played = play(Match("classic", {"rounds": 2}, bots, list(range(PLAYERS)), seeded_keys(7)))
    return played.record, played.decisions, tuple(played.luck)


def record_file(match_id: str) -> bytes:
    """The record of that match under another name."""
    named = MatchRecord()
    named.CopyFrom(match()[0])
    named.match_id = match_id
    named.commitment = commitment(match_id, named.match_key, named.setup_key)
    named.seal = record.seal_of(named)
    return record.write(named)


def result(fixture_id: str, attempt: int = 1, worker: str = "worker 1") -> Result:
    kept, decisions, luck = match()
    return Result(
        fixture_id,
        attempt,
        places=list(kept.result.places),
        luck=luck,
        faults=[0] * PLAYERS,
        rounds=kept.result.rounds,
        ending=kept.result.ending,
        actions=kept.actions,
        decisions=decisions,
        record=record_file(fixture_id),
        sidecar=b"{}",
        conduct=[],
        worker=worker,
        seconds=0.25,
    )


def tournament(store: Store, name: str = "cup") -> Tournament:
    version = store.add_version("aggressor", "aggressor", "python", True, "0.1.0")
    entrants = [Entrant(f"bot {number}", version.id, "present") for number in range(PLAYERS)]
    return store.create_tournament(name, "rounds = 2\n", "/cups", b"k" * 32, b"c" * 32, entrants)


def block(name: str, number: int) -> NewBlock:
    """All rotations of one pairing: fixtures `name/0/0`, `name/0/1` and so on."""
    fixtures = [
        NewFixture(f"{name}/{number}/{turn}", turn, [(turn + seat) % PLAYERS for seat in range(PLAYERS)])
        for turn in range(PLAYERS)
    ]
    return NewBlock(f"{name}/{number}", number, 0, "classic", 1, {"rounds": 2}, PLAYERS, fixtures)


def begun(store: Store, blocks: int = 2, name: str = "cup", seconds: float = 30.0) -> tuple[Lease, list[str]]:
    """A tournament that is driven, with a first attempt at all of its fixtures."""
    lease = store.take_lease(tournament(store, name).id, f"driver of {name}", seconds)
    store.add_blocks(lease, [block(name, number) for number in range(blocks)])
    ids = [fixture.id for fixture in store.open_fixtures(lease.tournament_id)]
    store.next_attempts(lease, ids)
    return lease, ids


def kinds(store: Store) -> list[str]:
    """The ledger in short."""
    return [f"{row.kind} {row.subject}" for row in store.ledger()]
