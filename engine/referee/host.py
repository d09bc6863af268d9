"""The referee without its wire: agents at their desks, matches, and the beat that drives time."""

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from conquest.v1.error_pb2 import ErrorReason
from conquest.v1.match_pb2 import Match, MatchSidecar
from conquest.v1.record_pb2 import MatchRecord
from engine.chance import seeded_keys
from engine.referee.clock import STANDARD, Clock, HostClock, TimeControl
from engine.referee.desk import Desk
from engine.referee.limits import BEAT_SECONDS, IN_FLIGHT, MATCHES, MATCHES_AT_ONCE, RECORDS_KEPT
from engine.referee.session import Ledger, Session
from engine.rules.variants import ruleset

SEAT_BITS = 4
NUMBER_BITS = 32


class Refused(Exception):
    """A request that cannot be met, with a reason for programs."""

    def __init__(self, reason: ErrorReason, text: str) -> None:
        super().__init__(text)
        self.reason = reason


class Finished(NamedTuple):
    """What is kept of a match that is over."""

    match: Match
    record: MatchRecord | None
    ledger: Ledger

    @property
    def sidecar(self) -> MatchSidecar:
        return self.ledger.sidecar()


class Referee:
    """All agents and matches of one process. `on_finished` is called with every match that ended."""

    def __init__(
        self,
        clock: Clock = time.monotonic,
        time_control: TimeControl = STANDARD,
        in_flight: int = IN_FLIGHT,
        matches_at_once: int = MATCHES_AT_ONCE,
        on_finished: Callable[[Finished], None] | None = None,
    ) -> None:
        self.clock = HostClock(clock)
        self.time_control = time_control
        self.in_flight = in_flight
        self.matches_at_once = matches_at_once
        self.on_finished = on_finished
        self.epoch = secrets.randbits(24)
        self.started = 0
        self.desks: dict[str, Desk] = {}
        self.sessions: dict[str, Session] = {}
        self.finished: OrderedDict[str, Finished] = OrderedDict()

    def desk(self, agent: str) -> Desk:
        if agent not in self.desks:
            self.desks[agent] = Desk(agent, self.clock, self.in_flight, self.matches_at_once)
        return self.desks[agent]

    def create(
        self,
        variant: str,
        agents: Sequence[str],
        options: dict[str, int],
        match_id: str = "",
        time_control: TimeControl | None = None,
        seed: int | None = None,
        keys: tuple[bytes, bytes] | None = None,
        names: Sequence[str] | None = None,
    ) -> Session:
        """Starts a match of connected agents. Raises Refused, or a RulesError for what cannot be played.

        `names` are what the seats are called, where that is not what their agents are.
        """
        r = ruleset(variant, len(agents), options)
        match_id = match_id or secrets.token_hex(8)
        if match_id in self.sessions or match_id in self.finished:
            raise Refused(ErrorReason.ERROR_REASON_ALREADY_EXISTS, f"there is a match named '{match_id}' already")
        if len(self.sessions) >= MATCHES:
            text = f"{len(self.sessions)} matches are running, and {MATCHES} are the most; wait for some to end"
            raise Refused(ErrorReason.ERROR_REASON_TOO_MANY_MATCHES, text)
        desks = [self.ready_desk(agent, agents.count(agent)) for agent in agents]
        if keys is None:
            keys = seeded_keys(seed) if seed is not None else (secrets.token_bytes(32), secrets.token_bytes(32))
        self.started += 1
        handle = self.epoch << SEAT_BITS + NUMBER_BITS | self.started << SEAT_BITS
        control = time_control or self.time_control
        session = Session(match_id, r, desks, names or agents, keys, seed, control, handle, self.close)
        self.sessions[match_id] = session
        for seat in session.seats:
            seat.desk.seat_in(session, seat)
        session.advance(self.clock.now())
        return session

    def ready_desk(self, agent: str, seats: int) -> Desk:
        desk = self.desks.get(agent)
        if desk is not None and desk.given_up:
            return desk
        if desk is None or desk.stream is None:
            there = [name for name, other in self.desks.items() if other.stream is not None]
            text = f"agent '{agent}' is not connected; connected: {', '.join(sorted(there)) or 'none'}"
            raise Refused(ErrorReason.ERROR_REASON_AGENT_NOT_READY, text)
        if len(desk.seats) + seats > desk.matches_at_once:
            has = f"agent '{agent}' has {len(desk.seats)} seats and would get {seats} more"
            text = f"{has}; it wants no more than {desk.matches_at_once}"
            raise Refused(ErrorReason.ERROR_REASON_AGENT_NOT_READY, text)
        return desk

    def close(self, session: Session) -> None:
        self.sessions.pop(session.match_id, None)
        kept = Finished(session.told(), session.record, session.ledger)
        self.finished[session.match_id] = kept
        if len(self.finished) > RECORDS_KEPT:
            self.finished.popitem(last=False)
        if self.on_finished is not None:
            self.on_finished(kept)

    def abort_all(self, why: str) -> None:
        for session in list(self.sessions.values()):
            session.abort(why)

    def shut_down(self, why: str) -> None:
        """Gives up all matches and says goodbye to all agents."""
        self.abort_all(why)
        for desk in self.desks.values():
            if desk.stream is not None:
                desk.stream.close(ErrorReason.ERROR_REASON_SHUTDOWN, why)

    # Time

    def beat(self) -> None:
        """Times out what is overdue; to be called every BEAT_SECONDS."""
        self.clock.beat()
        began = self.clock.clock()
        now = self.clock.now()
        for desk in list(self.desks.values()):
            if desk.owed:
                desk.check_time(now)
            desk.ping(now)
        self.clock.worked += self.clock.clock() - began

    async def keep_time(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            self.beat()
