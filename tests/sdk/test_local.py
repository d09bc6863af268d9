"""Bots of users: how they are found, and what comes of their faults."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.playout import CRASH, ILLEGAL, BotFault
from engine.rules.state import CHANCE
from engine.rules.variants import ruleset
from sdk.agent import Agent, Answer, Decision, MatchInfo
from sdk.local import AgentPolicy, BotLoadError, load_bot, seat_bots


class Scripted(Agent):
    """Answers what it is told to."""

    def __init__(self, answer: object) -> None:
        super().__init__()
        self.answer = answer

    def decide(self, decision: Decision) -> Answer:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer  # type: ignore[return-value]


class Trap:
    """Fails wherever it is touched."""

    def __iter__(self) -> Iterator[int]:
        raise BaseException("iter")

    def __index__(self) -> int:
        raise GeneratorExit

    def __repr__(self) -> str:
        raise SystemExit


class Mask(int):
    """A number that lies when it is compared."""

    def __lt__(self, other: object) -> bool:
        return True

    __le__ = __gt__ = __ge__ = __lt__


def asked(agent: Agent) -> tuple[int, int]:
    """The answer to the second decision of a match: which of 42 places to claim."""
    r = ruleset("classic", 3)
    s = r.new()
    codes: list[int] = []
    r.options(s, CHANCE, codes)
    r.apply(s, CHANCE, codes[0], 5)
    (seat,) = r.waiting(s)
    r.options(s, seat, codes)
    return AgentPolicy("tested", agent, MatchInfo("test", r, seat, ())).choose(r, s, seat, codes)


def test_a_good_answer_is_passed_on() -> None:
    assert asked(Scripted(Answer(7, 1))) == (7, 1)
    assert asked(Scripted((0, True))) == (0, 1)


@pytest.mark.parametrize(
    ("answer", "kind", "told"),
    [
        (Answer(42, 1), ILLEGAL, "chose option 42; there were 42, counted from 0"),
        (Answer(-1, 1), ILLEGAL, "chose option -1"),
        (Answer(0, 2), ILLEGAL, "chose amount 2 for option 0 (claim), which takes 1 to 1"),
        (None, ILLEGAL, "answered None, which is not Answer(option, amount)"),
        ("stop", ILLEGAL, "answered 'stop', which is not"),
        ((0.5, 1), ILLEGAL, "answered (0.5, 1), which is not"),
        ((1, 2, 3), ILLEGAL, "which is not Answer"),
        (ZeroDivisionError("oops"), CRASH, "raised ZeroDivisionError: oops (test_local.py:"),
        (Answer(0, 10**5000), ILLEGAL, "chose amount a number of 16610 bits for option 0 (claim)"),
        (Answer(-(10**5000), 0), ILLEGAL, "chose option a number of 16610 bits"),
        ((10**5000, 0.5), ILLEGAL, "answered a tuple that cannot be shown, which is not"),
        (Trap(), ILLEGAL, "answered a Trap that cannot be shown, which is not"),
        ((Trap(), 1), ILLEGAL, "which is not"),
        ((0, Mask(7)), ILLEGAL, "chose amount 7"),
        ("\udcff\x1b[2J", ILLEGAL, r"'\udcff\x1b[2J'"),
        (ValueError("lone \udcff\x1b\n\nline"), CRASH, r"raised ValueError: lone \udcff\x1b line (test_local.py:"),
        (ValueError(), CRASH, "raised ValueError (test_local.py:"),
        (ValueError(Trap()), CRASH, "raised ValueError: a ValueError that cannot be shown"),
        (ValueError("Ends."), CRASH, "raised ValueError: Ends (test_local.py:"),
        (BaseException("odd"), CRASH, "raised BaseException: odd"),
        (GeneratorExit(), CRASH, "raised GeneratorExit"),
        (SystemExit(3), CRASH, "raised SystemExit: 3"),
        (RecursionError("x" * 9999), CRASH, "raised RecursionError: xxx"),
    ],
)
def test_a_fault_is_told(answer: object, kind: int, told: str) -> None:
    with pytest.raises(BotFault) as caught:
        asked(Scripted(answer))
    assert caught.value.kind == kind
    assert "bot tested" in caught.value.detail
    assert told in caught.value.detail
    assert len(caught.value.detail) <= 300
    assert caught.value.detail.isprintable()


def test_a_bot_cannot_change_the_options() -> None:
    class Vandal(Agent):
        def decide(self, decision: Decision) -> Answer:
            decision.codes.clear()
            return Answer(3, 1)

    assert asked(Vandal()) == (3, 1)


def test_interrupts_are_not_faults() -> None:
    with pytest.raises(KeyboardInterrupt):
        asked(Scripted(KeyboardInterrupt()))


def test_every_seat_has_a_seed_of_its_own() -> None:
    seated = seat_bots([load_bot("random")] * 3, bytes(32), ruleset("classic", 3))
    again = seat_bots([load_bot("random")] * 3, bytes(32), ruleset("classic", 3))
    seeds = [policy.player.agent.seed for policy in seated if isinstance(policy, AgentPolicy)]
    assert len(set(seeds)) == 3
    assert seeds == [policy.player.agent.seed for policy in again if isinstance(policy, AgentPolicy)]


FILE = """
import helper
from sdk.agent import Agent, Answer

class Mine(Agent):
    def decide(self, decision):
        return Answer(0, helper.LOW)

class Strict(Mine):
    def __init__(self):
        pass

class Quits(Mine):
    def __init__(self, seed):
        raise SystemExit(0)

class Mute(Agent):
    pass

class Later(Agent):
    async def decide(self, decision):
        return Answer(0, 1)

class Drip(Agent):
    def decide(self, decision):
        yield Answer(0, 1)

word = "no class"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(FILE)
    (tmp_path / "helper.py").write_text("LOW = 1\n")
    (tmp_path / "broken.py").write_text("import nothing_of_that_name\n")
    (tmp_path / "typo.py").write_text("class Mine(:\n")
    (tmp_path / "quits.py").write_text("raise SystemExit('bye')\n")
    (tmp_path / "base.py").write_text("raise BaseException('odd')\n")
    (tmp_path / "binary.py").write_bytes(b"\0\1\2")
    (tmp_path / "sub.d").mkdir()
    (tmp_path / "empty.py").write_text("")
    (tmp_path / "notes.txt").write_text("")
    return tmp_path


def test_a_file_may_import_what_lies_beside_it(folder: Path) -> None:
    found = load_bot(f"{folder / 'mine.py'}:Mine")
    assert (found.name, found.built_in) == ("mine.py:Mine", False)
    assert asked(found.new(1)) == (0, 1)


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("strateigst", "strategist"),
        ("mine.py", "names no class. A bot of your own is named by file and class"),
        ("mine.py:Yours", "has no such class. Bots in that file: Mine, Strict, "),
        ("mine.py:word", "does not name a subclass of sdk.agent.Agent. Bots in that file: Mine, Strict, "),
        ("mine.py:", "names no class. A bot of your own is named by file and class"),
        ("mine.py:Mute", "has no method `decide`. Write `def decide(self, decision)`"),
        ("mine.py:Later", "has an async `decide`"),
        ("mine.py:Drip", "has a `decide` that yields"),
        ("sub.d:Mine", "is a folder: name a file in it"),
        ("mine.py:Agent", "does not name a subclass"),
        ("empty.py:Mine", "has no such class. Write `class MyBot(Agent)` there."),
        ("gone.py:Mine", "does not exist"),
        ("notes.txt:Mine", "its name must end in .py"),
        ("broken.py:Mine", "does not import: ModuleNotFoundError: No module named 'nothing_of_that_name'"),
        ("typo.py:Mine", "does not import: SyntaxError"),
        ("quits.py:Mine", "does not import: SystemExit: bye (quits.py:1)"),
        ("base.py:Mine", "does not import: BaseException: odd (base.py:1)"),
    ],
)
def test_what_cannot_be_loaded_is_told(folder: Path, spec: str, told: str) -> None:
    with pytest.raises(BotLoadError) as caught:
        load_bot(str(folder / spec) if "." in spec else spec)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_binary_file_is_told_without_a_line(folder: Path) -> None:
    with pytest.raises(BotLoadError, match="does not import") as caught:
        load_bot(f"{folder / 'binary.py'}:Mine")
    assert "None" not in str(caught.value)


def test_a_class_that_takes_no_seed_is_told(folder: Path) -> None:
    with pytest.raises(
        BotLoadError, match=r"TypeError: .* Give it `def __init__\(self, seed\)`, or none\.$"
    ) as caught:
        load_bot(f"{folder / 'mine.py'}:Strict").new(1)
    assert "local.py" not in str(caught.value)


def test_a_bot_that_quits_while_it_is_made_is_told(folder: Path) -> None:
    found = load_bot(f"{folder / 'mine.py'}:Quits")
    with pytest.raises(BotLoadError, match=r"cannot be made: SystemExit: 0 \(mine.py:15\)\.$"):
        found.new(1)
    (policy,) = seat_bots([found], bytes(32), ruleset("classic", 3))
    with pytest.raises(BotFault) as caught:
        policy.choose(ruleset("classic", 3), ruleset("classic", 3).new(), 0, [0])
    assert (caught.value.kind, "SystemExit: 0" in caught.value.detail) == (CRASH, True)
