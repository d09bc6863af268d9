"""A fixture on its way to a worker, and what comes back. Both are plain data: they travel between machines."""

from typing import Final, NamedTuple

from conquest.v1.record_pb2 import MatchRecord
from engine import record
from engine.playout import FORFEIT

COMMAND: Final = "cmd:"
POOLED, FRESH = "pooled", "fresh"  # isolation: one process for all matches of a bot, or one for each


class Job(NamedTuple):
    """A fixture to be played: what its seats are called, and which bots play them."""

    fixture: str
    attempt: int
    variant: str
    options: dict[str, int]
    names: tuple[str, ...]
    bots: tuple[str, ...]
    keys: tuple[bytes, bytes]
    time_control: str

    @property
    def has_processes(self) -> bool:
        return any(bot.startswith(COMMAND) for bot in self.bots)


class Outcome(NamedTuple):
    """A match that has ended. `error` says why there is none: a host's fault, which costs nobody anything."""

    fixture: str
    attempt: int
    record: bytes = b""
    sidecar: bytes = b""
    places: tuple[int, ...] = ()
    luck: tuple[float, ...] = ()
    faults: tuple[int, ...] = ()  # of each seat
    conduct: tuple[tuple[int, int, str, int], ...] = ()  # seat, kind, detail, action
    rounds: int = 0
    ending: int = 0
    actions: int = 0
    decisions: int = 0
    seconds: float = 0.0
    error: str = ""


def outcome(job: Job, kept: MatchRecord, sidecar: bytes, decisions: int, seconds: float) -> Outcome:
    faulty = [one.seat for one in kept.conduct if one.kind != FORFEIT]  # which only follows from the others
    return Outcome(
        job.fixture,
        job.attempt,
        record.write(kept),
        sidecar,
        tuple(kept.result.places),
        tuple(record.luck(kept)),
        tuple([faulty.count(seat) for seat in range(len(job.bots))]),
        tuple([(one.seat, one.kind, one.detail, one.action) for one in kept.conduct]),
        kept.result.rounds,
        kept.result.ending,
        kept.actions,
        decisions,
        seconds,
    )
