"""Bots in this process: finding them by name or file, and seating them in a match of engine.playout."""

import hashlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Sequence
from operator import index as as_index
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

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
        except Exception as error:
            raise BotLoadError(
                f"bot {self.name} cannot be made with a seed: {told(error, self.agent)}."
            ) from error

    def policy(self, seed: int) -> "AgentPolicy":
        return AgentPolicy(self.name, self.new(seed))


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
        except (Exception, SystemExit) as error:
            self.error = error
            detail = f"bot {self.name} raised {told(error, type(self.agent))}"
            raise BotFault(CRASH, detail[:LONGEST_DETAIL]) from error
        try:
            option, amount = answer
            option, amount = as_index(option), as_index(amount)
        except (TypeError, ValueError) as error:
            self.error = error
            raise self.illegal(f"answered {shown(answer)}, which is not Answer(option, amount)") from error
        self.check(codes, option, amount)
        return option, amount

    def check(self, codes: list[int], option: int, amount: int) -> None:
        if not 0 <= option < len(codes):
            raise self.illegal(f"chose option {option}; there were {len(codes)}, counted from 0")
        code = codes[option]
        low, high = code >> LOW_SHIFT & 255, code & HIGH_MASK
        if not low <= amount <= high:
            verb = SCHEMAS[code >> VERB_SHIFT].name
            raise self.illegal(f"chose amount {amount} for option {option} ({verb}), which takes {low} to {high}")

    def illegal(self, what: str) -> BotFault:
        return BotFault(ILLEGAL, f"bot {self.name} {what}"[:LONGEST_DETAIL])


def seat_bots(bots: Sequence[BotSpec], key: bytes) -> list[Policy]:
    """A new bot for each seat, with a seed of its own from the match's key."""
    return [bot.policy(agent_seed(key, seat)) for seat, bot in enumerate(bots)]


def load_bot(spec: str) -> BotSpec:
    """The bot of a built-in name, or of `path/file.py:Class`; BotLoadError if there is none."""
    if spec in BOTS:
        return BotSpec(spec, BOTS[spec], built_in=True)
    file, colon, name = spec.rpartition(":")
    if colon and file:
        return BotSpec(f"{Path(file).name}:{name}", find_class(load_file(Path(file)), name, spec), built_in=False)
    if spec.endswith(".py") or len(Path(spec).parts) > 1:
        raise BotLoadError(f"bot '{spec}' names no class. {HOW_TO_NAME_A_FILE}")
    raise BotLoadError(f"{UnknownName('bot', spec, list(BOTS))} {HOW_TO_NAME_A_FILE}")


def load_file(path: Path) -> ModuleType:
    """Runs the file as a module, once; modules that lie beside it can be imported by it."""
    if not path.is_file():
        raise BotLoadError(f"bot file {path} does not exist; give the path from {Path.cwd()}, or a whole path.")
    name = f"bot_{path.stem}_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]}"
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
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise BotLoadError(f"bot file {path} does not import: {told(error, path)}. Mend it first.") from error
    return module


def find_class(module: ModuleType, name: str, spec: str) -> type[Agent]:
    found = getattr(module, name, None)
    if isinstance(found, type) and issubclass(found, Agent) and found is not Agent:
        return found
    bots = [
        word
        for word, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Agent) and value.__module__ == module.__name__
    ]
    there = f"Bots in that file: {', '.join(bots)}." if bots else "Write `class MyBot(Agent)` there."
    what = "has no such class" if found is None else "does not name a subclass of sdk.agent.Agent"
    raise BotLoadError(f"bot '{spec}' {what}. {there}")


def told(error: BaseException, home: type | Path) -> str:
    """The exception in one line, with the place in the bot's own file where it came from."""
    text = " ".join(traceback.format_exception_only(error)[-1].split())
    file = str(home) if isinstance(home, Path) else source_file(home)
    if isinstance(error, SyntaxError):
        return f"{text} ({Path(error.filename or file).name}:{error.lineno})"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).name == Path(file).name] or frames
    return f"{text} ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else text


def source_file(home: type) -> str:
    try:
        return inspect.getfile(home)
    except (OSError, TypeError):  # a class made at a prompt
        return ""


def shown(answer: object) -> str:
    """The answer as text, whatever it is."""
    try:
        return repr(answer)[:100]
    except Exception:
        return f"a {type(answer).__name__}"
