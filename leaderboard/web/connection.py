"""How the server treats connections: one whose reader takes nothing off is cut, whatever was being sent."""

import asyncio
from typing import Final

from uvicorn.protocols.http.h11_impl import H11Protocol

STUCK_SECONDS: Final = 30.0


class Connection(H11Protocol):
    """The transport says when its buffer is full, and when it has room again."""

    stuck: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        if self.stuck is None:
            self.stuck = self.loop.call_later(STUCK_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self.forget()

    def connection_lost(self, exc: Exception | None) -> None:
        self.forget()
        super().connection_lost(exc)

    def forget(self) -> None:
        if self.stuck is not None:
            self.stuck.cancel()
            self.stuck = None
