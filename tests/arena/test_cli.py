"""The command as a whole: help, version, wrong words, interruption, closed pipes."""

import json
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine import MODE

PLAY = ("play", "--bot", "random", "--bot", "random", "--bot", "random")
REPLAY = ("show", "verify", "export", "fork")


def test_help_imports_nothing_heavy(launch: Callable[..., Any]) -> None:
    code = """
import sys
from arena.cli import main
try:
    main(["--help"])
except SystemExit:
    print([name for name in sys.modules if name.split(".")[0] in ("grpc", "ray", "rich", "sdk", "conquest")
           or name.startswith("engine.rules")])
"""
    process = launch(code=code)
    stdout, stderr = process.communicate()
    assert "Commands:" in stdout
    assert stdout.splitlines()[-1] == "[]"
    assert stderr == ""


@pytest.mark.parametrize(
    "words",
    ["", "play", "variants", "variants show", "replay", *[f"replay {name}" for name in REPLAY]],
)
def test_every_command_has_help_with_an_example(run: Callable[..., Any], words: str) -> None:
    result = run(*words.split(), "--help")
    assert result.exit_code == 0
    assert "Example" in result.stdout
    assert "Usage: arena" in result.stdout


def test_version_says_how_the_engine_runs(run: Callable[..., Any]) -> None:
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("arena ")
    assert result.stdout.endswith(f"engine {MODE}\n")


def test_the_real_command_writes_json_when_piped(launch: Callable[..., Any]) -> None:
    process = launch("variants")
    stdout, stderr = process.communicate()
    assert (process.returncode, stderr) == (0, "")
    assert json.loads(stdout)[0]["name"] == "classic"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["pla"], "Did you mean 'play'?"),
        (["replay", "shw"], "Did you mean 'show'?"),
        (["play", "--bots", "x"], "--bots"),
        (["play"], "Missing option '--bot'"),
        (["variants", "show", "clasic"], "Did you mean 'classic'?"),
    ],
)
def test_wrong_words_get_one_line(run: Callable[..., Any], words: list[str], said: str) -> None:
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("arena: ")
    assert result.stderr.count("\n") == 1
    assert said in result.stderr


def test_traceback_only_when_asked_for(run: Callable[..., Any]) -> None:
    wrong = ("variants", "show", "nothing")
    assert "Traceback" not in run(*wrong).stderr
    assert "Traceback" in run("-v", *wrong).stderr
    assert "Traceback" in run(*wrong, "-v").stderr


def test_our_own_fault_is_said_to_be_ours(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.matches.play_out", lambda *_: 1 // 0)
    result = run(*PLAY)
    assert result.exit_code == 1
    assert result.stderr.startswith("arena: this is a fault of ours: ZeroDivisionError")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_interrupt_ends_with_one_line(launch: Callable[..., Any], tmp_path: Path) -> None:
    folder = tmp_path / "records"
    process = launch(*PLAY, "--matches", 100_000, "--rounds", 2, "--record", folder)
    deadline = time.monotonic() + 60
    while not list(folder.glob("*.cqr")) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout, stderr) == (130, "", "arena: interrupted\n")
    assert list(folder.glob(".*")) == []  # nothing half-written


def test_closed_pipe_is_silent(launch: Callable[..., Any], match: Path) -> None:
    process = launch("replay", "export", match, "--to", "jsonl")
    process.stdout.close()
    assert process.stderr.read() == ""
    process.wait()
    process.stderr.close()
