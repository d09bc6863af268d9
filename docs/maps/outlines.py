"""The outlines of countries in a file of world-atlas (TopoJSON), and the land that each place of a board gets."""

import math
from collections.abc import Iterable
from typing import Any

import shapely
from forms import Cut, Drawing, Point, points
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

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
    rest, lands = dict(found), {place: [Polygon(points(area))] for place, area in drawing.made_up.items()}
    faint = []
    for cut in drawing.cuts:
        area = inside(cut)
        piece = rest[cut.country] & area
        (lands.setdefault(cut.place, []) if cut.place else faint).append(piece)
        rest[cut.country] -= area
    for place, names in drawing.countries.items():
        lands.setdefault(place, []).extend(rest.pop(name) for name in names.split(", "))
    faint += [rest.pop(name) for name in drawing.faint.split(", ") if name]
    if drawing.seeds:
        for place, piece in nearest(drawing, shapely.union_all(list(rest.values()))):
            lands.setdefault(place, []).append(piece)
    water = shapely.union_all([Polygon(natural(points(area))) for area in drawing.waters])
    return {place: shapely.union_all(pieces) - water for place, pieces in lands.items()}, shapely.union_all(faint)


def inside(cut: Cut) -> BaseGeometry:
    corners = points(cut.area)
    return shapely.make_valid(Polygon(corners if cut.straight else uneven(natural(corners))))


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


def nearest(drawing: Drawing, land: BaseGeometry) -> Iterable[tuple[str, BaseGeometry]]:
    """The land cut into the cells round the seeds of each place."""
    raise NotImplementedError
