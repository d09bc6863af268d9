"""Diplomat: the part of the envoy that makes neutral forces its allies, and fights with them.

Where there is none it plays as the strategist does.
"""

from typing import Final

from engine.rules.choices import (
    BRIBE,
    CARD_SHIFT,
    PIECE_SHIFT,
    PLACE_NEUTRAL,
    REINFORCE,
)
from engine.rules.odds import win_probability
from engine.rules.state import NOBODY
from sdk.agent import Decision
from sdk.bots.baseline import Choice, all_of, best_set
from sdk.bots.board_sense import BoardSense, source_of, target_of
from sdk.bots.strategist import Strategist

GOOD_ODDS: Final = 0.55  # an ally attacks with these
WARINESS: Final = 3  # armies that an attack on a force which nobody has on his side seems to cost more
LEAST_HELP: Final = 4  # armies of a force beside the opponent that are worth a card


class Diplomat(Strategist):
    """Bribes who stands beside the opponent, reinforces every ally, and spends its armies before its own."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.handlers[BRIBE] = self.bribe
        self.handlers[REINFORCE] = self.reinforce
        self.handlers[PLACE_NEUTRAL] = self.place_neutral

    def look(self, decision: Decision) -> BoardSense:
        """A force that an attack may drive to the opponent seems stronger than it is."""
        sense = super().look(decision)
        wary = [force for force in sense.neutral_forces() if sense.ally_of(force) in (sense.me, NOBODY)]
        if sense.observation.alliances:
            armies = zip(sense.owner, sense.armies)
            sense.armies = tuple([count + WARINESS * (owner in wary) for owner, count in armies])
        return sense

    def bribe(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """The force with most armies beside the opponent, with a card that no set needs."""
        spare = self.spare_cards(sense)
        good = [code for code in options if code >> CARD_SHIFT & 127 in spare]
        if not good:
            return None
        best = max(good, key=lambda code: self.help_of(sense, code >> PIECE_SHIFT & 63))
        return all_of(best) if self.help_of(sense, best >> PIECE_SHIFT & 63) >= LEAST_HELP else None

    def spare_cards(self, sense: BoardSense) -> list[int]:
        """What is left when the best set is put aside; nothing while the hand may still become one."""
        hand = sense.observation.hand()
        kept = best_set(sense)
        return [kind for kind in hand if kind not in kept] if kept or len(hand) < 2 else []

    def help_of(self, sense: BoardSense, force: int) -> int:
        """Armies of the force that could attack the opponent, twice for what the opponent would lose with them."""
        armies = sense.observation.armies
        help = sum([armies[place] - 1 for place in sense.places_of(force) if beside_opponent(sense, place)])
        return help if sense.ally_of(force) == NOBODY else 2 * help

    def reinforce(self, sense: BoardSense, options: list[int]) -> Choice | None:
        return all_of(options[0])

    def place_neutral(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """Beside the opponent and away from oneself; of an ally, where its army is greatest."""
        return all_of(max(options, key=lambda code: self.use_of(sense, target_of(code))))

    def use_of(self, sense: BoardSense, place: int) -> float:
        enemies = beside_opponent(sense, place)
        if sense.observation.round == 0:
            own = len([other for other in sense.neighbours[place] if sense.owner[other] == sense.me])
            return enemies - own + self.random.random()
        return enemies and 10 + sense.observation.armies[place]

    def attack(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """Allies first, as long as the odds are good: their losses cost nothing."""
        allied = [code for code in options if sense.owner[source_of(code)] != sense.me]
        good = [
            code for code in allied if is_hostile(sense, target_of(code)) and odds_of(sense, code) >= GOOD_ODDS
        ]
        if good:
            return all_of(max(good, key=lambda code: odds_of(sense, code)))
        own = [code for code in options if code not in allied]
        return super().attack(sense, own) if own else None


def is_hostile(sense: BoardSense, place: int) -> bool:
    """Whether the place is the opponent's, or of a neutral force on its side."""
    owner = sense.owner[place]
    return owner in sense.enemies() or sense.ally_of(owner) in sense.enemies()


def beside_opponent(sense: BoardSense, place: int) -> int:
    """How many places of the opponent are beside the place."""
    enemies = sense.enemies()
    return len([other for other in sense.neighbours[place] if sense.owner[other] in enemies])


def odds_of(sense: BoardSense, code: int) -> float:
    """The odds of an attack as they are, without wariness."""
    armies = sense.observation.armies
    return win_probability(armies[source_of(code)] - 1, armies[target_of(code)])
