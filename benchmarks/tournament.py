"""Measures tournaments: `python -m benchmarks.tournament [--quick] [--save]`.

The same matches are played by two plain processes, which keep nothing, and by a tournament on two workers of Ray,
which is written into an SQLite store; every round does both, one after the other. What the store and the memory of
the driver cost is measured with workers that report a canned match at once. The medians of all rounds are shown
with the least and the greatest value; starting processes counts nowhere.
"""

import argparse
import multiprocessing
import secrets
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple, cast

from arena import tournaments
from arena.cluster import RayCrew
from arena.config import TournamentConfig, parse_config
from arena.crew import LOTS_OUTSTANDING, Crew, News, Report
from arena.formats import Pairing
from arena.job import POOLED, Job, Outcome
from arena.run import LEASE_SECONDS, Driver
from arena.seating import make_block, match_keys, seeded_key
from arena.worker import play_here
from benchmarks.sheets import ROOT, Sheet, machine, save, show, spread
from leaderboard.store import Store, open_store
from tests.leaderboard.postgresql import PostgreSQL

RESULTS = ROOT / "benchmarks/results/tournament.md"
WORKERS: Final = 2
PLAYERS: Final = 4
ENTRANTS: Final = 12
BOT: Final = "aggressor"
WARM_UP: Final = 20  # matches
AIM, STORE_AIM, MEMORY_AIM = 0.9, 0.05, 1.2


class Measured(NamedTuple):
    """A tournament; everything in seconds, the store's by everything the driver asked of it."""

    matches: int
    seconds: float
    cpu: float
    store: float


class Round(NamedTuple):
    plain: float  # matches a second
    ray: Measured

    @property
    def speed(self) -> float:
        return self.ray.matches / self.ray.seconds

    @property
    def ratio(self) -> float:
        return self.speed / self.plain


def config_of(matches: int) -> tuple[str, TournamentConfig]:
    text = (
        f'name = "bench-{secrets.token_hex(4)}"\nseed = 1\n[format]\nblocks = {matches // PLAYERS}\n'
        f'[[variants]]\nname = "classic"\nplayers = {PLAYERS}\n'
    ) + "".join(f'[[entrants]]\nname = "{BOT} {number}"\nbot = "{BOT}"\n' for number in range(ENTRANTS))
    return text, parse_config(text, "the benchmark's file")


# Two plain processes


def jobs(matches: int) -> list[Job]:
    """Like those of a tournament."""
    _, config = config_of(matches)
    key, made = seeded_key(1), []
    for number in range(matches // PLAYERS):
        pairing = Pairing(1, number, tuple((number + seat) % ENTRANTS for seat in range(PLAYERS)))
        for fixture in make_block("plain", pairing, config.variants[0]).fixtures:
            names = tuple(f"{BOT} {entrant}" for entrant in fixture.seats)
            keys = match_keys(key, fixture.id, fixture.block_id)
            made.append(Job(fixture.id, 1, "classic", {}, names, (BOT,) * PLAYERS, keys, "60+0.1/5"))
    return made


def play_all(lot: list[Job]) -> float:
    """When it was done."""
    for job in lot:
        assert not play_here(job).error
    return time.monotonic()


def measure_plain(matches: int) -> float:
    every = jobs(matches)
    with ProcessPoolExecutor(WORKERS, multiprocessing.get_context("spawn")) as pool:
        list(pool.map(play_all, [every[:WARM_UP]] * WORKERS))  # both are there, and warm
        began = time.monotonic()
        ended = max(pool.map(play_all, [every[start::WORKERS] for start in range(WORKERS)]))
    return matches / (ended - began)


# A tournament


class Timed:
    """A store that knows how long it was at work."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.seconds = 0.0

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.store, name)
        return self.timed(value) if callable(value) else value

    def timed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def measured(*arguments: Any, **more: Any) -> Any:
            began = time.perf_counter()
            value = call(*arguments, **more)
            self.seconds += time.perf_counter() - began
            return self.steps(value) if isinstance(value, Iterator) else value

        return measured

    def steps(self, rows: Iterator[Any]) -> Iterator[Any]:
        step = self.timed(lambda: next(rows, None))
        while (row := step()) is not None:
            yield row


class Canned:
    """Workers that have played already: the same match, whatever is asked for."""

    workers = 1

    def __init__(self) -> None:
        (job, *_) = jobs(PLAYERS)
        self.outcome: Outcome = play_here(job._replace(options={"rounds": 10}))
        self.lots: list[tuple[str, int, list[Job]]] = []

    def idle(self) -> list[str]:
        return ["canned"] * (LOTS_OUTSTANDING - len(self.lots))

    def send(self, worker: str, lot: int, jobs: list[Job]) -> None:
        self.lots.append((worker, lot, jobs))

    def wait(self, seconds: float) -> list[News]:
        sent, self.lots = self.lots, []
        return [
            Report(
                worker,
                lot,
                [self.outcome._replace(fixture=job.fixture, attempt=job.attempt) for job in jobs],
                True,
            )
            for worker, lot, jobs in sent
        ]

    def close(self) -> None:
        pass


def drive(url: str, matches: int, crew: Crew) -> Measured:
    with open_store(url) as opened:
        text, config = config_of(matches)
        made = tournaments.create(opened, config, text, Path())
        timed = Timed(opened)
        lease = opened.take_lease(made.id, "the benchmark", LEASE_SECONDS)
        began, cpu = time.perf_counter(), time.process_time()
        driver = Driver(cast(Store, timed), made, config, crew, lease)
        assert driver.run() == "finished"
        lasted, used = time.perf_counter() - began, time.process_time() - cpu
        assert driver.done == matches, f"{driver.done} of {matches} matches: {list(driver.warnings)}"
    return Measured(matches, lasted, used, timed.seconds)


@contextmanager
def sqlite() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        yield f"sqlite:///{folder}/arena.db"


@contextmanager
def postgresql() -> Iterator[str]:
    """A server like that of the tests."""
    server = PostgreSQL()
    try:
        yield server.new()
    finally:
        server.end()


def measure_ray(matches: int) -> Measured:
    with sqlite() as url:
        crew = RayCrew(WORKERS, POOLED, ".")
        try:
            while len(set(crew.idle())) < WORKERS:
                crew.wait(0.1)
            for lot, worker in enumerate(sorted(set(crew.idle()))):
                crew.send(worker, lot, jobs(min(matches, WARM_UP)))
            while len(crew.idle()) < WORKERS * LOTS_OUTSTANDING:
                crew.wait(0.1)  # warm, too
            return drive(url, matches, crew)
        finally:
            crew.close()


def measure_store(matches: int, place: Callable[[], AbstractContextManager[str]]) -> float:
    """Seconds for 1,000 results."""
    with place() as url:
        measured = drive(url, matches, Canned())
    return measured.store / matches * 1000


# Memory


def peak() -> float:
    """What this process has held at once, in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    (line,) = [line for line in lines if line.startswith("VmHWM:")]
    return int(line.split()[1]) / 1000


def hold(matches: int) -> float:
    with sqlite() as url:
        drive(url, matches, Canned())
    return peak()


def measure_memory(sizes: list[int]) -> list[float]:
    """Each in a process of its own."""
    context = multiprocessing.get_context("spawn")
    peaks = []
    for size in sizes:
        with ProcessPoolExecutor(1, context) as pool:
            peaks.append(pool.submit(hold, size).result())
    return peaks


# What is shown


def speeds(rounds: list[Round]) -> Sheet:
    rows = [
        ["two plain processes, matches a second", spread([one.plain for one in rounds])],
        ["a tournament on Ray, matches a second", spread([one.speed for one in rounds])],
        ["ratio", spread([one.ratio for one in rounds], ".3f")],
        ["CPU of the driver, of its time", spread([one.ray.cpu / one.ray.seconds for one in rounds], ".1%")],
        ["the store, of its time", spread([one.ray.store / one.ray.seconds for one in rounds], ".1%")],
    ]
    return Sheet(f"{rounds[0].ray.matches:,} matches", ["", "measured"], rows)


def aims(rounds: list[Round], peaks: list[float]) -> Sheet:
    ratio = [one.ratio for one in rounds]
    store = [one.ray.store / one.ray.seconds for one in rounds]
    growth = peaks[-1] / peaks[0]
    rows = [
        ["Ray to plain processes", f"{AIM}", spread(ratio, ".3f"), median(ratio) >= AIM],
        ["store, of the time", f"{STORE_AIM:.0%}", spread(store, ".1%"), median(store) < STORE_AIM],
        ["memory with ten times the fixtures", f"{MEMORY_AIM}", f"{growth:.2f}", growth < MEMORY_AIM],
    ]
    told = [[str(cell) for cell in row[:3]] + ["met" if row[3] else "missed"] for row in rows]
    return Sheet("Aims", ["", "aim", "measured", ""], told)


def stores(by_store: dict[str, list[float]]) -> Sheet:
    rows = [[name, spread([value * 1e3 for value in values])] for name, values in by_store.items()]
    return Sheet("The store: milliseconds for 1,000 results of 10-round matches", ["", "ms"], rows)


def memories(sizes: list[int], peaks: list[float]) -> Sheet:
    rows = [[f"{size:,} fixtures", f"{value:.1f}"] for size, value in zip(sizes, peaks, strict=True)]
    return Sheet("The driver: most memory that it held, in MB", ["", "MB"], rows)


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Measure tournaments beside plain processes.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--matches", type=int, default=10_000, help="of each sample")
    parser.add_argument("--stored", type=int, default=5_000, help="results, to measure a store")
    parser.add_argument("--fixtures", type=int, nargs=2, default=[10_000, 100_000], help="to measure the memory")
    parser.add_argument("--quick", action="store_true", help="one small round, for a first look")
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.relative_to(ROOT)}")
    told = parser.parse_args(argv)
    count, matches, stored = told.rounds, told.matches, told.stored
    if told.quick:
        count, matches, stored = 1, min(matches, 1_000), min(stored, 1_000)
    rounds: list[Round] = []
    by_store: dict[str, list[float]] = {}
    for number in range(count):
        rounds.append(Round(measure_plain(matches), measure_ray(matches)))
        for name, place in {"SQLite": sqlite, "PostgreSQL": postgresql}.items():
            by_store.setdefault(name, []).append(measure_store(stored, place))
        print(f"round {number + 1} of {count}", flush=True)
    peaks = measure_memory(told.fixtures)
    where = (
        f"{machine()} classic, {PLAYERS} players, all {BOT}; {count} alternating rounds, median (least-greatest)."
    )
    sheets = [aims(rounds, peaks), speeds(rounds), stores(by_store), memories(told.fixtures, peaks)]
    show(where, sheets)
    if told.save:
        save(RESULTS, "Tournaments, measured", where, sheets)


if __name__ == "__main__":
    main()
