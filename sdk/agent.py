"""Agent, Decision and Answer: a bot is a class that answers decisions, one at a time.

class MyBot(Agent):
    def decide(self, decision: Decision) -> Answer:
        return Answer(0, decision.options[0].low)
"""

from functools import cached_property
from typing import NamedTuple

from engine.rules.boards.board import Board
from engine.rules.choices import Action, Option, index_of, unpack
from engine.rules.observe import Observation
from engine.rules.ruleset import Ruleset


class Answer(NamedTuple):
    """An index into the decision's options, and an amount between that option's low and high."""

    option: int
    amount: int


class Decision:
    """A step shown to an agent: all that its seat may know, and what it may do.

    `codes` are the options packed as engine.rules.choices says, in ascending order; `options` has the same
    ones with their parts named. All options and amounts listed are legal, nothing else is.
    """

    def __init__(self, ruleset: Ruleset, observation: Observation, codes: list[int]) -> None:
        self.ruleset = ruleset
        self.observation = observation
        self.codes = codes

    @property
    def board(self) -> Board:
        return self.ruleset.board

    @cached_property
    def options(self) -> list[Option]:
        return [unpack(code) for code in self.codes]

    def answer(self, action: Action) -> Answer:
        """The answer that takes this action; raises IllegalAction if it is not allowed."""
        return Answer(index_of(self.codes, action), action.amount)


class Agent:
    """A bot. One object plays one seat of one match; `seed` is its own, for whatever it wants to draw."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def decide(self, decision: Decision) -> Answer:
        raise NotImplementedError
