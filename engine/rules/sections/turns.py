"""Turns and rounds: who is next, and the end at the round limit."""

from typing import ClassVar

from engine.rules.events import TURN_BEGAN
from engine.rules.ruleset import Ruleset
from engine.rules.section import Section
from engine.rules.state import NOBODY, ROUND_LIMIT, State, push
from engine.rules.steps import NEXT_TURN


class Turns(Section):
    """Seats take turns in order; a round ends when the order comes back to, or past, who began."""

    kinds: ClassVar[tuple[int, ...]] = (NEXT_TURN,)

    def setup(self, r: Ruleset, s: State) -> None:
        push(s, NEXT_TURN, NOBODY)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        following = s.first
        if s.round > 0:
            following = self.after(s, s.turn)
        if s.round == 0 or (following - s.first) % s.seats <= (s.turn - s.first) % s.seats:
            if s.round == r.rounds:
                r.finish(s, ROUND_LIMIT)
                return
            s.round += 1
        r.begin_turn(s, following)
        r.tell(s, TURN_BEGAN, following, amount=s.round)

    def after(self, s: State, seat: int) -> int:
        """The next seat in play, going left."""
        following = (seat + 1) % s.seats
        while s.fell[following]:
            following = (following + 1) % s.seats
        return following
