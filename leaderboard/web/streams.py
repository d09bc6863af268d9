"""Server-sent events: one Source tells any number of readers, and none of them can hold up the others.

Each reader has a queue of bounded length. Who falls behind loses what is in it and is given a snapshot to go on
from. Who does not take anything off the socket at all is dropped by `connection.py`, which knows the socket.
"""

import asyncio
import json
import time
from collections import Counter, deque
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Any, Final

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from leaderboard.web.problems import Problem

QUEUE: Final = 64  # messages that wait for one reader
HEARTBEAT_SECONDS: Final = 15.0  # so that nobody between us takes the silence for the end
HEARTBEAT: Final = b": still here\n\n"
RETRY_SECONDS: Final = 3  # after which browsers dial again
HEADERS: Final = {"cache-control": "no-store", "x-accel-buffering": "no"}


def message(kind: str, data: Any, id: str = "") -> bytes:
    """One event as it goes over the line; JSON has no line breaks."""
    mark = f"id: {id}\n" if id else ""
    return f"event: {kind}\n{mark}data: {json.dumps(data, separators=(',', ':'))}\n\n".encode()


class Reader:
    def __init__(self, client: str, last_id: str) -> None:
        self.client = client
        self.last_id = last_id  # of the last event that it had before, if it comes back
        self.queue: deque[bytes] = deque()
        self.is_behind = True  # begins with a snapshot
        self.is_over = False
        self.wake = asyncio.Event()

    def put(self, told: bytes) -> None:
        if not self.is_behind:
            self.queue.append(told)
        if len(self.queue) > QUEUE:
            self.queue.clear()
            self.is_behind = True
        self.wake.set()

    def end(self) -> None:
        self.is_over = True
        self.wake.set()


class Source:
    """Something that is told as it happens."""

    def __init__(self) -> None:
        self.readers: set[Reader] = set()
        self.is_ended = False
        self.since = time.monotonic()  # when it began, or the last reader left

    def snapshot(self, last_id: str) -> bytes:
        """All that a reader needs to go on from now, if the last event that it had is that one."""
        raise NotImplementedError

    def tell(self, told: bytes) -> None:
        for reader in self.readers:
            reader.put(told)

    def join(self, reader: Reader) -> None:
        self.readers.add(reader)
        if self.is_ended:
            reader.end()

    def leave(self, reader: Reader) -> None:
        self.readers.discard(reader)
        self.since = time.monotonic()

    def unheard(self) -> float:
        """For how many seconds nobody has listened."""
        return 0.0 if self.readers else time.monotonic() - self.since

    def end(self) -> None:
        """Nothing more is told: readers get what waits for them, and then the end."""
        self.is_ended = True
        for reader in self.readers:
            reader.end()

    async def read(self, reader: Reader) -> AsyncIterator[bytes]:
        yield f"retry: {1000 * RETRY_SECONDS}\n\n".encode()
        while True:
            reader.wake.clear()
            if reader.is_behind:
                snapshot = self.snapshot(reader.last_id)
                reader.is_behind, reader.last_id = False, ""
                yield snapshot
            elif reader.queue:
                yield reader.queue.popleft()
            elif reader.is_over:
                return
            else:
                try:
                    async with asyncio.timeout(HEARTBEAT_SECONDS):
                        await reader.wake.wait()
                except TimeoutError:
                    yield HEARTBEAT


class Seats:
    """How many may listen at once: in all, and of one client."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self.most = most
        self.most_of_one = most_of_one
        self.taken: Counter[str] = Counter()

    def take(self, client: str) -> None:
        if self.taken.total() >= self.most or self.taken[client] >= self.most_of_one:
            message = "Too many are listening just now; the page shows how things stand when it is loaded again."
            raise Problem(HTTPStatus.TOO_MANY_REQUESTS, "TOO_MANY_READERS", message, 60)
        self.taken[client] += 1

    def leave(self, client: str) -> None:
        self.taken[client] -= 1
        self.taken += Counter()  # those at zero are forgotten


class EventStream(StreamingResponse):
    """What a source tells one reader, who leaves with the response."""

    def __init__(self, source: Source, reader: Reader, seats: Seats) -> None:
        super().__init__(source.read(reader), headers=HEADERS, media_type="text/event-stream")
        self.source = source
        self.reader = reader
        self.seats = seats

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.seats.take(self.reader.client)
        self.source.join(self.reader)
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.source.leave(self.reader)
            self.seats.leave(self.reader.client)
