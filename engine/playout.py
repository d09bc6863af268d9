"""The in-process match loop: policies answer for the seats, the keyed generator for chance.

A Policy is handed the options and the position. Bots see observations only: the SDK wraps them.
"""

import hashlib
from typing import Final, NamedTuple

from mypy_extensions import i64, mypyc_attr

from engine.chance import Chance
from engine.rules.choices import (
    ATTACK,
    HIGH_MASK,
    LOW_SHIFT,
    SCHEMAS,
    SOURCE_SHIFT,
    TARGET_SHIFT,
    VERB_SHIFT,
)
from engine.rules.ruleset import Ruleset
from engine.rules.state import ALL, CHANCE, SEAT_SHIFT, State

DIGEST_EVERY: Final = 64
DIGEST_BYTES: Final = 8
FAULTS_ALLOWED: Final = 2  # one more loses the seat

# Kinds of conduct, numbered as in conquest.v1.
TIMEOUT: Final = 1
ILLEGAL: Final = 2
CRASH: Final = 3
DISCONNECT: Final = 4
FORFEIT: Final = 5
COUNTED: Final = (TIMEOUT, ILLEGAL, CRASH)  # the caretaker answers; one more than FAULTS_ALLOWED loses the seat
CONDUCT_NAMES: Final = ("", "timeout", "illegal", "crash", "disconnect", "forfeit")

STREAM_OF: Final = [SCHEMAS[verb].stream if verb in SCHEMAS else -1 for verb in range(64)]


class BotFault(Exception):
    """A bot broke a rule of conduct; the match goes on without its answer."""

    def __init__(self, kind: int, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail


class Conduct(NamedTuple):
    """A fault, with the number of the action before which it happened."""

    action: int
    seat: int
    kind: int
    detail: str


@mypyc_attr(allow_interpreted_subclasses=True)
class Policy:
    """Answers for a seat: an index into the options, and an amount."""

    def choose(self, r: Ruleset, s: State, seat: int, codes: list[int]) -> tuple[int, int]:
        raise NotImplementedError


def caretaker_answer(codes: list[int]) -> tuple[int, int]:
    return 0, codes[0] >> LOW_SHIFT & 255  # STOP is the lowest code, so it stands first


class Caretaker(Policy):
    """Plays for a lost seat: stops where that is listed, else the first option with its lowest amount."""

    def choose(self, r: Ruleset, s: State, seat: int, codes: list[int]) -> tuple[int, int]:
        return caretaker_answer(codes)


class Uniform(Policy):
    """Any option, any amount, each as likely as the next."""

    def __init__(self, seed: int) -> None:
        self.x: i64 = seed * 2654435761 % 4294967295 + 1

    def below(self, n: i64) -> i64:
        """A number below n by xorshift, the same in every mode."""
        x: i64 = self.x
        x ^= x << 13 & 0xFFFFFFFF
        x ^= x >> 17
        x ^= x << 5 & 0xFFFFFFFF
        self.x = x
        return x % n

    def choose(self, r: Ruleset, s: State, seat: int, codes: list[int]) -> tuple[int, int]:
        index = self.below(len(codes)) if len(codes) > 1 else 0
        code: i64 = codes[index]
        low: i64 = code >> LOW_SHIFT & 255
        high: i64 = code & HIGH_MASK
        return index, low if low == high else low + self.below(high - low + 1)


class Overmatch(Uniform):
    """Attacks only with more armies than the target, and always with all it has: its matches end."""

    def choose(self, r: Ruleset, s: State, seat: int, codes: list[int]) -> tuple[int, int]:
        if codes[-1] >> VERB_SHIFT != ATTACK:
            any_index = self.below(len(codes))
            return any_index, codes[any_index] & HIGH_MASK
        armies = s.armies
        good: list[int] = []
        for index in range(1, len(codes)):
            code: i64 = codes[index]
            if armies[code >> SOURCE_SHIFT & 127] > armies[code >> TARGET_SHIFT & 127]:
                good.append(index)
        if not good:
            return 0, 0
        chosen = good[self.below(len(good))]
        return chosen, codes[chosen] & HIGH_MASK


class Tape:
    """What was played, as a record keeps it: columns of varints, digests and conduct."""

    def __init__(self) -> None:
        self.actions = 0
        self.choices = bytearray()
        self.amounts = bytearray()
        self.chance = bytearray()
        self.digests = bytearray()
        self.sealed_choices = 0  # how much of the columns the digests cover
        self.sealed_amounts = 0
        self.conduct: list[Conduct] = []
        self.pardoned = 0  # faults before this action belong to the bots of a match that this one was forked from

    def note(self, s: State, seat: int, codes: list[int], index: int, amount: int) -> None:
        """Notes an answer before it is applied. What follows from the options alone is left out."""
        if self.actions and self.actions % DIGEST_EVERY == 0:
            self.seal(s)
        self.actions += 1
        if len(codes) > 1:
            _put(self.choices, index)
        code = codes[index]
        if code >> LOW_SHIFT & 255 != code & HIGH_MASK:
            _put(self.chance if seat == CHANCE else self.amounts, amount)

    def seal(self, s: State) -> None:
        """Adds a digest of the position and of the answers since the last one."""
        choices = bytes(self.choices[self.sealed_choices :])
        amounts = bytes(self.amounts[self.sealed_amounts :])
        content = s.digest() + len(choices).to_bytes(2, "little") + choices + amounts
        self.digests.extend(hashlib.sha256(content).digest()[:DIGEST_BYTES])
        self.sealed_choices, self.sealed_amounts = len(self.choices), len(self.amounts)

    def fault(self, seat: int, kind: int, detail: str) -> bool:
        """Notes a fault; true if it was the one too many."""
        self.conduct.append(Conduct(self.actions, seat, kind, detail))
        return kind in COUNTED and self.faults_of(seat) > FAULTS_ALLOWED

    def faults_of(self, seat: int) -> int:
        """How often the caretaker had to answer for the seat."""
        return len(
            [
                one
                for one in self.conduct
                if one.seat == seat and one.kind in COUNTED and one.action >= self.pardoned
            ]
        )


def _put(column: bytearray, value: int) -> None:
    while value > 127:
        column.append(value & 127 | 128)
        value >>= 7
    column.append(value)


def play_out(
    r: Ruleset, s: State, policies: list[Policy], chance: Chance, tape: Tape | None = None, most: int = -1
) -> int:
    """Plays to the end, or for `most` actions; gives the number of decisions that had a choice."""
    codes: list[int] = []
    answering = policies[:]
    decisions = 0
    actions = 0
    agenda = s.agenda
    while agenda and actions != most:
        seat = (agenda[-1] >> SEAT_SHIFT & 15) - 1
        if seat == ALL:
            seat = r.asked(s)
        r.options(s, seat, codes)
        code: i64 = codes[0]
        index = 0
        if seat == CHANCE:
            amount = chance.roll(STREAM_OF[code >> VERB_SHIFT], (code & HIGH_MASK) + 1)
        elif len(codes) == 1 and r.is_settled(s, codes):
            amount = code & HIGH_MASK  # one answer: nobody is asked
        else:
            decisions += 1
            try:
                index, amount = answering[seat].choose(r, s, seat, codes)
            except BotFault as fault:
                if tape is None:
                    raise
                index, amount = caretaker_answer(codes)
                if tape.fault(seat, fault.kind, fault.detail):
                    tape.fault(seat, FORFEIT, f"{FAULTS_ALLOWED + 1} faults")
                    answering[seat] = Caretaker()
                    r.forfeit(s, seat)
                    if not s.agenda:
                        break
        if tape is not None:
            tape.note(s, seat, codes, index, amount)
        r.apply(s, seat, codes[index], amount)
        actions += 1
    if tape is not None and not agenda:
        tape.seal(s)
    return decisions
