"""Measures the pages: `python -m benchmarks.pages [--quick] [--save]`.

A server of its own process, started by the command, answers readers who ask again as soon as they have the answer,
so as many requests as there are readers wait at any time. Each kind of page is measured apart, and a mix of all.
While nothing moves in the store pages are kept; then a third process commits a block of four matches every second
to the tournament that all pages are about, and rates them, as while a tournament is played. The store is full of
matches, with ratings that are made roughly. Only the limit on how often a client may ask is raised.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from multiprocessing.synchronize import Event
from pathlib import Path
from statistics import median, quantiles
from typing import Final, NamedTuple, Self
from urllib.parse import urlsplit

from benchmarks.filled_ratings import rate_roughly
from benchmarks.filled_store import VARIANTS, Filler, make_tournament
from benchmarks.sheets import ROOT, Sheet, machine, save, show
from benchmarks.tournament import postgresql, sqlite
from leaderboard.catching_up import catch_up
from leaderboard.store import Store, Tournament, open_store
from leaderboard.tournament_matches import latest
from leaderboard.web.paths import agent_path, ladder_path, match_path, tournament_path, with_query

RESULTS = ROOT / "benchmarks/results/pages.md"
PLACES: Final[dict[str, Callable[[], AbstractContextManager[str]]]] = {"SQLite": sqlite, "PostgreSQL": postgresql}
AGENTS: Final = 200
READERS: Final = 50
SEED: Final = 1
WHOLE_ROUNDS: Final = 40  # of the matches that are looked at; all others are cut short
WHOLE_BLOCKS: Final = 8
LOOKED_AT: Final = 20  # agents, and matches
ROWS: Final = 50  # of a list of matches
PAUSE_SECONDS: Final = 1.0  # from commit to commit
WARM_UP: Final = 0.5  # of the time that is measured, before it
AIM: Final = 0.150  # seconds, of 99 in 100 answers
BYTES_AIM: Final = 150_000
# What people look at, of a hundred pages.
MIX: Final = {
    "home": 15,
    "ladder": 20,
    "ladder over all": 10,
    "agent": 20,
    "tournament": 10,
    "its matches": 5,
    "match": 10,
    "film": 5,
    "ladder, for programs": 5,
}


class Looked(NamedTuple):
    """What readers saw of a kind of pages."""

    seconds: list[float]  # of each answer
    lasted: float
    cpu: float  # seconds of the server for an answer

    @property
    def p50(self) -> float:
        return median(self.seconds)

    @property
    def p99(self) -> float:
        return quantiles(self.seconds, n=100)[98] if len(self.seconds) > 1 else self.seconds[0]


class Size(NamedTuple):
    raw: int
    packed: int


class Place(NamedTuple):
    """Everything that was measured over a store; by kind of page."""

    first: dict[str, float]  # seconds of the very first look, one after the other
    kept: dict[str, Looked]
    moving: dict[str, Looked]
    sizes: dict[str, Size]  # of the largest page


# The store


def prepare(store: Store, matches: int) -> Tournament:
    found = make_tournament(store, AGENTS, SEED)
    with Filler(store, found, SEED) as filler:
        filler.fill(matches)
    with Filler(store, found, SEED, WHOLE_ROUNDS) as filler:
        filler.add(WHOLE_BLOCKS)
    rate_roughly(store)
    return found


def write_on(url: str, name: str, done: Event) -> None:
    """A process."""
    with open_store(url) as store, Filler(store, store.tournament(name), os.getpid(), WHOLE_ROUNDS) as filler:
        while not done.wait(PAUSE_SECONDS):
            filler.add(1)
            catch_up(store)


@contextmanager
def writing(url: str, name: str) -> Iterator[None]:
    context = multiprocessing.get_context("spawn")
    done = context.Event()
    writer = context.Process(target=write_on, args=(url, name, done))
    writer.start()
    try:
        yield
    finally:
        done.set()
        writer.join()
    assert writer.exitcode == 0


def addresses(store: Store, found: Tournament) -> dict[str, list[str]]:
    """By kind of page."""
    played = [one.id for one in latest(store, found, LOOKED_AT)]
    here, names = tournament_path(found.name), [one.name for one in store.entrants(found.id)][:LOOKED_AT]
    labels = [f"{variant}-4p" for variant in VARIANTS]
    many = store.progress(found.id).done // ROWS
    filters: list[Mapping[str, object]] = [
        *({"page": page} for page in (1, max(1, many // 2), max(1, many))),
        *({"variant": label} for label in labels),
        *({"variant": label, "page": max(1, many // 4)} for label in labels),
        *({"entrant": name} for name in names[:4]),
        *({"entrant": name, "page": max(1, many // AGENTS)} for name in names[:4]),
        {"entrant": names[0], "variant": labels[0], "state": "done"},
        {"state": "open"},
    ]
    return {
        "home": ["/"],
        "ladder": [ladder_path(name) for name in VARIANTS],
        "ladder over all": [ladder_path("all"), with_query(ladder_path("all"), {"sort": "wins", "page": 2})],
        "agent": [agent_path(name) for name in names],
        "tournament": [here],
        "its matches": [with_query(f"{here}/matches", one) for one in filters],
        "match": [match_path(one) for one in played],
        "film": [f"{match_path(one)}/film.json" for one in played],
        "ladder, for programs": [f"/api/v1{ladder_path(name)}" for name in (*VARIANTS, "all")],
    }


# The server, and those who ask it


class Server:
    def __init__(self, url: str) -> None:
        words = [
            "leaderboard",
            "serve",
            "--store",
            url,
            "--port",
            "0",
            "--rate",
            "1000000",
            "--no-rater",
            "--json",
        ]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "arena", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.port = urlsplit(json.loads(self.process.stdout.readline())["address"]).port

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.communicate()

    def cpu(self) -> float:
        """Seconds so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Reader:
    """One connection, which is kept."""

    def __init__(self, stream: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.stream = stream
        self.writer = writer

    @classmethod
    async def dial(cls, port: int | None) -> Self:
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def get(self, path: str, encoding: str = "gzip") -> int:
        """The size of the body."""
        self.writer.write(f"GET {path} HTTP/1.1\r\nhost: arena\r\naccept-encoding: {encoding}\r\n\r\n".encode())
        head = (await self.stream.readuntil(b"\r\n\r\n")).lower()
        size = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
        body = await self.stream.readexactly(size)
        assert head.startswith(b"http/1.1 200"), (path, body)
        return size


async def look(server: Server, draw: Callable[[], str], readers: int, seconds: float) -> Looked:
    """What is asked at first is not counted: pages that nobody has asked for lately are made then."""
    found: list[float] = []
    answers = 0

    async def ask(reader: Reader) -> None:
        nonlocal answers
        asked = 0.0
        while asked < begins + seconds:  # so one answer is counted, however slow it is
            asked = time.perf_counter()
            await reader.get(draw())
            answers += 1
            if asked >= begins:
                found.append(time.perf_counter() - asked)
        reader.writer.close()

    connected = [await Reader.dial(server.port) for _ in range(readers)]
    begins, cpu = time.perf_counter() + WARM_UP * seconds, server.cpu()
    await asyncio.gather(*(ask(reader) for reader in connected))
    return Looked(found, time.perf_counter() - begins, (server.cpu() - cpu) / answers)


def look_at_all(server: Server, paths: dict[str, list[str]], readers: int, seconds: float) -> dict[str, Looked]:
    """Each kind apart, then the mix."""
    below, kinds, weights = random.Random(SEED), list(MIX), list(MIX.values())
    draws: dict[str, Callable[[], str]] = {kind: partial(below.choice, mine) for kind, mine in paths.items()}
    draws["all of them, mixed"] = lambda: below.choice(paths[below.choices(kinds, weights)[0]])
    return {kind: asyncio.run(look(server, draw, readers, seconds)) for kind, draw in draws.items()}


async def look_first(server: Server, paths: dict[str, list[str]]) -> dict[str, float]:
    reader, found = await Reader.dial(server.port), {}
    for kind, (path, *_) in paths.items():
        began = time.perf_counter()
        await reader.get(path)
        found[kind] = time.perf_counter() - began
    reader.writer.close()
    return found


async def measure_sizes(server: Server, paths: dict[str, list[str]]) -> dict[str, Size]:
    reader, found = await Reader.dial(server.port), {}
    for kind, mine in paths.items():
        sizes = [Size(await reader.get(path, "identity"), await reader.get(path)) for path in mine]
        found[kind] = max(sizes)
    reader.writer.close()
    return found


def measure(url: str, name: str, readers: int, seconds: float) -> Place:
    """Of a store that is prepared."""
    with open_store(url) as store:
        paths = addresses(store, store.tournament(name))
    with Server(url) as server:
        first = asyncio.run(look_first(server, paths))
        sizes = asyncio.run(measure_sizes(server, paths))
        kept = look_at_all(server, paths, readers, seconds)
        with writing(url, name):
            moving = look_at_all(server, paths, readers, seconds)
    return Place(first, kept, moving, sizes)


def measure_place(
    place: Callable[[], AbstractContextManager[str]], matches: int, told: argparse.Namespace
) -> Place:
    with place() as url:
        with open_store(url) as store:
            name = prepare(store, matches).name
        return measure(url, name, told.readers, told.seconds)


# What is shown


def speeds(title: str, looked: dict[str, Looked]) -> Sheet:
    rows = [
        [
            kind,
            f"{len(one.seconds) / one.lasted:,.0f}",
            *(f"{value * 1e3:,.1f}" for value in (one.p50, one.p99, one.cpu)),
            "met" if one.p99 < AIM else "missed",
        ]
        for kind, one in looked.items()
    ]
    head = ["", "a second", "p50, ms", "p99, ms", "CPU, ms", f"p99 under {AIM * 1e3:.0f} ms"]
    return Sheet(title, head, rows)


def sizes_sheet(sizes: dict[str, Size]) -> Sheet:
    rows = [
        [kind, f"{one.raw / 1e3:,.1f}", f"{one.packed / 1e3:,.1f}", "met" if one.packed < BYTES_AIM else "missed"]
        for kind, one in sizes.items()
    ]
    return Sheet(
        "Size of the largest page, in KB", ["", "plain", "gzip", f"gzip under {BYTES_AIM // 1000} KB"], rows
    )


def firsts(places: dict[str, Place]) -> Sheet:
    kinds = next(iter(places.values())).first
    rows = [[kind, *(f"{place.first[kind] * 1e3:,.0f}" for place in places.values())] for kind in kinds]
    return Sheet("The first look of a single reader after the start, in ms", ["", *places], rows)


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Measure how fast pages are.")
    parser.add_argument("--matches", type=int, default=100_000, help="in the store")
    parser.add_argument("--readers", type=int, default=READERS)
    parser.add_argument("--seconds", type=float, default=10.0, help="for each kind of page")
    parser.add_argument("--quick", action="store_true", help="a small store, for a first look")
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.relative_to(ROOT)}")
    told = parser.parse_args(argv)
    matches, told.seconds = (
        (min(told.matches, 2_000), min(told.seconds, 1.0)) if told.quick else (told.matches, told.seconds)
    )
    places = {name: measure_place(place, matches, told) for name, place in PLACES.items()}
    where = f"{machine()} {AGENTS} agents, {matches:,} matches; {told.readers} readers, {told.seconds:g} s each."
    sheets = []
    for name, place in places.items():
        sheets += [speeds(f"{name}, nothing moves", place.kept), speeds(f"{name}, a block a second", place.moving)]
    sheets += [firsts(places), sizes_sheet(places["SQLite"].sizes)]
    show(where, sheets)
    if told.save:
        save(RESULTS, "Pages, measured", where, sheets)


if __name__ == "__main__":
    main()
