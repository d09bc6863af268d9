"""Every variant, as the contents page of its rulebook: board, players, options, sections in order."""

from collections.abc import Callable
from typing import Final, NamedTuple

from engine.rules.boards.board import Board, load
from engine.rules.errors import BadSetting, UnknownName
from engine.rules.ruleset import Ruleset
from engine.rules.section import Section
from engine.rules.sections.cards import BOTTOM, DISCARD, CardDraw, TerritoryDeck, Trading
from engine.rules.sections.combat import Combat
from engine.rules.sections.fortify import FortifyAdjacent, FortifyConnected
from engine.rules.sections.income import Deploy, Income, RegionIncome
from engine.rules.sections.setup import Claiming, HighestDie, SetupPlacing
from engine.rules.sections.turns import Turns

STARTING_ARMIES: Final = {3: 35, 4: 30, 5: 25, 6: 20}


class Setting(NamedTuple):
    """An option of a variant: a whole number, or off and on as 0 and 1."""

    name: str
    default: int
    low: int
    high: int
    about: str


ROUNDS: Final = Setting("rounds", 100, 1, 1000, "the match ends after so many full rounds")
DISPUTED: Final = Setting("disputed_border", 1, 0, 1, "Exiled States of America and Canada are neighbours")


# How a variant is won, as a rule: which of these it is decides how much a tie says in ratings.
CONQUEST: Final = "conquest"
GOAL: Final = "goal"  # headquarters, missions: the survivors often tie
SCORE: Final = "score"

DOMINATION: Final = "domination"  # the family of those who play for the whole board, each for himself


class Table(NamedTuple):
    """What the sections of a variant are made for."""

    board: Board
    seats: int
    settings: dict[str, int]


class Variant(NamedTuple):
    name: str
    version: int
    title: str
    about: str
    family: str  # variants in which the same skill counts
    won_by: str
    board: str
    layer: str
    players: tuple[int, ...]
    settings: tuple[Setting, ...]
    sections: Callable[[Table], tuple[Section, ...]]
    instead: str = ""  # added to the error about a number of players
    teams: int = 0  # that sit in turn around the table; 0: everybody for himself


def booklet(table: Table) -> tuple[Section, ...]:
    return (
        HighestDie(),
        Claiming(STARTING_ARMIES),
        SetupPlacing(),
        TerritoryDeck(),
        Turns(),
        Income(),
        RegionIncome(),
        Trading(table.board, territory_bonus=2, forced_after_elimination=6, traded_to=BOTTOM),
        Deploy(),
        Combat(table.board),
        CardDraw(),
        FortifyAdjacent(),
    )


def officers(table: Table) -> tuple[Section, ...]:
    return (
        HighestDie(),
        Claiming(STARTING_ARMIES),
        SetupPlacing(),
        HighestDie(),
        TerritoryDeck(),
        Turns(),
        Income(),
        RegionIncome(),
        Trading(table.board, territory_bonus=0, forced_after_elimination=5, traded_to=DISCARD),
        Deploy(),
        Combat(table.board),
        FortifyConnected(),
        CardDraw(),
    )


def summary(table: Table) -> tuple[Section, ...]:
    return (
        HighestDie(),
        Claiming(STARTING_ARMIES),
        SetupPlacing(),
        TerritoryDeck(),
        Turns(),
        Income(),
        RegionIncome(),
        Trading(table.board, territory_bonus=2, forced_after_elimination=6, traded_to=DISCARD),
        Deploy(),
        Combat(table.board),
        CardDraw(),
        FortifyAdjacent(),
    )


VARIANTS: Final = {
    variant.name: variant
    for variant in (
        Variant(
            "classic",
            1,
            "Classic",
            "Conquer the world. Neighbours fortify, traded territories bring armies, sets go under the pile.",
            DOMINATION,
            CONQUEST,
            "classic",
            "land",
            (3, 4, 5, 6),
            (ROUNDS,),
            booklet,
        ),
        Variant(
            "officers",
            1,
            "Officers",
            "A new roll for the first turn, fortifying along connected land, a discard pile, the card last.",
            DOMINATION,
            CONQUEST,
            "classic",
            "land",
            (3, 4, 5, 6),
            (ROUNDS,),
            officers,
        ),
        Variant(
            "summary",
            1,
            "Summary",
            "The classic game as a short summary tells it: traded sets lie aside until the pile is empty.",
            DOMINATION,
            CONQUEST,
            "classic",
            "land",
            (3, 4, 5, 6),
            (ROUNDS,),
            summary,
            " Two players will play 'classic', which does not take them yet.",
        ),
        Variant(
            "ad2210-classic",
            1,
            "2210 Classic",
            "The classic game on the land map of 2210.",
            DOMINATION,
            CONQUEST,
            "ad2210",
            "land",
            (3, 4, 5),
            (ROUNDS, DISPUTED),
            booklet,
        ),
        Variant(
            "godstorm-classic",
            1,
            "Godstorm Classic",
            "The classic game on the ancient map, whose mountains block the way.",
            DOMINATION,
            CONQUEST,
            "godstorm",
            "earth",
            (3, 4, 5),
            (ROUNDS,),
            booklet,
        ),
    )
}

_rulesets: dict[tuple[str, int, tuple[tuple[str, int], ...]], Ruleset] = {}


def find(name: str) -> Variant:
    if name not in VARIANTS:
        raise UnknownName("variant", name, list(VARIANTS))
    return VARIANTS[name]


def settings_of(variant: Variant, given: dict[str, int]) -> dict[str, int]:
    """The variant's settings, the given ones checked and the others at their default."""
    known = {setting.name: setting for setting in variant.settings}
    for name, value in given.items():
        if name not in known:
            raise UnknownName(f"option of {variant.name}", name, list(known))
        low, high = known[name].low, known[name].high
        if not low <= value <= high:
            raise BadSetting(f"option {name}={value} of {variant.name} must be between {low} and {high}.")
    return {name: given.get(name, setting.default) for name, setting in known.items()}


def ruleset(name: str, seats: int, options: dict[str, int] | None = None) -> Ruleset:
    """The variant made ready to play; built once for each number of seats and options."""
    variant = find(name)
    settings = settings_of(variant, options or {})
    if seats not in variant.players:
        counts = ", ".join(str(count) for count in variant.players)
        raise BadSetting(f"{name} is for {counts} players, not for {seats}.{variant.instead}")
    key = (name, seats, tuple(sorted(settings.items())))
    if key not in _rulesets:
        board = load(variant.board, variant.layer, settings.get("disputed_border", 1) == 1)
        sections = variant.sections(Table(board, seats, settings))
        _rulesets[key] = Ruleset(name, variant.version, board, seats, settings, sections)
    return _rulesets[key]
