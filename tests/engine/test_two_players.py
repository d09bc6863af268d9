"""Two players: dealt land, placing for the neutral forces, and what these are and are not."""

import pytest

from engine.rules.errors import RulesError
from engine.rules.variants import ruleset
from tests.engine.positions import Position, new_match

ONE_NEUTRAL = {"classic": 40, "ad2210-classic": 40, "godstorm-classic": 30}
FOUR_NEUTRALS = ("neutral-passive", "neutral-active")
BOOKLETS = pytest.mark.parametrize("variant", ONE_NEUTRAL)
MANUAL = pytest.mark.parametrize("variant", FOUR_NEUTRALS)
EVERY = pytest.mark.parametrize("variant", [*ONE_NEUTRAL, *FOUR_NEUTRALS])


def dealt(variant: str, first: str = "6 1") -> Position:
    """After the roll and the deal: the forces take the places in the order of the board."""
    match = new_match(variant, 2).play(f"roll_first {first}")
    while match.step == "deal -":
        match.play(f"deal {match.r.board.shorts[match.s.owner.index(-1)]}")
    return match


def place_all(match: Position) -> list[str]:
    """Puts all on the first place until somebody has a turn, or rolls for it; gives the steps that were asked."""
    steps = []
    while match.s.round == 0 and match.step != "first -":
        steps.append(match.step)
        match.play(match.options[0].replace("1-", ""))
    return steps


@pytest.mark.ruling("M47")
@pytest.mark.ruling("M48")
@pytest.mark.parametrize(("variant", "armies"), ONE_NEUTRAL.items())
def test_both_players_and_the_neutral_force_have_equal_armies(variant: str, armies: int) -> None:
    assert new_match(variant, 2).s.pool == [armies] * 3


@pytest.mark.ruling("M47")
@pytest.mark.ruling("M48")
@MANUAL
def test_four_neutral_forces_of_24(variant: str) -> None:
    assert new_match(variant, 2).s.pool == [36, 36, 24, 24, 24, 24]


@pytest.mark.ruling("M49")
@pytest.mark.ruling("M50")
@pytest.mark.ruling("T6")
@EVERY
def test_all_land_is_dealt_with_one_army_each(variant: str) -> None:
    match = new_match(variant, 2).play("roll_first 6 1")
    assert match.options == ["deal 1 of 42"]
    match = dealt(variant)
    assert match.s.held == ([14, 14, 14] if variant in ONE_NEUTRAL else [9, 9, 6, 6, 6, 6])
    assert match.s.armies == [1] * 42
    assert len(match.events("claimed")) == 42


@pytest.mark.ruling("R20")
@pytest.mark.ruling("M53")
@BOOKLETS
def test_highest_die_places_and_plays_first(variant: str) -> None:
    match = dealt(variant, "2 5")
    assert match.step == "setup_place B"
    steps = place_all(match)
    assert steps[0] == "setup_place B"
    assert (match.step, match.s.first) == ("place B", 1)


@pytest.mark.ruling("M53")
@MANUAL
def test_the_first_turn_is_rolled_for_anew(variant: str) -> None:
    match = dealt(variant, "2 5")
    assert match.step == "setup_place B"
    place_all(match)
    assert match.options == ["roll_first 1 of 36"]
    assert match.play("roll_first 3 1").step == "place A"


@pytest.mark.ruling("M51")
@BOOKLETS
def test_two_own_armies_then_one_of_the_neutral_force(variant: str) -> None:
    match = dealt(variant)
    own = [option.split()[1] for option in match.options]
    assert [match.at(place) for place in own] == ["A 1"] * 14
    assert all(option.endswith("1-2") for option in match.options)
    match.play(f"place {own[0]} 1")
    assert all(option.endswith(" 1") for option in match.options)  # one is left
    match.play(f"place {own[1]} 1")
    assert match.step == "neutral_place A"
    assert len(match.options) == 14
    place = match.options[0].split()[2]
    assert match.options[0] == f"place_neutral C {place} 1"
    match.play(match.options[0])
    assert match.at(place) == "C 2"
    assert match.step == "setup_place B"
    both = match.options[0].split("-")[0][:-1] + "2"
    assert match.play(both).step == "neutral_place B"


@pytest.mark.ruling("M51")
@MANUAL
def test_three_own_armies_then_one_of_each_neutral_force(variant: str) -> None:
    match = dealt(variant)
    assert len(match.options) == 9
    match.play(match.options[0].replace("1-3", "3"))
    for force in "CDEF":
        assert match.step == "neutral_place A"
        assert len(match.options) == 6
        assert all(option.startswith(f"place_neutral {force} ") for option in match.options)
        match.play(match.options[0])
    assert match.step == "setup_place B"


@pytest.mark.ruling("M52")
@pytest.mark.parametrize(
    ("variant", "times", "neutral"),
    [("classic", 13, 1), ("ad2210-classic", 13, 1), ("godstorm-classic", 8, 1)]
    + [(variant, 9, 4) for variant in FOUR_NEUTRALS],
)
def test_placing_comes_out_exactly(variant: str, times: int, neutral: int) -> None:
    match = dealt(variant)
    steps = place_all(match)
    assert [steps.count(f"neutral_place {seat}") for seat in "AB"] == [times * neutral] * 2

    assert match.s.pool[1:] == [0] * (1 + neutral)
    armies = [match.r.army_count(match.s, force) for force in range(match.r.forces)]
    assert armies == new_match(variant, 2).s.pool


@pytest.mark.ruling("M54")
@EVERY
def test_the_whole_deck_with_its_wilds_is_shuffled_afterwards(variant: str) -> None:
    match = dealt(variant)
    place_all(match)
    (pile,) = match.pile
    assert pile.split() == [*match.r.board.shorts, "wild", "wild"]


@pytest.mark.ruling("M55")
@EVERY
def test_the_opponent_chooses_the_dice_of_a_neutral_force(variant: str) -> None:
    p = Position("2; A: {a} 4; B: {x1}; C: {b} 2; rest C; at attacking A", variant)
    p.play("attack {a}>{b} 3")
    assert p.step == "defend B"
    p.play("defend {a}>{b} 2", "roll 6 6 6 / 5 5")
    assert p.at("{b}") == "A 3"
    assert [event.seat for event in p.events("lost")] == [0, 2]


@pytest.mark.ruling("M55")
@EVERY
def test_a_player_chooses_the_dice_of_its_own_land(variant: str) -> None:
    p = Position("2; B: {a} 4; A: {b} 2; rest C; at attacking B", variant)
    assert p.play("attack {a}>{b} 3").step == "defend A"


@pytest.mark.ruling("M56")
@pytest.mark.parametrize("variant", [*ONE_NEUTRAL, "neutral-passive"])
def test_a_neutral_force_never_acts(variant: str) -> None:
    p = Position("2; A: {a} 3; B: {b} 3; rest C 9; turn A; at next_turn A", variant)
    turns = []
    while p.s.round < 4:
        turns.append(p.s.turn)
        attacks = [option.split()[1][:3] for option in p.options if option.startswith("attack")]
        assert {p.at(place)[0] for place in attacks} <= {"AB"[p.s.turn]}
        p.play("stop" if "stop" in p.options else p.options[0].partition("-")[0])
    assert set(turns) == {0, 1}
    neutral = [p.s.armies[place] for place in range(42) if p.s.owner[place] == 2]
    assert neutral == [9] * 40


@pytest.mark.ruling("M57")
@EVERY
def test_the_opponent_without_land_has_lost_whatever_is_neutral(variant: str) -> None:
    p = Position("2; A: {a} 4; B: {b}; rest C; at attacking A", variant)
    p.play("attack {a}>{b} 3", "roll 6 6 6 / 5")
    assert p.step == "over"
    assert (p.s.places, p.s.ending) == ((1, 2), 1)


@pytest.mark.ruling("R21")
@EVERY
def test_neutral_land_earns_a_card_and_counts(variant: str) -> None:
    p = Position("2; A: {a} 4; B: {x1}; rest C; at attacking A", variant)
    p.play("attack {a}>{b} 3", "roll 6 6 6 / 5")
    assert p.s.captures == 1
    assert p.s.held[0] == 2


@pytest.mark.ruling("R22")
@EVERY
def test_a_continent_with_neutral_land_pays_nobody(variant: str) -> None:
    r = ruleset(variant, 2)
    region = [r.board.shorts[place] for place in r.board.members[0]]
    whole = Position(f"2; A: {' '.join(region)}; rest C; at counting_income A", variant)
    part = Position(f"2; A: {' '.join(region[1:])}; rest C; at counting_income A", variant)
    assert whole.s.pool[0] == max(3, len(region) // 3) + r.board.region_bonus[0]
    assert part.s.pool[0] == max(3, (len(region) - 1) // 3)
    assert whole.s.pool[2] == 0  # the neutral force holds continents too, and receives nothing


@pytest.mark.ruling("R23")
@pytest.mark.parametrize("variant", [*ONE_NEUTRAL, "neutral-passive"])
def test_eliminating_a_neutral_force_gives_nothing(variant: str) -> None:
    p = Position("2; A: {a} 4; C: {b}; rest B; hand A: {x1} {x2} {x3} {y1}; at attacking A", variant)
    p.play("attack {a}>{b} 3", "roll 6 6 6 / 5")
    assert [event.piece for event in p.events("eliminated")] == [2]
    assert p.events("hand_taken") == []
    assert p.s.fell == (0, 0)
    assert p.step == "attack A"


@pytest.mark.ruling("M58")
@EVERY
def test_pieces_do_not_run_out(variant: str) -> None:
    p = Position("2; A: {a} 15000; B: {b} 4000; rest C; pool A 4000; at deploying A", variant)
    assert p.play("place {a} 4000").at("{a}") == "A 19000"


@pytest.mark.ruling("R64")
def test_the_summary_sends_two_players_to_classic() -> None:
    with pytest.raises(RulesError, match="Two players play 'classic'"):
        ruleset("summary", 2)


@EVERY
def test_no_place_is_dealt_twice(variant: str) -> None:
    match = new_match(variant, 2).play("roll_first 6 1")
    place = match.r.board.shorts[3]
    match.play(f"deal {place}")
    with pytest.raises(RulesError, match=f"{place} is not empty"):
        match.play(f"deal {place}")
