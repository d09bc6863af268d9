"""Bots in processes of their own, killed and stopped as they come."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
from arena.matches import Fixture, play
from engine import record
from engine.chance import seeded_keys
from engine.playout import DISCONNECT
from engine.referee.clock import TimeControl
from sdk.local import load_bot
from tests.referee.wire import Wire, serving

Process = subprocess.Popen[bytes]
ROOT = Path(__file__).parent.parent.parent
BOTS = ("aggressor", "strategist", "cautious", "random")
MATCHES = 500 if engine.MODE == "compiled" else 40
KILLS = 10
ROUNDS = 15
PATIENT = TimeControl(600.0, 0.0, 60.0)  # how long answers take on a busy machine is not what is tested


def start(wire: Wire, bot: str, name: str) -> Process:
    settings = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "proto")])}
    command = [sys.executable, "-m", "tests.referee.bot_process", bot, wire.address, f"author-{name}"]
    return subprocess.Popen(command, cwd=ROOT, env=settings)


async def here(wire: Wire, names: tuple[str, ...]) -> None:
    desks = wire.referee.desks
    await wire.until(lambda: all(name in desks and desks[name].stream is not None for name in names))


@pytest.fixture
def processes() -> Iterator[list[Process]]:
    started: list[Process] = []
    yield started
    for process in started:
        process.kill()
        process.communicate()


def test_many_matches_with_bots_killed_in_the_middle(processes: list[Process]) -> None:
    rng = random.Random(5)

    async def run() -> None:
        async with serving(time_control=PATIENT) as wire:
            running = {bot: start(wire, bot, bot) for bot in BOTS}
            processes.extend(running.values())
            await here(wire, BOTS)
            for seed in range(MATCHES):
                wire.referee.create("classic", BOTS, {"rounds": ROUNDS}, match_id=f"m{seed}", seed=seed)
            for kill in range(KILLS):
                await wire.until(lambda kill=kill: len(wire.over) >= MATCHES * kill // (KILLS + 5), 300)  # type: ignore[misc]
                bot = rng.choice(BOTS)
                running[bot].kill()
                running[bot] = start(wire, bot, bot)
                processes.append(running[bot])
            over = await wire.played(MATCHES, 300)
            assert sorted(one.match.match_id for one in over) == sorted(f"m{seed}" for seed in range(MATCHES))
            for one in over:
                assert one.record is not None
                record.verify(one.record)
                assert {fault.kind for fault in one.record.conduct} <= {DISCONNECT}
            assert any(one.record.conduct for one in over if one.record), (
                "somebody owed an answer when it was killed"
            )

    asyncio.run(run())


def test_remote_and_in_process_matches_are_the_same(processes: list[Process]) -> None:
    async def run() -> None:
        async with serving(time_control=PATIENT) as wire:
            processes.extend([start(wire, bot, bot) for bot in BOTS])
            await here(wire, BOTS)
            for seed in range(10):
                wire.referee.create("classic", BOTS, {"rounds": ROUNDS}, seed=seed)
            for one in await wire.played(10):
                assert one.record is not None
                seed = one.record.seed
                bots = [load_bot(bot) for bot in BOTS]
                fixture = Fixture("classic", {"rounds": ROUNDS}, bots, [0, 1, 2, 3], seeded_keys(seed), seed)
                assert record.game_part(play(fixture).record) == record.game_part(one.record)

    asyncio.run(run())


REFEREE = """
import asyncio, sys
from engine.referee.clock import TimeControl
from tests.referee.wire import serving

async def main():
    async with serving(time_control=TimeControl(2.0, 0.05, 1.0)) as wire:
        print(wire.address, flush=True)
        await wire.until(lambda: len(wire.referee.desks) == 3)
        for seed in range(20):
            wire.referee.create("classic", list(wire.referee.desks), {"rounds": 40}, seed=seed)
        print("playing", flush=True)
        over = await wire.played(20, 120)
        print(sum(len(one.match.conduct) for one in over), flush=True)

asyncio.run(main())
"""


def test_a_referee_that_was_stopped_costs_nobody_anything(processes: list[Process]) -> None:
    """Stopped for 3 s where the limit is 1 s and the bank 2 s."""
    settings = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "proto")])}
    referee = subprocess.Popen([sys.executable, "-c", REFEREE], cwd=ROOT, env=settings, stdout=subprocess.PIPE)
    processes.append(referee)
    assert referee.stdout is not None
    address = referee.stdout.readline().decode().strip()
    for bot in BOTS[:3]:
        command = [sys.executable, "-m", "tests.referee.bot_process", bot, address, f"author-{bot}"]
        processes.append(subprocess.Popen(command, cwd=ROOT, env=settings, stderr=subprocess.DEVNULL))
    assert referee.stdout.readline().strip() == b"playing"
    referee.send_signal(signal.SIGSTOP)
    time.sleep(3.0)
    referee.send_signal(signal.SIGCONT)
    assert referee.stdout.readline().strip() == b"0"
