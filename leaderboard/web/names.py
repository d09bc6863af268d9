"""Names in addresses: one quoted piece of a path, slashes and all.

Servers hand out paths unquoted, where `x%2Fmatches` could be the matches of `x`. So a slash within a name is told
from one between pieces until routes are found. What a proxy has unquoted works too, where nothing is ambiguous.
"""

import re
from typing import Final
from urllib.parse import unquote

from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.types import Scope

WITHIN: Final = "\x1f"  # a slash within a name, which itself can be printed
QUOTED: Final = re.compile("%2f", re.IGNORECASE)


class Name(Convertor[str]):
    """`{name:name}` in routes."""

    regex = ".*"

    def convert(self, value: str) -> str:
        return value.replace(WITHIN, "/")

    def to_string(self, value: str) -> str:
        return value.replace("/", WITHIN)


register_url_convertor("name", Name())


def routed(scope: Scope) -> Scope:
    """The request with its path as routes look for it."""
    return {**scope, "path": WITHIN.join(map(unquote, QUOTED.split(asked(scope))))}


def asked(scope: Scope) -> str:
    """The path as it was asked for, without the query."""
    raw: bytes = scope["raw_path"]
    return raw.decode("ascii")


def address_of(request: Request) -> str:
    return asked(request.scope)
