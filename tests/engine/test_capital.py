"""Capital: headquarters."""

import random

import pytest

from engine.rules.errors import BadSetting, IllegalAction
from engine.rules.observe import imagine, observe
from engine.rules.state import ENDINGS, NOBODY
from engine.rules.variants import ruleset
from tests.engine.positions import Position, new_match, play_first

CHOOSING = "3; A: ala 3; B: kam; rest C 2; steps: next_turn - / choosing_headquarters -"


def ended(p: Position) -> tuple[str, tuple[int, ...]]:
    return ENDINGS[p.s.ending], p.s.places


@pytest.mark.ruling("M67")
@pytest.mark.ruling("R28")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_headquarters_are_chosen_when_all_is_placed_and_leave_the_deck(seats: int) -> None:
    match = new_match("capital", seats).play("roll_first 6" + " 1" * (seats - 1))
    play_first(match, "headquarters")
    assert sum(match.s.pool) == 0
    assert match.r.waiting(match.s) == tuple(range(seats))
    assert len(match.pile[0].split()) == 44
    play_first(match, "place")
    places = match.s.headquarters
    assert [match.s.owner[place] for place in places] == list(range(seats))
    names = {match.r.board.shorts[place] for place in places}
    assert len(match.pile[0].split()) == 44 - seats
    assert not names & set(match.pile[0].split())
    assert [event.target for event in match.events("headquartered")] == list(places)


@pytest.mark.ruling("M67")
def test_all_choose_with_the_same_observation() -> None:
    p = Position(CHOOSING, "capital")
    before = [observe(p.r, p.s, seat) for seat in range(NOBODY, 3)]
    p.play("headquarters ala")
    assert p.told == []
    after = [observe(p.r, p.s, seat) for seat in range(NOBODY, 3)]
    assert (after[0], after[2], after[3]) == (before[0], before[2], before[3])
    assert after[1] == before[1]._replace(choices=(p.r.board.find("ala"), -1, -1))
    assert imagine(after[1], random.Random(1).randrange).choices == after[1].choices
    assert p.r.waiting(p.s) == (1, 2)
    with pytest.raises(IllegalAction):
        p.r.play(p.s, 0, 0, 0)  # it has chosen


def test_answers_may_come_in_any_order() -> None:
    p, q = Position(CHOOSING, "capital"), Position(CHOOSING, "capital")
    for seat in (0, 1, 2):
        p.r.play(p.s, seat, 0, 0)
    for seat in (2, 0, 1):
        q.r.play(q.s, seat, 0, 0)
    assert p.s.digest() == q.s.digest()


@pytest.mark.ruling("M69")
@pytest.mark.ruling("R30")
def test_the_last_headquarters_win_after_moving_in() -> None:
    p = Position("3; A: ala 5 gre; B: kam; C: bra; rest B 2; headquarters: gre kam bra; at attacking A", "capital")
    p.play("attack ala>kam 3", "roll 6 6 6 / 1", "move_in ala>kam 4")
    assert p.step == "attack A"
    win = "3; A: ala 5 gre bra; B: kam; C: arg; rest B 2; headquarters: gre kam bra; at attacking A"
    p = Position(win, "capital").play("attack ala>kam 3", "roll 6 6 6 / 1")
    assert p.step == "move_in A"
    p.play("move_in ala>kam 4")
    assert ended(p) == ("goal", (1, 2, 2))


@pytest.mark.ruling("M69")
@pytest.mark.ruling("R31")
def test_who_has_lost_the_own_one_must_retake_it() -> None:
    text = "3; A: ala 5 bra; B: kam gre 2; C: arg; rest C 2; headquarters: gre kam bra; at attacking A"
    p = Position(text, "capital").play("attack ala>kam 1", "roll 6 / 1", "move_in ala>kam 1")
    assert p.step == "attack A"
    p.play("attack ala>nwt 3", "defend ala>nwt 2", "roll 6 6 6 / 1 1")
    p.play("attack nwt>gre 2", "defend nwt>gre 2", "roll 6 6 / 1 1")
    assert ended(p) == ("goal", (1, 3, 2))


@pytest.mark.ruling("M68")
@pytest.mark.ruling("R29")
def test_losing_headquarters_eliminates_nobody_and_the_place_is_what_counts() -> None:
    text = "3; A: ala 5 gre; B: kam ven; C: bra; rest C 2; headquarters: gre kam bra; at attacking A"
    p = Position(text, "capital").play("attack ala>kam 1", "roll 6 / 1", "move_in ala>kam 1")
    assert p.s.fell == (0, 0, 0)
    assert p.s.headquarters == tuple(p.r.board.find(place) for place in ("gre", "kam", "bra"))
    assert [p.r.answers[80].progress(p.r, p.s, seat) for seat in range(3)] == [2, 0, 1]


@pytest.mark.ruling("R31")
def test_headquarters_of_the_eliminated_still_count() -> None:
    text = "3; A: ala 5 gre; B: kam; C: bra; rest C 2; fell B 0; headquarters: gre kam bra; at attacking A"
    p = Position(text, "capital").play("attack ala>kam 1", "roll 6 / 1", "move_in ala>kam 1")
    assert p.s.fell == (0, 1, 0)
    assert p.step == "attack A"


@pytest.mark.ruling("M69")
@pytest.mark.ruling("R31a")
@pytest.mark.ruling("R63")
@pytest.mark.parametrize(("seats", "needed"), [(4, 2), (5, 3), (6, 3)])
def test_short_form(seats: int, needed: int) -> None:
    others = "kam ven eus sia ngu".split()[: seats - 1]
    taken = " ".join(others[: needed - 1])
    rest = "; ".join(f"{'BCDEF'[number]}: {place}" for number, place in enumerate(others) if number >= needed)
    target = others[needed - 1]
    holder = "BCDEF"[needed - 1]
    beside = {"kam": "ala", "ven": "cam", "eus": "que"}[target]
    text = f"{seats}; A: ice 2 {beside} 4 {taken}; {holder}: {target}; {rest}; rest {'BCDEF'[seats - 2]}"
    text += f"; headquarters: ice {' '.join(others)}; at attacking A"
    p = Position(text, "capital-short").play(f"attack {beside}>{target} 3", "roll 6 6 6 / 1")
    assert ended(p)[0] == "goal"
    full = Position(text, "capital").play(f"attack {beside}>{target} 3", "roll 6 6 6 / 1")
    assert full.s.ending == 0


@pytest.mark.ruling("R31a")
@pytest.mark.ruling("R63")
def test_three_players_have_the_full_form_only() -> None:
    with pytest.raises(BadSetting, match=r"capital-short is for 4, 5, 6 players.*'capital'"):
        ruleset("capital-short", 3)


def test_a_lost_seat_cannot_win() -> None:
    text = "4; A: ala 5 gre bra; B: kam; C: arg; D: jpn; rest B 2; headquarters: gre kam bra jpn; lost A"
    p = Position(f"{text}; at attacking A", "capital-short").play("attack ala>kam 3", "roll 6 6 6 / 1")
    assert p.s.ending == 0


def test_at_the_round_limit_headquarters_come_before_land() -> None:
    text = "3 rounds=5; A: ala ven kam; B: gre; rest C 3; headquarters: ala kam arg; round 5; first A; turn C"
    p = Position(f"{text}; steps: next_turn -", "capital")
    assert ended(p) == ("round_limit", (1, 3, 2))
