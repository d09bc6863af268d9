"""Plots that the server draws: numbers become places on paper here, and SVG in the templates."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from pydantic import BaseModel

WIDTH: Final = 720
HEIGHT: Final = 240
LEFT, RIGHT, TOP, BOTTOM = 40, 10, 12, 26
TICKS: Final = 5


class Point(BaseModel):
    """A rating after a match: the `nth` of a version on this ladder, the `number`th of all that were rated."""

    number: int
    version: int
    nth: int
    rating: float
    mu: float
    sigma: float


class Tick(NamedTuple):
    at: float
    text: str


class Plot(NamedTuple):
    """The rating as a line, what is believed as a band above it, and a mark where each version begins."""

    width: int
    height: int
    line: str
    band: str
    rows: list[Tick]
    columns: list[Tick]
    versions: list[Tick]


def plot_of(points: Sequence[Point]) -> Plot:
    """For at least one point. The matches of the agent go from left to right."""
    across = Scale(1, max(2, len(points)), LEFT, WIDTH - RIGHT)
    values = [value for point in points for value in (point.rating, 2 * point.mu - point.rating)]
    steps = nice_steps(min(values), max(values))
    upright = Scale(steps[0], steps[-1], HEIGHT - BOTTOM, TOP)
    xs = [across.at(number) for number in range(1, len(points) + 1)]
    low = [(x, upright.at(point.rating)) for x, point in zip(xs, points, strict=True)]
    high = [(x, upright.at(2 * point.mu - point.rating)) for x, point in zip(xs, points, strict=True)]
    began = [n for n, point in enumerate(points) if n == 0 or point.version != points[n - 1].version]
    return Plot(
        WIDTH,
        HEIGHT,
        _path(low),
        _path(low + high[::-1]) + "Z",
        [Tick(upright.at(step), f"{step:g}") for step in steps],
        [Tick(xs[0], str(points[0].number)), Tick(xs[-1], str(points[-1].number))],
        [Tick(xs[n], f"v{points[n].version}") for n in began],
    )


class Scale:
    """From numbers to places on paper."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.start = low, start
        self.unit = (end - start) / (high - low)

    def at(self, number: float) -> float:
        return round(self.start + (number - self.low) * self.unit, 1)


def nice_steps(low: float, high: float) -> list[float]:
    """Round numbers, evenly apart, from below the lowest to above the highest."""
    rough = max(high - low, 1e-6) / TICKS
    size = 10 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(number * step, 6) for number in range(first, max(last, first + 1) + 1)]


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:g},{y:g}" for x, y in places)
