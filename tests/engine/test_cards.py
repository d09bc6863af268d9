"""Territory cards: sets, their value, when they must be traded, where they go, the draw."""

import itertools

import pytest

from engine.chance import Chance, seeded_keys
from engine.playout import Overmatch, Policy, play_out
from engine.rules.errors import RulesError
from tests.engine.positions import EDITIONS, Position, new_match

EVERY = pytest.mark.parametrize("variant", EDITIONS)
BOOKLETS = ("classic", "ad2210-classic", "godstorm-classic")  # cards go under the pile
SIX_TYPE = ("classic", "summary", "ad2210-classic", "godstorm-classic")  # forced at six after an elimination


def start(hand: str, variant: str = "classic", more: str = "") -> Position:
    """A is about to trade, with nothing else to place."""
    return Position(f"3; A: {{a}} 3; B: {{b}}; rest C; hand A: {hand}; {more}; at trading A", variant)


def trade(p: Position, cards: str) -> Position:
    """Trades three cards, in whatever order they are named."""
    for card in p.cards(cards).split():
        p.play(f"trade {card}")
    return p


def eliminate(p: Position, armies: int = 3) -> Position:
    """A takes B's only territory and moves in."""
    p.play("attack {a}>{b} 3", "roll 6 6 6 / 1")
    return p.play(f"move_in {{a}}>{{b}} {armies}") if p.step == "move_in A" else p


def last_stand(mine: str, theirs: str, variant: str = "classic", more: str = "") -> Position:
    """A attacks; B has one territory with one army left."""
    return Position(
        f"3; A: {{a}} 5; B: {{b}}; rest C 2; hand A: {mine}; hand B: {theirs}; {more}; at attacking A",
        variant,
    )


# Sets


@pytest.mark.ruling("M19")
@pytest.mark.ruling("R7")
@EVERY
@pytest.mark.parametrize(
    "cards",
    ["{x1} {x2} {x3}", "{y1} {y2} {y3}", "{z1} {z2} {z3}", "{x1} {y1} {z1}"]
    + ["{x1} {x2} wild", "{y1} {z1} wild", "{z1} wild wild"],
)
def test_sets(variant: str, cards: str) -> None:
    p = trade(start(cards, variant), cards)
    assert p.hand("A") == ""
    assert p.s.pool[0] == 4
    assert p.step == "place A"


@pytest.mark.ruling("M19")
@EVERY
@pytest.mark.parametrize("cards", ["{x1} {x2} {y1}", "{y1} {y2} {z1}", "{x1} {z1} {z2}"])
def test_not_sets(variant: str, cards: str) -> None:
    """The seat is asked all the same: that it has no set is nobody's business."""
    p = start(cards, variant, "pool A 1")
    assert p.options == ["stop"]
    assert p.play("stop").step == "place A"


@pytest.mark.ruling("M19")
@EVERY
@pytest.mark.parametrize("cards", ["{x1} {y1}", "wild wild"])
def test_too_few_cards_for_a_set(variant: str, cards: str) -> None:
    assert start(cards, variant, "pool A 1").step == "place A"


@pytest.mark.ruling("M19")
def test_only_cards_that_can_still_make_a_set_are_listed() -> None:
    p = start("gre ont que eus")
    assert p.options == ["stop", "trade gre"]
    assert p.play("trade gre").options == ["trade ont"]
    assert p.play("trade ont").options == ["trade que"]
    with pytest.raises(RulesError):
        p.play("trade eus")


@pytest.mark.ruling("M20")
@pytest.mark.ruling("R8")
@pytest.mark.ruling("T1")
@EVERY
@pytest.mark.parametrize(("sets", "armies"), list(enumerate([4, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40, 45])))
def test_set_value(variant: str, sets: int, armies: int) -> None:
    p = trade(start("{x1} {y1} {z1}", variant, f"sets {sets}"), "{x1} {y1} {z1}")
    assert p.s.pool[0] == armies
    assert p.s.sets == sets + 1


@pytest.mark.ruling("M20")
def test_one_count_for_all_players() -> None:
    p = Position("3; A: ala 3; B: kam 3; rest C; hand A: gre ont que; hand B: eus cam nwt; at trading A")
    trade(p, "gre ont que").play("place ala 4", "stop")
    assert p.step == "trade B"
    trade(p, "eus cam nwt")
    assert p.s.pool[1] == 3 + 6


@pytest.mark.ruling("R9")
@EVERY
def test_a_set_pays_by_its_number_whatever_its_cards(variant: str) -> None:
    """Fixed values are for Mission and Team; here no wild has to be given a meaning."""
    sets = ("{x1} {x2} {x3}", "{z1} {z2} {z3}", "{x1} {y1} {z1}", "{x1} {x2} wild", "{z1} wild wild")
    assert {trade(start(cards, variant), cards).s.pool[0] for cards in sets} == {4}


# When


@pytest.mark.ruling("M21")
@EVERY
@pytest.mark.parametrize("hand", ["{x1} {y1} {z1}", "{x1} {x2} {y1} {z1}"])
def test_with_three_or_four_a_trade_is_optional(variant: str, hand: str) -> None:
    p = start(hand, variant, "pool A 3")
    assert p.step == "trade A"
    assert p.options[0] == "stop"
    p.play("stop")
    assert p.step == "place A"
    assert p.hand("A") == p.cards(hand)


@pytest.mark.ruling("M21")
def test_a_trade_begun_is_finished() -> None:
    p = start("gre ont que eus").play("trade gre")
    assert "stop" not in p.options


@pytest.mark.ruling("M22")
@EVERY
def test_with_five_a_trade_is_forced(variant: str) -> None:
    p = start("{x1} {x2} {y1} {y2} {z1}", variant)
    assert p.step == "trade A"
    assert "stop" not in p.options
    trade(p, "{x1} {y1} {z1}")
    assert p.hand("A") == p.cards("{x2} {y2}")
    assert p.step == "place A"


@pytest.mark.ruling("M22")
@pytest.mark.ruling("R15e")
@pytest.mark.parametrize("variant", SIX_TYPE)
def test_with_six_the_second_set_is_optional(variant: str) -> None:
    def six() -> Position:
        p = start("{x1} {x2} {y1} {y2} {z1} {z2}", variant)
        assert "stop" not in p.options
        return trade(p, "{x1} {y1} {z1}")

    kept = six()
    assert kept.step == "trade A"
    assert kept.options[0] == "stop"
    assert kept.play("stop").s.pool[0] == 4
    both = trade(six(), "{x2} {y2} {z2}")
    assert both.s.pool[0] == 4 + 6
    assert both.hand("A") == ""


@pytest.mark.ruling("R15d")
@EVERY
def test_five_cards_always_hold_a_set(variant: str) -> None:
    symbols = [["{x1}", "{x2}", "{x3}"], ["{y1}", "{y2}", "{y3}"], ["{z1}", "{z2}", "{z3}"], ["wild", "wild"]]
    for counts in itertools.product(range(4), range(4), range(4), range(3)):
        if sum(counts) == 5:
            hand = [card for kind, count in enumerate(counts) for card in symbols[kind][:count]]
            assert start(" ".join(hand), variant).step == "trade A", hand


@pytest.mark.ruling("R11")
def test_officers_never_start_a_turn_with_more_than_five_cards() -> None:
    most = 0
    for seed in range(12):
        match = new_match("officers", 6)
        match.s.events = None
        chance = Chance(*seeded_keys(seed))
        policies: list[Policy] = [Overmatch(seed * 6 + seat) for seat in range(6)]
        turn = (0, 0)
        for _ in range(3000):
            play_out(match.r, match.s, policies, chance, most=1)
            if match.s.round and (match.s.round, match.s.turn) != turn:
                turn = (match.s.round, match.s.turn)
                most = max(most, len(match.s.hands[match.s.turn]))
    assert most == 5


# After an elimination


@pytest.mark.ruling("M41")
@EVERY
def test_the_whole_hand_is_taken(variant: str) -> None:
    p = eliminate(last_stand("{x1}", "{y1} {z1}", variant))
    assert p.hand("A") == p.cards("{x1} {y1} {z1}")
    assert p.hand("B") == ""
    (taken,) = p.events("hand_taken")
    assert (taken.seat, taken.piece, taken.amount) == (0, 1, 2)


@pytest.mark.ruling("M23")
@pytest.mark.ruling("R10")
@pytest.mark.parametrize("variant", SIX_TYPE)
def test_six_cards_force_a_trade(variant: str) -> None:
    p = eliminate(last_stand("{x1} {x2} {y1}", "{y2} {z1} {z2}", variant))
    assert p.step == "trade_down A"
    assert "stop" not in p.options


@pytest.mark.ruling("M23")
@pytest.mark.parametrize(
    ("mine", "theirs"), [("{x1} {x2}", "{y2} {z1} {z2}"), ("{x1} {x2} {y1}", "{y2} {z1} {z2}")]
)
def test_officers_trade_at_five_already(mine: str, theirs: str) -> None:
    p = eliminate(last_stand(mine, theirs, "officers"))
    assert p.step == "trade_down A"
    assert "stop" not in p.options


@pytest.mark.ruling("R12")
@pytest.mark.ruling("M25")
@pytest.mark.parametrize("variant", SIX_TYPE)
def test_five_cards_wait_for_the_next_turn(variant: str) -> None:
    p = eliminate(last_stand("{x1} {x2}", "{y2} {z1} {z2}", variant))
    assert len(p.hand("A").split()) == 5
    assert p.step == "attack A"


@pytest.mark.ruling("M25")
def test_officers_wait_at_four() -> None:
    p = eliminate(last_stand("{x1} {x2}", "{y2} {z1}", "officers"))
    assert p.step == "attack A"


@pytest.mark.ruling("M24")
@EVERY
def test_trading_down_stops_at_four_or_fewer(variant: str) -> None:
    """Seven cards: one set leaves four, which is enough; another set may not be traded."""
    p = eliminate(last_stand("{x1} {x2} {x3} {y1}", "{y2} {z1} {z2}", variant))
    trade(p, "{x1} {x2} {x3}")
    assert p.step == "place A"
    p.play("place {a} 4")
    assert p.hand("A") == p.cards("{y1} {y2} {z1} {z2}")
    assert p.step == "attack A"


@pytest.mark.ruling("M24")
@EVERY
def test_trading_down_goes_on_while_five_are_left(variant: str) -> None:
    p = eliminate(last_stand("{x1} {x2} {x3} {y1}", "{y2} {z1} {z2} {z3}", variant))
    trade(p, "{x1} {x2} {x3}").play("place {a} 4")
    assert p.step == "trade_down A"
    assert "stop" not in p.options
    trade(p, "{z1} {z2} {z3}").play("place {a} 6")
    assert p.hand("A") == p.cards("{y1} {y2}")
    assert p.step == "attack A"


@pytest.mark.ruling("M24")
def test_no_third_set_at_three_cards() -> None:
    p = eliminate(last_stand("ven per arg", "gre ont que"))
    trade(p, "ven per arg").play("place ala 4")
    assert p.hand("A") == "gre ont que"
    assert p.step == "attack A"


@pytest.mark.ruling("R15c")
@EVERY
def test_armies_of_a_forced_trade_are_placed_before_the_next_attack(variant: str) -> None:
    p = eliminate(last_stand("{x1} {x2} {y1}", "{y2} {z1} {z2}", variant))
    trade(p, "{x1} {y1} {z1}")
    assert sorted(p.options) == sorted(text.format(**p.parts) for text in ("place {a} 1-4", "place {b} 1-4"))
    with pytest.raises(RulesError):
        p.play("stop")
    p.play("place {b} 3")
    assert p.step == "place A"
    assert p.play("place {a} 1").step == "attack A"
    assert p.at("{b}") == "A 6"


@pytest.mark.ruling("R19")
@EVERY
def test_moving_in_comes_before_the_forced_trade(variant: str) -> None:
    p = last_stand("{x1} {x2} {y1}", "{y2} {z1} {z2}", variant).play("attack {a}>{b} 3", "roll 6 6 6 / 1")
    assert p.step == "move_in A"
    assert len(p.hand("A").split()) == 3, "the captured hand is seen after the move"
    assert p.play("move_in {a}>{b} 4").step == "trade_down A"
    assert len(p.hand("A").split()) == 6


# The bonus for an occupied territory


@pytest.mark.ruling("M27")
@pytest.mark.parametrize("variant", SIX_TYPE)
def test_occupied_territory_brings_two(variant: str) -> None:
    p = Position("3; A: {a} 3 {y1}; B: {b}; rest C; hand A: {y1} {y2} {y3}; at trading A", variant)
    trade(p, "{y1} {y2} {y3}")
    assert p.at("{y1}") == "A 3"
    assert p.s.pool[0] == 4
    (paid,) = p.events("bonus_paid")
    assert paid.amount == 2


@pytest.mark.ruling("M27")
def test_officers_have_no_such_bonus() -> None:
    p = Position("3; A: ala 3 gre ont; B: kam; rest C; hand A: gre ont que; at trading A", "officers")
    trade(p, "gre ont que")
    assert (p.at("gre"), p.at("ont"), p.s.pool[0]) == ("A 1", "A 1", 4)
    assert p.step == "place A"


@pytest.mark.ruling("M27")
@pytest.mark.ruling("R15b")
@pytest.mark.parametrize("variant", SIX_TYPE)
def test_the_trader_picks_one_of_several(variant: str) -> None:
    p = Position("3; A: {a} 3 {y1} {y3}; B: {b}; rest C; hand A: {y1} {y2} {y3}; at trading A", variant)
    trade(p, "{y1} {y2} {y3}")
    assert p.step == "bonus A"
    assert p.options == [f"bonus {place} 2" for place in p.cards("{y1} {y3}").split()]
    p.play("bonus {y3}")
    assert (p.at("{y1}"), p.at("{y3}")) == ("A 1", "A 3")
    assert p.step == "place A"


@pytest.mark.ruling("R15b")
def test_all_three_may_be_offered() -> None:
    p = Position("3; A: ala 3 gre ont que; rest C; hand A: gre ont que; at trading A")
    trade(p, "gre ont que")
    assert p.options == ["bonus gre 2", "bonus ont 2", "bonus que 2"]


@pytest.mark.ruling("M27")
@pytest.mark.ruling("R15a")
@pytest.mark.parametrize("variant", SIX_TYPE)
def test_at_most_two_extra_armies_a_turn(variant: str) -> None:
    land = "A: {a} 3 {x1} {y1}; B: {b}; rest C"
    p = Position(f"3; {land}; hand A: {{x1}} {{x2}} {{x3}} {{y1}} {{y2}} {{y3}}; at trading A", variant)
    trade(trade(p, "{x1} {x2} {x3}"), "{y1} {y2} {y3}")
    assert (p.at("{x1}"), p.at("{y1}")) == ("A 3", "A 1")
    assert p.s.pool[0] == 4 + 6


@pytest.mark.ruling("R15a")
def test_the_limit_holds_for_trades_in_mid_turn() -> None:
    spent = last_stand("ven per arg", "gre ont que", more="bonus 2")
    fresh = last_stand("ven per arg", "gre ont que")
    for p, armies in ((spent, "A 1"), (fresh, "A 3")):
        p.s.armies[p.r.board.find("ven")] = 1
        p.r.own(p.s, p.r.board.find("ven"), 0)
        trade(eliminate(p), "ven per arg")
        assert p.at("ven") == armies


@pytest.mark.ruling("R15a")
def test_the_limit_is_new_each_turn() -> None:
    p = Position("3; A: ala 3; B: kam 3 gre; rest C; hand B: gre ont que; bonus 2; captures 1; at fortifying A")
    assert p.step == "trade B"
    assert trade(p, "gre ont que").at("gre") == "B 3"


@pytest.mark.ruling("R15b")
def test_a_territory_just_captured_counts() -> None:
    """The card of Kamchatka is won together with Kamchatka."""
    p = eliminate(last_stand("ven per gre", "kam ont que"))
    trade(p, "ven per kam")
    assert p.at("kam") == "A 5"


# Where the cards go


@pytest.mark.ruling("M28")
@pytest.mark.ruling("R15")
@pytest.mark.parametrize("variant", BOOKLETS)
def test_traded_cards_go_under_the_pile_as_a_group(variant: str) -> None:
    p = start("{x1} {x2} {x3} {y1} {y2} {y3}", variant)
    top = p.pile[0]
    trade(trade(p, "{x1} {x2} {x3}"), "{y1} {y2} {y3}")
    assert p.pile == [top, p.cards("{x1} {x2} {x3}"), p.cards("{y1} {y2} {y3}")]
    assert p.discards == ""


@pytest.mark.ruling("R15")
@pytest.mark.parametrize("variant", BOOKLETS)
def test_cards_under_the_pile_are_drawn_last_and_in_any_order(variant: str) -> None:
    p = Position("3; A: {a} 3; B: {b}; rest C; deck: 0 {x1} / 1 {y1} {y2} {y3}; captures 1; at drawing A", variant)
    assert p.options == ["draw 1 of 1"]
    p.play("draw {x1}")
    q = Position("3; A: {a} 3; B: {b}; rest C; deck: 1 {y1} {y2} {y3}; captures 1; at drawing A", variant)
    assert q.options == ["draw 1 of 3"]
    q.play("draw {y2}")
    assert q.hand("A") == q.parts["y2"]
    assert q.pile == [q.cards("{y1} {y3}")]


@pytest.mark.ruling("M28")
@pytest.mark.ruling("R13")
@pytest.mark.parametrize("variant", ["officers", "summary"])
def test_traded_cards_are_discarded(variant: str) -> None:
    p = start("gre ont que ven per arg", variant)
    pile = p.pile
    trade(p, "gre ont que")
    assert p.discards == "gre ont que"
    assert p.pile == pile


@pytest.mark.ruling("R13")
@pytest.mark.ruling("R15")
@pytest.mark.parametrize("variant", ["officers", "summary"])
def test_an_empty_pile_is_made_anew_of_the_discards(variant: str) -> None:
    deck = "deck: ; discards: gre ont que; groups 3; captures 1"
    p = Position(f"3; A: ala; B: kam; rest C; {deck}; at drawing A", variant)
    assert p.step == "draw -"
    assert p.options == ["draw 1 of 3"]
    assert p.discards == ""
    p.play("draw ont")
    assert p.hand("A") == "ont"
    assert p.pile == ["gre que"]


@pytest.mark.ruling("R13")
@pytest.mark.ruling("R15")
@pytest.mark.parametrize("variant", ["officers", "summary"])
def test_the_discards_stay_while_there_is_a_pile(variant: str) -> None:
    deck = "deck: 0 ven; discards: gre ont que; captures 1"
    p = Position(f"3; A: ala; B: kam; rest C; {deck}; at drawing A", variant)
    assert p.options == ["draw 1 of 1"]
    assert p.discards == "gre ont que"


@pytest.mark.ruling("R15")
@EVERY
def test_no_card_is_drawn_when_there_is_none(variant: str) -> None:
    p = Position("3; A: {a}; B: {b} 2; rest C; deck: ; captures 1; at drawing A", variant)
    assert p.step == "place B"
    assert p.hand("A") == ""


# The draw


@pytest.mark.ruling("M29")
@EVERY
def test_no_card_without_a_capture(variant: str) -> None:
    p = Position("3; A: {a} 5 {c}; B: {b} 3; rest C 2; at attacking A", variant)
    p.play("attack {a}>{b} 3", "defend {a}>{b} 1", "roll 6 6 6 / 1", "stop", "stop")
    assert p.step == "place B"
    assert p.hand("A") == ""


@pytest.mark.ruling("M29")
@EVERY
def test_one_card_for_two_captures(variant: str) -> None:
    p = Position("3; A: {a} 9 {d}; B: {b}; rest C; at attacking A", variant)
    p.play("attack {a}>{b} 3", "roll 6 6 6 / 1", "move_in {a}>{b} 3")
    p.play("attack {a}>{c} 3", "roll 6 6 6 / 1", "move_in {a}>{c} 3", "stop")
    p.play(*(["stop", "draw wild"] if p.step == "fortify A" else ["draw wild", "stop"]))
    assert p.s.turn != 0
    assert p.hand("A") == "wild"


@pytest.mark.ruling("M30")
@pytest.mark.ruling("R14")
@EVERY
def test_moment_of_the_draw(variant: str) -> None:
    """Before the free move; the manual draws last."""
    p = Position("3; A: {a} 5; B: {b}; rest C; at attacking A", variant)
    p.play("attack {a}>{b} 3", "roll 6 6 6 / 1", "move_in {a}>{b} 3", "stop")
    if variant == "officers":
        assert p.step == "fortify A"
        assert p.play("stop").step == "draw -"
        p.play("draw wild")
    else:
        assert p.step == "draw -"
        assert p.play("draw wild").step == "fortify A"
        p.play("stop")
    assert p.step == "place C"


@pytest.mark.ruling("M26")
@pytest.mark.parametrize("variant", SIX_TYPE)
def test_a_draw_to_six_waits_for_the_next_turn(variant: str) -> None:
    hand = "{x1} {x2} {y1} {y2} {z1}"
    p = Position(f"3; A: {{a}}; B: {{b}} 2; rest C; hand A: {hand}; captures 1; at drawing A", variant)
    p.play("draw wild")
    assert len(p.hand("A").split()) == 6
    assert p.step == "place B"
