"""The command as a whole: help, version, wrong words, interruption, closed pipes."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.cli.failures import describe, guard
from arena.cli.output import Output
from engine import MODE

ROOT = Path(arena.__path__[0]).parent
PLAY = ("play", "--bot", "random", "--bot", "random", "--bot", "random")
COMMANDS = {
    "replay": ("show", "verify", "export", "fork"),
    "bot": ("new", "run", "check", "replay"),
    "referee": ("serve",),
    "match": ("create", "show", "list", "record", "agents", "watch", "void", "reinstate"),
    "token": ("create", "list"),
    "tournament": ("init", "plan", "run", "resume", "show", "list", "watch", "pause", "cancel"),
    "store": ("check", "export", "import", "backup"),
}


def test_help_imports_nothing_heavy(launch: Callable[..., Any]) -> None:
    code = """
import sys
from arena.cli import main
try:
    main(["--help"])
except SystemExit:
    heavy = ("grpc", "ray", "rich", "sdk", "conquest", "sqlalchemy")
    print([name for name in sys.modules if name.split(".")[0] in heavy
           or name.startswith("engine.rules")])
"""
    process = launch(code=code)
    stdout, stderr = process.communicate()
    assert "Commands:" in stdout
    assert stdout.splitlines()[-1] == "[]"
    assert stderr == ""


@pytest.mark.parametrize(
    "words",
    [
        *("", "play", "compare", "doctor", "variants", "variants show", *COMMANDS),
        *[f"{group} {name}" for group, names in COMMANDS.items() for name in names],
    ],
)
def test_every_command_has_help_with_an_example(run: Callable[..., Any], words: str) -> None:
    result = run(*words.split(), "--help")
    assert result.exit_code == 0
    assert "Example" in result.stdout
    assert "Usage: arena" in result.stdout


@pytest.mark.parametrize("words", [(), *[(group,) for group in COMMANDS]])
def test_a_group_alone_shows_its_help(run: Callable[..., Any], words: tuple[str, ...]) -> None:
    result = run(*words)
    assert (result.exit_code, result.stdout) == (0, run(*words, "--help").stdout)
    assert "..." not in result.stdout.partition("Commands:")[2]  # no summary is cut


def test_the_package_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "arena", "--version"]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"PYTHONPATH": "proto"}, capture_output=True, text=True
    )
    assert done.stdout.startswith("arena ")


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
        (["bot", "runn"], "Did you mean 'run'?"),
        (["bot", "run"], "Missing argument 'BOT'"),
        (["match", "create"], "Missing option '--agent'"),
        (["referee", "serve"], "Missing option '--tokens'"),
        (["token", "create", "me"], "Say where the tokens are: --tokens FILE"),
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
    assert "UnknownName" in run("-v", *wrong).stderr  # what it came from, too
    assert "Traceback" in run(*wrong, "-v").stderr


def test_our_own_fault_is_said_to_be_ours(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.matches.play_out", lambda *_: 1 // 0)
    result = run(*PLAY)
    assert result.exit_code == 1
    assert result.stderr.startswith("arena: this is a fault of ours: ZeroDivisionError")


def test_interrupt_ends_with_one_line(launch: Callable[..., Any], tmp_path: Path) -> None:
    folder = tmp_path / "records"
    process = launch(*PLAY, "--matches", 100_000, "--rounds", 2, "--record", folder)
    deadline = time.monotonic() + 60
    while not list(folder.glob("*.cqr")) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    count = json.loads(stdout)["matches"]
    assert process.returncode == 130
    assert stderr == f"arena: interrupted after {count} of 100000 matches; records in {folder}\n"
    assert list(folder.glob(".*")) == []  # nothing half-written


@pytest.mark.parametrize("words", ["replay export --to jsonl", "replay show --table", "replay show"])
def test_closed_pipe_is_silent(launch: Callable[..., Any], match: Path, words: str) -> None:
    process = launch(*words.split(), match)
    process.stdout.close()
    assert process.stderr.read() == ""
    process.wait()
    process.stderr.close()


def test_any_terminal_will_do(launch: Callable[..., Any], tmp_path: Path) -> None:
    env = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'proto'}", "PYTHONIOENCODING": "ascii"}
    path = tmp_path / "größe.cqr"
    process = launch(*PLAY, "--rounds", 2, "--table", "--record", path, env=env)
    stdout, stderr = process.communicate()
    assert (process.returncode, stderr) == (0, "")
    assert "gr??e.cqr" in "".join(stdout.split())
    told = launch("replay", "verify", path, "--json", env=env).communicate()[0]
    assert json.loads(told)[0]["file"] == str(path)


def test_full_stdout_is_one_line(launch: Callable[..., Any], tmp_path: Path) -> None:
    code = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
from arena.cli import main
main()
"""
    with (tmp_path / "out").open("w") as file:
        process = launch("variants", code=code, stdout=file)
        stderr = process.communicate()[1]
    assert (process.returncode, stderr) == (1, "arena: stdout cannot be written: File too large\n")


def test_no_stdout_at_all_is_no_fault(launch: Callable[..., Any]) -> None:
    code = "import sys; sys.stdout = None; from arena.cli import main; main()"
    for words in (["variants"], ["variants", "--table", "-q"], [*PLAY, "--rounds", "2"]):
        process = launch(*words, code=code)
        assert process.communicate() == ("", "")
        assert process.returncode == 0


def test_the_last_resort_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    def quits() -> None:
        raise SystemExit(0)

    def interrupted() -> None:
        raise KeyboardInterrupt

    assert guard(quits, Output()) == 1
    assert capsys.readouterr().err.startswith("arena: this is a fault of ours: SystemExit: 0. Run it again")
    assert guard(interrupted, Output()) == 130
    assert capsys.readouterr().err == "arena: interrupted\n"


def test_messages_have_no_doubled_dots() -> None:
    assert ".." not in describe(ValueError("It ends with a dot."))
