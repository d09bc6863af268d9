"""A referee without a wire: agents of the test's own at its desks, and a clock that the test moves."""

import asyncio
from collections.abc import Callable

from conquest.v1.referee_pb2 import Action, Decision, Hello, MatchFinished, MatchStarted, PlayResponse, Refusal
from engine import codec
from engine.referee.clock import TimeControl
from engine.referee.desk import Stream
from engine.referee.host import Finished, Referee
from engine.referee.session import Session
from engine.rules.choices import high_of, low_of

LONG = TimeControl(1000.0, 0.0, 100.0)


class Clock:
    """Time as the test says."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


class Player:
    """An agent at its desk: what it was sent, and what it sends."""

    def __init__(self, table: "Table", name: str, **hello: object) -> None:
        self.table = table
        self.name = name
        self.desk = table.referee.desk(name)
        self.hello = Hello(api_version=1, client="test", **hello)  # type: ignore[arg-type]
        self.connect()

    def connect(self) -> None:
        self.stream = Stream("test", self.hello.events, is_local=False)
        self.messages: list[PlayResponse] = []
        self.desk.connect(self.stream, self.hello, self.table.referee.epoch)

    def drop(self) -> None:
        self.desk.disconnect(self.stream)

    def read(self) -> PlayResponse:
        """All that was sent since the last time, joined into one message."""
        joined = PlayResponse()
        while self.stream.decisions or self.stream.other.ByteSize():
            joined.MergeFrom(self.stream.next_message())
        self.messages.append(joined)
        return joined

    def decisions(self) -> list[Decision]:
        return list(self.read().decisions)

    def decision(self) -> Decision:
        (only,) = self.decisions()
        return only

    def send(self, *actions: Action) -> None:
        asyncio.run(self.desk.receive(self.stream, list(actions)))

    def answer(self, decision: Decision, option: int = 0, amount: int | None = None) -> None:
        self.send(action(decision, option, amount))

    def all(self, part: str) -> list[object]:
        """Everything of that part of the messages read so far."""
        return [one for message in self.messages for one in getattr(message, part)]

    def started(self) -> list[MatchStarted]:
        return [one for one in self.all("started") if isinstance(one, MatchStarted)]

    def refusals(self) -> list[Refusal]:
        return [one for one in self.all("refusals") if isinstance(one, Refusal)]

    def finished(self) -> list[MatchFinished]:
        return [one for one in self.all("finished") if isinstance(one, MatchFinished)]


def action(decision: Decision, option: int = 0, amount: int | None = None, **rest: object) -> Action:
    codes = codec.read_options(decision.options)
    chosen = low_of(codes[option]) if amount is None else amount
    return Action(handle=decision.handle, number=decision.number, option=option, amount=chosen, **rest)  # type: ignore[arg-type]


class Table:
    """A referee with its agents `a`, `b` and so on."""

    def __init__(self, players: int = 3, in_flight: int = 1024, **hello: object) -> None:
        self.clock = Clock()
        self.over: list[Finished] = []
        self.referee = Referee(clock=self.clock, in_flight=in_flight, on_finished=self.over.append)
        self.players = [Player(self, chr(ord("a") + number), **hello) for number in range(players)]

    def create(self, seed: int = 1, time: TimeControl = LONG, rounds: int = 5, **rest: object) -> Session:
        names = [player.name for player in self.players]
        session = self.referee.create(
            "classic",
            names,
            {"rounds": rounds},
            time_control=time,
            seed=seed,
            **rest,  # type: ignore[arg-type]
        )
        return session

    def wait(self, seconds: float, step: float = 0.01) -> None:
        """Lets time pass, beat by beat."""
        for _ in range(round(seconds / step)):
            self.clock.time += step
            self.referee.beat()

    def asked(self) -> tuple[Player, Decision]:
        """Who is asked in the only match, and what."""
        for player in self.players:
            for decision in player.decisions():
                return player, decision
        raise AssertionError("nobody is asked")

    def play(self, choose: Callable[[Decision], Action] | None = None, most: int = 100_000) -> int:
        """Answers for everybody until the matches are over, or so many answers were given."""
        given = 0
        while self.referee.sessions and given < most:
            before = given
            for player in self.players:
                decisions = player.decisions()
                if decisions:
                    player.send(*[(choose or attacker)(decision) for decision in decisions])
                    given += len(decisions)
            assert given > before, "nobody is asked, and the match is not over"
        return given


def attacker(decision: Decision) -> Action:
    """Always the last option with all it allows: it attacks while it can, and matches come to an end."""
    codes = codec.read_options(decision.options)
    option = len(codes) - 1
    return action(decision, option, high_of(codes[option]))
