"""BoardSense: a position as one seat sees it, and the questions that every bot asks about it."""

from engine.rules.choices import SOURCE_SHIFT, TARGET_SHIFT
from engine.rules.odds import D6, compare, dice_faces, win_probability
from engine.rules.state import step_of
from engine.rules.steps import SETTLING_ROLL
from sdk.agent import Decision

FAR = 99


class BoardSense:
    """Looks at an observation. A front is an own place with a neighbour that is not own."""

    __slots__ = ("armies", "board", "me", "neighbours", "observation", "owner")

    def __init__(self, decision: Decision) -> None:
        self.observation = decision.observation
        self.board = decision.ruleset.board
        self.me = self.observation.seat
        self.owner = self.observation.owner
        self.armies = self.observation.armies
        self.neighbours = self.board.neighbours

    def is_front(self, place: int) -> bool:
        owner, me = self.owner, self.me
        for other in self.neighbours[place]:  # noqa: SIM110 (any() of a generator takes twice as long)
            if owner[other] != me:
                return True
        return False

    def fronts(self) -> list[int]:
        me = self.me
        return [place for place, seat in enumerate(self.owner) if seat == me and self.is_front(place)]

    def enemies_beside(self, place: int) -> list[int]:
        owner, me = self.owner, self.me
        return [other for other in self.neighbours[place] if owner[other] != me]

    def threat(self, place: int) -> int:
        """Armies of others that stand beside the place."""
        owner, armies, me = self.owner, self.armies, self.me
        total = 0
        for other in self.neighbours[place]:
            if owner[other] != me:
                total += armies[other]
        return total

    def outnumbered(self, place: int) -> int:
        """By how many the others beside the place are more than we are on it."""
        return self.threat(place) - self.armies[place]

    def held(self, region: int, seat: int) -> int:
        """How many places of the region the seat has; none for who has no seat."""
        if not 0 <= seat < self.observation.seats:
            return 0
        return self.observation.regions[seat * len(self.board.region_bonus) + region]

    def holds_region(self, region: int, seat: int) -> bool:
        return self.held(region, seat) == self.board.region_size[region]

    def steps_to_front(self) -> list[int]:
        """For every own place, how many steps along own places lead to a front; FAR for all others."""
        steps = [FAR] * len(self.owner)
        reached = self.fronts()
        for place in reached:
            steps[place] = 0
        for place in reached:  # grows while it is read: the nearest come first
            for other in self.neighbours[place]:
                if steps[other] == FAR and self.owner[other] == self.me:
                    steps[other] = steps[place] + 1
                    reached.append(other)
        return steps

    def lying_dice(self) -> tuple[list[int], list[int]]:
        """The dice of a roll that may still be changed: the attacker's and the defender's."""
        for packed in reversed(self.observation.agenda):
            step = step_of(packed)
            if step.kind == SETTLING_ROLL:
                attack, defence = step.b >> 2, step.b & 3
                faces = list(dice_faces(step.c, [D6] * (attack + defence)))
                return faces[:attack], faces[attack:]
        return [], []

    def attack_faces(self) -> list[int]:
        return self.lying_dice()[0]

    def roll_costs_us(self) -> bool:
        """Whether the attacker loses anything as the dice lie."""
        return compare(*self.lying_dice())[0] > 0

    def odds(self, code: int) -> float:
        """The odds that the attack, fought to the end, is won."""
        armies = self.armies
        return win_probability(armies[code >> SOURCE_SHIFT & 127] - 1, armies[code >> TARGET_SHIFT & 127])


def source_of(code: int) -> int:
    return code >> SOURCE_SHIFT & 127


def target_of(code: int) -> int:
    return code >> TARGET_SHIFT & 127
