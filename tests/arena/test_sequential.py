"""The sequential test: its arithmetic, and how often it errs in simulation."""

import math
from random import Random

import pytest

from arena.sequential import (
    BETTER,
    NOT_BETTER,
    OPEN,
    USUAL,
    Hypotheses,
    SequentialTest,
    Spread,
    Verdict,
)

RUNS = 2000
NOISE = 3 * math.sqrt(0.05 * 0.95 / RUNS)  # three standard errors of a rate of 5 %
SEED = 20_240

# What a block may differ by before the mean is put where it should be, with weights.
SHAPES = {
    "even": ([-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75], [1, 4, 9, 12, 9, 4, 1]),
    "skewed": ([-0.2, 0.0, 0.2, 0.7], [8, 8, 3, 2]),
    "tail": ([-0.05, 0.0, 0.8], [10, 10, 2]),
    "narrow": ([-0.1, 0.0, 0.1], [1, 3, 1]),
}


def run(values: list[float], weights: list[int], random: Random) -> Verdict:
    """One comparison until it is decided."""
    test = SequentialTest()
    while True:
        for difference in random.choices(values, weights, k=100):
            if test.add(difference) != OPEN:
                return test.verdict()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("truth", "wrong"), [(USUAL.d0, BETTER), (USUAL.d1, NOT_BETTER)])
def test_error_rates_hold_in_simulation(shape: str, truth: float, wrong: str) -> None:
    values, weights = SHAPES[shape]
    mean = sum(value * weight for value, weight in zip(values, weights, strict=True)) / sum(weights)
    shifted = [value - mean + truth for value in values]
    random = Random(SEED)
    verdicts = [run(shifted, weights, random) for _ in range(RUNS)]
    errors = sum(verdict.decision == wrong for verdict in verdicts) / RUNS
    held = sum(verdict.low <= truth <= verdict.high for verdict in verdicts) / RUNS
    print(f"seed {SEED}, {shape}, difference {truth}: {errors:.2%} wrong, the interval held in {held:.2%}")
    assert errors <= 0.05 + NOISE
    assert held >= 0.95 - NOISE


def test_ratio_by_hand() -> None:
    """0.1 and 0.3: squares of 0.1 about 0 and 0.065 about 0.05, to which the imagined blocks add 3."""
    test = SequentialTest()
    assert test.verdict() == (OPEN, 0, 0.0, 0.0, -1.0, 1.0)
    test.add(0.1)
    test.add(0.3)
    assert test.llr() == pytest.approx(math.log(3.1 / 3.065))
    assert test.verdict().estimate == pytest.approx(0.2)


def decided(difference: float) -> tuple[str, int]:
    """The decision over blocks that all end alike, and after how many."""
    test = SequentialTest()
    while test.add(difference) == OPEN:
        pass
    return test.decision, test.spread.count


def test_bots_that_always_end_alike_are_told_apart_soon() -> None:
    assert decided(0.0) == (NOT_BETTER, 86)
    assert decided(USUAL.d1) == (BETTER, 86)
    assert decided(1.0)[1] < 70
    assert decided(-1.0)[1] < 70


def test_the_first_decision_stands() -> None:
    test = SequentialTest()
    while test.add(0.5) != BETTER:
        pass
    assert {test.add(-1.0) for _ in range(100)} == {BETTER}
    assert test.verdict().llr < 0


@pytest.mark.parametrize(
    "wrong", [Hypotheses(0.1, 0.1), Hypotheses(0, 2), Hypotheses(alpha=0), Hypotheses(beta=0.6)]
)
def test_hypotheses_that_cannot_be_tested(wrong: Hypotheses) -> None:
    with pytest.raises(ValueError, match="are needed, not"):
        SequentialTest(wrong)


def test_interval_is_wider_than_one_of_a_fixed_number_and_narrows() -> None:
    spread = Spread()
    assert spread.half_width() == math.inf
    widths = []
    for _ in range(4):
        for difference in (-0.3, 0.3) * 50:
            spread.add(difference)
        assert spread.half_width() > 1.96 * 0.3 / math.sqrt(spread.count)
        widths.append(spread.half_width())
    assert widths == sorted(widths, reverse=True)
    assert spread.mean == pytest.approx(0)
