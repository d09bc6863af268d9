"""Workers, drivers, a node and the server of the store are killed: the book ends up as if nothing had happened."""

import json
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena import tournaments
from arena.config import parse_config
from arena.crew import InProcess
from arena.job import POOLED
from arena.run import LEASE_SECONDS, Driver
from engine import record
from leaderboard.standings import Standing
from leaderboard.store import Store, open_store
from tests.arena.conftest import SLOW_BOT, Popen
from tests.leaderboard.postgresql import PostgreSQL

FILE = """
name = "{name}"
seed = 7
[format]
rounds = {rounds}
[[variants]]
name = "classic"
players = 3
options = {{ rounds = 2 }}
[[entrants]]
name = "A"
bot = "slow.py:Slow"
[[entrants]]
name = "B"
bot = "random"
[[entrants]]
name = "C"
bot = "aggressor"
[[entrants]]
name = "D"
bot = "random"
"""
MATCHES_A_ROUND = 4 * 3
SLEEP = "0.4"  # in every match of A, and three of four are

Book = tuple[dict[str, bytes], list[Standing]]
Driving = subprocess.Popen[str]


def write(folder: Path, rounds: int, name: str = "open") -> Path:
    (folder / "slow.py").write_text(SLOW_BOT)
    path = folder / f"{name}.toml"
    path.write_text(FILE.format(name=name, rounds=rounds))
    return path


def book(store: Store, name: str = "open") -> Book:
    """The game part of every record, and the standings."""
    tournament = store.tournament(name)
    games = {
        row.fixture_id: record.game_part(record.read(store.record(row.fixture_id).record))
        for row in store.results(tournament.id)
    }
    return games, tournaments.standings(store, tournament)


def undisturbed(folder: Path, file: Path) -> Book:
    with open_store(str(folder / "calm.db")) as store:
        config = parse_config(file.read_text(), file.name)
        made = tournaments.create(store, config, file.read_text(), folder)
        lease = store.take_lease(made.id, "calm", LEASE_SECONDS)
        assert Driver(store, made, config, InProcess(POOLED, "."), lease).run() == "finished"
        return book(store)


def until(holds: Callable[[], Any], seconds: float = 120.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def played(url: str, driver: Driving, least: int) -> None:
    """Waits until so many matches are in the book; the driver is at work."""

    def is_so_far() -> bool:
        assert driver.poll() is None, driver.communicate()
        try:
            with open_store(url, create=False) as store:
                return store.progress(store.tournament("open").id).done >= least
        except Exception:  # not yet there
            return False

    until(is_so_far)


def actors(ancestor: int) -> list[int]:
    """Workers of Ray that descend from a process."""
    parents, names = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            names[int(folder.name)] = (folder / "cmdline").read_bytes()
        except OSError:  # it has just ended
            continue

    def descends(pid: int) -> bool:
        return pid == ancestor or (pid in parents and descends(parents[pid]))

    return [pid for pid, name in names.items() if name.startswith(b"ray::Actor") and descends(pid)]


def kill_a_worker(ancestor: int) -> None:
    until(lambda: actors(ancestor))
    os.kill(actors(ancestor)[0], signal.SIGKILL)


def kill(driver: Driving) -> None:
    driver.kill()
    driver.communicate(timeout=60)


def ended(driver: Driving) -> Any:
    out, errors = driver.communicate(timeout=240)
    assert driver.returncode == 0, errors
    return json.loads(out)


@pytest.fixture
def started(launch: Popen) -> Iterator[Popen]:
    """Drivers that end with the test."""
    made: list[Driving] = []

    def start(*words: object, **more: Any) -> Driving:
        made.append(launch(*words, **more))
        return made[-1]

    yield start
    for driver in made:
        if driver.poll() is None:
            kill(driver)


def test_a_worker_and_the_driver_are_killed(
    started: Popen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, db = write(tmp_path, rounds=3), str(tmp_path / "arena.db")
    calm = undisturbed(tmp_path, file)
    monkeypatch.setenv("SLOW_BOT_SECONDS", SLEEP)
    driver = started("tournament", "run", file, "--workers", 2, "--store", db)
    played(db, driver, 3)
    kill_a_worker(driver.pid)
    played(db, driver, 10)
    kill(driver)
    with sqlite3.connect(db) as connection:  # half a minute later
        connection.execute("UPDATE tournaments SET until = 0")
    monkeypatch.delenv("SLOW_BOT_SECONDS")
    told = ended(started("tournament", "resume", "open", "--workers", 0, "--store", db))
    assert (told["progress"]["done"], told["progress"]["void"]) == (3 * MATCHES_A_ROUND, 0)
    with open_store(db) as store:
        assert book(store) == calm
        assert store.check(all=True) == []


@pytest.fixture
def two_nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A cluster with room for one worker on each node."""
    cluster_utils = pytest.importorskip("ray.cluster_utils")
    monkeypatch.setenv("SLOW_BOT_SECONDS", SLEEP)  # workers have the environment of their node
    cluster = cluster_utils.Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    cluster.add_node(num_cpus=1)
    yield cluster
    cluster.shutdown()


@pytest.mark.soak
def test_everything_is_killed(
    started: Popen, tmp_path: Path, postgresql: PostgreSQL, two_nodes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker, a whole node, the server of the store and the driver, one after the other."""
    file, url = write(tmp_path, rounds=6), postgresql.new()
    joined = ("--workers", 2, "--ray-address", two_nodes.address, "--store", url)
    driver = started("tournament", "run", file, *joined)
    head, second = two_nodes.head_node, next(iter(two_nodes.worker_nodes))
    played(url, driver, 4)
    kill_a_worker(head.all_processes["raylet"][0].process.pid)
    played(url, driver, 12)
    two_nodes.remove_node(second, allow_graceful=False)
    played(url, driver, 20)
    postgresql.stop()
    time.sleep(1.5)
    postgresql.start()
    played(url, driver, 32)
    kill(driver)
    name = url.partition("@/")[2].partition("?")[0]
    postgresql.sql("UPDATE tournaments SET until = 0", database=name)  # half a minute later
    told = ended(started("tournament", "resume", "open", *joined))
    assert (told["progress"]["done"], told["progress"]["void"]) == (6 * MATCHES_A_ROUND, 0)
    monkeypatch.delenv("SLOW_BOT_SECONDS")
    with open_store(url) as store:
        assert book(store) == undisturbed(tmp_path, file)
        assert store.check(all=True) == []


def test_two_drivers_on_one_server(started: Popen, tmp_path: Path, postgresql: PostgreSQL) -> None:
    """Each drives a tournament of its own; they share the ledger."""
    url = postgresql.new()
    names = ("one", "two")
    drivers = [
        started("tournament", "run", write(tmp_path, 3, name), "--workers", 0, "--store", url) for name in names
    ]
    for driver in drivers:
        assert ended(driver)["progress"]["done"] == 3 * MATCHES_A_ROUND
    with open_store(url) as store:
        rows = list(store.ledger())
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        assert sum(row.kind == "result" for row in rows) == 2 * 3 * MATCHES_A_ROUND
        assert store.check(all=True) == []
