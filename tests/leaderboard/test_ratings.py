"""Ratings as a pure function: golden numbers, the closed form for two sides, expected places, new versions."""

import math
import random
from statistics import NormalDist
from typing import Any

import pytest

from engine.rules.variants import CONQUEST, GOAL, SCORE, VARIANTS
from leaderboard.ratings import (
    ANCHOR,
    BETA,
    DRAW_PROBABILITIES,
    NEWCOMER,
    TAU,
    Rating,
    expected_places,
    next_version,
    rate,
    sure,
)

NORMAL = NormalDist()

Sides = list[list[Rating]]

GOLDEN: dict[str, tuple[Sides, list[int], str, list[list[tuple[float, float]]], list[float]]] = {
    "two": (
        [[NEWCOMER], [NEWCOMER]],
        [1, 2],
        CONQUEST,
        [[(29.224049, 7.19213)], [(20.775951, 7.19213)]],
        [1.5, 1.5],
    ),
    "two who tie": (
        [[Rating(30, 4)], [Rating(22, 3)]],
        [1, 1],
        CONQUEST,
        [[(27.856803, 3.422525)], [(23.205554, 2.764749)]],
        [1.150289, 1.849711],
    ),
    "two who tie where that happens more often": (
        [[Rating(30, 4)], [Rating(22, 3)]],
        [1, 1],
        GOAL,
        [[(27.917335, 3.439956)], [(23.171505, 2.771585)]],
        [1.150289, 1.849711],
    ),
    "three": (
        [[NEWCOMER], [NEWCOMER], [NEWCOMER]],
        [2, 3, 1],
        CONQUEST,
        [[(25.0, 6.235318)], [(18.652843, 6.694463)], [(31.347157, 6.694463)]],
        [2, 2, 2],
    ),
    "three, two of them behind together": (
        [[Rating(25, 8)], [Rating(30, 2)], [Rating(20, 5)]],
        [1, 2, 2],
        SCORE,
        [[(31.113985, 5.906671)], [(29.118585, 1.923248)], [(23.120446, 3.834109)]],
        [2.01564, 1.416043, 2.568317],
    ),
    "four": (
        [[NEWCOMER]] * 4,
        [1, 2, 3, 4],
        CONQUEST,
        [[(32.729437, 6.402638)], [(27.234712, 5.823077)], [(22.765288, 5.823077)], [(17.270563, 6.402638)]],
        [2.5] * 4,
    ),
    "four, the others survive": (
        [[NEWCOMER]] * 4,
        [1, 2, 2, 2],
        GOAL,
        [[(31.019465, 6.429936)], [(22.92792, 5.448147)], [(23.006804, 5.437907)], [(23.045811, 5.481788)]],
        [2.5] * 4,
    ),
    "five": (
        [[Rating(25 + number, 8 - number)] for number in range(5)],
        [5, 4, 3, 2, 1],
        CONQUEST,
        [
            [(17.324915, 5.905185)],
            [(22.734055, 4.872809)],
            [(26.269557, 4.350236)],
            [(29.080612, 3.928597)],
            [(31.618265, 3.533168)],
        ],
        [3.353093, 3.197748, 3.020917, 2.822677, 2.605565],
    ),
    "six, with ties": (
        [[Rating(20 + 2 * number, 3)] for number in range(6)],
        [3, 1, 1, 5, 3, 5],
        SCORE,
        [
            [(21.669578, 2.557702)],
            [(23.903832, 2.583198)],
            [(25.224291, 2.582668)],
            [(24.808508, 2.577008)],
            [(26.946534, 2.557682)],
            [(27.447258, 2.577558)],
        ],
        [4.893847, 4.369557, 3.795692, 3.204308, 2.630443, 2.106153],
    ),
    "two teams of two": (
        [[Rating(25, 8), Rating(30, 4)], [Rating(20, 5), Rating(28, 2)]],
        [2, 1],
        CONQUEST,
        [[(19.421094, 6.862303), (28.605267, 3.865654)], [(22.179265, 4.734976), (28.34869, 1.983443)]],
        [1.300133, 1.699867],
    ),
    "two teams of three that tie": (
        [[NEWCOMER] * 3, [Rating(28, 2)] * 3],
        [1, 1],
        CONQUEST,
        [[(26.926006, 7.388055)] * 3, [(27.889059, 1.98766)] * 3],
        [1.691327, 1.308673],
    ),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_numbers(name: str) -> None:
    sides, places, won_by, after, expected = GOLDEN[name]
    found = rate(sides, places, won_by)
    assert [[pytest.approx(one, abs=1e-5) for one in side] for side in after] == found
    assert expected_places(sides) == pytest.approx(expected, abs=1e-5)


def exact(winners: list[Rating], losers: list[Rating], is_tie: bool, draw_probability: float) -> Sides:
    """Two sides by the formulas of the paper, where nothing is approximated."""
    size = len(winners) + len(losers)
    variance = sum(sigma**2 + TAU**2 + BETA**2 for _, sigma in winners + losers)
    spread = math.sqrt(variance)
    ahead = (sum(mu for mu, _ in winners) - sum(mu for mu, _ in losers)) / spread
    margin = NORMAL.inv_cdf((draw_probability + 1) / 2) * math.sqrt(size) * BETA / spread
    if is_tie:
        low, high = -margin - ahead, margin - ahead
        mass = NORMAL.cdf(high) - NORMAL.cdf(low)
        v = (NORMAL.pdf(low) - NORMAL.pdf(high)) / mass
        w = v**2 + (high * NORMAL.pdf(high) - low * NORMAL.pdf(low)) / mass
    else:
        v = NORMAL.pdf(ahead - margin) / NORMAL.cdf(ahead - margin)
        w = v * (v + ahead - margin)

    def moved(one: Rating, sign: int) -> Rating:
        before = one.sigma**2 + TAU**2
        return Rating(one.mu + sign * before / spread * v, math.sqrt(before * (1 - before / variance * w)))

    return [[moved(one, 1) for one in winners], [moved(one, -1) for one in losers]]


@pytest.mark.parametrize("seed", range(20))
def test_two_sides_are_rated_by_the_formulas_of_the_paper(seed: int) -> None:
    below = random.Random(seed)
    size, is_tie = below.choice([1, 2, 3]), below.random() < 0.4
    won_by = below.choice(list(DRAW_PROBABILITIES))
    sides = [[Rating(below.uniform(10, 40), below.uniform(1, 8)) for _ in range(size)] for _ in range(2)]
    wanted = exact(sides[0], sides[1], is_tie, DRAW_PROBABILITIES[won_by])
    found = rate(sides, [1, 1] if is_tie else [1, 2], won_by)
    assert found == [[pytest.approx(one, abs=2e-3) for one in side] for side in wanted], f"seed {seed}"


@pytest.mark.parametrize("seed", range(20))
def test_expected_places_are_places(seed: int) -> None:
    below = random.Random(seed)
    sides = [[Rating(below.uniform(10, 40), 3)] for _ in range(below.randint(2, 6))]
    expected = expected_places(sides)
    assert sum(expected) == pytest.approx(sum(range(1, len(sides) + 1)))
    assert all(1 < place < len(sides) for place in expected)
    best = max(range(len(sides)), key=lambda side: sides[side][0].mu)
    assert expected[best] == min(expected)


def test_expected_places_are_those_of_play_that_is_drawn() -> None:
    below = random.Random(4)
    sides = [[Rating(30, 2)], [Rating(25, 5)], [Rating(22, 1)]]
    tries, sums = 20_000, [0] * 3
    for _ in range(tries):
        played = [below.gauss(below.gauss(mu, sigma), BETA) for ((mu, sigma),) in sides]
        for side, mine in enumerate(played):
            sums[side] += 1 + sum(other > mine for other in played)
    assert [one / tries for one in sums] == pytest.approx(expected_places(sides), abs=0.03)


def test_nobody_is_too_good_to_be_rated() -> None:
    """The library raises when numbers leave its range; nothing that can be played leads there."""
    best, worst = NEWCOMER, NEWCOMER
    for _ in range(3000):
        ((best,), (worst,), _) = rate([[best], [worst], [ANCHOR]], [1, 3, 2], CONQUEST)
    assert best.mu > 25 + 4 * BETA > 25 - 4 * BETA > worst.mu
    for places in ([2, 1, 3], [1, 1, 1]):
        ((fallen,), (risen,), _) = rate([[best], [worst], [ANCHOR]], places, CONQUEST)
        assert fallen.mu < best.mu
        assert risen.mu > worst.mu


def test_certainty_has_an_end() -> None:
    """A rating never stands still: what was learnt long ago fades."""
    one = other = NEWCOMER
    for _ in range(3000):
        ((one,), (other,)) = rate([[one], [other]], [1, 2], CONQUEST)
        ((one,), (other,)) = rate([[one], [other]], [2, 1], CONQUEST)
    assert 0.2 < one.sigma < 0.4


def test_a_new_version_is_as_good_and_less_certain() -> None:
    settled = Rating(31, 1)
    assert next_version(settled).mu == 31
    assert 4 < next_version(settled).sigma < NEWCOMER.sigma
    assert next_version(Rating(31, 8)) == (31, NEWCOMER.sigma)
    assert sure(*settled) == 28


def test_every_variant_says_how_it_is_won() -> None:
    assert {variant.won_by for variant in VARIANTS.values()} <= set(DRAW_PROBABILITIES)
    assert all(variant.family for variant in VARIANTS.values())
    unknown: Any = "by luck"
    with pytest.raises(KeyError, match="by luck"):
        rate([[NEWCOMER], [NEWCOMER]], [1, 2], unknown)
