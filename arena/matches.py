"""A match in this process: bots in their seats, their faults watched, a record at the end."""

import secrets
import sys
import traceback
from contextlib import redirect_stdout
from typing import NamedTuple

from conquest.v1.record_pb2 import Fork, MatchRecord
from engine import record
from engine.chance import Chance, seeded_keys
from engine.playout import CONDUCT_NAMES, FORFEIT, Caretaker, Conduct, Policy, Tape, play_out
from engine.rules.ruleset import Ruleset
from engine.rules.state import State
from engine.rules.variants import ruleset
from sdk.local import AgentPolicy, BotSpec, seat_bots


class Fixture(NamedTuple):
    """A match to be played. `entries` says which of the user's bots sits in each seat."""

    variant: str
    options: dict[str, int]
    bots: list[BotSpec]
    entries: list[int]
    keys: tuple[bytes, bytes]
    seed: int | None = None
    forks: tuple[Fork, ...] = ()  # the matches that this one goes on from, oldest first


class Fault(NamedTuple):
    """What a bot did wrong, for its author."""

    seat: int
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
) -> list[Fixture]:
    """Matches with rotated seats; without a seed, the rotations of one block share their set-up."""
    fixtures: list[Fixture] = []
    for number in range(count):
        turned = [(seat + number) % len(entries) for seat in range(len(entries))]
        if seed is not None:
            keys = seeded_keys(seed + number)
        else:
            fresh = number % len(entries) == 0
            keys = secrets.token_bytes(32), secrets.token_bytes(32) if fresh else fixtures[-1].keys[1]
        match_seed = None if seed is None else seed + number
        fixtures.append(Fixture(variant, options, [entries[one] for one in turned], turned, keys, match_seed))
    return fixtures


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
    seated = seat_bots(fixture.bots, key)
    policies = [Caretaker() if s.lost >> seat & 1 else policy for seat, policy in enumerate(seated)]
    before = len(tape.conduct)
    with redirect_stdout(sys.stderr):  # what a bot prints must not get into our results
        decisions = play_out(r, s, policies, Chance(key, setup), tape)
    names = [bot.name for bot in fixture.bots]
    match_id = secrets.token_hex(8) if fixture.seed is None else f"seed-{fixture.seed}"
    made = record.make(r, s, tape, names, fixture.keys, match_id, fixture.seed, fixture.forks)
    return Played(fixture, made, s, decisions, record.luck(made), faults_of(tape, seated, before))


def faults_of(tape: Tape, seated: list[Policy], since: int) -> list[Fault]:
    return [
        Fault(one.seat, CONDUCT_NAMES[one.kind], one.detail, trace(seated[one.seat]))
        for one in tape.conduct[since:]
        if one.kind != FORFEIT
    ]


def trace(policy: Policy) -> str:
    """The traceback of the bot's last exception, if it raised one."""
    error = policy.error if isinstance(policy, AgentPolicy) else None
    return "".join(traceback.format_exception(error)) if error else ""
