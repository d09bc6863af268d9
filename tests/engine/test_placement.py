"""How a match ends and who is placed where."""

import pytest

from engine.playout import Caretaker
from engine.rules.state import ENDINGS
from tests.engine.positions import EDITIONS, Position

EVERY = pytest.mark.parametrize("variant", EDITIONS)


def ending(p: Position) -> tuple[str, tuple[int, ...]]:
    assert p.step == "over"
    return ENDINGS[p.s.ending], p.s.places


# Victory


@pytest.mark.ruling("M46")
@pytest.mark.ruling("R66")
@EVERY
def test_last_seat_on_the_board_wins_at_once(variant: str) -> None:
    """Before moving in and before any forced trade."""
    p = Position(
        "3; B: {b}; rest A 5; fell C 1; hand A: {x1} {x2} {y1}; hand B: {y2} {z1} {z2}; at attacking A",
        variant,
    )
    p.play("attack {a}>{b} 3", "roll 6 6 6 / 1")
    assert ending(p) == ("conquest", (1, 2, 3))
    assert p.s.held == [42, 0, 0]
    assert p.r.waiting(p.s) == ()
    assert [event.amount for event in p.events("finished")] == [1]


@pytest.mark.ruling("M46")
@EVERY
def test_an_elimination_does_not_end_a_match_of_three(variant: str) -> None:
    p = Position("3; A: {a} 4; B: {b}; rest C 2; at attacking A", variant)
    p.play("attack {a}>{b} 3", "roll 6 6 6 / 1", "stop")
    assert p.s.fell == (0, 1, 0)
    assert p.s.places == ()


def test_the_eliminated_are_placed_last_out_first() -> None:
    p = Position("4; B: kam; rest A 5; fell D 1; fell C 2; at attacking A")
    p.play("attack ala>kam 3", "roll 6 6 6 / 1")
    assert ending(p) == ("conquest", (1, 2, 3, 4))


def test_an_eliminated_seat_has_no_turn() -> None:
    p = Position("3; A: ala 4; B: kam; rest C; at attacking A")
    p.play("attack ala>kam 3", "roll 6 6 6 / 1", "stop", "draw wild", "stop")
    assert p.step == "place C"


# The round limit


def test_match_ends_after_the_last_full_round() -> None:
    p = Position("3 rounds=2; A: ala; B: kam 2; rest C; round 2; first B; at fortifying A")
    assert ending(p) == ("round_limit", (3, 2, 1))
    q = Position("3 rounds=3; A: ala; B: kam 2; rest C; round 2; first B; at fortifying A")
    assert q.step == "place B"


def test_a_round_ends_where_it_began() -> None:
    p = Position("3 rounds=9; A: ala; B: kam 2; rest C 2; round 4; first B; at fortifying A")
    assert (p.step, p.s.round) == ("place B", 5)
    q = Position("3 rounds=9; A: ala; B: kam; rest C 2; round 4; first B; at fortifying B")
    assert (q.step, q.s.round) == ("place C", 4)


def test_a_round_ends_past_an_eliminated_beginner() -> None:
    p = Position("3 rounds=9; A: ala 2; rest C 2; fell B 1; round 4; first B; at fortifying A")
    assert (p.step, p.s.round) == ("place C", 5)


@pytest.mark.parametrize(
    ("land", "places"),
    [
        # Land and bonuses of whole regions: Australia makes 4 + 2 of 4.
        ("A: ala nwt gre alb ont; B: ido ngu wau eau; rest C", (3, 2, 1)),
        # Then armies.
        ("A: ala 2 nwt; B: kam 2 jpn 2; rest C", (3, 2, 1)),
        # Then nothing: they tie, and the next place is left out.
        ("A: ala 2 nwt; B: kam jpn 2; rest C", (2, 2, 1)),
        ("C: ala 2 nwt; B: kam jpn 2; rest A", (1, 2, 2)),
    ],
)
def test_placement_at_the_limit(land: str, places: tuple[int, ...]) -> None:
    p = Position(f"3 rounds=1; {land}; round 1; turn C; steps: next_turn -")
    p.r.settle(p.s)
    assert ending(p) == ("round_limit", places)


def test_four_seats_may_tie_in_pairs() -> None:
    p = Position("4 rounds=1; A: ala; B: kam; C: gre que; D: bra jpn; round 1; turn D; steps: next_turn -")
    p.r.settle(p.s)
    assert ending(p) == ("round_limit", (3, 3, 1, 1))


def test_the_eliminated_come_after_all_survivors() -> None:
    p = Position("4 rounds=1; A: ala; rest C; fell B 2; fell D 1; round 1; turn C; steps: next_turn -")
    p.r.settle(p.s)
    assert ending(p) == ("round_limit", (2, 3, 1, 4))


# Lost seats


def test_a_lost_seat_is_placed_below_every_sound_survivor() -> None:
    p = Position("4 rounds=1; A: ala; B: kam 2; rest C 9; lost C; fell D 1; round 1; turn C; steps: next_turn -")
    p.r.settle(p.s)
    assert ending(p) == ("round_limit", (2, 1, 3, 4))


def test_the_match_ends_when_one_sound_seat_is_left() -> None:
    p = Position("3; A: ala; B: kam 5; rest C 9; at attacking B")
    p.r.forfeit(p.s, 2)
    assert p.step == "attack B"
    assert p.s.lost == 0b100
    p.r.forfeit(p.s, 1)
    assert ending(p) == ("last_sound", (1, 3, 2))
    assert [event.seat for event in p.events("forfeited")] == [2, 1]


def test_eliminating_the_last_sound_rival_ends_it_too() -> None:
    p = Position("3; A: ala 5; B: kam; rest C 9; lost C; at attacking A")
    p.play("attack ala>kam 3", "roll 6 6 6 / 1")
    assert ending(p) == ("last_sound", (1, 3, 2))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("A: ala 5; B: kam; rest C; at attacking A", "stop"),
        ("A: ala 5 alb; B: kam; rest C; at fortifying A", "stop"),
        ("A: ala 5; B: kam; rest C; hand A: gre ont que; at trading A", "stop"),
        ("A: ala 5; B: kam; rest C; hand A: gre ont que eus wild; at trading A", "trade gre"),
        ("A: ala 5 alb; B: kam; rest C; at counting_income A", "place ala 1"),
        ("B: kam 5; A: ala 2; rest C; steps: next_turn - / attack B / defend A 29 0 3", "defend kam>ala 1"),
        ("A: ala 2 kam 3; rest C; steps: next_turn - / attacking A / move_in A 0 29 3", "move_in ala>kam 3"),
    ],
)
def test_the_caretaker_stops_or_takes_the_first_option_at_its_lowest(text: str, answer: str) -> None:
    p = Position(f"3; {text}")
    index, amount = Caretaker().choose(p.r, p.s, 0, p.codes)
    option = p.options[index].partition("-")[0]
    assert option == answer
    assert amount == (int(answer[-1]) if answer[-1].isdigit() else 0)
