"""Workers on Ray: the only module that imports it.

Ray's own retries are off. A worker that dies, or whose heartbeat stops, is told as lost and replaced; what to play
again is for the driver to decide. A worker that comes to life again after that can still report: its attempts are
old by then, and the store refuses them.
"""

import logging
import os
import socket
import time
from collections.abc import Iterator
from typing import Any, Final

import ray

from arena.crew import LOTS_OUTSTANDING, Lost, News, Report
from arena.job import Job, Outcome
from arena.worker import Worker

BEAT_SECONDS: Final = 2.0
SILENT_SECONDS: Final = 30.0
REACHED_SECONDS: Final = 5.0
START_SECONDS: Final = 120.0  # a new worker may have to wait for a machine


class ClusterError(Exception):
    """No cluster, or not the one that was asked for; says what to do."""


class Actor:
    """A worker in a process of Ray's. Lots and heartbeats have threads of their own."""

    def __init__(self, isolation: str, folder: str) -> None:
        self.worker = Worker(isolation, folder)

    def beat(self) -> int:
        return os.getpid()

    def play(self, lot: list[Job]) -> Iterator[list[Outcome]]:
        yield from self.worker.play(lot)


class Member:
    """One worker of the crew: its actor, its lots, and when it was last heard of."""

    def __init__(self, name: str, isolation: str, folder: str, now: float) -> None:
        self.name = name
        groups = {"beat": 1, "play": LOTS_OUTSTANDING}
        remote: Any = ray.remote  # its stubs do not know groups
        made = remote(num_cpus=1, max_restarts=0, max_task_retries=0, concurrency_groups=groups)(Actor)
        self.actor: Any = made.remote(isolation, folder)
        self.lots: dict[Any, int] = {}  # by generator
        self.pid = 0  # once it has been heard of
        self.heard = now
        self.asked = now
        self.beat = self.ask()

    def ask(self) -> Any:
        return self.actor.beat.options(concurrency_group="beat").remote()

    def send(self, lot: int, jobs: list[Job]) -> None:
        play = self.actor.play.options(concurrency_group="play", num_returns="streaming")
        self.lots[play.remote(jobs)] = lot

    def is_silent(self, now: float) -> bool:
        return now - self.heard > (SILENT_SECONDS if self.pid else START_SECONDS)


class RayCrew:
    """So many workers on a cluster; without an address, on one of its own on this machine."""

    def __init__(self, workers: int, isolation: str, folder: str, address: str | None = None) -> None:
        start(workers, address)
        self.workers = workers
        self.isolation = isolation
        self.folder = folder
        self.started = 0
        self.members: dict[str, Member] = {}
        self.late: dict[Any, tuple[str, int]] = {}  # generators of workers that were given up
        for _ in range(workers):
            self.add()

    def add(self) -> None:
        self.started += 1
        name = f"worker-{self.started}"
        self.members[name] = Member(name, self.isolation, self.folder, time.monotonic())

    def idle(self) -> list[str]:
        there = [member for member in self.members.values() if member.pid]
        by_load = sorted(there, key=lambda member: len(member.lots))
        return [member.name for member in by_load for _ in range(LOTS_OUTSTANDING - len(member.lots))]

    def send(self, worker: str, lot: int, jobs: list[Job]) -> None:
        self.members[worker].send(lot, jobs)

    def wait(self, seconds: float) -> list[News]:
        """What has happened; waits that long for something."""
        members = list(self.members.values())
        lots = [generator for member in members for generator in member.lots]
        beats = [member.beat for member in members if member.beat is not None]
        waiting = [*lots, *self.late, *beats]
        ready = set(ray.wait(waiting, num_returns=len(waiting), timeout=0.0)[0]) if waiting else set()
        if not ready and waiting:
            ready = set(ray.wait(waiting, timeout=seconds)[0])
        news: list[News] = []
        for member in members:
            news += self.hear(member, ready)
        for generator in [one for one in self.late if one in ready]:
            worker, lot = self.late[generator]
            try:
                news.append(Report(worker, lot, ray.get(next(generator)), is_last=False))
            except (StopIteration, ray.exceptions.RayError):
                del self.late[generator]
        return news

    def hear(self, member: Member, ready: set[Any]) -> list[News]:
        """News of one worker, and its next heartbeat."""
        now = time.monotonic()
        news: list[News] = []
        try:
            if member.beat in ready:
                member.pid, member.beat, member.heard = ray.get(member.beat), None, now
            for generator in [one for one in member.lots if one in ready]:
                member.heard = now
                lot = member.lots[generator]
                try:
                    news.append(Report(member.name, lot, ray.get(next(generator)), is_last=False))
                except StopIteration:
                    del member.lots[generator]
                    news.append(Report(member.name, lot, [], is_last=True))
        except ray.exceptions.RayError as error:
            return [*news, self.lose(member, f"{type(error).__name__}: {str(error).strip().splitlines()[0]}")]
        if member.is_silent(now):
            return [*news, self.lose(member, f"no heartbeat for {now - member.heard:.0f} s")]
        if member.beat is None and now - member.asked > BEAT_SECONDS:
            member.beat, member.asked = member.ask(), now
        return news

    def lose(self, member: Member, why: str) -> Lost:
        """Gives a worker up and starts another in its place."""
        del self.members[member.name]
        self.late |= {generator: (member.name, lot) for generator, lot in member.lots.items()}
        ray.kill(member.actor)
        self.add()
        return Lost(member.name, why)

    def close(self) -> None:
        ray.shutdown()


def start(workers: int, address: str | None) -> None:
    if address is not None:
        look_for(address)
    private: Any = ray._private.worker
    private._worker_logs_enabled = False  # or it tells of lost nodes on stdout, whatever log_to_driver says
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        if address is not None:
            ray.init(address=address, **quiet)
        else:
            ray.init(address="local", num_cpus=workers, include_dashboard=False, **quiet)
    except Exception as error:  # it has no class of its own for this
        why = str(error).strip().splitlines()[0]
        if address is None:
            raise ClusterError(f"cannot start a local cluster: {why}") from error
        token = "; if it asks for a token, set RAY_AUTH_MODE=token (docs/cluster.md)"
        raise ClusterError(f"cannot join the cluster at {address}: {why}{token}") from error


def look_for(address: str) -> None:
    """Ray itself would try for a long while, and say so at length."""
    host, _, port = address.rpartition(":")
    if address == "auto":
        return
    if "/" in host or not host or not port.isdecimal():
        raise ClusterError(f"--ray-address {address}: give auto, or HOST:PORT of the cluster's head, not ray://")
    try:
        socket.create_connection((host.strip("[]"), int(port)), REACHED_SECONDS).close()
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise ClusterError(
            f"no cluster answers at {address}: {why}; 'ray status' there tells its address"
        ) from error
