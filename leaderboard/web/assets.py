"""Our own files: style, scripts, icons. Under the address of their digest they may be kept for ever."""

from functools import cache
from http import HTTPStatus
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from leaderboard.web.answers import is_known, page_answer
from leaderboard.web.cache import Page
from leaderboard.web.problems import Problem
from leaderboard.web.templates import STATIC, digest_of

TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
FOR_EVER: Final = "public, max-age=31536000, immutable"

pages = APIRouter(include_in_schema=False)


@cache
def asset(name: str) -> Page | None:
    path = STATIC / name
    if path.parent != STATIC or path.suffix not in TYPES or not path.is_file():
        return None
    return Page.of(f'"{digest_of(name)}"', path.read_bytes())


@pages.get("/static/{name}")
async def static_file(request: Request, name: str) -> Response:
    found = asset(name)
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, "NO_SUCH_PAGE", "There is no such file.")
    answer = (
        Response(status_code=HTTPStatus.NOT_MODIFIED, headers={"etag": found.etag})
        if is_known(request, found.etag)
        else page_answer(request, found, TYPES[name[name.rindex(".") :]])
    )
    answer.headers["vary"] = "Accept-Encoding"
    is_named = request.query_params.get("v") == digest_of(name)
    answer.headers["cache-control"] = FOR_EVER if is_named else "no-cache"
    return answer


@pages.get("/favicon.ico")
async def favicon(request: Request) -> Response:
    return await static_file(request, "icon.svg")


@pages.get("/robots.txt")
async def robots(request: Request) -> Response:
    return await static_file(request, "robots.txt")
