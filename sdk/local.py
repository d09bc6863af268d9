"""Bots in this process: finding them by name or file, and seating them in a match of engine.playout."""

import hashlib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from operator import index as as_index
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

from engine.chance import agent_seed
from engine.playout import CRASH, ILLEGAL, BotFault, Policy
from engine.rules.choices import HIGH_MASK, LOW_SHIFT, SCHEMAS, VERB_SHIFT
from engine.rules.errors import UnknownName
from engine.rules.observe import observe
from engine.rules.ruleset import Ruleset
from engine.rules.state import State
from sdk.agent import Agent, Decision
from sdk.bots import BOTS

LONGEST_DETAIL: Final = 300  # characters of a fault's description that go on the record
LONGEST_ANSWER: Final = 100  # characters of a wrong answer in it
HOW_TO_NAME_A_FILE: Final = "A bot of your own is named by file and class: path/file.py:Class."


class BotLoadError(ValueError):
    """No bot could be made of what was asked for; the message says what to do."""


class BotSpec(NamedTuple):
    """A bot that was found: its class, and what to call it."""

    name: str
    agent: type[Agent]
    built_in: bool

    def new(self, seed: int) -> Agent:
        """A bot for one seat of one match."""
        try:
            return self.agent(seed)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            what = f"bot {self.name} cannot be made: {told(error, self.agent)}"
            advice = "" if place(error, self.agent) else ". Give it `def __init__(self, seed)`, or none"
            raise BotLoadError(f"{what}{advice}.") from error

    def policy(self, seed: int) -> "AgentPolicy | Unmade":
        try:
            return AgentPolicy(self.name, self.new(seed))
        except BotLoadError as error:
            return Unmade(error)


class Unmade(Policy):
    """Sits in for a bot that could not be made: each of its decisions is a fault."""

    def __init__(self, error: BotLoadError) -> None:
        self.error = error

    def choose(self, r: Ruleset, s: State, seat: int, codes: list[int]) -> tuple[int, int]:
        raise BotFault(CRASH, plain(str(self.error)))


class AgentPolicy(Policy):
    """Seats an agent: shows it what its seat may know, and checks what it answers.

    A fault of the bot is raised as BotFault; `error` keeps the exception behind the last one.
    """

    def __init__(self, name: str, agent: Agent) -> None:
        self.name = name
        self.agent = agent
        self.error: BaseException | None = None

    def choose(self, r: Ruleset, s: State, seat: int, codes: list[int]) -> tuple[int, int]:
        decision = Decision(r, observe(r, s, seat), codes[:])  # a copy: the engine's own list is not the bot's
        try:
            answer = self.agent.decide(decision)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            self.error = error
            raise self.fault(CRASH, f"raised {told(error, type(self.agent))}") from error
        option, amount = self.read(answer)
        self.check(codes, option, amount)
        return option, amount

    def read(self, answer: Any) -> tuple[int, int]:
        try:
            option, amount = answer
            return int.__index__(as_index(option)), int.__index__(as_index(amount))  # of a subclass, the number
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


def seat_bots(bots: Sequence[BotSpec], key: bytes) -> list[Policy]:
    """A new bot for each seat, with a seed of its own from the match's key."""
    return [bot.policy(agent_seed(key, seat)) for seat, bot in enumerate(bots)]


def load_bot(spec: str) -> BotSpec:
    """The bot of a built-in name, or of `path/file.py:Class`; BotLoadError if there is none."""
    if spec in BOTS:
        return BotSpec(spec, BOTS[spec], built_in=True)
    file, _, name = spec.rpartition(":")
    if file and name:
        agent = find_class(load_file(Path(file)), name, spec)
        return BotSpec(plain(f"{Path(file).name}:{name}"), agent, built_in=False)
    if file or spec.endswith(".py") or len(Path(spec).parts) > 1:
        raise BotLoadError(f"bot '{spec}' names no class. {HOW_TO_NAME_A_FILE}")
    raise BotLoadError(f"{UnknownName('bot', spec, list(BOTS))} {HOW_TO_NAME_A_FILE}")


def load_file(path: Path) -> ModuleType:
    """Runs the file as a module, once; modules that lie beside it can be imported by it."""
    if path.is_dir():
        raise BotLoadError(f"bot file {path} is a folder: name a file in it, like {path / 'bot.py'}:Class.")
    if not path.is_file():
        raise BotLoadError(f"bot file {path} does not exist; give the path from {Path.cwd()}, or a whole path.")
    name = f"bot_{path.stem}_{hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BotLoadError(f"bot file {path} is not a Python file: its name must end in .py.")
    module = importlib.util.module_from_spec(spec)
    beside = str(path.resolve().parent)
    if beside not in sys.path:
        sys.path.append(beside)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        sys.modules.pop(name, None)
        if isinstance(error, KeyboardInterrupt):
            raise
        raise BotLoadError(f"bot file {path} does not import: {told(error, path)}. Mend it first.") from error
    return module


def find_class(module: ModuleType, name: str, spec: str) -> type[Agent]:
    found = getattr(module, name, None)
    if isinstance(found, type) and issubclass(found, Agent) and found is not Agent:
        check_decide(found, spec)
        return found
    bots = [
        word
        for word, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Agent) and value.__module__ == module.__name__
    ]
    there = f"Bots in that file: {', '.join(bots)}." if bots else "Write `class MyBot(Agent)` there."
    what = "has no such class" if found is None else "does not name a subclass of sdk.agent.Agent"
    raise BotLoadError(f"bot '{spec}' {what}. {there}")


def check_decide(agent: type[Agent], spec: str) -> None:
    """Refuses a class that would fail at every decision."""
    decide = agent.decide
    if decide is Agent.decide:
        what = "has no method `decide`"
    elif inspect.iscoroutinefunction(decide) or inspect.isasyncgenfunction(decide):
        what = "has an async `decide`"
    elif inspect.isgeneratorfunction(decide):
        what = "has a `decide` that yields"
    else:
        return
    raise BotLoadError(f"bot '{spec}' {what}. Write `def decide(self, decision)` that returns an Answer.")


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


def foreign(file: str) -> bool:
    """Whether it is neither this file nor a part of Python's import."""
    return file != __file__ and not file.startswith("<frozen importlib")


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
