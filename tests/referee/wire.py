"""A referee on a real port, with real clients, in the loop of the test."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import grpc

from conquest.v1 import match_pb2
from engine.referee.auth import Identity, Role
from engine.referee.desk import Desk
from engine.referee.host import Finished, Referee
from engine.referee.server import Server
from sdk.client import Client, Wishes
from sdk.local import load_bot


class TestTokens:
    """`author-x`, `organiser-x` and `admin-x` are tokens of x."""

    __test__ = False

    def find(self, token: str) -> Identity | None:
        role, dash, name = token.partition("-")
        return Identity(name, Role[role.upper()]) if dash and role.upper() in Role.__members__ else None


class Wire:
    """A running referee, and what is played on it."""

    def __init__(self, referee: Referee, server: Server, address: str) -> None:
        self.referee = referee
        self.server = server
        self.address = address
        self.over: list[Finished] = []
        self.clients: list[Client] = []
        self.tasks: list[asyncio.Task[int]] = []

    def client(self, bot: str, name: str, **more: Any) -> Client:
        return Client(load_bot(bot), self.address, f"author-{name}", **more)

    async def seat(self, *bots: str, **wishes: Any) -> list[str]:
        """Connects a client for each bot; gives the names of the agents."""
        names = [f"{bot}-{len(self.clients) + number}" for number, bot in enumerate(bots)]
        for bot, name in zip(bots, names, strict=True):
            await self.connect(self.client(bot, name, wishes=Wishes(**wishes)))
        return names

    async def connect(self, client: Client) -> "asyncio.Task[int]":
        name = client.token.partition("-")[2]
        self.clients.append(client)
        self.tasks.append(asyncio.create_task(client.run()))
        await self.arrived(name)
        return self.tasks[-1]

    async def arrived(self, name: str) -> Desk:
        desk = self.referee.desk(name)
        await self.until(lambda: desk.stream is not None)
        return desk

    async def until(self, holds: Callable[[], bool], seconds: float = 60.0) -> None:
        async with asyncio.timeout(seconds):
            while not holds():
                await asyncio.sleep(0.005)

    async def played(self, count: int, seconds: float = 60.0) -> list[Finished]:
        await self.until(lambda: len(self.over) >= count, seconds)
        return self.over

    async def call(self, method: str, request: Any, token: str = "organiser-o") -> Any:
        """A call of MatchService or CatalogService by its path, like `MatchService/GetMatch`."""
        service, name = method.split("/")
        response = getattr(match_pb2, f"{name}Response")
        async with grpc.aio.insecure_channel(self.address) as channel:
            call: Any = channel.unary_unary(
                f"/conquest.v1.{service}/{name}",
                request_serializer=lambda message: message.SerializeToString(),
                response_deserializer=response.FromString,
            )
            metadata = (("authorization", f"Bearer {token}"),) if token else ()
            return await call(request, metadata=metadata)

    async def refused(self, method: str, request: Any, token: str = "organiser-o") -> tuple[str, str, str]:
        """The status, the reason and the text of a call that fails."""
        try:
            await self.call(method, request, token)
        except grpc.aio.AioRpcError as error:
            return error.code().name, reason_of(error), error.details() or ""
        raise AssertionError(f"{method} was not refused")


def reason_of(error: grpc.aio.AioRpcError) -> str:
    return str(dict(error.trailing_metadata() or ()).get("conquest-reason", ""))


@asynccontextmanager
async def serving(address: str = "127.0.0.1:0", **settings: Any) -> AsyncIterator[Wire]:
    over: list[Finished] = []
    referee = Referee(on_finished=over.append, **settings)
    server = Server(referee, TestTokens())
    await server.start(address)
    wire = Wire(referee, server, f"127.0.0.1:{server.port}" if server.port > 1 else address)
    wire.over = over
    try:
        yield wire
    finally:
        for task in wire.tasks:
            task.cancel()
        await asyncio.gather(*wire.tasks, return_exceptions=True)
        await server.stop("the test is over", grace=0.1)


def faults(over: Sequence[Finished]) -> list[str]:
    return [one.detail for finished in over for one in finished.match.conduct]
