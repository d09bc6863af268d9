"""One secret mission for everybody: whose is fulfilled first wins, on anybody's turn."""

from typing import ClassVar, Final

from engine.rules.boards.board import Board
from engine.rules.cards import hand_of, kind_of
from engine.rules.decks.missions import Condition, Mission, holds, secret_missions
from engine.rules.events import MISSION_CLAIMED
from engine.rules.ruleset import Ruleset
from engine.rules.section import CAPTURE, CHANGE
from engine.rules.sections.classic.missions import FIRST_DECK, DealtMissions
from engine.rules.state import DEFEATED, GOAL, KIND, State, push
from engine.rules.steps import CHECKING_GOALS, DEAL_MISSION_STEP, DEALING_MISSIONS

FALLBACK: Final = Condition("control_territories", 24)


class SecretMissions(DealtMissions):
    """Tested after every change, for the active seat first; survivors without a winner share a place.

    A seat whose mission is to destroy its own colour needs 24 territories. A target that somebody else destroyed
    counts, or, the European way, leaves 24 territories to hold as well.
    """

    kinds: ClassVar[tuple[int, ...]] = (DEALING_MISSIONS, DEAL_MISSION_STEP, CHECKING_GOALS)
    moments: ClassVar[tuple[int, ...]] = (CAPTURE, CHANGE)
    tallies: ClassVar[bool] = True
    even: ClassVar[bool] = True

    def __init__(self, board: Board, european: bool) -> None:
        super().__init__(board, secret_missions(board))
        self.european = european

    def dealt(self, s: State, kinds: list[int]) -> tuple[int, ...]:
        """Without those whose colour nobody plays."""
        return tuple([kind for kind in kinds if self.mission(kind).condition.colour < s.seats])

    def turn(self, r: Ruleset, s: State, seat: int) -> None:
        push(s, CHECKING_GOALS, seat)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        if s.agenda[-1] & KIND == DEALING_MISSIONS:
            self.deal(s)
            return
        s.agenda.pop()
        self.changed(r, s)

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        out.append(self.card(s))

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        self.take(r, s, amount)

    def captured(self, r: Ruleset, s: State, place: int, loser: int) -> None:
        self.note_capture(r, s, place, loser)

    def changed(self, r: Ruleset, s: State) -> None:
        if s.round == 0 or not s.agenda:
            return
        for turns in range(s.seats):
            seat = (s.turn + turns) % s.seats
            if self.has_won(r, s, seat):
                r.tell(s, MISSION_CLAIMED, seat, card=self.kind(s, seat))
                r.finish(s, GOAL, seat)
                return

    def kind(self, s: State, seat: int) -> int:
        return kind_of(s.hands[hand_of(s, FIRST_DECK, seat)][0])

    def has_won(self, r: Ruleset, s: State, seat: int) -> bool:
        """Nobody wins before its first turn, without armies, or by the caretaker."""
        begun = s.round > 1 or (seat - s.first) % s.seats <= (s.turn - s.first) % s.seats
        if not begun or s.fell[seat] or s.lost >> seat & 1:
            return False
        return self.is_fulfilled(r, s, seat, self.mission(self.kind(s, seat)))

    def is_fulfilled(self, r: Ruleset, s: State, seat: int, mission: Mission) -> bool:
        colour = mission.condition.colour
        if colour == seat or (colour >= 0 and self.european and self.is_spoilt(s, seat, colour)):
            return holds(r, s, seat, FALLBACK)
        return holds(r, s, seat, mission.condition)

    def is_spoilt(self, s: State, seat: int, target: int) -> bool:
        """Whether somebody else destroyed the target: one's own wins in the moment in which it falls."""
        now = s.turn == seat and s.fell[target] > max(s.fell) - s.tally[DEFEATED]
        return s.fell[target] > 0 and not now
