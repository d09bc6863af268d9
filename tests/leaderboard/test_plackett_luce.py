"""The fit: equal to a plain and slow one, and near the truth where the truth is known."""

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from leaderboard.plackett_luce import PRIOR, Floats, Model, Placing, Weights
from tests.leaderboard.known_strengths import placed

Sides = list[tuple[list[int], int]]  # the members of each, and its place


def fitted(placings: Sequence[Placing], agents: int) -> Floats:
    model = Model(placings, agents)
    return model.fit(model.plain_weights())


def sides_of(placing: Placing) -> Sides:
    teams = placing.teams or range(len(placing.agents))
    return [
        (
            [agent for agent, its in zip(placing.agents, teams, strict=True) if its == team],
            min(place for place, its in zip(placing.places, teams, strict=True) if its == team),
        )
        for team in dict.fromkeys(teams)
    ]


def stages_of(placings: Sequence[Placing]) -> list[tuple[list[list[int]], int]]:
    """Whoever is left at each stage, those first who are chosen, and how many these are."""
    found = []
    for placing in placings:
        left = sorted(sides_of(placing), key=lambda side: side[1])
        while len(left) > 1:
            tied = sum(place == left[0][1] for _, place in left)
            found.append(([members for members, _ in left], tied))
            left = left[tied:]
    return found


def plain_mm(placings: Sequence[Placing], agents: int) -> Floats:
    """Minorise and maximise, as the books have it, in plain loops: slow, and the likelihood never falls.

    Every subset that could have been chosen has a term, a geometric mean of strengths times a tie parameter. It is
    bounded by the arithmetic mean, which parts the agents; the chosen one by Jensen's inequality.
    """
    stages = stages_of(placings)
    sizes = sorted({1, *[tied for _, tied in stages]})
    alpha, delta = [1.0] * agents, dict.fromkeys(sizes, 1.0)
    for _ in range(20_000):
        won, faced = [PRIOR] * agents, [2 * PRIOR / (1 + one) for one in alpha]
        ties, tie_chances = dict.fromkeys(sizes, PRIOR), {size: 2 * PRIOR / (1 + delta[size]) for size in sizes}
        for sides, tied in stages:
            strength = [sum(alpha[agent] for agent in side) for side in sides]
            subsets = [one for size in sizes for one in combinations(range(len(sides)), size)]
            means = [math.prod(strength[side] for side in one) ** (1 / len(one)) for one in subsets]
            total = sum(delta[len(one)] * mean for one, mean in zip(subsets, means, strict=True))
            ties[tied] += 1
            for side in range(tied):
                for agent in sides[side]:
                    won[agent] += alpha[agent] / strength[side] / tied
            for one, mean in zip(subsets, means, strict=True):
                tie_chances[len(one)] += mean / total
                for side in one:
                    for agent in sides[side]:
                        faced[agent] += delta[len(one)] * mean / total / len(one) / strength[side]
        before = [*alpha, *[delta[size] for size in sizes]]
        alpha = [its / met for its, met in zip(won, faced, strict=True)]
        delta = {size: ties[size] / tie_chances[size] if size > 1 else 1.0 for size in sizes}
        after = [*alpha, *[delta[size] for size in sizes]]
        if max(abs(math.log(new / old)) for new, old in zip(after, before, strict=True)) < 1e-10:
            break
    return np.log([*alpha, *[delta[size] for size in sizes if size > 1]])


SMALL = {
    "pairs": [Placing([0, 1], [1, 2]), Placing([1, 2], [1, 2]), Placing([2, 0], [1, 2]), Placing([0, 1], [1, 2])],
    "tables": [Placing([0, 1, 2, 3], [2, 1, 4, 3]), Placing([3, 1, 0], [1, 2, 3]), Placing([2, 3], [1, 2])],
    "ties": [
        Placing([0, 1, 2, 3], [1, 2, 2, 2]),
        Placing([3, 2, 1], [1, 1, 3]),
        Placing([1, 0], [1, 2]),
        Placing([0, 2, 3, 1], [1, 2, 2, 4]),
    ],
    "only ties": [Placing([0, 1], [1, 1]), Placing([1, 2], [1, 1])],
    "teams": [
        Placing([0, 1, 2, 3], [1, 2, 1, 2], [0, 1, 0, 1]),
        Placing([0, 1, 3, 2], [2, 1, 2, 1], [0, 1, 0, 1]),
        Placing([0, 2, 1, 3], [1, 3, 3, 2], [0, 1, 1, 2]),
        Placing([0, 1], [2, 1]),
    ],
    "teams that tie": [Placing([0, 1, 2, 3, 4], [1, 1, 1, 1, 3], [5, 7, 5, 7, 9]), Placing([4, 0], [1, 2])],
    "against itself": [Placing([0, 0, 1], [1, 3, 2]), Placing([1, 0], [1, 2])],
}


@pytest.mark.parametrize("name", SMALL)
def test_equals_plain_minorising_and_maximising(name: str) -> None:
    agents = 1 + max(agent for placing in SMALL[name] for agent in placing.agents)
    assert fitted(SMALL[name], agents) == pytest.approx(plain_mm(SMALL[name], agents), abs=1e-6)


def test_two_agents_by_hand() -> None:
    """Three wins of four, and the prior, at x and -x: there the likelihood is level."""
    x, other = fitted([Placing([0, 1], [1, 2])] * 3 + [Placing([0, 1], [2, 1])], 2)
    assert other == pytest.approx(-x)
    assert 3 - 4 / (1 + math.exp(-2 * x)) == pytest.approx(PRIOR * (2 / (1 + math.exp(-x)) - 1))


def test_no_point_is_better() -> None:
    model = Model(SMALL["teams"], 4)
    weights = model.plain_weights()
    best = model.fit(weights)
    random = np.random.default_rng(3)
    for size in (1e-3, 0.1, 3.0):
        for _ in range(20):
            assert model.value(best + size * random.normal(size=4), weights) < model.value(best, weights)


def test_any_start_and_any_weights() -> None:
    """A match that counts twice is two matches."""
    placings = SMALL["ties"]
    model = Model(placings, 4)
    weights = model.plain_weights()
    twice = weights._replace(matches=np.array([1.0, 2.0, 1.0, 0.0]))
    start = np.array([9.0, -9.0, 3.0, 0.0, 5.0, -5.0])
    assert model.fit(twice, start) == pytest.approx(fitted([*placings[:3], placings[1]], 4), abs=1e-6)


def test_next_to_nothing_known_of_a_partner_is_no_trouble() -> None:
    """Only the team is known then: whoever of it is the weaker may be as weak as can be."""
    model = Model([Placing([0, 1, 2, 3], [1, 2, 1, 2], [0, 1, 0, 1])] * 100, 4)
    wins, losses = np.array([6e-4, 4.5, 6e-7, 3e-3]), np.array([0.7, 0.15, 1.6, 0.04])
    weights = Weights(np.ones(100), wins, losses)
    best = model.fit(weights, model.fit(model.plain_weights()))
    assert model.value(best, weights) > model.value(np.zeros(4), weights)
    assert np.abs(best).max() < 30


def test_known_strengths_are_found() -> None:
    """Within what so many matches can tell: the mean of the squared errors is about 1."""
    random = np.random.default_rng(11)
    strengths = random.normal(size=30)
    placings = []
    for _ in range(3000):
        agents = random.choice(30, int(random.integers(2, 7)), replace=False)
        placings.append(Placing(agents.tolist(), placed(random, strengths[agents])))
    found = fitted(placings, 30)
    off = (found - found.mean()) - (strengths - strengths.mean())
    assert np.abs(off).max() < 0.25
    assert off.std() < 0.1


def test_known_ties_are_found() -> None:
    """Two who are equal tie with 1 of 3 if the parameter is 0: as likely as each of the wins."""
    random = np.random.default_rng(5)
    ends = [[1, 2], [2, 1], [1, 1]]
    found = fitted([Placing([0, 1], ends[random.integers(3)]) for _ in range(3000)], 2)
    assert found == pytest.approx([0.0, 0.0, 0.0], abs=0.1)


def test_known_teams_are_found() -> None:
    """A team wins by the sum of its members' strengths."""
    random = np.random.default_rng(8)
    alpha = np.array([1.0, 2.0, 4.0, 8.0, 1.0])
    placings = []
    for _ in range(8000):
        agents = random.permutation(5)[:4]
        one, other = alpha[agents[[0, 2]]].sum(), alpha[agents[[1, 3]]].sum()
        places = [1, 2, 1, 2] if random.random() < one / (one + other) else [2, 1, 2, 1]
        placings.append(Placing(agents.tolist(), places, [0, 1, 0, 1]))
    found = fitted(placings, 5)
    expected = np.log(alpha)
    assert found - found.mean() == pytest.approx(expected - expected.mean(), abs=0.35)


def test_who_won_everything_stays_finite_and_first() -> None:
    placings = [Placing([0, 1, 2], [1, 2, 3])] * 50
    best, middle, last = fitted(placings, 3)
    assert 10 > best > middle > last > -10


def test_who_never_played_is_as_strong_as_the_stranger() -> None:
    found = fitted([Placing([0, 1], [1, 2])], 3)
    assert found[2] == 0
    assert fitted([], 2).tolist() == [0, 0]
