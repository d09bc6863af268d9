"""Every key of a tournament file, and a file that shows them all with their defaults."""

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

FORMATS: Final = {  # the settings that each format takes
    "round_robin": ("kind", "rounds", "blocks", "table_cap"),
    "swiss": ("kind", "rounds"),
    "gauntlet": ("kind", "champion", "rounds", "blocks", "table_cap"),
    "knockout": ("kind", "best_of"),
}
ISOLATIONS: Final = ("pooled", "fresh")


class Kind(NamedTuple):
    """What a value may be."""

    about: str
    fits: Callable[[Any], bool]
    is_number: bool = False


def is_list_of(kind: type, value: Any) -> bool:
    return isinstance(value, list) and all(type(one) is kind for one in value)


TEXT: Final = Kind("a text", lambda value: isinstance(value, str))
WHOLE: Final = Kind("a whole number", lambda value: type(value) is int, is_number=True)
NUMBER: Final = Kind("a number", lambda value: type(value) in (int, float), is_number=True)
ROUNDS: Final = Kind("a list of rounds", lambda value: is_list_of(int, value))
TABLE: Final = Kind("a table", lambda value: isinstance(value, dict))
LIST: Final = Kind("a list of tables", lambda value: is_list_of(dict, value))


class Key(NamedTuple):
    """A key: what it may be, its default (None: not given), how to write it, what it means."""

    name: str
    kind: Kind
    default: Any
    example: str
    about: str
    low: float = 0
    high: float = math.inf
    required: bool = False  # the default stands in, so that reading goes on


TABLES: Final = {  # by the name of the table; the first is the file itself
    "": (
        Key("name", TEXT, "", 'name = "spring-open"', "the tournament's name", required=True),
        Key("time", TEXT, "60+0.1/5", 'time = "60+0.1/5"', "bank+increment/limit, in seconds"),
        Key("isolation", TEXT, "pooled", 'isolation = "pooled"', "pooled: a process plays on; fresh: one a match"),
        Key("seed", WHOLE, None, "seed = 1", "debugging: dice that everybody can compute", high=2**63 - 1),
        Key("format", TABLE, {}, "[format]", "who meets whom"),
        Key("stop", TABLE, {}, "[stop]", "ends it early; the first that holds"),
        Key("variants", LIST, [], "[[variants]]", "what is played, each on its own", required=True),
        Key("entrants", LIST, [], "[[entrants]]", "who plays; the order is the seeding", required=True),
    ),
    "format": (
        Key("kind", TEXT, "round_robin", 'kind = "round_robin"', "round_robin, swiss, gauntlet or knockout"),
        Key("rounds", WHOLE, 1, "rounds = 1", "how many; a knockout has as many as it needs", low=1, high=1000),
        Key("blocks", WHOLE, None, "blocks = 100", "instead of rounds: pairings in all", low=1, high=1_000_000),
        Key(
            "table_cap",
            WHOLE,
            1000,
            "table_cap = 1000",
            "tables in a round at most; above it, a sample",
            low=1,
            high=10**5,
        ),
        Key("champion", TEXT, None, 'champion = "Strategist"', "gauntlet: who meets all others"),
        Key("best_of", WHOLE, 1, "best_of = 1", "knockout: blocks of each table", low=1, high=1000),
    ),
    "stop": (
        Key("max_matches", WHOLE, None, "max_matches = 10000", "after so many matches", low=1),
        Key("max_minutes", NUMBER, None, "max_minutes = 30", "after so many minutes of play"),
        Key("half_width", NUMBER, None, "half_width = 0.02", "once every mean score is known to ± this", high=1),
    ),
    "variants": (
        Key("name", TEXT, "", 'name = "classic"', "a variant", required=True),
        Key("players", WHOLE, 0, "players = 4", "the size of a table", low=2, high=100, required=True),
        Key("options", TABLE, {}, "options = { rounds = 100 }", "options of the variant"),
        Key("label", TEXT, None, 'label = "classic-4p"', "its name in ids; needed if a variant comes twice"),
    ),
    "entrants": (
        Key("name", TEXT, "", 'name = "Strategist"', "a name of its own", required=True),
        Key(
            "bot", TEXT, "", 'bot = "strategist"', "built-in name, path/file.py:Class or cmd:./bot", required=True
        ),
        Key("absent", ROUNDS, [], "absent = []", "rounds that it does not play"),
        Key("withdrawn_after", WHOLE, None, "withdrawn_after = 2", "its last round"),
        Key("author", TEXT, None, 'author = "Ada"', "who wrote it"),
        Key("language", TEXT, None, 'language = "rust"', "what it is written in, if it is a command"),
    ),
}


OTHERS: Final = """
[[entrants]]
name = "Aggressor"
bot = "aggressor"

[[entrants]]
name = "Cautious"
bot = "cautious"

[[entrants]]
name = "Random"
bot = "random"
"""


def template() -> str:
    """A file that plays as it is: every key, explained; commented out where the default is to have none."""
    lines = ["# A tournament. Keys that are commented out show how to write them."]
    for name, keys in TABLES.items():
        if name:
            (head,) = [key for key in TABLES[""] if key.name == name]
            lines += ["", f"# {head.about}", head.example]
        values = [key for key in keys if not key.example.startswith("[")]
        shown = [(f"# {key.example}" if key.default is None else key.example, key.about) for key in values]
        lines += [f"{example:<28} # {about}" for example, about in shown]
    return "\n".join(lines) + "\n" + OTHERS
