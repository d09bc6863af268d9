"""Does one agent's conduct cost another one its speed? `python -m benchmarks.fairness [--quick] [--save]`.

Four agents play with each other, and their p99 is measured: alone (the control), and beside an agent that is slow,
one that plays in 1,000 matches, or one that reads nothing. Control and trouble alternate. The aim is that the p99
does not double.
"""

import argparse
import asyncio
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from statistics import median
from typing import NamedTuple

import grpc

from benchmarks.echo import METHOD
from benchmarks.sheets import ROOT, Sheet, machine, save, show, spread
from benchmarks.stage import CHEAP_BOT, OPTIONS, Stage, Table, run_bot, tell_cpu
from conquest.v1.referee_pb2 import Hello, PlayRequest, PlayResponse
from engine.referee.limits import API_VERSION
from sdk.agent import Agent, Answer, Decision
from sdk.local import BotSpec, load_bot

RESULTS = ROOT / "benchmarks/results/fairness.md"
OTHERS = ("north", "east", "south", "west")
MATCHES = 64  # of the others
THINKS = 0.02  # seconds
WARM_UP = 1.0
AIM = 2.0


class Slow(Agent):
    """Thinks about everything."""

    def decide(self, decision: Decision) -> Answer:
        time.sleep(THINKS)
        return Answer(0, decision.options[0].high)


async def read_nothing(name: str, port: int) -> None:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call = channel.stream_stream(METHOD, PlayRequest.SerializeToString, PlayResponse.FromString)(
            metadata=(("authorization", f"Bearer {name}"),)
        )
        await call.write(PlayRequest(hello=Hello(api_version=API_VERSION, client="deaf")))
        await asyncio.Event().wait()


def run_deaf(pipe: Connection, name: str, port: int, _: object) -> None:
    threading.Thread(target=tell_cpu, args=(pipe,), daemon=True).start()
    asyncio.run(read_nothing(name, port))


class Trouble(NamedTuple):
    """An agent that plays with itself in so many matches."""

    name: str
    matches: int
    work: Callable[..., None]
    bot: BotSpec


TROUBLES = (
    Trouble("is slow", 64, run_bot, BotSpec("slow", Slow, built_in=False)),
    Trouble("plays in 1,000 matches", 1000, run_bot, load_bot(CHEAP_BOT)),
    Trouble("reads nothing", 1000, run_deaf, load_bot(CHEAP_BOT)),
)


class Pair(NamedTuple):
    """The others' p99 in milliseconds, alone and beside the trouble."""

    alone: float
    beside: float


def measure(trouble: Trouble, seconds: float) -> Pair:
    alone = p99_of_others(None, seconds)
    return Pair(alone, p99_of_others(trouble, seconds))


def p99_of_others(trouble: Trouble | None, seconds: float) -> float:
    with Stage() as stage:
        for name in OTHERS:
            stage.add(name)
        tables = [Table(OTHERS, MATCHES)]
        if trouble is not None:
            stage.add(trouble.name, trouble.work, trouble.bot)
            tables.append(Table((trouble.name,) * len(OTHERS), trouble.matches))
        stage.fill(*tables)
        time.sleep(WARM_UP)
        sample, _ = stage.measure(seconds)
    return max(sample.latency[name].p99 for name in OTHERS) * 1e3


def sheet(pairs: dict[str, list[Pair]]) -> Sheet:
    rows: list[list[str]] = []
    for name, taken in pairs.items():
        ratios = [one.beside / one.alone for one in taken]
        rows.append(
            [
                name,
                spread([one.alone for one in taken], ".1f"),
                spread([one.beside for one in taken], ".1f"),
                spread(ratios, ".2f"),
                "met" if median(ratios) < AIM else "missed",
            ]
        )
    head = ["beside an agent that", "alone: p99 ms", "beside it: p99 ms", "ratio", f"below {AIM:g}"]
    return Sheet("The slowest of four agents", head, rows)


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Measure what a bad neighbour costs other agents.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each sample")
    parser.add_argument("--quick", action="store_true", help="one short round, for a first look")
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.relative_to(ROOT)}")
    told = parser.parse_args(argv)
    count, seconds = (1, min(told.seconds, 1.0)) if told.quick else (told.rounds, told.seconds)
    pairs: dict[str, list[Pair]] = {trouble.name: [] for trouble in TROUBLES}
    for number in range(count):
        for trouble in TROUBLES:
            pairs[trouble.name].append(measure(trouble, seconds))
        print(f"round {number + 1} of {count}", flush=True)
    where = (
        f"{machine()} classic, 4 seats, {OPTIONS['rounds']} rounds; {MATCHES} matches of four {CHEAP_BOT} bots. "
        f"{count} alternating rounds, samples of {seconds:g} s; median (least-greatest)."
    )
    sheets = [sheet(pairs)]
    show(where, sheets)
    if told.save:
        save(RESULTS, "Fairness, measured", where, sheets)


if __name__ == "__main__":
    main()
