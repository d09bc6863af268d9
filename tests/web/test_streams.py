"""Readers of what is told as it happens: who falls behind, who comes back, who is too many."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from leaderboard.web import streams
from leaderboard.web.problems import Problem
from leaderboard.web.streams import QUEUE, Reader, Seats, Source


class Counter(Source):
    """Tells numbers; a snapshot is their sum."""

    def __init__(self) -> None:
        super().__init__()
        self.sum = 0

    def snapshot(self, last_id: str) -> bytes:
        return b"sum %d" % self.sum

    def add(self, number: int) -> None:
        self.sum += number
        self.tell(b"%d" % number)


async def begun(source: Source, reader: Reader) -> AsyncIterator[bytes]:
    """A reader that has been given its first snapshot."""
    source.join(reader)
    told = aiter(source.read(reader))
    assert (await anext(told)).startswith(b"retry: ")
    assert (await anext(told)).startswith(b"sum ")
    return told


def test_who_falls_behind_goes_on_from_a_snapshot() -> None:
    async def run() -> None:
        source, slow, quick = Counter(), Reader("a", ""), Reader("b", "")
        slow_told, quick_told = await begun(source, slow), await begun(source, quick)
        for _ in range(QUEUE + 1):
            source.add(1)
            assert await anext(quick_told) == b"1"
        assert len(slow.queue) == 0, "what nobody can catch up with is not kept"
        source.add(5)
        assert await anext(slow_told) == b"sum %d" % (QUEUE + 6)
        source.add(7)
        assert [await anext(slow_told), await anext(quick_told), await anext(quick_told)] == [b"7", b"5", b"7"]

    asyncio.run(run())


def test_what_waits_comes_before_the_end() -> None:
    async def run() -> None:
        source = Counter()
        told = await begun(source, Reader("a", ""))
        source.add(3)
        source.end()
        assert [piece async for piece in told] == [b"3"]
        late = Reader("b", "")
        source.join(late)
        assert [piece async for piece in source.read(late)][1:] == [b"sum 3"]

    asyncio.run(run())


def test_silence_is_not_taken_for_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 0.01)

    async def run() -> None:
        told = await begun(Counter(), Reader("a", ""))
        assert [await anext(told), await anext(told)] == [streams.HEARTBEAT] * 2

    asyncio.run(run())


def test_readers_are_counted_in_all_and_of_one_client() -> None:
    seats = Seats(3, 2)
    for client in ("a", "a", "b"):
        seats.take(client)
    for client in ("a", "c"):
        with pytest.raises(Problem) as refused:
            seats.take(client)
        assert refused.value.status == 429
    seats.leave("a")
    seats.take("c")
    for client in ("a", "b", "c"):
        seats.leave(client)
    assert not seats.taken, "nobody is remembered"
