"""MatchService and Watch of a referee as plain calls, for organisers."""

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message

from conquest.v1 import match_pb2 as wire
from conquest.v1.record_pb2 import VariantOption
from conquest.v1.referee_pb2 import WatchRequest, WatchResponse
from engine.address import is_loopback

Response = TypeVar("Response", bound=Message)

CALL_SECONDS = 30.0
WRONG_USE = (
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.ALREADY_EXISTS,
)


class RemoteError(Exception):
    """A call that failed, in one line; `wrong_use` tells whether another request would help."""

    def __init__(self, text: str, wrong_use: bool) -> None:
        super().__init__(text)
        self.wrong_use = wrong_use


class Remote:
    """A connection to a referee; use it with `with`."""

    def __init__(self, address: str, token: str, authority: Path | None = None, plain: bool | None = None) -> None:
        self.address = address
        self.metadata = (("authorization", f"Bearer {token}"),) if token else ()
        options = [("grpc.max_receive_message_length", -1)]
        self.plain = is_loopback(address) if plain is None else plain
        if self.plain:
            self.channel = grpc.insecure_channel(address, options=options)
        else:
            trusted = authority.read_bytes() if authority is not None else None
            self.channel = grpc.secure_channel(address, grpc.ssl_channel_credentials(trusted), options=options)

    def __enter__(self) -> "Remote":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.channel.close()

    def create(
        self,
        variant: str,
        agents: list[str],
        options: dict[str, int],
        match_id: str,
        time: wire.TimeControl | None = None,
        seed: int | None = None,
    ) -> wire.Match:
        told = [VariantOption(name=name, value=str(value)) for name, value in options.items()]
        request = wire.CreateMatchRequest(
            match_id=match_id, variant=variant, options=told, agents=agents, time=time, seed=seed
        )
        return self.call("CreateMatch", request, wire.CreateMatchResponse).match

    def get(self, match_id: str) -> wire.Match:
        return self.call("GetMatch", wire.GetMatchRequest(match_id=match_id), wire.GetMatchResponse).match

    def matches(self, state: wire.MatchState, most: int) -> Iterator[wire.Match]:
        """The newest first, page by page."""
        page = ""
        while most > 0:
            request = wire.ListMatchesRequest(state=state, page_size=most, page=page)
            found = self.call("ListMatches", request, wire.ListMatchesResponse)
            yield from found.matches
            most, page = most - len(found.matches), found.next_page
            if not page:
                return

    def record(self, match_id: str) -> wire.GetRecordResponse:
        return self.call("GetRecord", wire.GetRecordRequest(match_id=match_id), wire.GetRecordResponse)

    def agents(self) -> list[wire.ConnectedAgent]:
        return list(self.call("ListAgents", wire.ListAgentsRequest(), wire.ListAgentsResponse).agents)

    def watch(self, match_id: str, first_event: int) -> Iterator[WatchResponse]:
        call = self.channel.unary_stream(
            "/conquest.v1.RefereeService/Watch",
            request_serializer=WatchRequest.SerializeToString,
            response_deserializer=WatchResponse.FromString,
        )
        try:
            yield from call(WatchRequest(match_id=match_id, first_event=first_event), metadata=self.metadata)
        except grpc.RpcError as error:
            raise self.failed(error) from error

    def call(self, method: str, request: Message, response: type[Response]) -> Response:
        call = self.channel.unary_unary(
            f"/conquest.v1.MatchService/{method}",
            request_serializer=type(request).SerializeToString,
            response_deserializer=response.FromString,
        )
        try:
            return call(request, timeout=CALL_SECONDS, metadata=self.metadata)
        except grpc.RpcError as error:
            raise self.failed(error) from error

    def failed(self, error: Any) -> RemoteError:
        if error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
            speech = "in plain text" if self.plain else "over TLS"
            why = f"no referee answers at {self.address} {speech}; 'arena referee serve' starts one"
            return RemoteError(why, wrong_use=False)
        return RemoteError(error.details(), error.code() in WRONG_USE)
