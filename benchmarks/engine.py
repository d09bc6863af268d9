"""Measures the engine: `make bench`, or `python -m benchmarks.engine [--quick] [--save]`.

Two workers stay alive, one with the compiled engine and one that runs its sources. Every round asks each of
them for every measurement in turn, so that a noisy minute falls on both; a ratio is taken within a round, and
the medians of all rounds are shown with the least and the greatest value.
"""

import argparse
import importlib.util
import json
import os
import pickle
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any, NamedTuple

import engine
from arena.matches import play, series
from benchmarks import tight_loop
from benchmarks.sheets import ROOT, Sheet, machine, save, show, spread
from engine import record
from engine.chance import Chance, seeded_keys
from engine.playout import STREAM_OF, Overmatch, Policy, Uniform, play_out
from engine.rules.boards.board import Board
from engine.rules.choices import ATTACK, HIGH_MASK, LOW_SHIFT, SOURCE_SHIFT, TARGET_SHIFT, VERB_SHIFT
from engine.rules.ruleset import Ruleset
from engine.rules.state import AUDIENCE, CHANCE, SEAT_SHIFT, State
from engine.rules.variants import ruleset
from sdk.local import load_bot

RESULTS = ROOT / "benchmarks/results/engine.md"
COMPILED, INTERPRETED = "compiled", "interpreted"
AIMS = {COMPILED: 1_000_000, INTERPRETED: 150_000}
PLAYERS = (3, 6)
ROUND_LIMITS = {"uniform": 20, "overmatch": 100}  # uniform play practically never ends by itself
TIGHT = "tight loop"
MID_GAME = 900  # actions before the position that is cloned, digested and weighed
WEIGHED_MATCHES = 20
MATCHES = {"uniform": 40, "overmatch": 10}  # a sample plays all of these, as often as its time allows
QUICK_MATCHES = {"uniform": 5, "overmatch": 2}


class PlainUniform(Policy):
    """Any option, any amount: a bot as its author writes it, interpreted in both modes."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed).random

    def choose(self, r: Ruleset, s: State, seat: int, codes: list[int]) -> tuple[int, int]:
        index = int(self.random() * len(codes))
        low, high = codes[index] >> LOW_SHIFT & 255, codes[index] & HIGH_MASK
        return index, low if low == high else low + int(self.random() * (high - low + 1))


class PlainOvermatch(PlainUniform):
    """Attacks only with more armies than the target, always with all it has; interpreted in both modes."""

    def choose(self, r: Ruleset, s: State, seat: int, codes: list[int]) -> tuple[int, int]:
        choices = list(range(len(codes)))
        if codes[-1] >> VERB_SHIFT == ATTACK:
            armies = s.armies
            choices = [
                index
                for index in range(1, len(codes))
                if armies[codes[index] >> SOURCE_SHIFT & 127] > armies[codes[index] >> TARGET_SHIFT & 127]
            ]
            if not choices:
                return 0, 0
        index = choices[int(self.random() * len(choices))]
        return index, codes[index] & HIGH_MASK


PolicyMaker = Callable[[int], Policy]
POLICIES: dict[str, PolicyMaker] = {"uniform": Uniform, "overmatch": Overmatch}
PLAIN_POLICIES: dict[str, PolicyMaker] = {"uniform": PlainUniform, "overmatch": PlainOvermatch}


class Job(NamedTuple):
    """One measurement; `policy` and `seats` do not matter to all of them."""

    what: str
    policy: str = "uniform"
    seats: int = 3


class Sample(NamedTuple):
    """What a worker did: matches (or calls) and decisions, in so many seconds."""

    times: int
    decisions: int
    seconds: float

    @property
    def speed(self) -> float:
        return self.decisions / self.seconds

    @property
    def rate(self) -> float:
        return self.times / self.seconds


# What is compared stands side by side, so that it is measured in the same moment.
JOBS = [
    *[Job(what, "uniform", seats) for seats in PLAYERS for what in ("play_out", TIGHT, "driver")],
    *[Job(what, "overmatch", seats) for seats in PLAYERS for what in ("play_out", "driver")],
    Job("clone"),
    Job("digest"),
]


def drive(r: Ruleset, s: State, policies: list[Policy], chance: Chance) -> int:
    """The loop of `play_out` as a user of the public API writes it: never compiled."""
    codes: list[int] = []
    decisions = 0
    while s.agenda:
        seat = (s.agenda[-1] >> SEAT_SHIFT & 15) - 1
        r.options(s, seat, codes)
        if seat == CHANCE:
            code = codes[0]
            amount = chance.roll(STREAM_OF[code >> VERB_SHIFT], (code & HIGH_MASK) + 1)
        else:
            index, amount = policies[seat].choose(r, s, seat, codes)
            code = codes[index]
            if len(codes) > 1 or code >> LOW_SHIFT & 255 != code & HIGH_MASK:
                decisions += 1
        r.apply(s, seat, code, amount)
    return decisions


def world(board: Board) -> tight_loop.World:
    return tight_loop.World(
        board.neighbours, board.region_of, board.region_size, board.region_bonus, board.symbols
    )


def mid_game() -> tuple[Ruleset, State]:
    r = ruleset("classic", 6)
    s = r.new()
    play_out(r, s, [Overmatch(seat) for seat in range(6)], Chance(*seeded_keys(1)), most=MID_GAME)
    return r, s


def match_of(job: Job, loop: ModuleType) -> Callable[[int], int]:
    """A function that plays the match with this seed and gives its number of decisions."""
    seats = job.seats
    r = ruleset("classic", seats, {"rounds": ROUND_LIMITS[job.policy]})
    if job.what == TIGHT:
        tables = loop.World(*world(r.board))
        play: Callable[..., tight_loop.Result] = loop.play
        return lambda seed: play(tables, seats, r.rounds, random.Random(seed)).decisions
    match_loop, make = (
        (play_out, POLICIES[job.policy]) if job.what == "play_out" else (drive, PLAIN_POLICIES[job.policy])
    )
    return lambda seed: match_loop(
        r, r.new(), [make(seed * 8 + seat) for seat in range(seats)], Chance(*seeded_keys(seed))
    )


def measure(job: Job, matches: int, seconds: float, loop: ModuleType) -> Sample:
    """Does the job again and again for that long; always whole sets of the same matches, so modes compare."""
    times = decisions = 0
    if job.what in ("clone", "digest"):
        _, s = mid_game()
        call: Callable[[], object] = s.clone if job.what == "clone" else s.digest
        begin = time.perf_counter()
        while times == 0 or time.perf_counter() - begin < seconds:
            for _ in range(100):
                call()
            times += 100
    else:
        match = match_of(job, loop)
        begin = time.perf_counter()
        while times == 0 or time.perf_counter() - begin < seconds:
            for seed in range(matches):
                decisions += match(seed)
            times += matches
    return Sample(times, decisions, time.perf_counter() - begin)


def load_loop(path: str) -> ModuleType:
    """The tight loop, from its source or from a binary that mypyc made of it."""
    if not path:
        return tight_loop
    spec = importlib.util.spec_from_file_location("tight_loop", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["tight_loop"] = module
    spec.loader.exec_module(module)
    return module


def work(loop_path: str) -> None:
    """A worker: a line with a job in, a line with its sample out."""
    loop = load_loop(loop_path)
    print(engine.MODE, flush=True)
    for line in sys.stdin:
        what, policy, seats, matches, seconds = json.loads(line)
        print(json.dumps(measure(Job(what, policy, seats), matches, seconds, loop)), flush=True)


class Worker:
    """A process that measures in one mode."""

    def __init__(self, mode: str, loop_path: str) -> None:
        settings = os.environ | {"ARENA_INTERPRETED": "1" if mode == INTERPRETED else "0"}
        command = [sys.executable, "-m", "benchmarks.engine", "--worker", f"--loop={loop_path}"]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=settings, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.mode = self.answer()

    def answer(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("benchmarks: a worker has ended; its message stands above")
        return line.strip()

    def measure(self, job: Job, matches: int, seconds: float) -> Sample:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([*job, matches, seconds]) + "\n")
        self.process.stdin.flush()
        return Sample(*json.loads(self.answer()))

    def close(self) -> None:
        self.process.communicate()


def compile_loop(folder: Path) -> str:
    """The path of the tight loop as a C extension, or "" if it cannot be made here."""
    shutil.copy(Path(tight_loop.__file__), folder)
    settings = os.environ | {"MYPYC_OPT_LEVEL": "3", "MYPYC_DEBUG_LEVEL": "0"}
    command = [sys.executable, "-m", "mypyc", "tight_loop.py"]
    made = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True)
    found = [str(path) for path in folder.glob("tight_loop.*") if path.suffix in (".so", ".pyd")]
    if made.returncode == 0 and found:
        return found[0]
    said = [line for line in (made.stdout + made.stderr).splitlines() if "rror: " in line]
    reason = said[0][:200] if said else "no binary was made"
    print(f"The tight loop is measured interpreted only; mypyc: {reason}", file=sys.stderr)
    return ""


Samples = dict[tuple[str, Job], list[Sample]]


def measure_all(workers: list[Worker], rounds: int, matches: dict[str, int], seconds: float) -> Samples:
    """All jobs in all modes, alternating; a round before the first is for warming up and does not count."""
    samples: Samples = {(worker.mode, job): [] for worker in workers for job in JOBS}
    for round_number in range(rounds + 1):
        for job in JOBS:
            for worker in workers:
                if round_number == 0:
                    worker.measure(job, 1, seconds / 8)
                else:
                    samples[worker.mode, job].append(worker.measure(job, matches[job.policy], seconds))
    return samples


def own_bytes(value: object, known: set[int]) -> int:
    """Rough memory of a value and all it holds, each object once; small ints are shared by everybody."""
    if id(value) in known or value is None or (isinstance(value, int) and -5 <= value <= 256):
        return 0
    known.add(id(value))
    total = sys.getsizeof(value)
    if isinstance(value, list | tuple):
        total += sum(own_bytes(item, known) for item in value)
    return total


def record_bytes(seats: int) -> list[int]:
    """The record files of matches of the built-in bots, taking turns."""
    bots = [load_bot(name) for name in ("strategist", "aggressor", "cautious")]
    sizes: list[int] = []
    for fixture in series("classic", {}, [bots[seat % len(bots)] for seat in range(seats)], WEIGHED_MATCHES, 1):
        sizes.append(len(record.write(play(fixture).record)))
    return sizes


def ratio(over: list[Sample], under: list[Sample]) -> str:
    """How many times as many decisions a second, round by round."""
    return spread([one.speed / two.speed for one, two in zip(over, under, strict=True)], ".2f")


def speeds(samples: Samples, modes: list[str]) -> Sheet:
    head = ["classic, one core", "seats"]
    for mode in modes:
        head += [f"{mode}: decisions/s", "matches/s"]
    if len(modes) > 1:
        head.append(f"{modes[0]} : {modes[1]}")
    rows: list[list[str]] = []
    for job in JOBS:
        if job.what in ("clone", "digest"):
            continue
        limit = ROUND_LIMITS[job.policy]
        row = [f"{job.what}, {job.policy}, {limit} rounds at most", str(job.seats)]
        for mode in modes:
            taken = samples.get((mode, job), [])
            row.append(spread([one.speed for one in taken]) if taken else "-")
            row.append(format(median([one.rate for one in taken]), ",.0f") if taken else "-")
        if len(modes) > 1:
            there = (modes[0], job) in samples
            row.append(ratio(samples[modes[0], job], samples[modes[1], job]) if there else "-")
        rows.append(row)
    return Sheet("Decisions a second", head, rows)


def ratios(samples: Samples, modes: list[str], loop_compiled: bool) -> Sheet:
    """Uniform play through the engine over the same play in the tight loop."""
    rows: list[list[str]] = []
    for mode in modes:
        for seats in PLAYERS:
            for what in ("play_out", "driver"):
                over = samples[mode, Job(what, "uniform", seats)]
                row = [f"{what}, {mode}, {seats} seats"]
                row.append(ratio(over, samples[INTERPRETED, Job(TIGHT, "uniform", seats)]))
                if loop_compiled:
                    row.append(ratio(over, samples[COMPILED, Job(TIGHT, "uniform", seats)]))
                rows.append(row)
    head = ["decisions a second, over those of", "the plain Python loop"]
    return Sheet("Ratio to the tight loop", head + ["the same by mypyc"] * loop_compiled, rows)


def costs(samples: Samples, modes: list[str]) -> Sheet:
    rows = [
        [f"{what}(), microseconds"]
        + [spread([1e6 / one.rate for one in samples[mode, Job(what)]], ".2f") for mode in modes]
        for what in ("clone", "digest")
    ]
    return Sheet("Cost of a copy and of a digest (6 seats, mid-game)", ["", *modes], rows)


def sizes() -> Sheet:
    _, s = mid_game()
    fields: list[Any] = [getattr(s, name) for name in AUDIENCE]
    known: set[int] = set()
    whole = sys.getsizeof(s) + sum(own_bytes(value, known) for value in fields)
    own = sys.getsizeof(s) + sum(sys.getsizeof(value) for value in fields if isinstance(value, list))
    rows = [
        ["state, canonical layout", f"{len(s.layout()):,}"],
        ["state, pickled", f"{len(pickle.dumps(s, pickle.HIGHEST_PROTOCOL)):,}"],
        ["state, memory (about)", f"{whole:,}"],
        ["what one more clone adds (about)", f"{own:,}"],
    ]
    for seats in PLAYERS:
        rows.append([f"record file, built-in bots, {seats} seats", spread([*map(float, record_bytes(seats))])])
    return Sheet("Bytes", ["", "bytes"], rows)


def aims(samples: Samples, modes: list[str]) -> Sheet:
    """The slowest of the four settings through play_out against the aim."""
    rows: list[list[str]] = []
    for mode in modes:
        slowest = min(
            (median([one.speed for one in taken]), f"{job.policy}, {job.seats} seats")
            for (of, job), taken in samples.items()
            if of == mode and job.what == "play_out"
        )
        met = "met" if slowest[0] >= AIMS[mode] else "missed"
        rows.append([mode, f"{AIMS[mode]:,}", f"{slowest[0]:,.0f} ({slowest[1]})", met])
    return Sheet("Aims", ["decisions a second, play_out", "aim", "slowest setting", ""], rows)


def run(rounds: int, matches: dict[str, int], seconds: float, with_mypyc: bool) -> tuple[str, list[Sheet]]:
    """Measures everything; where and how it was done, and the tables."""
    with tempfile.TemporaryDirectory() as folder:
        loop_path = compile_loop(Path(folder)) if with_mypyc else ""
        workers = [Worker(INTERPRETED, "")]
        if engine.MODE == COMPILED:
            workers.insert(0, Worker(COMPILED, loop_path))
        where = (
            f"{machine()} {rounds} alternating rounds, samples of {seconds:g} s or more; median (least-greatest)."
        )
        try:
            samples = measure_all(workers, rounds, matches, seconds)
        finally:
            for worker in workers:
                worker.close()
    modes = [worker.mode for worker in workers]
    loop_compiled = loop_path != "" and COMPILED in modes
    if not loop_compiled:  # that worker ran the source of the loop
        for seats in PLAYERS:
            samples.pop((COMPILED, Job(TIGHT, "uniform", seats)), None)
    sheets = [
        aims(samples, modes),
        speeds(samples, modes),
        ratios(samples, modes, loop_compiled),
        costs(samples, modes),
        sizes(),
    ]
    return where, sheets


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description="Measures the engine.")
    parser.add_argument("--quick", action="store_true", help="short measurements: a first look")
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.relative_to(ROOT)} too")
    parser.add_argument("--rounds", type=int, default=7, help="alternating rounds (default %(default)s)")
    parser.add_argument("--seconds", type=float, help="least length of one sample (default 0.3, quick 0.05)")
    parser.add_argument("--no-mypyc", action="store_true", help="do not compile the tight loop")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--loop", default="", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.worker:
        work(given.loop)
        return
    if given.rounds < 1:
        parser.error("--rounds must be 1 or more")
    seconds = given.seconds if given.seconds is not None else 0.05 if given.quick else 0.3
    matches = QUICK_MATCHES if given.quick else MATCHES
    where, sheets = run(given.rounds, matches, seconds, not given.no_mypyc)
    show(where, sheets)
    if engine.MODE != COMPILED:
        print("The engine is not compiled here: run make compile to measure that too.")
    if given.save:
        save(RESULTS, "The engine, measured", where, sheets)


if __name__ == "__main__":
    main()
