"""One match: a state machine. It goes on until an agent has to answer, and again when the answer is there."""

import asyncio
import logging
from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from conquest.v1.match_pb2 import Match, MatchSidecar, MatchState
from conquest.v1.match_pb2 import TimeControl as SentTimeControl
from conquest.v1.record_pb2 import MatchRecord, VariantOption
from conquest.v1.referee_pb2 import PlannedAction
from engine import codec, record
from engine.chance import Chance, agent_seed, commitment
from engine.playout import FORFEIT, STREAM_OF, Tape, caretaker_answer
from engine.referee import conduct
from engine.referee.clock import Charge, TimeControl
from engine.referee.limits import EVENTS_KEPT
from engine.rules.choices import (
    DEFEND,
    HIGH_MASK,
    VERB_SHIFT,
    Action,
    high_of,
    index_of,
    low_of,
)
from engine.rules.columns import put_times, read_numbers
from engine.rules.errors import IllegalAction
from engine.rules.events import Event
from engine.rules.ruleset import Ruleset
from engine.rules.state import CHANCE

if TYPE_CHECKING:
    from engine.referee.desk import Desk

log = logging.getLogger(__name__)


class Orders(NamedTuple):
    """Standing orders: answers given beforehand, on public facts only."""

    defence_dice: int = 0
    pass_if_not_target: bool = False


class Pending:
    """A decision that an agent has to answer."""

    __slots__ = ("asked", "codes", "done", "handed", "illegal", "number", "passed_over", "seat", "session")

    def __init__(self, session: "Session", seat: int, number: int, codes: list[int], asked: float) -> None:
        self.session = session
        self.seat = seat
        self.number = number
        self.codes = codes
        self.asked = asked
        self.handed = 0.0  # when the agent got it; 0 while it waits for its turn
        self.passed_over = 0.0  # when one handed over later was answered first
        self.illegal = 0
        self.done = False


class Seat:
    """What a session knows of one of its seats."""

    __slots__ = ("bank", "desk", "handle", "number", "orders", "told")

    def __init__(self, desk: "Desk", handle: int, bank: float) -> None:
        self.desk = desk
        self.handle = handle
        self.bank = bank
        self.number = 0  # decisions asked so far
        self.orders: Orders | None = None  # those of this match; else the agent's own
        self.told = 0  # events told so far


class Ledger:
    """What is kept beside a record: times, notes, and what was ordered. It is small until somebody asks for it."""

    __slots__ = ("column", "notes", "ordered")

    def __init__(self) -> None:
        self.column = bytearray()
        self.notes: list[tuple[int, int, str]] = []
        self.ordered = array("I")

    @property
    def times(self) -> list[int]:
        """Seven numbers for each decision, as DecisionTimes has them."""
        return read_numbers(bytes(self.column))

    def sidecar(self) -> MatchSidecar:
        made = MatchSidecar(ordered=self.ordered)
        numbers = iter(self.times)
        for action, seat, queue, elapsed, allowance, charged, thinking in zip(*[numbers] * 7, strict=True):
            made.times.add(
                action=action,
                seat=seat,
                queue_us=queue,
                elapsed_us=elapsed,
                allowance_us=allowance,
                charged_us=charged,
                thinking_us=thinking,
            )
        for action, seat, text in self.notes:
            made.notes.add(action=action, seat=seat, text=text)
        return made


class EventLog:
    """The last events of a match, numbered through. It is kept only while somebody wants it."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.events: list[Event] = []

    @property
    def end(self) -> int:
        return self.first + len(self.events)

    def extend(self, events: list[Event]) -> None:
        self.events.extend(events)
        surplus = len(self.events) - EVENTS_KEPT
        if surplus > EVENTS_KEPT:  # cut now and then, not every time
            del self.events[:surplus]
            self.first += surplus

    def since(self, number: int) -> tuple[int, list[Event]]:
        """Those from a number on, and the number of the first of them, which may be higher."""
        first = max(number, self.first)
        return first, self.events[first - self.first :]


class Session:
    """A running match. `now` is the host's time without its lag."""

    def __init__(
        self,
        match_id: str,
        r: Ruleset,
        desks: list["Desk"],
        names: Sequence[str],
        keys: tuple[bytes, bytes],
        seed: int | None,
        time: TimeControl,
        handle: int,
        on_over: Callable[["Session"], None],
    ) -> None:
        self.match_id = match_id
        self.r = r
        self.s = r.new()
        self.keys = keys
        self.seed = seed
        self.time = time
        self.chance = Chance(*keys)
        self.tape = Tape()
        self.agents = list(names)  # as records and the other agents know them
        self.seats = [Seat(desk, handle | number, time.bank) for number, desk in enumerate(desks)]
        self.pending: dict[int, Pending] = {}  # by seat: what agents owe
        self.given: dict[int, tuple[int, int]] = {}  # by seat: answers in secret, until all are there
        self.plan: list[Action] = []  # what `planner` wants to do next
        self.planner = CHANCE
        self.ledger = Ledger()
        self.log: EventLog | None = None
        self.watchers: list[asyncio.Event] = []
        self.on_over = on_over
        self.aborted = ""
        self.record: MatchRecord | None = None

    # Playing

    def advance(self, now: float) -> None:
        """Goes on until an agent has to answer or the match is over."""
        r, s = self.r, self.s
        codes: list[int] = []
        while s.agenda:
            seats = r.waiting(s)
            if len(seats) > 1:
                if not self.ask_all(seats, now):
                    return
                self.take_all(seats)
                continue
            seat = seats[0]
            r.options(s, seat, codes)
            code = codes[0]
            if seat != self.planner:
                self.plan = []
            if seat == CHANCE:
                self.take(seat, codes, 0, self.chance.roll(STREAM_OF[code >> VERB_SHIFT], (code & HIGH_MASK) + 1))
            elif len(codes) == 1 and r.is_settled(s, codes):
                self.take(seat, codes, 0, low_of(code))
            elif s.lost >> seat & 1:
                self.take(seat, codes, *caretaker_answer(codes))
            else:
                found = self.answered_beforehand(seat, codes)
                if found is None:
                    self.ask(seat, codes, now)
                    return
                self.ledger.ordered.append(self.tape.actions)
                self.take(seat, codes, *found)
        self.finish()

    def ask_all(self, seats: Sequence[int], now: float) -> bool:
        """Asks the seats that choose in secret, all with the position as it is; true when all have answered."""
        actions = self.tape.actions
        for seat in seats:
            if seat in self.given or seat in self.pending:
                continue
            codes: list[int] = []
            self.r.options(self.s, seat, codes)
            if self.r.is_settled(self.s, codes) or self.s.lost >> seat & 1:
                self.given[seat] = caretaker_answer(codes)
            else:
                self.ask(seat, codes, now)
            if self.over or self.tape.actions != actions:
                return False  # the agent was lost when it was asked, and the match has gone on meanwhile
        return not self.pending

    def take_all(self, seats: Sequence[int]) -> None:
        self.plan = []
        for seat in seats:
            codes: list[int] = []
            self.r.options(self.s, seat, codes)
            self.take(seat, codes, *self.given.pop(seat))

    def take(self, seat: int, codes: list[int], index: int, amount: int) -> None:
        self.tape.note(self.s, seat, codes, index, amount)
        self.r.apply(self.s, seat, codes[index], amount)
        if self.log is not None:
            self.hear(self.log)

    def hear(self, log: EventLog) -> None:
        if self.s.events:
            log.extend(self.s.events)
            self.s.events = []
            for watcher in self.watchers:
                watcher.set()

    def answered_beforehand(self, seat: int, codes: list[int]) -> tuple[int, int] | None:
        """What the seat's plan or its standing orders say."""
        if self.plan:
            action = self.plan.pop(0)
            try:
                return index_of(codes, action), action.amount
            except IllegalAction:
                self.plan = []
        orders = self.seats[seat].orders or self.seats[seat].desk.orders
        if orders.defence_dice and codes[0] >> VERB_SHIFT == DEFEND:
            return 0, max(low_of(codes[0]), min(orders.defence_dice, high_of(codes[0])))
        if orders.pass_if_not_target and self.r.is_bystander(self.s, seat):
            return 0, low_of(codes[0])
        return None

    def ask(self, seat: int, codes: list[int], now: float) -> None:
        place = self.seats[seat]
        place.number += 1
        self.plan = []
        pending = Pending(self, seat, place.number, codes, now)
        self.pending[seat] = pending
        place.desk.ask(pending, now)

    # Answers

    def answer(self, pending: Pending, option: int, amount: int, plan: list[PlannedAction], now: float) -> None:
        """Takes an answer that was found to be legal."""
        self.close(pending)
        self.plan, self.planner = [codec.read_planned(action) for action in plan], pending.seat
        self.go_on(pending, option, amount, now)

    def fault(self, pending: Pending, kind: int, detail: str, now: float) -> None:
        """The caretaker answers this one decision; one fault too many loses the seat."""
        self.close(pending)
        if self.tape.fault(pending.seat, kind, detail):
            self.forfeit(pending.seat, conduct.faults(self.tape.faults_of(pending.seat)))
        self.go_on(pending, *caretaker_answer(pending.codes), now)

    def lose(self, pending: Pending, kind: int, detail: str, now: float) -> None:
        """The seat is lost at once."""
        self.close(pending)
        self.tape.fault(pending.seat, kind, detail)
        self.forfeit(pending.seat, detail)
        self.go_on(pending, *caretaker_answer(pending.codes), now)

    def go_on(self, pending: Pending, option: int, amount: int, now: float) -> None:
        """Takes an answer and what follows from it. A fault of ours ends this match and harms no other."""
        try:
            if self.s.agenda and len(self.r.waiting(self.s)) > 1:
                self.given[pending.seat] = option, amount
            elif self.s.agenda:
                self.take(pending.seat, pending.codes, option, amount)
            self.advance(now)
        except Exception:
            log.exception("match %s failed at action %d", self.match_id, self.tape.actions)
            if not self.over:
                self.abort("the referee failed in this match")

    def forfeit(self, seat: int, detail: str) -> None:
        self.tape.fault(seat, FORFEIT, detail)
        self.r.forfeit(self.s, seat)
        if self.log is not None:
            self.hear(self.log)

    def close(self, pending: Pending) -> None:
        pending.done = True
        self.pending.pop(pending.seat, None)

    def charge(self, pending: Pending, cost: Charge, thinking_us: int) -> None:
        """Takes the time off the seat's bank and writes it down."""
        seat = self.seats[pending.seat]
        seat.bank += self.time.increment - cost.charged
        queued = max(0.0, pending.handed - pending.asked)
        seconds = (queued, cost.elapsed, cost.allowance, cost.charged)
        put_times(self.ledger.column, self.tape.actions, pending.seat, seconds, thinking_us)

    # The end

    def finish(self) -> None:
        self.tape.seal(self.s)
        agents = self.agents
        self.record = record.make(self.r, self.s, self.tape, agents, self.keys, self.match_id, self.seed)
        for pending in list(self.pending.values()):
            self.close(pending)  # the match ended while several were asked
        for seat in self.seats:
            seat.desk.finished(self, seat)
        self.end()

    def abort(self, why: str) -> None:
        """Gives the match up; it costs nobody anything."""
        self.aborted = why
        for pending in list(self.pending.values()):
            self.close(pending)
        for seat in self.seats:
            seat.desk.aborted(self, seat)
        self.end()

    def end(self) -> None:
        for watcher in self.watchers:
            watcher.set()
        self.on_over(self)

    @property
    def over(self) -> bool:
        return self.record is not None or self.aborted != ""

    # What is told

    def keep_events(self) -> EventLog:
        """Starts to keep events, numbered as if they had been kept from the start."""
        if self.log is None:
            self.log = EventLog(len(self.history()) if self.tape.actions else 0)
            self.s.events = []
        return self.log

    def stop_watching(self, watcher: asyncio.Event) -> None:
        """Keeps events no longer than somebody wants them."""
        self.watchers.remove(watcher)
        if not self.watchers and not any(seat.desk.wants_events for seat in self.seats):
            self.log = None
            self.s.events = None

    def history(self) -> list[Event]:
        """All events so far, told by playing the match again."""
        so_far = record.make(self.r, self.s, self.tape, self.agents, self.keys, self.match_id, self.seed)
        replay = record.Replay(so_far, partial=not self.s.places)
        replay.s.events = []
        while (step := replay.peek()) is not None:
            replay.take(step)
        return replay.s.events or []

    def agent_seed(self, seat: int) -> int:
        return agent_seed(self.keys[0], seat)

    def commitment(self) -> bytes:
        return commitment(self.match_id, *self.keys)

    def options_told(self) -> list[VariantOption]:
        return [VariantOption(name=name, value=value) for name, value in record.options_told(self.r)]

    def told(self) -> Match:
        """The match as organisers and watchers see it."""
        match = Match(
            match_id=self.match_id,
            state=self.state(),
            variant=self.r.variant,
            options=self.options_told(),
            round_limit=self.r.rounds,
            agents=self.agents,
            time=sent_time(self.time),
            actions=self.tape.actions,
            round=self.s.round,
            commitment=self.commitment(),
        )
        for one in self.tape.conduct:
            match.conduct.add(action=one.action, seat=one.seat, kind=one.kind, detail=one.detail)
        if self.record is not None:
            match.result.CopyFrom(self.record.result)
        return match

    def state(self) -> MatchState:
        if self.aborted:
            return MatchState.MATCH_STATE_ABORTED
        return MatchState.MATCH_STATE_FINISHED if self.record is not None else MatchState.MATCH_STATE_RUNNING


def sent_time(time: TimeControl) -> SentTimeControl:
    bank, increment, limit = [round(seconds * 1000) for seconds in time]
    return SentTimeControl(bank_ms=bank, increment_ms=increment, limit_ms=limit)
