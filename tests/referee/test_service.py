"""The services over a real connection: who may call what, and what is answered."""

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest

from conquest.v1 import match_pb2
from conquest.v1.match_pb2 import (
    CreateMatchRequest,
    GetMatchRequest,
    GetRecordRequest,
    ListMatchesRequest,
    MatchState,
)
from conquest.v1.record_pb2 import VariantOption
from conquest.v1.referee_pb2 import Hello, PlayRequest, PlayResponse
from engine import record
from engine.address import is_loopback
from engine.referee import service
from engine.referee.desk import Stream
from engine.referee.host import Refused
from engine.referee.limits import MESSAGE_BYTES
from engine.referee.server import ListenError, Tls
from sdk.client import FAILED, REPLACED, WRONG_USE
from tests.referee.table import Table
from tests.referee.wire import Wire, faults, reason_of, serving

BOTS = ("aggressor", "strategist", "cautious")


def request(names: list[str], **more: object) -> CreateMatchRequest:
    return CreateMatchRequest(variant="classic", agents=names, **more)  # type: ignore[arg-type]


def test_a_match_from_creation_to_record() -> None:
    async def run() -> None:
        async with serving() as wire:
            names = await wire.seat(*BOTS)
            options = [VariantOption(name="rounds", value="8")]
            made = (
                await wire.call("MatchService/CreateMatch", request(names, options=options, match_id="m"))
            ).match
            assert (made.match_id, made.state, made.round_limit) == ("m", MatchState.MATCH_STATE_RUNNING, 8)
            assert len(made.commitment) == 32
            await wire.played(1)
            told = (await wire.call("MatchService/GetMatch", GetMatchRequest(match_id="m"))).match
            assert told.state == MatchState.MATCH_STATE_FINISHED
            assert list(told.agents) == names
            got = await wire.call("MatchService/GetRecord", GetRecordRequest(match_id="m"))
            kept = record.read(got.record)
            record.verify(kept)
            assert kept.commitment == made.commitment
            assert kept.result == told.result
            assert len(got.sidecar.times) > 100
            assert not kept.conduct
            agents = (await wire.call("MatchService/ListAgents", match_pb2.ListAgentsRequest())).agents
            assert [one.name for one in agents] == sorted(names)
            assert all("sdk" in one.client for one in agents)

    asyncio.run(run())


def test_running_matches_are_listed_the_newest_first() -> None:
    async def run() -> None:
        async with serving() as wire:
            for name in ("x", "y"):  # nobody answers for them
                wire.referee.desk(name).stream = Stream("test", wants_events=False, is_local=True)
            for name in ("first", "second", "third"):
                wire.referee.create("classic", ["x", "y", "x"], {}, match_id=name)
            answer = await wire.call("MatchService/ListMatches", ListMatchesRequest())
            assert [match.match_id for match in answer.matches] == ["third", "second", "first"]

    asyncio.run(run())


def test_several_seats_of_one_match_count() -> None:
    table = Table(matches_at_once=2)
    with pytest.raises(Refused, match="has 0 seats and would get 3 more; it wants no more than 2"):
        table.referee.create("classic", ["a", "a", "a"], {})
    table.referee.create("classic", ["a", "a", "b"], {})


def test_matches_are_listed_in_pages() -> None:
    async def run() -> None:
        async with serving() as wire:
            names = await wire.seat(*BOTS)
            options = [VariantOption(name="rounds", value="1")]
            for number in range(7):
                made = request(names, options=options, match_id=f"m{number}")
                await wire.call("MatchService/CreateMatch", made)
            await wire.played(7)
            found, page = [], ""
            while True:
                asked = ListMatchesRequest(page_size=3, page=page, state=MatchState.MATCH_STATE_FINISHED)
                answer = await wire.call("MatchService/ListMatches", asked)
                found += [match.match_id for match in answer.matches]
                page = answer.next_page
                if not page:
                    break
            assert sorted(found) == [f"m{number}" for number in range(7)]
            running = ListMatchesRequest(state=MatchState.MATCH_STATE_RUNNING)
            assert not (await wire.call("MatchService/ListMatches", running)).matches

    asyncio.run(run())


def test_who_may_call_what() -> None:
    async def run() -> None:
        async with serving() as wire:
            ask = GetMatchRequest(match_id="none")
            method = "MatchService/GetMatch"
            told = [await wire.refused(method, ask, token) for token in ("", "wrong", "author-a", "organiser-o")]
            assert [one[:2] for one in told] == [
                ("UNAUTHENTICATED", "TOKEN_MISSING"),
                ("UNAUTHENTICATED", "TOKEN_UNKNOWN"),
                ("PERMISSION_DENIED", "ROLE_TOO_LOW"),
                ("NOT_FOUND", "NOT_FOUND"),
            ]
            assert "the token of a has the role author; organiser is needed" in told[2][2]

    asyncio.run(run())


def test_matches_that_cannot_be_made() -> None:
    async def run() -> None:
        async with serving() as wire:
            names = await wire.seat(*BOTS, matches_at_once=1)
            method = "MatchService/CreateMatch"
            wrong: list[tuple[CreateMatchRequest, str, str]] = [
                (CreateMatchRequest(variant="chess", agents=names), "INVALID_ARGUMENT", "unknown variant 'chess'"),
                (request(names[:2]), "INVALID_ARGUMENT", "3, 4, 5, 6 players"),
                (
                    request([*names[:2], "nobody"]),
                    "AGENT_NOT_READY",
                    "agent 'nobody' is not connected",
                ),
                (request(names, time={"bank_ms": 0, "limit_ms": 5}), "INVALID_ARGUMENT", "bank and limit"),
                (request(names, options=[VariantOption(name="rounds", value="x")]), "INVALID_ARGUMENT", ""),
                (request(names, options=[VariantOption(name="fog", value="1")]), "INVALID_ARGUMENT", "rounds"),
            ]
            for asked, reason, text in wrong:
                _, told, details = await wire.refused(method, asked)
                assert told == reason
                assert text in details
            assert not wire.referee.sessions
            await wire.call(method, request(names, match_id="m"))
            _, told, details = await wire.refused(method, request(names, match_id="m"))
            assert told == "ALREADY_EXISTS"
            _, told, details = await wire.refused(method, request(names))
            assert told == "AGENT_NOT_READY"
            assert "has 1 seats and would get 1 more; it wants no more than 1" in details
            _, told, _ = await wire.refused("MatchService/GetRecord", GetRecordRequest(match_id="m"))
            assert told in ("MATCH_NOT_OVER", "")

    asyncio.run(run())


async def open_stream(wire: Wire, token: str, *requests: PlayRequest) -> list[PlayResponse]:
    """What a hand-made stream is sent until it ends; AioRpcError tells how it ended."""
    async with grpc.aio.insecure_channel(wire.address) as channel:
        call: Any = channel.stream_stream(
            "/conquest.v1.RefereeService/Play",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=PlayResponse.FromString,
        )(metadata=(("authorization", f"Bearer {token}"),))
        for one in requests:
            await call.write(one)
        return [message async for message in call]


def test_a_stream_begins_with_hello(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "HELLO_SECONDS", 0.05)

    async def run() -> None:
        async with serving() as wire:
            for requests, token, reason in (
                ([], "author-a", "HELLO_MISSING"),
                ([PlayRequest(actions=[{"handle": 1}])], "author-a", "HELLO_MISSING"),
                ([PlayRequest(hello=Hello(api_version=9))], "author-a", "API_VERSION"),
                ([PlayRequest(hello=Hello(api_version=1))], "wrong", "TOKEN_UNKNOWN"),
            ):
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await open_stream(wire, token, *requests)
                assert reason_of(caught.value) == reason

    asyncio.run(run())


def test_a_message_too_large_ends_the_stream_and_nothing_else() -> None:
    async def run() -> None:
        async with serving() as wire:
            names = await wire.seat(*BOTS)
            big = PlayRequest(hello=Hello(api_version=1, client="x" * MESSAGE_BYTES))
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await open_stream(wire, "author-big", big)
            assert caught.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
            wire.referee.create("classic", names, {"rounds": 3})
            assert faults(await wire.played(1)) == []

    asyncio.run(run())


def test_a_second_process_with_the_same_token_takes_over() -> None:
    async def run() -> None:
        async with serving() as wire:
            first = await wire.connect(wire.client("random", "twin"))
            await wire.connect(wire.client("random", "twin"))
            assert await asyncio.wait_for(first, 10) == REPLACED

    asyncio.run(run())


def test_a_wrong_token_ends_the_client_at_once() -> None:
    async def run() -> None:
        async with serving() as wire:
            client = wire.client("random", "x")
            client.token = "nonsense"
            assert await asyncio.wait_for(client.run(), 10) == WRONG_USE

    asyncio.run(run())


def test_without_a_referee_the_client_gives_up_in_the_end() -> None:
    async def run() -> None:
        async with serving() as wire:
            address = wire.address
            client = wire.client("random", "x", patience=0.3)
        client.address = address
        assert await asyncio.wait_for(client.run(), 20) == FAILED

    asyncio.run(run())


def test_clients_come_back_to_a_referee_that_was_started_anew() -> None:
    async def run() -> None:
        async with serving() as wire:
            address = wire.address
            clients = [wire.client(bot, bot) for bot in BOTS]
            for client in clients:
                await wire.connect(client)
            wire.referee.create("classic", list(BOTS), {})
            tasks, wire.tasks = wire.tasks, []
        try:
            async with serving(address) as again:
                await again.until(lambda: len(again.referee.desks) == 3)
                again.referee.create("classic", list(BOTS), {"rounds": 3})
                assert faults(await again.played(1)) == []
        finally:
            for task in tasks:
                task.cancel()

    asyncio.run(run())


def test_plain_text_stays_on_this_machine() -> None:
    assert [is_loopback(text) for text in ("127.0.0.1:5", "[::1]:5", "localhost:5", "unix:/tmp/x")] == [True] * 4
    assert not any(
        is_loopback(text) for text in ("0.0.0.0:5", "[::]:5", "10.1.2.3:5", "example:5", "127.0.0.1.example:5")
    )

    async def run() -> None:
        with pytest.raises(ListenError, match="tokens would travel in plain text"):
            async with serving("0.0.0.0:0"):
                pass

    asyncio.run(run())


def test_an_address_in_use_is_told() -> None:
    async def run() -> None:
        async with serving() as wire:
            with pytest.raises(ListenError, match="cannot listen"):
                async with serving(wire.address):
                    pass

    asyncio.run(run())


def test_a_unix_socket_serves_as_well(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(f"unix:{tmp_path / 's'}") as wire:
            names = await wire.seat(*BOTS)
            wire.referee.create("classic", names, {"rounds": 2})
            assert faults(await wire.played(1)) == []
            assert all(desk.stream and desk.stream.is_local for desk in wire.referee.desks.values())

    asyncio.run(run())


def test_tls_by_certificate(certificate: tuple[Path, Path]) -> None:
    trusted, key = certificate

    async def run() -> None:
        async with serving() as wire:
            secure = service_on_tls(wire, Tls(trusted, key))
            await secure
            trusting = wire.client("random", "x", plain=False, authority=trusted)
            trusting.address = f"localhost:{wire.server.port}"
            await wire.connect(trusting)
            doubting = wire.client("random", "y", plain=False, patience=0.2)
            doubting.address = trusting.address
            assert await asyncio.wait_for(doubting.run(), 20) == FAILED

    async def service_on_tls(wire: Wire, tls: Tls) -> None:
        await wire.server.stop("TLS comes", grace=0.1)
        await wire.server.start("127.0.0.1:0", tls)

    asyncio.run(run())
