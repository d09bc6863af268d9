"""A match in this process: bots in their seats, their faults watched, a record at the end."""

import secrets
import sys
import traceback
from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import NamedTuple

from conquest.v1.record_pb2 import Fork, MatchRecord
from engine import record
from engine.chance import Chance, seeded_keys
from engine.playout import CONDUCT_NAMES, FORFEIT, Caretaker, Conduct, Policy, Tape, play_out
from engine.rules.ruleset import Ruleset
from engine.rules.state import State
from engine.rules.variants import ruleset
from sdk.local import AgentPolicy, BotSpec, Unmade, seat_bots
from sdk.player import hears_events


class Fixture(NamedTuple):
    """A match to be played. `entries` says which of the user's bots sits in each seat."""

    variant: str
    options: dict[str, int]
    bots: list[BotSpec]
    entries: list[int]
    keys: tuple[bytes, bytes]
    seed: int | None = None
    forks: tuple[Fork, ...] = ()  # the matches that this one goes on from, oldest first
    match_id: str = ""  # without, one is found


class Fault(NamedTuple):
    """What a bot did wrong, for its author."""

    seat: int
    bot: str
    kind: str
    detail: str
    traceback: str


class Played(NamedTuple):
    fixture: Fixture
    record: MatchRecord
    final: State
    decisions: int
    luck: list[float]
    faults: list[Fault]


def series(
    variant: str, options: dict[str, int], entries: list[BotSpec], count: int, seed: int | None
) -> Iterator[Fixture]:
    """Matches with rotated seats; without a seed, the rotations of one block share their set-up."""
    setup = b""
    for number in range(count):
        turned = [(seat + number) % len(entries) for seat in range(len(entries))]
        bots = [entries[one] for one in turned]
        if seed is not None:
            yield Fixture(variant, options, bots, turned, seeded_keys(seed + number), seed + number)
            continue
        if number % len(entries) == 0:
            setup = secrets.token_bytes(32)
        yield Fixture(variant, options, bots, turned, (secrets.token_bytes(32), setup))


def play(fixture: Fixture) -> Played:
    r = ruleset(fixture.variant, len(fixture.bots), fixture.options)
    return play_on(fixture, r, r.new(), Tape())


def fork(kept: MatchRecord, start: int, entries: list[BotSpec], seed: int | None) -> Played:
    """Replays the record up to an action, then plays on with these bots and new dice."""
    replay, tape = record.Replay(kept), Tape()
    while replay.number < start and (step := replay.peek()) is not None:
        tape.note(replay.s, step.seat, step.codes, step.option, step.amount)
        replay.take(step)
    tape.conduct = [
        Conduct(one.action, one.seat, one.kind, one.detail) for one in kept.conduct if one.action < start
    ]
    tape.pardoned = start
    keys = seeded_keys(seed) if seed is not None else (secrets.token_bytes(32), secrets.token_bytes(32))
    forks = tuple(record.left_at(kept, start))
    fixture = Fixture(kept.variant, replay.r.settings, entries, list(range(len(entries))), keys, seed, forks)
    return play_on(fixture, replay.r, replay.s, tape)


def play_on(fixture: Fixture, r: Ruleset, s: State, tape: Tape) -> Played:
    """Plays from this position to the end."""
    key, setup = fixture.keys
    before = len(tape.conduct)
    with redirect_stdout(sys.stderr):  # what a bot prints must not get into our results
        name = match_id(fixture)
        seated = seat_bots(fixture.bots, key, r, name)
        if any(hears_events(bot.agent) for bot in fixture.bots):
            s.events = []
        policies = [Caretaker() if s.lost >> seat & 1 else policy for seat, policy in enumerate(seated)]
        decisions = play_out(r, s, policies, Chance(key, setup), tape)
        for seat, policy in enumerate(policies):
            if isinstance(policy, AgentPolicy):
                policy.end(s, seat)
    names = [bot.name for bot in fixture.bots]
    made = record.make(r, s, tape, names, fixture.keys, name, fixture.seed, fixture.forks)
    faults = faults_of(tape.conduct[before:], names, seated)
    return Played(fixture, made, s, decisions, record.luck(made), faults)


def match_id(fixture: Fixture) -> str:
    if fixture.match_id:
        return fixture.match_id
    if fixture.seed is None:
        return secrets.token_hex(8)
    return f"{'fork-' if fixture.forks else ''}seed-{fixture.seed}"


def faults_of(conduct: list[Conduct], names: list[str], seated: list[Policy]) -> list[Fault]:
    return [
        Fault(one.seat, names[one.seat], CONDUCT_NAMES[one.kind], one.detail, trace(seated[one.seat]))
        for one in conduct
        if one.kind != FORFEIT
    ]


def trace(policy: Policy) -> str:
    """The traceback of the bot's last exception, if it raised one."""
    error = policy.error if isinstance(policy, AgentPolicy | Unmade) else None
    return "".join(traceback.format_exception(error)) if error else ""
