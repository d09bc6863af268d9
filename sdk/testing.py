"""The conformance check: plays a bot on a referee, and says what of the contract it keeps.

It takes the address of a referee and two tokens: an author's for the bot, and an organiser's, which makes the
matches and plays the other seats. `arena bot check` starts a referee for it.
"""

import secrets
import time
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from conquest.v1 import match_pb2 as wire
from conquest.v1.error_pb2 import ErrorReason
from conquest.v1.record_pb2 import MatchRecord
from engine import record
from engine.playout import CONDUCT_NAMES, CRASH, DISCONNECT, TIMEOUT
from engine.rules.choices import SCHEMAS
from engine.rules.variants import VARIANTS
from sdk.local import BotSpec
from sdk.probe import Probe, Running
from sdk.remote import Remote

PASS, WARN, FAIL = "pass", "warn", "fail"
VERBS: Final = frozenset(schema.verb for schema in SCHEMAS.values() if schema.stream < 0)

ROUNDS: Final = 5  # of the matches that the bot plays itself
LED_ROUNDS: Final = 15  # of those that a leader plays, for decisions that the bot does not come to
MISHAP_ROUNDS: Final = 2
LATE_LIMIT: Final = 1.0  # seconds for an answer, where one is to come late; more for a bot that thinks long
LATE_BANK: Final = 3600.0
LED_TRIES: Final = 3
HANDSHAKE_SECONDS: Final = 10.0
POLL_SECONDS: Final = 0.02


class Check(NamedTuple):
    """One line of the report."""

    name: str
    status: str
    detail: str


class Thinking(NamedTuple):
    """How long the bot thought by its own clock, in milliseconds."""

    decisions: int
    p50: float
    p99: float


class Played(NamedTuple):
    """A match that is over; `seat` is the bot's."""

    record: MatchRecord
    sidecar: wire.MatchSidecar
    seat: int

    def faults(self) -> list[str]:
        return [f"{CONDUCT_NAMES[one.kind]}: {one.detail}" for one in self.record.conduct if one.seat == self.seat]

    def kinds(self) -> list[int]:
        return [one.kind for one in self.record.conduct if one.seat == self.seat]


class Fixture(NamedTuple):
    variant: str
    players: int
    rounds: int
    seat: int = 0
    seed: int = 1
    limit: float = 0.0  # seconds for an answer; 0 leaves it to the referee


class Hung(Exception):
    """The bot thinks for ever."""


class Conformance:
    """One run of all checks. Take `checks()` to its end, then look at `thinking`."""

    def __init__(
        self,
        bot: BotSpec,
        address: str,
        token: str,
        organiser_token: str,
        rival: BotSpec,
        leader: BotSpec,
        variants: Sequence[str] = tuple(VARIANTS),
        patience: float = 20.0,
    ) -> None:
        """`rival` plays the other seats; `leader` finds the decisions that the bot itself does not come to.

        A bot that thinks longer than `patience`, in seconds, is given up.
        """
        self.bot = bot
        self.address = address
        self.token = token
        self.organiser_token = organiser_token
        self.rival_bot = rival
        self.leader = leader
        self.variants = variants
        self.patience = patience
        self.thinking = Thinking(0, 0.0, 0.0)

    def checks(self) -> Iterator[Check]:
        self.probe = Probe(self.bot, self.address, self.token)
        self.rival = Probe(self.rival_bot, self.address, self.organiser_token)
        clients = [Running(self.probe), Running(self.rival)]
        try:
            with Remote(self.address, self.organiser_token) as self.remote:
                yield from self.all_checks(clients)
        except Hung:
            what = f"one decision took longer than {self.patience:g} s; what follows was not checked"
            yield Check("answers at all", FAIL, what)
        finally:
            for client in clients:
                client.stop()

    def all_checks(self, clients: list[Running]) -> Iterator[Check]:
        shaken = self.handshake(clients)
        yield shaken
        if shaken.status == FAIL:
            return
        fixtures = self.fixtures()
        played = self.play(fixtures)
        self.measure(played)
        behaved = conduct(played)
        yield behaved
        yield self.determinism(fixtures, played)
        yield from self.decisions()
        yield self.hooks()
        yield self.think_time()
        if behaved.status == PASS:
            yield from self.mishaps()

    def mishaps(self) -> Iterator[Check]:
        """What can go wrong on the way; a bot with faults of its own is not tried."""
        yield self.bad_answers()
        yield self.exception()
        yield self.late_answers()
        yield self.reconnect("reconnect", "drop", "its stream was cut in a match, and it went on")
        yield self.reconnect("restart", "restart", "it was started anew in the middle of a match, and went on")

    # The checks

    def handshake(self, clients: list[Running]) -> Check:
        deadline = time.monotonic() + HANDSHAKE_SECONDS
        while not (self.probe.agent and self.rival.agent):
            if time.monotonic() > deadline or any(client.code is not None for client in clients):
                return Check("handshake", FAIL, f"no welcome from {self.address} within {HANDSHAKE_SECONDS:g} s")
            time.sleep(POLL_SECONDS)
        return Check("handshake", PASS, f"welcomed as {self.probe.agent}")

    def fixtures(self) -> list[Fixture]:
        """Every variant with every number of players, the bot in another seat each time."""
        return [
            Fixture(variant, players, ROUNDS, number % players, number + 1)
            for variant in self.variants
            for number, players in enumerate(VARIANTS[variant].players)
        ]

    def hooks(self) -> Check:
        if self.probe.lapse:
            return Check("hooks", FAIL, self.probe.lapse)
        return Check("hooks", PASS, "on_end and decide_batch raised nothing")

    def determinism(self, fixtures: list[Fixture], before: list[Played]) -> Check:
        again = self.play(fixtures)
        differ = [
            f"{fixture.variant} with {fixture.players}"
            for fixture, one, two in zip(fixtures, before, again)
            if record.game_part(one.record) != record.game_part(two.record)
        ]
        if differ:
            what = f"{len(differ)} of {len(fixtures)} matches differ when played again, the first is {differ[0]}"
            return Check(
                "determinism", WARN, f"{what}: draw from self.seed only, and share nothing between matches"
            )
        return Check("determinism", PASS, f"{len(fixtures)} matches played twice with one seed came out alike")

    def decisions(self) -> Iterator[Check]:
        """Every kind of decision; a leader finds those that the bot's own play did not come to."""
        self.probe.bot = self.leader
        for seed in range(LED_TRIES):
            self.play([Fixture(variant, 3, LED_ROUNDS, 0, seed) for variant in self.variants])
            if self.missing() == []:
                break
        self.probe.bot = self.bot
        for variant in self.variants:
            names = verb_names(self.probe.asked[variant])
            yield Check(f"decisions: {variant}", PASS, ", ".join(names))
        broken = self.probe.broken
        if broken:
            yield Check("every kind of decision", FAIL, f"{broken[0]} (asked alone, as after a restart)")
        elif self.missing():
            yield Check("every kind of decision", FAIL, f"never asked: {', '.join(self.missing())}")
        else:
            yield Check("every kind of decision", PASS, f"{len(self.verbs())} were asked")

    def missing(self) -> list[str]:
        if set(self.variants) != set(VARIANTS):
            return []  # no single variant has them all
        return verb_names(VERBS - self.verbs())

    def verbs(self) -> set[int]:
        """What was asked so far."""
        return set().union(*self.probe.asked.values())

    def bad_answers(self) -> Check:
        played = self.go_wrong("illegal")
        good = ErrorReason.ERROR_REASON_ILLEGAL in self.probe.refusals
        return self.judge("bad answers", good, played, [], "an illegal answer was refused, the next one was taken")

    def exception(self) -> Check:
        played = self.go_wrong("raise")
        return self.judge("exception", True, played, [CRASH], "one decision was forfeited, and the match went on")

    def late_answers(self) -> Check:
        played = self.go_wrong("late", max(LATE_LIMIT, 10 * self.thinking.p99 / 1000))
        good = ErrorReason.ERROR_REASON_STALE in self.probe.refusals
        return self.judge("late answers", good, played, [TIMEOUT], "one timed out, and the match went on")

    def reconnect(self, name: str, mishap: str, detail: str) -> Check:
        before = self.probe.streams
        played = self.go_wrong(mishap)
        return self.judge(name, self.probe.streams > before, played, [DISCONNECT], detail)

    def go_wrong(self, mishap: str, limit: float = 0.0) -> Played:
        self.probe.mishap = mishap
        self.probe.refusals.clear()
        (played,) = self.play([Fixture(self.variants[0], 3, MISHAP_ROUNDS, limit=limit)])
        return played

    def judge(self, name: str, good: bool, played: Played, expected: list[int], detail: str) -> Check:
        if good and played.kinds() == expected:
            return Check(name, PASS, detail)
        other = [told for told, kind in zip(played.faults(), played.kinds()) if kind not in expected]
        return Check(name, FAIL, other[0] if other else "it did not come to that, or the referee did not notice")

    def measure(self, played: list[Played]) -> None:
        times = sorted(
            one.thinking_us / 1000 for match in played for one in match.sidecar.times if one.seat == match.seat
        )
        if times:
            self.thinking = Thinking(len(times), times[len(times) // 2], times[len(times) * 99 // 100])

    def think_time(self) -> Check:
        told = self.thinking
        detail = f"p50 {told.p50:.2f} ms, p99 {told.p99:.2f} ms over {told.decisions:,} decisions"
        return Check("thinking time", PASS, detail)

    # Matches

    def play(self, fixtures: list[Fixture]) -> list[Played]:
        """Plays them all at once."""
        names = [self.create(fixture) for fixture in fixtures]
        return [self.result(name, fixture.seat) for name, fixture in zip(names, fixtures)]

    def create(self, fixture: Fixture) -> str:
        agents = [self.rival.agent] * fixture.players
        agents[fixture.seat] = self.probe.agent
        name, options, limit = f"check-{secrets.token_hex(6)}", {"rounds": fixture.rounds}, fixture.limit
        time = wire.TimeControl(bank_ms=round(LATE_BANK * 1000), limit_ms=round(limit * 1000)) if limit else None
        return self.remote.create(fixture.variant, agents, options, name, time, fixture.seed).match_id

    def result(self, match_id: str, seat: int) -> Played:
        """The match, when it is over."""
        while self.remote.get(match_id).state == wire.MATCH_STATE_RUNNING:
            if self.probe.thinks_for() > self.patience:
                raise Hung
            time.sleep(POLL_SECONDS)
        found = self.remote.record(match_id)
        return Played(record.read(found.record), found.sidecar, seat)


def conduct(played: list[Played]) -> Check:
    faults = [fault for match in played for fault in match.faults()]
    if faults:
        more = f" (the first of {len(faults)})" if len(faults) > 1 else ""
        return Check("no faults", FAIL, f"{faults[0]}{more}; mishaps were not tried")
    return Check("no faults", PASS, f"{len(played)} matches, with every number of players")


def verb_names(verbs: set[int] | frozenset[int]) -> list[str]:
    return [SCHEMAS[verb].name for verb in sorted(verbs)]
