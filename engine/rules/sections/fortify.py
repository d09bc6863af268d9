"""The free move at the end of a turn: one, to a neighbour or along a chain of own territories."""

from typing import ClassVar

from engine.rules.choices import FORTIFY, FORTIFY_FROM, SOURCE_SHIFT, STOP_CODE, TARGET_SHIFT, pack
from engine.rules.events import FORTIFIED
from engine.rules.ruleset import MOST_ARMIES, Ruleset
from engine.rules.section import Section
from engine.rules.state import A_SHIFT, C_SHIFT, KIND, State, push
from engine.rules.steps import FORTIFY_STEP, FORTIFY_TO_STEP, FORTIFYING


def can_leave(r: Ruleset, s: State, seat: int, place: int) -> bool:
    """Whether it is an own territory with an army to spare and an own neighbour."""
    owner = s.owner
    if owner[place] == seat and s.armies[place] > 1:
        for other in r.board.neighbours[place]:
            if owner[other] == seat:
                return True
    return False


def can_fortify(r: Ruleset, s: State, seat: int) -> bool:
    for place in range(len(s.owner)):  # noqa: SIM110 (a loop stays compiled)
        if can_leave(r, s, seat, place):
            return True
    return False


def move(r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
    source, target = code >> SOURCE_SHIFT & 127, code >> TARGET_SHIFT & 127
    r.tell(s, FORTIFIED, seat, source, target, amount=amount)
    r.add(s, source, seat, -amount)
    r.add(s, target, seat, amount)


def reach(r: Ruleset, s: State, seat: int, source: int) -> list[int]:
    """Where a chain of own territories leads, in ascending order, without the source."""
    found = [source]
    for place in found:
        for other in r.board.neighbours[place]:
            if s.owner[other] == seat and other not in found:
                found.append(other)
    return sorted(found[1:])


class FortifyAdjacent(Section):
    """Any number of armies from one territory to one neighbour; one stays behind."""

    kinds: ClassVar[tuple[int, ...]] = (FORTIFYING, FORTIFY_STEP)

    def __init__(self, most: int = MOST_ARMIES) -> None:
        """`most` armies may stand on a territory."""
        self.most = most

    def turn(self, r: Ruleset, s: State, seat: int) -> None:
        push(s, FORTIFYING, seat)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        s.agenda.pop()
        if can_fortify(r, s, seat):
            push(s, FORTIFY_STEP, seat)

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        out.append(STOP_CODE)
        owner, armies, neighbours = s.owner, s.armies, r.board.neighbours
        for source, holder in enumerate(owner):
            if holder == seat and armies[source] > 1:
                base = pack(FORTIFY, source, 0, low=1)
                for target in neighbours[source]:
                    if owner[target] == seat and armies[target] < self.most:
                        high = min(armies[source] - 1, self.most - armies[target])
                        out.append(base + (target << TARGET_SHIFT) + high)

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        s.agenda.pop()
        if code != STOP_CODE:
            move(r, s, seat, code, amount)


class FortifyConnected(Section):
    """As far as own territories reach without a gap: first where from, then where to."""

    kinds: ClassVar[tuple[int, ...]] = (FORTIFYING, FORTIFY_STEP, FORTIFY_TO_STEP)

    def turn(self, r: Ruleset, s: State, seat: int) -> None:
        push(s, FORTIFYING, seat)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        s.agenda.pop()
        if can_fortify(r, s, seat):
            push(s, FORTIFY_STEP, seat)

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        step = s.agenda[-1]
        force = self.mover(step, seat)
        if step & KIND == FORTIFY_STEP:
            out.append(STOP_CODE)
            for source in range(len(s.owner)):
                if can_leave(r, s, force, source):
                    out.append(pack(FORTIFY_FROM, source))
            return
        source = step >> A_SHIFT & 127
        for target in reach(r, s, force, source):
            out.append(pack(FORTIFY, source, target, low=1, high=s.armies[source] - 1))

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        step = s.agenda.pop()
        if step & KIND == FORTIFY_TO_STEP:
            move(r, s, self.mover(step, seat), code, amount)
        elif code != STOP_CODE:
            push(s, FORTIFY_TO_STEP, seat, code >> SOURCE_SHIFT & 127, c=step >> C_SHIFT)

    def mover(self, step: int, seat: int) -> int:
        """The force whose armies move: the seat, unless the step names another."""
        return (step >> C_SHIFT) - 1 if step >> C_SHIFT else seat
