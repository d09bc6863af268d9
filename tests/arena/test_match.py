"""`arena match` on a referee of the test's own: made, shown, listed, watched, fetched."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

import pytest

from arena.loopback import LoopbackReferee
from engine.referee.auth import Identity, Role
from sdk.agent import Answer, Decision
from sdk.bots.aggressor import Aggressor
from sdk.client import Client
from sdk.local import BotSpec
from sdk.probe import Running
from tests.arena.clients import connected

AGENTS = ("one", "two", "waiting", "broken")
TOKENS = {f"token-{name}": Identity(name, Role.AUTHOR) for name in AGENTS}
TOKENS["organiser"] = Identity("me", Role.ORGANISER)
SEATED = ("--agent", "one", "--agent", "two", "--agent")


class Waiting(Aggressor):
    """Answers when the gate is open."""

    gate: ClassVar[threading.Event] = threading.Event()

    def decide(self, decision: Decision) -> Answer:
        self.gate.wait(60)
        return super().decide(decision)


class Broken(Aggressor):
    def decide(self, decision: Decision) -> Answer:
        raise RuntimeError("no idea")


BOTS = {"one": Aggressor, "two": Aggressor, "waiting": Waiting, "broken": Broken}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A referee with four agents."""
    with ExitStack() as stack:
        referee = stack.enter_context(LoopbackReferee(TOKENS))
        for name, agent in BOTS.items():
            client = Client(BotSpec(name, agent, built_in=False), referee.address, f"token-{name}")
            stack.callback(Running(client).stop)
        stack.callback(Waiting.gate.set)
        connected(referee.address, "organiser", AGENTS)
        yield referee.address


@pytest.fixture
def at(address: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The referee as every command finds it."""
    monkeypatch.setenv("ARENA_SERVER", address)
    monkeypatch.setenv("ARENA_TOKEN", "organiser")
    return address


@pytest.fixture
def held(at: str, data: Callable[..., Any]) -> Iterator[str]:
    """A match that goes on until the gate is opened."""
    Waiting.gate.clear()
    yield data("match", "create", *SEATED, "waiting", "--option", "rounds=2")["match"]
    Waiting.gate.set()


@pytest.mark.usefixtures("at")
def test_agents_are_listed(data: Callable[..., Any], run: Callable[..., Any]) -> None:
    told = data("match", "agents")
    assert [one["name"] for one in told] == sorted(AGENTS)
    assert told[0]["client"] == "conquest-arena sdk, broken"
    assert "waiting" in run("match", "agents", "--table").stdout


@pytest.mark.usefixtures("at")
def test_a_match_is_made_shown_listed_and_fetched(
    run: Callable[..., Any], data: Callable[..., Any], tmp_path: Path
) -> None:
    words = ("--variant", "officers", "--option", "rounds=3", "--time", "30+0/9", "--seed", "4", "--id", "m-1")
    made = run("match", "create", *SEATED, "one", *words, "--record", tmp_path / "m.cqr")
    assert made.exit_code == 0
    assert made.stderr == "Match m-1 runs; 'arena match watch m-1' tells it.\n"
    told = json.loads(made.stdout)
    assert (told["state"], told["variant"], told["time"]) == ("finished", "officers", "30+0/9")
    assert [seat["agent"] for seat in told["seats"]] == ["one", "two", "one"]
    assert min(seat["place"] for seat in told["seats"]) == 1
    assert data("match", "show", "m-1") == told
    assert told in data("match", "list", "--state", "finished")
    assert len(data("match", "list", "--most", "1")) == 1
    fetched = run("match", "record", "m-1", "--output", tmp_path / "again.cqr")
    assert (fetched.exit_code, fetched.stdout) == (0, "")
    assert (tmp_path / "again.cqr").read_bytes() == (tmp_path / "m.cqr").read_bytes()
    assert run("replay", "verify", tmp_path / "m.cqr").exit_code == 0
    for shown in (run("match", "show", "m-1", "--table").stdout, run("match", "list", "--table").stdout):
        assert "m-1" in shown
        assert "officers" in shown


def test_a_running_match_is_told_so(run: Callable[..., Any], data: Callable[..., Any], held: str) -> None:
    assert data("match", "show", held)["state"] == "running"
    assert "place" not in data("match", "show", held)["seats"][0]
    assert "Round 0 of 2" in run("match", "show", held, "--table").stdout
    assert held in [match["match"] for match in data("match", "list", "--state", "running")]
    refused = run("match", "record", held, "--output", "never.cqr")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "still goes on; its record comes with its end" in refused.stderr
    assert not Path("never.cqr").exists()


@pytest.mark.parametrize("form", ["--table", "--json"])
def test_a_match_is_watched_to_its_end(launch: Callable[..., Any], at: str, held: str, form: str) -> None:
    """Watching needs no token."""
    watch = launch("match", "watch", held, "--server", at, form)
    first = watch.stdout.readline()
    Waiting.gate.set()
    rest = watch.stdout.read()  # communicate() would leave out what was read ahead
    assert (watch.wait(timeout=60), watch.stderr.read()) == (0, "")
    watch.stdout.close()
    watch.stderr.close()
    if form == "--table":
        assert first == "classic: A one, B two, C waiting\n"
        assert "Ended by round limit in round 2. Places: A " in rest.splitlines()[-1]
    else:
        lines = [json.loads(line) for line in rest.splitlines()]
        assert json.loads(first)["match"]["match"] == held
        assert [line["number"] for line in lines[:-1]] == list(range(len(lines) - 1))
        assert sorted(lines[-1]["result"]) == ["ending", "places", "rounds"]


@pytest.mark.usefixtures("at")
def test_faults_are_told(run: Callable[..., Any]) -> None:
    result = run("match", "create", *SEATED, "broken", "--option", "rounds=2", "--wait", "-q")
    assert result.exit_code == 3
    assert result.stderr.startswith("arena: seat C: bot broken raised RuntimeError: no idea (test_match.py:")
    assert result.stderr.endswith("(the first of 3)\n")
    assert [fault["kind"] for fault in json.loads(result.stdout)["faults"]] == [*["crash"] * 3, "forfeit"]


@pytest.mark.usefixtures("at")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["create", *SEATED, "nobody"], "agent 'nobody' is not connected; connected: broken, one"),
        (["create", "--agent", "one"], "classic is for 3, 4, 5, 6 players, not for 1"),
        (["create", *SEATED, "one", "--variant", "clasic"], "Did you mean 'classic'?"),
        (["create", *SEATED, "one", "--option", "rounds=0"], "must be between 1 and 1000"),
        (["create", *SEATED, "one", "--time", "5"], "write bank+increment/limit"),
        (["create", *SEATED, "one", "--time", "0+0/5"], "must be above 0"),
        (["create", *SEATED, "one", "--record", "missing/m.cqr"], "there is no folder missing"),
        (["create", *SEATED, "one", "--token", "token-one"], "has the role author; organiser is needed"),
        (["list", "--token", "other"], "the token is unknown; ask the organiser"),
        (["list", "--token", "zwölf"], "signs that no token has"),
        (["list", "--token", "a", "--token-file", "b"], "two tokens: give one"),
        (["list", "--token-file", "missing"], "token file missing cannot be read"),
        (["list", "--server", "somewhere"], "--server somewhere is no address: write HOST:PORT"),
        (["list", "--server", "unix:"], "is no address"),
        (["list", "--authority", "missing.pem"], "--authority missing.pem cannot be read"),
        (["list", "--authority", __file__], "has no certificate"),
        (["list", "--authority", "missing.pem", "--plain-text"], "give one of them"),
        (["show", "none"], "there is no match named 'none'"),
        (["watch", "none"], "no match named 'none' is running; one that is over has a record"),
        (["record", "none", "--output", "m.cqr"], "there is no match named 'none'"),
        (["record", "none", "--output", "."], "is a folder"),
    ],
)
def test_wrong_use_is_one_line(run: Callable[..., Any], words: list[str], said: str) -> None:
    result = run("match", *words)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert said in result.stderr


def test_without_a_token_nothing_is_dialled(run: Callable[..., Any]) -> None:
    result = run("match", "list")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "give --token or --token-file, or set ARENA_TOKEN" in result.stderr


def test_no_referee_is_one_line(run: Callable[..., Any], tmp_path: Path) -> None:
    result = run("match", "list", "--token", "x", "--server", f"unix:{tmp_path}/nobody")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert "nobody in plain text; 'arena referee serve' starts one." in result.stderr
