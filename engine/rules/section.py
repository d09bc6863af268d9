"""Section: a part of a rulebook as code.

A section answers certain kinds of step and pushes the steps that follow. `Section.kinds` names the steps
it answers; the other methods are moments it may take part in.
"""

from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from mypy_extensions import mypyc_attr

from engine.rules.boards.board import Board
from engine.rules.state import State

if TYPE_CHECKING:
    from engine.rules.ruleset import Ruleset

# Moments that a section may wait for beside those that it always hears of.
CAPTURE: Final = 1
DICE: Final = 2
CHANGE: Final = 3


class Deck(NamedTuple):
    """A deck of cards: its name, and the names of its kinds of card."""

    name: str
    cards: tuple[str, ...]


@mypyc_attr(allow_interpreted_subclasses=True)
class Section:
    """One section of a rulebook; a subclass overrides what its section speaks of."""

    kinds: ClassVar[tuple[int, ...]] = ()
    moments: ClassVar[tuple[int, ...]] = ()  # those of `captured`, `rolled` and `changed` that it takes part in
    tallies: ClassVar[bool] = False  # whether it keeps counts of a turn
    marches: ClassVar[bool] = False  # whether it counts armies that came to each place in a turn
    even: ClassVar[bool] = False  # whether survivors share a place, whatever they hold

    def neutrals(self) -> int:
        """Neutral forces that it brings to the board."""
        return 0

    def decks(self, board: Board) -> tuple[Deck, ...]:
        """Decks that it brings to the table; those of territories first."""
        return ()

    def prepare(self, r: "Ruleset", s: State) -> None:
        """Lays out pieces and cards before anything is asked."""

    def setup(self, r: "Ruleset", s: State) -> None:
        """Pushes the steps of the set-up."""

    def turn(self, r: "Ruleset", s: State, seat: int) -> None:
        """Pushes the steps of a turn."""

    def options(self, r: "Ruleset", s: State, seat: int, out: list[int]) -> None:
        """Lists the options of the step on top, in ascending code."""
        raise NotImplementedError

    def apply(self, r: "Ruleset", s: State, seat: int, code: int, amount: int) -> None:
        """Takes the answer to the step on top, which is trusted to be among its options."""
        raise NotImplementedError

    def enter(self, r: "Ruleset", s: State, seat: int) -> None:
        """Takes an automatic step, which is on top; must remove or replace it."""
        raise NotImplementedError

    def bystander(self, r: "Ruleset", s: State, seat: int) -> bool:
        """Whether the step on top is a reaction window, and the seat is not the target of what it reacts to."""
        return False

    def defender(self, s: State, place: int) -> int:
        """The seat that chooses the dice of a place which is attacked."""
        return s.owner[place]

    def income(self, r: "Ruleset", s: State, seat: int) -> int:
        """Armies that the seat receives at the start of its turn."""
        return 0

    def eliminated(self, r: "Ruleset", s: State, seat: int, by: int) -> None:
        """A seat has lost its last army to another."""

    def captured(self, r: "Ruleset", s: State, place: int, loser: int) -> None:
        """The active seat has captured a place; what is pushed now comes after moving in."""

    def rolled(self, r: "Ruleset", s: State) -> None:
        """Dice have fallen and are settled by the step on top; what is pushed now comes before that."""

    def changed(self, r: "Ruleset", s: State) -> None:
        """An answer was applied and nothing has followed from it yet."""

    def progress(self, r: "Ruleset", s: State, seat: int) -> int:
        """How far the seat is on the way to the goal: at the round limit it counts before land."""
        return 0

    def finished(self, r: "Ruleset", s: State) -> None:
        """The match is over, and its places are known."""
