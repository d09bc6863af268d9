"""From degrees to the units of a picture that is WIDTH wide."""

import math
from collections.abc import Callable
from itertools import pairwise

import shapely
from forms import Point, Projection
from shapely.geometry.base import BaseGeometry

WIDTH = 1000
MARGIN = 8
SIDE = 18  # a margin for lines that go round the world


class Projector:
    """Projects by a table of heights and lenses; `fit` first, to fill the picture with what is to be seen."""

    def __init__(self, projection: Projection) -> None:
        self.projection = projection
        self.middle = (projection.west + projection.east) / 2
        self.heights = self._heights()
        self.scale, self.side, self.left, self.top = 1.0, 0, 0.0, 0.0

    def _heights(self) -> list[float]:
        """Of every tenth of a degree of latitude, from pole to pole."""
        heights, y = [], 0.0
        for tenth in range(-900, 901):
            heights.append(y)
            y += 0.1 * between(self.projection.stretch, tenth / 10)
        return heights

    def fit(self, lands: BaseGeometry) -> int:
        """The height of a picture with these lands in it, or with the frame as its edge."""
        frame = self.projection.frame
        left, low, right, high = self._each(shapely.box(*frame) if frame else lands, self.bent).bounds
        self.side, margin = (0, 0) if frame else (SIDE, MARGIN)
        self.scale = (WIDTH - 2 * self.side) / (right - left)
        self.left, self.top = left, high + margin / self.scale
        return math.ceil((high - low) * self.scale) + 2 * margin

    def shape(self, land: BaseGeometry) -> BaseGeometry:
        return self._each(land, self.point)

    def point(self, longitude: float, latitude: float) -> Point:
        x, y = self.bent(longitude, latitude)
        return self.side + (x - self.left) * self.scale, (self.top - y) * self.scale

    def bent(self, longitude: float, latitude: float) -> Point:
        x, y = self.flat(longitude, latitude)
        for lens in self.projection.lenses:
            middle_x, middle_y = self.flat(lens.longitude, lens.latitude)
            dx, dy = x - middle_x, y - middle_y
            growth = lens.power * math.exp(-(dx**2 + dy**2) / lens.reach**2)
            x, y = x + growth * dx, y + growth * dy
        return x, y

    def flat(self, longitude: float, latitude: float) -> Point:
        tenth = min(max(10 * (latitude + 90), 0), 1799.9)
        low = int(tenth)
        y = self.heights[low] + (tenth - low) * (self.heights[low + 1] - self.heights[low])
        return (longitude - self.middle) * (1 - self.projection.narrowing * (latitude / 90) ** 2), y

    def _each(self, land: BaseGeometry, function: Callable[[float, float], Point]) -> BaseGeometry:
        dense = shapely.segmentize(land, 0.5)  # straight on the globe is not straight in the picture
        return shapely.transform(dense, lambda rows: [function(x, y) for x, y in rows])


def between(table: tuple[tuple[float, float], ...], at: float) -> float:
    """What the table says at this key, from the two rows around it."""
    for (a, low), (b, high) in pairwise(table):
        if a <= at <= b:
            return low + (high - low) * (at - a) / (b - a)
    return table[0][1] if at < table[0][0] else table[-1][1]
