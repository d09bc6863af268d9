"""Contents pages: the sections of every rulebook that is played by, in its order. variants.py gives them names."""

from typing import Final, NamedTuple

from engine.rules.boards.board import Board
from engine.rules.decks.missions import TIMES, ranked_missions
from engine.rules.ruleset import MOST_ARMIES
from engine.rules.section import Section
from engine.rules.sections.cards import BOTTOM, BY_ONE, DISCARD, FIXED, RISING, CardDraw, TerritoryDeck, Trading
from engine.rules.sections.classic.allies import AlliedCombat, Bribing, FortifyWithAllies, ReinforceAllies
from engine.rules.sections.classic.experts import (
    CAP,
    CappedDeploy,
    CappedSetupPlacing,
    Commander,
    FortifyMany,
    Reroll,
)
from engine.rules.sections.classic.headquarters import Headquarters
from engine.rules.sections.classic.missions import ClaimTime, Missions, Muster
from engine.rules.sections.classic.neutrals import NeutralCombat, PlacingWithNeutrals
from engine.rules.sections.classic.secret_missions import SecretMissions
from engine.rules.sections.classic.team import TeamCombat, TeamDeploy, TeamFortify, Teams
from engine.rules.sections.combat import Combat
from engine.rules.sections.dealing import DealtLand, General
from engine.rules.sections.fortify import FortifyAdjacent, FortifyConnected
from engine.rules.sections.income import Deploy, Income, RegionIncome
from engine.rules.sections.setup import Claiming, HighestDie, SetupPlacing
from engine.rules.sections.turns import Turns

STARTING_ARMIES: Final = {3: 35, 4: 30, 5: 25, 6: 20}
ALL_OTHERS: Final = {3: 2, 4: 3, 5: 4, 6: 5}  # headquarters of others to hold, by number of players
FEWER_OTHERS: Final = {4: 2, 5: 3, 6: 3}


class Table(NamedTuple):
    """What the sections of a variant are made for."""

    board: Board
    seats: int
    settings: dict[str, int]
    teams: int  # of the variant; 0: everybody alone

    def has(self, setting: str) -> bool:
        return self.settings.get(setting, 0) == 1

    @property
    def most(self) -> int:
        """Armies that may stand on a territory."""
        return CAP if self.has("expert_cap12") else MOST_ARMIES


def claimed_land(table: Table) -> tuple[Section, ...]:
    return HighestDie(), Claiming(STARTING_ARMIES), placing(table)


def placing(table: Table) -> Section:
    return CappedSetupPlacing() if table.has("expert_cap12") else SetupPlacing()


def one_neutral(table: Table, armies: int) -> tuple[Section, ...]:
    """Two players by the booklets: three piles of fourteen, of which one belongs to a neutral force."""
    return HighestDie(), DealtLand((armies,) * 3), PlacingWithNeutrals(1, own=2, most=table.most)


def four_neutrals() -> tuple[Section, ...]:
    """Two players by the manual, with a new roll for the first turn."""
    armies, most = (36, 36, 24, 24, 24, 24), (9, 9, 6, 6, 6, 6)
    return HighestDie(), DealtLand(armies, most), PlacingWithNeutrals(4, own=3), HighestDie()


def booklet_turn(table: Table) -> tuple[Section, ...]:
    values = BY_ONE if table.has("expert_set_values") else RISING
    return (
        Turns(),
        Income(),
        *([RegionIncome()] if table.settings.get("continent_income", 1) else []),
        Trading(table.board, 2, 6, BOTTOM, values, table.most),
        CappedDeploy() if table.has("expert_cap12") else Deploy(),
        (NeutralCombat if table.seats == 2 else Combat)(table.board, table.most),
        *([Reroll()] if table.has("expert_card_reroll") else []),
        *([Commander()] if table.has("expert_commander") else []),
        CardDraw(),
        FortifyMany(table.most) if table.has("expert_fortify") else FortifyAdjacent(table.most),
    )


def booklet(table: Table, armies_of_two: int = 40) -> tuple[Section, ...]:
    setup = one_neutral(table, armies_of_two) if table.seats == 2 else claimed_land(table)
    return (*setup, TerritoryDeck(), *booklet_turn(table))


def godstorm_booklet(table: Table) -> tuple[Section, ...]:
    return booklet(table, armies_of_two=30)


def capital(table: Table) -> tuple[Section, ...]:
    return (*claimed_land(table), TerritoryDeck(), Headquarters(ALL_OTHERS), *booklet_turn(table))


def capital_short(table: Table) -> tuple[Section, ...]:
    return (*claimed_land(table), TerritoryDeck(), Headquarters(FEWER_OTHERS), *booklet_turn(table))


def secret_mission(table: Table) -> tuple[Section, ...]:
    return (
        TerritoryDeck(),
        General(),
        SecretMissions(table.board, table.has("european_fallback")),
        DealtLand((STARTING_ARMIES[table.seats],) * table.seats),
        placing(table),
        *booklet_turn(table),
    )


def officers(table: Table) -> tuple[Section, ...]:
    return (
        *claimed_land(table),
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


def neutral_passive(table: Table) -> tuple[Section, ...]:
    return (
        *four_neutrals(),
        TerritoryDeck(),
        Turns(),
        Income(),
        RegionIncome(),
        Trading(table.board, territory_bonus=0, forced_after_elimination=5, traded_to=DISCARD),
        Deploy(),
        NeutralCombat(table.board),
        FortifyConnected(),
        CardDraw(),
    )


def neutral_active(table: Table) -> tuple[Section, ...]:
    return (
        *four_neutrals(),
        TerritoryDeck(),
        Turns(),
        Bribing(),
        Income(),
        RegionIncome(),
        Trading(table.board, territory_bonus=0, forced_after_elimination=5, traded_to=DISCARD),
        Deploy(),
        ReinforceAllies(),
        AlliedCombat(table.board),
        FortifyWithAllies(),
        CardDraw(),
    )


def team(table: Table) -> tuple[Section, ...]:
    return (
        *claimed_land(table),
        HighestDie(),
        TerritoryDeck(),
        Turns(),
        Income(),
        RegionIncome(),
        Trading(table.board, territory_bonus=0, forced_after_elimination=0, traded_to=DISCARD, values=FIXED),
        TeamDeploy(),
        TeamCombat(table.board, table.teams),
        TeamFortify(table.teams),
        CardDraw(),
        Teams(table.teams),
    )


def mission(table: Table) -> tuple[Section, ...]:
    return (
        TerritoryDeck(),
        Missions(table.board, ranked_missions(table.board, table.settings["mission_cards"])),
        *claimed_land(table),
        HighestDie(),
        Turns(),
        ClaimTime(TIMES.index("start_of_turn")),
        Income(),
        RegionIncome(),
        Trading(table.board, territory_bonus=0, forced_after_elimination=5, traded_to=DISCARD, values=FIXED),
        Muster(),
        Deploy(),
        ClaimTime(TIMES.index("after_reinforcements")),
        Combat(table.board),
        FortifyConnected(),
        CardDraw(),
        ClaimTime(TIMES.index("end_of_turn")),
    )


def summary(table: Table) -> tuple[Section, ...]:
    return (
        *claimed_land(table),
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
