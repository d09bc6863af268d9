"""The conformance check: a bot for each thing that it has to find."""

import random
import threading
from collections.abc import Iterator, Sequence
from typing import ClassVar

import pytest

from arena.loopback import LoopbackReferee
from engine.referee.auth import Identity, Role
from engine.rules.variants import VARIANTS
from sdk.agent import Agent, Answer, Decision, MatchEnd
from sdk.bots.aggressor import Aggressor
from sdk.local import BotSpec, load_bot
from sdk.testing import FAIL, PASS, WARN, Check, Conformance

TOKENS = {"author": Identity("bot", Role.AUTHOR), "organiser": Identity("rival", Role.ORGANISER)}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with LoopbackReferee(TOKENS) as referee:
        yield referee.address


def conformance(address: str, agent: type[Agent], token: str = "author", patience: float = 60.0) -> Conformance:
    bot = BotSpec("mine", agent, built_in=False)
    rivals = load_bot("aggressor"), load_bot("strategist")
    return Conformance(bot, address, token, "organiser", *rivals, variants=("classic",), patience=patience)


def checked(address: str, agent: type[Agent]) -> dict[str, Check]:
    return {check.name: check for check in conformance(address, agent).checks()}


def wrong(checks: dict[str, Check]) -> dict[str, str]:
    """What did not pass, and how."""
    return {check.name: check.status for check in checks.values() if check.status != PASS}


class Forgetful(Aggressor):
    """Draws, and keeps its seed to itself."""

    def decide(self, decision: Decision) -> Answer:
        option = random.randrange(len(decision.options))
        return Answer(option, decision.options[option].high)


def test_a_bot_that_plays_otherwise_each_time_is_warned(address: str) -> None:
    checks = checked(address, Forgetful)
    assert wrong(checks) == {"determinism": WARN}
    assert "draw from self.seed only" in checks["determinism"].detail
    mishaps = {"bad answers", "exception", "late answers", "reconnect", "restart"}
    assert mishaps | {"handshake", "no faults", "hooks", "thinking time", "decisions: classic"} <= set(checks)


class Raising(Aggressor):
    def decide(self, decision: Decision) -> Answer:
        if decision.attacks():
            raise RuntimeError("no idea")
        return super().decide(decision)


class Cheating(Aggressor):
    def decide(self, decision: Decision) -> Answer:
        return Answer(0, 10**6)


class Unmakable(Aggressor):
    def __init__(self, seed: int = 0) -> None:
        raise MemoryError("no room")


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        (Raising, "crash: bot mine raised RuntimeError: no idea (test_testing.py:"),
        (Cheating, "illegal: bot mine chose amount 1000000 for option 0"),
        (Unmakable, "crash: bot mine cannot be made: MemoryError: no room"),
    ],
)
def test_a_bot_with_faults_fails(address: str, agent: type[Agent], said: str) -> None:
    checks = checked(address, agent)
    assert wrong(checks)["no faults"] == FAIL
    assert checks["no faults"].detail.startswith(said)
    assert "bad answers" not in checks


class Untidy(Aggressor):
    """Answers well, one by one."""

    @classmethod
    def decide_batch(cls, asked: Sequence[tuple[Agent, Decision]]) -> list[Answer]:
        raise SystemExit(f"not {len(asked)} at once")


class Sulky(Aggressor):
    def on_end(self, end: MatchEnd) -> None:
        raise ValueError("I lost")


@pytest.mark.parametrize(
    ("agent", "said"),
    [(Untidy, "decide_batch failed, so each is asked alone: SystemExit: not "), (Sulky, "I lost")],
)
def test_what_costs_nothing_is_found_too(
    address: str, agent: type[Agent], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Conformance, "mishaps", lambda self: iter(()))
    checks = checked(address, agent)
    assert wrong(checks) == {"hooks": FAIL}
    assert said in checks["hooks"].detail


class Stuck(Aggressor):
    """Waits for something that never comes."""

    free: ClassVar[threading.Event] = threading.Event()

    def decide(self, decision: Decision) -> Answer:
        self.free.wait(60)
        return super().decide(decision)


def test_a_bot_that_never_answers_is_given_up(address: str) -> None:
    Stuck.free.clear()
    *_, last = conformance(address, Stuck, patience=0.5).checks()
    Stuck.free.set()
    assert (last.name, last.status) == ("answers at all", FAIL)
    assert "longer than 0.5 s" in last.detail


def test_without_a_welcome_there_is_nothing_to_check(address: str) -> None:
    (only,) = conformance(address, Aggressor, token="other").checks()
    assert (only.name, only.status) == ("handshake", FAIL)


def test_a_decision_that_was_never_asked_is_missed(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a run over all variants has to meet them all; here one is all there is."""
    monkeypatch.setattr("sdk.testing.VARIANTS", {"classic": VARIANTS["classic"]})
    monkeypatch.setattr(Conformance, "mishaps", lambda self: iter(()))
    checks = checked(address, Aggressor)
    assert wrong(checks) == {"every kind of decision": FAIL}
    assert checks["every kind of decision"].detail == "never asked: fortify_from"


class Beginner(Aggressor):
    """Does not know what to do with cards, and does not live to hold a set of them."""

    def decide(self, decision: Decision) -> Answer:
        if decision.sets():
            raise LookupError("cards")
        return decision.stop()


def test_a_decision_that_the_bot_does_not_come_to_is_asked_beside_its_play(address: str) -> None:
    checks = checked(address, Beginner)
    assert wrong(checks) == {"every kind of decision": FAIL}
    assert "raised LookupError: cards" in checks["every kind of decision"].detail
