"""docs/write-a-bot.md: its commands are run in order, its bots are played, its tables name what there is.

The commands of the readme are run the same way.
"""

import os
import re
import shlex
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.matches import play, series
from engine.rules.variants import VARIANTS
from sdk.agent import Decision
from sdk.local import load_bot
from sdk.view import SeatView
from tests.arena.clients import connected
from tests.arena.conftest import launch, own_settings

__all__ = ["launch", "own_settings"]

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/write-a-bot.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SNIPPETS = [code for language, code in FENCE.findall(PAGE) if language == "python"]
LASTING = ("arena referee serve", "arena bot run")  # until they are told to stop


def commands(page: str) -> list[str]:
    lines = [line for language, block in FENCE.findall(page) if not language for line in block.splitlines()]
    return [line for line in lines if line.startswith("arena ")]


@pytest.fixture
def background(launch: Callable[..., Any]) -> Iterator[Callable[[list[str]], None]]:
    """Starts a command that stays, and waits until it is there; in the end each must end well."""
    with ExitStack() as stack:

        def start(words: list[str]) -> None:
            process = launch(*words)
            stack.callback(stop, process)
            if words[0] == "referee":
                process.stdout.readline()
            else:
                agent = words[-1].removesuffix(".token")
                connected(os.environ["ARENA_SERVER"], Path("me.token").read_text().strip(), [agent])

        yield start


def stop(process: "subprocess.Popen[str]") -> None:
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == 0


@pytest.mark.parametrize("page", [README, PAGE], ids=["readme", "write-a-bot"])
def test_the_commands_work_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, background: Callable[[list[str]], None], page: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARENA_LISTEN", f"unix:{tmp_path}/r.sock")
    monkeypatch.setenv("ARENA_SERVER", f"unix:{tmp_path}/r.sock")
    monkeypatch.setattr("arena.cli.bot_check.VARIANTS", {"classic": VARIANTS["classic"]})  # it takes its time
    assert len(commands(page)) > 10
    for line in commands(page):
        command, _, target = line.partition(" > ")
        words = shlex.split(command, comments=True)[1:]
        if line.startswith(LASTING):
            background(words)
            continue
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, (line, result.stderr)
        if target:
            Path(target).write_text(result.stdout)
    assert list(Path("records").glob("*.times.json"))


@pytest.mark.parametrize("source", SNIPPETS)
def test_the_bots_play_every_variant(tmp_path: Path, source: str) -> None:
    file = tmp_path / "bot.py"
    file.write_text(source)
    (name,) = re.findall(r"^class (\w+)\(Agent\)", source, re.MULTILINE)
    bots = [load_bot(f"{file}:{name}"), load_bot("random"), load_bot("random")]
    for variant in VARIANTS:
        for fixture in series(variant, {"rounds": 6}, bots, 1, seed=1):
            assert play(fixture).faults == []


@pytest.mark.parametrize(("of", "kind"), [("a decision", Decision), ("an observation", SeatView)])
def test_the_tables_name_what_there_is(of: str, kind: type) -> None:
    table = PAGE.partition(f"| of {of} | what |\n")[2].partition("\n\n")[0]
    names = {name for row in table.splitlines()[1:] for name in re.findall(r"`(\w+)", row.split("|")[1])}
    assert len(names) > 8
    known = {*dir(kind), "ruleset", "codes", "bank", "limit"}
    assert names - known == set()
