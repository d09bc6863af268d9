"""Draws the maps of the boards, leaderboard/maps/*.json, from outlines of Natural Earth and cut lines of our own.

It is run by whoever changes a map; the project itself does not need it, nor what it needs:

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz    # anywhere outside of the project
    pip install "shapely>=2.1" numpy                               # in an environment with the project
    python docs/maps/draw_map.py package/countries-50m.json
    python docs/img/draw_board.py classic land > docs/img/classic.svg

A new map is a module of data like classic_lands.py and a line in DRAWINGS. `forms.py` says what may be in it.
The script ends with all places that touch though the board has no such border; tests find the rest.
"""

import json
import math
import sys
from collections.abc import Iterable
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import classic_lands
import godstorm_lands
import shapely
from forms import Drawing, Point, points
from outlines import countries, divided
from projecting import WIDTH, Projector
from shapely import LineString, MultiPolygon, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from engine.rules import boards
from engine.rules.boards.board import Board, load

MAPS = Path(__file__).parents[2] / "leaderboard/maps"
PROVENANCE = "Outlines: Natural Earth 1:50m, public domain, changed. Cut lines, lenses and links: our own."
DETAIL = 1.2  # corners are dropped where that changes the shape by less than this square
SMALLEST = 7.0  # islands and lakes below this area are left out
PEAK = 8.0  # the size of a mountain
SHORTEST = 16.0  # a line over a strait reaches into the land to be seen
DRAWINGS = (
    (classic_lands.DRAWING, ("classic-land", "ad2210-land")),
    (godstorm_lands.DRAWING, ("godstorm-earth",)),
)

Shapes = dict[str, MultiPolygon]


class Picture(NamedTuple):
    height: int
    places: Shapes
    faint: MultiPolygon
    projector: Projector


def picture(drawing: Drawing, topology: dict[str, Any]) -> Picture:
    lands, faint = divided(drawing, countries(topology, drawing.projection.west))
    projector = Projector(drawing.projection)
    height = projector.fit(shapely.union_all(list(lands.values())))
    places = covering({place: projector.shape(land) for place, land in lands.items()})
    for place, move in drawing.moves.items():
        grown = affinity.scale(places[place], move.factor, move.factor)
        places[place] = affinity.translate(grown, move.right, move.down)
    shapes = {place: rounded(shape) for place, shape in places.items()}
    rest = shapely.coverage_simplify([projector.shape(faint)], math.sqrt(DETAIL))[0]
    seen = rest & shapely.box(0, 0, WIDTH, height)
    return Picture(height, shapes, rounded(MultiPolygon(polygons(seen))), projector)


# Shapes with common borders


def covering(lands: dict[str, BaseGeometry]) -> Shapes:
    """The same lands, simplified together so that neighbours keep the same points."""
    shapes = [MultiPolygon(polygons(shapely.make_valid(land))) for land in lands.values()]
    lines = shapely.union_all([shapely.boundary(shape) for shape in shapes], grid_size=0.005)
    tree, owned = shapely.STRtree(shapes), [list[Polygon]() for _ in shapes]
    for face in polygons(shapely.polygonize([lines])):
        for owner in tree.query(face.representative_point(), predicate="within")[:1]:
            owned[owner].append(face)
    whole = [shapely.union_all(faces) for faces in owned]
    simple = shapely.coverage_simplify(whole, math.sqrt(DETAIL))
    return {place: large_pieces(shape) for place, shape in zip(lands, simple, strict=True)}


def polygons(shape: BaseGeometry) -> list[Polygon]:
    parts = shapely.get_parts(shapely.get_parts(shape))  # a collection may hold many of many
    return [part for part in parts if isinstance(part, Polygon)]


def large_pieces(shape: BaseGeometry) -> MultiPolygon:
    """Without specks; the largest piece comes first, whatever its size."""
    pieces = sorted(polygons(shape), key=lambda piece: -piece.area)
    seen = pieces[:1] + [piece for piece in pieces[1:] if piece.area >= SMALLEST]
    return MultiPolygon([Polygon(piece.exterior, large_holes(piece)) for piece in seen])


def large_holes(piece: Polygon) -> list[Any]:
    return [hole for hole in piece.interiors if Polygon(hole).area >= SMALLEST]


def rounded(shape: MultiPolygon) -> MultiPolygon:
    return shapely.transform(shape, lambda rows: rows.round(1))


# Where armies stand


def label(drawing: Drawing, image: Picture, place: str) -> Point:
    if place in drawing.labels:
        return image.projector.point(*points(drawing.labels[place])[0])
    circle = shapely.maximum_inscribed_circle(image.places[place].geoms[0], tolerance=0.2)
    return circle.coords[0]


# Lines over the sea


def link(drawing: Drawing, image: Picture, a: str, b: str, wraps: bool) -> str:
    if (a, b) not in drawing.ways:
        return curve(reaching(list(shapely.shortest_line(image.places[a], image.places[b]).coords)))
    line = [image.projector.point(*point) for point in points(drawing.ways[a, b])]
    return around_the_world(line) if wraps else curve(line)


def reaching(line: list[Point]) -> list[Point]:
    """The line, made longer at both ends if it is too short to be seen."""
    straight = LineString(line)
    factor = max(1.0, SHORTEST / straight.length)
    return list(affinity.scale(straight, factor, factor).coords)


def curve(line: list[Point]) -> str:
    """A straight line of two points; of three or four, a curve with the inner ones as its handles."""
    letter = {2: "L", 3: "Q", 4: "C"}[len(line)]
    return "M" + " ".join(text(point) for point in line[:1]) + letter + " ".join(text(point) for point in line[1:])


def around_the_world(line: list[Point]) -> str:
    """Out at one edge of the picture and in at the other."""
    a, out, entrance, b = line
    edges = [(0.0 if end[0] < WIDTH / 2 else float(WIDTH), end[1]) for end in (out, entrance)]
    return curve([a, edges[0]]) + curve([b, edges[1]])


# Text of shapes


def path(shape: MultiPolygon) -> str:
    return "".join(
        steps(list(line.coords)[:-1]) + "z" for piece in shape.geoms for line in (piece.exterior, *piece.interiors)
    )


def steps(line: list[Point]) -> str:
    """A line in relative steps of tenths, which add up exactly."""
    tenths = [(round(10 * x), round(10 * y)) for x, y in line]
    moves = [(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(tenths)]
    return f"M{text(line[0])}l{' '.join(f'{x / 10:g} {y / 10:g}' for x, y in moves if (x, y) != (0, 0))}"


def text(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}".replace(".0", "")


# The file


class Sheet(NamedTuple):
    """A board, and the shape of each of its places."""

    board: Board
    shapes: list[MultiPolygon]
    labels: list[Point]

    def touch(self, a: int, b: int) -> bool:
        return bool(self.shapes[a].intersects(self.shapes[b]))

    def common(self, a: int, b: int) -> list[LineString]:
        """Their border, in as few lines as it has."""
        parts = shapely.get_parts(self.shapes[a] & self.shapes[b])
        lines = shapely.MultiLineString([part for part in parts if isinstance(part, LineString)])
        return list(shapely.get_parts(shapely.line_merge(lines)))


def sheet(board: Board, drawing: Drawing, image: Picture) -> Sheet:
    names = shape_names(board)
    return Sheet(board, [image.places[name] for name in names], [label(drawing, image, name) for name in names])


def shape_names(board: Board) -> list[str]:
    """The board of 2210 is the classic one under other names, which its data tell."""
    rows = json.loads((Path(boards.__path__[0]) / f"{board.name}.json").read_text(encoding="utf-8"))["places"]
    known = {row["id"]: row.get("classic", row["id"]) for row in rows}
    return [known[place] for place in board.ids]


def board_map(page: Sheet, drawing: Drawing, image: Picture) -> dict[str, Any]:
    """In the form that leaderboard/maps promises."""
    return {
        "board": page.board.name,
        "provenance": PROVENANCE,
        "width": WIDTH,
        "height": image.height,
        "places": [
            {"id": place, "path": path(shape), "x": round(x, 1), "y": round(y, 1)}
            for place, shape, (x, y) in zip(page.board.ids, page.shapes, page.labels, strict=True)
        ],
        "links": list(links(page, drawing, image)),
        "blocked": list(mountains(page)),
        "frontiers": "".join(frontiers(page)),
        "decor": [path(image.faint)],
    }


def links(page: Sheet, drawing: Drawing, image: Picture) -> Iterable[dict[str, Any]]:
    names = shape_names(page.board)
    for border in page.board.borders:
        a, b, _ = border
        if not page.touch(a, b):
            line = link(drawing, image, names[a], names[b], border in page.board.wraps)
            yield {"a": a, "b": b, "path": line}


def frontiers(page: Sheet) -> Iterable[str]:
    """The borders between regions."""
    for a, b, _ in page.board.borders + page.board.blocked:
        if page.board.region_of[a] != page.board.region_of[b]:
            yield from (steps(list(line.coords)) for line in page.common(a, b))


def mountains(page: Sheet) -> Iterable[dict[str, Any]]:
    """A row of peaks along a border that nobody may pass."""
    for a, b, _ in page.board.blocked:
        ridges = page.common(a, b)
        yield {"a": a, "b": b, "path": "".join(peak(point) for ridge in ridges for point in along(ridge))}


def along(ridge: LineString) -> Iterable[Point]:
    count = max(1, round(ridge.length / PEAK / 1.4))
    for number in range(count):
        yield ridge.interpolate((number + 0.5) / count, normalized=True).coords[0]


def peak(point: Point) -> str:
    return f"M{text((point[0] - PEAK / 2, point[1] + PEAK / 2))}l{PEAK / 2:g} {-PEAK:g} {PEAK / 2:g} {PEAK:g}z"


def false_borders(page: Sheet) -> Iterable[str]:
    known = {(border.a, border.b) for border in page.board.borders + page.board.blocked}
    for a, b in combinations(range(page.board.size), 2):
        if (a, b) not in known and page.shapes[a].distance(page.shapes[b]) < 2:
            yield f"{page.board.ids[a]} touches {page.board.ids[b]}"


def main() -> None:
    topology = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    for drawing, names in DRAWINGS:
        image = picture(drawing, topology)
        for name in names:
            board, _, layer = name.partition("-")
            page = sheet(load(board, layer), drawing, image)
            rows = json.dumps(board_map(page, drawing, image), ensure_ascii=False)
            (MAPS / f"{name}.json").write_text(rows.replace('{"', '\n{"').lstrip() + "\n", encoding="utf-8")
            print("\n".join(false_borders(page)))


if __name__ == "__main__":
    main()
