"""A sequential test: is A better than B? It looks after every block and stops as soon as it knows.

The generalised sequential probability ratio test, for the mean of differences of unknown spread. docs/compare.md
tells what is compared, how often it errs and what the interval means.
"""

import math
from typing import Final, NamedTuple

# Before many blocks are played their variance is hardly known, and guessed too low it decides too early: so it is
# taken together with that of some imagined blocks.
IMAGINED_BLOCKS: Final = 30
IMAGINED_VARIANCE: Final = 0.1

BETTER: Final = "better"
NOT_BETTER: Final = "not better"
OPEN: Final = "open"

MISSES: Final = 0.05  # how often the interval may not hold the truth
TUNED_FOR: Final = 300  # blocks: where the interval is narrowest for its kind


class Hypotheses(NamedTuple):
    """H0: A's mean score is higher by `d0` at most. H1: by `d1` at least. How often either may be missed."""

    d0: float = 0.0
    d1: float = 0.05
    alpha: float = 0.05  # H1 is taken where H0 is true
    beta: float = 0.05  # H0 is taken where H1 is true


USUAL: Final = Hypotheses()


class Verdict(NamedTuple):
    decision: str  # BETTER, NOT_BETTER or OPEN
    blocks: int
    llr: float
    estimate: float
    low: float
    high: float


class Spread:
    """Mean and variance of numbers that come one by one."""

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.squares = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0

    def variance_about(self, centre: float) -> float:
        """The mean square of the distance to a centre, of these blocks and the imagined ones."""
        squares = self.squares - 2 * centre * self.total + self.count * centre * centre
        return (squares + IMAGINED_BLOCKS * IMAGINED_VARIANCE) / (self.count + IMAGINED_BLOCKS)

    def half_width(self) -> float:
        """Half the 95 % interval of the mean, however one decides when to stop.

        A confidence sequence for a mean of unknown variance: the normal mixture, valid for many blocks.
        """
        n = self.count
        if n == 0:
            return math.inf
        log_alpha = -2 * math.log(MISSES)
        weight = n * (log_alpha + math.log(log_alpha) + 1) / TUNED_FOR + 1
        variance = self.variance_about(self.mean)
        return math.sqrt(variance * weight / (weight - 1) / n * (math.log(weight) + log_alpha))


class SequentialTest:
    """Takes the differences of blocks in order; the first decision stands, whatever comes after it."""

    def __init__(self, hypotheses: Hypotheses = USUAL) -> None:
        h = self.hypotheses = hypotheses
        if not (-1 <= h.d0 < h.d1 <= 1 and 0 < h.alpha < 0.5 and 0 < h.beta < 0.5):
            raise ValueError(f"-1 <= d0 < d1 <= 1, and alpha and beta between 0 and 0.5, are needed, not {h}")
        self.lower = math.log(h.beta / (1 - h.alpha))
        self.upper = math.log((1 - h.beta) / h.alpha)
        self.spread = Spread()
        self.decision = OPEN

    def add(self, difference: float) -> str:
        """Notes a block: A's mean score in it less B's. Gives the decision so far."""
        self.spread.add(difference)
        if self.decision == OPEN:
            llr = self.llr()
            self.decision = BETTER if llr >= self.upper else NOT_BETTER if llr <= self.lower else OPEN
        return self.decision

    def llr(self) -> float:
        """How much better H1 tells the blocks than H0, each with the variance that suits it best."""
        h, spread = self.hypotheses, self.spread
        return spread.count / 2 * math.log(spread.variance_about(h.d0) / spread.variance_about(h.d1))

    def verdict(self) -> Verdict:
        mean, half = self.spread.mean, self.spread.half_width()
        low, high = max(-1.0, mean - half), min(1.0, mean + half)
        return Verdict(self.decision, self.spread.count, self.llr(), mean, low, high)
