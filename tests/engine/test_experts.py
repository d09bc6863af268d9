"""The expert options, alone and together."""

import itertools

import pytest

from engine.rules import variants
from engine.rules.cards import FACE_UP, seen_by
from engine.rules.observe import observe
from engine.rules.variants import EXPERT, VARIANTS, find, ruleset
from tests.engine.positions import Position, new_match, play_first

NAMES = [setting.name for setting in EXPERT]


@pytest.mark.ruling("M87")
@pytest.mark.ruling("T1")
def test_each_set_pays_one_more() -> None:
    paid = []
    for sets in range(12):
        text = f"3 expert_set_values=1; A: ala; rest B; hand A: gre ont que; sets {sets}; at trading A"
        p = Position(text).play("trade gre", "trade ont", "trade que")
        paid += [event.amount for event in p.events("set_paid")]
    assert paid == list(range(4, 16))


# Many free moves


@pytest.mark.ruling("M88")
@pytest.mark.ruling("R56")
def test_many_moves_as_if_made_at_once() -> None:
    text = "3 expert_fortify=1; A: ala 3 nwt 2 alb arg; B: kam; rest C; at fortifying A"
    p = Position(text)
    assert p.options == ["stop", "fortify_from ala>", "fortify_from nwt>"]
    p.play("fortify_from ala>")
    assert p.options == ["fortify ala>nwt 1-2", "fortify ala>alb 1-2"]
    p.play("fortify ala>nwt 2")
    assert (p.at("ala"), p.at("nwt"), p.step) == ("A 1", "A 4", "fortify A")
    assert p.options == ["stop", "fortify_from nwt>"]  # one of its own may leave; those that came stay
    p.play("fortify_from nwt>")
    assert p.options == ["fortify nwt>ala 1", "fortify nwt>alb 1"]
    p.play("fortify nwt>alb 1")
    assert p.step == "place B"  # nothing is left to move
    assert Position(text).play("stop").step == "place B"


# A cap on every territory


@pytest.mark.ruling("M89")
@pytest.mark.ruling("R51")
def test_no_more_than_twelve_by_placing() -> None:
    p = Position("3 expert_cap12=1; A: ala 11 alb 12 nwt 9; B: kam; rest C; pool A 7; at deploying A")
    assert p.options == ["place ala 1", "place nwt 1-3"]
    p.play("place ala 1", "place nwt 3")
    assert [event.amount for event in p.events("wasted")] == [3]
    assert (p.s.pool[0], p.step) == (0, "attack A")


@pytest.mark.ruling("R51")
def test_nothing_is_asked_where_all_is_full() -> None:
    p = Position("3 expert_cap12=1; A: ala 12; B: kam; rest C; pool A 3; at deploying A")
    assert p.step == "attack A"
    assert p.s.pool[0] == 0


@pytest.mark.ruling("R51")
def test_no_more_than_twelve_by_moving() -> None:
    p = Position("3 expert_cap12=1; A: ala 12 nwt 8 alb 12; B: kam; rest C; at attacking A")
    p.play("attack ala>kam 3", "roll 6 6 6 / 1")
    assert p.options == ["move_in ala>kam 3-11"]
    text = "3 expert_cap12=1; A: ala 12 nwt 8 alb 12; B: kam; rest C; at fortifying A"
    assert Position(text).options == ["stop", "fortify ala>nwt 1-4", "fortify nwt>ala 1-7"][:2] + [
        "fortify alb>nwt 1-4"
    ]
    many = Position(text.replace("cap12=1", "cap12=1 expert_fortify=1")).play("fortify_from ala>")
    assert many.options == ["fortify ala>nwt 1-4"]


@pytest.mark.ruling("R51")
def test_no_more_than_twelve_in_the_setup() -> None:
    p = Position("3 expert_cap12=1; A: ala 12 nwt; B: kam; rest C; pool A 3; steps: setup_place A")
    assert p.options == ["place nwt 1"]


@pytest.mark.ruling("R52")
def test_the_bonus_is_lost_where_the_territory_is_full() -> None:
    for armies, bonus in ((12, 0), (11, 1), (10, 2)):
        text = f"3 expert_cap12=1; A: gre {armies} ala; rest B; hand A: gre ont que; at trading A"
        p = Position(text).play("trade gre", "trade ont", "trade que")
        assert [event.amount for event in p.events("bonus_paid")] == [bonus]
        assert p.at("gre") == f"A {armies + bonus}"


# Re-rolling for a card

REROLL = "3 expert_card_reroll=1; A: ala 5; B: kam 3; rest C 2; at attacking A"


@pytest.mark.ruling("M90")
@pytest.mark.ruling("R53")
def test_one_own_die_for_the_card_of_source_or_target() -> None:
    p = Position(f"{REROLL}; hand A: ala kam ven").play("attack ala>kam 3", "defend ala>kam 2", "roll 6 1 2 / 5 5")
    assert p.step == "reroll A"
    assert p.options == ["stop", *[f"reroll #{die} {card}" for die in range(3) for card in ("ala", "kam")]]
    p.play("reroll #1 kam", "reroll_die 6")
    assert (p.at("ala"), p.at("kam")) == ("A 5", "B 1")  # 6 6 2 against 5 5
    assert p.step == "attack A"  # once a roll


@pytest.mark.ruling("R53")
def test_the_new_face_stands() -> None:
    p = Position(f"{REROLL}; hand A: ala").play("attack ala>kam 3", "defend ala>kam 2", "roll 6 6 2 / 5 5")
    p.play("reroll #0 ala", "reroll_die 1")
    assert (p.at("ala"), p.at("kam")) == ("A 4", "B 2")


@pytest.mark.ruling("M90")
def test_it_is_asked_whenever_a_card_is_held() -> None:
    p = Position(f"{REROLL}; hand A: ven").play("attack ala>kam 3", "defend ala>kam 2", "roll 6 1 2 / 5 5")
    assert (p.step, p.options) == ("reroll A", ["stop"])
    assert not p.r.is_settled(p.s, p.codes)
    p.play("stop")
    assert p.at("ala") == "A 4"
    without = Position(REROLL).play("attack ala>kam 3", "defend ala>kam 2", "roll 6 1 2 / 5 5")
    assert without.step == "attack A"
    defence = Position(f"{REROLL}; hand B: kam").play("attack ala>kam 3", "defend ala>kam 2", "roll 6 1 2 / 5 5")
    assert defence.step == "attack A"  # not for the defender


@pytest.mark.ruling("R54")
@pytest.mark.ruling("R61")
def test_the_card_stays_in_the_hand_and_everybody_has_seen_it() -> None:
    p = Position(f"{REROLL}; hand A: ala ven").play("attack ala>kam 3", "defend ala>kam 2", "roll 6 1 2 / 5 5")
    p.play("reroll #1 ala")
    assert observe(p.r, p.s, 2).hands[0] == observe(p.r, p.s, 1).hands[0]
    p.play("reroll_die 1")
    assert p.hand("A") == "ala ven"
    assert [seen_by(card) for card in p.s.hands[0]] == [FACE_UP, 1]
    p.play("attack ala>kam 3", "defend ala>kam 2", "roll 6 1 2 / 5 5")
    assert "reroll #0 ala" in p.options  # and may be used again in the next battle


# The commander

COMMAND = "3 expert_commander=1; A: ala 6; B: kam 3; rest C 2; at attacking A"


@pytest.mark.ruling("M91")
def test_once_a_turn_a_die_becomes_a_six() -> None:
    p = Position(COMMAND).play("attack ala>kam 3", "defend ala>kam 2", "roll 6 1 2 / 5 5")
    assert (p.step, p.options) == ("command A", ["stop", "command #1", "command #2"])
    p.play("command #1")
    assert (p.at("ala"), p.at("kam")) == ("A 6", "B 1")
    p.play("attack ala>kam 3", "roll 1 1 1 / 1")
    assert p.step == "attack A"
    declined = Position(COMMAND).play("attack ala>kam 3", "defend ala>kam 2", "roll 6 1 2 / 5 5", "stop")
    assert declined.at("ala") == "A 5"
    assert declined.play("attack ala>kam 3", "defend ala>kam 2", "roll 6 1 2 / 5 5").step == "command A"


@pytest.mark.ruling("R55")
def test_the_card_comes_before_the_commander_and_both_before_comparing() -> None:
    text = COMMAND.replace("expert_commander=1", "expert_commander=1 expert_card_reroll=1")
    p = Position(f"{text}; hand A: ala").play("attack ala>kam 3", "defend ala>kam 2", "roll 1 1 2 / 5 5")
    assert p.step == "reroll A"
    p.play("reroll #0 ala", "reroll_die 6")
    assert (p.step, p.options) == ("command A", ["stop", "command #1", "command #2"])
    assert p.at("ala") == "A 6"
    p.play("command #2")
    assert (p.at("ala"), p.at("kam")) == ("A 6", "B 1")


# Mixes


@pytest.mark.parametrize("variant", ["classic", "secret-mission"])
def test_every_mix_can_be_played(variant: str) -> None:
    for mix in itertools.product((0, 1), repeat=len(NAMES)):
        r = ruleset(variant, 3, {"rounds": 1} | dict(zip(NAMES, mix)))
        assert r.new().agenda


def test_an_expert_option_for_another_variant_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    capital = find("capital")
    more = capital._replace(name="capital-expert", settings=(*capital.settings, *EXPERT))
    monkeypatch.setitem(VARIANTS, more.name, more)
    monkeypatch.setattr(variants, "_rulesets", {})
    options = dict.fromkeys(NAMES, 1)
    match = new_match("capital-expert", 3)
    match.r = ruleset("capital-expert", 3, options)
    match.s = match.r.new()
    match.play("roll_first 6 1 1")
    play_first(match, "attack")
    assert match.s.headquarters
    assert len(match.s.tally) > match.r.board.size
