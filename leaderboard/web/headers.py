"""What every answer carries, and what every request must keep to. One ASGI middleware around everything."""

import logging
from http import HTTPStatus
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from leaderboard.web.answers import problem_answer, problem_of
from leaderboard.web.limits import Buckets, client_of
from leaderboard.web.names import routed
from leaderboard.web.problems import Problem

log = logging.getLogger(__name__)

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors "
)
HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
}
FRAMED: Final = "/embed/"  # pages that others may show in a frame
CHANGING: Final = ("/login", "/logout")  # the only ones that take a POST
READING: Final = ("GET", "HEAD")


class Guard:
    def __init__(self, app: ASGIApp, buckets: Buckets) -> None:
        self.app = app
        self.buckets = buckets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope = routed(scope)
        out = Outward(scope, send)
        problem = self.refusal(scope)
        if problem is not None:
            await problem_answer(Request(scope), problem)(scope, receive, out.send)
            return
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        try:
            await self.app(scope, receive, out.send)
        except Exception as error:
            log.exception("%s %s", scope["method"], scope["path"])
            if not out.began:
                await problem_answer(Request(scope), problem_of(error))(scope, receive, out.send)

    def refusal(self, scope: Scope) -> Problem | None:
        path, method = scope["path"], scope["method"]
        if b"%00" in scope["raw_path"] + b"?" + scope["query_string"]:  # databases take it for a fault of ours
            return Problem(HTTPStatus.BAD_REQUEST, "BAD_VALUE", "Nothing here has such a character in its name.")
        if method not in READING and not (method == "POST" and path in CHANGING):
            message = "These pages can be read, and nothing else."
            return Problem(HTTPStatus.METHOD_NOT_ALLOWED, "READ_ONLY", message, method=method)
        host = scope["client"][0] if scope.get("client") else ""
        wait = self.buckets.wait(client_of(host))
        if wait:
            message = f"You ask too often. Wait {max(1, round(wait))} s, then go on."
            return Problem(HTTPStatus.TOO_MANY_REQUESTS, "TOO_MANY_REQUESTS", message, max(1, round(wait)))
        return None


class Outward:
    """Adds the headers, and leaves out the body where only the head was asked for."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self.is_head = scope["method"] == "HEAD"
        self.is_framed = scope["path"].startswith(FRAMED)
        self.to = send
        self.began = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.began = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("content-security-policy", POLICY + ("*" if self.is_framed else "'none'"))
            if message["status"] == HTTPStatus.METHOD_NOT_ALLOWED:
                headers["allow"] = ", ".join(READING)
        elif self.is_head:
            message = {**message, "body": b""}
        await self.to(message)
