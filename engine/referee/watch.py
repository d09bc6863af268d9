"""Watching: the public events of a match, from any number on. A slow watcher is given a position to go on from."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

from conquest.v1.referee_pb2 import WatchResponse
from engine import codec
from engine.referee.session import EventLog, Session
from engine.rules.events import Event
from engine.rules.observe import observe, redact
from engine.rules.state import NOBODY

BATCH: Final = 256  # events in one response


async def watch(session: Session, first_event: int | None) -> AsyncGenerator[WatchResponse, None]:
    """Everything from that event on, or from now on, until the match is over."""
    log = session.keep_events()
    wake = asyncio.Event()
    session.watchers.append(wake)
    try:
        match = session.told()
        match.ClearField("conduct")  # it has times and words of single seats, and those who play may watch
        yield WatchResponse(match=match)
        if first_event is None:
            position = log.end
            yield position_of(session, log)
        else:
            past = session.history() if first_event < log.first else []
            for start in range(first_event, len(past), BATCH):
                yield told(past[start : start + BATCH], start)
            position = max(first_event, len(past))
        async for response in follow(session, log, position, wake):
            yield response
    finally:
        session.stop_watching(wake)


async def follow(
    session: Session, log: EventLog, position: int, wake: asyncio.Event
) -> AsyncGenerator[WatchResponse, None]:
    while True:
        wake.clear()
        if position < log.first:
            position = log.end
            yield position_of(session, log)
        while log.first <= position < log.end:
            first, events = log.since(position)
            position = first + len(events[:BATCH])
            yield told(events[:BATCH], first)
        if session.over and position >= log.end:
            break
        if position >= log.end:
            await wake.wait()
    if session.record is not None:
        yield WatchResponse(result=session.record.result)


def position_of(session: Session, log: EventLog) -> WatchResponse:
    seen = observe(session.r, session.s, NOBODY)
    return WatchResponse(observation=codec.write_observation(seen), next_event=log.end)


def told(events: list[Event], first: int) -> WatchResponse:
    return WatchResponse(events=codec.write_events([redact(event, NOBODY) for event in events], first))
