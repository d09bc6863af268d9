"""Watching: the public events from any number on, kept only while somebody watches."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from conquest.v1.referee_pb2 import WatchRequest, WatchResponse
from engine import codec
from engine.referee.clock import TimeControl
from engine.referee.limits import EVENTS_KEPT
from engine.referee.session import Session
from engine.referee.watch import watch
from engine.rules.events import DREW, Event
from engine.rules.observe import observe, redact
from engine.rules.state import NOBODY
from tests.referee.table import Table
from tests.referee.wire import Wire, reason_of, serving


def told(responses: list[WatchResponse]) -> list[Event]:
    return [event for response in responses for event in codec.read_events(response.events)]


def public(session: Session) -> list[Event]:
    return [redact(event, NOBODY)._replace(audience=-1) for event in session.history()]


async def watching(wire: Wire, match_id: str, first: int | None = None) -> AsyncIterator[WatchResponse]:
    async with grpc.aio.insecure_channel(wire.address) as channel:
        call: Any = channel.unary_stream(
            "/conquest.v1.RefereeService/Watch",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=WatchResponse.FromString,
        )
        async for response in call(WatchRequest(match_id=match_id, first_event=first)):
            yield response


def test_everything_is_told_from_the_start_to_the_result() -> None:
    async def run() -> None:
        async with serving() as wire:
            names = await wire.seat("aggressor", "strategist", "random")
            session = wire.referee.create("classic", names, {"rounds": 6}, match_id="m")
            responses = [response async for response in watching(wire, "m", 0)]
            assert responses[0].match.match_id == "m"
            assert told(responses) == public(session)
            assert responses[-1].result == wire.over[0].match.result

    asyncio.run(run())


def test_a_watcher_goes_on_where_it_left() -> None:
    async def run() -> None:
        async with serving() as wire:
            names = await wire.seat("cautious", "strategist", "random")
            session = wire.referee.create("classic", names, {"rounds": 10}, match_id="m")
            first: list[WatchResponse] = []
            async for response in watching(wire, "m", 0):
                first.append(response)
                if len(told(first)) > 300:
                    break
            seen = len(told(first))
            rest = [response async for response in watching(wire, "m", seen)]
            assert told(first) + told(rest) == public(session)

    asyncio.run(run())


def test_who_comes_late_is_given_the_position() -> None:
    table = Table()
    session = table.create(rounds=8)
    table.play(most=200)

    async def begin() -> None:
        watcher = watch(session, None)
        await anext(watcher)
        start = await anext(watcher)
        assert start.next_event == len(session.history())
        seen = codec.read_observation(session.r, start.observation)
        assert seen == observe(session.r, session.s, NOBODY)
        await watcher.aclose()

    asyncio.run(begin())


def test_a_slow_watcher_is_given_a_position_to_go_on_from() -> None:
    table = Table()
    session = table.create(rounds=100)

    async def run() -> list[WatchResponse]:
        watcher = watch(session, None)
        first = [await anext(watcher), await anext(watcher)]
        await asyncio.to_thread(table.play)  # and it reads nothing meanwhile
        return [*first, *[response async for response in watcher]]

    responses = asyncio.run(run())
    assert len(session.history()) > 2 * EVENTS_KEPT
    assert session.log is None, "nobody watches any more"
    match, start, position, result = responses
    assert match.match.match_id == session.match_id
    assert start.next_event < position.next_event
    assert position.next_event == len(session.history())
    assert codec.read_observation(session.r, position.observation) == observe(session.r, session.s, NOBODY)
    assert result.result == table.over[0].match.result


def test_events_are_kept_only_while_somebody_watches() -> None:
    table = Table()
    session = table.create()
    assert session.s.events is None

    async def run() -> None:
        watcher = watch(session, None)
        await anext(watcher)
        assert session.log is not None
        await watcher.aclose()
        assert session.log is None

    asyncio.run(run())
    assert session.s.events is None


def test_no_watcher_learns_a_hidden_card() -> None:
    table = Table()
    session = table.create(rounds=20)
    table.play()
    drawn = [event for event in public(session) if event.kind == DREW]
    assert drawn
    assert all(event.card == 127 for event in drawn)


def test_no_watcher_learns_what_a_seat_did_wrong() -> None:
    table = Table()
    session = table.create(time=TimeControl(100, 0, 1))
    table.wait(1.1)
    assert session.told().conduct

    async def begin() -> WatchResponse:
        return await anext(watch(session, None))

    assert not asyncio.run(begin()).match.conduct


def test_agents_that_ask_for_events_get_all_of_them_once() -> None:
    table = Table(events=True)
    session = table.create(rounds=5)
    table.play()
    for seat, player in enumerate(table.players):
        player.read()
        sent = [one.events for message in player.messages for one in message.decisions]
        sent += [one.events for one in player.finished()]
        events = [event for one in sent for event in codec.read_events(one)]
        wanted = [redact(event, seat)._replace(audience=-1) for event in session.history()]
        assert events == wanted
        assert sent[0].first == 0


def test_a_match_that_is_not_there_is_told() -> None:
    async def run() -> None:
        async with serving() as wire:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                [response async for response in watching(wire, "none")]
            assert reason_of(caught.value) == "NOT_FOUND"

    asyncio.run(run())
