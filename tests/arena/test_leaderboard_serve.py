"""`arena leaderboard serve`: starts, rates what is released meanwhile, and ends when told."""

import json
import os
import random
import signal
import socket
import ssl
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from leaderboard.store import open_store
from tests.leaderboard.seasons import Season

SECONDS = 60  # machines are shared


@pytest.fixture
def url(tmp_path: Path) -> str:
    return str(tmp_path / "arena.db")


@contextmanager
def serving(
    launch: Callable[..., Any], *words: object, **more: Any
) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """The address, and the process."""
    running = launch("leaderboard", "serve", "--port", 0, "--json", *words, **more)
    try:
        yield json.loads(running.stdout.readline())["address"], running
    finally:
        running.kill()
        running.communicate()


def get(address: str, context: ssl.SSLContext | None = None) -> Any:
    with urllib.request.urlopen(address, timeout=SECONDS, context=context) as answer:
        return json.load(answer)


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_and_rates_until_it_is_told_to_stop(launch: Any, url: str, number: int) -> None:
    with open_store(url) as store, serving(launch, "--store", url) as (address, running):
        season = Season(store, "cup", ["random", "ann", "bob"], random.Random(1))
        assert get(f"{address}api/v1/ladders/all")["rows"] == []
        season.play_blocks(1)
        until(lambda: len(get(f"{address}api/v1/ladders/all")["rows"]) == 3)
        stream = urllib.request.urlopen(f"{address}live/tournaments/cup", timeout=SECONDS)
        assert stream.readline()
        (rater,) = children(running.pid)
        running.send_signal(number)
        assert stream.read() is not None, "the stream ends"
        _, complaints = running.communicate(timeout=SECONDS)
        assert (running.returncode, complaints) == (0, "")
        until(lambda: not Path(f"/proc/{rater}").exists())


def test_a_rater_that_dies_is_started_again(launch: Any, url: str) -> None:
    with open_store(url) as store, serving(launch, "--store", url) as (address, running):
        season = Season(store, "cup", ["random", "ann", "bob"], random.Random(1))
        until(lambda: bool(children(running.pid)))
        os.kill(children(running.pid)[0], signal.SIGKILL)
        season.play_blocks(1)
        until(lambda: len(get(f"{address}api/v1/ladders/all")["rows"]) == 3)
        running.send_signal(signal.SIGTERM)
        assert "the rater has ended with exit code -9" in running.communicate(timeout=SECONDS)[1]


def test_the_rater_ends_with_a_server_that_was_killed(launch: Any, url: str) -> None:
    with serving(launch, "--store", url) as (_, running):
        until(lambda: bool(children(running.pid)))
        (rater,) = children(running.pid)
        running.kill()
        until(lambda: not Path(f"/proc/{rater}").exists() or "zombie" in Path(f"/proc/{rater}/status").read_text())


def test_ratings_are_left_alone(launch: Any, url: str) -> None:
    with serving(launch, "--store", url, "--no-rater") as (address, running):
        assert get(f"{address}api/v1/ladders")["ladders"]
        assert children(running.pid) == []


def test_pages_over_tls(launch: Any, url: str, certificate: tuple[Path, Path]) -> None:
    words = "--tls-certificate", certificate[0], "--tls-key", certificate[1]
    with serving(launch, "--store", url, "--no-rater", *words) as (address, _):
        assert address.startswith("https://127.0.0.1:")
        assert get(f"{address}api/v1/home", ssl.create_default_context(cafile=certificate[0]))["running"] == []


def test_a_port_that_is_taken_is_told_in_a_line(run: Callable[..., Any], url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("leaderboard", "serve", "--store", url, "--port", port)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"arena: port {port} of 127.0.0.1 cannot be had: Address already in use. "
        "Name another with --port, or --port 0 for any that is free.\n"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--tls-key", "site.key"], "belong together"),
        (["--tls-certificate", "none.pem", "--tls-key", "none.key"], "cannot be used: No such file"),
        (["--tls-certificate", "bad.pem", "--tls-key", "bad.pem"], "cannot be used"),
        (["--server", "nowhere"], "is no address"),
        (["--server", "127.0.0.1:1", "--token-file", "none"], "none cannot be read"),
        (["--host", "no such host.invalid"], "cannot be had"),
        (["--port", "99999"], "99999"),
    ],
)
def test_wrong_use_is_one_line(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.pem").write_text("no certificate")
    result = run("leaderboard", "serve", "--store", "arena.db", *words)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert said in result.stderr
