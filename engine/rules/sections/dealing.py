"""Before the first turn, where chance decides more: who deals, and which land each force has."""

from typing import ClassVar

from engine.rules.choices import DEAL, ELECT, pack
from engine.rules.events import CLAIMED, ELECTED, STARTS
from engine.rules.ruleset import Ruleset
from engine.rules.section import Section
from engine.rules.state import A_SHIFT, CHANCE, NOBODY, State, empty_places, push
from engine.rules.steps import DEAL_STEP, DEALING, ELECT_STEP, ELECTING


class General(Section):
    """One seat is elected by chance to deal; the next one is dealt to first, and begins."""

    kinds: ClassVar[tuple[int, ...]] = (ELECTING, ELECT_STEP)

    def setup(self, r: Ruleset, s: State) -> None:
        push(s, ELECTING, CHANCE)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        s.agenda.pop()
        push(s, ELECT_STEP, CHANCE)

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        out.append(pack(ELECT, high=s.seats - 1))

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        s.agenda.pop()
        s.first = s.turn = (amount + 1) % s.seats
        r.tell(s, ELECTED, amount)
        r.tell(s, STARTS, s.first)


class DealtLand(Section):
    """Territories are dealt by chance, one at a time; each gets an army of its new owner at once.

    The seats are dealt to in turn from the one that begins, then the neutral forces.
    """

    kinds: ClassVar[tuple[int, ...]] = (DEALING, DEAL_STEP)

    def __init__(self, armies: tuple[int, ...], most: tuple[int, ...] = ()) -> None:
        """`armies` to start with, and the most territories, of each force; without `most` all get alike."""
        self.armies = armies
        self.most = most

    def prepare(self, r: Ruleset, s: State) -> None:
        s.pool = list(self.armies)

    def setup(self, r: Ruleset, s: State) -> None:
        push(s, DEALING, NOBODY)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        if empty_places(s):
            push(s, DEAL_STEP, CHANCE, self.following(r, s))
        else:
            s.agenda.pop()

    def following(self, r: Ruleset, s: State) -> int:
        """The force that is dealt to next: of those that may have more, the one with the fewest."""
        order = [(s.first + turns) % s.seats for turns in range(s.seats)] + list(range(s.seats, r.forces))
        wanting = [force for force in order if not self.most or s.held[force] < self.most[force]]
        fewest = min([s.held[force] for force in wanting])
        for force in wanting:
            if s.held[force] == fewest:
                return force
        return NOBODY

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        force = s.agenda[-1] >> A_SHIFT & 15
        out.append(pack(DEAL, piece=force, high=len(empty_places(s)) - 1))

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        force = s.agenda.pop() >> A_SHIFT & 15
        place = empty_places(s)[amount]
        r.own(s, place, force)
        s.armies[place] = 1
        s.pool[force] -= 1
        r.tell(s, CLAIMED, force, target=place, amount=1)
