"""Ratings: what a match tells about the skill of those who played it. docs/ratings.md says it in plain words.

A rating is a belief, `mu` give or take `sigma`, and moves by TrueSkill, from the full placement. All numbers that
ratings depend on are here, and nowhere else; ratings that were made with others are made anew.
"""

import json
import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from trueskill import Rating as Gaussian
from trueskill import TrueSkill
from trueskill.backends import cdf, pdf, ppf

from engine.rules.variants import CONQUEST, GOAL, SCORE


class Rating(NamedTuple):
    mu: float
    sigma: float


# Where an agent begins that nothing is known of. 50 is as good as anybody is believed to be, 0 as bad.
MU: Final = 25.0
SIGMA: Final = MU / 3
NEWCOMER: Final = Rating(MU, SIGMA)
# How much play varies from match to match: with so much more skill one wins about 76 of 100 matches.
BETA: Final = SIGMA / 2
# A version is frozen, so its skill does not change. What was learnt while its opponents were new is wrong all the
# same, and has to fade: with this, sigma ends at about 0.3, and the last thousand matches or so count.
TAU: Final = 0.01
# How likely two equals share a place. The less likely it is, the more a tie says.
DRAW_PROBABILITIES: Final = {CONQUEST: 0.01, GOAL: 0.3, SCORE: 0.05}
# The built-in bot `random` is what all ratings are measured from: it enters every match so, and leaves unchanged.
ANCHOR: Final = Rating(MU, 1.0)
ANCHOR_SPEC: Final = "random"
# What changing its code may do to an agent. It is added to the sigma of the version before.
CHANGE: Final = SIGMA / 2
# The ladder is in order of mu less so many sigmas: a skill that the agent is almost sure to have.
DOUBTS: Final = 3
METHOD: Final = 1  # to be raised when ratings are made in another way

PARAMETERS: Final = json.dumps(
    {
        "method": METHOD,
        "newcomer": NEWCOMER,
        "beta": BETA,
        "tau": TAU,
        "draw_probabilities": DRAW_PROBABILITIES,
        "anchor": ANCHOR,
        "change": CHANGE,
    }
)

# The probability of a tie belongs to the whole environment. The border of a tie is made from it for every two
# sides anew; remembering that one quantile changes no bit of the ratings.
_environments: Final = {
    won_by: TrueSkill(MU, SIGMA, BETA, TAU, draw_probability, (cdf, pdf, lru_cache(ppf)))
    for won_by, draw_probability in DRAW_PROBABILITIES.items()
}


def rate(sides: Sequence[Sequence[Rating]], places: Sequence[int], won_by: str) -> list[list[Rating]]:
    """The ratings after a match. A side is a team, or one agent; sides of equal place have tied.

    `won_by` says how the variant is won; one that is not known raises KeyError.
    """
    before = [tuple([Gaussian(mu, sigma) for mu, sigma in side]) for side in sides]
    after = _environments[won_by].rate(before, places)
    return [[Rating(one.mu, one.sigma) for one in side] for side in after]


def expected_places(sides: Sequence[Sequence[Rating]]) -> list[float]:
    """The place of each side in the mean: 1, and the probability of each other side to be before it.

    One side is before another with probability Φ(d / s): d is the difference of the sums of mu, s² the sum of
    sigma² + beta² over all who are in one of the two. Those who share a place share what lies between.
    """
    noise = BETA * BETA
    skills = [sum([mu for mu, _ in side]) for side in sides]
    variances = [sum([sigma * sigma + noise for _, sigma in side]) for side in sides]
    places = [1.0] * len(sides)
    for one, skill in enumerate(skills):
        for other in range(one):
            width = math.sqrt(2 * (variances[one] + variances[other]))
            wins = 0.5 * math.erfc((skills[other] - skill) / width)
            places[one] += 1 - wins
            places[other] += wins
    return places


def next_version(before: Rating) -> Rating:
    """Where a version begins whose predecessor had this rating: as good, and less certain."""
    return Rating(before.mu, min(SIGMA, math.hypot(before.sigma, CHANGE)))


def sure(mu: float, sigma: float) -> float:
    """The rating as one number: the skill that is almost sure to be there."""
    return mu - DOUBTS * sigma
