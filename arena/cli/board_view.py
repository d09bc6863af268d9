"""A position as a table: the regions, and who stands where with how much."""

from typing import Any

from arena.cli.output import STYLES, table
from engine.rules.notation import LETTERS
from engine.rules.ruleset import Ruleset
from engine.rules.state import COLOURS, NOBODY, State


def board_table(r: Ruleset, s: State, title: str) -> Any:
    """By region: each territory with its owner's letter and armies, in the owner's colour."""
    board = r.board
    rows = table(title, "region", "bonus", "territories", right=("bonus",))
    for region, members in enumerate(board.members):
        name = board.region_names[region]
        rows.add_row(name, str(board.region_bonus[region]), _members(r, s, members))
    return rows


def _members(r: Ruleset, s: State, members: list[int]) -> Any:
    from rich.columns import Columns
    from rich.text import Text

    cells = [Text.assemble(f"{r.board.names[place]} ", _owner(s, place)) for place in members]
    return Columns(cells, padding=(0, 3))


def _owner(s: State, place: int) -> tuple[str, str]:
    seat = s.owner[place]
    return ("-", "dim") if seat == NOBODY else (f"{LETTERS[seat]}{s.armies[place]}", f"bold {STYLES[seat]}")


def seat_text(seat: int, bot: str = "") -> Any:
    """`A strategist`, or `A black`, in the colour of the seat."""
    from rich.text import Text

    return Text(f"{LETTERS[seat]} {bot or COLOURS[seat]}", style=STYLES[seat])


def seats_table(r: Ruleset, s: State, bots: list[str]) -> Any:
    """What every seat has on the board."""
    counts = ("land", "armies", "income", "cards")
    rows = table("", "seat", *counts, right=counts)
    for row, bot in zip(seats_data(r, s), bots, strict=True):
        numbers = [row["territories"], row["armies"], row["income"] or "-", row["cards"]]
        rows.add_row(seat_text(row["seat"], bot), *[str(number) for number in numbers])
    return rows


def seats_data(r: Ruleset, s: State) -> list[dict[str, Any]]:
    return [
        {
            "seat": seat,
            "territories": s.held[seat],
            "armies": r.army_count(s, seat),
            "income": r.income(s, seat) if s.held[seat] else 0,
            "cards": len(s.hands[seat]),
        }
        for seat in range(s.seats)
    ]


def board_data(r: Ruleset, s: State) -> list[dict[str, Any]]:
    return [
        {
            "territory": r.board.shorts[place],
            "region": r.board.region_ids[r.board.region_of[place]],
            "seat": s.owner[place] if s.owner[place] != NOBODY else None,
            "armies": s.armies[place],
        }
        for place in range(r.board.size)
    ]
