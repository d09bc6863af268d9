"""Logging in with a token, and out again: the only requests that change anything, and that is in memory."""

from functools import partial
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs, urlsplit

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from leaderboard.web.answers import HTML, PRIVATE
from leaderboard.web.limits import Buckets, client_of, is_here
from leaderboard.web.problems import Problem
from leaderboard.web.sessions import COOKIE
from leaderboard.web.site import site_of
from leaderboard.web.templates import render

MOST_BYTES: Final = 4096  # of a form

pages = APIRouter(include_in_schema=False)


@pages.get("/login")
async def login_page(request: Request) -> Response:
    return await _form(request)


@pages.post("/login")
async def login(request: Request) -> Response:
    _check_origin(request)
    site = site_of(request)
    attempts: Buckets = request.app.state.logins
    wait = attempts.wait(client_of(request.client.host if request.client else ""))
    if wait:
        seconds = max(1, round(wait))
        message = f"Too many attempts to log in. Wait {seconds} s, then try again."
        raise Problem(HTTPStatus.TOO_MANY_REQUESTS, "TOO_MANY_LOGINS", message, seconds)
    if not site.settings.plain_login and not is_private(request):
        message = "Log in over https: without it others could read your token."
        raise Problem(HTTPStatus.FORBIDDEN, "NEEDS_TLS", message)
    token = (await _fields(request)).get("token", "").strip()
    cookie = await site.in_thread(partial(site.sessions.begin, token)) if token else None
    if cookie is None:
        return await _form(request, "Nobody has that token, or it was revoked.", HTTPStatus.FORBIDDEN)
    answer = RedirectResponse("/", HTTPStatus.SEE_OTHER, PRIVATE)
    site.sessions.give(answer, cookie, is_tls(request))
    return answer


@pages.post("/logout")
async def logout(request: Request) -> Response:
    _check_origin(request)
    site_of(request).sessions.end(request)
    answer = RedirectResponse("/", HTTPStatus.SEE_OTHER, PRIVATE)
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return answer


def is_tls(request: Request) -> bool:
    """Whether the reader speaks TLS, with us or with a proxy on this machine."""
    return request.url.scheme == "https"


def is_private(request: Request) -> bool:
    """Whether nobody on the way can read along."""
    host = request.client.host if request.client else ""
    return is_tls(request) or is_here(host)


async def _form(request: Request, problem: str = "", status: int = HTTPStatus.OK) -> Response:
    author = await site_of(request).author_of(request)
    text = render("login.html", path="/login", author=author, problem=problem)
    return Response(text, status, PRIVATE, HTML)


def _check_origin(request: Request) -> None:
    """A form of another site may not log anybody in or out. Browsers tell where a form is from."""
    origin = request.headers.get("origin")
    is_other = origin is not None and urlsplit(origin).netloc != request.headers.get("host")
    if is_other or request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Problem(HTTPStatus.FORBIDDEN, "OTHER_ORIGIN", "That form came from another site.")


async def _fields(request: Request) -> dict[str, str]:
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_BYTES:
            raise Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "TOO_LARGE", "That is no form of ours.")
    fields = parse_qs(body.decode("utf-8", "replace"))
    return {name: values[0] for name, values in fields.items()}
