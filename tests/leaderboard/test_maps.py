"""Maps: what is drawn agrees with the board, measured in the files by routines of our own."""

import gzip
import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

from engine.rules.boards.board import Board, load
from engine.rules.variants import VARIANTS
from leaderboard.maps import BoardMap, map_of

Point = tuple[int, int]  # in tenths of a unit
Loop = list[Point]
Segment = tuple[Point, Point]

BOARDS = [load(*recipe) for recipe in sorted({(one.board, one.layer) for one in VARIANTS.values()}, key=str)]
NEAR = 20  # two outlines this close look like a border
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

boards = pytest.mark.parametrize("board", BOARDS, ids=lambda board: "-".join([board.name, *board.layers]))


def tenths(text: str) -> list[Point]:
    numbers = [round(10 * float(number)) for number in NUMBER.findall(text)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def loops(path: str) -> list[Loop]:
    """The closed lines of a path that has only M, l and z."""
    found = []
    for start, moves in re.findall(r"M([^a-zA-Z]+)l([^a-zA-Z]+)z", path):
        (at,) = tenths(start)
        loop = [at]
        for dx, dy in tenths(moves):
            at = (at[0] + dx, at[1] + dy)
            loop.append(at)
        found.append(loop)
    assert not re.sub(r"M[^a-zA-Z]+l[^a-zA-Z]+z", "", path), "the path has other commands"
    return found


def sides(path: str) -> set[Segment]:
    """The segments of the outline, without direction."""
    return {(min(a, b), max(a, b)) for loop in loops(path) for a, b in pairwise([*loop, loop[0]]) if a != b}


def inside(path: str, x: float, y: float) -> bool:
    """Whether a line from there to the right crosses the outline an odd number of times."""
    crossed = 0
    for (ax, ay), (bx, by) in sides(path):
        if (ay > y) != (by > y):
            crossed += ax + (y - ay) * (bx - ax) / (by - ay) > x
    return crossed % 2 == 1


def distance(side: Segment, x: float, y: float) -> float:
    (ax, ay), (bx, by) = side
    along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)
    along = min(max(along, 0), 1)
    return math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay))


def length(segments: set[Segment]) -> float:
    return sum(math.dist(a, b) for a, b in segments)


def dots(path: str) -> Iterator[Point]:
    """A point on the outline every unit or so."""
    for (ax, ay), (bx, by) in sides(path):
        count = math.ceil(math.dist((ax, ay), (bx, by)) / 10)
        for step in range(count):
            yield ax + (bx - ax) * step // count, ay + (by - ay) * step // count


def common_lengths(drawn: BoardMap) -> dict[tuple[int, int], float]:
    """In tenths, how much border the pairs of places share, point for point."""
    outlines = [sides(place["path"]) for place in drawn["places"]]
    common = {(a, b): outlines[a] & outlines[b] for b in range(len(outlines)) for a in range(b)}
    return {pair: length(segments) for pair, segments in common.items() if segments}


def near_dots(drawn: BoardMap) -> Counter[tuple[int, int]]:
    """How many points of the outlines of pairs of places are close to the other's."""
    cells: dict[Point, set[tuple[int, Point]]] = {}
    for number, place in enumerate(drawn["places"]):
        for x, y in dots(place["path"]):
            cells.setdefault((x // NEAR, y // NEAR), set()).add((number, (x, y)))
    close: set[tuple[int, int, Point]] = set()
    for (column, row), here in cells.items():
        around = [cells.get((column + dx, row + dy), set()) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        for a, at in here:
            close |= {(a, b, at) for there in around for b, to in there if a < b and math.dist(at, to) < NEAR}
    return Counter((a, b) for a, b, _ in close)


def pairs(board: Board) -> set[tuple[int, int]]:
    return {(border.a, border.b) for border in board.borders}


@boards
def test_every_place_is_drawn_inside_the_picture(board: Board) -> None:
    drawn = map_of(board)
    assert drawn["board"] == board.name
    assert len(drawn["places"]) == board.size
    for place in drawn["places"]:
        corners = [point for loop in loops(place["path"]) for point in loop]
        assert len(corners) > 8
        assert all(0 <= x <= 10 * drawn["width"] and 0 <= y <= 10 * drawn["height"] for x, y in corners)


@boards
def test_armies_stand_in_their_place_with_some_room(board: Board) -> None:
    for number, place in enumerate(map_of(board)["places"]):
        x, y = 10 * place["x"], 10 * place["y"]
        assert inside(place["path"], x, y), board.names[number]
        assert min(distance(side, x, y) for side in sides(place["path"])) > 45, board.names[number]


@boards
def test_armies_of_two_places_do_not_overlap(board: Board) -> None:
    at = [(place["x"], place["y"]) for place in map_of(board)["places"]]
    assert min(math.dist(at[a], at[b]) for b in range(board.size) for a in range(b)) > 20


@boards
def test_places_that_touch_are_neighbours_and_all_others_have_a_link(board: Board) -> None:
    drawn = map_of(board)
    shared = common_lengths(drawn)
    linked = {(link["a"], link["b"]) for link in drawn["links"]}
    blocked = {(border.a, border.b) for border in board.blocked}
    assert set(shared) - blocked | linked == pairs(board)
    assert not set(shared) & linked
    assert linked >= {(border.a, border.b) for border in board.borders if border.kind == "sea"}
    assert all(common > 40 for pair, common in shared.items() if pair not in blocked), "a border too short to see"


@boards
def test_no_other_places_look_like_neighbours(board: Board) -> None:
    close = near_dots(map_of(board))
    known = pairs(board) | {(border.a, border.b) for border in board.blocked}
    false = {f"{board.names[a]} - {board.names[b]}": much for (a, b), much in close.items() if (a, b) not in known}
    assert {pair: much for pair, much in false.items() if much > 6} == {}


@boards
def test_links_lead_from_place_to_place(board: Board) -> None:
    drawn = map_of(board)
    wraps = {(border.a, border.b) for border in board.wraps}
    for link in drawn["links"]:
        parts = [tenths(part) for part in link["path"].split("M")[1:]]
        if (link["a"], link["b"]) in wraps:
            ends = [part[0] for part in parts]
            assert sorted(part[-1][0] for part in parts) == [0, 10 * drawn["width"]]
        else:
            (part,) = parts
            ends = [part[0], part[-1]]
        for place, end in zip((link["a"], link["b"]), ends, strict=True):
            path = drawn["places"][place]["path"]
            assert inside(path, *end) or min(distance(side, *end) for side in sides(path)) < 50, link


@boards
def test_mountains_are_drawn_where_the_board_has_them(board: Board) -> None:
    drawn = {(line["a"], line["b"]) for line in map_of(board)["blocked"]}
    assert drawn == {(border.a, border.b) for border in board.blocked}


@boards
def test_frontiers_are_borders_between_regions(board: Board) -> None:
    """Each has its length from the outlines of the places on both sides."""
    drawn = map_of(board)
    shared = common_lengths(drawn)
    apart = sum(common for (a, b), common in shared.items() if board.region_of[a] != board.region_of[b])
    parts = re.findall(r"l([^a-zA-Z]+)", drawn["frontiers"])
    assert sum(math.hypot(*step) for part in parts for step in tenths(part)) == pytest.approx(apart)


@boards
def test_a_map_is_small(board: Board) -> None:
    text = json.dumps(map_of(board)).encode()
    assert len(text) < 60_000
    assert len(gzip.compress(text)) < 25_000


def test_a_border_that_is_switched_off_has_no_link() -> None:
    board = load("ad2210", "land", disputed=False)
    (off,) = load("ad2210", "land").disputed
    linked = [{(link["a"], link["b"]) for link in map_of(one)["links"]} for one in (load("ad2210", "land"), board)]
    assert linked[0] - linked[1] == {(off.a, off.b)}
    assert linked[1] <= pairs(board)
