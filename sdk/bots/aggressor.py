"""aggressor: gathers one great army, and attacks as long as the odds are with it."""

from sdk.bots.baseline import Baseline, Choice, all_of
from sdk.bots.board_sense import BoardSense, target_of

GOOD_ODDS = 0.65
NO_LEAD = -1_000_000


class Aggressor(Baseline):
    """Everything to the front, and on to the next prize."""

    def place(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """All on the front where our lead over the weakest neighbour is greatest."""
        return all_of(max(options, key=lambda code: self.lead(sense, target_of(code))))

    def lead(self, sense: BoardSense, place: int) -> int:
        enemies = [sense.armies[other] for other in sense.enemies_beside(place)]
        return sense.armies[place] - min(enemies) if enemies else NO_LEAD

    def attack(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """The greatest prize among the attacks with good odds."""
        good = [
            (sense.odds(code) + self.prize(sense, target_of(code)), code)
            for code in options
            if sense.odds(code) >= GOOD_ODDS
        ]
        return all_of(max(good)[1]) if good else None

    def prize(self, sense: BoardSense, place: int) -> float:
        """More where we have most of the region, where its owner has all of it, or has little left."""
        region, owner = sense.board.region_of[place], sense.owner[place]
        ours = sense.held(region, sense.me) / sense.board.region_size[region]
        return ours + sense.holds_region(region, owner) + 1 / max(1, sense.observation.held[owner])
