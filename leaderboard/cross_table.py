"""Who is placed above whom: for each two entrants the mean over all matches in which they met.

Being placed above the other counts 1, sharing a place a half, being placed below 0. The matches of a block are
over one set-up and belong together, so the interval is that of a mean over blocks: a t-interval of the ratio of
sums, with two imaginary blocks of usual size, one won and one lost. So few blocks, and blocks that all ended
alike, are never taken for certainty. A test counts how often 90 % intervals hold the truth.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

CONFIDENCE: Final = 0.9
IMAGINED_BLOCKS: Final = 2
NORMAL: Final = 1.6448536269514722  # the standard normal is below it with probability 0.95

Two = tuple[int, int]  # numbers of entrants, the lower one first
Placed = tuple[Sequence[int], Sequence[int]]  # of a match, seat by seat: entrants and places


class Meeting(NamedTuple):
    """How one entrant did against another: mean score, and the 90 % interval of that mean."""

    matches: int
    blocks: int
    score: float
    low: float
    high: float


class Sums(NamedTuple):
    """What blocks leave behind: numbers of blocks and matches, scores, and their products for the spread."""

    blocks: int = 0
    matches: int = 0
    score: float = 0.0
    squared_matches: int = 0
    squared_score: float = 0.0
    product: float = 0.0

    def plus(self, other: "Sums") -> "Sums":
        return Sums(
            self.blocks + other.blocks,
            self.matches + other.matches,
            self.score + other.score,
            self.squared_matches + other.squared_matches,
            self.squared_score + other.squared_score,
            self.product + other.product,
        )

    def meeting(self, reverse: bool = False) -> Meeting:
        """Of the entrant named first, or, in reverse, of the other."""
        score = self.score / self.matches
        low, high = self.interval()
        if reverse:
            score, low, high = 1 - score, 1 - high, 1 - low
        return Meeting(self.matches, self.blocks, score, low, high)

    def interval(self) -> tuple[float, float]:
        size, blocks = self.matches / self.blocks, self.blocks + IMAGINED_BLOCKS
        matches = self.matches + IMAGINED_BLOCKS * size
        mean = (self.score + size) / matches
        squares = self.squared_score - 2 * mean * self.product + mean * mean * self.squared_matches
        squares += (size - mean * size) ** 2 + (mean * size) ** 2
        error = math.sqrt(blocks / (blocks - 1) * squares) / matches
        reach = quantile(blocks - 1) * error
        return max(0.0, mean - reach), min(1.0, mean + reach)


class CrossTable:
    """Adds up blocks; those of several variants can be joined."""

    def __init__(self, sums: Mapping[Two, Sums] | None = None) -> None:
        self.sums: dict[Two, Sums] = dict(sums or {})

    def add(self, block: Iterable[Placed]) -> None:
        """All matches of a block that count, at once."""
        for two, (matches, score) in compared(block).items():
            one = Sums(1, matches, score, matches * matches, score * score, matches * score)
            self.sums[two] = self.sums.get(two, Sums()).plus(one)

    def join(self, other: "CrossTable") -> None:
        for two, sums in other.sums.items():
            self.sums[two] = self.sums.get(two, Sums()).plus(sums)

    def meeting(self, entrant: int, opponent: int) -> Meeting | None:
        """None if they have not met."""
        is_reverse = entrant > opponent
        sums = self.sums.get((opponent, entrant) if is_reverse else (entrant, opponent))
        return sums.meeting(is_reverse) if sums else None


def compared(block: Iterable[Placed]) -> dict[Two, tuple[int, float]]:
    """For each two entrants of a block: matches, and the score of the one with the lower number."""
    found: dict[Two, tuple[int, float]] = {}
    for entrants, places in block:
        for (one, place), (other, its) in combinations(sorted(zip(entrants, places, strict=True)), 2):
            if one != other:
                matches, score = found.get((one, other), (0, 0.0))
                found[one, other] = matches + 1, score + (1.0 if place < its else 0.5 if place == its else 0.0)
    return found


def quantile(freedom: int) -> float:
    """Where Student's t is below with probability 0.95; within 0.3 % for two degrees of freedom or more.

    The expansion of Cornish and Fisher around the normal distribution.
    """
    z, n = NORMAL, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )
