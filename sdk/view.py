"""SeatView: an observation with names and questions, for bots. Its fields are those of engine.rules.observe."""

from collections.abc import Callable
from itertools import combinations
from random import Random

from engine.rules.boards.board import Board
from engine.rules.cards import kind_of
from engine.rules.notation import card_name
from engine.rules.observe import Observation, imagine
from engine.rules.odds import expected_battle_losses, win_probability
from engine.rules.ruleset import Ruleset
from engine.rules.sections.cards import SET, WILD_SYMBOL
from engine.rules.state import State

Place = int | str  # a place by number, or by name, id or three letters


class SeatView(Observation):
    """All that a seat may know. Fields like `armies` and `owner` are by number; the methods take names too."""

    ruleset: Ruleset

    @property
    def board(self) -> Board:
        return self.ruleset.board

    def find(self, place: Place) -> int:
        """The number of a place; UnknownName lists what there is."""
        return self.board.find(place) if isinstance(place, str) else place

    def armies_on(self, place: Place) -> int:
        return self.armies[self.find(place)]

    def owner_of(self, place: Place) -> int:
        """The seat that holds it; -1 for nobody."""
        return self.owner[self.find(place)]

    def neighbours(self, place: Place) -> list[int]:
        return self.board.neighbours[self.find(place)]

    def territories(self, seat: int | None = None) -> list[int]:
        """The places of a seat, by default one's own."""
        who = self.seat if seat is None else seat
        return [place for place, owner in enumerate(self.owner) if owner == who]

    def fronts(self) -> list[int]:
        """Own places that have a neighbour of another seat."""
        return [
            place
            for place in self.territories()
            if any(self.owner[other] != self.seat for other in self.board.neighbours[place])
        ]

    def continents_held(self, seat: int | None = None) -> list[str]:
        """The names of the regions that a seat has the whole of, by default one's own."""
        who = self.seat if seat is None else seat
        board = self.board
        first = who * len(board.region_bonus)
        return [
            name
            for region, name in enumerate(board.region_names)
            if self.regions[first + region] == board.region_size[region]
        ]

    def income(self, seat: int | None = None) -> int:
        """What the seat would receive for its land if its turn began now."""
        who = self.seat if seat is None else seat
        held = self.continents_held(who)
        bonuses = zip(self.board.region_names, self.board.region_bonus)
        return max(3, self.held[who] // 3) + sum(bonus for name, bonus in bonuses if name in held)

    def alive(self) -> list[int]:
        """The seats that are in play."""
        return [seat for seat in range(self.seats) if not self.fell[seat]]

    # Cards

    def hand(self) -> list[int]:
        """The kinds of one's own cards, in the order that `picks` counts."""
        return [kind_of(card) for card in self.hands[self.seat]]

    def card_name(self, kind: int) -> str:
        return card_name(self.ruleset, kind)

    def cards_of(self, seat: int) -> int:
        """How many cards a seat holds."""
        return len(self.hands[seat])

    def sets_in_hand(self) -> list[tuple[int, ...]]:
        """Every set of three in one's hand that goes on from what is picked, as kinds of card."""
        hand, symbols = self.hand(), [*self.board.symbols, WILD_SYMBOL]
        found: list[tuple[int, ...]] = []
        for positions in combinations(range(len(hand)), SET):
            kinds = tuple([hand[position] for position in positions])
            marks = {symbols[kind] for kind in kinds}
            if positions[: len(self.picks)] == self.picks and (WILD_SYMBOL in marks or len(marks) != 2):
                found.append(kinds)
        return found

    # Odds and search

    def battle_odds(self, source: Place, target: Place) -> float:
        """The odds that an attack, fought to the end, takes the place: from the exact tables."""
        return win_probability(self.armies_on(source) - 1, self.armies_on(target))

    def battle_losses(self, source: Place, target: Place) -> tuple[float, float]:
        """What attacker and defender can expect to lose in it."""
        return expected_battle_losses(self.armies_on(source) - 1, self.armies_on(target))

    def imagine(self, random: Random) -> State:
        """A whole position that agrees with what is known, for search; all else is drawn."""
        return imagine(self, random.randrange)


def view(ruleset: Ruleset, seen: Observation) -> SeatView:
    made = SeatView(*seen)
    made.ruleset = ruleset
    return made


Read = Callable[[], Observation]
