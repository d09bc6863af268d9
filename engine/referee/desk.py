"""One agent: the decisions it owes, its clock, and the stream that it is on, if it is on one."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

from conquest.v1.error_pb2 import ErrorReason
from conquest.v1.game_pb2 import Events
from conquest.v1.referee_pb2 import Action, Hello, MatchOrders, MatchStarted, PlayResponse, StandingOrders, Welcome
from engine import codec
from engine.playout import CRASH, DISCONNECT, ILLEGAL, TIMEOUT
from engine.record import ENGINE_VERSION
from engine.referee import conduct
from engine.referee.clock import Charge, Clock, HostClock, RoundTrip, TimeControl, charge
from engine.referee.limits import (
    BATCH_BYTES,
    BATCH_DECISIONS,
    GATHER_SECONDS,
    ILLEGAL_ANSWERS,
    NOTE_BYTES,
    PING_SECONDS,
    PLANNED_ACTIONS,
    SLICE_SECONDS,
    SURPLUS_ANSWERS,
)
from engine.referee.session import EventLog, Orders, Pending, Seat, Session, sent_time
from engine.rules.choices import high_of, low_of
from engine.rules.observe import observe, redact

# About what a decision takes on the wire, to keep messages near BATCH_BYTES without weighing each.
DECISION_BYTES: Final = 800

Write = Callable[[PlayResponse], Awaitable[None]]


class Stream:
    """One connection of an agent: what is to be sent, and the round trip. One task sends it."""

    def __init__(self, client: str, wants_events: bool, is_local: bool) -> None:
        self.client = client
        self.wants_events = wants_events
        self.is_local = is_local  # a Unix socket: its round trip is not measured
        self.ready = asyncio.Event()
        self.other = PlayResponse()  # all but decisions
        self.decisions: deque[Pending] = deque()
        self.owed: dict[Pending, None] = {}  # by its agent, with those that wait here
        self.now: Clock = time.monotonic
        self.closing = False
        self.reason = ErrorReason.ERROR_REASON_UNSPECIFIED
        self.farewell = ""
        self.round_trip = RoundTrip()
        self.pinged = 0.0
        self.nonce = 0
        self.awaits_pong = False
        self.surplus = 0

    def wake(self) -> None:
        self.ready.set()

    async def send_all(self, write: Write) -> None:
        """Sends what is ready, joined into as few messages as may be, until the stream is closed."""
        while True:
            await self.ready.wait()
            self.ready.clear()
            await asyncio.sleep(0)  # what becomes ready in this turn of the loop goes along
            if self.can_gather():
                await asyncio.sleep(GATHER_SECONDS)
                self.hand_over()
            while self.decisions or self.other.ByteSize():
                await write(self.next_message())
            if self.closing:
                return

    def can_gather(self) -> bool:
        """Whether the agent has at least as much to think about as would be sent: larger messages are cheaper."""
        return len(self.owed) > 2 * len(self.decisions) and not self.closing and not self.other.ByteSize()

    def hand_over(self) -> None:
        """The agent pays from now on, not for the gathering."""
        now = self.now()
        for pending in self.decisions:
            pending.handed = now

    def next_message(self) -> PlayResponse:
        message, self.other = self.other, PlayResponse()
        most = min(BATCH_DECISIONS, BATCH_BYTES // DECISION_BYTES)
        while self.decisions and len(message.decisions) < most:
            pending = self.decisions.popleft()
            if not pending.done:
                write_decision(message, pending, self.wants_events)
        return message

    def close(self, reason: ErrorReason, text: str) -> None:
        """Says goodbye; the sender ends after it."""
        self.reason, self.farewell = reason, text
        self.other.goodbye.reason = reason
        self.other.goodbye.message = text
        self.end()

    def end(self) -> None:
        """No more decisions; the sender ends after what it still has."""
        self.decisions.clear()
        self.closing = True
        self.wake()


class Desk:
    """An agent by name. It outlives its streams: what it owes waits for it, and its time runs on."""

    def __init__(self, agent: str, clock: HostClock, in_flight: int, matches_at_once: int) -> None:
        self.agent = agent
        self.clock = clock
        self.most_in_flight = in_flight
        self.most_matches = matches_at_once
        self.in_flight = in_flight
        self.matches_at_once = matches_at_once
        self.orders = Orders()
        self.stream: Stream | None = None
        self.missed = PlayResponse()  # what became of its matches while it was away
        self.seats: dict[int, tuple[Session, Seat]] = {}  # by handle
        self.waiting: deque[Pending] = deque()  # not yet handed over
        self.owed: dict[Pending, None] = {}  # handed over and not answered, the oldest first
        self.overtaken: dict[Pending, None] = {}  # those among them that later ones were answered before
        self.last_message = 0.0
        self.last_timeout = 0.0
        self.given_up = ""  # why nobody will play for the agent any more

    # Streams

    def connect(self, stream: Stream, hello: Hello, epoch: int) -> None:
        """The agent is there, for the first time or again; an older stream of it ends."""
        now = self.clock.now()
        if self.stream is not None:
            text = f"agent {self.agent} has connected again with the same token; only one process can play for it"
            self.stream.close(ErrorReason.ERROR_REASON_REPLACED, text)
        self.settle(now, was_away=self.stream is None)
        self.stream = stream
        stream.owed, stream.now = self.owed, self.clock.now
        self.in_flight = min(hello.in_flight or self.most_in_flight, self.most_in_flight)
        self.matches_at_once = min(hello.matches_at_once or self.most_matches, self.most_matches)
        self.orders = read_orders(hello.orders)
        stream.other.welcome.CopyFrom(
            Welcome(
                agent=self.agent,
                server=f"conquest-arena {ENGINE_VERSION}",
                matches_at_once=self.matches_at_once,
                in_flight=self.in_flight,
                epoch=epoch,
            )
        )
        stream.other.MergeFrom(self.missed)
        self.missed.Clear()
        self.waiting.extendleft(reversed(list(self.owed)))
        self.owed.clear()
        self.overtaken.clear()
        for session, seat in self.seats.values():
            if stream.wants_events:
                session.keep_events()
            self.tell_started(session, seat, resumed=True)
        self.last_message = now
        self.hand_over(now)
        stream.wake()

    def settle(self, now: float, was_away: bool) -> None:
        """Charges the time until a new hand-over to the seats that owed an answer meanwhile."""
        for pending in self.owed:
            silent = now - max(pending.handed, self.last_message)
            pending.session.seats[pending.seat].bank -= silent
            if was_away:
                pending.session.tape.fault(pending.seat, DISCONNECT, conduct.came_back(self.agent, silent))

    def disconnect(self, stream: Stream) -> None:
        if self.stream is stream:
            self.stream = None
            self.hand_over(self.clock.now())

    def receive_orders(self, orders: list[MatchOrders]) -> None:
        for order in orders:
            if order.handle in self.seats:
                self.seats[order.handle][1].orders = read_orders(order.orders)

    # Decisions

    def ask(self, pending: Pending, now: float) -> None:
        if self.given_up:
            pending.session.lose(pending, DISCONNECT, self.given_up, now)
            return
        self.waiting.append(pending)
        self.hand_over(now)

    def hand_over(self, now: float) -> None:
        """Gives the agent as many decisions as it may have at once; one that is away gets all, and pays."""
        stream = self.stream
        while self.waiting and (stream is None or len(self.owed) < self.in_flight):
            pending = self.waiting.popleft()
            if pending.done:
                continue
            pending.handed = now
            pending.passed_over = 0.0
            self.owed[pending] = None
            if stream is not None:
                stream.decisions.append(pending)
        if stream is not None and stream.decisions:
            stream.wake()

    def give_up(self, why: str) -> None:
        """Nobody will play for the agent any more: it loses every seat that owes an answer, now or later."""
        self.given_up = why
        now = self.clock.now()
        for pending in [*self.owed, *self.waiting]:
            self.drop(pending)
            if not pending.done:
                pending.session.lose(pending, DISCONNECT, why, now)
        self.waiting.clear()

    def drop(self, pending: Pending) -> None:
        self.owed.pop(pending, None)
        self.overtaken.pop(pending, None)

    # Answers

    async def receive(self, stream: Stream, actions: list[Action]) -> bool:
        """Takes a message of answers, in slices; false if the agent has sent far too many.

        Only what settles a decision counts as an answer: else nonsense would buy time, and repeats share it.
        """
        now = self.clock.now()
        found = [
            (action, pending, problem(pending, action)) for action in actions for pending in [self.find(action)]
        ]
        settled = {pending for _, pending, wrong in found if pending is not None and not wrong}
        began = self.clock.clock()
        previous = self.last_message
        if settled:
            self.last_message = now
        for action, pending, wrong in found:
            if pending is None or pending.done:
                stream.surplus += 1
                if stream.surplus > SURPLUS_ANSWERS:
                    return False
                self.refuse_stale(action)
            else:
                self.answer(pending, action, wrong, max(1, len(settled)), previous, now)
            spent = self.clock.clock() - began
            if spent > SLICE_SECONDS:
                self.clock.worked += spent
                await asyncio.sleep(0)
                began = self.clock.clock()
        self.clock.worked += self.clock.clock() - began
        self.hand_over(self.clock.now())
        stream.wake()
        return True

    def find(self, action: Action) -> Pending | None:
        if action.handle not in self.seats:
            return None
        session, seat = self.seats[action.handle]
        for pending in session.pending.values():
            if session.seats[pending.seat] is seat:
                return pending if pending in self.owed and pending.number == action.number else None
        return None

    def answer(
        self, pending: Pending, action: Action, wrong: str, answers: int, previous: float, now: float
    ) -> None:
        session = pending.session
        if wrong:
            self.refuse(action, ErrorReason.ERROR_REASON_ILLEGAL, wrong)
            pending.illegal += 1
            if pending.illegal <= ILLEGAL_ANSWERS:
                return
            self.last_message = max(self.last_message, now)
        self.note_overtaken(pending, now)
        self.drop(pending)
        self.charge(pending, answers, action.thinking_us, previous, now)
        seat = session.seats[pending.seat]
        if seat.bank <= 0:
            detail = conduct.bank_empty(self.agent, now - max(pending.handed, previous), session.time)
            session.lose(pending, TIMEOUT, detail, now)
        elif wrong:
            session.fault(pending, ILLEGAL, conduct.too_often_illegal(self.agent, pending.illegal), now)
        elif action.HasField("fault"):
            kind = ILLEGAL if action.fault.kind == ILLEGAL else CRASH
            session.fault(pending, kind, conduct.in_one_line(action.fault.detail), now)
        else:
            if action.note:
                text = action.note.encode()[:NOTE_BYTES].decode(errors="ignore")
                session.ledger.notes.append((session.tape.actions, pending.seat, text))
            session.answer(pending, action.option, action.amount, list(action.plan)[:PLANNED_ACTIONS], now)

    def note_overtaken(self, answered: Pending, now: float) -> None:
        """Those handed over before run clocks of their own from now on."""
        for pending in self.owed:
            if pending is answered or pending.handed >= answered.handed:
                return
            if not pending.passed_over:
                pending.passed_over = now
                self.overtaken[pending] = None

    def charge(self, pending: Pending, answers: int, thinking_us: int, previous: float, now: float) -> None:
        round_trip = self.stream.round_trip.lowest if self.stream is not None else 0.0
        pending.session.charge(pending, charge(pending.handed, previous, now, round_trip, answers), thinking_us)

    def refuse_stale(self, action: Action) -> None:
        if action.handle in self.seats:
            self.refuse(action, ErrorReason.ERROR_REASON_STALE, conduct.stale(self.agent, action.number))
        else:
            text = conduct.unknown_handle(self.agent, action.handle)
            self.refuse(action, ErrorReason.ERROR_REASON_UNKNOWN_HANDLE, text)

    def refuse(self, action: Action, reason: ErrorReason, text: str) -> None:
        if self.stream is not None:
            self.stream.other.refusals.add(handle=action.handle, number=action.number, reason=reason, message=text)
            self.stream.wake()

    # Time

    def check_time(self, now: float) -> None:
        """Times out what is overdue."""
        if self.stream is None:
            self.check_banks(now, conduct.away_too_long, DISCONNECT)
            return
        for pending in list(self.overtaken):
            if pending.done:
                continue  # lost with the one before it
            self.check_pending(pending, now - pending.passed_over, now)
        oldest = next(iter(self.owed), None)
        if oldest is not None and not oldest.passed_over:
            self.check_pending(oldest, now - max(oldest.handed, self.last_message, self.last_timeout), now)

    def check_pending(self, pending: Pending, silent: float, now: float) -> None:
        """The limit of one decision. The next gets its own time: the agent may have been busy with this one."""
        session = pending.session
        seat = session.seats[pending.seat]
        round_trip = self.stream.round_trip.lowest if self.stream is not None else 0.0
        if silent <= min(session.time.limit, seat.bank) + round_trip:
            return
        self.drop(pending)
        self.last_timeout = now
        session.charge(pending, Charge(silent, round_trip, silent - round_trip), 0)
        if seat.bank <= 0:
            session.lose(pending, TIMEOUT, conduct.bank_empty(self.agent, silent, session.time), now)
        else:
            session.fault(pending, TIMEOUT, conduct.timed_out(self.agent, silent, session.time.limit), now)
        self.check_banks(now, conduct.bank_empty, TIMEOUT)
        self.hand_over(now)

    def check_banks(self, now: float, words: Callable[[str, float, TimeControl], str], kind: int) -> None:
        """Loses the seats whose bank would not even pay for the silence so far."""
        for pending in list(self.owed):
            silent = now - max(pending.handed, self.last_message)
            session = pending.session
            if silent > session.seats[pending.seat].bank and not pending.done:
                self.drop(pending)
                session.lose(pending, kind, words(self.agent, silent, session.time), now)

    def ping(self, now: float) -> None:
        stream = self.stream
        if stream is not None and not stream.is_local and now - stream.pinged > PING_SECONDS:
            stream.pinged = now
            stream.nonce += 1
            stream.awaits_pong = True
            stream.other.ping.nonce = stream.nonce
            stream.wake()

    def receive_pong(self, stream: Stream, nonce: int) -> None:
        if stream.awaits_pong and nonce == stream.nonce:
            stream.awaits_pong = False
            now = self.clock.now()
            stream.round_trip.add(now, now - stream.pinged)

    # Matches

    def seat_in(self, session: Session, seat: Seat) -> None:
        self.seats[seat.handle] = (session, seat)
        if self.wants_events:
            session.keep_events()
        self.tell_started(session, seat, resumed=False)

    @property
    def wants_events(self) -> bool:
        return self.stream is not None and self.stream.wants_events

    def tell_started(self, session: Session, seat: Seat, resumed: bool) -> None:
        stream = self.stream
        if stream is None:
            return
        number = session.seats.index(seat)
        stream.other.started.append(
            MatchStarted(
                handle=seat.handle,
                match_id=session.match_id,
                variant=session.r.variant,
                rules_version=session.r.version,
                options=session.options_told(),
                round_limit=session.r.rounds,
                seat=number,
                agents=session.agents,
                time=sent_time(session.time),
                commitment=session.commitment(),
                agent_seed=session.agent_seed(number),
                resumed=resumed,
            )
        )
        stream.wake()

    def finished(self, session: Session, seat: Seat) -> None:
        self.seats.pop(seat.handle, None)
        self.drop_all(session)
        if session.record is None:
            return
        number = session.seats.index(seat)
        told = self.mail.finished.add(
            handle=seat.handle,
            result=session.record.result,
            match_key=session.keys[0],
            setup_key=session.keys[1],
            conduct=[one for one in session.record.conduct if one.seat == number],
        )
        if self.stream is not None:
            if self.stream.wants_events and session.log is not None:
                told.events.CopyFrom(events_for(session, number, session.log))
            self.stream.wake()

    def aborted(self, session: Session, seat: Seat) -> None:
        self.seats.pop(seat.handle, None)
        self.drop_all(session)
        self.mail.aborted.add(handle=seat.handle, message=session.aborted)
        if self.stream is not None:
            self.stream.wake()

    def drop_all(self, session: Session) -> None:
        """A match is over: nothing is owed in it any more."""
        for pending in [one for one in self.owed if one.session is session]:
            self.drop(pending)

    @property
    def mail(self) -> PlayResponse:
        """Where to put what the agent must learn, now or when it is back."""
        return self.stream.other if self.stream is not None else self.missed


def read_orders(sent: StandingOrders) -> Orders:
    return Orders(sent.defence_dice, sent.pass_if_not_target)


def problem(pending: Pending | None, action: Action) -> str:
    """Why the answer is illegal; empty if it is not, or if it tells a fault."""
    if pending is None or action.HasField("fault"):
        return ""
    agent = pending.session.seats[pending.seat].desk.agent
    if action.option >= len(pending.codes):
        return conduct.illegal_option(agent, action.option, len(pending.codes))
    low, high = low_of(pending.codes[action.option]), high_of(pending.codes[action.option])
    if not low <= action.amount <= high:
        return conduct.illegal_amount(agent, action.amount, low, high)
    return ""


def write_decision(message: PlayResponse, pending: Pending, wants_events: bool) -> None:
    """Adds the decision to the message: the position has not changed since it was asked."""
    session = pending.session
    seat = session.seats[pending.seat]
    decision = message.decisions.add()
    decision.handle = seat.handle
    decision.number = pending.number
    decision.limit_ms = int(session.time.limit * 1000 + 0.5)
    decision.bank_ms = max(0, int(seat.bank * 1000 + 0.5))
    codec.fill_observation(decision.observation, observe(session.r, session.s, pending.seat))
    codec.fill_options(decision.options, pending.codes)
    if wants_events and session.log is not None:
        decision.events.CopyFrom(events_for(session, pending.seat, session.log))


def events_for(session: Session, seat: int, log: EventLog) -> Events:
    """What happened since the seat was told last, as it may know it."""
    first, events = log.since(session.seats[seat].told)
    session.seats[seat].told = log.end
    return codec.write_events([redact(event, seat) for event in events], first)
