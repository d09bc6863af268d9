"""Headquarters: chosen in secret, revealed together, and the goal of the match."""

from typing import ClassVar

from engine.rules.cards import with_deck
from engine.rules.choices import HEADQUARTERS, TARGET_SHIFT, pack
from engine.rules.events import HEADQUARTERED
from engine.rules.ruleset import Ruleset
from engine.rules.section import CAPTURE, Section
from engine.rules.sections.cards import TERRITORY_DECK
from engine.rules.state import ALL, GOAL, KIND, NOBODY, Group, State, push
from engine.rules.steps import CHECKING_GOALS, CHOOSING_HEADQUARTERS, HEADQUARTERS_STEP


class Headquarters(Section):
    """Who holds its own headquarters and enough of the others on its turn wins.

    The headquarters are places: who holds the place has the headquarters, and losing them eliminates nobody. Their
    cards lie beside the board from the reveal on.
    """

    kinds: ClassVar[tuple[int, ...]] = (CHOOSING_HEADQUARTERS, HEADQUARTERS_STEP, CHECKING_GOALS)
    moments: ClassVar[tuple[int, ...]] = (CAPTURE,)

    def __init__(self, others: dict[int, int]) -> None:
        self.others = others  # headquarters of others that one needs to win, by number of players

    def setup(self, r: Ruleset, s: State) -> None:
        push(s, CHOOSING_HEADQUARTERS, NOBODY)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        step = s.agenda.pop()
        if step & KIND == CHOOSING_HEADQUARTERS:
            s.choices = (-1,) * s.seats
            push(s, HEADQUARTERS_STEP, ALL)
        elif self.has_won(s, seat):
            r.finish(s, GOAL, seat)

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        for place, owner in enumerate(s.owner):
            if owner == seat:
                out.append(pack(HEADQUARTERS, target=place))

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        place = code >> TARGET_SHIFT & 127
        s.choices = tuple([place if other == seat else s.choices[other] for other in range(s.seats)])
        if NOBODY not in s.choices:
            self.reveal(r, s)

    def reveal(self, r: Ruleset, s: State) -> None:
        s.agenda.pop()
        s.headquarters, s.choices = s.choices, ()
        group = s.decks[TERRITORY_DECK][0]
        rest = tuple([kind for kind in group.cards if kind not in s.headquarters])
        with_deck(s, TERRITORY_DECK, (Group(group.origin, rest),))
        for seat, place in enumerate(s.headquarters):
            r.tell(s, HEADQUARTERED, seat, target=place)

    def captured(self, r: Ruleset, s: State, place: int, loser: int) -> None:
        if place in s.headquarters:
            push(s, CHECKING_GOALS, s.turn)

    def has_won(self, s: State, seat: int) -> bool:
        own = s.owner[s.headquarters[seat]] == seat and not s.lost >> seat & 1
        return own and self.taken(s, seat) > self.others[s.seats]

    def taken(self, s: State, seat: int) -> int:
        """How many headquarters the seat holds, its own among them."""
        return len([place for place in s.headquarters if s.owner[place] == seat])

    def progress(self, r: Ruleset, s: State, seat: int) -> int:
        return self.taken(s, seat) if s.headquarters else 0
