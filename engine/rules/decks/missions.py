"""Decks of missions, read from the JSON files beside this one, and what their conditions mean.

A user who has the printed cards writes them in the same form and names the file in CONQUEST_MISSIONS; the option
`mission_cards` of a match, the check number of that file, then plays with it. docs/missions.md is the guide.
"""

import hashlib
import json
import os
from typing import Any, Final, NamedTuple

from engine.rules import decks
from engine.rules.boards.board import Board
from engine.rules.choices import NO_CARD
from engine.rules.errors import BadSetting, RulesError
from engine.rules.ruleset import Ruleset
from engine.rules.state import COLOURS, DEFEATED, ENTERED, MUSTERED, WHOLE, State

USERS_FILE: Final = "CONQUEST_MISSIONS"
TIMES: Final = ("start_of_turn", "after_reinforcements", "end_of_turn")
AT_ANY_TIME: Final = -1


class Condition(NamedTuple):
    """So much of something that must be reached: CONDITIONS says of what, the other numbers say more."""

    kind: str
    need: int
    armies: int = 1
    regions: tuple[int, ...] = ()
    colour: int = -1


class Mission(NamedTuple):
    name: str
    rank: str
    time: int  # when it may be claimed, as TIMES
    condition: Condition
    text: str
    status: str  # where the card is from: sourced, reconstructed, printed


# Kinds of condition, with the numbers that each takes. Those of a turn come last.
CONDITIONS: Final = {
    "control_territories": ("count", "min_armies"),
    "stacks": ("territories", "min_armies"),
    "control_continents": ("continents", "extra_any"),
    "control_any_continents": ("count", "from"),
    "control_islands": ("count",),
    "presence_in_continents": ("count",),
    "destroy_color": ("color",),
    "conquered_this_turn": ("count",),
    "conquered_in_continents_this_turn": ("count",),
    "broke_continent_this_turn": ("count",),
    "eliminated_player_this_turn": ("count",),
    "reinforcements_this_turn": ("count",),
}


def holds(r: Ruleset, s: State, seat: int, c: Condition) -> bool:
    reached = this_turn(s, c.kind) if c.kind.endswith("_this_turn") else on_board(r, s, seat, c)
    return reached >= c.need


def this_turn(s: State, kind: str) -> int:
    """How often the active seat did it in this turn."""
    if kind == "conquered_this_turn":
        return s.captures
    if kind == "conquered_in_continents_this_turn":
        return bits(s.tally[ENTERED])
    if kind == "broke_continent_this_turn":
        return bits(s.tally[ENTERED] & s.tally[WHOLE])
    return s.tally[DEFEATED] if kind == "eliminated_player_this_turn" else s.tally[MUSTERED]


def on_board(r: Ruleset, s: State, seat: int, c: Condition) -> int:
    """How much of it the seat has now."""
    if c.kind == "destroy_color":
        return 1 if c.colour != seat and s.fell[c.colour] > 0 else 0  # whoever did it
    if c.kind == "control_islands":
        return len([place for place in r.board.islands if s.owner[place] == seat])
    if c.kind == "presence_in_continents":
        count = len(r.board.region_size)
        return len([held for held in s.regions[seat * count : (seat + 1) * count] if held])
    if c.kind == "control_any_continents":
        return whole(r, s, seat, c.regions)
    if c.kind == "control_continents":
        others = whole(r, s, seat, tuple(range(len(r.board.region_size))))
        return others if whole(r, s, seat, c.regions) == len(c.regions) else 0
    return len([place for place, owner in enumerate(s.owner) if owner == seat and s.armies[place] >= c.armies])


def whole(r: Ruleset, s: State, seat: int, regions: tuple[int, ...]) -> int:
    """How many of these regions the seat holds whole."""
    first, sizes = seat * len(r.board.region_size), r.board.region_size
    return len([region for region in regions if s.regions[first + region] == sizes[region]])


def bits(mask: int) -> int:
    return len([place for place in range(mask.bit_length()) if mask >> place & 1])


# Reading


def read_deck(data: Any, board: Board) -> tuple[Mission, ...]:
    """The missions of a file, rank by rank; RulesError names the card that cannot be."""
    ranks = [rank["id"] for rank in data["ranks"]]
    missions = [read_mission(card, board, ranks) for card in data["cards"]]
    names = [mission.name for mission in missions]
    if len(set(names)) < len(names) or board.size + 1 + len(names) > NO_CARD:
        raise RulesError("the missions of a deck have different names, and there are not more than 80")
    return tuple(sorted(missions, key=lambda mission: ranks.index(mission.rank)))


def read_mission(card: Any, board: Board, ranks: list[str]) -> Mission:
    try:
        time = TIMES.index(card["claim_at"]) if "claim_at" in card else AT_ANY_TIME
        if card["rank"] not in ranks or " " in card["id"]:
            raise ValueError("its rank is not in the list, or its id has a space")
        condition = read_condition(card["condition"], board)
        return Mission(card["id"], card["rank"], time, condition, card["text"], card["status"])
    except (LookupError, TypeError, ValueError) as error:
        raise RulesError(f"mission {card.get('id', card)} cannot be read: {error!r}") from None


def read_condition(data: Any, board: Board) -> Condition:
    kind, numbers = data["type"], data["params"]
    known = CONDITIONS[kind]
    unknown = [name for name in numbers if name not in known]
    if unknown:
        raise ValueError(f"{kind} does not take {', '.join(unknown)}")
    listed = numbers.get("continents", numbers.get("from", board.region_ids))
    need = numbers.get("count", numbers.get("territories", 1))
    if kind == "control_continents":
        need = len(listed) + numbers.get("extra_any", 0)
    return Condition(
        kind,
        int(need),
        int(numbers.get("min_armies", 1)),
        tuple([board.region_ids.index(name) for name in listed]),
        COLOURS.index(numbers["color"]) if "color" in numbers else -1,
    )


def _read(path: str) -> Any:
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def check_number(data: Any) -> int:
    """Tells decks apart: 1 to 65535, from all that the file says."""
    text = json.dumps(data, sort_keys=True)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:2], "big") or 1


# All files are read once, when the rules are imported.
_FOLDER: Final[str] = decks.__path__[0]
_SECRET: Final[Any] = _read(os.path.join(_FOLDER, "secret_missions.json"))
_OURS: Final[Any] = _read(os.path.join(_FOLDER, "missions.json"))
_THEIRS: Final[Any] = _read(os.environ[USERS_FILE]) if os.environ.get(USERS_FILE) else None
USERS_NUMBER: Final[int] = check_number(_THEIRS) if _THEIRS is not None else 0


def secret_missions(board: Board) -> tuple[Mission, ...]:
    return read_deck(_SECRET, board)


def ranked_missions(board: Board, number: int) -> tuple[Mission, ...]:
    """The deck of that check number; 0 is the one that comes with the engine."""
    if number == 0:
        return read_deck(_OURS, board)
    if number != USERS_NUMBER:
        there = f"the file in {USERS_FILE} has {USERS_NUMBER}" if USERS_NUMBER else f"{USERS_FILE} names no file"
        raise BadSetting(f"mission_cards={number} is not there: {there}.")
    return read_deck(_THEIRS, board)
