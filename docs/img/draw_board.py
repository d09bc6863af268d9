"""Draws a board as SVG from its map: `python docs/img/draw_board.py classic land > docs/img/classic.svg`."""

import sys
from html import escape

from engine.rules.boards.board import Board, load
from leaderboard.maps import BoardMap, Shape, map_of

FOOT = 44  # below the map, for the names of the regions
COLOURS = ("#e3ab4b", "#cf7350", "#6d93c9", "#a88660", "#7fae6b", "#a27bb5", "#5aa6a3", "#c06a8c")
STYLE = """
  text { font-family: "Segoe UI", "Helvetica Neue", Arial, sans-serif; text-anchor: middle; fill: #24313d }
  .coast { fill: none; stroke: #a9c0cd; stroke-width: 5; stroke-linejoin: round }
  .land { stroke: #f4f8fa; stroke-width: 1; stroke-linejoin: round }
  .frontier { fill: none; stroke: #24313d; stroke-width: 1.8; stroke-linejoin: round; stroke-linecap: round }
  .link { fill: none; stroke: #3c6480; stroke-width: 1.6; stroke-dasharray: .1 4; stroke-linecap: round }
  .mountain { fill: #5b4a3a; stroke: #f4f8fa; stroke-width: .6 }
  .nobody { fill: #d3dfe6 }
  .place { font-size: 12px; font-weight: 600; stroke: #fff; stroke-opacity: .75; stroke-width: 3px;
    paint-order: stroke }
  .region { font-size: 15px; text-anchor: start }
"""


def outline(board: Board, shape: Shape, place: int) -> str:
    return f'<path id="{board.shorts[place]}" d="{shape["path"]}"/>'


def coast(board: Board, place: int) -> str:
    return f'<use class="coast" href="#{board.shorts[place]}"/>'


def land(board: Board, place: int) -> str:
    use = f'<use class="land" fill="{COLOURS[board.region_of[place]]}" href="#{board.shorts[place]}"/>'
    return f"<g><title>{escape(board.names[place])}</title>{use}</g>"


def name(board: Board, shape: Shape, place: int) -> str:
    return f'<text class="place" x="{shape["x"]}" y="{shape["y"] + 4:.1f}">{escape(board.shorts[place])}</text>'


def legend(board: Board, drawn: BoardMap, region: int) -> str:
    x = drawn["width"] * (2 * region + 1) // (2 * len(board.region_names))
    y = drawn["height"] + FOOT // 2
    text = f"{board.region_names[region]} +{board.region_bonus[region]}"
    dot = f'<circle cx="{x - 68}" cy="{y - 5}" r="6" fill="{COLOURS[region]}"/>'
    return f'{dot}<text class="region" x="{x - 56}" y="{y}">{escape(text)}</text>'


def paths(kind: str, lines: list[str]) -> list[str]:
    return [f'<path class="{kind}" d="{line}"/>' for line in lines]


def draw(board: Board) -> str:
    drawn = map_of(board)
    width, height = drawn["width"], drawn["height"] + FOOT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        f"<title>{escape(board.title)}: places, borders and regions</title>",
        f"<style>{STYLE}</style>",
        f'<rect width="{width}" height="{height}" rx="12" fill="#e6eff4"/>',
        *paths("nobody", drawn["decor"]),
        "<defs>",
        *[outline(board, shape, place) for place, shape in enumerate(drawn["places"])],
        "</defs>",
        *[coast(board, place) for place in range(board.size)],
        *[land(board, place) for place in range(board.size)],
        *paths("frontier", [drawn["frontiers"]]),
        *paths("link", [link["path"] for link in drawn["links"]]),
        *paths("mountain", [line["path"] for line in drawn["blocked"]]),
        *[name(board, shape, place) for place, shape in enumerate(drawn["places"])],
        *[legend(board, drawn, region) for region in range(len(board.region_names))],
    ]
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(draw(load(sys.argv[1], sys.argv[2])))
