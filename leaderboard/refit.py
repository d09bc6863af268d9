"""The order-free second look at a ladder: strengths, their errors and rank intervals, from all matches at once.

Pure. docs/ratings.md explains it, docs/decisions/0011-two-looks-at-strength.md why it is done so.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from leaderboard.plackett_luce import PRIOR, Floats, Ints, Model, Placing, Weights

REPLICATES: Final = 200
SEED: Final = 1  # the same matches give the same numbers
# An agent is before another if that is so with 90 %: so far out in the normal distribution. With it the intervals
# hold the true rank of about 90 % of the agents, whether they are a little or much apart.
LEVEL: Final = 1.2816
NEAR: Final = 1e-4  # replicates are off by less than a hundredth of their spread
TINY: Final = 1e-12
ROUNDING: Final = 1e-9  # what varies by less, of its size, does not vary
METHOD: Final = 1  # to be raised when strengths are found in another way

PARAMETERS: Final = json.dumps(
    {"method": METHOD, "prior": PRIOR, "replicates": REPLICATES, "level": LEVEL, "seed": SEED}
)


Told = Callable[[int, int], None]  # hears how many replicates of how many are done


class Match(NamedTuple):
    """A match, with the dice luck of every seat. Those of a block have the same number."""

    placing: Placing
    luck: Sequence[float]
    block: int


class Strength(NamedTuple):
    """A logarithm: who has 0.69 more comes first of two twice as often. Zero is the mean of all."""

    strength: float
    error: float
    rank: int | None  # among those that are ranked
    rank_low: int | None
    rank_high: int | None


class Estimates(NamedTuple):
    """Numbers of all agents, the mean taken off, and what they might as well have been."""

    point: Floats
    replicates: Floats  # replicate x agent


class Sample(NamedTuple):
    strengths: Estimates
    luck: Estimates  # of a match, in the mean


def refit(
    matches: Sequence[Match],
    agents: int,
    ranked: Sequence[int] | None = None,
    replicates: int = REPLICATES,
    told: Told | None = None,
) -> list[Strength]:
    """The strengths of all agents. Ranks are among those named, or all; the others have none."""
    if not agents:
        return []
    strengths = without_luck(resample(matches, agents, replicates, told))
    errors = strengths.replicates.std(axis=0)
    ranks = rank_intervals(strengths, matches, range(agents) if ranked is None else ranked)
    return [
        Strength(float(strengths.point[agent]), float(errors[agent]), *ranks.get(agent, (None, None, None)))
        for agent in range(agents)
    ]


def resample(matches: Sequence[Match], agents: int, replicates: int, told: Told | None = None) -> Sample:
    """The Bayesian bootstrap over blocks: in each replicate every block counts with a weight of its own,
    exponential with mean 1. What is held of everybody beforehand has a random weight too: so it is not sure how
    strong somebody is who has won everything.
    """
    random = np.random.default_rng(SEED)
    model, luck = Model([match.placing for match in matches], agents), Luck(matches, agents)
    plain = model.plain_weights()
    point = model.fit(plain)
    names, block = np.unique([match.block for match in matches], return_inverse=True)
    strengths, lucks = np.empty((replicates, agents)), np.empty((replicates, agents))
    for number in range(replicates):
        of_block = random.standard_exponential(len(names))
        weights = Weights(of_block[block], *random.standard_gamma(PRIOR, (2, model.parameters)))
        strengths[number] = model.fit(weights, point, NEAR)[:agents]
        lucks[number] = luck.mean(weights.matches)
        if told:
            told(number + 1, replicates)
    return Sample(centred(point[:agents], strengths), centred(luck.mean(plain.matches), lucks))


def without_luck(sample: Sample) -> Estimates:
    """Strengths less what dice luck explains of them. Its mean is known to be 0, so this makes nobody better or
    worse in the long run, only surer.
    """
    effect = luck_effect(sample)
    strengths, luck = sample
    return Estimates(strengths.point - effect * luck.point, strengths.replicates - effect * luck.replicates)


def luck_effect(sample: Sample) -> float:
    """How strength goes with an army of luck in every match: the regression of replicates, one for all agents.

    Agents count by how surely they are known. One number is as good for everybody as one for each, and can be told
    from far fewer blocks.
    """
    strengths = sample.strengths.replicates - sample.strengths.replicates.mean(axis=0)
    luck = sample.luck.replicates - sample.luck.replicates.mean(axis=0)
    if np.abs(luck).max() <= ROUNDING * np.abs(sample.luck.replicates).max():
        return 0.0  # of one block the mean luck is always the same, whatever it weighs
    certainty = 1 / np.maximum((strengths**2).sum(axis=0), TINY)
    spread = float((luck**2).sum(axis=0) @ certainty)
    return float((strengths * luck).sum(axis=0) @ certainty) / spread


class Luck:
    """The dice luck of all seats, to be weighted by their matches."""

    def __init__(self, matches: Sequence[Match], agents: int) -> None:
        self.agents = agents
        self.match = np.repeat(
            np.arange(len(matches)), np.array([len(match.luck) for match in matches], dtype=np.int64)
        )
        self.agent = np.array([agent for match in matches for agent in match.placing.agents], dtype=np.int64)
        self.luck = np.array([luck for match in matches for luck in match.luck])

    def mean(self, weights: Floats) -> Floats:
        """Of each agent in a match; 0 for one that has none."""
        weight = weights[self.match]
        seats = np.bincount(self.agent, weight, self.agents)
        mean: Floats = np.bincount(self.agent, weight * self.luck, self.agents) / np.maximum(seats, TINY)
        return mean


def centred(point: Floats, replicates: Floats) -> Estimates:
    return Estimates(point - point.mean(), replicates - replicates.mean(axis=1, keepdims=True))


# Ranks


def rank_intervals(
    strengths: Estimates, matches: Sequence[Match], ranked: Sequence[int]
) -> dict[int, tuple[int, int, int]]:
    """The rank of each agent that is ranked, by the estimate, and its bounds: how many are surely before it, and
    how many surely behind. Nothing is sure of who was in one block only, nor between agents that never met,
    directly or through others.
    """
    agents = np.array(ranked, dtype=np.int64)
    point = strengths.point[agents]
    ahead = point[None, :] - point[:, None]
    group, blocks = np.array(groups(matches, len(strengths.point)))[agents], blocks_of(matches, agents)
    fewest = np.minimum(blocks[:, None], blocks[None, :])
    is_told = (group[:, None] == group[None, :]) & (fewest > 1)
    needed = doubts(fewest) * errors_of_differences(strengths.replicates[:, agents])
    rank = 1 + (ahead > 0).sum(axis=1)
    low = 1 + (is_told & (ahead > needed)).sum(axis=1)
    high = len(agents) - (is_told & (-ahead > needed)).sum(axis=1)
    return {
        int(agent): (int(one), int(best), int(worst))
        for agent, one, best, worst in zip(agents, rank, low, high, strict=True)
    }


def errors_of_differences(replicates: Floats) -> Floats:
    covariance = np.atleast_2d(np.cov(replicates, rowvar=False))
    variance = np.diag(covariance)
    squares: Floats = variance[:, None] + variance[None, :] - 2 * covariance
    return np.sqrt(np.maximum(squares, 0.0))


def doubts(blocks: Ints) -> Floats:
    """How many errors of their difference two agents must be apart, by the blocks of the one that has fewer.

    The fewer the more: by Student's distribution, and since replicates vary too little by (k - 1) / (k + 1).
    """
    free = np.maximum(blocks - 1, 1)
    first, second = LEVEL**3 + LEVEL, 5 * LEVEL**5 + 16 * LEVEL**3 + 3 * LEVEL
    quantile = LEVEL + first / (4 * free) + second / (96 * free**2)  # Cornish and Fisher's expansion
    wider: Floats = quantile * np.sqrt((blocks + 1) / free)
    return wider


def blocks_of(matches: Sequence[Match], agents: Ints) -> Ints:
    """In how many blocks each has played."""
    played = {(agent, match.block) for match in matches for agent in match.placing.agents}
    counts = Counter(agent for agent, _ in played)
    return np.array([counts[int(agent)] for agent in agents])


def groups(matches: Sequence[Match], agents: int) -> list[int]:
    """A number for each agent, the same for those who met, or met others who did, and so on."""
    leader = list(range(agents))

    def find(agent: int) -> int:
        while leader[agent] != agent:
            leader[agent] = agent = leader[leader[agent]]
        return agent

    for match in matches:
        first, *others = match.placing.agents
        for other in others:
            leader[find(other)] = find(first)
    return [find(agent) for agent in range(agents)]
