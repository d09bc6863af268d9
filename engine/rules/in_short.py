"""Every section of a rulebook in a sentence or two, with the numbers that the section was made with."""

from collections.abc import Callable, Sequence
from typing import Final, cast

from engine.rules.decks.missions import TIMES
from engine.rules.section import Section
from engine.rules.sections.cards import (
    BOTTOM,
    BY_ONE,
    FIXED,
    FIXED_VALUES,
    FORCED_AT_START,
    ONE_OF_EACH,
    STOP_TRADING_AT,
    WILDS,
    CardDraw,
    TerritoryDeck,
    Trading,
)
from engine.rules.sections.classic.allies import (
    DISLOYAL_UP_TO,
    MOST_STORED,
    AlliedCombat,
    Bribing,
    FortifyWithAllies,
    ReinforceAllies,
)
from engine.rules.sections.classic.experts import (
    CAP,
    CappedDeploy,
    CappedSetupPlacing,
    Commander,
    FortifyMany,
    Reroll,
)
from engine.rules.sections.classic.headquarters import Headquarters
from engine.rules.sections.classic.missions import ClaimTime, DealtMissions, Missions, Muster
from engine.rules.sections.classic.neutrals import NeutralCombat, PlacingWithNeutrals
from engine.rules.sections.classic.secret_missions import SecretMissions
from engine.rules.sections.classic.team import TeamCombat, TeamDeploy, TeamFortify, Teams
from engine.rules.sections.combat import ATTACK_DICE, Combat
from engine.rules.sections.dealing import DealtLand, General
from engine.rules.sections.fortify import FortifyAdjacent, FortifyConnected
from engine.rules.sections.income import Deploy, Income, RegionIncome
from engine.rules.sections.setup import Claiming, HighestDie, SetupPlacing
from engine.rules.sections.turns import Turns
from engine.rules.variants import Variant, ruleset


def rules_in_words(variant: Variant) -> list[str]:
    """The sections of a variant; what is different with two players, if it is also for more, comes last."""
    counts = variant.players
    more = [count for count in counts if count > 2] or list(counts)
    sections = ruleset(variant.name, more[-1]).sections
    if len(more) == len(counts):
        return in_words(sections, more)
    two = in_words(ruleset(variant.name, 2).sections, (2,))
    told = in_words(sections, more)
    return told + [f"With 2 players: {words}" for words in two if words not in told]


def in_words(sections: Sequence[Section], players: Sequence[int]) -> list[str]:
    """The sections of a variant for these numbers of players."""
    rolls = [section for section in sections if isinstance(section, HighestDie)]
    told: list[str] = []
    for section in sections:
        if isinstance(section, HighestDie):
            told.append(_highest_die(rolls.index(section), len(rolls)))
        elif isinstance(section, Claiming):
            told.append(_claiming(section, players))
        elif isinstance(section, Headquarters):
            told.append(_headquarters(section, players))
        elif isinstance(section, DealtLand):
            told.append(_dealt_land(section, players))
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
    values = _values(trading)
    where = "under the pile" if trading.traded_to == BOTTOM else "to the discards"
    bonus = f" A traded card of an own territory brings {trading.territory_bonus} armies there, once a turn."
    spoils = (
        f" With {trading.forced_after_elimination} or more after an elimination too,"
        f" until {STOP_TRADING_AT} or fewer are left."
    )
    return (
        f"Sets of three cards pay {values}; traded cards go {where}."
        f" With {FORCED_AT_START} cards at the start of a turn a trade must be made."
        + (spoils if trading.forced_after_elimination else "")
        + (bonus if trading.territory_bonus else "")
    )


def _values(trading: Trading) -> str:
    if trading.values == FIXED:
        alike = ", ".join(str(value) for value in FIXED_VALUES)
        return f"{alike} for three alike, by their symbol, and {ONE_OF_EACH} for one of each"
    first = ", ".join(str(trading.value(sets, [])) for sets in range(6))
    return f"{first}, then {1 if trading.values == BY_ONE else 5} more each time"


def _headquarters(section: Headquarters, players: Sequence[int]) -> str:
    counts = ", ".join(f"{section.others[seats]} with {seats} players" for seats in players)
    return (
        "Everybody chooses an own territory for its headquarters, in secret; all are revealed together, and their"
        " cards leave the deck. Who holds its own on its turn and enough of the others wins:"
        f" {counts}. Losing one's own eliminates nobody."
    )


def _dealt_missions(section: Section) -> str:
    missions = cast(DealtMissions, section).missions
    made = len([mission for mission in missions if mission.status == "reconstructed"])
    note = f" {made} of the {len(missions)} cards are reconstructed." if made else ""
    if isinstance(section, SecretMissions):
        return "One of 12 secret missions each; who fulfils it first, on anybody's turn, wins." + note
    return (
        "Four missions each, one of every rank. One a turn may be claimed, at the time that its card names; the"
        " last that is left lies open. Who has claimed all wins." + note
    )


def _claim_time(section: Section) -> str:
    return f"A mission may be claimed here: {TIMES[cast(ClaimTime, section).time].replace('_', ' ')}."


def _dealt_land(section: DealtLand, players: Sequence[int]) -> str:
    dealt = "All territories are dealt by chance; each gets one army of its owner."
    if players[0] > 2:
        return dealt
    own, neutral = section.armies[0], section.armies[-1]
    return f"Starting armies: {own} for each player and {neutral} for each neutral force. {dealt}"


def _placing_with_neutrals(section: Section) -> str:
    placing = cast(PlacingWithNeutrals, section)
    neutral = "of the neutral force" if placing.forces == 1 else f"of each of {placing.forces} neutral forces"
    return f"In turn everybody places {placing.own} armies of its own and one {neutral}, until all are placed."


COMBAT: Final = (
    f"Attack neighbours with 1 to {ATTACK_DICE} dice against 1 or 2; the highest are compared,"
    " ties go to the defender. Who captures moves in with at least the dice rolled."
)
SPOILS: Final = " Who eliminates a player takes the cards."

WORDS: Final[dict[type[Section], str | Callable[[Section], str]]] = {
    SetupPlacing: "The rest of the starting armies is placed one at a time, in turn.",
    TerritoryDeck: f"The cards: one for each territory, and {WILDS} wild ones.",
    Turns: "Turns go round. At the round limit, land with region bonuses decides, then armies.",
    Income: "Armies at the start of a turn: a third of the own territories, at least 3.",
    RegionIncome: "The bonus of every region that is held whole comes with them.",
    Trading: _trading,
    Deploy: "Everything received is placed on own territories before the turn goes on.",
    Combat: COMBAT + SPOILS,
    CardDraw: "A turn with a capture brings one card.",
    FortifyAdjacent: "Fortify: one move of armies from an own territory to an own neighbour.",
    FortifyConnected: "Fortify: one move of armies along connected own territories, however far.",
    General: "One player is elected by chance to deal; the next one is dealt to first, and begins.",
    PlacingWithNeutrals: _placing_with_neutrals,
    NeutralCombat: f"{COMBAT}{SPOILS} The attacker's opponent chooses the dice of a neutral force.",
    Bribing: "A card given to a neutral force moves it one place towards the giver: from the opponent's side to"
    f" nobody's, from nobody's to one's own. It takes {MOST_STORED} cards at most; only the giver knows them.",
    ReinforceAllies: "Each ally may receive the armies of a die, on its own land.",
    AlliedCombat: f"{COMBAT} Allies attack like own armies and keep what they take; the opponent chooses the dice"
    " of neutral forces. After an invasion every neutral force that was attacked or fought is tested: on 1 to"
    f" {DISLOYAL_UP_TO} it moves one place away. Who eliminates one takes its cards.",
    FortifyWithAllies: "Fortify: one move along connected own territories, then one for each ally along its own.",
    TeamDeploy: "Everything received is placed where one has an army, on a mate's land too.",
    TeamCombat: f"{COMBAT} One attacks with armies of one's own; all that stand on a place defend it, and its"
    " controller, who has most there, says whose fall. The first player without an army loses for the team.",
    TeamFortify: "Fortify: one move of own armies to any territory of the team, along its connected land.",
    Teams: "Mates share a hand, which the next of the team takes over at the end of a turn.",
    SecretMissions: _dealt_missions,
    Missions: _dealt_missions,
    ClaimTime: _claim_time,
    Muster: "What was received this turn is counted for the missions.",
    CappedSetupPlacing: f"The rest of the starting armies is placed one at a time, {CAP} at most on a territory.",
    CappedDeploy: f"Everything received is placed, at most {CAP} armies on a territory; what has no room is lost.",
    FortifyMany: "Fortify: any number of moves along connected own territories; an army moves once.",
    Reroll: "The attacker may show the card of one of the territories and roll one own die again, once a roll.",
    Commander: "Once a turn the attacker sets a die that it has just rolled to six.",
}
