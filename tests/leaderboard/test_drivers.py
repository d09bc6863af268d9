"""Drivers beside each other, and drivers that are killed."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from leaderboard.store import Store, open_store
from tests.leaderboard.books import begun, kinds, result

BLOCKS = 12
DRIVER = """
import sys
from leaderboard.store import open_store
from tests.leaderboard.books import begun, result
url, name = sys.argv[1:]
with open_store(url) as store:
    lease, ids = begun(store, blocks={blocks}, name=name)
    reports = [result(one) for one in ids]
    store.commit(lease, reports[:{batch}])
    print("ready", flush=True)
    sys.stdin.readline()
    for start in range({batch}, len(reports), {batch}):
        accepted = store.commit(lease, reports[start : start + {batch}]).accepted
        print(accepted, flush=True)
"""

Process = subprocess.Popen[str]


@pytest.fixture
def drivers(url: str) -> Iterator[list[Process]]:
    """Processes that were started, and are ended with the test."""
    started: list[Process] = []
    yield started
    for process in started:
        process.kill()
        process.communicate()


def start(url: str, name: str, blocks: int, batch: int) -> Process:
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    code = DRIVER.format(blocks=blocks, batch=batch)
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process: Process = subprocess.Popen([sys.executable, "-c", code, url, name], env=env, text=True, **pipes)
    return process


def line(process: Process) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def go(*processes: Process) -> None:
    for process in processes:
        assert line(process) == "ready", process.communicate()[1]
    for process in processes:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()


def test_two_drivers_share_one_ledger(store: Store, url: str, drivers: list[Process]) -> None:
    """Whoever reads meanwhile never sees a gap: the order of seq is that of the commits."""
    drivers += [start(url, name, BLOCKS, batch=2) for name in ("cup", "league")]
    go(*drivers)
    seen, over = [0], threading.Event()

    def follow() -> None:
        while not over.is_set():
            seen.extend(row.seq for row in store.ledger(after_seq=seen[-1]))

    reader = threading.Thread(target=follow)
    reader.start()
    told = [process.communicate() for process in drivers]
    over.set()
    reader.join()
    seen.extend(row.seq for row in store.ledger(after_seq=seen[-1]))
    assert [process.returncode for process in drivers] == [0, 0], told
    rows = list(store.ledger())
    assert [row.seq for row in rows] == list(range(1, 2 * BLOCKS * 4 + 1))
    assert seen == list(range(2 * BLOCKS * 4 + 1))
    owners = [row.tournament_id for row in rows]
    assert owners != sorted(owners)
    assert owners != sorted(owners, reverse=True), "they did not run beside each other"
    assert store.check(sample=3) == []


def test_a_driver_is_killed_in_the_middle(store: Store, url: str, drivers: list[Process]) -> None:
    driver = start(url, "cup", BLOCKS, batch=1)
    drivers.append(driver)
    go(driver)
    reported = sum(int(line(driver)) for _ in range(5))
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    with open_store(url) as after:
        done = after.progress(1).done
        assert reported < done < BLOCKS * 3
        assert after.check(sample=3) == []
    # The next driver goes on with what is open.
    cup = store.tournament("cup")
    store.now = lambda: (cup.until or 0) + 1
    lease = store.take_lease(cup.id, "driver 2", 30)
    ids = [fixture.id for fixture in store.open_fixtures(cup.id)]
    assert len(ids) == BLOCKS * 3 - done
    store.next_attempts(lease, ids)
    store.commit(lease, [result(name, attempt=2) for name in ids])
    assert [row.seq for row in store.ledger()] == list(range(1, BLOCKS * 4 + 1))
    assert store.check(sample=3) == []


def test_threads_share_a_store(store: Store) -> None:
    lease, ids = begun(store, blocks=8)
    reports = [result(name) for name in ids]
    threads = [
        threading.Thread(target=lambda part: store.commit(lease, part), args=(reports[start::4],))
        for start in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(kinds(store)) == 8 * 4
    assert store.check(sample=3) == []
