"""BoardSense: a position as one seat sees it, and the questions that every bot asks about it."""

from engine.rules.choices import SOURCE_SHIFT, TARGET_SHIFT
from engine.rules.odds import D6, compare, dice_faces, win_probability
from engine.rules.state import NOBODY, step_of
from engine.rules.steps import SETTLING_ROLL
from sdk.agent import Decision

FAR = 99


class BoardSense:
    """Looks at an observation. A front is an own place with a neighbour that is not own.

    Land of one's team counts as own: `owner` says so, and `armies` has there what one may use oneself.
    """

    __slots__ = ("armies", "board", "mates", "me", "neighbours", "observation", "owner", "teams")

    def __init__(self, decision: Decision) -> None:
        self.observation = decision.observation
        self.board = decision.ruleset.board
        self.me = self.observation.seat
        self.owner = self.observation.owner
        self.armies = self.observation.armies
        self.neighbours = self.board.neighbours
        self.teams = decision.ruleset.teams
        self.mates = [self.me]
        if self.observation.shares:
            self.join_teams(self.observation.shares)

    def join_teams(self, shares: tuple[tuple[int, ...], ...]) -> None:
        me, teams = self.me, self.teams
        self.mates = [seat for seat, team in enumerate(teams) if team == teams[me]]
        friendly = [any(there[mate] for mate in self.mates) for there in shares]
        self.owner = tuple([me if own else seat for own, seat in zip(friendly, self.owner)])
        self.armies = tuple(
            [there[me] if own else total for own, there, total in zip(friendly, shares, self.armies)]
        )

    def enemies(self) -> list[int]:
        """The seats in play that are not of one's team."""
        fell = self.observation.fell
        return [seat for seat in range(self.observation.seats) if not fell[seat] and seat not in self.mates]

    def neutral_forces(self) -> range:
        return range(self.observation.seats, len(self.observation.held))

    def ally_of(self, owner: int) -> int:
        """The seat that a neutral force is allied with; NOBODY for all others."""
        alliances = self.observation.alliances
        return (
            alliances[owner - self.observation.seats] if alliances and owner in self.neutral_forces() else NOBODY
        )

    def places_of(self, seat: int) -> list[int]:
        """Where the seat has armies."""
        if self.observation.shares:
            return [place for place, there in enumerate(self.observation.shares) if there[seat]]
        return [place for place, owner in enumerate(self.owner) if owner == seat]

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
        regions, count = self.observation.regions, len(self.board.region_bonus)
        if seat == self.me and len(self.mates) > 1:
            return sum([regions[mate * count + region] for mate in self.mates])
        return regions[seat * count + region]

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
