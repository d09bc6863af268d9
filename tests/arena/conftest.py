"""The command line as the tests use it: in this process, or as the real thing in one of its own."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import arena
from arena.cli import main
from arena.cli.output import LOGGING

ROOT = Path(arena.__path__[0]).parent
# A shell that runs in the background hands on SIGINT as ignored; the real command has it as usual.
START = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from arena.cli import main
main()
"""

# As a class of a file: matches take as long as the environment says.
SLOW_BOT = """
import os
import time
from sdk.agent import Agent, Answer

class Slow(Agent):
    def __init__(self, seed):
        time.sleep(float(os.environ.get("SLOW_BOT_SECONDS", "0")))

    def decide(self, decision):
        return Answer(0, decision.options[0].low)
"""

Run = Callable[..., Result]
Popen = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def run() -> Run:
    """`run("play", ...)` in this process."""
    return lambda *words: CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def data(run: Run) -> Callable[..., Any]:
    """What the command writes as JSON, after it ended well."""

    def read(*words: object) -> Any:
        result = run(*words)
        assert (result.exit_code, result.stderr) == (0, "")
        return json.loads(result.stdout)

    return read


@pytest.fixture
def launch() -> Popen:
    """`launch("play", ...)` in a process of its own, with both outputs piped."""

    def start(*words: object, code: str = START, **more: Any) -> "subprocess.Popen[str]":
        env = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "proto")])}
        command = [sys.executable, "-c", code, *[str(word) for word in words]]
        piped: dict[str, Any] = {"env": env, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, text=True, encoding="utf-8", **(piped | more))

    return start


@pytest.fixture
def match(run: Run, tmp_path: Path) -> Path:
    """The record of a short match."""
    path = tmp_path / "match.cqr"
    bots = ("--bot", "random", "--bot", "aggressor", "--bot", "random")
    assert run("play", *bots, "--seed", 5, "--rounds", 4, "--record", path).exit_code == 0
    return path


CRASHER = """
from sdk.agent import Agent, Answer

class Crasher(Agent):
    def decide(self, decision):
        if decision.observation.round >= 1:
            raise ZeroDivisionError("too clever")
        return Answer(0, decision.options[0].low)

class Cheat(Agent):
    def decide(self, decision):
        return Answer(999, 0)

class Honest(Agent):
    def decide(self, decision):
        return Answer(0, decision.options[0].low)

class Stillborn(Honest):
    def __init__(self, seed=0):
        raise OSError("no model file")

class Late(Honest):
    def __init__(self, seed):
        print("made")
        if seed:
            raise OSError("no model file")
"""


@pytest.fixture
def bot_file(tmp_path: Path) -> Path:
    path = tmp_path / "some_bots.py"
    path.write_text(CRASHER)
    return path


@pytest.fixture(autouse=True)
def own_settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No settings of the user count, and the logs are as they were before."""
    for name in ("ARENA_SERVER", "ARENA_TOKEN", "ARENA_TOKENS", "ARENA_LISTEN"):
        monkeypatch.delenv(name, raising=False)
    logs = [logging.getLogger(name) for name in LOGGING]
    before = [(log.handlers, log.level) for log in logs]
    yield
    for log, (handlers, level) in zip(logs, before, strict=True):
        log.handlers = handlers
        log.setLevel(level)
