"""Matches of simulated bots whose strengths are known, for the refit."""

import numpy as np

from leaderboard.plackett_luce import Floats, Placing
from leaderboard.refit import Match

FEWEST_SEATS, MOST_SEATS = 2, 6
SETUP = 0.5  # how much the set-up of a block favours its seats
FIRST_SEAT = 0.3
LUCK = 0.7  # how much the dice decide; what they leave is Gumbel's distribution, with a deviation of 1.3
ARMIES = 5.0  # of luck, where that is as much


def placed(random: np.random.Generator, strengths: Floats) -> list[int]:
    """Places by the Plackett-Luce model, without ties."""
    shown = strengths + random.gumbel(size=len(strengths))
    return [1 + int((shown > one).sum()) for one in shown]


def block_of(random: np.random.Generator, strengths: Floats, number: int, seats: int) -> list[Match]:
    """All rotations of one table: with a set-up, an advantage of seats, and dice."""
    agents = random.choice(len(strengths), seats, replace=False)
    of_seats = random.normal(size=seats) * SETUP + np.linspace(-FIRST_SEAT, FIRST_SEAT, seats)
    matches = []
    for turn in range(seats):
        sat = np.roll(agents, turn)
        luck = random.normal(size=seats)
        luck -= luck.mean()
        places = placed(random, strengths[sat] + of_seats + LUCK * luck)
        matches.append(Match(Placing(sat.tolist(), places), (ARMIES * luck).tolist(), number))
    return matches


def ladder_of(random: np.random.Generator, strengths: Floats, count: int) -> list[Match]:
    """At least so many matches, at tables of two to six."""
    matches: list[Match] = []
    number = 0
    while len(matches) < count:
        seats = int(random.integers(FEWEST_SEATS, MOST_SEATS + 1))
        matches += block_of(random, strengths, number, seats)
        number += 1
    return matches


def true_ranks(strengths: Floats) -> list[int]:
    return [1 + int((strengths > one).sum()) for one in strengths]
