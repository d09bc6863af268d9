"""Workers as a driver sees them: lots of fixtures go out, outcomes come back, and some workers are lost.

A crew has `send`, `wait` and `close`; `InProcess` is one of a single worker in this process, arena/cluster.py has
the one on Ray.
"""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from arena.job import Job, Outcome
from arena.worker import Worker

LOTS_OUTSTANDING = 2  # of one worker


class Report(NamedTuple):
    """Matches that have ended. `lot` is over after its last one."""

    worker: str
    lot: int
    outcomes: list[Outcome]
    is_last: bool


class Lost(NamedTuple):
    """A worker is gone, with all that it had not reported."""

    worker: str
    why: str


News = Report | Lost


class Crew(Protocol):
    @property
    def workers(self) -> int: ...

    def idle(self) -> list[str]:
        """The workers that take another lot, one name for each lot they take."""
        ...

    def send(self, worker: str, lot: int, jobs: list[Job]) -> None: ...

    def wait(self, seconds: float) -> list[News]:
        """What has happened; waits that long for something."""
        ...

    def close(self) -> None: ...


class InProcess:
    """One worker, here: it plays while `wait` is called."""

    NAME = "here"
    WAKE_SECONDS = 0.5  # whatever a bot thinks about meanwhile
    workers = 1

    def __init__(self, isolation: str, folder: str) -> None:
        self.worker = Worker(isolation, folder)
        self.playing: tuple[int, Iterator[list[Outcome]]] | None = None

    def idle(self) -> list[str]:
        return [] if self.playing is not None else [self.NAME]

    def send(self, worker: str, lot: int, jobs: list[Job]) -> None:
        assert self.playing is None
        self.playing = (lot, self.worker.play(jobs, self.WAKE_SECONDS))

    def wait(self, seconds: float) -> list[News]:
        if self.playing is None:
            return []
        lot, outcomes = self.playing
        found = next(outcomes, None)
        if found is None:
            self.playing = None
        return [Report(self.NAME, lot, found or [], is_last=found is None)]

    def close(self) -> None:
        self.worker.close()
