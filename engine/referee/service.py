"""gRPC in and out: who calls, what they may, and errors as status codes. What is decided is decided in host.py."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any, Final, NamedTuple, NoReturn

import grpc
from google.protobuf.message import Message

from conquest.v1 import catalog_pb2, match_pb2, referee_pb2
from conquest.v1.error_pb2 import ErrorReason
from conquest.v1.match_pb2 import MatchState
from conquest.v1.referee_pb2 import PlayRequest, WatchRequest, WatchResponse
from engine import record
from engine.referee import catalog
from engine.referee.auth import Identity, Role, Tokens
from engine.referee.clock import TimeControl, check_time_control
from engine.referee.desk import Desk, Stream
from engine.referee.host import Finished, Referee, Refused
from engine.referee.limits import (
    API_VERSION,
    CLIENT_NAME_CHARACTERS,
    HELLO_SECONDS,
    MOST_PAGE,
    PAGE,
    SURPLUS_ANSWERS,
)
from engine.referee.watch import watch
from engine.rules.errors import RulesError

log = logging.getLogger(__name__)

Context = grpc.aio.ServicerContext[Any, Any]

REASON_KEY: Final = "conquest-reason"
STATUS: Final = {
    ErrorReason.ERROR_REASON_TOKEN_MISSING: grpc.StatusCode.UNAUTHENTICATED,
    ErrorReason.ERROR_REASON_TOKEN_UNKNOWN: grpc.StatusCode.UNAUTHENTICATED,
    ErrorReason.ERROR_REASON_ROLE_TOO_LOW: grpc.StatusCode.PERMISSION_DENIED,
    ErrorReason.ERROR_REASON_HELLO_MISSING: grpc.StatusCode.INVALID_ARGUMENT,
    ErrorReason.ERROR_REASON_API_VERSION: grpc.StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_REPLACED: grpc.StatusCode.ABORTED,
    ErrorReason.ERROR_REASON_SHUTDOWN: grpc.StatusCode.UNAVAILABLE,
    ErrorReason.ERROR_REASON_TOO_MANY_ANSWERS: grpc.StatusCode.RESOURCE_EXHAUSTED,
    ErrorReason.ERROR_REASON_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    ErrorReason.ERROR_REASON_INVALID_ARGUMENT: grpc.StatusCode.INVALID_ARGUMENT,
    ErrorReason.ERROR_REASON_AGENT_NOT_READY: grpc.StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_MATCH_NOT_OVER: grpc.StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_TOO_MANY_MATCHES: grpc.StatusCode.RESOURCE_EXHAUSTED,
    ErrorReason.ERROR_REASON_ALREADY_EXISTS: grpc.StatusCode.ALREADY_EXISTS,
}


async def refuse(context: Context, reason: ErrorReason, text: str) -> NoReturn:
    name = ErrorReason.Name(reason).removeprefix("ERROR_REASON_")
    await context.abort(STATUS[reason], text, trailing_metadata=((REASON_KEY, name),))
    raise AssertionError("abort raises")


class Door:
    """Finds out who calls."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens

    async def enter(self, context: Context, role: Role) -> Identity:
        """Who calls; the call ends here if its token does not allow it."""
        sent = dict(context.invocation_metadata() or ()).get("authorization", "")
        token = str(sent).removeprefix("Bearer ").strip()
        if not token:
            text = "no token was sent; send the metadata 'authorization: Bearer TOKEN'"
            await refuse(context, ErrorReason.ERROR_REASON_TOKEN_MISSING, text)
        found = self.tokens.find(token)
        if found is None:
            text = "the token is unknown; ask the organiser for one, or look for a typing error"
            await refuse(context, ErrorReason.ERROR_REASON_TOKEN_UNKNOWN, text)
        if found.role < role:
            text = (
                f"the token of {found.name} has the role {found.role.name.lower()}; {role.name.lower()} is needed"
            )
            await refuse(context, ErrorReason.ERROR_REASON_ROLE_TOO_LOW, text)
        return found


class RefereeService:
    """Play and Watch."""

    def __init__(self, referee: Referee, door: Door) -> None:
        self.referee = referee
        self.door = door

    async def play(self, requests: AsyncIterator[PlayRequest], context: Context) -> None:
        identity = await self.door.enter(context, Role.AUTHOR)
        hello = await self.first(requests, context, identity.name)
        is_local = (context.peer() or "").startswith("unix:")
        client = "".join(sign for sign in hello.client[:CLIENT_NAME_CHARACTERS] if sign.isprintable())
        stream = Stream(client, hello.events, is_local)
        desk = self.referee.desk(identity.name)
        desk.connect(stream, hello, self.referee.epoch)
        log.info("agent %s connected from %s with %s", desk.agent, context.peer(), stream.client)
        sender = asyncio.create_task(stream.send_all(context.write))
        reader = asyncio.create_task(self.read(requests, desk, stream))
        try:
            ended, _ = await asyncio.wait((sender, reader), return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                task.result()  # raises what it raised
            desk.disconnect(stream)
            stream.end()
            await sender  # a message that is being written must not meet the end of the call
        finally:
            sender.cancel()
            reader.cancel()
            desk.disconnect(stream)
            log.info("agent %s has left", desk.agent)
        if stream.reason:
            await refuse(context, stream.reason, stream.farewell)

    async def first(self, requests: AsyncIterator[PlayRequest], context: Context, agent: str) -> referee_pb2.Hello:
        try:
            request = await asyncio.wait_for(anext(requests), HELLO_SECONDS)
        except (TimeoutError, StopAsyncIteration):
            request = PlayRequest()
        if not request.HasField("hello"):
            text = f"agent {agent} sent no Hello within {HELLO_SECONDS:g} s; it must be the first message"
            await refuse(context, ErrorReason.ERROR_REASON_HELLO_MISSING, text)
        if request.hello.api_version != API_VERSION:
            text = (
                f"agent {agent} speaks API version {request.hello.api_version}; this server speaks {API_VERSION}"
            )
            await refuse(context, ErrorReason.ERROR_REASON_API_VERSION, text)
        return request.hello

    async def read(self, requests: AsyncIterator[PlayRequest], desk: Desk, stream: Stream) -> None:
        async for request in requests:
            if stream.closing:
                return
            if request.HasField("pong"):
                desk.receive_pong(stream, request.pong.nonce)
            if request.orders:
                desk.receive_orders(list(request.orders))
            if request.actions and not await desk.receive(stream, list(request.actions)):
                text = f"agent {desk.agent} sent more than {SURPLUS_ANSWERS} answers that nobody asked for"
                stream.close(ErrorReason.ERROR_REASON_TOO_MANY_ANSWERS, text)

    async def watch(self, request: WatchRequest, context: Context) -> AsyncIterator[WatchResponse]:
        session = self.referee.sessions.get(request.match_id)
        if session is None:
            text = f"no match named '{request.match_id}' is running; one that is over has a record"
            await refuse(context, ErrorReason.ERROR_REASON_NOT_FOUND, text)
        first = request.first_event if request.HasField("first_event") else None
        async for response in watch(session, first):
            yield response


class MatchService:
    """Matches, for organisers."""

    def __init__(self, referee: Referee, door: Door) -> None:
        self.referee = referee
        self.door = door

    async def create(
        self, request: match_pb2.CreateMatchRequest, context: Context
    ) -> match_pb2.CreateMatchResponse:
        await self.door.enter(context, Role.ORGANISER)
        try:
            options = {option.name: int(option.value) for option in request.options}
            session = self.referee.create(
                request.variant,
                list(request.agents),
                options,
                request.match_id,
                read_time(request),
                request.seed if request.HasField("seed") else None,
            )
        except Refused as error:
            await refuse(context, error.reason, str(error))
        except ValueError as error:  # every RulesError is one
            await refuse(context, ErrorReason.ERROR_REASON_INVALID_ARGUMENT, str(error))
        return match_pb2.CreateMatchResponse(match=session.told())

    async def get(self, request: match_pb2.GetMatchRequest, context: Context) -> match_pb2.GetMatchResponse:
        await self.door.enter(context, Role.ORGANISER)
        session = self.referee.sessions.get(request.match_id)
        if session is not None:
            return match_pb2.GetMatchResponse(match=session.told())
        return match_pb2.GetMatchResponse(match=(await self.finished(request.match_id, context)).match)

    async def finished(self, match_id: str, context: Context) -> Finished:
        found = self.referee.finished.get(match_id)
        if found is None:
            await refuse(context, ErrorReason.ERROR_REASON_NOT_FOUND, f"there is no match named '{match_id}'")
        return found

    async def list(self, request: match_pb2.ListMatchesRequest, context: Context) -> match_pb2.ListMatchesResponse:
        await self.door.enter(context, Role.ORGANISER)
        names = [*reversed(self.referee.sessions), *reversed(self.referee.finished)]
        wanted = [
            name for name in names if request.state in (MatchState.MATCH_STATE_UNSPECIFIED, self.state(name))
        ]
        start = wanted.index(request.page) if request.page in wanted else 0
        size = min(request.page_size or PAGE, MOST_PAGE)
        page = wanted[start : start + size]
        rest = wanted[start + size :]
        return match_pb2.ListMatchesResponse(
            matches=[self.told(name) for name in page], next_page=rest[0] if rest else ""
        )

    def told(self, name: str) -> match_pb2.Match:
        if name in self.referee.sessions:
            return self.referee.sessions[name].told()
        return self.referee.finished[name].match

    def state(self, name: str) -> MatchState:
        if name in self.referee.sessions:
            return MatchState.MATCH_STATE_RUNNING
        return self.referee.finished[name].match.state

    async def get_record(
        self, request: match_pb2.GetRecordRequest, context: Context
    ) -> match_pb2.GetRecordResponse:
        await self.door.enter(context, Role.ORGANISER)
        if request.match_id in self.referee.sessions:
            text = f"match '{request.match_id}' still goes on; its record comes with its end"
            await refuse(context, ErrorReason.ERROR_REASON_MATCH_NOT_OVER, text)
        found = await self.finished(request.match_id, context)
        if found.record is None:
            text = f"match '{request.match_id}' was given up and has no record"
            await refuse(context, ErrorReason.ERROR_REASON_NOT_FOUND, text)
        packed = await asyncio.to_thread(record.write, found.record)  # both take milliseconds
        sidecar = await asyncio.to_thread(found.ledger.sidecar)
        return match_pb2.GetRecordResponse(record=packed, sidecar=sidecar)

    async def agents(self, request: match_pb2.ListAgentsRequest, context: Context) -> match_pb2.ListAgentsResponse:
        await self.door.enter(context, Role.ORGANISER)
        told = match_pb2.ListAgentsResponse()
        for name, desk in sorted(self.referee.desks.items()):
            if desk.stream is not None:
                told.agents.add(
                    name=name,
                    client=desk.stream.client,
                    matches=len(desk.seats),
                    matches_at_once=desk.matches_at_once,
                )
        return told


def read_time(request: match_pb2.CreateMatchRequest) -> TimeControl | None:
    if not request.HasField("time"):
        return None
    time = request.time
    control = TimeControl(time.bank_ms / 1000, time.increment_ms / 1000, time.limit_ms / 1000)
    check_time_control(control)
    return control


class CatalogService:
    """What can be played, for everybody."""

    async def variants(
        self, request: catalog_pb2.ListVariantsRequest, context: Context
    ) -> catalog_pb2.ListVariantsResponse:
        return catalog.variants()

    async def board(self, request: catalog_pb2.GetBoardRequest, context: Context) -> catalog_pb2.GetBoardResponse:
        try:
            return catalog.board(request.variant, dict(request.options))
        except RulesError as error:
            await refuse(context, ErrorReason.ERROR_REASON_INVALID_ARGUMENT, str(error))

    async def verbs(
        self, request: catalog_pb2.ListVerbsRequest, context: Context
    ) -> catalog_pb2.ListVerbsResponse:
        return catalog.verbs()


# Serving


def serialized(message: Message) -> bytes:
    return message.SerializeToString()


class Method(NamedTuple):
    """One method: how it is called, and its messages."""

    call: Callable[..., Any]
    request: type[Message]
    handler: "Callable[..., grpc.RpcMethodHandler[Any, Any]]" = grpc.unary_unary_rpc_method_handler


def handlers(referee: Referee, tokens: Tokens) -> list[grpc.GenericRpcHandler]:
    door = Door(tokens)
    play, matches, games = RefereeService(referee, door), MatchService(referee, door), CatalogService()
    services: dict[str, dict[str, Method]] = {
        "RefereeService": {
            "Play": Method(play.play, PlayRequest, grpc.stream_stream_rpc_method_handler),
            "Watch": Method(play.watch, WatchRequest, grpc.unary_stream_rpc_method_handler),
        },
        "MatchService": {
            "CreateMatch": Method(matches.create, match_pb2.CreateMatchRequest),
            "GetMatch": Method(matches.get, match_pb2.GetMatchRequest),
            "ListMatches": Method(matches.list, match_pb2.ListMatchesRequest),
            "GetRecord": Method(matches.get_record, match_pb2.GetRecordRequest),
            "ListAgents": Method(matches.agents, match_pb2.ListAgentsRequest),
        },
        "CatalogService": {
            "ListVariants": Method(games.variants, catalog_pb2.ListVariantsRequest),
            "GetBoard": Method(games.board, catalog_pb2.GetBoardRequest),
            "ListVerbs": Method(games.verbs, catalog_pb2.ListVerbsRequest),
        },
    }
    return [
        grpc.method_handlers_generic_handler(
            f"conquest.v1.{service}",
            {
                name: method.handler(method.call, method.request.FromString, serialized)
                for name, method in methods.items()
            },
        )
        for service, methods in services.items()
    ]
