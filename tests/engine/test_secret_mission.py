"""Secret Mission: the deal, and when a mission wins."""

import random
from collections import Counter

import pytest

from engine.rules.decks.missions import secret_missions
from engine.rules.observe import observe, resample
from engine.rules.state import ENDINGS
from engine.rules.variants import ruleset
from tests.engine.positions import Position, new_match, play_first

NOT_MET = "hand B missions: conquer_asia_africa; hand C missions: conquer_asia_south_america"


def ended(p: Position) -> tuple[str, tuple[int, ...]]:
    return ENDINGS[p.s.ending], p.s.places


@pytest.mark.ruling("M71")
@pytest.mark.ruling("R57")
@pytest.mark.parametrize(("seats", "left"), [(3, 9), (4, 10), (5, 11), (6, 12)])
def test_missions_of_unused_colours_stay_in_the_box(seats: int, left: int) -> None:
    match = new_match("secret-mission", seats).play("elect C")
    names = [match.r.card_names[kind] for group in match.s.decks[1] for kind in group.cards]
    colours = ["black", "blue", "gray", "green", "red", "yellow"][:seats]
    assert [name for name in names if name.startswith("destroy")] == [f"destroy_{colour}" for colour in colours]
    assert len(names) == left
    play_first(match, "deal")
    assert all(len(match.missions("ABCDEF"[seat]).split()) == 1 for seat in range(seats))


@pytest.mark.ruling("R58")
@pytest.mark.ruling("R33")
def test_the_seat_after_the_general_is_first() -> None:
    match = new_match("secret-mission", 4)
    assert match.options == ["elect 1 of 4"]
    match.play("elect B")
    assert match.s.first == 2
    play_first(match, "deal")
    assert [event.seat for event in match.events("mission_dealt")] == [2, 3, 0, 1]
    assert match.options == ["deal 1 of 42"]
    match.play("deal ala", "deal kam")
    assert (match.at("ala"), match.at("kam")) == ("C 1", "D 1")
    assert play_first(match, "setup_place").step == "setup_place C"
    assert play_first(match, "place").step == "place C"


@pytest.mark.ruling("M72")
@pytest.mark.ruling("T6")
@pytest.mark.parametrize(
    ("seats", "hands"), [(3, [14] * 3), (4, [10, 10, 11, 11]), (5, [8, 8, 9, 9, 8]), (6, [7] * 6)]
)
def test_all_land_is_dealt(seats: int, hands: list[int]) -> None:
    match = play_first(new_match("secret-mission", seats).play("elect B"), "setup_place")
    assert match.s.held == hands
    assert set(match.s.armies) == {1}
    assert [land + left for land, left in zip(hands, match.s.pool)] == [
        {3: 35, 4: 30, 5: 25, 6: 20}[seats]
    ] * seats
    assert len(match.pile[0].split()) == 44


@pytest.mark.ruling("R32")
def test_the_rest_is_placed_one_at_a_time_on_any_own_land() -> None:
    match = play_first(new_match("secret-mission", 3).play("elect C"), "setup_place")
    assert len(match.options) == 14
    assert match.options[0].endswith(" 1")
    assert match.step == "setup_place A"
    assert match.play(match.options[0]).step == "setup_place B"


@pytest.mark.ruling("M73")
@pytest.mark.ruling("R35")
def test_the_twelve_missions() -> None:
    board = ruleset("secret-mission", 3).board
    missions = secret_missions(board)
    assert Counter(mission.condition.kind for mission in missions) == {
        "destroy_color": 6,
        "control_continents": 4,
        "control_territories": 2,
    }
    own = "3; A: ala 9 nwt gre alb ont que wus eus cam ven per bra arg ice gbr sca neu weu seu ukr naf egy eaf"
    text = f"hand A missions: destroy_black; {NOT_MET}; round 2; at attacking A"
    p = Position(f"{own}; B: kam; rest C 2; {text}", "secret-mission").play("attack ala>kam 3")
    assert p.s.ending == 0  # 23 territories
    assert ended(p.play("roll 6 6 6 / 1"))[1] in ((1, 2, 2), (1, 3, 2))


@pytest.mark.ruling("M73")
@pytest.mark.ruling("R36")
def test_a_target_that_somebody_else_destroys_counts() -> None:
    text = "3; A: ala 9; B: kam; rest C 2; hand A missions: occupy_24; hand B missions: destroy_black"
    text += "; hand C missions: destroy_blue; round 2; at attacking A"
    p = Position(text, "secret-mission").play("attack ala>kam 3", "roll 6 6 6 / 1")
    assert ended(p) == ("goal", (2, 3, 1))
    assert [event.seat for event in p.events("mission_claimed")] == [2]


@pytest.mark.parametrize(("holder", "wins"), [("A", True), ("C", False)])
def test_the_european_way_a_target_must_be_destroyed_by_oneself(holder: str, wins: bool) -> None:
    other = "C" if holder == "A" else "A"
    text = f"4 european_fallback=1; A: ala 9; B: kam; D: jpn; rest C; hand {holder} missions: destroy_blue"
    text += f"; hand {other} missions: conquer_asia_africa; hand B missions: occupy_18_double"
    text += "; hand D missions: conquer_north_america_africa; round 2; at attacking A"
    p = Position(text, "secret-mission").play("attack ala>kam 3", "roll 6 6 6 / 1")
    # C holds 38 territories, so the fallback is true for it at once.
    assert ended(p)[0] == "goal"
    assert p.s.places[0 if wins else 2] == 1
    few = text.replace("rest C", "C: eau; rest D 2")
    p = Position(few, "secret-mission").play("attack ala>kam 3", "roll 6 6 6 / 1")
    assert (p.s.ending == 2) == wins
    if not wins:
        p.play("move_in ala>kam 8", "attack kam>jpn 1", "roll 6 / 1")
        assert p.s.ending == 0


@pytest.mark.ruling("R36")
@pytest.mark.ruling("R66")
def test_the_active_seat_comes_first_then_the_others_in_turn() -> None:
    base = "3; A: ala 9; B: kam; rest C 2; {}; round 2; at attacking A"
    both = (
        "hand A missions: destroy_blue; hand B missions: occupy_24; hand C missions: conquer_north_america_africa"
    )
    p = Position(base.format(both), "secret-mission").play("attack ala>kam 3", "roll 6 6 6 / 1")
    assert ended(p) == ("goal", (1, 3, 2))
    land = "3; A: ala 9; B: kam 9 ven 2; rest C 2; hand A missions: conquer_asia_africa"
    text = f"{land}; hand B missions: destroy_gray; hand C missions: occupy_18_double; round 2; at attacking A"
    p = Position(text, "secret-mission").play("attack ala>nwt 1")
    assert ended(p) == ("goal", (2, 2, 1))


@pytest.mark.ruling("R36")
def test_placing_armies_can_fulfil_a_mission() -> None:
    doubles = "nwt gre alb ont que wus eus cam ven per bra arg ice gbr sca neu weu".split()
    land = " ".join(f"{place} 2" for place in doubles)
    text = f"3; A: ala {land}; B: kam 2; rest C 2; hand A missions: occupy_18_double; {NOT_MET}; round 2"
    p = Position(f"{text}; at counting_income A", "secret-mission")
    assert p.step == "place A"
    assert ended(p.play("place ala 1"))[0] == "goal"


@pytest.mark.ruling("R37")
def test_a_mission_true_at_the_deal_waits_for_the_first_turn_of_its_owner() -> None:
    text = "3; A: ala 2; B: kam 2; rest C 2; hand A missions: conquer_asia_africa"
    text += "; hand B missions: conquer_north_america_africa; hand C missions: occupy_24; first A; round 1"
    p = Position(f"{text}; at attacking A", "secret-mission")
    p.play("attack ala>nwt 1")
    assert p.s.ending == 0
    late = text.replace("occupy_24", "conquer_asia_south_america").replace(
        "hand B missions: conquer_north_america", ""
    )
    assert late != text
    p = Position(f"{text}; turn A; steps: next_turn -", "secret-mission")
    assert p.step == "place B"
    p = Position(f"{text}; turn B; steps: next_turn -", "secret-mission")
    assert ended(p) == ("goal", (2, 2, 1))


@pytest.mark.ruling("R34")
def test_continents_bring_armies_unless_switched_off() -> None:
    text = "A: ido ngu wau eau; B: kam; rest C; hand A missions: occupy_24; hand B missions: conquer_asia_africa"
    text += "; hand C missions: destroy_black; round 2; at counting_income A"
    assert Position(f"3; {text}", "secret-mission").options[0] == "place ido 1-5"
    assert Position(f"3 continent_income=0; {text}", "secret-mission").options[0] == "place ido 1-3"


@pytest.mark.ruling("R59")
def test_all_missions_are_shown_at_the_end_and_not_before() -> None:
    text = "4; A: ala 9; B: kam; D: jpn; rest C; hand A missions: occupy_18_double"
    text += "; hand B missions: conquer_asia_africa; hand C missions: conquer_north_america_africa"
    p = Position(f"{text}; hand D missions: destroy_black; round 2; at attacking A", "secret-mission")
    p.play("attack ala>kam 3", "roll 6 6 6 / 1", "move_in ala>kam 8")
    assert p.s.fell == (0, 1, 0, 0)
    assert p.missions("B") == "conquer_asia_africa"
    assert p.events("mission_shown") == []
    p.play("attack kam>jpn 3", "roll 6 6 6 / 1")
    p.r.finish(p.s, 3)
    assert len(p.events("mission_shown")) == 4
    seen = observe(p.r, p.s, -1)
    assert all(card >> 20 != 127 for card in [hand[0] for hand in seen.hands[4:]])


@pytest.mark.ruling("M73")
def test_missions_are_secret() -> None:
    match = play_first(new_match("secret-mission", 5).play("elect A"), "setup_place")
    rng = random.Random(5)
    others = {resample(match.r, match.s, 2, rng.randrange).hands for _ in range(50)}
    assert len(others) > 40
    assert all(hands[5 + 2] == match.s.hands[5 + 2] for hands in others)


def test_survivors_tie_at_the_round_limit() -> None:
    text = (
        "3 rounds=5; A: ala; B: kam 9 ven; rest C; hand A missions: occupy_24; hand B missions: occupy_18_double"
    )
    p = Position(
        f"{text}; hand C missions: conquer_asia_africa; round 5; first A; turn C; steps: next_turn -",
        "secret-mission",
    )
    assert ended(p) == ("round_limit", (1, 1, 1))
