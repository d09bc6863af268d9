"""Who was placed above whom: worked by hand, and how often the intervals hold the truth."""

import math
import random
from itertools import product

import pytest

from leaderboard.cross_table import CrossTable, Meeting, Sums, compared, quantile


def test_a_block_worked_by_hand() -> None:
    table = CrossTable()
    table.add([((0, 1, 2), (1, 2, 3)), ((1, 2, 0), (1, 2, 2)), ((2, 0, 1), (1, 2, 3))])
    assert table.sums[0, 1] == Sums(1, 3, 2.0, 9, 4.0, 6.0)  # above, below, above
    assert table.sums[0, 2] == Sums(1, 3, 1.5, 9, 2.25, 4.5)  # above, shared, below
    assert table.sums[1, 2] == Sums(1, 3, 2.0, 9, 4.0, 6.0)
    met = table.meeting(0, 1)
    assert met is not None
    assert met.score == pytest.approx(2 / 3)
    assert table.meeting(1, 0) == Meeting(3, 1, 1 - met.score, 1 - met.high, 1 - met.low)


def test_who_has_not_met_has_no_score() -> None:
    table = CrossTable()
    table.add([((0, 2), (1, 2))])
    assert table.meeting(0, 1) is None
    assert table.meeting(1, 2) is None


def test_an_entrant_on_two_seats_does_not_meet_itself() -> None:
    assert compared([((4, 4, 1), (1, 2, 3))]) == {(1, 4): (2, 0.0)}


def test_an_interval_worked_by_hand() -> None:
    """Two blocks of two matches, 2 of 2 and 1 of 2; with those imagined 2 + 1 + 2 + 0 of 8: the mean is 5/8."""
    table = CrossTable()
    table.add([((0, 1), (1, 2)), ((1, 0), (2, 1))])
    table.add([((0, 1), (1, 2)), ((1, 0), (1, 2))])
    squares = sum((score - 2 * 5 / 8) ** 2 for score in (2, 1, 2, 0))
    reach = quantile(3) * math.sqrt(4 / 3 * squares) / 8
    met = table.meeting(0, 1)
    assert met is not None
    assert met.score == 0.75
    assert (met.low, met.high) == pytest.approx((5 / 8 - reach, min(1, 5 / 8 + reach)))


def test_one_block_tells_next_to_nothing() -> None:
    table = CrossTable()
    table.add([((0, 1), (1, 2)), ((1, 0), (2, 1))])
    assert table.meeting(0, 1) == Meeting(2, 1, 1.0, 0.0, 1.0)


def test_tables_are_joined() -> None:
    one, other, both = CrossTable(), CrossTable(), CrossTable()
    blocks = [[((0, 1, 2), places)] for places in product((1, 2), repeat=3)]
    for number, block in enumerate(blocks):
        (one if number % 2 else other).add(block)
        both.add(block)
    one.join(other)
    assert one.sums == both.sums


@pytest.mark.parametrize(("freedom", "exact"), [(2, 2.920), (3, 2.353), (5, 2.015), (10, 1.812), (100, 1.660)])
def test_quantiles_of_the_t_distribution(freedom: int, exact: float) -> None:
    assert quantile(freedom) == pytest.approx(exact, rel=0.003)


@pytest.mark.parametrize(("blocks", "most"), [(8, 0.985), (40, 0.95)])
@pytest.mark.parametrize("strength", [0.5, 0.8])
def test_intervals_hold_the_truth(blocks: int, most: float, strength: float) -> None:
    """Set-ups differ, and the matches of a block share theirs: it is blocks that count."""
    below, held, runs = random.Random(7), 0, 600
    for _ in range(runs):
        table = CrossTable()
        for _ in range(blocks):
            chance = min(1.0, max(0.0, strength + below.choice((-0.2, 0.2))))
            table.add([((0, 1), (1, 2) if below.random() < chance else (2, 1)) for _ in range(4)])
        met = table.meeting(0, 1)
        assert met is not None
        held += met.low <= strength <= met.high
    assert 0.87 <= held / runs <= most
