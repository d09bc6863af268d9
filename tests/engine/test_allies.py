"""Active neutral forces: bribes, allies and their armies, invasions and what they do to loyalty."""

import random

import pytest

from engine.rules.cards import seen_by
from engine.rules.errors import RulesError
from engine.rules.events import EVERYBODY
from engine.rules.observe import observe, redact, resample
from tests.engine.positions import Position, new_match

ACTIVE = "neutral-active"


def war(text: str, alliances: str = "- - - -") -> Position:
    """`text` is added to a position in which the neutral forces C to F have a place each, and B the rest."""
    land = "2; C: egy; D: mad; E: jpn; F: ngu"
    return Position(f"{land}; {text}; rest B; alliances: {alliances}", ACTIVE)


# Bribes


@pytest.mark.ruling("M59")
def test_nobody_is_allied_at_first() -> None:
    match = new_match(ACTIVE, 2)
    assert match.s.alliances == (-1, -1, -1, -1)
    assert match.s.hands[2:] == ((), (), (), ())


@pytest.mark.ruling("M60")
def test_a_card_moves_a_neutral_force_one_place_towards_the_giver() -> None:
    p = war("A: ala; hand A: ont ven kam; at bribing A", "- B - -")
    assert p.step == "bribe A"
    assert p.options == ["stop", *[f"bribe {force} {card}" for force in "CDEF" for card in ("ont", "ven", "kam")]]
    p.play("bribe C ont")
    assert p.s.alliances == (0, 1, -1, -1)
    assert (p.hand("A"), p.hand("C")) == ("ven kam", "ont")
    assert not [option for option in p.options if option.startswith("bribe C")]  # an ally takes nothing more
    p.play("bribe D ven")
    assert p.s.alliances == (0, -1, -1, -1)
    p.play("bribe D kam")
    assert p.s.alliances == (0, 0, -1, -1)  # two cards in one turn are two places
    assert p.step == "place A"  # no card is left
    assert [event.kind for event in p.told if event.kind in (32, 33)] == [32, 33, 32]


@pytest.mark.ruling("M60")
def test_two_cards_are_the_most_for_one_force_in_a_turn() -> None:
    p = war("A: ala; hand A: ont ven kam; at bribing A", "B - - -")
    p.play("bribe C ont", "bribe C ven")
    assert not [option for option in p.options if option.startswith("bribe C")]


@pytest.mark.ruling("M60")
@pytest.mark.ruling("M59")
def test_no_card_for_a_force_that_has_five_or_no_land() -> None:
    p = war("A: ala; hand A: ont; hand C: ven per arg gre que; at bribing A")
    assert p.options == ["stop", "bribe D ont", "bribe E ont", "bribe F ont"]
    fallen = Position("2; A: ala; C: egy; rest B; hand A: ont; at bribing A", ACTIVE)
    assert fallen.options == ["stop", "bribe C ont"]


@pytest.mark.ruling("M60")
def test_nobody_is_asked_for_bribes_without_a_card() -> None:
    assert war("A: ala; at bribing A").step == "place A"


@pytest.mark.ruling("R25")
def test_bribing_comes_before_the_forced_trade() -> None:
    p = war("A: ala; hand A: ont ven per arg kam; at bribing A")
    p.play("bribe C ont")
    assert len(p.s.hands[0]) == 4
    p.play("stop")
    assert p.step == "trade A"
    assert p.options[0] == "stop"  # four cards force nothing
    forced = war("A: ala; hand A: ont ven per arg kam; at bribing A").play("stop")
    assert "stop" not in forced.options


@pytest.mark.ruling("R60")
def test_a_bribe_is_known_to_its_giver_only() -> None:
    p = war("A: ala; hand A: ont ven; at bribing A").play("bribe C ont")
    (card,) = p.s.hands[2]
    assert seen_by(card) == 1
    (event,) = p.events("bribed")
    assert event.audience == 1
    assert redact(event, 0).card == event.card
    assert redact(event, 1).card != event.card
    for seat in (1, -1):
        hidden = observe(p.r, p.s, seat)
        assert len(hidden.hands[2]) == 1
        assert hidden.hands[2][0] != card
    assert observe(p.r, p.s, 0).hands[2] == (card,)


def test_other_bribes_look_the_same_to_the_opponent() -> None:
    told = []
    for card in ("ont", "ven"):
        p = war("A: ala; hand A: ont ven; at bribing A").play(f"bribe C {card}")
        told.append((observe(p.r, p.s, 1), [redact(event, 1) for event in p.told]))
    assert told[0] == told[1]


# Reinforcing


@pytest.mark.ruling("M61")
def test_allied_land_does_not_count_for_income() -> None:
    p = Position("2; A: ido ngu wau; D: eau; C: egy; rest B; alliances: A A - -; at counting_income A", ACTIVE)
    assert p.s.pool[0] == 3  # neither the continent nor the twelve territories of all three


@pytest.mark.ruling("M62")
def test_each_ally_may_be_reinforced_by_a_die() -> None:
    p = war("A: ala; D: nwt; at reinforcing A", "A A B -")
    assert p.step == "reinforce A"
    assert p.options == ["stop", "reinforce C", "reinforce D"]
    p.play("reinforce D")
    assert p.options == ["roll_die 1 of 6"]
    p.play("roll_die 5")
    assert p.options == ["place_neutral D nwt 1-5", "place_neutral D mad 1-5"]
    p.play("place_neutral D mad 2")
    assert p.options == ["place_neutral D nwt 1-3", "place_neutral D mad 1-3"]
    p.play("place_neutral D nwt 3")
    assert (p.at("mad"), p.at("nwt")) == ("D 3", "D 4")
    assert p.options == ["stop", "reinforce C"]
    assert [(event.seat, event.amount) for event in p.events("income")] == [(3, 5)]


@pytest.mark.ruling("M62")
def test_no_ally_need_be_reinforced() -> None:
    p = war("A: ala 3; at reinforcing A", "A A - -").play("stop")
    assert p.step == "attack A"
    assert p.events("income") == []


def test_reinforcing_ends_when_every_ally_has_had_its_die() -> None:
    p = war("A: ala 3; at reinforcing A", "A - - -").play("reinforce C", "roll_die 1")
    assert p.play("place_neutral C egy 1").step == "attack A"


# Fighting


@pytest.mark.ruling("M63")
def test_allies_attack_everybody_but_the_player() -> None:
    p = Position("2; A: ala kam; C: nwt 3; D: alb; B: gre; rest E; alliances: A A - -; at attacking A", ACTIVE)
    assert p.options == ["stop", "attack nwt>gre 1-2", "attack nwt>alb 1-2", "attack nwt>ont 1-2"]


@pytest.mark.ruling("M63")
def test_who_is_not_an_ally_does_not_attack() -> None:
    p = Position("2; A: ala 2 kam; C: nwt 3; rest B; alliances: B - - -; at attacking A", ACTIVE)
    assert all(option == "stop" or option.startswith("attack ala>") for option in p.options)


@pytest.mark.ruling("M63")
@pytest.mark.ruling("M66")
def test_what_an_ally_takes_is_its_own_and_earns_no_card() -> None:
    p = Position("2; A: ala; C: nwt 4; B: alb kam; rest E; alliances: A - - -; at attacking A", ACTIVE)
    p.play("attack nwt>alb 3", "roll 6 6 6 / 1")
    assert p.at("alb") == "C 3"
    assert (p.s.captures, p.s.held[2]) == (0, 2)
    assert p.events("captured")[0].seat == 2


@pytest.mark.ruling("M66")
def test_a_card_for_what_own_armies_took() -> None:
    p = Position("2; A: ala 4; C: nwt 4; B: alb kam; rest E; alliances: A - - -; at attacking A", ACTIVE)
    p.play("attack ala>alb 3", "roll 6 6 6 / 1")
    assert (p.at("alb"), p.s.captures) == ("A 3", 1)


@pytest.mark.ruling("R24")
def test_the_opponent_chooses_the_dice_of_its_enemys_ally_too() -> None:
    p = Position("2; A: ala 4; C: kam 2; rest B; alliances: A - - -; at attacking A", ACTIVE)
    assert p.play("attack ala>kam 1").step == "defend B"
    p = Position("2; A: ala; C: nwt 4; D: alb 2; rest B; alliances: A B - -; at attacking A", ACTIVE)
    assert p.play("attack nwt>alb 1").step == "defend B"


# Invasions and loyalty


INVASION = "2; A: ala 5 nwt 5; C: kam 6; D: que; rest B; at attacking A"


@pytest.mark.ruling("M64")
@pytest.mark.parametrize(("face", "alliance"), [(1, 1), (4, 1), (5, -1), (6, -1)])
def test_a_called_off_invasion_tests_the_attacked(face: int, alliance: int) -> None:
    p = Position(INVASION, ACTIVE).play("attack ala>kam 1", "defend ala>kam 2", "roll 1 / 6 6")
    assert p.options == ["stop", "attack ala>kam 1-3"]
    p.play("stop")
    assert p.step == "loyalty -"
    p.play(f"roll_die {face}")
    assert p.s.alliances[0] == alliance
    assert [(event.piece, event.amount) for event in p.events("tested")] == [(2, face)]
    assert p.step == "attack A"
    assert len(p.options) > 2  # the war goes on


@pytest.mark.ruling("M64")
def test_a_won_invasion_tests_the_attacked_after_moving_in() -> None:
    p = Position("2; A: ala 5; C: kam jpn; rest B; at attacking A", ACTIVE)
    p.play("attack ala>kam 3", "roll 6 6 6 / 1")
    assert p.step == "move_in A"
    assert p.play("move_in ala>kam 4").step == "loyalty -"


@pytest.mark.ruling("M64")
def test_an_invasion_by_an_ally_tests_the_ally() -> None:
    p = Position("2; A: ala; C: nwt 4; rest B; alliances: A - - -; at attacking A", ACTIVE)
    p.play("attack nwt>alb 1", "roll 1 / 6")
    assert p.options == ["stop", "attack nwt>gre 1-2", "attack nwt>ont 1-2"] or len(p.options) == 2
    p.play("stop", "roll_die 2")
    assert p.s.alliances[0] == -1


@pytest.mark.ruling("M64")
def test_an_ally_that_attacks_a_neutral_force_is_tested_apart_from_it() -> None:
    p = Position("2; A: ala; C: nwt 4; D: alb que; rest B; alliances: A - - -; at attacking A", ACTIVE)
    p.play("attack nwt>alb 3", "roll 6 6 6 / 1")
    assert p.at("alb") == "C 3"
    assert p.step == "loyalty -"
    p.play("roll_die 1", "roll_die 6")
    assert p.s.alliances == (-1, -1, -1, -1)
    assert [(event.piece, event.amount) for event in p.events("tested")] == [(2, 1), (3, 6)]


def test_own_attacks_on_the_opponent_test_nobody() -> None:
    p = Position(INVASION, ACTIVE).play("attack nwt>alb 1", "roll 1 / 6")
    assert len(p.options) > 2  # no invasion is under way: any attack may follow
    p.play("stop")
    assert p.events("tested") == []


@pytest.mark.ruling("R26")
def test_a_test_cannot_move_further_than_to_the_opponent() -> None:
    p = Position(INVASION + "; alliances: B - - -", ACTIVE)
    p.play("attack ala>kam 1", "defend ala>kam 2", "roll 1 / 6 6", "stop", "roll_die 1")
    assert p.s.alliances[0] == 1
    assert p.events("allied") == p.events("uninvolved") == []


@pytest.mark.ruling("R26a")
def test_a_lost_ally_stops_obeying_at_once() -> None:
    land = "2; A: ala; C: nwt 6 gre; D: ven 3; rest B; alliances: A A - -; at attacking A"
    p = Position(land, ACTIVE).play("attack nwt>alb 1", "roll 1 / 6", "stop", "roll_die 3")
    assert {option.split(">")[0] for option in p.options} == {"stop", "attack ven"}
    p.play("stop")
    assert p.s.turn == 1  # its free move is lost too


@pytest.mark.ruling("R26b")
def test_an_invasion_goes_on_from_another_source_and_tests_each_ally_once() -> None:
    land = "2; A: ala 3; C: nwt 5; D: ont 5; B: alb 9; rest E; alliances: A A - -; at attacking A"
    p = Position(land, ACTIVE)
    for source in ("nwt", "ont", "nwt"):
        p.play(f"attack {source}>alb 1", f"defend {source}>alb 2", "roll 1 / 6 6")
    assert p.options == ["stop", "attack ala>alb 1-2", "attack nwt>alb 1-2", "attack ont>alb 1-3"]
    p.play("attack ala>alb 1", "defend ala>alb 2", "roll 1 / 6 6", "stop", "roll_die 6", "roll_die 5")
    assert [event.piece for event in p.events("tested")] == [2, 3]
    assert p.step == "attack A"


@pytest.mark.ruling("R26b")
def test_another_territory_can_be_attacked_when_the_invasion_is_called_off() -> None:
    p = Position(INVASION, ACTIVE).play("attack ala>kam 1", "defend ala>kam 2", "roll 1 / 6 6")
    with pytest.raises(RulesError):
        p.play("attack nwt>alb 1")
    p.play("stop", "roll_die 6", "attack nwt>alb 1")


@pytest.mark.ruling("R26b")
def test_an_invasion_without_armies_left_is_called_off() -> None:
    p = Position("2; A: ala 2; C: kam 3; rest B; at attacking A", ACTIVE)
    p.play("attack ala>kam 1", "defend ala>kam 2", "roll 1 / 6 6")
    assert p.options == ["stop"]
    p.play("stop", "roll_die 6")
    assert p.step != "attack A"


@pytest.mark.ruling("R26d")
def test_an_own_ally_may_be_attacked_and_is_tested() -> None:
    p = Position(INVASION + "; alliances: A - - -", ACTIVE)
    p.play("attack ala>kam 1", "defend ala>kam 2", "roll 1 / 6 6", "stop", "roll_die 4")
    assert p.s.alliances[0] == -1


@pytest.mark.ruling("M65")
def test_the_cards_of_an_eliminated_neutral_force_go_to_the_player() -> None:
    p = Position(
        "2; A: ala; C: nwt 4; D: alb; rest B; hand D: ont!B ven!A; alliances: A - - -; at attacking A", ACTIVE
    )
    p.play("attack nwt>alb 3", "roll 6 6 6 / 1")
    assert p.hand("A") == p.cards("ont ven")
    assert p.hand("D") == ""
    assert sorted(seen_by(card) for card in p.s.hands[0]) == [1, 3]
    assert [event.piece for event in p.events("eliminated")] == [3]
    assert p.step == "loyalty -"
    assert p.play("roll_die 6").events("tested")[0].piece == 2  # only the ally is left to test


@pytest.mark.ruling("R26c")
def test_cards_of_a_neutral_force_can_force_a_trade() -> None:
    p = Position("2; A: ala 4; D: kam; rest B; hand A: ven per; hand D: ont que wus; at attacking A", ACTIVE)
    p.play("attack ala>kam 3", "roll 6 6 6 / 1")
    assert p.step == "trade_down A"


@pytest.mark.ruling("R27")
def test_allies_do_not_keep_a_player_in_the_match() -> None:
    p = Position("2; A: ala 4; B: kam; rest C; alliances: B - - -; at attacking A", ACTIVE)
    p.play("attack ala>kam 3", "roll 6 6 6 / 1")
    assert (p.step, p.s.places) == ("over", (1, 2))


@pytest.mark.ruling("R27")
def test_an_ally_can_take_the_last_land_of_the_opponent() -> None:
    p = Position("2; A: ala; C: nwt 4; B: alb; rest D; alliances: A - - -; at attacking A", ACTIVE)
    p.play("attack nwt>alb 3", "roll 6 6 6 / 1")
    assert (p.step, p.s.places) == ("over", (1, 2))


# Free moves


@pytest.mark.ruling("M66")
def test_one_free_move_for_the_player_and_for_each_ally_along_its_own_land() -> None:
    land = "2; A: ala 3 nwt; C: egy 4 naf con; D: jpn 5; E: eau 2 wau; rest B; alliances: A A B -; at fortifying A"
    p = Position(land, ACTIVE)
    p.play("fortify_from ala>", "fortify ala>nwt 2")
    assert p.options == ["stop", "fortify_from egy>"]  # D has nowhere to go, E is no ally
    p.play("fortify_from egy>")
    assert p.options == ["fortify egy>naf 1-3", "fortify egy>con 1-3"]
    p.play("fortify egy>con 3")
    assert (p.at("egy"), p.at("con")) == ("C 1", "C 4")
    assert [event.seat for event in p.events("fortified")] == [0, 2]
    assert p.s.turn == 1


def test_bribes_stay_hidden_when_positions_are_imagined() -> None:
    p = war("A: ala; hand A: ont ven; hand B: kam; at bribing A").play("bribe C ont")
    seen = {resample(p.r, p.s, 1, random.Random(seed).randrange).hands[2] for seed in range(40)}
    assert len(seen) > 5
    assert all(event.audience == EVERYBODY for event in p.told if event.kind != 31)
