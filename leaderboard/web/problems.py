"""What can go wrong with a request, as a page for people and as a typed error for programs.

Problem                 has a status, a reason in capitals, a sentence, and details by name
├── unknown()           404 UNKNOWN_AGENT, UNKNOWN_SCOPE …: with the names that are close
├── beyond_the_end()    404 BEYOND_THE_END: with the last page that there is
├── bad_value()         400 BAD_VALUE: which parameter, and what it may be
└── Migrating           503 STORE_CHANGING: the store is being brought up to date
"""

import difflib
from bisect import bisect
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any, Final

from pydantic import BaseModel

RETRY_SECONDS: Final = 10
MOST_COMPARED: Final = 200
Link = Callable[[str], str]


class Problem(Exception):
    def __init__(self, status: int, reason: str, message: str, retry_after: int = 0, **details: Any) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason
        self.message = message
        self.retry_after = retry_after
        self.link: Link = str  # where a name that is close leads to
        self.details = details


class Migrating(Problem):
    """The tables are not those that this program knows."""

    def __init__(self) -> None:
        message = "The store is being brought up to date. Try again in a moment."
        super().__init__(HTTPStatus.SERVICE_UNAVAILABLE, "STORE_CHANGING", message, RETRY_SECONDS)


class Error(BaseModel):
    """Why a request was not answered. Further fields depend on the reason."""

    model_config = {"extra": "allow"}

    reason: str
    message: str


class ErrorAnswer(BaseModel):
    error: Error


def unknown(what: str, name: str, known: Sequence[str], link: Link) -> Problem:
    """There is no such thing; names that are close are told."""
    close = difflib.get_close_matches(name, beside(name, known), n=5, cutoff=0.5) if len(name) <= 100 else []
    more = [one for one in known if name and one.casefold() == name.casefold() and one not in close]
    message = f"There is no {what} named '{name[:100]}'."
    reason = f"UNKNOWN_{what.upper().replace(' ', '_')}"
    problem = Problem(HTTPStatus.NOT_FOUND, reason, message, name=name, close=more + close)
    problem.link = link
    return problem


def beside(name: str, known: Sequence[str]) -> Sequence[str]:
    """Of many names those that begin most like it: to compare a name with thousands takes seconds."""
    if len(known) <= MOST_COMPARED:
        return known
    ordered = sorted(known)
    start = max(0, bisect(ordered, name) - MOST_COMPARED // 2)
    return ordered[start : start + MOST_COMPARED]


def beyond_the_end(page: int, last: int) -> Problem:
    message = f"There is no page {page} here: the last one is {last}."
    return Problem(HTTPStatus.NOT_FOUND, "BEYOND_THE_END", message, page=page, last=last)


def bad_value(name: str, message: str) -> Problem:
    return Problem(HTTPStatus.BAD_REQUEST, "BAD_VALUE", f"{name}: {message}", parameter=name)


def no_store(message: str) -> Problem:
    """The store is gone, locked or damaged."""
    return Problem(HTTPStatus.SERVICE_UNAVAILABLE, "STORE_UNREACHABLE", message, RETRY_SECONDS)
