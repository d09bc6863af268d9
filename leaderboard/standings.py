"""Who stands where in a tournament: sums of placement scores, from 1 for the first to 0 for the last."""

import operator
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple


def placement_scores(places: Sequence[int]) -> list[float]:
    """1 for the first to 0 for the last, evenly between; those who share a place share its scores."""
    last = len(places) - 1
    above = [sum(other < place for other in places) for place in places]
    equal = [sum(other == place for other in places) - 1 for place in places]
    return [1 - (higher + beside / 2) / last for higher, beside in zip(above, equal, strict=True)]


def label_of(block_id: str) -> str:
    """The label of the variant that a block is of, as `arena/seating.py` writes it into ids."""
    return block_id.rpartition("/")[2].partition("-")[2].rpartition("-")[0]


@lru_cache(maxsize=4096)
def _known_scores(places: tuple[int, ...]) -> list[float]:
    """Few placements come again and again."""
    return placement_scores(places)


class Standing(NamedTuple):
    entrant: int
    matches: int
    score: float  # in the mean
    wins: int
    faults: int


class Standings:
    """Adds up matches, and takes those off that are void."""

    def __init__(self, entrants: int) -> None:
        self.matches = [0] * entrants
        self.score = [0.0] * entrants
        self.wins = [0] * entrants
        self.faults = [0] * entrants

    def add(self, entrants: Sequence[int], places: Sequence[int], faults: Sequence[int], sign: int = 1) -> None:
        for seat, score in enumerate(_known_scores(tuple(places))):
            entrant = entrants[seat]
            self.matches[entrant] += sign
            self.score[entrant] += sign * score
            self.wins[entrant] += sign * (places[seat] == 1)
            self.faults[entrant] += sign * faults[seat]

    def join(self, other: "Standings") -> None:
        """Takes in what another has added up of the same entrants."""
        for mine, its in ((self.matches, other.matches), (self.wins, other.wins), (self.faults, other.faults)):
            mine[:] = map(operator.add, mine, its)
        self.score = list(map(operator.add, self.score, other.score))

    def rows(self) -> list[Standing]:
        """The best first; those who have not played come last."""
        rows = [
            Standing(number, played, self.score[number] / played if played else 0.0, self.wins[number], faults)
            for number, (played, faults) in enumerate(zip(self.matches, self.faults, strict=True))
        ]
        # Thirds and fifths do not add up exactly; equal scores must be equal, however they were added.
        return sorted(rows, key=lambda row: (row.matches == 0, -round(row.score, 9), row.entrant))
