"""A referee and its bots, each in a process of its own, to be measured: what referee.py and fairness.py share.

The first process tells the others over pipes what to do. Latency is from hand-over to answer, by a clock that runs
on while the referee lags, so that nothing is hidden.
"""

import asyncio
import logging
import threading
import time
from array import array
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple

from conquest.v1.referee_pb2 import Action
from engine.referee.auth import Identity, Role
from engine.referee.clock import HostClock, TimeControl
from engine.referee.desk import Desk, Stream
from engine.referee.host import Finished, Referee
from engine.referee.limits import IN_FLIGHT, MATCHES_AT_ONCE
from engine.referee.server import Server
from engine.referee.session import Pending
from sdk.client import Client
from sdk.local import BotSpec, load_bot

SPAWN = get_context("spawn")
PATIENT = TimeControl(3600.0, 1.0, 600.0)  # nobody times out here
OPTIONS = {"rounds": 20}  # random play practically never ends by itself
CREATED_AT_ONCE = 50
CHEAP_BOT = "random"


class Table(NamedTuple):
    """So many matches of these agents."""

    agents: tuple[str, ...]
    matches: int


EVERYBODY = ""


class Latency(NamedTuple):
    """Seconds from hand-over to answer."""

    decisions: int
    p50: float
    p99: float


class Sample(NamedTuple):
    """What the referee did in so many seconds."""

    seconds: float
    cpu: float
    decisions: int
    messages: int
    latency: dict[str, Latency]  # by agent; EVERYBODY for all of them


class PlainClock(HostClock):
    """Runs on while the host lags."""

    def now(self) -> float:
        return self.clock()


class MeasuredDesk(Desk):
    """Writes down how long each answer took, and how many came together."""

    def __init__(self, agent: str, clock: HostClock, in_flight: int, matches_at_once: int) -> None:
        super().__init__(agent, clock, in_flight, matches_at_once)
        self.took = array("f")
        self.messages = 0

    async def receive(self, stream: Stream, actions: list[Action]) -> bool:
        self.messages += 1
        return await super().receive(stream, actions)

    def charge(self, pending: Pending, answers: int, thinking_us: int, previous: float, now: float) -> None:
        self.took.append(now - pending.handed)
        super().charge(pending, answers, thinking_us, previous, now)


class MeasuredReferee(Referee):
    """Keeps so many matches of each table open, with seeds from 0 on."""

    def __init__(self) -> None:
        super().__init__(time_control=PATIENT, on_finished=self.replace)
        self.clock = PlainClock(time.monotonic)
        self.desks: dict[str, Desk] = {}
        self.seed = 0

    def desk(self, agent: str) -> Desk:
        if agent not in self.desks:
            self.desks[agent] = MeasuredDesk(agent, self.clock, IN_FLIGHT, MATCHES_AT_ONCE)
        return self.desks[agent]

    def measured(self) -> list[MeasuredDesk]:
        return [desk for desk in self.desks.values() if isinstance(desk, MeasuredDesk)]

    def open(self, agents: tuple[str, ...]) -> None:
        self.create("classic", agents, OPTIONS, seed=self.seed)
        self.seed += 1

    def replace(self, finished: Finished) -> None:
        self.finished.clear()  # what is kept of matches that are over is not measured here
        asyncio.get_running_loop().call_soon(self.open, tuple(finished.match.agents))

    async def fill(self, tables: list[Table]) -> None:
        for table in tables:
            for number in range(table.matches):
                self.open(table.agents)
                if number % CREATED_AT_ONCE == 0:
                    await asyncio.sleep(0)

    def mean_actions(self) -> float:
        return sum(session.tape.actions for session in self.sessions.values()) / max(1, len(self.sessions))


class AnyToken:
    """Every agent's token is its name."""

    def find(self, token: str) -> Identity:
        return Identity(token, Role.ADMIN)


async def measure(referee: MeasuredReferee, seconds: float) -> Sample:
    for desk in referee.measured():
        desk.took, desk.messages = array("f"), 0
    began, cpu = time.perf_counter(), time.process_time()
    await asyncio.sleep(seconds)
    cpu, lasted = time.process_time() - cpu, time.perf_counter() - began
    took = {desk.agent: desk.took for desk in referee.measured()}
    latency = {agent: summary(times) for agent, times in took.items()}
    everybody = summary([one for times in took.values() for one in times])
    messages = sum(desk.messages for desk in referee.measured())
    return Sample(lasted, cpu, everybody.decisions, messages, latency | {EVERYBODY: everybody})


def summary(times: "array[float] | list[float]") -> Latency:
    ordered = sorted(times)
    if not ordered:
        return Latency(0, 0.0, 0.0)
    return Latency(len(ordered), ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100])


def resident_bytes() -> int:
    """What the process has in memory; 0 where the system does not tell."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS:"))


async def referee_process(pipe: Connection) -> None:
    """Does what it is told: ("fill", tables), ("age", actions), ("measure", seconds), ("memory", None)."""
    referee = MeasuredReferee()
    server = Server(referee, AnyToken())
    await server.start("127.0.0.1:0")
    pipe.send(server.port)
    while True:
        what, argument = await asyncio.to_thread(pipe.recv)
        if what == "fill":
            await wait_for(referee, {agent for table in argument for agent in table.agents})
            await referee.fill(argument)
            pipe.send(None)
        elif what == "age":
            while referee.mean_actions() < argument:
                await asyncio.sleep(0.05)
            pipe.send(None)
        elif what == "measure":
            pipe.send(await measure(referee, argument))
        else:
            pipe.send(resident_bytes())


async def wait_for(referee: Referee, agents: set[str]) -> None:
    while not all(agent in referee.desks and referee.desks[agent].stream is not None for agent in agents):
        await asyncio.sleep(0.01)


def run_referee(pipe: Connection) -> None:
    asyncio.run(referee_process(pipe))


def run_bot(pipe: Connection, name: str, port: int, bot: BotSpec) -> None:
    """A bot that plays until the referee goes; over the pipe it tells the seconds of processor it has used."""
    threading.Thread(target=tell_cpu, args=(pipe,), daemon=True).start()
    logging.disable()  # when the referee goes, it says so
    asyncio.run(Client(bot, f"127.0.0.1:{port}", name, patience=0.0).run())


def tell_cpu(pipe: Connection) -> None:
    while pipe.recv():
        pipe.send(time.process_time())


class Worker:
    """A process and the pipe to it."""

    def __init__(self, work: Callable[..., None], *arguments: Any) -> None:
        self.pipe, theirs = SPAWN.Pipe()
        self.process: BaseProcess = SPAWN.Process(target=work, args=(theirs, *arguments), daemon=True)
        self.process.start()
        theirs.close()

    def ask(self, question: object) -> Any:
        self.pipe.send(question)
        return self.pipe.recv()

    def stop(self) -> None:
        self.process.kill()
        self.process.join()


class Stage:
    """A referee with its bots, from start to stop."""

    def __init__(self) -> None:
        self.referee = Worker(run_referee)
        self.port: int = self.referee.pipe.recv()
        self.bots: dict[str, Worker] = {}

    def add(self, name: str, work: Callable[..., None] = run_bot, *arguments: Any) -> None:
        self.bots[name] = Worker(work, name, self.port, *(arguments or (load_bot(CHEAP_BOT),)))

    def remove(self, name: str) -> None:
        self.bots.pop(name).stop()

    def fill(self, *tables: Table) -> None:
        """Opens matches, and keeps them open: one that ends is followed by another."""
        self.referee.ask(("fill", list(tables)))

    def age(self, actions: float) -> None:
        """Waits until the matches have seen so many actions in the mean."""
        self.referee.ask(("age", actions))

    def measure(self, seconds: float) -> tuple[Sample, float]:
        """What the referee did, and the seconds of processor that all bots used meanwhile."""
        before = self.bot_cpu()
        sample: Sample = self.referee.ask(("measure", seconds))
        return sample, self.bot_cpu() - before

    def bot_cpu(self) -> float:
        used: list[float] = [bot.ask(True) for bot in self.bots.values()]
        return sum(used)

    def memory(self) -> int:
        held: int = self.referee.ask(("memory", None))
        return held

    def __enter__(self) -> "Stage":
        return self

    def __exit__(self, *error: object) -> None:
        for worker in (self.referee, *self.bots.values()):
            worker.stop()
