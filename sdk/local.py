"""Bots in this process: finding them by name or file, and seating them in a match of engine.playout."""

import hashlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

from engine.chance import agent_seed
from engine.playout import CRASH, BotFault, Policy
from engine.rules.errors import UnknownName
from engine.rules.observe import observe, redact
from engine.rules.ruleset import Ruleset
from engine.rules.state import ENDINGS, State
from sdk.agent import Agent, Decision, MatchEnd, MatchInfo
from sdk.bots import BOTS
from sdk.player import Player, place, plain, told

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

    def policy(self, seed: int, match: MatchInfo) -> "AgentPolicy | Unmade":
        try:
            return AgentPolicy(self.name, self.new(seed), match)
        except BotLoadError as error:
            return Unmade(error)


class Unmade(Policy):
    """Sits in for a bot that could not be made: each of its decisions is a fault."""

    def __init__(self, error: BotLoadError) -> None:
        self.error = error

    def choose(self, r: Ruleset, s: State, seat: int, codes: list[int]) -> tuple[int, int]:
        raise BotFault(CRASH, plain(str(self.error)))


class AgentPolicy(Policy):
    """Seats an agent in a match of this process: shows it what its seat may know."""

    def __init__(self, name: str, agent: Agent, match: MatchInfo) -> None:
        self.player = Player(name, agent)
        self.match: MatchInfo | None = match  # until it has been told
        self.heard = 0  # events

    @property
    def error(self) -> BaseException | None:
        return self.player.error

    def choose(self, r: Ruleset, s: State, seat: int, codes: list[int]) -> tuple[int, int]:
        match, self.match = self.match, None
        if match is not None:
            self.player.start(match)
        self.hear(s, seat)
        seen = observe(r, s, seat)  # now: the position goes on while the bot may keep the decision
        answer = self.player.decide(Decision(r, lambda: seen, codes[:]))
        return answer.option, answer.amount

    def hear(self, s: State, seat: int) -> None:
        if self.player.wants_events and s.events is not None:
            news, self.heard = s.events[self.heard :], len(s.events)
            self.player.hear([redact(event, seat) for event in news])

    def end(self, s: State, seat: int) -> None:
        """Tells the agent how it ended; what it does then can do no harm."""
        try:
            self.hear(s, seat)
            self.player.end(MatchEnd(s.places, ENDINGS[s.ending]))
        except BotFault:
            pass


def seat_bots(bots: Sequence[BotSpec], key: bytes, r: Ruleset, match_id: str = "") -> list[Policy]:
    """A new bot for each seat, with a seed of its own from the match's key."""
    names = tuple([bot.name for bot in bots])
    return [
        bot.policy(agent_seed(key, seat), MatchInfo(match_id, r, seat, names)) for seat, bot in enumerate(bots)
    ]


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
