"""Where things are. Agents and tournaments may have any printable name, so names are one quoted piece of a path.

Browsers take `.` and `..` for folders, however they are quoted; those two names go into the query.
"""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode


def path_of(kind: str, name: str) -> str:
    """`/agents/NAME`, `/tournaments/NAME`, `/matches/ID`."""
    if name in (".", ".."):
        return f"/{kind}/?name={name}"
    return f"/{kind}/{quote(name, safe='')}"


def agent_path(name: str) -> str:
    return path_of("agents", name)


def tournament_path(name: str) -> str:
    return path_of("tournaments", name)


def match_path(fixture_id: str) -> str:
    return path_of("matches", fixture_id)


def live_path(match_id: str) -> str:
    """Of a match while it is played."""
    return f"/live{match_path(match_id)}"


def ladder_path(scope: str) -> str:
    """Of a scope as it is written: `classic`, `classic@1`, `family:NAME`, `all`."""
    return f"/ladders/{quote(scope, safe='@:')}"


def variant_path(name: str) -> str:
    return path_of("variants", name)


def with_query(path: str, query: Mapping[str, Any]) -> str:
    """Those that are empty are left out, so that a page has one address."""
    told = {name: value for name, value in query.items() if value not in (None, "", False)}
    return f"{path}{'&' if '?' in path else '?'}{urlencode(told)}" if told else path


def file_name(name: str) -> str:
    """The name as a file may be called anywhere, and never in another folder."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name).lstrip(".-") or "file"
