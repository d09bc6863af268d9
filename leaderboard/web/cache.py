"""Pages that were made, kept while they are right. Each is made once, however many ask for it at the same time."""

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import NamedTuple, Self

GZIP_FROM = 500  # bytes


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


class Cache:
    """The pages that were asked for last, in so many bytes. Used on one event loop."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self.pages: OrderedDict[str, Page] = OrderedDict()
        self.made: dict[tuple[str, str], asyncio.Task[Page]] = {}

    async def get(self, key: str, etag: str, make: Callable[[], Awaitable[Page]]) -> Page:
        """The page of that key and tag."""
        page = self.pages.get(key)
        if page is not None and page.etag == etag:
            self.pages.move_to_end(key)
            return page
        task = self.made.get((key, etag))
        if task is None:
            task = self.made[key, etag] = asyncio.ensure_future(self._make(key, etag, make))
            task.add_done_callback(_looked_at)
        return await asyncio.shield(task)  # who goes away takes nothing from those who wait

    async def _make(self, key: str, etag: str, make: Callable[[], Awaitable[Page]]) -> Page:
        try:
            page = await make()
        finally:
            del self.made[key, etag]
        self._keep(key, page)
        return page

    def _keep(self, key: str, page: Page) -> None:
        before = self.pages.pop(key, None)
        self.bytes += page.size - (before.size if before else 0)
        self.pages[key] = page
        while self.bytes > self.most_bytes:
            _, oldest = self.pages.popitem(last=False)
            self.bytes -= oldest.size


def _looked_at(task: "asyncio.Task[Page]") -> None:
    """All who waited may have gone: then nobody asks for the error."""
    if not task.cancelled():
        task.exception()
