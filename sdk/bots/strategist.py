"""strategist: plans a campaign from its greatest army, and fights it while the odds hold.

A campaign is a tree of attacks out of one place: each target with the place it is attacked from. Its worth is
what it would win (a region, an enemy's hand of cards, an enemy's region broken, a card, land) times the odds,
less the armies it costs. The best one decides where armies go, what is attacked, and how many move in; only the
borders of regions that it holds come first.
"""

from heapq import heappop, heappush
from typing import Final, NamedTuple

from engine.rules.choices import high_of, low_of
from engine.rules.odds import expected_battle_losses, win_probability
from sdk.bots.baseline import Baseline, Choice, all_of
from sdk.bots.board_sense import BoardSense, source_of, target_of

# Worth in armies, found by playing against the aggressor.
REGION_WORTH: Final = 2.0  # for each army of its bonus, when it becomes ours
BREAK_WORTH: Final = 1.5  # for each army of its bonus, when another loses it
LAND_WORTH: Final = 0.7
ELIMINATION_WORTH: Final = 3.0
VICTORY_WORTH: Final = 1000.0
SMALL_REGION: Final = 6.0  # of a claim, over the places of its region
CONTESTED_REGION: Final = 5.0  # taken off for every place of it that another has
LEFT_BEHIND: Final = 0.3  # what the one army left on each conquered place costs
START_ODDS: Final = 0.6
GO_ON_ODDS: Final = 0.45
ROOTS: Final = 3  # fronts looked at, the strongest first
LARGEST_REGION: Final = 6  # places that may be missing of a region worth planning for


class Goal(NamedTuple):
    worth: float
    targets: list[int]


class Campaign(NamedTuple):
    """`source_of_target` maps every target to the place it is attacked from."""

    root: int
    score: float
    source_of_target: dict[int, int]


class Strategist(Baseline):
    """Completes and breaks regions, takes the hands of the weak, and stops when the odds turn."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.campaign: Campaign | None = None

    def goals(self, sense: BoardSense) -> list[Goal]:
        """All that may be worth fighting for."""
        return goals(sense)

    def claim_score(self, sense: BoardSense, place: int) -> float:
        """Small regions first, and those where the others have little."""
        region = sense.board.region_of[place]
        size = sense.board.region_size[region]
        others = sum([sense.held(region, seat) for seat in sense.enemies()])
        return super().claim_score(sense, place) + (SMALL_REGION - CONTESTED_REGION * others) / size

    def place(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """Guards the regions that are ours; all else goes to where the best campaign starts."""
        if sense.observation.round == 0:
            return all_of(max(options, key=lambda code: foothold(sense, target_of(code))))
        pool = sense.observation.pool[sense.me]
        guarded = guard(sense, options, pool // 2)
        if guarded:
            return guarded
        self.campaign = best_campaign(sense, pool, self.goals(sense))
        root = self.campaign.root if self.campaign else max(sense.fronts(), key=lambda front: sense.armies[front])
        chosen = [code for code in options if target_of(code) == root]
        return all_of(chosen[0]) if chosen else super().place(sense, options)

    def attack(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """The next attack of the campaign, the smallest branch first; a new one when it has ended or failed."""
        if not self.under_way(sense):
            self.campaign = best_campaign(sense, 0, self.goals(sense))
        if self.campaign is None:
            return None
        planned = self.campaign.source_of_target
        attacks = [code for code in options if planned.get(target_of(code)) == source_of(code)]
        if not attacks:
            self.campaign = None
            return None
        return all_of(min(attacks, key=lambda code: branch_cost(planned, target_of(code), sense.armies)))

    def move_in(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """Armies are split by what the campaign still needs on both sides; else they go where threats are."""
        code = options[0]
        source, target = source_of(code), target_of(code)
        behind, ahead = self.needs(sense, source), self.needs(sense, target)
        if behind or ahead:
            share = round(high_of(code) * ahead / (behind + ahead))
            return Choice(code, max(low_of(code), share))
        if sense.is_front(target) and sense.threat(target) >= sense.threat(source):
            return all_of(code)
        return Choice(code, low_of(code))

    def needs(self, sense: BoardSense, place: int) -> float:
        """Armies that the rest of the campaign wants out of this place."""
        planned = self.left(sense)
        return sum([branch_cost(planned, target, sense.armies) for target in planned if planned[target] == place])

    def left(self, sense: BoardSense) -> dict[int, int]:
        """What the campaign has still to take."""
        if self.campaign is None:
            return {}
        planned = self.campaign.source_of_target
        for target in [target for target in planned if sense.owner[target] == sense.me]:
            del planned[target]
        return planned

    def under_way(self, sense: BoardSense) -> bool:
        """Whether something is left to take, and the armies it starts from still have the odds."""
        planned = self.left(sense)
        starts: dict[int, list[int]] = {}
        for target in planned:
            starts.setdefault(start_of(planned, target), []).append(sense.armies[target])
        return bool(planned) and all(
            sense.owner[start] == sense.me
            and win_probability(sense.armies[start] - len(armies), sum(armies)) >= GO_ON_ODDS
            for start, armies in starts.items()
        )


def foothold(sense: BoardSense, place: int) -> float:
    """What an army is worth before the first turn: most at a front of a region that is nearly ours, in a heap."""
    region = sense.board.region_of[place]
    part = sense.held(region, sense.me) / sense.board.region_size[region]
    return 20 * part + sense.armies[place] if sense.is_front(place) else 0.0


def guard(sense: BoardSense, options: list[int], most: int) -> Choice | None:
    """Makes a border of one of our regions as strong as the strongest enemy beside it, if `most` armies do."""
    best, best_bonus = None, 0
    for code in options:
        place = target_of(code)
        region = sense.board.region_of[place]
        bonus = sense.board.region_bonus[region]
        if bonus > best_bonus and sense.holds_region(region, sense.me):
            enemies = [sense.armies[other] for other in sense.enemies_beside(place)]
            missing = max(enemies, default=0) - sense.armies[place]
            if 0 < missing <= most and low_of(code) <= missing <= high_of(code):
                best, best_bonus = Choice(code, missing), bonus
    return best


def best_campaign(sense: BoardSense, pool: int, wanted: list[Goal]) -> Campaign | None:
    """The campaign of most worth that `pool` more armies on one front allow; None if none is worth it."""
    best: Campaign | None = None
    for root in sorted(sense.fronts(), key=lambda front: -sense.armies[front])[:ROOTS]:
        free = sense.armies[root] - 1 + pool
        if free < 1:
            continue
        paths = cheapest_paths(sense, root, free + 2)
        for goal in wanted:
            planned = tree(paths, root, goal.targets)
            if planned:
                score = score_of(sense, goal.worth, planned, free)
                if score > 0 and (best is None or score > best.score):
                    best = Campaign(root, score, planned)
    return best


def goals(sense: BoardSense) -> list[Goal]:
    """All that may be worth fighting for; single places are, for the card and the land."""
    found = [Goal(0.0, [place]) for place, seat in enumerate(sense.owner) if seat != sense.me]
    return elimination_goals(sense) + region_goals(sense) + found


def elimination_goals(sense: BoardSense) -> list[Goal]:
    enemies = sense.enemies()
    victory = VICTORY_WORTH if len(enemies) == 1 or len(sense.mates) > 1 else 0.0
    hands = sense.observation.hands
    return [
        Goal(ELIMINATION_WORTH + victory + len(hands[seat]) * card_worth(sense), sense.places_of(seat))
        for seat in enemies
    ]


def region_goals(sense: BoardSense) -> list[Goal]:
    found: list[Goal] = []
    for region, bonus in enumerate(sense.board.region_bonus):
        missing = [place for place in sense.board.members[region] if sense.owner[place] != sense.me]
        if not missing:
            continue
        if len(missing) <= LARGEST_REGION:
            found.append(Goal(bonus * REGION_WORTH, missing))
        if sense.holds_region(region, sense.owner[missing[0]]):
            found.extend([Goal(bonus * BREAK_WORTH, [place]) for place in missing])
    return found


def card_worth(sense: BoardSense) -> float:
    """A third of what the next set pays."""
    sets = sense.observation.sets
    return ((4, 6, 8, 10, 12, 15)[sets] if sets < 6 else 5 * (sets - 2)) / 3


def cheapest_paths(sense: BoardSense, root: int, budget: float) -> dict[int, int]:
    """From where each enemy place is best reached out of the root, by expected losses within the budget."""
    owner, armies = sense.owner, sense.armies
    cost, came_from = {root: 0.0}, {}
    queue = [(0.0, root)]
    while queue:
        spent, place = heappop(queue)
        if spent > cost[place]:
            continue
        for other in sense.neighbours[place]:
            if owner[other] != sense.me:
                price = spent + price_of(armies[other])
                if price < budget and price < cost.get(other, budget):
                    cost[other], came_from[other] = price, place
                    heappush(queue, (price, other))
    return came_from


def tree(paths: dict[int, int], root: int, targets: list[int]) -> dict[int, int]:
    """The attacks that lead to all targets; empty if one is out of reach."""
    planned: dict[int, int] = {}
    for target in targets:
        place = target
        while place != root and place not in planned:
            if place not in paths:
                return {}
            planned[place] = paths[place]
            place = paths[place]
    return planned


def score_of(sense: BoardSense, worth: float, planned: dict[int, int], free: int) -> float:
    """The worth of a campaign in armies; not above zero if its odds are poor."""
    armies, fights = sense.armies, len(planned)
    against = sum([armies[target] for target in planned])
    if against > 2 * free:
        return 0.0
    odds = win_probability(free - (fights - 1), against)
    if odds < START_ODDS:
        return 0.0
    others = len(sense.enemies())
    card = 0.0 if sense.observation.captures else card_worth(sense)
    losses = sum([price_of(armies[target]) - 1 for target in planned])
    gain = worth + card + fights * LAND_WORTH + against / max(1, others)
    return gain * odds - losses - fights * LEFT_BEHIND


def branch_cost(planned: dict[int, int], target: int, armies: tuple[int, ...]) -> float:
    """What the attack on the target, and all that lead on from it, are expected to cost."""
    total = 0.0
    for other in planned:
        place = other
        while place in planned and place != target:
            place = planned[place]
        if place == target:
            total += price_of(armies[other])
    return total


def start_of(planned: dict[int, int], target: int) -> int:
    """The own place from where the way to the target starts."""
    place = target
    while place in planned:
        place = planned[place]
    return place


# Expected losses of an attacker with armies to spare, and the one army that must stay behind.
_PRICES: Final = [0.0] + [expected_battle_losses(armies + 20, armies)[0] + 1 for armies in range(1, 200)]


def price_of(armies: int) -> float:
    return _PRICES[armies] if armies < len(_PRICES) else 0.85 * armies + 1
