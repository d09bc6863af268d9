"""Every variant, as the contents page of its rulebook: board, players, options, sections in order."""

from collections.abc import Callable
from typing import Final, NamedTuple

from engine.rules.boards.board import load
from engine.rules.contents import (
    Table,
    booklet,
    capital,
    capital_short,
    godstorm_booklet,
    mission,
    neutral_active,
    neutral_passive,
    officers,
    secret_mission,
    summary,
    team,
)
from engine.rules.decks.missions import USERS_FILE, USERS_NUMBER
from engine.rules.errors import BadSetting, UnknownName
from engine.rules.ruleset import Ruleset
from engine.rules.section import Section


class Setting(NamedTuple):
    """An option of a variant: a whole number, or off and on as 0 and 1."""

    name: str
    default: int
    low: int
    high: int
    about: str


ROUNDS: Final = Setting("rounds", 100, 1, 1000, "the match ends after so many full rounds")
USERS_NOTE: Final = f", which is {USERS_NUMBER}" if USERS_NUMBER else ""
EXPERT: Final = (
    Setting("expert_set_values", 0, 0, 1, "each set pays one army more than the last, from 4"),
    Setting("expert_fortify", 0, 0, 1, "any number of moves along own land at the end of a turn"),
    Setting("expert_cap12", 0, 0, 1, "12 armies at most on a territory; what finds no room is lost"),
    Setting("expert_card_reroll", 0, 0, 1, "the attacker may show a card of the battle and roll one die again"),
    Setting("expert_commander", 0, 0, 1, "once a turn the attacker sets one die to six"),
)
EUROPEAN: Final = Setting(
    "european_fallback", 0, 0, 1, "if another destroys the target, 24 territories are to be held"
)
CONTINENTS: Final = Setting("continent_income", 1, 0, 1, "continents bring armies")
CARDS: Final = Setting(
    "mission_cards",
    0,
    0,
    65535,
    f"0: the reconstructed cards; else those of {USERS_FILE}{USERS_NOTE}",
)
DISPUTED: Final = Setting("disputed_border", 1, 0, 1, "Exiled States of America and Canada are neighbours")


# How a variant is won, as a rule: which of these it is decides how much a tie says in ratings.
CONQUEST: Final = "conquest"
GOAL: Final = "goal"  # headquarters, missions: the survivors often tie
SCORE: Final = "score"

# Families: in which variants the same skill counts.
DOMINATION: Final = "domination"  # for the whole board, each for himself
HEADQUARTERED: Final = "headquarters"
SENT: Final = "missions"
ALLIANCES: Final = "alliances"  # two players and neutral forces that take sides
TEAMS: Final = "teams"


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
            (2, 3, 4, 5, 6),
            (ROUNDS, *EXPERT),
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
            " Two players play 'classic'.",
        ),
        Variant(
            "neutral-passive",
            1,
            "Passive Neutrals",
            "Two players with four neutral forces between them, which stand in the way and never act.",
            DOMINATION,
            CONQUEST,
            "classic",
            "land",
            (2,),
            (ROUNDS,),
            neutral_passive,
        ),
        Variant(
            "neutral-active",
            1,
            "Active Neutrals",
            "Two players and four neutral forces that can be bribed, fight as allies and change sides.",
            ALLIANCES,
            CONQUEST,
            "classic",
            "land",
            (2,),
            (ROUNDS,),
            neutral_active,
        ),
        Variant(
            "team",
            1,
            "Team",
            "Two teams: mates share land and cards, and the first player to fall loses for its team.",
            TEAMS,
            CONQUEST,
            "classic",
            "land",
            (4, 6),
            (ROUNDS,),
            team,
            teams=2,
        ),
        Variant(
            "capital",
            1,
            "Capital",
            "Everybody has headquarters, chosen in secret and revealed together. Hold your own and all others.",
            HEADQUARTERED,
            GOAL,
            "classic",
            "land",
            (3, 4, 5, 6),
            (ROUNDS,),
            capital,
        ),
        Variant(
            "capital-short",
            1,
            "Capital, short",
            "As Capital, but two headquarters of others are enough with four players, three with five or six.",
            HEADQUARTERED,
            GOAL,
            "classic",
            "land",
            (4, 5, 6),
            (ROUNDS,),
            capital_short,
            " Three players have the full form only: 'capital'.",
        ),
        Variant(
            "secret-mission",
            1,
            "Secret Mission",
            "One secret mission each, over dealt land: who fulfils it first wins.",
            SENT,
            GOAL,
            "classic",
            "land",
            (3, 4, 5, 6),
            (ROUNDS, *EXPERT, EUROPEAN, CONTINENTS),
            secret_mission,
        ),
        Variant(
            "mission",
            1,
            "Mission",
            "Four missions each, easy to hard; claim one a turn, at its time, until all are claimed.",
            SENT,
            GOAL,
            "classic",
            "land",
            (3, 4, 5, 6),
            (ROUNDS, CARDS),
            mission,
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
            (2, 3, 4, 5),
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
            (2, 3, 4, 5),
            (ROUNDS,),
            godstorm_booklet,
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
        sections = variant.sections(Table(board, seats, settings, variant.teams))
        _rulesets[key] = Ruleset(name, variant.version, board, seats, settings, sections, variant.teams)
    return _rulesets[key]
