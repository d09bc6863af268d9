"""One class, in one process and against a referee: hooks, batches, notes, plans and faults."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar

import pytest

from arena.matches import Fixture, play
from conquest.v1.referee_pb2 import Action as Sent
from engine import record
from engine.chance import seeded_keys
from engine.playout import CRASH, FORFEIT, ILLEGAL, BotFault
from engine.referee.limits import PLANNED_ACTIONS
from engine.rules.choices import place
from engine.rules.events import DREW, TURN_BEGAN, Event
from sdk.agent import Agent, Answer, Decision, MatchEnd, MatchInfo
from sdk.bots.aggressor import Aggressor
from sdk.client import Client, fill
from sdk.local import BotSpec, load_bot
from sdk.player import Player
from tests.referee.wire import Wire, serving

OTHERS = ("aggressor", "cautious")


async def against(wire: Wire, agent: type[Agent], **options: int) -> Client:
    """Plays a match of the class against two built-in bots; gives its client."""
    names = await wire.seat(*OTHERS)
    client = Client(BotSpec("mine", agent, built_in=False), wire.address, "author-mine")
    await wire.connect(client)
    wire.referee.create("classic", ["mine", *names], {"rounds": 6, **options}, seed=4)
    await wire.played(1)
    await wire.until(lambda: client.finished == 1)
    return client


class Listener(Aggressor):
    """Writes down what it is told."""

    told: ClassVar[list[object]] = []

    def on_start(self, match: MatchInfo) -> None:
        self.told.append((match.seat, match.agents[match.seat], match.ruleset.variant))

    def on_event(self, event: Event) -> None:
        self.told.append(event)

    def on_end(self, end: MatchEnd) -> None:
        self.told.append(end)


def test_hooks_are_called_alike_in_one_process_and_remotely() -> None:
    async def run() -> None:
        async with serving() as wire:
            await against(wire, Listener)

    Listener.told.clear()
    asyncio.run(run())
    remote = Listener.told[:]
    Listener.told.clear()
    bots = [BotSpec("mine", Listener, built_in=False), *[load_bot(name) for name in OTHERS]]
    play(Fixture("classic", {"rounds": 6}, bots, [0, 1, 2], seeded_keys(4), 4))
    assert remote[0] == (0, "mine", "classic")
    assert remote == [
        event._replace(audience=-1) if isinstance(event, Event) else event for event in Listener.told
    ]
    events = [one for one in remote if isinstance(one, Event)]
    assert len([one for one in events if one.kind == TURN_BEGAN]) > 10
    drawn = [one for one in events if one.kind == DREW]
    assert {one.card == 127 for one in drawn if one.seat != 0} == {True}
    assert isinstance(remote[-1], MatchEnd)


class Together(Aggressor):
    """Answers whole batches."""

    sizes: ClassVar[list[int]] = []

    @classmethod
    def decide_batch(cls, asked: Sequence[tuple[Agent, Decision]]) -> list[Answer]:
        cls.sizes.append(len(asked))
        return [agent.decide(decision) for agent, decision in asked]


def test_a_batch_is_answered_at_once() -> None:
    async def run() -> None:
        async with serving() as wire:
            names = await wire.seat(*OTHERS)
            await wire.connect(Client(BotSpec("mine", Together, built_in=False), wire.address, "author-mine"))
            for seed in range(30):
                wire.referee.create("classic", ["mine", *names], {"rounds": 3}, seed=seed)
            for one in await wire.played(30):
                assert one.record is not None
                assert not one.record.conduct
                bots = [load_bot("aggressor"), *[load_bot(name) for name in OTHERS]]
                seed = one.record.seed
                here = play(Fixture("classic", {"rounds": 3}, bots, [0, 1, 2], seeded_keys(seed), seed)).record
                assert here.choices == one.record.choices

    Together.sizes.clear()
    asyncio.run(run())
    assert max(Together.sizes) > 1


class Choosy(Together):
    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        if seed % 2:
            raise ValueError("odd")


def test_one_of_a_batch_that_fails_costs_the_others_nothing() -> None:
    async def run() -> None:
        async with serving() as wire:
            names = await wire.seat(*OTHERS)
            client = Client(BotSpec("mine", Choosy, built_in=False), wire.address, "author-mine")
            await wire.connect(client)
            for seed in range(12):
                wire.referee.create("classic", ["mine", *names], {"rounds": 2}, seed=seed)
            kinds = [[fault.kind for fault in one.match.conduct] for one in await wire.played(12)]
            assert sorted(kinds, key=len)[0] == []
            assert {tuple(one) for one in kinds if one} == {(CRASH, CRASH, CRASH, FORFEIT)}
            assert client.lapse == ""

    asyncio.run(run())


class Noting(Aggressor):
    def decide(self, decision: Decision) -> Answer:
        return super().decide(decision)._replace(note=f"of {len(decision.codes)}")


def test_notes_reach_the_sidecar() -> None:
    async def run() -> None:
        async with serving() as wire:
            await against(wire, Noting)
            notes = wire.over[0].sidecar.notes
            assert notes
            assert all(note.seat == 0 and note.text.startswith("of ") for note in notes)

    asyncio.run(run())


def sent(answer: Answer) -> Sent:
    """What goes out for an answer of a bot."""
    action = Sent()
    fill(action, Player("mine", Aggressor()).read(answer))
    return action


def test_strange_notes_and_plans_do_not_end_the_process() -> None:
    assert sent(Answer(0, 1, note="a\ud800b")).note == "a?b"
    plan = (place(3, 1), place(3, -1), place(3, 1))
    assert [one.amount for one in sent(Answer(0, 1, plan=plan)).plan] == [1]
    assert not sent(Answer(0, 1, plan=(place(3, 2**40),))).plan
    assert len(sent(Answer(0, 1, plan=(place(3, 1),) * 1000)).plan) == PLANNED_ACTIONS
    for wrong in (("x",), (1,), ((3, 1.5),), 7):
        with pytest.raises(BotFault, match="which is not Answer"):
            sent(Answer(0, 1, plan=wrong))  # type: ignore[arg-type]


class Crashing(Aggressor):
    def decide(self, decision: Decision) -> Answer:
        if decision.observation.round >= 1:
            raise RuntimeError("too hard")
        return super().decide(decision)


class Cheating(Aggressor):
    def decide(self, decision: Decision) -> Answer:
        return Answer(0, 10**30)


class Unmakable(Aggressor):
    def __init__(self, seed: int = 0) -> None:
        raise MemoryError("no room")


def test_a_bot_that_fails_loses_its_seat_and_not_its_process() -> None:
    for agent, kind, words in (
        (Crashing, CRASH, "bot mine raised RuntimeError: too hard (test_client.py:"),
        (Cheating, ILLEGAL, "bot mine chose amount a number of 100 bits for option 0 (claim), which takes 1 to 1"),
        (Unmakable, CRASH, "bot mine cannot be made: MemoryError: no room"),
    ):

        async def run(agent: type[Agent] = agent, kind: int = kind, words: str = words) -> None:
            async with serving() as wire:
                client = await against(wire, agent)
                conduct = wire.over[0].match.conduct
                assert [one.kind for one in conduct] == [kind, kind, kind, FORFEIT]
                assert conduct[0].detail.startswith(words)
                assert client.faults == 3
                assert not wire.tasks[-1].done()

        asyncio.run(run())


def test_remote_faults_are_those_of_one_process() -> None:
    async def run() -> None:
        async with serving() as wire:
            await against(wire, Crashing)
            bots = [BotSpec("mine", Crashing, built_in=False), *[load_bot(name) for name in OTHERS]]
            here = play(Fixture("classic", {"rounds": 6}, bots, [0, 1, 2], seeded_keys(4), 4)).record
            there = wire.over[0].record
            assert there is not None
            for one, other in zip(here.seats, there.seats):
                one.agent = other.agent
            assert record.game_part(here) == record.game_part(there)

    asyncio.run(run())
