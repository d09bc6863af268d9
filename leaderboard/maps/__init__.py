"""Maps of the boards: shapes, lines over the sea and where armies stand, as SVG paths in JSON files.

A map of a board is drawn in one picture; layers that have a map of their own, such as the Moon, take a part of the
picture beside it. A file has the name of the board and of the layers that it shows: `classic-land.json`. The files
are written by `docs/maps/draw_map.py`, whose docstring says how another map is made; tests measure every file.

Neighbours that touch share their border point for point. To draw a map: all places once in the colour of the coast
with a broad stroke; all places in the colours of their owners with a thin stroke in the colour of the sea, which
parts them; then `frontiers` and `links`, and the armies at `x` and `y`, where a disc of 9 units finds room.
"""

import json
from functools import cache
from importlib import resources
from typing import TypedDict

from engine.rules.boards.board import Board, load


class Shape(TypedDict):
    """A place. Its path has only the commands M, l and z, so that anybody can read it."""

    path: str
    x: float
    y: float


class Link(TypedDict):
    """A line between two places, given by their numbers: over the sea, or a mountain where nobody may pass.

    One that goes round the world has two parts, from each place to an edge of the picture.
    """

    a: int
    b: int
    path: str


class BoardMap(TypedDict):
    """Places in the order of the board; links for exactly the borders whose places do not touch."""

    board: str
    provenance: str
    width: int
    height: int
    places: list[Shape]
    links: list[Link]
    blocked: list[Link]  # mountains and the like, between places that touch or seem to
    frontiers: str  # borders between regions
    decor: list[str]  # land of nobody


def map_of(board: Board) -> BoardMap:
    """The map of a board; always the same object: never change it."""
    return _map(*board.recipe)


@cache
def _map(name: str, layer: str | None, disputed: bool) -> BoardMap:
    board = load(name, layer, disputed)
    drawn = _read("-".join([name, *board.layers]))
    borders = {(border.a, border.b) for border in board.borders}
    drawn["links"] = [link for link in drawn["links"] if (link["a"], link["b"]) in borders]
    return drawn


def _read(name: str) -> BoardMap:
    text = resources.files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    drawn: BoardMap = json.loads(text)
    return drawn
