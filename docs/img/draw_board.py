"""Draws a board as SVG from its data: `python docs/img/draw_board.py classic > docs/img/classic.svg`."""

import sys
from html import escape

from engine.rules.boards.board import Board, load

WIDTH, HEIGHT, MARGIN = 1000, 600, 14
COLOURS = ("#e0a83e", "#c8643c", "#5b7fb9", "#8f6a45", "#6c9a58", "#8e62a3", "#4c9a98", "#b5577b")
STYLE = """
  text { font-family: "Segoe UI", "Helvetica Neue", Arial, sans-serif; text-anchor: middle }
  .place { font-size: 13px; font-weight: 600; fill: #24313d }
  .region { font-size: 15px; fill: #24313d; text-anchor: start }
  .land { stroke: #3d4c59; stroke-width: 2 }
  .sea { stroke: #5d7f99; stroke-width: 2; stroke-dasharray: 2 6; stroke-linecap: round }
  .area { stroke-width: 62; stroke-linejoin: round; stroke-linecap: round; opacity: .3 }
"""


def area(board: Board, region: int) -> str:
    """The region as a broad line along its inner borders, and its triangles filled."""
    inside = set(board.members[region])
    lines = [(a, b) for a, b, _ in board.borders if {a, b} <= inside]
    parts = [f"M{board.x[a]} {board.y[a]}L{board.x[b]} {board.y[b]}" for a, b in lines]
    for a, b in lines:
        for c in sorted(inside & set(board.neighbours[a]) & set(board.neighbours[b])):
            if c > b:
                corners = [f"{board.x[p]} {board.y[p]}" for p in (a, b, c)]
                parts.append(f"M{'L'.join(corners)}Z")
    colour = COLOURS[region]
    return f'<path class="area" stroke="{colour}" fill="{colour}" d="{"".join(parts)}"/>'


def lines(board: Board, a: int, b: int, kind: str, wraps: bool) -> list[str]:
    """A border; one that goes round the world leaves at both sides of the picture."""
    ends = [(board.x[a], board.y[a]), (board.x[b], board.y[b])]
    if not wraps:
        return [line(ends[0], ends[1], kind)]
    left, right = sorted(ends)
    return [
        line(left, (MARGIN, left[1] - 6), kind),
        line(right, (WIDTH - MARGIN, right[1] - 6), kind),
    ]


def line(start: tuple[int, int], end: tuple[int, int], kind: str) -> str:
    style = "land" if kind == "land" else "sea"
    return f'<line class="{style}" x1="{start[0]}" y1="{start[1]}" x2="{end[0]}" y2="{end[1]}"/>'


def place(board: Board, number: int) -> str:
    x, y, colour = board.x[number], board.y[number], COLOURS[board.region_of[number]]
    circle = f'<circle cx="{x}" cy="{y}" r="19" fill="#fbf8f1" stroke="{colour}" stroke-width="4"/>'
    text = f'<text class="place" x="{x}" y="{y + 4}">{board.shorts[number]}</text>'
    return f"<g><title>{escape(board.names[number])}</title>{circle}{text}</g>"


def legend(board: Board, region: int) -> str:
    x = WIDTH * (2 * region + 1) // (2 * len(board.region_names))
    text = f"{board.region_names[region]} +{board.region_bonus[region]}"
    dot = f'<circle cx="{x - 68}" cy="{HEIGHT - 21}" r="6" fill="{COLOURS[region]}"/>'
    return f'{dot}<text class="region" x="{x - 56}" y="{HEIGHT - 16}">{escape(text)}</text>'


def draw(board: Board) -> str:
    regions = range(len(board.region_names))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{escape(board.title)}: places, borders and regions</title>",
        f"<style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="12" fill="#eaf1f5"/>',
        *[area(board, region) for region in regions],
    ]
    for border in board.borders:
        parts += lines(board, border.a, border.b, border.kind, border in board.wraps)
    parts += [place(board, number) for number in range(board.size)]
    parts += [legend(board, region) for region in regions]
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(draw(load(sys.argv[1])))
