"""cautious: guards its borders, and attacks only what is nearly sure to fall."""

from engine.rules.choices import high_of, low_of
from sdk.bots.baseline import Baseline, Choice, all_of
from sdk.bots.board_sense import BoardSense, source_of, target_of

SAFE_ODDS = 0.9


class Cautious(Baseline):
    """Places armies where it is threatened most, and never leaves a border open."""

    def attack(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """Where the lead is greatest, if that is nearly sure to fall."""
        armies = sense.armies
        best = max(options, key=lambda code: armies[source_of(code)] - armies[target_of(code)])
        return all_of(best) if sense.odds(best) >= SAFE_ODDS else None

    def move_in(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """Half, so that neither place stands open; all or nothing where only one of them has enemies."""
        code = options[0]
        if not sense.is_front(target_of(code)):
            return Choice(code, low_of(code))
        if not sense.is_front(source_of(code)):
            return all_of(code)
        return Choice(code, max(low_of(code), high_of(code) // 2))
