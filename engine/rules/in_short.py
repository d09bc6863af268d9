"""Every section of a rulebook in a sentence or two, with the numbers that the section was made with."""

from collections.abc import Callable, Sequence
from typing import Final, cast

from engine.rules.section import Section
from engine.rules.sections.cards import (
    BOTTOM,
    FORCED_AT_START,
    STOP_TRADING_AT,
    WILDS,
    CardDraw,
    TerritoryDeck,
    Trading,
)
from engine.rules.sections.combat import ATTACK_DICE, Combat
from engine.rules.sections.fortify import FortifyAdjacent, FortifyConnected
from engine.rules.sections.income import Deploy, Income, RegionIncome
from engine.rules.sections.setup import Claiming, HighestDie, SetupPlacing
from engine.rules.sections.turns import Turns


def in_words(sections: Sequence[Section], players: Sequence[int]) -> list[str]:
    """The sections of a variant for these numbers of players."""
    rolls = [section for section in sections if isinstance(section, HighestDie)]
    told: list[str] = []
    for section in sections:
        if isinstance(section, HighestDie):
            told.append(_highest_die(rolls.index(section), len(rolls)))
        elif isinstance(section, Claiming):
            told.append(_claiming(section, players))
        else:
            words = WORDS[type(section)]
            told.append(words if isinstance(words, str) else words(section))
    return told


def players_in_short(counts: Sequence[int]) -> str:
    """`3-6`, or the numbers one by one where there are gaps."""
    low, high = counts[0], counts[-1]
    if low == high:
        return str(low)
    if high - low + 1 == len(counts):
        return f"{low}-{high}"
    return ", ".join([str(count) for count in counts])


def _highest_die(number: int, rolls: int) -> str:
    begins = "begins" if rolls == 1 else ("begins placing", "takes the first turn")[number]
    return f"Everybody rolls a die and the highest {begins}; those who tie roll again."


def _claiming(section: Claiming, players: Sequence[int]) -> str:
    counts = ", ".join(f"{section.armies[seats]} with {seats} players" for seats in players)
    return f"Starting armies: {counts}. In turn everybody claims an empty territory with one of them."


def _trading(section: Section) -> str:
    trading = cast(Trading, section)
    values = ", ".join(str(trading.value(sets)) for sets in range(6))
    where = "under the pile" if trading.traded_to == BOTTOM else "to the discards"
    bonus = f" A traded card of an own territory brings {trading.territory_bonus} armies there, once a turn."
    return (
        f"Sets of three cards pay {values}, then 5 more each time; traded cards go {where}."
        f" With {FORCED_AT_START} cards at the start of a turn a trade must be made;"
        f" with {trading.forced_after_elimination} or more after an elimination,"
        f" until {STOP_TRADING_AT} or fewer are left."
    ) + (bonus if trading.territory_bonus else "")


WORDS: Final[dict[type[Section], str | Callable[[Section], str]]] = {
    SetupPlacing: "The rest of the starting armies is placed one at a time, in turn.",
    TerritoryDeck: f"The cards: one for each territory, and {WILDS} wild ones.",
    Turns: "Turns go round. At the round limit, land with region bonuses decides, then armies.",
    Income: "Armies at the start of a turn: a third of the own territories, at least 3.",
    RegionIncome: "The bonus of every region that is held whole comes with them.",
    Trading: _trading,
    Deploy: "Everything received is placed on own territories before the turn goes on.",
    Combat: f"Attack neighbours with 1 to {ATTACK_DICE} dice against 1 or 2; the highest are compared,"
    " ties go to the defender. Who captures moves in with at least the dice rolled."
    " Who eliminates a player takes the cards.",
    CardDraw: "A turn with a capture brings one card.",
    FortifyAdjacent: "Fortify: one move of armies from an own territory to an own neighbour.",
    FortifyConnected: "Fortify: one move of armies along connected own territories, however far.",
}
