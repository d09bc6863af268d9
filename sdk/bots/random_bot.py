"""random: any option, any amount. It plays every variant there will ever be."""

from random import Random

from engine.rules.choices import high_of, low_of
from sdk.agent import Agent, Answer, Decision


class RandomBot(Agent):
    """Three lines of play, and the anchor of all ratings."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.random = Random(seed)

    def decide(self, decision: Decision) -> Answer:
        index = self.random.randrange(len(decision.codes))
        code = decision.codes[index]
        return Answer(index, self.random.randint(low_of(code), high_of(code)))
