"""Pages that were made, kept while they are right. Each is made once, however many ask for it at the same time.

While the book changes all the time, so would all pages, and readers would wait for each of them. A page that was
right a moment ago is given at once instead, and made anew behind it, a few at a time.
"""

import asyncio
import gzip
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple, Self

GZIP_FROM: Final = 500  # bytes
AT_ONCE: Final = 2  # pages that are made anew while readers have the ones before


class Page(NamedTuple):
    etag: str
    body: bytes
    packed: bytes  # the body under gzip; empty if that is not worth it

    @classmethod
    def of(cls, etag: str, body: bytes) -> Self:
        return cls(etag, body, gzip.compress(body, 5, mtime=0) if len(body) >= GZIP_FROM else b"")

    @property
    def size(self) -> int:
        return len(self.body) + len(self.packed) + 500


class Kept:
    """A page, and when it was right for the last time, as far as anybody asked."""

    def __init__(self, page: Page, right: float) -> None:
        self.page = page
        self.right = right


class Cache:
    """The pages that were asked for last, in so many bytes. Used on one event loop."""

    def __init__(
        self, most_bytes: int, stale_seconds: float = 0.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.most_bytes = most_bytes
        self.stale_seconds = stale_seconds  # for which a page is given although there is a newer one
        self.clock = clock
        self.bytes = 0
        self.pages: OrderedDict[str, Kept] = OrderedDict()
        self.made: dict[tuple[str, str], asyncio.Task[Page]] = {}
        self.behind: set[str] = set()  # keys of pages that are made anew while nobody waits

    async def get(self, key: str, etag: str, make: Callable[[], Awaitable[Page]]) -> Page:
        """The page of that key and tag, or the one before it, with its own tag, if that was right a moment ago."""
        kept = self.pages.get(key)
        if kept is not None:
            self.pages.move_to_end(key)
            if kept.page.etag == etag:
                kept.right = self.clock()
                return kept.page
            if self.clock() - kept.right < self.stale_seconds:
                if key not in self.behind and len(self.behind) < AT_ONCE:
                    self.behind.add(key)
                    self._begin(key, etag, make).add_done_callback(lambda _: self.behind.discard(key))
                return kept.page
        return await asyncio.shield(self._begin(key, etag, make))  # who goes away takes nothing from the others

    def _begin(self, key: str, etag: str, make: Callable[[], Awaitable[Page]]) -> "asyncio.Task[Page]":
        task = self.made.get((key, etag))
        if task is None:
            task = self.made[key, etag] = asyncio.ensure_future(self._make(key, etag, make))
            task.add_done_callback(_looked_at)
        return task

    async def _make(self, key: str, etag: str, make: Callable[[], Awaitable[Page]]) -> Page:
        try:
            page = await make()
        finally:
            del self.made[key, etag]
        self._keep(key, page)
        return page

    def _keep(self, key: str, page: Page) -> None:
        before = self.pages.pop(key, None)
        self.bytes += page.size - (before.page.size if before else 0)
        self.pages[key] = Kept(page, self.clock())
        while self.bytes > self.most_bytes:
            _, oldest = self.pages.popitem(last=False)
            self.bytes -= oldest.page.size


def _looked_at(task: "asyncio.Task[Page]") -> None:
    """All who waited may have gone: then nobody asks for the error."""
    if not task.cancelled():
        task.exception()
