"""The process that keeps ratings up: it follows, it ends with its parent, and trouble with the store passes."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from leaderboard import catching_up, rater
from leaderboard.catching_up import rated_so_far
from leaderboard.rater import PAUSE_SECONDS, TROUBLE_SECONDS, follow
from leaderboard.store import Store, StoreError
from tests.leaderboard.seasons import Season

PATIENCE = 60.0

Process = subprocess.Popen[bytes]


@pytest.fixture
def process(store: Store, url: str) -> Iterator[Process]:
    command = [sys.executable, "-m", "leaderboard.rater"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=os.environ | {"ARENA_STORE": url}) as started:
        yield started
        started.kill()


def wait_for(store: Store, matches: int) -> None:
    last = time.monotonic() + PATIENCE
    while rated_so_far(store).matches != matches:
        assert time.monotonic() < last, f"{rated_so_far(store).matches} matches are rated, not {matches}"
        time.sleep(0.05)


def test_a_rater_follows_and_ends_with_its_parent(store: Store, process: Process) -> None:
    season = Season(store, "cup", ["ada", "bob", "random"], random.Random(1))
    season.play_blocks(2)
    wait_for(store, 6)
    process.send_signal(signal.SIGINT)  # Ctrl-C reaches the whole group; the parent decides
    season.play_blocks(1)
    wait_for(store, 9)
    store.void("organiser", season.done[0], "wrong bot")
    wait_for(store, 8)
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(PATIENCE) == 0


class Over(Exception):
    """Ends a rater that would go on for ever."""


def test_trouble_is_told_once_and_passes(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    Season(store, "cup", ["ada", "bob", "random"], random.Random(1)).play_blocks(1)
    trouble = ["the disk is full", "the disk is full", "it is locked", ""]
    slept = list[float]()

    def catch_up(store: Store) -> int:
        if told := trouble.pop(0):
            raise StoreError(told)
        return catching_up.catch_up(store)

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if not trouble:
            raise Over

    monkeypatch.setattr(rater, "catch_up", catch_up)
    with pytest.raises(Over):
        follow(store, sleep)
    assert [record.getMessage() for record in caplog.records] == [
        "ratings stand still: the disk is full",
        "ratings stand still: it is locked",
    ]
    assert slept == [TROUBLE_SECONDS, PAUSE_SECONDS] * 3 + [PAUSE_SECONDS]
    assert rated_so_far(store).matches == 3
