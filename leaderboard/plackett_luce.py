"""Strengths from placements: the Plackett-Luce model, with ties and teams. docs/ratings.md has the formulas.

A match is read from the top: who comes first among all, who next among the rest, and so on. Each such stage is a
choice of one side, or of several that tie, and a side is chosen the likelier the stronger it is. All matches count
alike, in no order. Newton's method finds the maximum, for any weights of the matches.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Everybody has won so many matches, and lost so many, against a stranger of strength 0. This keeps those finite
# who won or lost everything, and holds agents together that never met. Parameters of ties are held likewise.
PRIOR: Final = 0.5
EXACT: Final = 1e-16  # what a step may still bring to the logarithm of the likelihood, doubled
MOST_STAGES: Final = 20_000  # that are worked on at once: bounds the memory
MOST_STEPS: Final = 200
MOST_HALVINGS: Final = 40
LONGEST: Final = 8.0  # of a step, in any parameter: where next to nothing is known, the bend tells nothing of afar
LEAST_GAIN: Final = 1e-4  # of what the slope promises
NEAR: Final = 1e-6  # to the top, by the same measure as EXACT: too near to compare likelihoods
ENOUGH: Final = 1e-3  # of what an exact step would bring is left


class Placing(NamedTuple):
    """How a match ended, in seat order. Agents are numbered from 0; one may have several seats."""

    agents: Sequence[int]
    places: Sequence[int]
    teams: Sequence[int] = ()  # seats of a team have the same number; none: everybody is alone


class Choice(NamedTuple):
    """A stage of a match: the sides that are left, and how many of them, the first, tie for the best place."""

    match: int
    sides: list[list[int]]
    tied: int


class Weights(NamedTuple):
    """How often each match counts, and how often each parameter has won and lost against the stranger."""

    matches: Floats
    wins: Floats
    losses: Floats


class Stages(NamedTuple):
    """Choices of one shape. What could be chosen are the *subsets* of its sides, up to the greatest tie.

    The logarithm of a subset's chance is, but for a constant, the mean of its sides' strengths and a parameter for
    its size: a sum over *features*, which are the sides, then the sizes of ties.
    """

    match: Ints
    members: Ints  # stage x feature x member: a parameter; where there are fewer members, one that is nobody
    chosen: Ints  # stage: the subset
    subsets: Floats  # subset x feature: its part in the sum


class View(NamedTuple):
    """What stages of one shape look like from a point."""

    value: float  # logarithm of the likelihood
    rise: Floats  # stage x feature: how it rises
    weight: Floats  # stage
    chances: Floats  # stage x subset
    shares: Floats  # stage x feature x member: of a member in its side
    stages: Stages


class Model:
    """Matches, made ready to be fitted with many weights.

    A point has the strengths of all agents, as logarithms, then one parameter for each size of tie that was seen.
    """

    def __init__(self, placings: Sequence[Placing], agents: int) -> None:
        choices = [choice for match, placing in enumerate(placings) for choice in choices_of(match, placing)]
        self.agents = agents
        self.matches = len(placings)
        self.sizes = sorted({1, *[choice.tied for choice in choices]})
        self.parameters = agents + len(self.sizes) - 1
        self.stages = list(self.shapes(choices))

    def plain_weights(self) -> Weights:
        prior = np.full(self.parameters, PRIOR)
        return Weights(np.ones(self.matches), prior, prior)

    def fit(self, weights: Weights, start: Floats | None = None, close: float = EXACT) -> Floats:
        """The point of greatest posterior likelihood. The last step is the first to promise less than `close`."""
        point = np.zeros(self.parameters) if start is None else start
        for _ in range(MOST_STEPS):
            slope = Slope(self, point, weights)
            step = slope.step()
            promised = float(step @ slope.gradient)
            point = self.climb(slope, step, promised)
            if promised < close:
                break
        return point

    def climb(self, slope: "Slope", step: Floats, promised: float) -> Floats:
        """The step, cut to the longest, or half of it, and so on, until it is a gain. Near the top all are."""
        short = LONGEST / max(LONGEST, float(np.abs(step).max()))
        step, promised = short * step, short * promised
        for _ in range(MOST_HALVINGS):
            if promised < NEAR:
                break
            if self.value(slope.point + step, slope.weights) > slope.value + LEAST_GAIN * promised:
                break
            step, promised = step / 2, promised / 2
        return slope.point + step

    def value(self, point: Floats, weights: Weights) -> float:
        """The logarithm of the posterior likelihood, but for a constant."""
        prior = float(weights.wins @ log_sigmoid(point) + weights.losses @ log_sigmoid(-point))
        return prior + sum(view.value for view in self.views(point, weights))

    def views(self, point: Floats, weights: Weights) -> Iterator[View]:
        extended = np.append(point, -np.inf)
        return (view_of(stages, extended, weights.matches[stages.match]) for stages in self.stages)

    def shapes(self, choices: Sequence[Choice]) -> Iterator[Stages]:
        alike: dict[tuple[int, int], list[Choice]] = defaultdict(list)
        for choice in choices:
            alike[len(choice.sides), max(map(len, choice.sides))].append(choice)
        for (sides, members), found in sorted(alike.items()):
            for start in range(0, len(found), MOST_STAGES):
                yield self.made(sides, members, found[start : start + MOST_STAGES])

    def made(self, sides: int, members: int, choices: Sequence[Choice]) -> Stages:
        sets = [one for size in self.sizes for one in combinations(range(sides), size)]
        subsets = np.zeros((len(sets), sides + len(self.sizes) - 1))
        for row, one in enumerate(sets):
            subsets[row, list(one)] = 1 / len(one)
            if len(one) > 1:
                subsets[row, sides + self.sizes.index(len(one)) - 1] = 1
        first = {size: sets.index(tuple(range(size))) for size in self.sizes if size <= sides}
        ties = [[parameter] for parameter in range(self.agents, self.parameters)]
        nobody = [self.parameters] * members
        return Stages(
            np.array([choice.match for choice in choices]),
            np.array([[(one + nobody)[:members] for one in choice.sides + ties] for choice in choices]),
            np.array([first[choice.tied] for choice in choices]),
            subsets,
        )


class Slope:
    """The posterior likelihood around a point: how it rises, and how it bends.

    The bend is the expected one, by Fisher; where there are no teams it is exact.
    """

    def __init__(self, model: Model, point: Floats, weights: Weights) -> None:
        self.point = point
        self.weights = weights
        self.views = list(model.views(point, weights))
        won, lost = np.exp(log_sigmoid(point)), np.exp(log_sigmoid(-point))  # 1 - won would be 0 too soon
        prior = float(weights.wins @ log_sigmoid(point) + weights.losses @ log_sigmoid(-point))
        self.value = prior + sum(view.value for view in self.views)
        self.prior_bend = (weights.wins + weights.losses) * won * lost
        self.gradient = weights.wins * lost - weights.losses * won
        for view in self.views:
            self.gradient += self.onto_members(view, view.rise, view.shares)

    def step(self) -> Floats:
        """To where it would be level if the bend stayed so. By conjugate gradients, each parameter to scale."""
        scale = 1 / self.diagonal()
        step, left = np.zeros_like(self.point), self.gradient
        way = scale * left
        size = first = float(left @ way)
        while size > ENOUGH * first:
            bent = self.bend_along(way)
            far = size / float(way @ bent)
            step, left = step + far * way, left - far * bent
            before, size = size, float(left @ (scale * left))
            way = scale * left + size / before * way
        return step

    def bend_along(self, way: Floats) -> Floats:
        """How much flatter it gets along the way."""
        total: Floats = self.prior_bend * way
        for view in self.views:
            extended = np.append(way, 0.0)[view.stages.members]
            gained = np.einsum("sfm,sfm->sf", extended, view.shares) @ view.stages.subsets.T
            mean = np.einsum("su,su->s", view.chances, gained)
            pulled = view.chances * (gained - mean[:, None])
            total += self.onto_members(view, pulled @ view.stages.subsets, view.shares)
        return total

    def diagonal(self) -> Floats:
        total: Floats = self.prior_bend.copy()
        for view in self.views:
            subsets = view.stages.subsets
            spread = view.chances @ subsets**2 - (view.chances @ subsets) ** 2
            total += self.onto_members(view, np.maximum(spread, 0.0), view.shares**2)
        return total

    def onto_members(self, view: View, features: Floats, shares: Floats) -> Floats:
        """The sum over all stages of what each feature has for its members."""
        weighted = features[:, :, None] * shares * view.weight[:, None, None]
        total = np.bincount(view.stages.members.ravel(), weighted.ravel(), len(self.point) + 1)
        return total[:-1].astype(np.float64)


def choices_of(match: int, placing: Placing) -> Iterator[Choice]:
    """From the top. Who is left at the end with nobody beside is no choice."""
    members: dict[int, list[int]] = defaultdict(list)
    place_of: dict[int, int] = {}
    for seat, team in enumerate(placing.teams or range(len(placing.agents))):
        members[team].append(placing.agents[seat])
        place_of[team] = placing.places[seat]
    order = sorted(place_of, key=place_of.__getitem__)
    while len(order) > 1:
        tied = sum(place_of[team] == place_of[order[0]] for team in order)
        yield Choice(match, [members[team] for team in order], tied)
        order = order[tied:]


def view_of(stages: Stages, point: Floats, weight: Floats) -> View:
    strengths = point[stages.members]
    features = log_sum(strengths)  # a side is as strong as its members together
    scores = features @ stages.subsets.T
    logarithms = scores - log_sum(scores)[:, None]
    chances = np.exp(logarithms)
    return View(
        float(weight @ logarithms[np.arange(len(weight)), stages.chosen]),
        stages.subsets[stages.chosen] - chances @ stages.subsets,
        weight,
        chances,
        np.exp(strengths - features[:, :, None]),
        stages,
    )


def log_sum(logarithms: Floats) -> Floats:
    """The logarithm of the sum over the last axis."""
    if logarithms.shape[-1] == 1:
        return logarithms[..., 0]
    most = logarithms.max(axis=-1)
    total: Floats = most + np.log(np.einsum("...i->...", np.exp(logarithms - most[..., None])))
    return total


def log_sigmoid(x: Floats) -> Floats:
    chance: Floats = -np.logaddexp(0, -x)
    return chance
