"""The file of a tournament, read and checked. docs/tournament-file.md tells users what may stand in it."""

import math
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.config_keys import FORMATS, ISOLATIONS, TABLES, Key
from arena.job import COMMAND
from engine.referee.clock import TimeControl, read_time_control
from engine.rules.errors import RulesError, UnknownName
from engine.rules.variants import find, ruleset
from sdk.bots import BOTS

LONGEST_NAME: Final = 64
MOST_ENTRANTS: Final = 1000
LABEL: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
HOW_TO_NAME_A_BOT: Final = "Write a built-in name, path/file.py:Class, or cmd: and a command."


class ConfigError(ValueError):
    """A file that no tournament can be made of: all its problems, a line each."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class VariantEntry(NamedTuple):
    """A variant to be played, at tables of `players`. The label names it in ids and tables."""

    name: str
    players: int
    options: dict[str, int]
    label: str


class Entrant(NamedTuple):
    name: str
    bot: str
    absent: tuple[int, ...] = ()  # rounds
    withdrawn_after: int | None = None  # its last round
    author: str | None = None
    language: str | None = None

    def plays_in(self, round: int) -> bool:
        return round not in self.absent and (self.withdrawn_after is None or round <= self.withdrawn_after)


class FormatSettings(NamedTuple):
    kind: str
    rounds: int = 1
    blocks: int | None = None  # instead of rounds
    table_cap: int = 1000
    champion: int = 0  # the number of an entrant
    best_of: int = 1


class StopRule(NamedTuple):
    """Ends a tournament early; what is not given never does."""

    max_matches: int | None = None
    max_minutes: float | None = None
    half_width: float | None = None

    def reason(self, matches: int, minutes: float, half_width: float) -> str | None:
        """Why to stop now, after so many matches and minutes, the widest interval being so wide; None: go on."""
        if self.max_matches is not None and matches >= self.max_matches:
            return f"{self.max_matches} matches were played"
        if self.max_minutes is not None and minutes >= self.max_minutes:
            return f"{self.max_minutes:g} minutes are over"
        if self.half_width is not None and half_width <= self.half_width:
            return f"every score is known to ±{self.half_width:g}"
        return None


class TournamentConfig(NamedTuple):
    """A tournament as its file tells it. Entrants are known by their number, from 0, which is their seed too."""

    name: str
    variants: tuple[VariantEntry, ...]
    entrants: tuple[Entrant, ...]
    format: FormatSettings
    stop: StopRule
    time: TimeControl
    isolation: str
    seed: int | None


def read_config(path: Path) -> TournamentConfig:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ConfigError([f"{path}: it is not text in UTF-8. Save it as UTF-8."]) from None
    return parse_config(text, str(path))


def parse_config(text: str, file: str) -> TournamentConfig:
    """The tournament that the text tells; `file` is named in the problems."""
    try:
        data = tomllib.loads(text.removeprefix("\ufeff"))  # some editors begin a file with a byte order mark
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([f"{file}: it is not TOML: {error}. Mend that line."]) from None
    reader = Reader(file)
    config = reader.tournament(data)
    if reader.problems:
        raise ConfigError(reader.problems)
    return config


def command_problem(bot: str) -> str:
    """Why nothing can be started by a command; empty if it can be tried."""
    try:
        words = shlex.split(bot.removeprefix(COMMAND))
    except ValueError as error:
        return f"{bot!r} cannot be read: {str(error).lower()}. Quote it as for a shell."
    return "" if any(words[:1]) else f"{bot!r} names no command. Write it like: cmd:./bot --fast"


class Reader:
    """Reads one file and notes what is wrong with it; a wrong value is replaced, so that reading goes on."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[str] = []

    def wrong(self, key: str, problem: str) -> None:
        line = " ".join(f"{self.file}: {key}: {problem}".split())
        self.problems.append("".join(sign if sign.isprintable() else "?" for sign in line))

    def tournament(self, data: dict[str, Any]) -> TournamentConfig:
        top = self.table("", data)
        entrants = self.entrants(top["entrants"])
        variants = self.variants(top["variants"], len(entrants))
        if top["name"]:
            self.check_name("name", top["name"])
        return TournamentConfig(
            top["name"],
            variants,
            entrants,
            self.format(top["format"], [one.name for one in entrants]),
            StopRule(**self.table("stop", top["stop"])),
            self.time(top["time"]),
            self.choice("isolation", top["isolation"], ISOLATIONS),
            top["seed"],
        )

    # Tables and values

    def table(self, name: str, data: dict[str, Any], where: str = "") -> dict[str, Any]:
        """The values of all keys of a table; `where` is how to call it in a problem, as `entrants[2]`."""
        prefix = f"{where or name}." if name else ""
        known = [key.name for key in TABLES[name]]
        for word in data:
            if word not in known:
                self.wrong(prefix + word, str(UnknownName("key", word, known)))
        return {key.name: self.value(prefix + key.name, key, data) for key in TABLES[name]}

    def value(self, where: str, key: Key, data: dict[str, Any]) -> Any:
        given = data.get(key.name, key.default)
        if key.name not in data:
            if key.required:
                self.wrong(where, f"it is missing. Add it, like: {key.example}")
        elif not key.kind.fits(given):
            self.wrong(where, f"must be {key.kind.about}, not {given!r}. Write it like: {key.example}")
        elif key.kind.is_number and not key.low <= given <= key.high:
            limits = f"at least {key.low}" if key.high == math.inf else f"between {key.low} and {key.high}"
            self.wrong(where, f"must be {limits}, not {given}. Write it like: {key.example}")
        elif key.required and not given:
            self.wrong(where, f"it is empty. Write it like: {key.example}")
        else:
            return given
        return key.default

    def choice(self, where: str, given: str, known: tuple[str, ...]) -> str:
        if given not in known:
            self.wrong(where, str(UnknownName("value", given, known)))
        return given

    def check_name(self, where: str, name: str) -> None:
        if not name.isprintable():
            self.wrong(where, f"{name!r} holds control characters. Remove them.")
        elif name.startswith("-"):
            self.wrong(where, f"{name!r} begins with a dash, like an option of a command. Change it.")
        elif name != name.strip() or len(name) > LONGEST_NAME:
            self.wrong(
                where, f"{name!r} is longer than {LONGEST_NAME} characters or has a space at an end. Change it."
            )

    def check_different(self, where: str, names: list[str], remedy: str) -> None:
        for number, name in enumerate(names, 1):
            first = names.index(name) + 1
            if name and first < number:
                self.wrong(where.format(number), f"{name!r} is {where.format(first)} already. {remedy}")

    # The parts

    def variants(self, given: list[dict[str, Any]], entrants: int) -> tuple[VariantEntry, ...]:
        found = tuple(self.variant(f"variants[{number}]", one, entrants) for number, one in enumerate(given, 1))
        remedy = "Give one of them another label."
        self.check_different("variants[{}].label", [variant.label for variant in found], remedy)
        return found

    def variant(self, where: str, data: dict[str, Any], entrants: int) -> VariantEntry:
        values = self.table("variants", data, where)
        name, players, options = values["name"], values["players"], values["options"]
        label = values["label"] if values["label"] is not None else f"{name}-{players}p"
        if values["label"] is not None and not LABEL.fullmatch(label):
            self.wrong(f"{where}.label", f"{label!r} may have up to 64 letters, digits, _ and - only. Change it.")
        if players > entrants:
            problem = f"a table of {players} needs {players} entrants, not {entrants}"
            self.wrong(f"{where}.players", f"{problem}. Add entrants or choose a smaller table.")
        if name:
            self.check_variant(where, name, players, options)
        return VariantEntry(name, players, dict(options), label)

    def check_variant(self, where: str, name: str, players: int, options: dict[str, Any]) -> None:
        for option, value in options.items():
            if type(value) is not int:
                where = f"{where}.options.{option}"
                self.wrong(where, f"must be a whole number, not {value!r}. 0 is off, 1 is on.")
                return
        try:
            variant = find(name)
        except RulesError as error:
            self.wrong(f"{where}.name", str(error))
            return
        try:
            ruleset(name, variant.players[0], options)
        except RulesError as error:
            self.wrong(f"{where}.options", str(error))
        if players and players not in variant.players:
            counts = ", ".join(str(count) for count in variant.players)
            problem = f"{name} is for {counts} players, not for {players}"
            self.wrong(f"{where}.players", f"{problem}. Choose one of these.")

    def entrants(self, given: list[dict[str, Any]]) -> tuple[Entrant, ...]:
        if not 2 <= len(given) <= MOST_ENTRANTS:
            remedy = "Add or remove [[entrants]], each with a name and a bot."
            self.wrong("entrants", f"there must be 2 to {MOST_ENTRANTS}, not {len(given)}. {remedy}")
        found = tuple(self.entrant(f"entrants[{number}]", one) for number, one in enumerate(given, 1))
        remedy = "Give every entrant a name of its own."
        self.check_different("entrants[{}].name", [entrant.name for entrant in found], remedy)
        return found

    def entrant(self, where: str, data: dict[str, Any]) -> Entrant:
        values = self.table("entrants", data, where)
        if values["name"]:
            self.check_name(f"{where}.name", values["name"])
        if values["bot"]:
            self.check_bot(f"{where}.bot", values["bot"])
        absent = tuple(sorted(set(values["absent"])))
        if absent and absent[0] < 1:
            self.wrong(f"{where}.absent", f"rounds are counted from 1; there is no round {absent[0]}. Remove it.")
        for key in ("author", "language"):
            if values[key] == "":
                self.wrong(f"{where}.{key}", "it is empty. Remove it, or say who or what.")
            elif values[key] is not None:
                self.check_name(f"{where}.{key}", values[key])
        told = values["author"], values["language"]
        return Entrant(values["name"], values["bot"], absent, values["withdrawn_after"], *told)

    def check_bot(self, where: str, bot: str) -> None:
        """The form only: whether the bot can be started shows when it is."""
        file, colon, class_name = bot.rpartition(":")
        if not bot.isprintable():
            self.wrong(where, f"{bot!r} holds control characters. Remove them.")
        elif bot.startswith(COMMAND):
            if problem := command_problem(bot):
                self.wrong(where, problem)
        elif colon and not (file.endswith(".py") and class_name.isidentifier()):
            self.wrong(where, f"{bot!r} is no bot. {HOW_TO_NAME_A_BOT}")
        elif not colon and bot not in BOTS:
            self.wrong(where, f"{UnknownName('bot', bot, list(BOTS))} {HOW_TO_NAME_A_BOT}")

    def format(self, data: dict[str, Any], names: list[str]) -> FormatSettings:
        values = self.table("format", data)
        kind = self.choice("format.kind", values["kind"], tuple(FORMATS))
        for key in TABLES["format"]:
            if kind in FORMATS and key.name not in FORMATS[kind] and values[key.name] != key.default:
                self.wrong(f"format.{key.name}", f"it means nothing in a {kind}. Remove it.")
        if values["blocks"] is not None and values["rounds"] != 1:
            self.wrong("format.blocks", "it stands instead of rounds. Remove one of the two.")
        champion = values.pop("champion")
        if kind == "gauntlet" and champion is None:
            self.wrong("format.champion", "it is missing. Name one of the entrants.")
        elif kind == "gauntlet" and champion not in names:
            self.wrong("format.champion", str(UnknownName("entrant", champion, names)))
        if kind == "swiss" and "rounds" not in data:
            self.wrong("format.rounds", "a swiss needs it. Write it like: rounds = 5")
        return FormatSettings(champion=names.index(champion) if champion in names else 0, **values)

    def time(self, text: str) -> TimeControl:
        try:
            return read_time_control(text)
        except ValueError as error:
            self.wrong("time", f"{error}.")
            return TimeControl(1, 0, 1)
