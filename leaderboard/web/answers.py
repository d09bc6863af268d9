"""Answers to requests: pages and data with their tags, and problems."""

import json
import logging
from http import HTTPStatus
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from leaderboard.store import StoreError
from leaderboard.web.cache import Page
from leaderboard.web.names import address_of
from leaderboard.web.paths import with_query
from leaderboard.web.problems import Migrating, Problem, bad_value, no_store
from leaderboard.web.templates import render

log = logging.getLogger(__name__)

HTML: Final = "text/html; charset=utf-8"
JSON: Final = "application/json"
SHARED: Final = {"cache-control": "no-cache", "vary": "Accept-Encoding, Cookie"}
PRIVATE: Final = {"cache-control": "private, no-store", "vary": "Cookie"}


def page_answer(request: Request, page: Page, media_type: str, status: int = 200) -> Response:
    """A page that anybody may keep, as long as it asks each time whether it is still right."""
    headers = SHARED | {"etag": page.etag}
    if page.packed and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(page.packed, status, headers | {"content-encoding": "gzip"}, media_type)
    return Response(page.body, status, headers, media_type)


def private_answer(body: bytes, media_type: str) -> Response:
    """A page for one person."""
    return Response(body, headers=PRIVATE, media_type=media_type)


def is_known(request: Request, etag: str) -> bool:
    """Whether the reader has this already. Who packed it on the way may have marked the tag as weak."""
    given = request.headers.get("if-none-match", "")
    return given == "*" or etag.removeprefix("W/") in [one.strip().removeprefix("W/") for one in given.split(",")]


def not_changed(etag: str) -> Response:
    return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=SHARED | {"etag": etag})


# Problems


def wants_data(path: str) -> bool:
    return path.startswith("/api/")


def problem_answer(request: Request, problem: Problem) -> Response:
    headers = {"cache-control": "no-store"}
    if problem.retry_after:
        headers["retry-after"] = str(problem.retry_after)
    path = address_of(request)
    if wants_data(path):
        body = json.dumps({"error": {"reason": problem.reason, "message": problem.message} | problem.details})
        return Response(body, problem.status, headers, JSON)
    last = with_query(path, {**request.query_params, "page": problem.details.get("last")})
    text = render("problem.html", path=path, author=None, problem=problem, last_page=last)
    return Response(text, problem.status, headers, HTML)


def problem_of(error: Exception) -> Problem:
    """What an exception means to who asked. What is a fault of ours is told in the log."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, RequestValidationError):
        first: dict[str, Any] = error.errors()[0]
        return bad_value(str(first["loc"][-1]), f"{first['msg']}.")
    if isinstance(error, HTTPException):
        if error.status_code == HTTPStatus.NOT_FOUND:
            return Problem(error.status_code, "NO_SUCH_PAGE", "There is no such page.")
        return Problem(error.status_code, HTTPStatus(error.status_code).name, f"{error.detail}.")
    if isinstance(error, StoreError):
        log.error("%s", error)
        return no_store("The store cannot be read just now.")
    if isinstance(error, SQLAlchemyError):
        log.error("%s", error)
        return Migrating()
    message = "That is a fault of ours, and it is in our log."
    return Problem(HTTPStatus.INTERNAL_SERVER_ERROR, "INTERNAL", message)


async def handle(request: Request, error: Exception) -> Response:
    return problem_answer(request, problem_of(error))
