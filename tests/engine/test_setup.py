"""Set-up: who begins, claiming, the starting armies."""

import pytest

from engine.rules.errors import RulesError
from tests.engine.positions import EDITIONS, Position, claim_all, new_match

NEWER_BOXES = ("ad2210-classic", "godstorm-classic")
EVERY = pytest.mark.parametrize("variant", EDITIONS)


def until_turn_one(variant: str, first_roll: str) -> Position:
    match = claim_all(new_match(variant, len(first_roll.split())).play(f"roll_first {first_roll}"))
    while match.step.startswith("setup_place"):
        match.play(match.options[0])
    return match


@pytest.mark.ruling("M8")
@EVERY
@pytest.mark.parametrize(("seats", "armies"), [(3, 35), (4, 30), (5, 25)])
def test_starting_armies(variant: str, seats: int, armies: int) -> None:
    assert new_match(variant, seats).s.pool == [armies] * seats


@pytest.mark.ruling("M8")
@pytest.mark.parametrize("variant", ["classic", "officers", "summary"])
def test_starting_armies_of_six(variant: str) -> None:
    assert new_match(variant, 6).s.pool == [20] * 6


@pytest.mark.ruling("M9")
@EVERY
def test_highest_die_claims_first(variant: str) -> None:
    match = new_match(variant, 3)
    assert match.step == "first -"
    assert match.options == ["roll_first 1 of 216"]
    assert match.play("roll_first 2 6 3").step == "claim B"


@pytest.mark.ruling("R6")
@EVERY
def test_only_the_tied_roll_again(variant: str) -> None:
    match = new_match(variant, 4).play("roll_first 5 2 5 1")
    assert match.options == ["roll_first 1 of 36"]
    assert match.play("roll_first 4 4", "roll_first 1 2").step == "claim C"
    assert [event.seat for event in match.events("first_rolled")] == [0, 1, 2, 3, 0, 2, 0, 2]


@pytest.mark.ruling("M10")
@EVERY
def test_claiming_goes_round_on_empty_territories(variant: str) -> None:
    match = new_match(variant, 3).play("roll_first 1 6 1")
    assert len(match.options) == 42
    match.play("claim {a}")
    assert match.step == "claim C"
    assert len(match.options) == 41
    with pytest.raises(RulesError, match="not among the 41 options"):
        match.play("claim {a}")
    match.play("claim {b}", "claim {c}")
    assert [match.at(place) for place in ("{a}", "{b}", "{c}")] == ["B 1", "C 1", "A 1"]
    assert match.s.pool == [34, 34, 34]
    assert match.step == "claim B"


@pytest.mark.ruling("M10")
@pytest.mark.ruling("T6")
@EVERY
@pytest.mark.parametrize(
    ("first", "held"), [("6 1 1", [14] * 3), ("6 1 1 1", [11, 11, 10, 10]), ("6 1 1 1 1", [9, 9, 8, 8, 8])]
)
def test_all_42_are_claimed(variant: str, first: str, held: list[int]) -> None:
    match = claim_all(new_match(variant, len(held)).play(f"roll_first {first}"))
    assert match.s.held == held
    assert match.s.armies == [1] * 42
    assert match.step.startswith("setup_place")


def test_last_empty_territory_is_not_asked_for() -> None:
    match = new_match("classic", 3).play("roll_first 6 1 1")
    for _ in range(41):
        assert len(match.options) > 1
        match.play(match.options[0])
    assert match.at("eau") == "C 1"
    assert match.events("claimed")[-1].seat == 2


@pytest.mark.ruling("R4")
@EVERY
def test_placing_goes_on_where_claiming_stopped(variant: str) -> None:
    """Of four, B and C claim one more, so D places the first of the remaining armies."""
    match = claim_all(new_match(variant, 4).play("roll_first 1 6 1 1"))
    assert match.s.held == [10, 11, 11, 10]
    assert match.step == "setup_place D"
    assert match.play(match.options[0]).step == "setup_place A"


@pytest.mark.ruling("M11")
@EVERY
def test_one_army_at_a_time_on_own_land_without_limit(variant: str) -> None:
    match = claim_all(new_match(variant, 3).play("roll_first 6 1 1"))
    own = match.options
    assert len(own) == 14
    assert all(option.endswith(" 1") for option in own)
    with pytest.raises(RulesError):
        match.play("place " + match.r.board.shorts[1])  # B's
    with pytest.raises(RulesError, match="amount 2"):
        match.play(own[0][:-1] + "2")
    while match.step.startswith("setup_place"):
        match.play(match.options[0])
    assert match.s.armies[:3] == [22, 22, 22]
    assert match.s.pool[1:] == [0, 0]


@pytest.mark.ruling("R5")
def test_who_has_armies_left_goes_on_alone() -> None:
    match = Position(
        "3; A: ala; B: kam; rest C; pool A 1; pool B 3; turn A; "
        "steps: next_turn - / setup_placing - / setup_place A"
    )
    match.play("place ala 1")
    for left in (3, 2, 1):
        assert match.step == "setup_place B"
        assert match.s.pool[1] == left
        match.play("place kam 1")
    assert match.at("kam") == "B 4"
    assert match.step == "place A"  # turn one


@pytest.mark.ruling("M12")
@pytest.mark.parametrize("variant", ["classic", "summary", *NEWER_BOXES])
def test_first_placer_takes_turn_one(variant: str) -> None:
    match = until_turn_one(variant, "1 1 6 1")
    assert match.step == "place C"
    assert (match.s.first, match.s.round) == (2, 1)


@pytest.mark.ruling("M12")
def test_officers_roll_anew_for_turn_one() -> None:
    match = until_turn_one("officers", "1 1 6 1")
    assert match.step == "first -"
    assert match.s.pool == [0, 0, 0, 0]
    assert match.options == ["roll_first 1 of 1296"]  # all four roll
    match.play("roll_first 1 5 2 5", "roll_first 3 4")
    assert match.step == "place D"
    assert (match.s.first, match.s.round) == (3, 1)


@pytest.mark.ruling("M2")
@pytest.mark.ruling("M13")
@EVERY
def test_draw_pile_is_42_territories_and_two_wilds(variant: str) -> None:
    match = new_match(variant, 3)
    (pile,) = match.pile
    assert pile.split() == [*match.r.board.shorts, "wild", "wild"]
    assert match.discards == ""


@pytest.mark.ruling("M1")
@pytest.mark.parametrize("variant", NEWER_BOXES)
def test_newer_boxes_have_no_sixth_seat(variant: str) -> None:
    with pytest.raises(RulesError, match="is for 2, 3, 4, 5 players, not for 6"):
        new_match(variant, 6)


@pytest.mark.ruling("M3")
@pytest.mark.parametrize(
    ("variant", "symbols"),
    [
        ("classic", ["infantry", "cavalry", "artillery"]),
        ("officers", ["infantry", "cavalry", "artillery"]),
        ("summary", ["infantry", "cavalry", "artillery"]),
        ("ad2210-classic", ["mod-1", "mod-3", "mod-5"]),
        ("godstorm-classic", ["skull", "blade", "sphere"]),
    ],
)
def test_card_symbols(variant: str, symbols: list[str]) -> None:
    board = new_match(variant, 3).r.board
    assert board.symbol_names == symbols
    assert [board.symbols.count(symbol) for symbol in range(3)] == [14, 14, 14]


@pytest.mark.ruling("M5")
@pytest.mark.parametrize(
    ("variant", "name", "layer"),
    [
        ("classic", "classic", "land"),
        ("officers", "classic", "land"),
        ("summary", "classic", "land"),
        ("ad2210-classic", "ad2210", "land"),  # no water, no Moon
        ("godstorm-classic", "godstorm", "earth"),  # no Underworld
    ],
)
def test_board_is_one_layer_of_42(variant: str, name: str, layer: str) -> None:
    board = new_match(variant, 3).r.board
    assert (board.name, board.layers, board.size) == (name, [layer], 42)
