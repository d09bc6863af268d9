"""What experts may add to the classic game, in any mix."""

from typing import ClassVar, Final

from engine.rules.cards import FACE_UP, hold, kind_of, origin_of, with_hand
from engine.rules.choices import (
    CARD_SHIFT,
    COMMAND,
    FORTIFY,
    FORTIFY_FROM,
    PIECE_SHIFT,
    PLACE,
    REROLL,
    REROLL_DIE,
    SOURCE_SHIFT,
    STOP_CODE,
    TARGET_SHIFT,
    pack,
)
from engine.rules.events import COMMANDED, PLACED, REROLLED, WASTED
from engine.rules.odds import D6, dice_faces, dice_index
from engine.rules.ruleset import Ruleset
from engine.rules.section import DICE, Section
from engine.rules.sections.fortify import move, reach
from engine.rules.sections.income import Deploy
from engine.rules.sections.setup import SetupPlacing
from engine.rules.state import (
    A_SHIFT,
    B_SHIFT,
    C_SHIFT,
    CHANCE,
    KIND,
    TALLIES,
    State,
    count,
    push,
)
from engine.rules.state import COMMANDED as HAS_COMMANDED
from engine.rules.steps import (
    COMMAND_STEP,
    FORTIFY_STEP,
    FORTIFY_TO_STEP,
    FORTIFYING,
    REROLL_DIE_STEP,
    REROLL_STEP,
    SETTLING_ROLL,
)

CAP: Final = 12  # armies on a territory


# A cap on every territory


class CappedSetupPlacing(SetupPlacing):
    """As always, but a full territory takes no more."""

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        for place, holder in enumerate(s.owner):
            if holder == seat and s.armies[place] < CAP:
                out.append(pack(PLACE, target=place, low=1, high=1))


class CappedDeploy(Deploy):
    """As always, but a full territory takes no more; what finds no room is lost."""

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        super().enter(r, s, seat)
        self.waste(r, s, seat)

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        for place, holder in enumerate(s.owner):
            if holder == seat and s.armies[place] < CAP:
                out.append(pack(PLACE, target=place, low=1, high=min(s.pool[seat], CAP - s.armies[place])))

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        place = code >> TARGET_SHIFT & 127
        s.armies[place] += amount
        s.pool[seat] -= amount
        r.tell(s, PLACED, seat, target=place, amount=amount)
        if s.pool[seat] == 0:
            s.agenda.pop()
        self.waste(r, s, seat)

    def waste(self, r: Ruleset, s: State, seat: int) -> None:
        """Gives up on placing when all own territories are full."""
        if s.pool[seat] == 0:
            return
        for place, holder in enumerate(s.owner):
            if holder == seat and s.armies[place] < CAP:
                return
        s.agenda.pop()
        r.tell(s, WASTED, seat, amount=s.pool[seat])
        s.pool[seat] = 0


# Many free moves


class FortifyMany(Section):
    """Any number of moves along own territories, as if all were made at once: an army moves once.

    So each territory keeps one of the armies that stood there before.
    """

    kinds: ClassVar[tuple[int, ...]] = (FORTIFYING, FORTIFY_STEP, FORTIFY_TO_STEP)
    marches: ClassVar[bool] = True

    def __init__(self, most: int) -> None:
        """`most` armies may stand on a territory."""
        self.most = most

    def turn(self, r: Ruleset, s: State, seat: int) -> None:
        push(s, FORTIFYING, seat)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        """Comes back after every move, until nothing can move or the seat stops."""
        for place in range(len(s.owner)):
            if self.can_leave(r, s, seat, place):
                push(s, FORTIFY_STEP, seat)
                return
        s.agenda.pop()

    def movable(self, s: State, place: int) -> int:
        return s.armies[place] - s.tally[TALLIES + place] - 1

    def can_leave(self, r: Ruleset, s: State, seat: int, place: int) -> bool:
        return s.owner[place] == seat and self.movable(s, place) > 0 and bool(self.targets(r, s, seat, place))

    def targets(self, r: Ruleset, s: State, seat: int, source: int) -> list[int]:
        return [place for place in reach(r, s, seat, source) if s.armies[place] < self.most]

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        step = s.agenda[-1]
        if step & KIND == FORTIFY_STEP:
            out.append(STOP_CODE)
            sources = [place for place in range(len(s.owner)) if self.can_leave(r, s, seat, place)]
            out.extend([pack(FORTIFY_FROM, source) for source in sources])
            return
        source = step >> A_SHIFT & 127
        for target in self.targets(r, s, seat, source):
            high = min(self.movable(s, source), self.most - s.armies[target])
            out.append(pack(FORTIFY, source, target, low=1, high=high))

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        step = s.agenda.pop()
        if step & KIND == FORTIFY_TO_STEP:
            target = TALLIES + (code >> TARGET_SHIFT & 127)
            move(r, s, seat, code, amount)
            count(s, target, s.tally[target] + amount)
        elif code == STOP_CODE:
            s.agenda.pop()
        else:
            push(s, FORTIFY_TO_STEP, seat, code >> SOURCE_SHIFT & 127)


# Changing dice


def lying(s: State) -> int:
    """Where on the agenda the roll waits to be settled."""
    position = len(s.agenda) - 1
    while s.agenda[position] & KIND != SETTLING_ROLL:
        position -= 1
    return position


def attack_faces(s: State) -> list[int]:
    """The attacker's dice as they lie."""
    step = s.agenda[lying(s)]
    dice = step >> B_SHIFT & 0xFFFF
    faces = dice_faces(step >> C_SHIFT & 0xFFFF, [D6] * ((dice >> 2) + (dice & 3)))
    return list(faces[: dice >> 2])


def turn_die(s: State, die: int, face: int) -> None:
    position = lying(s)
    step = s.agenda[position]
    dice = step >> B_SHIFT & 0xFFFF
    sides = [D6] * ((dice >> 2) + (dice & 3))
    faces = list(dice_faces(step >> C_SHIFT & 0xFFFF, sides))
    faces[die] = face
    s.agenda[position] = step & (1 << C_SHIFT) - 1 | dice_index(faces, sides) << C_SHIFT


class Reroll(Section):
    """The attacker may show the card of the source or of the target and roll one own die again, once a roll.

    It is asked whenever it holds a card, so that being asked tells nothing. The card stays in its hand; everybody
    has seen it.
    """

    kinds: ClassVar[tuple[int, ...]] = (REROLL_STEP, REROLL_DIE_STEP)
    moments: ClassVar[tuple[int, ...]] = (DICE,)

    def rolled(self, r: Ruleset, s: State) -> None:
        if s.hands[s.turn]:
            push(s, REROLL_STEP, s.turn)

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        if s.agenda[-1] & KIND == REROLL_DIE_STEP:
            out.append(pack(REROLL_DIE, piece=s.agenda[-1] >> A_SHIFT & 3, high=D6 - 1))
            return
        out.append(STOP_CODE)
        places = s.agenda[lying(s)] >> A_SHIFT & 0xFFFF
        shown = [kind for kind in range(r.board.size) if kind in (places & 127, places >> 7)]
        held = [kind_of(card) for card in s.hands[seat]]
        for die in range(len(attack_faces(s))):
            out.extend([pack(REROLL, piece=die, card=kind) for kind in shown if kind in held])

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        step = s.agenda.pop()
        if step & KIND == REROLL_DIE_STEP:
            die = step >> A_SHIFT & 3
            turn_die(s, die, amount + 1)
            r.tell(s, REROLLED, s.turn, piece=die, card=step >> B_SHIFT & 127, amount=amount + 1)
        elif code != STOP_CODE:
            kind = code >> CARD_SHIFT & 127
            self.show(s, seat, kind)
            push(s, REROLL_DIE_STEP, CHANCE, code >> PIECE_SHIFT & 63, kind)

    def show(self, s: State, seat: int, kind: int) -> None:
        hand = s.hands[seat]
        with_hand(
            s,
            seat,
            [hold(kind, origin_of(card), FACE_UP) if kind_of(card) == kind else card for card in hand],
        )


class Commander(Section):
    """Once a turn the attacker sets one die that it has just rolled to six."""

    kinds: ClassVar[tuple[int, ...]] = (COMMAND_STEP,)
    moments: ClassVar[tuple[int, ...]] = (DICE,)
    tallies: ClassVar[bool] = True

    def rolled(self, r: Ruleset, s: State) -> None:
        if s.tally[HAS_COMMANDED] == 0:
            push(s, COMMAND_STEP, s.turn)

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        out.append(STOP_CODE)
        for die, face in enumerate(attack_faces(s)):
            if face < D6:
                out.append(pack(COMMAND, piece=die))

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        s.agenda.pop()
        if code != STOP_CODE:
            die = code >> PIECE_SHIFT & 63
            turn_die(s, die, D6)
            count(s, HAS_COMMANDED, 1)
            r.tell(s, COMMANDED, seat, piece=die, amount=D6)
