"""A bot to start from: it gathers its armies in one place, and attacks while the odds are good."""

from sdk.agent import Agent, Answer, Choice, Decision

GOOD_ODDS = 0.7


class MyBot(Agent):
    """One object plays one seat of one match, so it may remember things; draw numbers with self.seed."""

    def decide(self, decision: Decision) -> Answer:
        if decision.sets():
            return decision.trade(decision.sets()[0])
        if decision.placements():
            return self.place(decision)
        if decision.attacks():
            return self.attack(decision)
        return Answer(0, decision.options[0].high)  # stop where it may, else the first option with all it takes

    def place(self, decision: Decision) -> Answer:
        """All on the front that has most armies already."""
        me = decision.observation
        fronts = set(me.fronts())

        def worth(choice: Choice) -> tuple[bool, int]:
            return choice.target in fronts, me.armies_on(choice.target)

        return max(decision.placements(), key=worth).with_all()

    def attack(self, decision: Decision) -> Answer:
        """Where the odds are best, as long as they are good."""

        def odds(choice: Choice) -> float:
            return decision.observation.battle_odds(choice.source, choice.target)

        best = max(decision.attacks(), key=odds)
        return best.with_all() if odds(best) >= GOOD_ODDS else decision.stop()
