"""The second look: intervals hold what they promise, luck narrows them, and little evidence proves little."""

import random
from statistics import mean, stdev

import numpy as np
import pytest

from leaderboard.plackett_luce import Floats, Placing
from leaderboard.refit import (
    Estimates,
    Match,
    Strength,
    doubts,
    luck_effect,
    refit,
    resample,
    without_luck,
)
from tests.leaderboard.known_strengths import ladder_of, true_ranks

PROMISED = (0.85, 0.95)  # of the bots, whose true rank lies in the interval of 90 %


def held(run: int, replicates: int) -> list[bool]:
    """For each of 8 to 12 bots, whether its interval holds its true rank: 300 matches, bots near to each other."""
    below = np.random.default_rng([20, run])
    strengths = below.normal(size=below.integers(8, 13)) * below.uniform(0.1, 0.5)
    found = refit(ladder_of(below, strengths, 300), len(strengths), replicates=replicates)
    ranks = true_ranks(strengths)
    bounds = [(one.rank_low or 0, one.rank_high or 0) for one in found]
    return [low <= rank <= high for rank, (low, high) in zip(ranks, bounds, strict=True)]


def test_rank_intervals_hold_the_truth() -> None:
    """As far as a few runs can tell: what is promised lies within three of their own errors."""
    shares = [mean(held(run, 50)) for run in range(16)]
    error = stdev(shares) / len(shares) ** 0.5
    low, high = PROMISED
    assert low - 3 * error < mean(shares) < high + 3 * error


def test_few_blocks_are_doubted_more() -> None:
    """By Student's distribution for 90 %, as tables have it, and by what the bootstrap leaves out."""
    blocks = np.array([4, 6, 11, 31])
    student = np.array([1.6377, 1.4759, 1.3722, 1.3104])
    assert doubts(blocks) == pytest.approx(student * np.sqrt((blocks + 1) / (blocks - 1)), rel=0.01)


@pytest.mark.soak
def test_rank_intervals_hold_the_truth_over_many_runs() -> None:
    pooled = [one for run in range(200) for one in held(run, 200)]
    low, high = PROMISED
    assert low <= mean(pooled) <= high


def test_dice_luck_brings_strengths_nearer_to_the_truth() -> None:
    """And not only narrower intervals. A fifth of what is drawn in these matches is luck."""
    before, after = 0.0, 0.0
    for run in range(8):
        below = np.random.default_rng([21, run])
        strengths = below.normal(size=8) * 0.5
        sample = resample(ladder_of(below, strengths, 150), 8, 30)
        assert width(without_luck(sample)) < width(sample.strengths)
        before += off(sample.strengths, strengths)
        after += off(without_luck(sample), strengths)
    assert after < 0.9 * before


def off(found: Estimates, strengths: Floats) -> float:
    """The square of what is wrong, but for the scale: the more is luck, the nearer to each other all seem."""
    truth = strengths - strengths.mean()
    scale = truth @ found.point / (truth @ truth)
    return float(((found.point - scale * truth) ** 2).sum())


def width(estimates: Estimates) -> float:
    return float(estimates.replicates.std(axis=0).mean())


def test_luck_that_decides_nothing_changes_nothing() -> None:
    below = np.random.default_rng(22)
    matches = ladder_of(below, np.zeros(8), 200)
    drawn = [one._replace(luck=below.normal(size=len(one.luck)).tolist()) for one in matches]
    sample = resample(drawn, 8, 60)
    assert abs(luck_effect(sample)) < 0.1
    assert width(without_luck(sample)) == pytest.approx(width(sample.strengths), rel=0.05)


def test_nobody_had_luck() -> None:
    matches = [
        one._replace(luck=[0.0] * len(one.luck)) for one in ladder_of(np.random.default_rng(1), np.zeros(6), 40)
    ]
    sample = resample(matches, 6, 20)
    assert luck_effect(sample) == 0
    assert without_luck(sample).point.tolist() == sample.strengths.point.tolist()


def test_luck_in_a_single_block_explains_nothing() -> None:
    """It is the same in every replicate, but for rounding."""
    matches = block(1, [0, 1, 2], [1, 2, 3])
    luck = [3.1, -1.3, -1.8], [0.7, -1.3, 0.6], [-2.2, 1.3, 0.9]
    lucky = [one._replace(luck=mine) for one, mine in zip(matches, luck, strict=True)]
    sample = resample(lucky, 3, 20)
    assert without_luck(sample).point.tolist() == sample.strengths.point.tolist()


def block(number: int, agents: list[int], places: list[int]) -> list[Match]:
    """All rotations of a table, which end alike."""
    turns = range(len(agents))
    return [
        Match(Placing(agents[turn:] + agents[:turn], places[turn:] + places[:turn]), [0.0] * len(agents), number)
        for turn in turns
    ]


def intervals(found: list[Strength]) -> list[tuple[int | None, int | None, int | None]]:
    return [(one.rank, one.rank_low, one.rank_high) for one in found]


def test_winning_everything_is_strong_evidence_only_when_often() -> None:
    once = refit(block(0, [0, 1, 2], [1, 2, 3]), 3)
    assert intervals(once) == [(1, 1, 3), (2, 1, 3), (3, 1, 3)]
    often = refit([one for number in range(20) for one in block(number, [0, 1, 2], [1, 2, 3])], 3)
    assert intervals(often) == [(1, 1, 1), (2, 2, 2), (3, 3, 3)]
    assert all(np.isfinite([one.strength, one.error]).all() for one in often)


def test_agents_that_never_met_are_not_compared() -> None:
    """Two pairs: the loser of the one may be better than the winner of the other."""
    matches = [one for number in range(40) for one in block(number, [0, 1], [1, 2])]
    matches += [one for number in range(40, 80) for one in block(number, [2, 3], [1, 2])]
    bounds = [(one.rank_low, one.rank_high) for one in refit(matches, 4)]
    assert bounds == [(1, 3), (2, 4), (1, 3), (2, 4)]


def test_ranks_are_among_those_that_are_ranked() -> None:
    matches = [one for number in range(40) for one in block(number, [0, 1, 2], [1, 2, 3])]
    found = refit(matches, 3, ranked=[0, 2])
    assert intervals(found) == [(1, 1, 1), (None, None, None), (2, 2, 2)]
    assert found[1].strength == refit(matches, 3)[1].strength


def test_little_or_nothing() -> None:
    assert refit([], 0) == []
    assert intervals(refit([], 1)) == [(1, 1, 1)]
    assert intervals(refit([], 2)) == [(1, 1, 2), (1, 1, 2)]


def test_order_does_not_matter_and_the_same_matches_give_the_same_numbers() -> None:
    matches = ladder_of(np.random.default_rng(2), np.linspace(0, 1, 6), 120)
    found = refit(matches, 6, replicates=20)
    assert refit(matches, 6, replicates=20) == found
    random.Random(3).shuffle(matches)
    again = refit(matches, 6, replicates=20)
    assert [one.strength for one in again] == pytest.approx([one.strength for one in found], abs=1e-6)


def test_matches_of_a_block_stay_together() -> None:
    """Forty times the same block says no more than the block."""
    matches = block(0, [0, 1], [1, 2]) + block(1, [0, 1], [2, 1]) + block(2, [0, 1], [1, 2])
    one, many = (refit(matches * times, 2) for times in (1, 40))
    assert intervals(one) == intervals(many)
    assert [strength.rank_high for strength in many] == [2, 2]
