"""The start of a turn: armies for territories and continents, and where they go."""

import pytest

from engine.rules.errors import RulesError
from engine.rules.ruleset import MOST_ARMIES
from tests.engine.positions import EDITIONS, Position, claim_all, new_match

EVERY = pytest.mark.parametrize("variant", EDITIONS)
REGIONS = {
    "classic": {
        "north_america": 5,
        "south_america": 2,
        "europe": 5,
        "africa": 3,
        "asia": 7,
        "australia": 2,
    },
    "godstorm": {
        "europa": 7,
        "germania": 5,
        "africa": 5,
        "asia_minor": 3,
        "atlantis": 3,
        "hyrkania": 2,
    },
}
REGIONS["ad2210"] = REGIONS["classic"]


def holding(count: int) -> str:
    """So many territories of the classic board: every continent lacks one as long as that can be.

    Australia is the first to be made whole, then South America, Africa, North America, Europe.
    """
    held_back = "eau arg mad ala ice chi".split()
    others = [place for place in Position("3").r.board.shorts if place not in held_back]
    return " ".join([*others, *held_back][:count])


@pytest.mark.ruling("M14")
@pytest.mark.ruling("T2")
@pytest.mark.parametrize("variant", ["classic", "officers", "summary"])
@pytest.mark.parametrize(
    ("territories", "armies"),
    [(1, 3), (5, 3), (8, 3), (9, 3), (11, 3), (12, 4), (13, 4), (14, 4), (15, 5), (17, 5), (18, 6), (20, 6)]
    + [(21, 7), (24, 8), (27, 9), (30, 10), (33, 11), (35, 11), (36, 12)]
    # From here whole continents cannot be avoided: Australia 2, South America 2, Africa 3 and so on.
    + [(37, 12 + 2), (38, 12 + 4), (39, 13 + 7), (40, 13 + 12), (41, 13 + 17)],
)
def test_territory_income(variant: str, territories: int, armies: int) -> None:
    p = Position(f"3; A: {holding(territories)}; B: chi; rest C; at counting_income A", variant)
    assert p.s.held[0] == territories
    assert p.s.pool[0] == armies
    assert p.step == "place A"


@pytest.mark.ruling("M6")
@pytest.mark.ruling("M15")
@pytest.mark.parametrize(
    ("variant", "region"),
    [
        (variant, region)
        for variant, board in (
            ("classic", "classic"),
            ("officers", "classic"),
            ("summary", "classic"),
            ("ad2210-classic", "ad2210"),
            ("godstorm-classic", "godstorm"),
        )
        for region in REGIONS[board]
    ],
)
def test_whole_continent_pays_its_bonus(variant: str, region: str) -> None:
    board = Position("3", variant).r.board
    own = [board.shorts[place] for place in board.members[board.region_ids.index(region)]]
    whole = Position(f"3; A: {' '.join(own)}; rest B; at counting_income A", variant)
    short = Position(f"3; A: {' '.join(own[1:])}; rest B; at counting_income A", variant)
    assert whole.s.pool[0] == max(3, len(own) // 3) + REGIONS[board.name][region]
    assert short.s.pool[0] == max(3, (len(own) - 1) // 3)


@pytest.mark.ruling("M15")
def test_continents_add_up() -> None:
    """Europe and Africa, the example of the manual: 8 beside the territories."""
    own = "ice gbr sca neu weu seu ukr naf egy eaf con saf mad"
    assert Position(f"3; A: {own}; rest B; at counting_income A", "officers").s.pool[0] == 4 + 5 + 3


@pytest.mark.ruling("M16")
@pytest.mark.ruling("R1")
@EVERY
def test_first_turn_brings_income(variant: str) -> None:
    match = claim_all(new_match(variant, 3).play("roll_first 6 1 1"))
    while match.step.startswith("setup_place"):
        match.play(match.options[0])
    if match.step == "first -":
        match.play("roll_first 6 1 1")
    assert match.step == "place A"
    assert match.s.pool == [4, 0, 0]  # 14 territories, no continent
    (income,) = match.events("income")
    assert (income.seat, income.amount) == (0, 4)


@pytest.mark.ruling("R2")
@EVERY
def test_captures_add_no_income_this_turn(variant: str) -> None:
    """A ends its turn with all of Australia, or of Atlantis; nothing comes before its next turn."""
    own, last, gate = ("ido ngu wau", "eau", "ngu")
    if variant == "ad2210-classic":
        own, last, gate = ("jav ngu lea", "atg", "ngu")
    elif variant == "godstorm-classic":
        own, last, gate = ("hes pos ori", "tri", "pos")
    land = " ".join(place if place != gate else f"{gate} 5" for place in own.split())
    p = Position(f"3; A: {land}; B: {last}; rest C; at counting_income A", variant)
    assert p.s.pool[0] == 3
    p.play(f"place {gate} 3", f"attack {gate}>{last} 3", "roll 6 6 6 / 1", f"move_in {gate}>{last} 3")
    assert p.s.pool == [0, 0, 0]
    assert p.r.army_count(p.s, 0) == 10
    assert p.events("income") == []  # what came at the start was read with the position


@pytest.mark.ruling("R2")
def test_income_is_counted_before_sets_are_traded() -> None:
    p = Position("3; A: ala; B: kam; rest C; hand A: ont que gre; at counting_income A")
    assert p.step == "trade A"
    assert p.s.pool[0] == 3


@pytest.mark.ruling("M17")
@pytest.mark.ruling("R3")
@EVERY
def test_all_armies_are_placed_before_the_first_attack(variant: str) -> None:
    p = Position("3; A: {a} 3 {c}; B: {b}; rest C; at counting_income A", variant)
    assert sorted(p.options) == sorted(text.format(**p.parts) for text in ("place {a} 1-3", "place {c} 1-3"))
    with pytest.raises(RulesError):
        p.play("stop")
    with pytest.raises(RulesError):
        p.play("attack {a}>{b} 2")
    with pytest.raises(RulesError):
        p.play("place {b} 1")
    p.play("place {a} 1")
    assert p.step == "place A"
    with pytest.raises(RulesError, match="amount 3 is not between 1 and 2"):
        p.play("place {c} 3")
    p.play("place {c} 2")
    assert (p.at("{a}"), p.at("{c}")) == ("A 4", "A 3")
    assert p.step == "attack A"


@pytest.mark.ruling("M18")
@EVERY
def test_income_then_sets_then_placing(variant: str) -> None:
    p = Position("3; A: {a} 3; B: {b}; rest C; hand A: {x1} {y1} {z1}; at counting_income A", variant)
    assert (p.step, p.s.pool[0]) == ("trade A", 3)
    p.play("trade " + p.cards("{x1} {y1} {z1}").split()[0])
    p.play("trade " + p.cards("{x1} {y1} {z1}").split()[1])
    p.play("trade " + p.cards("{x1} {y1} {z1}").split()[2])
    assert (p.step, p.s.pool[0]) == ("place A", 3 + 4)
    assert p.play("place {a} 7").step == "attack A"


# The arena's limit


@pytest.mark.parametrize(("armies", "received"), [(MOST_ARMIES - 3, 3), (MOST_ARMIES - 2, 2), (MOST_ARMIES, 0)])
def test_a_seat_never_has_more_than_20000_armies(armies: int, received: int) -> None:
    p = Position(f"3; A: ala {armies}; B: kam; rest C; at counting_income A")
    assert MOST_ARMIES == 20_000
    assert p.s.pool[0] == received
    assert p.step == ("place A" if received else "attack A")


def test_sets_and_bonus_stop_at_the_limit_too() -> None:
    p = Position("3; A: ont 19994; B: kam; rest C; hand A: ont que gre; at counting_income A")
    p.play("trade gre", "trade ont", "trade que")
    assert p.s.pool[0] == 6  # three of income, three of the four for the set
    assert p.at("ont") == "A 19994"
    assert p.r.army_count(p.s, 0) + p.s.pool[0] == 20_000
