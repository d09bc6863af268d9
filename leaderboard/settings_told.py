"""The file of a tournament as everybody may see it.

It is written anew from what it says: comments, and how and where bots are started, are their owners' business. A
seed, which gives the key away, is told once the tournament is over.
"""

import json
import tomllib
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Final

COMMAND: Final = "cmd:"
WITHHELD: Final = "withheld until the tournament is over"


def public_settings(config: str, is_over: bool) -> dict[str, Any]:
    """What the file sets; nothing where it cannot be read."""
    try:
        data = tomllib.loads(config.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        return {}
    if "seed" in data and not is_over:
        data["seed"] = WITHHELD
    entrants = data.get("entrants", [])
    for entrant in entrants if isinstance(entrants, list) else []:
        if isinstance(entrant, dict) and isinstance(entrant.get("bot"), str):
            entrant["bot"] = public_bot(entrant["bot"])
    return data


def public_bot(bot: str) -> str:
    """`cmd:…` of a command, `file.py:Class` of a class, wherever it is."""
    if bot.startswith(COMMAND):
        return f"{COMMAND}…"
    file, colon, name = bot.rpartition(":")
    return f"{PurePath(file).name}{colon}{name}"


def written(settings: Mapping[str, Any]) -> str:
    """Settings as TOML."""
    plain = {name: value for name, value in settings.items() if not _is_table(value)}
    parts = [_lines(plain)] if plain else []
    for name, value in settings.items():
        if isinstance(value, dict):
            parts.append(f"[{_key(name)}]\n{_lines(value)}")
        elif _is_table(value):
            parts += [f"[[{_key(name)}]]\n{_lines(row)}" for row in value]
    return "\n".join(parts)


def _is_table(value: Any) -> bool:
    is_list = isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)
    return isinstance(value, dict) or is_list


def _lines(values: Mapping[str, Any]) -> str:
    return "".join(f"{_key(name)} = {_value(value)}\n" for name, value in values.items())


def _key(name: str) -> str:
    is_bare = name.isascii() and bool(name) and name.replace("-", "").replace("_", "").isalnum()
    return name if is_bare else _value(name)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(name)} = {_value(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower() if isinstance(value, bool) else str(value)
