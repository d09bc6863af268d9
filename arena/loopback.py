"""A referee in a thread of this process, on a loopback port or a Unix socket, for as long as it is needed."""

import asyncio
import threading
from collections.abc import Callable
from types import TracebackType

from engine.referee.auth import Identity
from engine.referee.clock import STANDARD, TimeControl
from engine.referee.host import Finished, Referee
from engine.referee.server import Server


class KnownTokens:
    """Tokens in memory."""

    def __init__(self, known: dict[str, Identity]) -> None:
        self.known = known

    def find(self, token: str) -> Identity | None:
        return self.known.get(token)


class LoopbackReferee:
    """Use it with `with`; `address` says where it listens."""

    def __init__(
        self,
        tokens: dict[str, Identity],
        time_control: TimeControl = STANDARD,
        address: str = "127.0.0.1:0",
        on_finished: Callable[[Finished], None] | None = None,
    ) -> None:
        self.referee = Referee(time_control=time_control, on_finished=on_finished)
        self.tokens = KnownTokens(tokens)
        self.address = address
        self.error: BaseException | None = None
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self.run, name="referee", daemon=True)

    def __enter__(self) -> "LoopbackReferee":
        self.thread.start()
        self.ready.wait()
        if self.error is not None:
            raise self.error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.loop.call_soon_threadsafe(self.stop.set)
        self.thread.join()

    def run(self) -> None:
        try:
            asyncio.run(self.serve())
        except BaseException as error:
            self.error = error
        finally:
            self.ready.set()

    async def serve(self) -> None:
        self.loop, self.stop = asyncio.get_running_loop(), asyncio.Event()
        server = Server(self.referee, self.tokens)
        await server.start(self.address)
        if not self.address.startswith("unix:"):
            self.address = f"127.0.0.1:{server.port}"
        self.ready.set()
        await self.stop.wait()
        await server.stop("the referee is no longer needed", grace=0.2)
