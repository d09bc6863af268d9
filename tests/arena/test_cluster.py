"""Workers on a real Ray cluster: lots come back, a worker that is killed or stopped is replaced."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE

import pytest

from arena import cluster, tournaments
from arena.cluster import ClusterError, RayCrew
from arena.config import parse_config
from arena.crew import Lost, News, Report
from arena.job import POOLED
from arena.run import LEASE_SECONDS, Driver, Snapshot
from leaderboard.store import open_store
from tests.arena.conftest import SLOW_BOT
from tests.arena.test_worker import job, wait_until

FILE = """
name = "late"
format = { rounds = 3 }
variants = [{ name = "classic", players = 3, options = { rounds = 2 } }]
""" + "".join(f'[[entrants]]\nname = "{name}"\nbot = "slow.py:Slow"\n' for name in "ABCDEF")

HEAD = """
import ray
cluster = ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
print(cluster.address_info["gcs_address"], flush=True)
input()
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Of a cluster that another process starts: Ray forks, and this one may have threads."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "disabled")  # whatever token this user has
        patch.setenv("SLOW_BOT_SECONDS", "0.02")  # workers have the environment of their node
        head = subprocess.Popen([sys.executable, "-c", HEAD], stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True)
        assert head.stdout is not None
        told = head.stdout.readline()
        if not told:
            pytest.fail(head.communicate()[1])
        yield told.strip()
        head.communicate("\n")


@pytest.fixture
def crew(address: str) -> Iterator[RayCrew]:
    made = RayCrew(2, POOLED, ".", address)
    yield made
    made.close()


def wait_for(crew: RayCrew, kind: type[News], seconds: float = 60.0) -> list[News]:
    """All news up to the first of a kind."""
    heard: list[News] = []
    deadline = time.monotonic() + seconds
    while not any(isinstance(news, kind) for news in heard):
        assert time.monotonic() < deadline
        heard += crew.wait(0.5)
    return heard


def ready(crew: RayCrew) -> list[str]:
    while len(set(crew.idle())) < 2:
        assert not crew.wait(0.5)
    return crew.idle()


def test_lots_come_back_and_a_killed_worker_is_replaced(crew: RayCrew) -> None:
    one, two = sorted(set(ready(crew)))
    assert len(crew.idle()) == 4
    crew.send(one, 1, [job(number, "random", "random", "random") for number in range(5)])
    outcomes: list[str] = []
    while (last := wait_for(crew, Report))[-1:] and not last[-1].is_last:  # type: ignore[union-attr]
        outcomes += [outcome.fixture for outcome in last[-1].outcomes]  # type: ignore[union-attr]
    assert sorted(outcomes) == [f"fixture-{number}" for number in range(5)]

    crew.send(two, 2, [job(number, "random", "random", "random", rounds=100) for number in range(100)])
    os.kill(crew.members[two].pid, signal.SIGKILL)
    (lost,) = [news for news in wait_for(crew, Lost) if isinstance(news, Lost)]
    assert lost.worker == two
    assert two not in ready(crew)


def test_workers_leave_no_folders_behind(crew: RayCrew, tmp_path: Path) -> None:
    note = tmp_path / "server"
    bot = f"cmd:sh -c 'echo $ARENA_SERVER > {note}; exec {sys.executable} -m arena bot run random'"
    crew.send(ready(crew)[0], 1, [job(1, "random", bot, "random")])
    wait_for(crew, Report)
    folder = Path(note.read_text().strip().removeprefix("unix:")).parent
    assert folder.is_dir()
    crew.close()
    wait_until(lambda: not folder.exists())


def test_a_worker_that_is_stopped_is_given_up(crew: RayCrew, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SILENT_SECONDS", 3.0)
    monkeypatch.setattr(cluster, "BEAT_SECONDS", 0.2)
    name = ready(crew)[0]
    pid = crew.members[name].pid
    crew.send(name, 1, [job(number, "random", "random", "random", rounds=100) for number in range(50)])
    os.kill(pid, signal.SIGSTOP)
    try:
        lost = [news for news in wait_for(crew, Lost) if isinstance(news, Lost)]
    finally:
        os.kill(pid, signal.SIGCONT)
    assert (lost[0].worker, "no heartbeat" in lost[0].why) == (name, True)
    assert name not in ready(crew)


def test_late_results_of_a_stopped_worker_are_refused(
    crew: RayCrew, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its machine seems lost, so that the order to end does not reach it; it goes on when others have its lots."""
    monkeypatch.setattr(cluster, "SILENT_SECONDS", 3.0)
    monkeypatch.setattr(cluster, "BEAT_SECONDS", 0.2)
    monkeypatch.setattr("ray.kill", lambda actor: None)
    (tmp_path / "slow.py").write_text(SLOW_BOT)
    config = parse_config(FILE, "late.toml")
    stopped: list[int] = []
    its: set[str] = set()  # fixtures
    is_free = False

    def look(_: Snapshot) -> None:
        nonlocal is_free
        busy = [lot.worker for lot in driver.lots.values() if len(lot.jobs) > 1]
        if not stopped and driver.done and busy:
            name = busy[-1]
            stopped.append(crew.members[name].pid)
            os.kill(stopped[0], signal.SIGSTOP)
            its.update(*[lot.jobs for lot in driver.lots.values() if lot.worker == name])
        elif stopped and not is_free and its <= {row.fixture_id for row in store.results(made.id)}:
            is_free = True
            os.kill(stopped[0], signal.SIGCONT)
            time.sleep(2)  # in which it reports; the tournament goes on afterwards

    with open_store(str(tmp_path / "arena.db")) as store:
        made = tournaments.create(store, config, FILE, tmp_path)
        lease = store.take_lease(made.id, "test", LEASE_SECONDS)
        driver = Driver(store, made, config, crew, lease, look)
        assert driver.run() == "finished"
        progress = store.progress(made.id)
        assert is_free
        assert progress.doubled + progress.fenced > 0
        assert (progress.done, progress.open, progress.void) == (180, 0, 0)
        assert store.check(all=True) == []


@pytest.mark.parametrize("address", ["ray://somewhere:10001", "somewhere", ":6379", "somewhere:port"])
def test_addresses_that_are_none(address: str) -> None:
    with pytest.raises(ClusterError, match="give auto, or HOST:PORT"):
        RayCrew(1, POOLED, ".", address)


def test_nobody_at_the_address() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ClusterError, match=f"no cluster answers at {address}: Connection refused"):
            RayCrew(1, POOLED, ".", address)
