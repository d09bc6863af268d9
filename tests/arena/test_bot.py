"""`arena bot`: new, run, check and replay."""

import json
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from arena.cli.bot import STARTER
from arena.loopback import LoopbackReferee
from engine.referee.auth import Identity, Role
from tests.arena.clients import connected
from tests.arena.conftest import ROOT

TOKENS = {"author": Identity("mine", Role.AUTHOR), "organiser": Identity("me", Role.ORGANISER)}


# new


@pytest.fixture
def starter(run: Callable[..., Any], tmp_path: Path) -> Path:
    result = run("bot", "new", tmp_path / "new" / "bot")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {"folder": str(tmp_path / "new" / "bot"), "files": list(STARTER)}
    assert result.stderr.startswith("Try it: arena play --bot ")
    return tmp_path / "new" / "bot"


def test_the_starter_has_a_test_that_passes(starter: Path, launch: Callable[..., Any]) -> None:
    """It plays every variant and beats random; pytest finds it too."""
    assert sorted(path.name for path in starter.iterdir()) == sorted(STARTER)
    code = "import runpy, sys; runpy.run_path(sys.argv[1], run_name='__main__')"
    process = launch(starter / "test_bot.py", code=code)
    assert process.communicate(timeout=120) == ("It plays every variant and beats random.\n", "")
    code = "import pytest, sys; sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', sys.argv[1]]))"
    process = launch(starter, code=code, cwd=starter)
    assert "2 passed" in process.communicate(timeout=120)[0]


def test_the_starter_plays_at_once(data: Callable[..., Any], starter: Path) -> None:
    bots = ("--bot", f"{starter / 'bot.py'}:MyBot", "--bot", "random", "--bot", "random")
    told = data("play", *bots, "--matches", 6, "--seed", 1)
    assert told["faults"] == []
    assert next(bot["wins"] for bot in told["bots"] if bot["bot"] == "bot.py:MyBot") == 6


def test_the_starter_is_installed_whole() -> None:
    """Modules are by themselves; what else it has is named in pyproject.toml."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    patterns = ["*.py", *settings["package-data"]["arena.starter"]]
    assert all(any(fnmatch(name, pattern) for pattern in patterns) for name in STARTER)


def test_new_says_what_it_wrote(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = run("bot", "new", tmp_path / "empty", "--table", "-q")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "Wrote bot.py, test_bot.py, README.md to" in result.stdout


def test_new_leaves_alone_what_is_there(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for folder, said in (
        (tmp_path, "is not empty: name a new folder"),
        (tmp_path / "file", "is a file: name a new folder"),
        (tmp_path / "file" / "bot", "cannot be written: Not a directory"),
    ):
        result = run("bot", "new", folder)
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
        assert said in result.stderr
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


# run


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with LoopbackReferee(TOKENS) as referee:
        yield referee.address


def dial(launch: Callable[..., Any], address: str, *words: object) -> Any:
    return launch("bot", "run", "random", "--server", address, "--token", "author", *words)


def test_run_plays_until_it_is_told_to_stop(
    run: Callable[..., Any], launch: Callable[..., Any], address: str
) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        process = dial(launch, address, "--matches-at-once", 3, "--in-flight", 2, "--defence-dice", 2)
        connected(address, "organiser", ["mine"])
        words = ("match", "create", *("--agent", "mine") * 3, "--option", "rounds=1", "--wait", "-q")
        assert run(*words, "--server", address, "--token", "organiser").exit_code == 0
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=30)
        assert (process.returncode, stdout) == (0, "")
        assert "INFO connected to conquest-arena" in stderr
        assert "stopped; matches: 3, answers: " in stderr


def test_the_second_process_takes_the_place_of_the_first(launch: Callable[..., Any], address: str) -> None:
    first = dial(launch, address, "-q")
    connected(address, "organiser", ["mine"])
    second = dial(launch, address, "-q")
    stderr = first.communicate(timeout=30)[1]
    assert first.returncode == 4
    assert "connected again with the same token" in stderr
    second.send_signal(signal.SIGTERM)
    assert second.communicate(timeout=30) == ("", "")
    assert second.returncode == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["random", "--token", "other"], 2, "the token is unknown; ask the organiser for one"),
        (["random"], 2, "give --token or --token-file, or set ARENA_TOKEN"),
        (["randm", "--token", "author"], 2, "Did you mean 'random'?"),
        (["missing.py:Bot", "--token", "author"], 2, "missing.py does not exist"),
        (["random", "--token", "author", "--server", "here"], 2, "is no address"),
        (["random", "--token", "author", "--patience", "-1"], 2, "--patience"),
        (["random", "--token", "author", "--defence-dice", "3"], 2, "--defence-dice"),
        (["random", "--token", "author", "--server", "unix:nobody", "--patience", "0", "-q"], 1, "giving up"),
    ],
)
def test_run_refuses_what_cannot_be_played(
    run: Callable[..., Any], address: str, words: list[str], code: int, said: str
) -> None:
    server = () if "--server" in words else ("--server", address)
    result = run("bot", "run", *words, *server)
    assert (result.exit_code, result.stdout) == (code, "")
    assert said in result.stderr.splitlines()[-1]


# check


def test_a_good_bot_passes_every_check(run: Callable[..., Any], starter: Path) -> None:
    result = run("bot", "check", f"{starter / 'bot.py'}:MyBot", "--strict")
    told = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")
    assert told["passed"] is True
    assert {check["status"] for check in told["checks"]} == {"pass"}
    assert told["thinking_ms"]["decisions"] > 1000
    assert next(one["detail"] for one in told["checks"] if one["name"] == "every kind of decision").startswith(
        "10 "
    )


def test_a_bad_bot_fails_and_nothing_but_the_report_is_said(run: Callable[..., Any], bot_file: Path) -> None:
    result = run("bot", "check", f"{bot_file}:Cheat", "--variant", "officers", "--table")
    assert (result.exit_code, result.stderr) == (1, "")
    assert "FAIL  no faults" in result.stdout
    assert "chose option 999" in result.stdout
    assert result.stdout.endswith(" Not yet.\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["Stillborn"], "OSError: no model file"),
        (["Nobody"], "has no such class. Bots in that file: Crasher, Cheat"),
        (["Honest", "--variant", "clasic"], "clasic"),
        (["Honest", "--time", "5"], "write bank+increment/limit"),
    ],
)
def test_a_bot_that_cannot_be_loaded_is_not_checked(
    run: Callable[..., Any], bot_file: Path, words: list[str], said: str
) -> None:
    name, *more = words
    result = run("bot", "check", f"{bot_file}:{name}", *more)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert said in result.stderr


def test_a_missing_package_is_named(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "grpc_health.v1", None)
    (tmp_path / "tokens").touch(0o600)
    for words in (("bot", "check", "random"), ("referee", "serve", "--tokens", tmp_path / "tokens")):
        result = run(*words, *(("--listen", "127.0.0.1:0") if words[0] == "referee" else ()))
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
        assert "run pip install 'conquest-arena[referee]'" in result.stderr


def test_a_check_is_interrupted_with_one_line(launch: Callable[..., Any], tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import sys, time\nfrom sdk.agent import Agent\n\nclass Bot(Agent):\n    def decide(self, decision):\n"
        "        print('asked', flush=True)\n        time.sleep(60)\n"
    )
    process = launch("bot", "check", f"{bot}:Bot", stderr=subprocess.STDOUT)
    assert process.stdout.readline() == "asked\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=30)[0] == "arena: interrupted\n"
    assert process.returncode == 130


# replay


def test_a_bot_would_play_as_it_played(data: Callable[..., Any], match: Path) -> None:
    """Also one that draws: it has the seed that it had."""
    for seat, bot in (("A", "random"), ("B", "aggressor")):
        told = data("bot", "replay", match, "--seat", seat, "--bot", bot)
        assert (told["bot"], told["differ"], told["differences"]) == (bot, 0, [])
        assert told["decisions"] > 20


def test_differences_are_listed(data: Callable[..., Any], run: Callable[..., Any], match: Path) -> None:
    words = ("bot", "replay", match, "--seat", "A", "--bot", "cautious")
    told = data(*words)
    assert told["differ"] == len(told["differences"]) > 0
    for one in told["differences"]:
        assert one["played"] != one["would"]
        assert not one["fault"]
    turns = [one["turn"] for one in told["differences"]]
    assert turns == sorted(turns)
    shown = run(*words, "--table").stdout
    assert "it would play" in shown
    assert f"{told['differ']} of {told['decisions']} decisions differ." in shown


def test_faults_are_differences(run: Callable[..., Any], match: Path, bot_file: Path) -> None:
    result = run("bot", "replay", match, "--seat", "C", "--bot", f"{bot_file}:Crasher")
    assert result.exit_code == 3
    assert result.stderr.startswith("arena: bot some_bots.py:Crasher raised ZeroDivisionError: too clever")
    assert any(one["fault"] for one in json.loads(result.stdout)["differences"])


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (["--seat", "D", "--bot", "random"], "D", 2),
        (["--seat", "A", "--bot", "randm"], "Did you mean 'random'?", 2),
        (["--seat", "A"], "Missing option '--bot'", 2),
    ],
)
def test_replay_refuses_wrong_words(
    run: Callable[..., Any], match: Path, words: list[str], said: str, code: int
) -> None:
    result = run("bot", "replay", match, *words)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (code, "", 1)
    assert said in result.stderr


def test_replay_refuses_what_is_no_record(run: Callable[..., Any], match: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    for file, code in ((tmp_path / "missing", 2), (tmp_path / "text", 1)):
        result = run("bot", "replay", file, "--seat", "A", "--bot", "random")
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (code, "", 1)
        assert str(file) in result.stderr
