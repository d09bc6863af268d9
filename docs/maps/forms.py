"""The forms in which a map is described before it is drawn. Points are longitudes and latitudes in degrees."""

from typing import NamedTuple

Point = tuple[float, float]


def points(text: str) -> list[Point]:
    """`-95,49 -97,38` as points."""
    return [(float(x), float(y)) for x, _, y in (word.partition(",") for word in text.split())]


class Cut(NamedTuple):
    """The part of a country inside an area goes to a place, or is left faint if `place` is empty."""

    place: str
    country: str
    area: str
    straight: bool = False  # a surveyed line, not one that follows rivers and hills


class Move(NamedTuple):
    """An island is drawn larger than it is, and a little aside."""

    factor: float
    right: float = 0.0
    down: float = 0.0


class Lens(NamedTuple):
    """A part of the world is shown larger: in the middle by `power`, within `reach` degrees."""

    longitude: float
    latitude: float
    reach: float
    power: float


class Projection(NamedTuple):
    """Degrees to the plane: meridians lean a little inwards, heights of latitudes are a table."""

    west: float  # the edge of the picture; what is west of it comes in at the other side
    east: float
    stretch: tuple[tuple[float, float], ...]  # the height of a degree at latitudes, in degrees of the equator
    narrowing: float  # how much shorter than the equator the poles are
    lenses: tuple[Lens, ...] = ()
    frame: tuple[float, float, float, float] | None = None  # west, south, east, north, if not all land is shown


class Drawing(NamedTuple):
    """What makes the map of a board."""

    projection: Projection
    cuts: tuple[Cut, ...]
    countries: dict[str, str]  # what the cuts leave of these goes to the place
    seeds: dict[str, str]  # all other land goes to the place with the nearest of its points
    made_up: tuple[str, ...]  # land that is on no globe
    waters: tuple[str, ...]  # lakes, and straits made wider
    faint: str  # countries that are drawn and belong to nobody
    moves: dict[str, Move]
    ways: dict[tuple[str, str], str]  # lines over the sea where the shortest is not the best; 2 to 4 points
    labels: dict[str, str]  # where the middle of the largest piece is not the best
