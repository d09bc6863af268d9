"""A referee that runs matches, seen from here: which there are, and what happens in one of them."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any, Final, NamedTuple

import grpc
from pydantic import BaseModel

from conquest.v1.match_pb2 import (
    MATCH_STATE_RUNNING,
    GetRecordRequest,
    GetRecordResponse,
    ListMatchesRequest,
    ListMatchesResponse,
    Match,
)
from conquest.v1.record_pb2 import MatchRecord
from conquest.v1.referee_pb2 import WatchRequest, WatchResponse
from engine.record import read

LIST_SECONDS: Final = 2.0  # how long a list of matches is taken for right
CALL_SECONDS: Final = 1.0  # pages do not wait longer than this for a referee
MOST_LISTED: Final = 100
OPTIONS: Final = (
    ("grpc.max_receive_message_length", -1),
    ("grpc.keepalive_time_ms", 20_000),  # a referee that vanished without a word is noticed
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.initial_reconnect_backoff_ms", 500),
    ("grpc.max_reconnect_backoff_ms", 5_000),
)


class Dial(NamedTuple):
    """Where a referee is. `authority` are certificates in PEM, for one that has its own."""

    address: str
    token: str = ""  # an organiser's, for the list of matches
    plain: bool = True
    authority: bytes | None = None


class RunningMatch(BaseModel):
    """A match that is being played on a referee."""

    match_id: str
    variant: str
    agents: list[str]
    round: int
    round_limit: int
    actions: int

    @classmethod
    def of(cls, match: Match) -> "RunningMatch":
        return cls(
            match_id=match.match_id,
            variant=match.variant,
            agents=list(match.agents),
            round=match.round,
            round_limit=match.round_limit,
            actions=match.actions,
        )


class Referee:
    """Used on one event loop."""

    def __init__(self, dial: Dial) -> None:
        self.dial = dial
        self.metadata = (("authorization", f"Bearer {dial.token}"),) if dial.token else ()
        self.channel: grpc.aio.Channel | None = None
        self.listed: list[RunningMatch] = []
        self.until = 0.0
        self.listing = asyncio.Lock()

    async def running(self) -> list[RunningMatch]:
        """The newest first; none while the referee does not answer."""
        async with self.listing:
            if time.monotonic() >= self.until:
                self.listed = await self._list()
                self.until = time.monotonic() + LIST_SECONDS
        return self.listed

    async def _list(self) -> list[RunningMatch]:
        call: Any = self._channel().unary_unary(
            "/conquest.v1.MatchService/ListMatches",
            request_serializer=ListMatchesRequest.SerializeToString,
            response_deserializer=ListMatchesResponse.FromString,
        )
        request = ListMatchesRequest(state=MATCH_STATE_RUNNING, page_size=MOST_LISTED)
        try:
            response = await call(request, timeout=CALL_SECONDS, metadata=self.metadata)
        except grpc.aio.AioRpcError:
            return []
        return [RunningMatch.of(match) for match in response.matches]

    async def record(self, match_id: str) -> MatchRecord:
        """Of a match that is over; AioRpcError if there is none, RecordError if it is no good."""
        call: Any = self._channel().unary_unary(
            "/conquest.v1.MatchService/GetRecord",
            request_serializer=GetRecordRequest.SerializeToString,
            response_deserializer=GetRecordResponse.FromString,
        )
        response = await call(GetRecordRequest(match_id=match_id), timeout=CALL_SECONDS, metadata=self.metadata)
        return read(response.record)

    async def watch(self, match_id: str, first_event: int) -> AsyncIterator[WatchResponse]:
        """The public events of a match from that number on; AioRpcError where that cannot be."""
        call: Any = self._channel().unary_stream(
            "/conquest.v1.RefereeService/Watch",
            request_serializer=WatchRequest.SerializeToString,
            response_deserializer=WatchResponse.FromString,
        )
        stream = call(WatchRequest(match_id=match_id, first_event=first_event), metadata=self.metadata)
        try:
            async for response in stream:
                yield response
        finally:
            stream.cancel()

    def _channel(self) -> grpc.aio.Channel:
        if self.channel is None:
            dial = self.dial
            if dial.plain:
                self.channel = grpc.aio.insecure_channel(dial.address, options=OPTIONS)
            else:
                trust = grpc.ssl_channel_credentials(dial.authority)
                self.channel = grpc.aio.secure_channel(dial.address, trust, options=OPTIONS)
        return self.channel

    async def close(self) -> None:
        channel, self.channel = self.channel, None
        if channel is not None:
            await channel.close()
