"""The outlines of countries in a file of world-atlas (TopoJSON), and the land that each place of a board gets."""

import math
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy
import shapely
from forms import Cut, Drawing, Point, Projection, points
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

NARROW = 0.76  # the width of a degree where the lands with seeds are, in heights of one
WAVE = 0.16  # how far borders between seeds swing, in degrees

Lands = dict[str, BaseGeometry]


def countries(topology: dict[str, Any], west: float) -> Lands:
    """All countries by name; what lies west of the edge of the picture comes in at its other side."""
    lines = arcs(topology)
    found: Lands = {}
    for shape in topology["objects"]["countries"]["geometries"]:
        rows = [shape["arcs"]] if shape["type"] == "Polygon" else shape["arcs"]
        whole = [[around(ring(lines, indices), west) for indices in row] for row in rows]
        name = shape["properties"]["name"]
        polygons = [shapely.make_valid(Polygon(row[0], row[1:])) for row in whole]
        found[name] = shapely.union_all([found.get(name, Polygon()), *polygons])
    return found


def arcs(topology: dict[str, Any]) -> list[list[Point]]:
    (sx, sy), (tx, ty) = topology["transform"]["scale"], topology["transform"]["translate"]
    lines = []
    for arc in topology["arcs"]:
        x = y = 0
        line = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            line.append((x * sx + tx, y * sy + ty))
        lines.append(line)
    return lines


def ring(lines: list[list[Point]], indices: list[int]) -> list[Point]:
    """Arcs end to end; a negative index is an arc backwards."""
    joined: list[Point] = []
    for index in indices:
        line = lines[index] if index >= 0 else lines[~index][::-1]
        joined += line[1:] if joined else line
    return joined


def around(line: list[Point], west: float) -> list[Point]:
    moved = [(lon + 360 if lon < west else lon, lat) for lon, lat in line]
    width = max(lon for lon, _ in moved) - min(lon for lon, _ in moved)
    return moved if width < 180 else line  # an island on the edge stays where it is


def divided(drawing: Drawing, found: Lands) -> tuple[Lands, BaseGeometry]:
    """The land of each place, and that of nobody."""
    rest, lands, faint = dict(found), defaultdict[str, list[BaseGeometry]](list), list[BaseGeometry]()
    for cut in drawing.cuts:
        area = inside(cut)
        (lands[cut.place] if cut.place else faint).append(rest[cut.country] & area)
        rest[cut.country] -= area
    for place, names in drawing.countries.items():
        lands[place] += [rest.pop(name) for name in names.split(", ")]
    faint += [rest.pop(name) for name in drawing.faint.split(", ")]
    if drawing.seeds:
        made_up = [Polygon(uneven(uneven(natural(points(area))))) for area in drawing.made_up]
        whole = shapely.union_all([*rest.values(), *made_up])
        for place, cell in cells(drawing.seeds).items():
            lands[place].append(whole & cell)
    shown, water = frame(drawing.projection), shapely.union_all([lake(area) for area in drawing.waters])
    return (
        {place: shapely.union_all(pieces) & shown - water for place, pieces in lands.items()},
        shapely.union_all(faint) & shown,
    )


def frame(projection: Projection) -> Polygon:
    return shapely.box(*projection.frame) if projection.frame else shapely.box(-180, -90, 360, 90)


def inside(cut: Cut) -> BaseGeometry:
    corners = points(cut.area)
    return shapely.make_valid(Polygon(corners if cut.straight else uneven(natural(corners))))


def lake(area: str) -> Polygon:
    return Polygon(natural(points(area)))


def natural(area: list[Point]) -> list[Point]:
    """The outline with its corners rounded off."""
    for _ in range(3):
        area = list(corners_cut(area))
    return area


def corners_cut(area: list[Point]) -> Iterable[Point]:
    for (ax, ay), (bx, by) in zip(area, area[1:] + area[:1], strict=True):
        yield (0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by)
        yield (0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by)


def uneven(area: list[Point]) -> list[Point]:
    """A little unrest, always the same, as rivers and ridges have it."""
    for _ in range(2):
        area = list(middles_moved(area))
    return area


def middles_moved(area: list[Point]) -> Iterable[Point]:
    for (ax, ay), (bx, by) in zip(area, area[1:] + area[:1], strict=True):
        yield (ax, ay)
        aside = 0.13 * math.sin(1000 * (ax + by) + 700 * (ay + bx))
        yield ((ax + bx) / 2 + aside * (ay - by), (ay + by) / 2 + aside * (bx - ax))


def cells(seeds: dict[str, str]) -> Lands:
    """All that lies nearer to the points of a place than to those of the others, with wavy borders."""
    owners = [(place, point) for place, text in seeds.items() for point in points(text)]
    sites = shapely.MultiPoint([(x * NARROW, y) for _, (x, y) in owners])
    parts = shapely.get_parts(
        shapely.voronoi_polygons(sites, extend_to=shapely.box(-180, -90, 180, 90), ordered=True)
    )
    found = defaultdict[str, list[BaseGeometry]](list)
    for (place, _), cell in zip(owners, parts, strict=True):
        found[place].append(shapely.transform(shapely.segmentize(cell, 0.25), waved))
    return {place: shapely.make_valid(shapely.union_all(pieces)) for place, pieces in found.items()}


def waved(rows: numpy.ndarray) -> numpy.ndarray:
    """Every point a little aside, by where it is, so that common borders stay common."""
    x, y = rows[:, 0], rows[:, 1]
    aside = WAVE * (numpy.sin(2.1 * y + x) + 0.6 * numpy.sin(5.3 * y - 2 * x))
    up = WAVE * (numpy.sin(1.9 * x - y) + 0.6 * numpy.sin(5.9 * x + 2 * y))
    return numpy.column_stack([(x + aside) / NARROW, y + up])
