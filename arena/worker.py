"""Plays lots of fixtures: the same in the driver's process and on a cluster. What leaves it is the outcome.

A match of Python bots is played in this process, one after another. As soon as one seat is a command, all its bots
are processes and play on a referee of the worker's own (arena/agents/pool.py), many matches at once.
"""

import queue
import threading
import time
from collections.abc import Iterator
from typing import Final

from arena import matches
from arena.agents.pool import Pool
from arena.job import Job, Outcome, outcome
from sdk.local import load_bot

YIELD_SECONDS: Final = 0.1  # outcomes that come faster go together


class Worker:
    """A plain class: arena/cluster.py makes an actor of it."""

    def __init__(self, isolation: str, folder: str) -> None:
        self.isolation = isolation
        self.folder = folder  # where commands start
        self.pool: Pool | None = None  # made when the first command comes
        self.turn = threading.Lock()  # matches in this process are played one at a time

    def play(self, lot: list[Job], wake: float | None = None) -> Iterator[list[Outcome]]:
        """Yields outcomes as matches end, close ones in one list; an empty list after `wake` seconds."""
        ended: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        hosted = [job for job in lot if job.has_processes]
        if hosted:
            self.host().play(hosted, ended.put)
        local = threading.Thread(
            target=self.play_here, args=([job for job in lot if not job.has_processes], ended), daemon=True
        )
        local.start()
        left = len(lot)
        while left:
            try:
                outcomes = [ended.get(timeout=wake)]
            except queue.Empty:
                yield []
                continue
            deadline = time.monotonic() + YIELD_SECONDS
            while len(outcomes) < left and (patience := deadline - time.monotonic()) > 0:
                try:
                    outcomes.append(ended.get(timeout=patience))
                except queue.Empty:
                    break
            left -= len(outcomes)
            yield outcomes

    def play_here(self, jobs: list[Job], ended: "queue.SimpleQueue[Outcome]") -> None:
        with self.turn:
            for job in jobs:
                ended.put(play_here(job))

    def host(self) -> Pool:
        if self.pool is None:
            self.pool = Pool(self.isolation, self.folder)
        return self.pool

    def close(self) -> None:
        if self.pool is not None:
            self.pool.close()


def play_here(job: Job) -> Outcome:
    began = time.perf_counter()
    try:
        bots = [load_bot(spec)._replace(name=name) for spec, name in zip(job.bots, job.names, strict=True)]
        entries = list(range(len(bots)))
        played = matches.play(
            matches.Fixture(job.variant, job.options, bots, entries, job.keys, match_id=job.fixture)
        )
    except Exception as error:
        return Outcome(job.fixture, job.attempt, error=f"{type(error).__name__}: {error}")
    return outcome(job, played.record, b"", played.decisions, time.perf_counter() - began)
