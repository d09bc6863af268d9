"""Teams: who controls shared land, who pays for losses on it, one hand of cards, one result."""

import random

import pytest

from engine.rules.cards import seen_by
from engine.rules.errors import RulesError
from engine.rules.observe import observe, redact, resample
from engine.rules.state import strength
from engine.rules.variants import VARIANTS, ruleset
from tests.engine.positions import Position, claim_all, new_match


def team(text: str, seats: int = 4) -> Position:
    return Position(f"{seats}; {text}", "team")


def shares(p: Position, place: str) -> str:
    """`A 2 C 3`: who has how many armies there."""
    number = p.r.board.find(place)
    there = [(seat, strength(p.s, number, seat)) for seat in range(p.s.seats)]
    return " ".join(f"{'ABCDEF'[seat]} {armies}" for seat, armies in there if armies)


# Who plays with whom


@pytest.mark.ruling("M80")
@pytest.mark.parametrize(("seats", "teams"), [(4, (0, 1, 0, 1)), (6, (0, 1, 0, 1, 0, 1))])
def test_seats_of_two_teams_alternate(seats: int, teams: tuple[int, ...]) -> None:
    assert ruleset("team", seats).teams == teams
    assert VARIANTS["team"].teams == 2
    assert ruleset("classic", 3).teams == (0, 1, 2)


@pytest.mark.ruling("M1")
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_teams_of_equal_size_only(seats: int) -> None:
    with pytest.raises(RulesError, match="team is for 4, 6 players"):
        ruleset("team", seats)


@pytest.mark.ruling("M80")
@pytest.mark.parametrize(("seats", "armies"), [(4, 30), (6, 20)])
def test_everybody_claims_and_reinforces_its_own_land(seats: int, armies: int) -> None:
    match = new_match("team", seats)
    assert match.s.pool == [armies] * seats
    claim_all(match.play("roll_first " + " ".join(["6"] + ["1"] * (seats - 1))))
    while match.step.startswith("setup_place"):
        assert all(match.at(option.split()[1])[0] == match.step[-1] for option in match.options)
        match.play(match.options[0])
    assert match.step == "first -"
    assert [match.r.army_count(match.s, seat) for seat in range(seats)] == [armies] * seats


# Control


@pytest.mark.ruling("M81")
def test_the_most_armies_control_a_shared_place() -> None:
    p = team("A: gre 4 ala 3; C: gre 4 ala 2; rest B")
    assert p.at("ala") == "A 5"
    assert p.at("gre") == "- 8"  # a tie: nobody
    assert p.s.held[0] == 1
    assert p.s.held[2] == 0


@pytest.mark.ruling("M81")
def test_three_members_on_one_place() -> None:
    p = team("A: eus 2; C: eus 2; E: eus 3; rest B", 6)
    assert p.at("eus") == "E 7"
    assert team("A: eus 3; C: eus 2; E: eus 3; rest B", 6).at("eus") == "- 8"


@pytest.mark.ruling("M81")
@pytest.mark.ruling("R48")
def test_a_tie_breaks_the_continent() -> None:
    whole = team("A: ngu eau wau ido 3; C: ido 2 ala; rest B; at counting_income A")
    tied = team("A: ngu eau wau ido 2; C: ido 2 ala; rest B; at counting_income A")
    assert (whole.s.pool[0], tied.s.pool[0]) == (5, 3)
    assert team("A: ala; C: ngu eau wau ido 2; A: ido 2; rest B; at counting_income C").s.pool[2] == 3


@pytest.mark.ruling("M81")
@pytest.mark.ruling("R48")
def test_only_controlled_places_count_for_income() -> None:
    land = "ala nwt gre alb ont que wus eus cam ven per"
    tied = team(f"A: {land} bra; C: bra ice; rest B; at counting_income A")
    own = team(f"A: {land} bra 2; C: bra ice; rest B; at counting_income A")
    assert (tied.s.held[0], own.s.held[0]) == (11, 12)
    assert own.s.pool[0] == tied.s.pool[0] + 1


@pytest.mark.ruling("R43")
def test_who_controls_nothing_gets_three_and_places_them_beside_a_mate() -> None:
    p = team("A: gre; C: gre 4 ala; rest B; at counting_income A")
    assert p.s.held[0] == 0
    assert p.options == ["place gre 1-3"]
    p.play("place gre 3")
    assert (shares(p, "gre"), p.at("gre")) == ("A 4 C 4", "- 8")
    assert [(event.seat, event.target) for event in p.events("controlled")] == [(-1, p.r.board.find("gre"))]


# Cards


@pytest.mark.ruling("M82")
@pytest.mark.ruling("R9")
@pytest.mark.parametrize(
    ("cards", "armies"),
    [("{x1} {x2} {x3}", 4), ("{y1} {y2} {y3}", 6), ("{z1} {z2} {z3}", 8), ("{x1} {y1} {z1}", 10)]
    + [("{x1} {x2} wild", 4), ("{x1} {z1} wild", 10), ("{z1} wild wild", 10)],
)
def test_set_values_are_fixed(cards: str, armies: int) -> None:
    p = team(f"A: ala; C: kam; rest B; hand A: {cards}; sets 7; at trading A")
    p.play(*[f"trade {card}" for card in p.hand("A").split()])
    assert p.s.pool[0] == armies


@pytest.mark.ruling("M85")
@pytest.mark.parametrize(("seats", "order"), [(4, "ACAC"), (6, "ACEA")])
def test_the_hand_goes_round_the_team(seats: int, order: str) -> None:
    others = "; E: gre; F: jpn" if seats == 6 else ""
    p = team(f"A: ala 2 nwt; B: kam; C: alb{others}; rest D; hand A: ont; at fortifying A", seats)
    holders = ""
    while len(holders) < len(order):
        holders += "ABCDEF"[[len(hand) for hand in p.s.hands].index(1)]
        turn = p.s.turn
        while p.s.turn == turn or p.r.teams[p.s.turn]:
            p.play("stop" if "stop" in p.options else p.options[0].partition("-")[0])
    assert holders == order
    passed = p.events("hand_passed")[0]
    assert (passed.piece, passed.seat, passed.amount) == (0, 2, 1)


@pytest.mark.ruling("M85")
def test_mates_see_what_is_drawn() -> None:
    p = team("A: ala 2 nwt; C: kam; B: gre; rest D; captures 1; at drawing A").play("draw jpn")
    (card,) = p.s.hands[0] or p.s.hands[2]
    assert seen_by(card) == 0b0101
    (event,) = p.events("drew")
    assert [redact(event, seat).card == event.card for seat in range(4)] == [True, False, True, False]
    for seat, knows in enumerate((True, False, True, False)):
        assert (card in [held for hand in observe(p.r, p.s, seat).hands for held in hand]) is knows
    kept = resample(p.r, p.s, 2, random.Random(1).randrange)
    assert kept.hands == p.s.hands


@pytest.mark.ruling("M85")
@pytest.mark.ruling("R50")
def test_a_team_with_five_cards_must_trade_when_a_turn_starts() -> None:
    cards = "ven per arg gre ont"
    must = team(f"A: ala; C: kam; rest B; hand A: {cards}; at trading A")
    assert "stop" not in must.options
    may = team("A: ala; C: kam; rest B; hand A: ven per arg gre; at trading A")
    assert may.options[0] == "stop"
    drawn = team("A: ala 2 nwt; C: kam 2; rest B; hand A: ven per arg gre; captures 1; at drawing A")
    drawn.play("draw ont")
    assert drawn.step.endswith("B")  # five cards, and nobody trades before the next turn of the team
    assert len(drawn.s.hands[2]) == 5


# War


@pytest.mark.ruling("M83")
@pytest.mark.ruling("R44")
def test_own_armies_attack_the_other_team_only() -> None:
    p = team("A: ala 3 nwt; C: nwt 5 kam; B: alb; rest D; at attacking A")
    assert p.options == ["stop", "attack ala>alb 1-2"]  # nwt has one army of A; kam is a mate's


@pytest.mark.ruling("R44")
def test_one_own_army_stays_whatever_a_mate_has_there() -> None:
    p = team("A: ala 3; C: ala 5; B: alb; rest D; at attacking A")
    assert "attack ala>alb 1-2" in p.options
    p.play("attack ala>alb 2", "roll 6 6 / 1")
    assert (shares(p, "ala"), shares(p, "alb")) == ("A 1 C 5", "A 2")
    assert p.step != "move_in A"  # nothing of its own is left to move
    assert p.at("ala") == "C 6"


@pytest.mark.ruling("R44")
def test_moving_in_takes_own_armies() -> None:
    p = team("A: ala 6; C: ala 5; B: alb que; rest D; at attacking A").play("attack ala>alb 3", "roll 6 6 6 / 1")
    assert p.options == ["move_in ala>alb 3-5"]
    p.play("move_in ala>alb 5")
    assert (shares(p, "ala"), shares(p, "alb")) == ("A 1 C 5", "A 5")


@pytest.mark.ruling("R45")
def test_a_shared_place_defends_with_two_dice_and_its_controller_rolls() -> None:
    p = team("A: ala 4; B: kam; D: kam 2; C: gre; rest D; at attacking A").play("attack ala>kam 1")
    assert p.step == "defend D"
    single = team("A: ala 4; B: kam; D: kam; C: gre; rest D; at attacking A").play("attack ala>kam 1")
    assert single.step == "defend B"
    assert single.options == ["defend ala>kam 1-2"]


@pytest.mark.ruling("R45")
def test_in_a_tie_the_next_in_turn_order_rolls() -> None:
    land = "B: kam 2; D: kam 2; rest D; at attacking"
    assert team(f"A: ala 4; C: gre; {land} A").play("attack ala>kam 1").step == "defend B"
    assert team(f"C: ala 4; A: gre; {land} C").play("attack ala>kam 1").step == "defend D"
    mates = team("B: ala 4; A: kam 2; C: kam 2; rest D; at attacking B")
    assert mates.play("attack ala>kam 1").step == "defend C"


@pytest.mark.ruling("R46")
def test_who_rolled_may_choose_whose_armies_fall() -> None:
    p = team("A: ala 4; B: kam 2; D: kam 3; C: gre; rest D; at attacking A")
    p.play("attack ala>kam 3", "defend ala>kam 2", "roll 6 6 6 / 1 1")
    assert p.step == "lose D"
    assert p.options == ["stop", "lose B kam 1-2", "lose D kam 1-2"]
    p.play("lose B kam 1")
    assert p.options == ["stop", "lose B kam 1", "lose D kam 1"]
    p.play("lose D kam 1")
    assert shares(p, "kam") == "B 1 D 2"
    assert p.step == "attack A"


@pytest.mark.ruling("R46")
def test_the_controller_loses_first_by_default() -> None:
    p = team("A: ala 4; B: kam 2; D: kam 3; C: gre; rest D; at attacking A")
    p.play("attack ala>kam 3", "defend ala>kam 2", "roll 6 6 6 / 1 1", "stop")
    assert shares(p, "kam") == "B 2 D 1"
    assert p.at("kam") == "B 3"
    assert [(event.seat, event.amount) for event in p.events("lost")] == [(3, 2)]


@pytest.mark.ruling("R46")
def test_then_whoever_has_most_of_the_others() -> None:
    p = team("B: kam jpn; D: kam; F: kam mon; A: ala 4; C: gre; E: que; rest D; at attacking A", 6)
    p.play("attack ala>kam 3", "defend ala>kam 2", "roll 6 6 6 / 1 1", "stop")
    assert shares(p, "kam") == "F 1"  # all tie: in turn order after the attacker
    p = team("B: kam jpn; D: kam; F: kam 2 mon; A: ala 4; C: gre; E: que; rest D; at attacking A", 6)
    p.play("attack ala>kam 3", "defend ala>kam 2", "roll 6 6 6 / 1 1", "lose B kam 1", "stop")
    assert shares(p, "kam") == "D 1 F 1"  # F had most left


@pytest.mark.ruling("R46")
def test_nobody_is_asked_where_no_choice_is_left() -> None:
    one = team("A: ala 4; B: kam 3; C: gre; rest D; at attacking A")
    one.play("attack ala>kam 3", "defend ala>kam 2", "roll 6 6 6 / 1 1")
    assert (one.step, one.at("kam")) == ("attack A", "B 1")
    last = team("A: ala 4; B: kam 2; D: kam; C: gre; rest D; at attacking A")
    last.play("attack ala>kam 3", "defend ala>kam 2", "roll 6 6 6 / 1 1")
    assert last.play("lose D kam 1").step == "attack A"  # the second is B's
    assert shares(last, "kam") == "B 1"


@pytest.mark.ruling("R47")
def test_a_place_is_captured_when_all_that_stand_there_are_gone() -> None:
    p = team("A: ala 4; B: kam jpn; D: kam 2; C: gre; rest D; at attacking A")
    p.play("attack ala>kam 3", "defend ala>kam 1", "roll 6 6 6 / 1")
    assert p.step == "lose D"
    p.play("lose B kam 1")
    assert p.at("kam") == "D 2"
    p.play("attack ala>kam 3", "defend ala>kam 1", "roll 6 6 6 / 1")
    assert p.at("kam") == "D 1"
    p.play("attack ala>kam 3", "roll 6 6 6 / 1")
    assert shares(p, "kam") == "A 3"
    assert p.s.captures == 1
    assert p.events("captured")[0].piece == 3


def test_both_members_of_a_shared_place_can_fall_in_one_roll() -> None:
    p = team("A: ala 4; B: kam jpn; D: kam; C: gre; rest D; at attacking A")
    p.play("attack ala>kam 3", "defend ala>kam 2", "roll 6 6 6 / 1 1")
    assert shares(p, "kam") == "A 3"
    assert sorted(event.seat for event in p.events("lost")) == [1, 3]


def test_losses_of_the_attacker_can_change_control() -> None:
    p = team("A: ala 4; C: ala 3; B: kam 3 jpn; rest D; at attacking A")
    p.play("attack ala>kam 3", "defend ala>kam 2", "roll 1 1 1 / 6 6")
    assert (shares(p, "ala"), p.at("ala")) == ("A 2 C 3", "C 5")
    assert [event.seat for event in p.events("controlled")] == [2]


# Free move


@pytest.mark.ruling("M84")
def test_the_path_and_its_end_may_be_a_mates() -> None:
    """The manual's example: own, a mate's, own, shared by two mates, a mate's."""
    land = "A: ido 3 ind; C: sia mid; E: mid eaf; B: chi; D: afg; rest F; at fortifying A"
    p = team(land, 6).play("fortify_from ido>")
    assert "fortify ido>eaf 1-2" in p.options
    assert {option.split()[1] for option in p.options} == {"ido>eaf", "ido>mid", "ido>ind", "ido>sia"}
    p.play("fortify ido>eaf 2")
    assert (shares(p, "ido"), shares(p, "eaf"), p.at("eaf")) == ("A 1", "A 2 E 1", "A 3")


@pytest.mark.ruling("M84")
@pytest.mark.ruling("R48")
def test_a_tied_place_is_friendly_land() -> None:
    p = team("A: ala 3 alb; C: alb ont; rest B; at fortifying A").play("fortify_from ala>")
    assert p.options == ["fortify ala>alb 1-2", "fortify ala>ont 1-2"]
    assert p.at("alb") == "- 2"


@pytest.mark.ruling("M84")
def test_land_of_the_other_team_blocks_the_way() -> None:
    p = team("A: ala 3; C: nwt que; B: ont gre; rest D; at fortifying A").play("fortify_from ala>")
    assert p.options == ["fortify ala>nwt 1-2"]


@pytest.mark.ruling("R44")
@pytest.mark.ruling("M84")
def test_only_own_armies_are_moved_and_one_stays() -> None:
    p = team("A: ala nwt 3; C: ala 9; rest B; at fortifying A")
    assert p.options == ["stop", "fortify_from nwt>"]
    p.play("fortify_from nwt>")
    assert "fortify nwt>ala 1-2" in p.options
    p.play("fortify nwt>ala 2")
    assert shares(p, "ala") == "A 3 C 9"


# The end


@pytest.mark.ruling("M86")
@pytest.mark.ruling("R49")
def test_the_first_eliminated_player_loses_for_the_team() -> None:
    p = team("A: ala 4; B: kam; C: gre; rest D; hand B: ont que; at attacking A")
    p.play("attack ala>kam 3", "roll 6 6 6 / 1")
    assert (p.step, p.s.places, p.s.ending) == ("over", (1, 3, 1, 3), 1)
    assert p.hand("B") == p.cards("ont que")  # no cards change hands
    six = team("A: ala 4; B: kam; C: gre; E: que; F: jpn; rest D; at attacking A", 6)
    assert six.play("attack ala>kam 3", "roll 6 6 6 / 1").s.places == (1, 4, 1, 4, 1, 4)


@pytest.mark.ruling("R49")
def test_who_has_an_army_left_on_a_mates_place_is_not_eliminated() -> None:
    p = team("A: ala 4; B: kam jpn; D: jpn 5; C: gre; rest D; at attacking A")
    p.play("attack ala>kam 3", "roll 6 6 6 / 1")
    assert p.s.places == ()
    assert p.s.held[1] == 0


@pytest.mark.ruling("R49")
def test_the_last_army_can_fall_on_a_place_that_holds() -> None:
    p = team("A: ala 4; B: kam; D: kam 5; C: gre; rest D; at attacking A")
    p.play("attack ala>kam 3", "defend ala>kam 2", "roll 6 6 1 / 1 6")
    assert p.step == "lose D"
    p.play("lose B kam 1")
    assert (p.step, p.s.places, p.at("kam")) == ("over", (1, 3, 1, 3), "D 5")


def test_at_the_round_limit_the_land_of_a_team_counts_together() -> None:
    p = Position("4 rounds=1; A: ala; B: kam 2 gre; C: ice; rest D 1; round 1; first A; at next_turn D", "team")
    assert p.s.places == (3, 1, 3, 1)
    tie = ruleset("team", 4)
    assert tie.team_standing(tie.new(), 0, -1) == tie.team_standing(tie.new(), 1, -1)


def test_a_team_is_lost_when_all_its_members_are() -> None:
    p = team("A: ala; B: kam; C: ice; rest D; at attacking D")
    p.r.forfeit(p.s, 1)
    assert p.step != "over"
    p.r.forfeit(p.s, 3)
    assert (p.s.places, p.s.ending) == ((1, 3, 1, 3), 4)


def test_mates_may_not_share_with_the_other_team() -> None:
    with pytest.raises(RulesError, match="ala is given twice"):
        team("A: ala; B: ala")
