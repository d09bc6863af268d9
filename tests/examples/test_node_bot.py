"""The bot in JavaScript plays on a real referee. Where node is missing people are told, and CI fails."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from conquest.v1.error_pb2 import ErrorReason
from engine import record
from engine.playout import DISCONNECT
from engine.referee.host import Finished
from tests.referee.wire import Wire, serving

ROOT = Path(__file__).parents[2]
OLDEST_NODE = 18
REPLACED = 4


def missing() -> str:
    """What is not there; empty if all is."""
    absent = [program for program in ("node", "npm") if shutil.which(program) is None]
    if absent:
        return f"{' and '.join(absent)} not found"
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    (major,) = re.findall(r"^v(\d+)\.", version)
    return "" if int(major) >= OLDEST_NODE else f"node is {version.strip()}"


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bot, installed in a copy of its own."""
    if absent := missing():
        told = f"the JavaScript bot was not tried, {absent}: install node {OLDEST_NODE} or newer with npm"
        if os.environ.get("CI"):
            pytest.fail(told)
        pytest.skip(told)
    root = tmp_path_factory.mktemp("node")
    folder = root / "examples/node-bot"
    shutil.copytree(ROOT / "examples/node-bot", folder, ignore=shutil.ignore_patterns("node_modules"))
    shutil.copytree(ROOT / "proto", root / "proto", ignore=shutil.ignore_patterns("*.py*", "__pycache__"))
    install = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    done = subprocess.run(install, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "bot.js"


@asynccontextmanager
async def playing(bot: Path, wire: Wire) -> AsyncIterator[Process]:
    """The bot in a process of its own, as agent `node`."""
    command = ["node", str(bot), "--server", wire.address, "--token", "author-node"]
    process = await asyncio.create_subprocess_exec(*command)
    try:
        await wire.arrived("node")
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def ended(process: Process) -> int:
    async with asyncio.timeout(30):
        return await process.wait()


async def played(wire: Wire, count: int) -> list[Finished]:
    over = await wire.played(count)
    for one in over:
        assert one.record is not None
        record.verify(one.record)
    return over


def test_it_plays_a_whole_match(bot: Path) -> None:
    async def run() -> Finished:
        async with serving() as wire, playing(bot, wire) as process:
            one, other = await wire.seat("aggressor", "cautious")
            wire.referee.create("classic", [one, "node", other], {}, seed=1)
            (over,) = await played(wire, 1)
            stream = wire.referee.desks["node"].stream
            assert stream is not None
            assert stream.round_trip.samples, "it answers pings"
            process.send_signal(signal.SIGINT)
            assert await ended(process) == 0
            return over

    over = asyncio.run(run())
    assert not over.match.conduct
    assert len([one for one in over.sidecar.times if one.seat == 1]) > 20


def test_it_beats_random(bot: Path) -> None:
    async def run() -> list[Finished]:
        async with serving() as wire, playing(bot, wire):
            one, other = await wire.seat("random", "random")
            for seed in range(10):
                wire.referee.create("classic", [one, "node", other], {}, seed=seed)
            return await played(wire, 10)

    assert sum(over.match.result.places[1] == 1 for over in asyncio.run(run())) >= 9


def test_it_comes_back_when_the_stream_is_lost(bot: Path) -> None:
    async def run() -> list[Finished]:
        async with serving() as wire, playing(bot, wire):
            one, other = await wire.seat("aggressor", "cautious")
            for seed in range(5):
                wire.referee.create("classic", [one, "node", other], {}, seed=seed)
            desk = wire.referee.desks["node"]
            assert desk.owed
            assert desk.stream is not None
            desk.stream.close(ErrorReason.ERROR_REASON_SHUTDOWN, "the test drops the stream")
            return await played(wire, 5)

    conduct = [one for over in asyncio.run(run()) for one in over.match.conduct]
    assert {(one.seat, one.kind) for one in conduct} == {(1, DISCONNECT)}


def test_it_gives_way_to_a_second_process(bot: Path) -> None:
    async def run() -> int:
        async with serving() as wire, playing(bot, wire) as first, playing(bot, wire):
            return await ended(first)

    assert asyncio.run(run()) == REPLACED


def test_the_lock_names_no_host() -> None:
    lock = (ROOT / "examples/node-bot/package-lock.json").read_text()
    assert '"resolved"' not in lock
    assert lock.count('"integrity"') == lock.count('"node_modules/')
