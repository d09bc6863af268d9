"""Who is logged in. A token is exchanged for a cookie that lasts half a day and that only this server reads.

Cookies are kept hashed and in memory: a restart logs everybody out. A session ends with its token: whether that
has been revoked is looked up with every request.
"""

import secrets
from collections import OrderedDict
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from leaderboard.store import Store, Tokens
from leaderboard.store.agents import hashed
from leaderboard.web.settings import Settings

COOKIE: Final = "session"
ORGANISER: Final = 2  # as the roles of tokens are numbered


class Identity(NamedTuple):
    """Whose token it was."""

    name: str
    role: int

    def owns(self, agent: str, author: str) -> bool:
        """Whether notes, logs and details of this agent are theirs to read."""
        return self.role >= ORGANISER or self.name in (agent, author)


class Session(NamedTuple):
    token: str  # hashed
    until: float


class Sessions:
    """The sessions that began last, up to a number."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.tokens = Tokens(store, Identity)
        self.settings = settings
        self.open: OrderedDict[str, Session] = OrderedDict()  # by the hash of the cookie

    def begin(self, token: str) -> str | None:
        """The cookie for a token; None if nobody has it."""
        if self.tokens.find(token) is None:
            return None
        cookie = secrets.token_urlsafe(32)
        until = self.settings.clock() + self.settings.session_seconds
        self.open[hashed(cookie)] = Session(hashed(token), until)
        if len(self.open) > self.settings.sessions:
            self.open.popitem(last=False)
        return cookie

    def of(self, request: Request) -> Session | None:
        """That of a request, if it is not over."""
        cookie = request.cookies.get(COOKIE)
        session = self.open.get(hashed(cookie)) if cookie else None
        return session if session is not None and self.settings.clock() < session.until else None

    def identity(self, session: Session) -> Identity | None:
        """Whose it is; None once the token is revoked."""
        return self.tokens.find_hash(session.token)

    def end(self, request: Request) -> None:
        self.open.pop(hashed(request.cookies.get(COOKIE, "")), None)

    def give(self, answer: Response, cookie: str, is_tls: bool) -> None:
        seconds = int(self.settings.session_seconds)
        answer.set_cookie(COOKIE, cookie, max_age=seconds, httponly=True, samesite="strict", secure=is_tls)
