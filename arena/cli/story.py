"""A record told turn by turn. Turn 0 is the set-up; the others are counted through from 1."""

from typing import Any

from arena.cli.failures import WrongUse
from conquest.v1.record_pb2 import Conduct, MatchRecord
from engine.record import Replay
from engine.rules.events import (
    BONUS_PAID,
    CAPTURED,
    ELIMINATED,
    FORFEITED,
    INCOME,
    LOST,
    SET_PAID,
    TURN_BEGAN,
    Event,
)
from engine.rules.notation import write_action
from engine.rules.state import CHANCE, NOBODY, State
from engine.rules.telling import Teller


class Move:
    """One action: who, what, and the events of this turn that it made."""

    def __init__(self, number: int, seat: int, text: str) -> None:
        self.number = number
        self.seat = seat
        self.text = text
        self.events: list[Event] = []

    def data(self, teller: Teller) -> dict[str, Any]:
        return {
            "action": self.number,
            "seat": None if self.seat == CHANCE else self.seat,
            "text": self.text,
            "events": [teller.data(event) for event in self.events],
        }


class Turn:
    """One turn: `start` is the number of its first action, `after` the position when it is over."""

    after: State

    def __init__(self, number: int, seat: int, round: int, start: int) -> None:
        self.number = number
        self.seat = seat
        self.round = round
        self.start = start
        self.opening: list[Event] = []  # what happened before the first action: income
        self.moves: list[Move] = []

    def events(self) -> list[Event]:
        return [*self.opening, *[event for move in self.moves for event in move.events]]

    def total(self, *kinds: int, seat: int | None = None) -> int:
        """The amounts of these events, of one seat or of all."""
        return sum(e.amount for e in self.events() if e.kind in kinds and seat in (None, e.seat))

    def received(self) -> int:
        return 0 if self.seat == NOBODY else self.total(INCOME, SET_PAID, BONUS_PAID)

    def captured(self) -> list[int]:
        return [event.target for event in self.events() if event.kind == CAPTURED]

    def losses(self) -> tuple[int, int]:
        """Armies lost in battle by the seat, and by all others."""
        own = self.total(LOST, seat=self.seat)
        return own, self.total(LOST) - own

    def fates(self) -> list[Event]:
        return [event for event in self.events() if event.kind in (ELIMINATED, FORFEITED)]


class Story:
    """All turns of a record, as its replay told them."""

    def __init__(self, record: MatchRecord) -> None:
        self.record = record
        self.replay = Replay(record)
        self.ruleset = self.replay.r
        self.teller = Teller(self.ruleset)
        self.bots = [seat.agent for seat in record.seats]
        self.turns = [Turn(0, NOBODY, 0, 0)]
        self._tell()

    def _tell(self) -> None:
        s = self.replay.s
        s.events = []
        while (step := self.replay.peek()) is not None:
            text = write_action(self.ruleset, s, step.code, step.amount)
            turn = self.turns[-1]
            turn.moves.append(Move(self.replay.number, step.seat, text))
            self.replay.take(step)
            self._hear(turn, s)
        self._hear(self.turns[-1], s)  # the loss of a seat that ended the match
        self.turns[-1].after = s

    def _hear(self, turn: Turn, s: State) -> None:
        """Shares the events of an action between this turn and the one that it may have begun."""
        for event in s.events or []:
            if event.kind == TURN_BEGAN:
                turn.after = s.clone()
                self.turns.append(Turn(len(self.turns), event.seat, event.amount, self.replay.number))
            elif self.turns[-1] is turn:
                turn.moves[-1].events.append(event)
            else:
                self.turns[-1].opening.append(event)
        s.events = []

    def turn(self, number: int) -> Turn:
        if not 0 <= number < len(self.turns):
            last = len(self.turns) - 1
            raise WrongUse(f"there is no turn {number}: the match has turns 1 to {last}, and 0 is the set-up.")
        return self.turns[number]

    def faults(self, turn: Turn) -> list[Conduct]:
        """What bots did wrong in this turn."""
        ends = self.turns[turn.number + 1].start if turn is not self.turns[-1] else self.record.actions + 1
        return [fault for fault in self.record.conduct if turn.start <= fault.action < ends]
