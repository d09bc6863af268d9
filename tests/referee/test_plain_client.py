"""A client that knows nothing but the contract plays a whole match, in a process of its own."""

import ast
import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

from engine import record
from engine.referee.host import Finished
from engine.rules.variants import VARIANTS
from tests.referee.wire import serving

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "tests/referee/plain_client.py"


def test_it_imports_grpc_and_the_contract_only() -> None:
    imported = set[str]()
    for node in ast.walk(ast.parse(CLIENT.read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module or ".")
    theirs = {name.partition(".")[0] for name in imported} - sys.stdlib_module_names
    assert theirs == {"grpc", "grpc_health", "grpc_reflection", "conquest"}


async def start(address: str) -> Process:
    """With nothing of ours on the path but the contract."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "proto")}
    command = [sys.executable, "-P", str(CLIENT), address, "author-plain"]
    return await asyncio.create_subprocess_exec(*command, env=variables, stdout=PIPE)


async def play() -> tuple[Finished, dict[str, object]]:
    """The match as the referee knows it, and what the client saw."""
    async with serving() as wire:
        one, other = await wire.seat("aggressor", "cautious")
        client = await start(wire.address)
        await wire.arrived("plain")
        wire.referee.create("classic", [one, "plain", other], {}, seed=1)
        (over,) = await wire.played(1)
        printed, _ = await client.communicate()
        assert client.returncode == 0
    return over, json.loads(printed)


def test_it_plays_a_whole_match() -> None:
    over, saw = asyncio.run(play())
    assert over.record is not None
    record.verify(over.record)
    assert not over.record.conduct
    replay = record.Replay(over.record)
    replay.s.events = []
    while (step := replay.peek()) is not None:
        replay.take(step)
    assert saw.pop("pings")
    assert saw.pop("services") == [
        "conquest.v1.CatalogService",
        "conquest.v1.MatchService",
        "conquest.v1.RefereeService",
        "grpc.health.v1.Health",
        "grpc.reflection.v1alpha.ServerReflection",
    ]
    assert saw == {
        "agent": "plain",
        "answers": len([one for one in over.sidecar.times if one.seat == 1]),
        "commitment_kept": True,
        "events": len(replay.s.events),
        "last_event": "EVENT_KIND_FINISHED",
        "places": list(over.record.result.places),
        "refusals": 0,
        "seat": 1,
        "serving": True,
        "variants": list(VARIANTS),
    }
    assert over.sidecar.notes[0].text.startswith("on to ")
