"""Measures the referee: `python -m benchmarks.referee [--quick] [--save]`.

A referee and four bots run in processes of their own, with more and more matches open at once. Beside them, in the
same round: the same messages without a game (echo.py), and the same matches in one process. The medians of all
rounds are shown with the least and the greatest value.
"""

import argparse
import time
from statistics import median
from typing import NamedTuple

from benchmarks import echo
from benchmarks.sheets import ROOT, Sheet, machine, save, show, spread
from benchmarks.stage import CHEAP_BOT, EVERYBODY, OPTIONS, Stage, Table
from engine import record
from engine.chance import Chance, seeded_keys
from engine.playout import Tape, play_out
from engine.rules.variants import ruleset
from sdk.local import load_bot, seat_bots

RESULTS = ROOT / "benchmarks/results/referee.md"
AGENTS = ("north", "east", "south", "west")
SIZES = (1, 16, 64, 256, 1024, 5000)
USUAL, MANY = 256, 5000  # the sizes that have aims
HALF_WAY = 750  # actions: about half of a match of random bots with these options
WARM_UP = 0.5  # seconds


class Measured(NamedTuple):
    """One size in one round; CPU in microseconds a decision, latency in milliseconds, memory in KB a match."""

    speed: float
    batch: float
    p50: float
    p99: float
    server: float
    bots: float
    memory: float


class Round(NamedTuple):
    by_size: dict[int, Measured]
    echo: tuple[float, float, float]  # decisions a second, CPU of the server and of the clients, in microseconds
    in_process: tuple[float, float]  # decisions a second, CPU in microseconds


def measure_size(matches: int, seconds: float, age: float) -> Measured:
    with Stage() as stage:
        for agent in AGENTS:
            stage.add(agent)
        stage.fill(Table(AGENTS, 0))  # all are connected
        before = stage.memory()
        stage.fill(Table(AGENTS, matches))
        stage.age(age if matches > 1 else 0)
        time.sleep(WARM_UP)
        sample, bots = stage.measure(seconds)
        memory = stage.memory() - before
    done, latency = sample.decisions, sample.latency[EVERYBODY]
    return Measured(
        done / sample.seconds,
        done / sample.messages,
        latency.p50 * 1e3,
        latency.p99 * 1e3,
        sample.cpu / done * 1e6,
        bots / done * 1e6,
        memory / matches / 1e3,
    )


def measure_in_process(seconds: float) -> tuple[float, float]:
    """The same matches, bots and records without a wire."""
    bots, r = [load_bot(CHEAP_BOT)] * len(AGENTS), ruleset("classic", len(AGENTS), OPTIONS)
    began, cpu = time.perf_counter(), time.process_time()
    seed = decisions = 0
    while time.perf_counter() - began < seconds:
        keys, s, tape = seeded_keys(seed), r.new(), Tape()
        decisions += play_out(r, s, seat_bots(bots, keys[0], r), Chance(*keys), tape)
        record.make(r, s, tape, AGENTS, keys, f"match-{seed}", seed)
        seed += 1
    lasted, used = time.perf_counter() - began, time.process_time() - cpu
    return decisions / lasted, used / decisions * 1e6


def measure_round(sizes: list[int], seconds: float, age: float) -> Round:
    by_size = {size: measure_size(size, seconds, age) for size in sizes}
    speed, server, clients = echo.measure(len(AGENTS), WARM_UP + 1.0, seconds)
    return Round(by_size, (speed, server * 1e6, clients * 1e6), measure_in_process(seconds))


def speeds(rounds: list[Round], sizes: list[int]) -> Sheet:
    head = ["matches", "decisions/s", "batch", "p50 ms", "p99 ms", "server us", "bots us", "KB a match"]
    forms = (",.0f", ".1f", ".2f", ".2f", ".1f", ".1f", ".1f")
    rows = [
        [f"{size:,}"]
        + [spread([one.by_size[size][column] for one in rounds], form) for column, form in enumerate(forms)]
        for size in sizes
    ]
    return Sheet("A referee and four bot processes; CPU for a decision, memory for an open match", head, rows)


def limits(rounds: list[Round]) -> Sheet:
    rows = [
        [f"echo, batches of {echo.BATCH}"] + [spread([one.echo[at] for one in rounds], ",.1f") for at in range(3)],
        ["in one process"] + [spread([one.in_process[at] for one in rounds], ",.1f") for at in range(2)] + ["-"],
    ]
    return Sheet("Beside it", ["", "decisions/s", "server us", "clients us"], rows)


def aims(rounds: list[Round], sizes: list[int]) -> Sheet:
    rows: list[list[str]] = []

    def add(what: str, aim: str, values: list[float], form: str, met: bool) -> None:
        rows.append([what, aim, spread(values, form), "met" if met else "missed"])

    if USUAL in sizes:
        usual = [one.by_size[USUAL] for one in rounds]
        speed, batch, p99 = ([one[at] for one in usual] for at in (0, 1, 3))
        above = [one.by_size[USUAL].server - one.in_process[1] for one in rounds]
        add(f"{USUAL} matches: decisions a second", "25,000", speed, ",.0f", median(speed) >= 25_000)
        add(f"{USUAL} matches: mean batch", "16", batch, ".1f", median(batch) >= 16)
        add(f"{USUAL} matches: p99, ms", "25", p99, ".1f", median(p99) < 25)
        add(f"{USUAL} matches: server above in-process, us", "20", above, ".1f", median(above) <= 20)
    if MANY in sizes:
        p99, memory = ([one.by_size[MANY][at] for one in rounds] for at in (3, 6))
        add(f"{MANY:,} matches: p99, ms", "300", p99, ".1f", median(p99) < 300)
        add(f"{MANY:,} matches: KB a match", "40", memory, ".1f", median(memory) <= 40)
    return Sheet("Aims", ["", "aim", "measured", ""], rows)


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Measure the referee with bots in other processes.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each sample")
    parser.add_argument("--matches", type=int, nargs="*", default=list(SIZES), help="how many are open at once")
    parser.add_argument("--quick", action="store_true", help="one short round, for a first look")
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.relative_to(ROOT)}")
    told = parser.parse_args(argv)
    count, seconds, age = (1, min(told.seconds, 1.0), 0.0) if told.quick else (told.rounds, told.seconds, HALF_WAY)
    rounds: list[Round] = []
    for number in range(count):
        rounds.append(measure_round(told.matches, seconds, age))
        print(f"round {number + 1} of {count}", flush=True)
    half = f"the matches {HALF_WAY} actions old in the mean" if age else "the matches just begun"
    where = (
        f"{machine()} classic, 4 seats, {OPTIONS['rounds']} rounds, bots {CHEAP_BOT}; {half}. "
        f"{count} alternating rounds, samples of {seconds:g} s; median (least-greatest)."
    )
    sheets = [aims(rounds, told.matches), speeds(rounds, told.matches), limits(rounds)]
    show(where, sheets)
    if told.save:
        save(RESULTS, "The referee, measured", where, sheets)


if __name__ == "__main__":
    main()
