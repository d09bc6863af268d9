"""An agent that closes its side is told all that was on its way, and the call ends."""

import asyncio
from typing import Any

import grpc

from conquest.v1.referee_pb2 import Hello, PlayRequest, PlayResponse
from tests.referee.wire import serving


async def leave_at_once(channel: grpc.aio.Channel, name: str) -> tuple[list[str], grpc.StatusCode]:
    play: Any = channel.stream_stream(
        "/conquest.v1.RefereeService/Play",
        request_serializer=lambda request: request.SerializeToString(),
        response_deserializer=PlayResponse.FromString,
    )
    call = play(metadata=(("authorization", f"Bearer author-{name}"),))
    await call.write(PlayRequest(hello=Hello(api_version=1)))
    await call.done_writing()
    async with asyncio.timeout(10):
        welcomed = [one.welcome.agent async for one in call if one.HasField("welcome")]  # a Ping may follow
        return welcomed, await call.code()


def test_the_call_ends_while_the_welcome_is_being_written() -> None:
    async def run() -> None:
        async with serving() as wire, grpc.aio.insecure_channel(wire.address) as channel:
            for number in range(20):
                told = await leave_at_once(channel, f"a{number}")
                assert told == ([f"a{number}"], grpc.StatusCode.OK)

    asyncio.run(run())
