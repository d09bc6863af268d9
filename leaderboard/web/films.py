"""Films and maps. A film is made by playing its match again, so it is kept, and few are made at once."""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from engine.record import read
from engine.rules.boards.board import load
from engine.rules.variants import VARIANTS
from leaderboard.film import film_of
from leaderboard.maps import map_of
from leaderboard.store import Store
from leaderboard.web.cache import Cache, Page
from leaderboard.web.match_data import record_of
from leaderboard.web.problems import unknown
from leaderboard.web.templates import edition

AT_ONCE: Final = 2


class Films:
    """Used on one event loop. A match that is over does not change: only we do, from edition to edition."""

    def __init__(self, store: Store, most_bytes: int) -> None:
        self.store = store
        self.cache = Cache(most_bytes)
        self.making = asyncio.Semaphore(AT_ONCE)

    async def film(self, match_id: str) -> Page:
        """Problem if there is no record."""
        return await self._kept(f"film {match_id}", partial(self._film, match_id))

    async def map(self, variant: str) -> Page:
        """The map that a variant is played on: of its board, or of one layer of it."""
        if variant not in VARIANTS:
            raise unknown("variant", variant, list(VARIANTS), map_path)
        one = VARIANTS[variant]
        return await self._kept(f"map {variant}", lambda: map_of(load(one.board, one.layer)))

    def _film(self, match_id: str) -> dict[str, Any]:
        return film_of(read(record_of(self.store, match_id)))

    async def _kept(self, name: str, make: Callable[[], Any]) -> Page:
        etag = f'"{edition()}"'
        return await self.cache.get(name, etag, partial(self._make, etag, make))

    async def _make(self, etag: str, make: Callable[[], Any]) -> Page:
        async with self.making:
            return await asyncio.to_thread(lambda: Page.of(etag, _packed(make())))


def map_path(variant: str) -> str:
    return f"/maps/{variant}.json"


def _packed(data: Any) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()
