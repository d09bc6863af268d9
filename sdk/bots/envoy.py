"""envoy: the strategist, sent with a goal.

It fights for headquarters and missions where there are any, wins neutral forces over, and hunts for its team.
"""

from typing import Final

from engine.rules.cards import kind_of
from engine.rules.choices import NO_CARD
from engine.rules.decks.missions import Condition, Mission
from engine.rules.sections.classic.missions import DealtMissions
from engine.rules.state import ENTERED
from sdk.agent import Answer, Decision
from sdk.bots.baseline import Choice, all_of
from sdk.bots.board_sense import BoardSense, target_of
from sdk.bots.diplomat import Diplomat
from sdk.bots.strategist import Goal, elimination_goals
from sdk.bots.teammate import Teammate

# Worth in armies, found by playing against the strategist.
HEADQUARTERS_WORTH: Final = 12.0
LAST_WORTH: Final = 500.0  # of what wins the match
TARGET_WORTH: Final = 15.0  # of a seat that the mission wants gone
REGION_PLACE_WORTH: Final = 3.0  # of a place in a region that the mission wants
LAND_WORTH: Final = 1.5  # of any place, where the mission counts them
GUARD: Final = 3  # armies more than the neighbours have, on our own headquarters


class Envoy(Diplomat):
    """Knows what wins the match: what it holds of that is guarded, what it lacks is fought for."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.teammate = Teammate(seed)

    def decide(self, decision: Decision) -> Answer:
        if decision.observation.shares:
            return self.teammate.decide(decision)
        return super().decide(decision)

    def goals(self, sense: BoardSense) -> list[Goal]:
        found = super().goals(sense) + headquarters_goals(sense)
        for mission in missions_of(sense):
            found += mission_goals(sense, mission.condition)
        return found

    def place(self, sense: BoardSense, options: list[int]) -> Choice | None:
        home = own_headquarters(sense)
        missing = sense.threat(home) + GUARD - sense.armies[home] if home >= 0 else 0
        chosen = [code for code in options if target_of(code) == home]
        if missing > 0 and chosen and sense.is_front(home):
            most = all_of(chosen[0])
            return Choice(most.code, min(most.amount, missing))
        return super().place(sense, options)


def own_headquarters(sense: BoardSense) -> int:
    """Where they are if we hold them; else -1."""
    places = sense.observation.headquarters
    return places[sense.me] if places and sense.owner[places[sense.me]] == sense.me else -1


def headquarters_goals(sense: BoardSense) -> list[Goal]:
    places = sense.observation.headquarters
    missing = [place for place in places if sense.owner[place] != sense.me]
    if not missing:
        return []
    return [Goal(HEADQUARTERS_WORTH, [place]) for place in missing] + [Goal(LAST_WORTH, missing)]


def missions_of(sense: BoardSense) -> list[Mission]:
    """Those that we hold."""
    o, r = sense.observation, sense.observation.ruleset
    known = [section for section in r.sections if isinstance(section, DealtMissions)]
    hands = [o.hands[deck * r.forces + sense.me] for deck in range(1, len(r.decks))]
    kinds = [kind_of(card) for hand in hands for card in hand if kind_of(card) != NO_CARD]
    return [known[0].mission(kind) for kind in kinds] if known else []


def mission_goals(sense: BoardSense, c: Condition) -> list[Goal]:
    others = [place for place, seat in enumerate(sense.owner) if seat != sense.me]
    if c.kind == "destroy_color" and c.colour != sense.me:
        targets = [place for place in others if sense.owner[place] == c.colour]
        return [Goal(LAST_WORTH, targets)] + [Goal(TARGET_WORTH / max(1, len(targets)), [one]) for one in targets]
    if c.kind in ("control_continents", "control_any_continents"):
        wanted = c.regions if c.kind == "control_continents" else nearest_regions(sense, c)
        missing = [place for place in others if sense.board.region_of[place] in wanted]
        return [Goal(LAST_WORTH, missing)] + [Goal(REGION_PLACE_WORTH, [place]) for place in missing]
    if c.kind == "control_islands":
        return [Goal(REGION_PLACE_WORTH, [place]) for place in others if place in sense.board.islands]
    if c.kind == "presence_in_continents":
        return [Goal(REGION_PLACE_WORTH, [place]) for place in others if not held_there(sense, place)]
    if c.kind == "conquered_in_continents_this_turn":
        entered = sense.observation.tally[ENTERED]
        return [Goal(LAND_WORTH, [place]) for place in others if not entered >> sense.board.region_of[place] & 1]
    if c.kind == "eliminated_player_this_turn":
        return [Goal(TARGET_WORTH, goal.targets) for goal in elimination_goals(sense)]
    if c.kind in ("control_territories", "conquered_this_turn"):
        return [Goal(LAND_WORTH, [place]) for place in others]
    return []


def held_there(sense: BoardSense, place: int) -> int:
    return sense.held(sense.board.region_of[place], sense.me)


def nearest_regions(sense: BoardSense, c: Condition) -> tuple[int, ...]:
    """As many of the regions as are needed, those of which least is missing."""
    missing = [(sense.board.region_size[region] - sense.held(region, sense.me), region) for region in c.regions]
    return tuple([region for _, region in sorted(missing)[: c.need]])
