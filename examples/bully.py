"""bully: the smallest bot that fights. `arena play --bot examples/bully.py:Bully --bot random --bot random`"""

from engine.rules.choices import ATTACK
from sdk.agent import Agent, Answer, Decision


class Bully(Agent):
    """Attacks whatever has less than half its armies; takes the first option everywhere else."""

    def decide(self, decision: Decision) -> Answer:
        armies = decision.observation.armies
        for index, option in enumerate(decision.options):
            if option.verb == ATTACK and armies[option.source] > 2 * armies[option.target]:
                return Answer(index, option.high)
        return Answer(0, decision.options[0].high)
