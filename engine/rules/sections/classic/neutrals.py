"""Two players and neutral forces between them, for which both place armies and the defender rolls."""

from typing import ClassVar

from engine.rules.choices import PLACE, PLACE_NEUTRAL, TARGET_SHIFT, pack
from engine.rules.events import PLACED
from engine.rules.ruleset import MOST_ARMIES, Ruleset
from engine.rules.section import Section
from engine.rules.sections.combat import Combat
from engine.rules.state import A_SHIFT, B_SHIFT, KIND, NOBODY, State, push
from engine.rules.steps import NEUTRAL_PLACE_STEP, SETUP_PLACE_STEP, SETUP_PLACING


class PlacingWithNeutrals(Section):
    """In turn everybody puts some armies on own land, then one of each neutral force on the land of that force.

    The step of a seat carries how many are left to place; that of a neutral force, the force and how many.
    """

    kinds: ClassVar[tuple[int, ...]] = (SETUP_PLACING, SETUP_PLACE_STEP, NEUTRAL_PLACE_STEP)

    def __init__(self, forces: int, own: int, most: int = MOST_ARMIES) -> None:
        """A seat places `own` armies of its own each time; `most` may stand on a territory."""
        self.forces = forces
        self.own = own
        self.most = most

    def neutrals(self) -> int:
        return self.forces

    def setup(self, r: Ruleset, s: State) -> None:
        push(s, SETUP_PLACING, NOBODY)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        placer = s.turn
        if s.pool[placer] == 0:
            s.agenda.pop()
            s.turn = s.first
            return
        for force in range(r.forces - 1, s.seats - 1, -1):
            push(s, NEUTRAL_PLACE_STEP, placer, force, 1)
        push(s, SETUP_PLACE_STEP, placer, self.own)

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        step = s.agenda[-1]
        force, left, base = seat, step >> A_SHIFT & 0xFFFF, pack(PLACE, target=0, low=1)
        if step & KIND == NEUTRAL_PLACE_STEP:
            force, left = step >> A_SHIFT & 15, step >> B_SHIFT & 0xFFFF
            base = pack(PLACE_NEUTRAL, target=0, piece=force, low=1)
        for place, holder in enumerate(s.owner):
            if holder == force and s.armies[place] < self.most:
                out.append(base + (place << TARGET_SHIFT) + min(left, self.most - s.armies[place]))

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        step = s.agenda.pop()
        place = code >> TARGET_SHIFT & 127
        force = s.owner[place]
        s.armies[place] += amount
        s.pool[force] -= amount
        r.tell(s, PLACED, force, target=place, amount=amount)
        if step & KIND == SETUP_PLACE_STEP:
            left = (step >> A_SHIFT & 0xFFFF) - amount
            if left:
                push(s, SETUP_PLACE_STEP, seat, left)
            return
        left = (step >> B_SHIFT & 0xFFFF) - amount
        if left:
            push(s, NEUTRAL_PLACE_STEP, seat, force, left)
        elif s.agenda[-1] & KIND == SETUP_PLACING:
            s.turn = (seat + 1) % s.seats


class NeutralCombat(Combat):
    """The attacker's opponent chooses the dice of an attacked neutral force."""

    def defender(self, s: State, place: int) -> int:
        owner = s.owner[place]
        return owner if owner < s.seats else opponent(s.turn)


def opponent(seat: int) -> int:
    """The other one of two players."""
    return 1 - seat
