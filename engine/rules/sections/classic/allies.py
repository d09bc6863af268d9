"""Neutral forces that take sides: bribes, reinforcing allies, fighting with them, their loyalty, their free moves.

`alliances` tells for each neutral force whose ally it is; NOBODY is in the middle between the two players.
"""

from typing import ClassVar, Final, cast

from engine.rules.cards import kind_of, with_hand
from engine.rules.choices import BRIBE, CARD_SHIFT, PIECE_SHIFT, REINFORCE, ROLL_DIE, STOP_CODE, pack
from engine.rules.events import ALLIED, BRIBED, INCOME, TESTED, UNINVOLVED
from engine.rules.ruleset import Ruleset
from engine.rules.section import Section
from engine.rules.sections.classic.neutrals import NeutralCombat, opponent
from engine.rules.sections.combat import ATTACK_DICE
from engine.rules.sections.fortify import FortifyConnected, can_fortify
from engine.rules.state import A_SHIFT, B_SHIFT, C_SHIFT, CHANCE, KIND, NOBODY, State, push
from engine.rules.steps import (
    ATTACK_STEP,
    BRIBE_STEP,
    BRIBING,
    FORTIFY_STEP,
    FORTIFYING,
    LOYALTY_STEP,
    NEUTRAL_PLACE_STEP,
    REINFORCE_ROLL_STEP,
    REINFORCE_STEP,
    REINFORCING,
    TESTING,
)

MOST_STORED: Final = 5  # cards that a neutral force takes
DISLOYAL_UP_TO: Final = 4  # faces that move a tested force away


def obeys(s: State, force: int, seat: int) -> bool:
    """Whether the armies are the seat's own, or an ally's."""
    return force == seat or (force >= s.seats and s.alliances[force - s.seats] == seat)


def side_with(r: Ruleset, s: State, force: int, seat: int) -> None:
    """Moves a neutral force one place towards the seat; who is its ally already stays where it is."""
    before = s.alliances[force - s.seats]
    after = seat if before in (NOBODY, seat) else NOBODY
    if after == before:
        return
    alliances = list(s.alliances)
    alliances[force - s.seats] = after
    s.alliances = tuple(alliances)
    if after == NOBODY:
        r.tell(s, UNINVOLVED, force)
    else:
        r.tell(s, ALLIED, after, piece=force)


class Bribing(Section):
    """First in a turn: each card given to a neutral force moves it one place towards the giver."""

    kinds: ClassVar[tuple[int, ...]] = (BRIBING, BRIBE_STEP)

    def prepare(self, r: Ruleset, s: State) -> None:
        s.alliances = (NOBODY,) * (r.forces - s.seats)

    def turn(self, r: Ruleset, s: State, seat: int) -> None:
        push(s, BRIBING, seat)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        """Asks while there is a card to give and somebody to take it, which everybody can see."""
        if s.hands[seat] and self.takers(r, s, seat):
            push(s, BRIBE_STEP, seat)
        else:
            s.agenda.pop()

    def takers(self, r: Ruleset, s: State, seat: int) -> list[int]:
        """Forces that are in play, no ally yet, and have room for a card."""
        return [
            force
            for force in range(s.seats, r.forces)
            if s.held[force] > 0 and not obeys(s, force, seat) and len(s.hands[force]) < MOST_STORED
        ]

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        out.append(STOP_CODE)
        kinds = sorted({kind_of(card) for card in s.hands[seat]})
        for force in self.takers(r, s, seat):
            for kind in kinds:
                out.append(pack(BRIBE, piece=force, card=kind))

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        s.agenda.pop()
        if code == STOP_CODE:
            s.agenda.pop()
            return
        force, kind = code >> PIECE_SHIFT & 63, code >> CARD_SHIFT & 127
        hand = list(s.hands[seat])
        given = next(card for card in hand if kind_of(card) == kind)
        hand.remove(given)
        with_hand(s, seat, hand)
        with_hand(s, force, [*s.hands[force], given])
        r.tell(s, BRIBED, seat, piece=force, card=kind, audience=1 << seat)
        side_with(r, s, force, seat)


class ReinforceAllies(Section):
    """For every ally, if wished, a die says how many armies it receives; the player places them on its land.

    The steps carry the mask of the allies that have been reinforced this turn; the roll, the ally.
    """

    kinds: ClassVar[tuple[int, ...]] = (REINFORCING, REINFORCE_STEP, REINFORCE_ROLL_STEP)

    def turn(self, r: Ruleset, s: State, seat: int) -> None:
        push(s, REINFORCING, seat)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        done = s.agenda.pop() >> A_SHIFT & 0xFFFF
        if self.waiting(r, s, seat, done):
            push(s, REINFORCE_STEP, seat, done)

    def waiting(self, r: Ruleset, s: State, seat: int, done: int) -> list[int]:
        forces = range(s.seats, r.forces)
        return [f for f in forces if obeys(s, f, seat) and s.held[f] > 0 and not done >> f & 1]

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        step = s.agenda[-1]
        if step & KIND == REINFORCE_ROLL_STEP:
            out.append(pack(ROLL_DIE, piece=step >> A_SHIFT & 15, high=5))
            return
        out.append(STOP_CODE)
        for force in self.waiting(r, s, seat, step >> A_SHIFT & 0xFFFF):
            out.append(pack(REINFORCE, piece=force))

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        step = s.agenda.pop()
        if step & KIND == REINFORCE_ROLL_STEP:
            self.receive(r, s, step >> A_SHIFT & 15, amount + 1)
        elif code != STOP_CODE:
            force = code >> PIECE_SHIFT & 63
            push(s, REINFORCING, seat, step >> A_SHIFT & 0xFFFF | 1 << force)
            push(s, REINFORCE_ROLL_STEP, CHANCE, force)

    def receive(self, r: Ruleset, s: State, force: int, face: int) -> None:
        armies = r.receive(s, force, face)
        s.pool[force] += armies
        r.tell(s, INCOME, force, amount=armies)
        if armies:
            push(s, NEUTRAL_PLACE_STEP, s.turn, force, armies)


class AlliedCombat(NeutralCombat):
    """Allies attack like own armies, and keep what they take. After an invasion its neutral forces are tested.

    An attack that a neutral force is attacked in, or used for, begins an invasion: the attack step carries its
    target + 1 and the mask of these forces until it is won or called off.
    """

    kinds: ClassVar[tuple[int, ...]] = (*NeutralCombat.kinds, TESTING, LOYALTY_STEP)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        step = s.agenda[-1]
        if step & KIND == TESTING:
            s.agenda.pop()
            self.test_next(r, s, seat, step >> A_SHIFT & 0xFFFF)
        else:
            super().enter(r, s, seat)

    def can_attack(self, s: State, seat: int) -> bool:
        """Also while an invasion is under way, since it must be called off."""
        step = s.agenda[-1]
        return (step & KIND == ATTACK_STEP and under_way(step) > 0) or len(self.targets(s, seat, 0)) > 0

    def targets(self, s: State, seat: int, invaded: int) -> list[int]:
        """The attacks of the seat and its allies, in ascending order; on `invaded` - 1 only, if it is not 0."""
        owner, armies = s.owner, s.armies
        found: list[int] = []
        for place, holder in enumerate(owner):
            if armies[place] > 1 and obeys(s, holder, seat):
                codes = self.codes[min(armies[place] - 1, ATTACK_DICE)][place]
                for i, other in enumerate(self.neighbours[place]):
                    if owner[other] not in (seat, holder) and invaded in (0, other + 1):
                        found.append(cast(int, codes[i]))
        return found

    def attacks(self, s: State, seat: int, out: list[int]) -> None:
        out.append(STOP_CODE)
        out.extend(self.targets(s, seat, s.agenda[-1] >> A_SHIFT & 0xFFFF))

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        step = s.agenda[-1]
        if step & KIND == LOYALTY_STEP:
            out.append(pack(ROLL_DIE, piece=step >> A_SHIFT & 15, high=5))
        else:
            super().options(r, s, seat, out)

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        step = s.agenda[-1]
        if step & KIND == LOYALTY_STEP:
            s.agenda.pop()
            self.test(r, s, step >> A_SHIFT & 15, amount + 1)
        elif code == STOP_CODE and under_way(step):
            self.close(s)
        else:
            super().apply(r, s, seat, code, amount)

    def attack(self, r: Ruleset, s: State, source: int, target: int, dice: int) -> None:
        touched = under_way(s.agenda[-1])
        for force in (s.owner[source], s.owner[target]):
            if force >= s.seats:
                touched |= 1 << force
        if touched:
            s.agenda.pop()
            push(s, ATTACK_STEP, s.turn, target + 1, touched)
        super().attack(r, s, source, target, dice)

    def close(self, s: State) -> None:
        """An invasion ends: who was touched by it is tested when all else is settled."""
        touched = under_way(s.agenda[-1])
        super().close(s)
        if touched:
            push(s, TESTING, s.turn, touched)

    def test_next(self, r: Ruleset, s: State, seat: int, touched: int) -> None:
        """A die for the first of them that is left, and the others after it."""
        for force in range(s.seats, r.forces):
            if touched >> force & 1 and s.held[force] > 0:
                push(s, TESTING, seat, touched & ~(1 << force))
                push(s, LOYALTY_STEP, CHANCE, force)
                return

    def test(self, r: Ruleset, s: State, force: int, face: int) -> None:
        r.tell(s, TESTED, s.turn, piece=force, amount=face)
        if face <= DISLOYAL_UP_TO:
            side_with(r, s, force, opponent(s.turn))


def under_way(step: int) -> int:
    """The mask of the neutral forces that the invasion on an attack step has touched; 0 where there is none."""
    return step >> B_SHIFT & 0xFFFF


class FortifyWithAllies(FortifyConnected):
    """After the own free move one for each ally, along its own land. The steps carry the ally + 1."""

    def turn(self, r: Ruleset, s: State, seat: int) -> None:
        for force in range(r.forces - 1, s.seats - 1, -1):
            push(s, FORTIFYING, seat, c=force + 1)
        super().turn(r, s, seat)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        step = s.agenda.pop()
        force = self.mover(step, seat)
        if obeys(s, force, seat) and can_fortify(r, s, force):
            push(s, FORTIFY_STEP, seat, c=step >> C_SHIFT)
