"""The start of a turn: counting armies and putting them on the board."""

from typing import ClassVar

from engine.rules.choices import PLACE, TARGET_SHIFT, pack
from engine.rules.events import INCOME, PLACED
from engine.rules.ruleset import Ruleset
from engine.rules.section import Section
from engine.rules.state import State, push
from engine.rules.steps import COUNTING_INCOME, DEPLOYING, PLACE_STEP


class Income(Section):
    """Counts once, before anything else happens in the turn: a third of the territories, three at least."""

    kinds: ClassVar[tuple[int, ...]] = (COUNTING_INCOME,)

    def turn(self, r: Ruleset, s: State, seat: int) -> None:
        push(s, COUNTING_INCOME, seat)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        s.agenda.pop()
        armies = r.receive(s, seat, r.income(s, seat))
        s.pool[seat] += armies
        r.tell(s, INCOME, seat, amount=armies)

    def income(self, r: Ruleset, s: State, seat: int) -> int:
        return max(3, s.held[seat] // 3)


class RegionIncome(Section):
    """The bonus of every region that the seat holds whole."""

    def income(self, r: Ruleset, s: State, seat: int) -> int:
        return r.region_income(s, seat)


class Deploy(Section):
    """Everything received goes on own territories before the turn goes on."""

    kinds: ClassVar[tuple[int, ...]] = (DEPLOYING, PLACE_STEP)

    def turn(self, r: Ruleset, s: State, seat: int) -> None:
        push(s, DEPLOYING, seat)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        s.agenda.pop()
        if s.pool[seat] > 0:
            push(s, PLACE_STEP, seat)

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        base = pack(PLACE, target=0, low=1, high=s.pool[seat])
        owner = s.owner
        for place, holder in enumerate(owner):
            if holder == seat:
                out.append(base + (place << TARGET_SHIFT))

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        place = code >> TARGET_SHIFT & 127
        if s.events is not None:
            r.tell(s, PLACED, seat, target=place, amount=amount)
        r.add(s, place, seat, amount)
        left = s.pool[seat] - amount
        s.pool[seat] = left
        if left == 0:
            s.agenda.pop()
