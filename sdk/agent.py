"""Agent, Decision and Answer: a bot is a class that answers decisions, one at a time.

class MyBot(Agent):
    def decide(self, decision: Decision) -> Answer:
        return Answer(0, decision.options[0].low)
"""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from engine.rules.boards.board import Board
from engine.rules.choices import (
    ATTACK,
    FORTIFY,
    PLACE,
    STOP_CODE,
    TRADE,
    VERB_SHIFT,
    Action,
    Option,
    index_of,
    low_of,
    trade,
    unpack,
)
from engine.rules.events import Event
from engine.rules.ruleset import Ruleset
from sdk.view import Read, SeatView, view


class Answer(NamedTuple):
    """An index into the decision's options, and an amount between that option's low and high.

    `note` is kept for the author beside the record; `plan` answers the decisions that follow, as long as they
    are legal and nobody else acts. Both count for a referee only; in one process they are not looked at.
    """

    option: int
    amount: int
    note: str = ""
    plan: tuple[Action, ...] = ()


class Choice(NamedTuple):
    """An option with its parts named and its index in the decision."""

    option: int
    source: int
    target: int
    low: int
    high: int

    def with_all(self) -> Answer:
        return Answer(self.option, self.high)

    def with_amount(self, amount: int) -> Answer:
        return Answer(self.option, amount)


class Decision:
    """A step shown to an agent: all that its seat may know, and what it may do.

    `codes` are the options packed as engine.rules.choices says, in ascending order; `options` has the same
    ones with their parts named. All options and amounts listed are legal, nothing else is.
    """

    def __init__(
        self, ruleset: Ruleset, read: Read, codes: list[int], bank: float = 0.0, limit: float = 0.0
    ) -> None:
        self.ruleset = ruleset
        self.codes = codes
        self.bank = bank  # seconds left in the bank; 0 where no clock runs
        self.limit = limit  # seconds for this answer; 0 where no clock runs
        self._read = read

    @cached_property
    def observation(self) -> SeatView:
        return view(self.ruleset, self._read())

    @property
    def board(self) -> Board:
        return self.ruleset.board

    @cached_property
    def options(self) -> list[Option]:
        return [unpack(code) for code in self.codes]

    @property
    def verb(self) -> int:
        """What is asked: the verb of the last option, since STOP stands first."""
        return self.codes[-1] >> VERB_SHIFT

    @property
    def can_stop(self) -> bool:
        return self.codes[0] == STOP_CODE

    def stop(self) -> Answer:
        """Stops; where that is not allowed, the first option with its lowest amount."""
        return Answer(0, low_of(self.codes[0]))

    def attacks(self) -> list[Choice]:
        return self.choices(ATTACK)

    def placements(self) -> list[Choice]:
        return self.choices(PLACE)

    def fortifications(self) -> list[Choice]:
        return self.choices(FORTIFY)

    def choices(self, verb: int) -> list[Choice]:
        """The options of one verb."""
        return [
            Choice(index, option.source, option.target, option.low, option.high)
            for index, option in enumerate(self.options)
            if option.verb == verb
        ]

    def sets(self) -> list[tuple[int, ...]]:
        """The sets that may be traded now, as kinds of card; none where no trade is asked for."""
        return self.observation.sets_in_hand() if self.verb == TRADE else []

    def trade(self, cards: Sequence[int]) -> Answer:
        """The next card of this set; the others follow by plan, or when they are asked for."""
        done = len(self.observation.picks)
        first, *rest = [trade(card) for card in cards[done:]]
        return self.answer(first)._replace(plan=tuple(rest))

    def answer(self, action: Action) -> Answer:
        """The answer that takes this action; raises IllegalAction if it is not allowed."""
        return Answer(index_of(self.codes, action), action.amount)


class MatchInfo(NamedTuple):
    """What an agent is told when a match starts."""

    match_id: str
    ruleset: Ruleset
    seat: int
    agents: tuple[str, ...]


class MatchEnd(NamedTuple):
    """How a match ended: the place of every seat, 1 is best, and what ended it."""

    places: tuple[int, ...]
    ending: str


class Agent:
    """A bot. One object plays one seat of one match; `seed` is its own, for whatever it wants to draw.

    Only `decide` must be written. The same class plays in one process and against a referee.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def decide(self, decision: Decision) -> Answer:
        raise NotImplementedError

    @classmethod
    def decide_batch(cls, asked: Sequence[tuple["Agent", Decision]]) -> list[Answer]:
        """Answers all decisions that a referee asks at once; override it where thinking together is cheaper."""
        return [agent.decide(decision) for agent, decision in asked]

    def on_start(self, match: MatchInfo) -> None:
        """The match begins, or goes on after the bot was started anew."""

    def on_event(self, event: Event) -> None:
        """Something happened, as this seat may know it; told before the next decision."""

    def on_end(self, end: MatchEnd) -> None:
        """The match is over."""
