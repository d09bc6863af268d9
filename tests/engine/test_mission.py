"""Mission: four cards by rank, claimed at their time."""

import random

import pytest

from engine.rules.boards.board import load
from engine.rules.decks.missions import CONDITIONS, TIMES, ranked_missions, read_deck
from engine.rules.errors import BadSetting, RulesError
from engine.rules.observe import observe, redact, resample
from engine.rules.state import ENDINGS, NOBODY
from engine.rules.variants import ruleset
from tests.engine.positions import Position, new_match, play_first

BOARD = load("classic", "land")


def holding(cards: str, land: str, rest: str = "rest C 2") -> str:
    """Seat A with these missions on this land; B has Kamchatka."""
    hands = [f"hand A {rank_of(card)}: {card}" for card in cards.split()]
    for rank in ("captain", "major", "colonel", "general"):
        left = [f"{rank}_{number}" for number in (4, 1, 2, 5) if f"{rank}_{number}" not in cards.split()]
        hands += [f"hand B {rank}: {left[0]}", f"hand C {rank}: {left[1]}"]
    return f"3; A: {land}; B: kam; {rest}; {'; '.join(hands)}; round 3"


def rank_of(card: str) -> str:
    return card.rpartition("_")[0]


def beside(card: str) -> str:
    """With another one that cannot be claimed now."""
    return f"{card} {'major_6' if rank_of(card) == 'general' else 'general_7'}"


@pytest.mark.ruling("M74")
@pytest.mark.parametrize("seats", [3, 6])
def test_one_of_each_rank_is_dealt_before_the_setup(seats: int) -> None:
    match = new_match("mission", seats)
    assert match.step == "deal_mission -"
    play_first(match, "first")
    for seat in range(seats):
        held = match.missions("ABCDEF"[seat]).split()
        assert [card.rpartition("_")[0] for card in held] == ["captain", "major", "colonel", "general"]
    assert [len(pile[0].cards) if pile else 0 for pile in match.s.decks] == [44] + [7 - seats] * 4
    first = match.events("mission_dealt")[0]
    assert redact(first, 0).card == first.card
    assert redact(first, 1).card != first.card


@pytest.mark.ruling("M75")
@pytest.mark.ruling("R9")
@pytest.mark.ruling("R42")
@pytest.mark.parametrize(
    ("cards", "armies"),
    [("ala nwt gre", 4), ("ont que wus", 10), ("ala nwt wild", 10), ("ala ven wild", 4), ("ala wild wild", 10)],
)
def test_sets_have_fixed_values(cards: str, armies: int) -> None:
    symbols = [BOARD.symbols[BOARD.find(card)] for card in cards.split() if card != "wild"]
    expected = armies
    if (len(symbols) == 3 and len(set(symbols)) == 1) or (len(symbols) == 2 and symbols[0] == symbols[1]):
        expected = (4, 6, 8)[symbols[0]]
    elif len(set(symbols)) == len(symbols):
        expected = 10
    else:
        pytest.skip("no set")
    text = holding("captain_1", "ala 3 ven") + f"; sets 9; hand A: {cards}; at trading A"
    p = Position(text, "mission")
    p.play(*[f"trade {card}" for card in p.cards(cards).split()])
    assert [event.amount for event in p.events("set_paid")] == [expected]


@pytest.mark.ruling("M75")
@pytest.mark.parametrize(("symbol", "armies"), [(0, 4), (1, 6), (2, 8)])
def test_three_alike_pay_by_their_symbol(symbol: int, armies: int) -> None:
    cards = [BOARD.shorts[place] for place in range(42) if BOARD.symbols[place] == symbol][:3]
    text = holding("captain_1", "ala 3 ven") + f"; sets 9; hand A: {' '.join(cards)}; at trading A"
    p = Position(text, "mission").play(*[f"trade {card}" for card in cards])
    assert [event.amount for event in p.events("set_paid")] == [armies]


@pytest.mark.ruling("R42")
def test_five_cards_after_an_elimination_force_a_trade() -> None:
    text = holding("captain_1", "ala 9") + "; hand A: ven per gre; hand B: arg wild; at attacking A"
    p = Position(text, "mission").play("attack ala>kam 3", "roll 6 6 6 / 1", "move_in ala>kam 4")
    assert p.step == "trade_down A"


@pytest.mark.ruling("M76")
@pytest.mark.ruling("R38")
@pytest.mark.ruling("R40")
def test_each_card_has_its_time() -> None:
    """Australia is held (end of turn), a stack of twelve (after reinforcements), any continent (start)."""
    land = "ido 12 ngu wau eau"
    p = Position(holding("captain_5 major_7", land) + "; at claiming_mission A", "mission")
    p.s.agenda.clear()
    p = Position(holding("captain_5 major_7", land) + "; turn C; first A; steps: next_turn -", "mission")
    assert p.step == "claim_mission A"
    assert p.options == ["stop", "claim_mission major_7"]
    p.play("stop")
    assert p.step == "place A"
    p.play("place ido 5")
    assert (p.step, p.options) == ("claim_mission A", ["stop", "claim_mission captain_5"])
    p.play("stop", "stop")
    assert p.step == "fortify A"
    p.play("stop")
    assert (p.step, p.options) == ("claim_mission A", ["stop"])


@pytest.mark.ruling("M76")
def test_the_end_of_the_turn_comes_after_the_card() -> None:
    text = holding("captain_7 major_1", "ido 3 ngu wau eau") + "; captures 1; at drawing A"
    p = Position(text, "mission").play("draw ala")
    assert p.options == ["stop", "claim_mission captain_7"]


@pytest.mark.ruling("M76")
def test_one_claim_a_turn() -> None:
    text = holding("captain_5 major_7 colonel_1", "ido 12 ngu wau eau") + "; turn C; first A; steps: next_turn -"
    p = Position(text, "mission").play("claim_mission major_7", "place ido 5")
    assert p.step == "attack A"
    p.play("stop", "stop")
    assert p.step == "claim_mission B"


@pytest.mark.ruling("R39")
@pytest.mark.ruling("M76")
def test_asking_tells_nothing() -> None:
    """A seat is asked at all three times, with something to claim or without, and may decline."""
    text = "; turn C; first A; steps: next_turn -"
    met = Position(holding("captain_5 major_7", "ido 12 ngu wau eau") + text, "mission")
    not_met = Position(holding("captain_5 general_7", "ido 12 ngu wau eau") + text, "mission")
    for p in (met, not_met):
        assert p.step == "claim_mission A"
        assert not p.r.is_settled(p.s, p.codes)
        p.play("stop")
        assert p.step == "place A"
    assert met.missions("A") == "captain_5 major_7"


@pytest.mark.ruling("M77")
@pytest.mark.ruling("R41")
def test_the_fourth_lies_open_after_three() -> None:
    text = holding("captain_5 general_7", "ido 12 ngu wau eau") + "; steps: next_turn - / claiming_mission A 1"
    p = Position(text, "mission")
    assert observe(p.r, p.s, 1).hands[12][0] >> 20 == 127
    p.play("claim_mission captain_5")
    assert p.missions("A") == "general_7"
    assert [event.card for event in p.events("mission_shown")] == [p.r.card_names.index("general_7")]
    for seat in range(NOBODY, 3):
        assert observe(p.r, p.s, seat).hands[12][0] >> 20 == p.r.card_names.index("general_7")
    assert p.s.discards[1] == (p.r.card_names.index("captain_5"),)


@pytest.mark.ruling("M79")
def test_the_fourth_claim_wins() -> None:
    text = holding("captain_5", "ido 12 ngu wau eau") + "; steps: next_turn - / claiming_mission A 1"
    p = Position(text, "mission").play("claim_mission captain_5")
    assert (ENDINGS[p.s.ending], p.s.places) == ("goal", (1, 2, 2))


@pytest.mark.ruling("M79")
def test_the_last_player_left_wins() -> None:
    text = holding("captain_5 general_7", "ala 9", "rest A") + "; fell C 1; at attacking A"
    p = Position(text, "mission").play("attack ala>kam 3", "roll 6 6 6 / 1")
    assert (ENDINGS[p.s.ending], p.s.places) == ("conquest", (1, 2, 3))


@pytest.mark.ruling("M78")
@pytest.mark.ruling("R59")
def test_missions_of_the_eliminated_stay_with_them() -> None:
    text = holding("captain_5 general_7", "ala 9") + "; hand B: ont; at attacking A"
    p = Position(text, "mission").play("attack ala>kam 3", "roll 6 6 6 / 1", "move_in ala>kam 4")
    assert p.hand("A") == "ont"
    assert p.missions("A") == "captain_5 general_7"
    assert p.missions("B") == "captain_4 major_4 colonel_4 general_4"
    assert p.events("mission_shown") == []
    p.r.finish(p.s, 3)
    assert len(p.events("mission_shown")) == 2 + 4 + 4


TURN = "; steps: next_turn - / claiming_mission A 2"
MET = [
    ("captain_1", "ala", "captures 3", "captures 2"),
    ("captain_2", "ala", "tally: 0 0 0 3 0 0", "tally: 0 0 0 2 0 0"),
    ("major_5", "ala", "tally: 0 0 5 4 0 0", "tally: 0 0 5 10 0 0"),
    ("general_2", "ala", "tally: 0 0 0 0 1 0", "tally: 0 0 0 0 0 1"),
    ("captain_6", "ala", "tally: 0 8 0 0 0 0", "tally: 0 7 0 0 0 0"),
]


@pytest.mark.ruling("R40")
@pytest.mark.parametrize(("card", "land", "met", "not_met"), MET)
def test_conditions_of_a_turn(card: str, land: str, met: str, not_met: str) -> None:
    time = next(mission.time for mission in ranked_missions(BOARD, 0) if mission.name == card)
    for counted, listed in ((met, True), (not_met, False)):
        text = holding(beside(card), land) + f"; {counted}; steps: next_turn - / claiming_mission A {time}"
        assert (f"claim_mission {card}" in Position(text, "mission").options) == listed


STATES = [
    ("captain_3", "gre ice gbr", "gre ice"),
    ("captain_4", "ala ven ice naf mid", "ala ven ice naf"),
    ("captain_5", "ala 12", "ala 11"),
    ("captain_7", "ven per bra arg", "ven per bra"),
    ("major_4", "ala ven ice naf mid ido", "ala ven ice naf mid"),
    ("colonel_2", "ala 8 nwt 8 gre 8 ont 8", "ala 8 nwt 8 gre 8 ont 7"),
    ("colonel_6", "ven per bra arg ido ngu wau eau", "ven per bra arg ido ngu wau"),
]


@pytest.mark.ruling("R40")
@pytest.mark.parametrize(("card", "met", "not_met"), STATES)
def test_conditions_of_the_board(card: str, met: str, not_met: str) -> None:
    time = next(mission.time for mission in ranked_missions(BOARD, 0) if mission.name == card)
    for land, listed in ((met, True), (not_met, False)):
        text = holding(beside(card), land) + f"; steps: next_turn - / claiming_mission A {time}"
        assert (f"claim_mission {card}" in Position(text, "mission").options) == listed


@pytest.mark.ruling("R40")
def test_a_turn_is_counted_as_it_goes() -> None:
    """Reinforcements before the first attack, regions entered, regions broken, seats eliminated."""
    text = holding("captain_6 general_7", "ala 9", "rest B") + "; turn C; first A; steps: next_turn -"
    text = text.replace("rest B", "C: ven per bra arg; rest B 2").replace("B: kam; ", "")
    p = Position(text, "mission").play("stop", "place ala 3", "stop")
    assert p.s.tally[:3] == (0, 3, 0b111110)
    p.play("attack ala>kam 3", "defend ala>kam 2", "roll 6 6 6 / 1 1", "move_in ala>kam 3")
    asia = BOARD.region_of[BOARD.find("kam")]
    assert p.s.tally[3] == 1 << asia
    assert p.s.tally[2] >> asia & 1
    assert p.s.tally[4] == 0


def test_missions_are_secret() -> None:
    match = play_first(new_match("mission", 4), "first")
    rng = random.Random(5)
    others = {resample(match.r, match.s, 2, rng.randrange).hands for _ in range(50)}
    assert len(others) > 40
    mine = [4 * deck + 2 for deck in range(1, 5)]
    assert all(
        [hands[number] for number in mine] == [match.s.hands[number] for number in mine] for hands in others
    )


# The cards


@pytest.mark.ruling("M79")
def test_all_28_cards_are_marked_as_reconstructed() -> None:
    missions = ranked_missions(BOARD, 0)
    assert len(missions) == 28
    assert {mission.status for mission in missions} == {"reconstructed"}
    assert {mission.condition.kind for mission in missions} | {"destroy_color"} == set(CONDITIONS)
    for mission in missions:
        if mission.condition.kind.endswith("_this_turn"):
            assert TIMES[mission.time] != "start_of_turn"


def test_a_deck_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadSetting, match="mission_cards=77 is not there: CONQUEST_MISSIONS names no file"):
        ruleset("mission", 3, {"mission_cards": 77})


CARD = {"id": "x", "rank": "one", "status": "printed", "claim_at": "end_of_turn", "text": "Hold Asia."}


def test_a_deck_of_ones_own_is_read() -> None:
    held = {"type": "control_continents", "params": {"continents": ["asia"]}}
    (mission,) = read_deck({"ranks": [{"id": "one"}], "cards": [CARD | {"condition": held}]}, BOARD)
    assert (mission.name, mission.status, mission.condition.need) == ("x", "printed", 1)
    for condition in (
        {"type": "luck", "params": {}},
        {"type": "control_islands", "params": {"continents": []}},
        {"type": "control_continents", "params": {"continents": ["atlantis"]}},
    ):
        with pytest.raises(RulesError, match="mission x cannot be read"):
            read_deck({"ranks": [{"id": "one"}], "cards": [CARD | {"condition": condition}]}, BOARD)
