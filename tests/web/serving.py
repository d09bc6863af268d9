"""The real server over a store, in a thread of its own, and readers of what it tells."""

import asyncio
import http.client
import json
import socket
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import quote

from fastapi import FastAPI

from leaderboard.store import Store
from leaderboard.tallies import Outcomes, no_outcomes
from leaderboard.web.app import create_app
from leaderboard.web.referee import Dial
from leaderboard.web.serving import configured, listening, serve
from leaderboard.web.settings import USUAL, Settings

EAGER = USUAL._replace(rate=1000.0, burst=10_000, state_seconds=0.0, stale_seconds=0.0)


class Message(NamedTuple):
    kind: str
    data: Any
    id: str


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


class Served:
    def __init__(self, app: FastAPI, port: int) -> None:
        self.app = app
        self.port = port
        self.address = f"http://127.0.0.1:{port}"

    def get(self, path: str, headers: dict[str, str] | None = None, method: str = "GET") -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(method, quote(path, safe="/?=&%:@+"), headers=headers or {})
        response = connection.getresponse()
        answer = Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        connection.close()
        return answer

    def messages(self, path: str, last_id: str = "", seconds: float = 60) -> Generator[Message, None, None]:
        """What a stream tells, until it ends or the generator is closed."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        connection.request("GET", path, headers={"last-event-id": last_id} if last_id else {})
        response = connection.getresponse()
        assert response.status == 200, response.read()
        assert response.headers["content-type"].startswith("text/event-stream")
        try:
            yield from events(response)
        finally:
            response.close()
            connection.close()


def events(lines: Any) -> Iterator[Message]:
    fields: dict[str, str] = {}
    for line in lines:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name:
            fields[name] = value
        elif "data" in fields:
            yield Message(fields["event"], json.loads(fields["data"]), fields.get("id", ""))
            fields = {}


@contextmanager
def served(
    store: Store,
    settings: Settings = EAGER,
    outcomes: Outcomes = no_outcomes,
    dial: Dial | None = None,
    send_bytes: int = 0,
) -> Iterator[Served]:
    """`send_bytes` is what the kernel keeps of an answer that nobody takes; 0 leaves it to the kernel."""
    listener = listening("127.0.0.1", 0)
    if send_bytes:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_bytes)
    app = create_app(store, settings, outcomes, dial)
    running = Running(app, listener)
    running.start()
    try:
        yield Served(app, listener.getsockname()[1])
    finally:
        running.stop()


class Running(threading.Thread):
    """The server, until it is stopped as a signal stops it."""

    def __init__(self, app: FastAPI, listener: socket.socket) -> None:
        super().__init__(name="web")
        self.app = app
        self.listener = listener

    def run(self) -> None:
        asyncio.run(self.serve())

    async def serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.task = asyncio.current_task()
        await serve(configured(self.app, None), self.listener, self.app.state.hub)

    def stop(self) -> None:
        assert self.task is not None
        self.loop.call_soon_threadsafe(self.task.cancel)
        self.join(20)
        assert not self.is_alive(), "the server does not end"
