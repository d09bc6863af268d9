"""The Site: what all pages share. A page is a function that gathers its data, and a template or JSON around it."""

import asyncio
import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from leaderboard.store import Store
from leaderboard.web.answers import HTML, JSON, is_known, not_changed, page_answer, private_answer
from leaderboard.web.cache import Cache, Page
from leaderboard.web.names import address_of
from leaderboard.web.sessions import Identity, Sessions
from leaderboard.web.settings import Settings
from leaderboard.web.state import State, state_of
from leaderboard.web.templates import edition, render

T = TypeVar("T")
Gather = Callable[[], BaseModel]
About = Callable[[State], object]  # the part of the state that a page depends on


def whole(state: State) -> object:
    return state


class Site:
    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.sessions = Sessions(store, settings)
        self.cache = Cache(settings.cache_bytes, settings.stale_seconds, settings.clock)
        self.threads = ThreadPoolExecutor(settings.threads, "pages")
        self.seen: tuple[float, State] | None = None  # the state, and when it was
        self.asked: asyncio.Task[State] | None = None

    async def page(self, request: Request, template: str, gather: Gather, about: About = whole) -> Response:
        """A page of HTML. The template finds the data as `page`, who is logged in as `author`, and its `path`.

        `gather` reads the store and runs in a thread; the same page is not made twice while what it is about,
        which is a part of the state of the store, is the same.
        """
        author = await self.author_of(request)
        path = address_of(request)
        body = lambda: render(template, path=path, author=author, page=gather()).encode()  # noqa: E731
        return await self.answer(request, body, HTML, about)

    async def data(self, request: Request, gather: Gather, about: About = whole) -> Response:
        """The same data for programs."""
        return await self.answer(request, lambda: gather().model_dump_json().encode(), JSON, about)

    async def answer(
        self, request: Request, make: Callable[[], bytes], media_type: str, about: About = whole
    ) -> Response:
        """What `make` gives, which runs in a thread. For somebody who is logged in nothing is kept or shared."""
        if await self.author_of(request) is not None:
            return private_answer(await self.in_thread(make), media_type)
        key = f"{address_of(request)}?{request.url.query}"
        state = await self.state()
        etag = _etag(key, (state.began, about(state)))
        if is_known(request, etag):
            return not_changed(etag)
        made = lambda: self.in_thread(lambda: Page.of(etag, make()))  # noqa: E731
        page = await self.cache.get(key, etag, made)
        return not_changed(page.etag) if is_known(request, page.etag) else page_answer(request, page, media_type)

    async def author_of(self, request: Request) -> Identity | None:
        """Who is logged in; asked once a request."""
        if not hasattr(request.state, "author"):
            session = self.sessions.of(request)
            known = await self.in_thread(partial(self.sessions.identity, session)) if session else None
            request.state.author = known
        author: Identity | None = request.state.author
        return author

    async def state(self) -> State:
        """How far the store has come: read once, whoever asks, and again after a moment."""
        now = self.settings.clock()
        if self.seen is not None and 0 <= now - self.seen[0] < self.settings.state_seconds:
            return self.seen[1]
        if self.asked is None:
            self.asked = asyncio.ensure_future(self._look())
        return await asyncio.shield(self.asked)

    async def _look(self) -> State:
        try:
            now = self.settings.clock()
            state = await self.in_thread(partial(state_of, self.store))
            self.seen = (now, state)
            return state
        finally:
            self.asked = None

    async def in_thread(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.threads, call)

    def close(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)


def site_of(request: Request) -> Site:
    site: Site = request.app.state.site
    return site


def _etag(key: str, about: Any) -> str:
    return f'W/"{hashlib.sha256(repr((key, about, edition())).encode()).hexdigest()[:24]}"'
