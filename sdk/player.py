"""Player: an agent in its seat. Whatever its code does, the match goes on: a fault is told, not raised on."""

import inspect
import traceback
from collections.abc import Callable, Sequence
from itertools import islice
from operator import index as as_index
from pathlib import Path
from typing import Any, Final

from engine.playout import CRASH, ILLEGAL, BotFault
from engine.rules.choices import HIGH_MASK, LOW_SHIFT, SCHEMAS, VERB_SHIFT, Action
from engine.rules.events import Event
from sdk.agent import Agent, Answer, Decision, MatchEnd, MatchInfo

LONGEST_DETAIL: Final = 300  # characters of a fault's description that go on the record
LONGEST_PLAN: Final = 64  # a referee takes no more
LONGEST_ANSWER: Final = 100  # characters of a wrong answer in it


class Player:
    """Asks an agent and checks what it answers.

    A fault of the bot is raised as BotFault; `error` keeps the exception behind the last one.
    """

    def __init__(self, name: str, agent: Agent) -> None:
        self.name = name
        self.agent = agent
        self.wants_events = hears_events(type(agent))
        self.error: BaseException | None = None

    def decide(self, decision: Decision) -> Answer:
        codes = decision.codes[:]  # the bot may change its own
        answer = self.guarded(lambda: self.agent.decide(decision))
        return self.checked(codes, answer)

    def start(self, match: MatchInfo) -> None:
        self.guarded(lambda: self.agent.on_start(match))

    def hear(self, events: Sequence[Event]) -> None:
        for event in events:
            self.guarded(lambda event=event: self.agent.on_event(event))  # type: ignore[misc]

    def end(self, end: MatchEnd) -> None:
        self.guarded(lambda: self.agent.on_end(end))

    def guarded(self, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            self.error = error
            raise self.fault(CRASH, f"raised {told(error, type(self.agent))}") from error

    def checked(self, codes: list[int], answer: Any) -> Answer:
        """The answer, if it is one of those allowed."""
        read = self.read(answer)
        self.check(codes, read.option, read.amount)
        return read

    def read(self, answer: Any) -> Answer:
        try:
            option, amount, note, plan = answer if isinstance(answer, Answer) else (*answer, "", ())
            planned = tuple([Action(*[as_index(part) for part in one]) for one in islice(plan, LONGEST_PLAN)])
            # Of a subclass of int, the number.
            return Answer(int.__index__(as_index(option)), int.__index__(as_index(amount)), str(note), planned)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            self.error = error
            what = f"answered {shown(answer)[:LONGEST_ANSWER]}, which is not Answer(option, amount)"
            raise self.fault(ILLEGAL, what) from error

    def check(self, codes: list[int], option: int, amount: int) -> None:
        if not 0 <= option < len(codes):
            what = f"chose option {shown(option)}; there were {len(codes)}, counted from 0"
            raise self.fault(ILLEGAL, what)
        code = codes[option]
        low, high = code >> LOW_SHIFT & 255, code & HIGH_MASK
        if not low <= amount <= high:
            verb = SCHEMAS[code >> VERB_SHIFT].name
            what = f"chose amount {shown(amount)} for option {option} ({verb}), which takes {low} to {high}"
            raise self.fault(ILLEGAL, what)

    def fault(self, kind: int, what: str) -> BotFault:
        return BotFault(kind, plain(f"bot {self.name} {what}"))


def hears_events(agent: type[Agent]) -> bool:
    return agent.on_event is not Agent.on_event


def decides_in_batches(agent: type[Agent]) -> bool:
    return agent.decide_batch.__func__ is not Agent.decide_batch.__func__  # type: ignore[attr-defined]


# Telling


def told(error: BaseException, home: type | Path) -> str:
    """The exception in one line, with the place in the bot's own file where it came from."""
    message = plain(shown(error, str)).rstrip(".")  # a sentence of ours goes on after it
    where = place(error, home)
    return type(error).__name__ + (f": {message}" if message else "") + (f" ({where})" if where else "")


def place(error: BaseException, home: type | Path) -> str:
    """`file:line`, best of the bot's own file; empty where none of its code ran."""
    file = str(home) if isinstance(home, Path) else source_file(home)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if foreign(frame.filename)]
    own = [frame for frame in frames if Path(frame.filename).name == Path(file).name] or frames
    return f"{Path(own[-1].filename).name}:{own[-1].lineno}" if own else ""


OURS: Final = (__file__, str(Path(__file__).with_name("local.py")))


def foreign(file: str) -> bool:
    """Whether it is neither of those that call bots nor a part of Python's import."""
    return file not in OURS and not file.startswith("<frozen importlib")


def source_file(home: type) -> str:
    try:
        return inspect.getfile(home)
    except (OSError, TypeError):  # a class made at a prompt
        return ""


def shown(value: object, how: Callable[[object], str] = repr) -> str:
    """The value as text, whatever it is."""
    try:
        if isinstance(value, int) and value.bit_length() > 64:
            return f"a number of {value.bit_length()} bits"
        return how(value)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return f"a {type(value).__name__} that cannot be shown"


def plain(text: str) -> str:
    """The text in one line that every terminal and every record takes, and not too long."""
    line = " ".join(text.split())[:LONGEST_DETAIL]
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in line)[:LONGEST_DETAIL]
