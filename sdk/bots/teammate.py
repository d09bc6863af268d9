"""Teammate: the part of the envoy that plays for a team, where the first to fall decides the match.

It gathers one great army, hunts the weakest of the other team, and strikes when it can fell one.
"""

from typing import Final

from sdk.bots.aggressor import Aggressor
from sdk.bots.baseline import Choice, all_of
from sdk.bots.board_sense import BoardSense, target_of
from sdk.bots.strategist import Goal, Strategist, best_campaign, elimination_goals

HUNT: Final = 0.5  # what land of the weakest opponent adds to a prize


class Striker(Strategist):
    """Wants nothing but the end of an opponent."""

    def goals(self, sense: BoardSense) -> list[Goal]:
        return elimination_goals(sense)


class Teammate(Aggressor):
    """Sets up as the strategist does, and fights as the aggressor, but for the end of somebody."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.striker = Striker(seed)

    def claim(self, sense: BoardSense, options: list[int]) -> Choice | None:
        return self.striker.claim(sense, options)

    def place(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """All where a strike would start, if there is one."""
        if sense.observation.round == 0:
            return self.striker.place(sense, options)
        plan = best_campaign(sense, sense.observation.pool[sense.me], elimination_goals(sense))
        start = [code for code in options if plan and target_of(code) == plan.root]
        return all_of(start[0]) if start else super().place(sense, options)

    def attack(self, sense: BoardSense, options: list[int]) -> Choice | None:
        return self.striker.attack(sense, options) or super().attack(sense, options)

    def move_in(self, sense: BoardSense, options: list[int]) -> Choice | None:
        if self.striker.campaign:
            return self.striker.move_in(sense, options)
        return super().move_in(sense, options)

    def prize(self, sense: BoardSense, place: int) -> float:
        """More for land of the opponent with the fewest armies."""
        shares = sense.observation.shares
        weakest = min(sense.enemies(), key=lambda seat: sum([there[seat] for there in shares]))
        return super().prize(sense, place) + HUNT * (shares[place][weakest] > 0)
