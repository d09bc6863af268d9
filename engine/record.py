"""Match records: made, written, read, played again, verified. docs/records.md has the file format.

A record keeps what the rules leave open and nothing else, so it is read by playing it: `Replay` walks through
a match action by action, and `verify` compares that walk with the keys, the digests and the result.
"""

import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple

import zstandard
from google.protobuf.message import DecodeError

from conquest.v1.record_pb2 import Fork, MatchRecord
from engine.chance import Chance, commitment, seeded_keys
from engine.playout import DIGEST_BYTES, DIGEST_EVERY, FORFEIT, STREAM_OF, TIMEOUT, Tape, caretaker_answer
from engine.rules.choices import HIGH_MASK, LOW_SHIFT, ROLL, TARGET_SHIFT, VERB_SHIFT
from engine.rules.errors import RulesError
from engine.rules.notation import seat_name, write_action
from engine.rules.odds import attacker_losses, expected_losses
from engine.rules.ruleset import Ruleset
from engine.rules.state import CHANCE, ENDINGS, State, step_of
from engine.rules.variants import VARIANTS, find, ruleset

ENGINE_VERSION: Final = "0.1.0"
MAGIC: Final = b"CQR1"
MOST_BYTES: Final = 16 << 20  # of a record out of its frame; a match has some thousands
MOST_SHIFT: Final = 21  # no number of a column has more than 28 bits
KEY_BYTES: Final = 32


class RecordError(RulesError):
    """A file that is no record, or a record that is not of the match it claims; says where."""


class Step(NamedTuple):
    """The next action of a replay: who answers, out of which options, and how."""

    seat: int
    option: int
    code: int
    amount: int
    codes: list[int]


# Making and keeping


def make(
    r: Ruleset,
    s: State,
    tape: Tape,
    agents: Sequence[str],
    keys: tuple[bytes, bytes],
    match_id: str,
    seed: int | None = None,
    forks: Sequence[Fork] = (),
) -> MatchRecord:
    """The record of a match that was played to its end, or stopped, with its tape."""
    record = MatchRecord(
        match_id=match_id,
        variant=r.variant,
        rules_version=r.version,
        seat_count=r.seats,
        round_limit=r.rounds,
        match_key=keys[0],
        setup_key=keys[1],
        commitment=commitment(match_id, keys[0], keys[1]),
        engine_version=ENGINE_VERSION,
        choices=bytes(tape.choices),
        amounts=bytes(tape.amounts),
        chance=bytes(tape.chance),
        actions=tape.actions,
        digests=bytes(tape.digests),
        forks=forks,
    )
    for name, value in options_told(r):
        record.options.add(name=name, value=value)
    for agent in agents:
        record.seats.add(agent=agent)
    for one in tape.conduct:
        record.conduct.add(action=one.action, seat=one.seat, kind=one.kind, detail=one.detail)
    if seed is not None:
        record.seeded, record.seed = True, seed
    record.result.places.extend(s.places)
    record.result.ending = s.ending  # type: ignore[assignment]
    record.result.rounds = s.round
    record.seal = seal_of(record)
    return record


def options_told(r: Ruleset) -> list[tuple[str, str]]:
    """The options that differ from their defaults, as a record tells them; `round_limit` has the rounds."""
    defaults = {setting.name: setting.default for setting in find(r.variant).settings}
    return [(name, str(value)) for name, value in r.settings_key if name != "rounds" and value != defaults[name]]


def seal_of(record: MatchRecord) -> bytes:
    """A digest of all that the record says."""
    content = MatchRecord()
    content.CopyFrom(record)
    content.ClearField("seal")
    return hashlib.sha256(content.SerializeToString(deterministic=True)).digest()[:DIGEST_BYTES]


def write(record: MatchRecord) -> bytes:
    """The bytes of a record file."""
    frame = zstandard.ZstdCompressor(level=19, write_checksum=True)
    return MAGIC + frame.compress(record.SerializeToString(deterministic=True))


def read(data: bytes) -> MatchRecord:
    """The record in these bytes; RecordError if they are anything else."""
    if data[: len(MAGIC)] != MAGIC:
        raise RecordError("this is not a match record: it does not begin with CQR1")
    try:
        size = zstandard.frame_content_size(data[len(MAGIC) :])
        if size < 0 or size > MOST_BYTES:
            raise RecordError(f"the record is damaged, or larger than {MOST_BYTES} bytes")
        content = zstandard.ZstdDecompressor().decompress(data[len(MAGIC) :], allow_extra_data=False)
        return MatchRecord.FromString(content)
    except (zstandard.ZstdError, DecodeError, MemoryError):
        raise RecordError("the record is damaged or cut short; take it from its source again") from None


def game_part(record: MatchRecord) -> bytes:
    """What makes two matches equal: everything but names of matches, engine versions and texts of faults."""
    part = MatchRecord()
    part.CopyFrom(record)
    for name in ("match_id", "commitment", "engine_version", "seal"):
        part.ClearField(name)
    for one in part.conduct:
        one.ClearField("detail")
    return part.SerializeToString(deterministic=True)


# Playing again


class Column:
    """Varints read one after the other."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data
        self.position = 0

    def take(self, action: int) -> int:
        value = shift = 0
        while self.position < len(self.data):
            byte = self.data[self.position]
            self.position += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > MOST_SHIFT:
                raise RecordError(f"action {action}: the column of {self.name} has no number there")
        raise RecordError(f"action {action}: the column of {self.name} ends before it")

    def at_end(self) -> bool:
        return self.position == len(self.data)


def ruleset_of(record: MatchRecord) -> Ruleset:
    """The ruleset that the record was played by; RecordError if this engine does not have it."""
    check_version(record.variant, record.rules_version)
    try:
        given = {option.name: int(option.value) for option in record.options}
        r = ruleset(record.variant, record.seat_count, {**given, "rounds": record.round_limit})
    except ValueError as error:
        raise RecordError(f"the head of the record is not valid: {error}") from None
    if [(option.name, option.value) for option in record.options] != options_told(r):
        raise RecordError(f"the head of the record is not valid: its options should be {options_told(r)}")
    return r


def check_version(variant: str, version: int) -> None:
    if variant not in VARIANTS:
        raise RecordError(f"the record is of the variant '{variant}', which this engine does not know")
    ours = VARIANTS[variant].version
    if version != ours:
        raise RecordError(
            f"the record needs version {version} of the rules of {variant}; "
            f"this engine ({ENGINE_VERSION}) has version {ours}"
        )


class Replay:
    """A walk through a recorded match: look at the next action with `peek`, then `take` it."""

    def __init__(self, record: MatchRecord, partial: bool = False) -> None:
        """`partial` takes the record of a match that still goes on."""
        self.record = record
        self.r = ruleset_of(record)
        check_form(record, partial)
        self.s = self.r.new()
        self.number = 0  # actions taken
        self.columns = [
            Column("choices", record.choices),
            Column("amounts", record.amounts),
            Column("chance", record.chance),
        ]
        self.faults = list(record.conduct)
        self.next: Step | None = None

    def peek(self) -> Step | None:
        """The next action; None at the end. Seats that are lost before it are given up first."""
        if self.next is None:
            self.give_up_seats()
            if self.s.agenda and self.number < self.record.actions:
                self.next = self.read_step()
        return self.next

    def take(self, step: Step) -> None:
        self.next = None
        self.number += 1
        self.r.apply(self.s, step.seat, step.code, step.amount)

    def give_up_seats(self) -> None:
        while self.faults and self.faults[0].action <= self.number:
            fault = self.faults.pop(0)
            if fault.kind == FORFEIT and self.s.agenda:
                self.r.forfeit(self.s, fault.seat)

    def read_step(self) -> Step:
        choices, amounts, chance = self.columns
        seat = self.r.asked(self.s)
        codes: list[int] = []
        self.r.options(self.s, seat, codes)
        index = choices.take(self.number) if len(codes) > 1 else 0
        if index >= len(codes):
            raise RecordError(f"action {self.number} is illegal: option {index} of {len(codes)}")
        code = codes[index]
        low, high = code >> LOW_SHIFT & 255, code & HIGH_MASK
        amount = low
        if low != high:
            amount = (chance if seat == CHANCE else amounts).take(self.number)
        if not low <= amount <= high:
            raise RecordError(f"action {self.number} is illegal: amount {amount} is not between {low} and {high}")
        return Step(seat, index, code, amount, codes)


def check_form(record: MatchRecord, partial: bool) -> None:
    """Refuses what no match can have, so that whoever replays a record need not."""
    seats, actions = record.seat_count, record.actions
    if len(record.seats) != seats:
        raise RecordError(f"the record names {len(record.seats)} agents for {seats} seats")
    result = record.result
    if len(result.places) != (0 if partial else seats) or result.ending >= len(ENDINGS):
        raise RecordError("the record has no valid result")
    told = [one.action for one in record.conduct]
    if told != sorted(told) or any(
        one.seat >= seats or one.kind not in range(TIMEOUT, FORFEIT + 1) for one in record.conduct
    ):
        raise RecordError("the conduct of the record is out of order, or of a kind or a seat that does not exist")
    left = [fork.action for fork in record.forks]
    if left != sorted(set(left)) or any(not 0 < action <= actions for action in left):
        raise RecordError("the forks of the record are not in ascending order within the match")
    keys = [key for fork in record.forks for key in (fork.match_key, fork.setup_key)]
    if any(len(key) != KEY_BYTES for key in keys):
        raise RecordError(f"the keys of a fork are not {KEY_BYTES} bytes long")


# Verifying


def verify(record: MatchRecord) -> None:
    """Plays the record again and compares; RecordError names the first thing that is wrong.

    A wrong die and an illegal action are named exactly, any other change by its window of 64 actions.
    """
    check_head(record)
    replay, dealer, tape = Replay(record), Dealer(record), Tape()
    while (step := replay.peek()) is not None:
        tape.note(replay.s, step.seat, step.codes, step.option, step.amount)
        check_digests(tape, record)
        if step.seat == CHANCE:
            check_chance(replay, step, dealer.roll(replay.number, step.code))
        elif replay.s.lost >> step.seat & 1 and (step.option, step.amount) != caretaker_answer(step.codes):
            who = seat_name(step.seat)
            raise RecordError(f"action {replay.number}: {who} is lost, and this is not the caretaker's answer")
        replay.take(step)
    check_end(replay)
    tape.seal(replay.s)
    check_digests(tape, record)
    check_result(replay, tape)


def left_at(record: MatchRecord, action: int) -> list[Fork]:
    """What a match that leaves this one after so many actions says about where it comes from."""
    if action == 0:
        return []
    own = Fork(match_id=record.match_id, action=action, match_key=record.match_key, setup_key=record.setup_key)
    found: list[Fork] = []
    for fork in [*record.forks, own]:
        part = Fork()
        part.CopyFrom(fork)
        part.action = min(fork.action, action)
        found.append(part)
        if fork.action >= action:
            break
    return found


class Dealer:
    """The chance of a record: its own keys, after those of the matches that it was forked from."""

    def __init__(self, record: MatchRecord) -> None:
        self.parts = [(fork.action, fork.match_key, fork.setup_key) for fork in record.forks]
        self.parts.append((record.actions, record.match_key, record.setup_key))
        self.chance = Chance(self.parts[0][1], self.parts[0][2])

    def roll(self, action: int, code: int) -> int:
        while len(self.parts) > 1 and action >= self.parts[0][0]:
            self.parts.pop(0)
            self.chance = Chance(self.parts[0][1], self.parts[0][2])
        return self.chance.roll(STREAM_OF[code >> VERB_SHIFT], (code & HIGH_MASK) + 1)


def check_head(record: MatchRecord) -> None:
    keys = record.match_key, record.setup_key
    if len(keys[0]) != KEY_BYTES or len(keys[1]) != KEY_BYTES:
        raise RecordError(f"the record's keys are not revealed, or are not {KEY_BYTES} bytes long")
    if record.commitment != commitment(record.match_id, *keys):
        raise RecordError("the keys, or the match's name, are not those that were committed to")
    if record.seeded and keys != seeded_keys(record.seed):
        raise RecordError(f"the keys are not those of seed {record.seed}")


def check_chance(replay: Replay, step: Step, expected: int) -> None:
    if step.amount == expected:
        return
    written = write_action(replay.r, replay.s, step.code, step.amount)
    dealt = write_action(replay.r, replay.s, step.code, expected)
    raise RecordError(
        f"action {replay.number}, round {replay.s.round}: the record says '{written}', the key gives '{dealt}'"
    )


def check_digests(tape: Tape, record: MatchRecord) -> None:
    """Compares the last digest that was made."""
    end = len(tape.digests)
    if tape.digests[-DIGEST_BYTES:] != record.digests[end - DIGEST_BYTES : end]:
        first = (end // DIGEST_BYTES - 1) * DIGEST_EVERY
        last = min(first + DIGEST_EVERY, tape.actions) - 1
        raise RecordError(
            f"actions {first} to {last}: they, or the position after them, are not the recorded ones"
        )


def check_end(replay: Replay) -> None:
    record = replay.record
    if replay.s.agenda:
        raise RecordError(f"the record ends after {replay.number} actions, in the middle of the match")
    for column in replay.columns:
        if not column.at_end():
            raise RecordError(f"the match is over after {replay.number} actions, but {column.name} are left")
    if replay.number != record.actions:
        raise RecordError(f"the record counts {record.actions} actions, but the match has {replay.number}")
    if replay.faults:
        raise RecordError(f"conduct is noted at action {replay.faults[0].action}, after the end of the match")


def check_result(replay: Replay, tape: Tape) -> None:
    record, s = replay.record, replay.s
    if record.choices + record.amounts + record.chance != tape.choices + tape.amounts + tape.chance:
        raise RecordError("a number in a column is written longer than need be")
    if len(record.digests) != -(-record.actions // DIGEST_EVERY) * DIGEST_BYTES:
        raise RecordError("the number of digests does not fit the number of actions")
    result = record.result
    if (tuple(result.places), result.ending, result.rounds) != (s.places, s.ending, s.round):
        raise RecordError(f"the result is not the recorded one: the places are {s.places}")
    if record.seal != seal_of(record):
        raise RecordError("something beside the actions was changed: names, conduct or a mark; the seal is broken")


# Looking into


def luck(record: MatchRecord) -> list[float]:
    """Dice luck of every seat: armies that its battle rolls brought above the exact expectation.

    A roll counts what the defender lost less what the attacker lost, minus the mean of that over all
    rolls of so many dice; to the attacker's credit, and to the debit of the seat that chose the other side's
    dice, so all seats sum to zero.
    """
    replay = Replay(record)
    seats = [0.0] * replay.r.seats
    while (step := replay.peek()) is not None:
        if step.code >> VERB_SHIFT == ROLL:
            surplus = roll_luck(step_of(replay.s.agenda[-1]).c, step.amount)
            seats[replay.s.turn] += surplus
            seats[replay.r.defender(replay.s, step.code >> TARGET_SHIFT & 127)] -= surplus
        replay.take(step)
    return seats


def roll_luck(dice: int, index: int) -> float:
    attack, defence = dice >> 2, dice & 3
    lost = attacker_losses(attack, defence)[index]
    attacker_mean, defender_mean = expected_losses(attack, defence)
    return (min(attack, defence) - lost - defender_mean) - (lost - attacker_mean)
