"""The comfortable view: names, questions, and answers made by hand."""

from random import Random

import pytest

from engine.chance import Chance, seeded_keys
from engine.playout import play_out
from engine.rules.choices import attack
from engine.rules.errors import IllegalAction, UnknownName
from engine.rules.observe import observe
from engine.rules.odds import win_probability
from engine.rules.positions import read_state
from engine.rules.state import State
from sdk.agent import Agent, Answer, Decision, MatchInfo
from sdk.local import AgentPolicy

WAR = "classic 3; A: ala 6 eau ngu wau ido 4; B: kam 2 sia; rest C 3; hand A: gre ont que; hand C: jpn; pool A 3"


def decision_at(position: str) -> tuple[Decision, State]:
    r, s = read_state(position)
    (seat,) = r.waiting(s)
    codes: list[int] = []
    r.options(s, seat, codes)
    return Decision(r, lambda: observe(r, s, seat), codes), s


def test_places_are_found_by_any_of_their_names() -> None:
    seen = decision_at(f"{WAR}; at attacking A")[0].observation
    assert seen.armies_on("alaska") == seen.armies_on("ala") == seen.armies_on(0) == 6
    assert seen.owner_of("Kamchatka") == 1
    assert seen.find("kam") in seen.neighbours("ala")
    with pytest.raises(UnknownName, match="Did you mean"):
        seen.armies_on("alasak")


def test_land_and_continents() -> None:
    seen = decision_at(f"{WAR}; at attacking A")[0].observation
    assert [seen.board.shorts[place] for place in seen.territories()] == ["ala", "ido", "ngu", "wau", "eau"]
    assert len(seen.territories(1)) == 2
    assert seen.continents_held() == ["Australia"]
    assert seen.continents_held(1) == []
    assert seen.income() == 3 + 2
    assert [seen.board.shorts[place] for place in seen.fronts()] == ["ala", "ido"]
    assert seen.alive() == [0, 1, 2]


def test_cards_and_sets() -> None:
    decision, _ = decision_at(f"{WAR}; at trading A")
    seen = decision.observation
    assert [seen.card_name(kind) for kind in seen.hand()] == ["gre", "ont", "que"]
    assert seen.cards_of(2) == 1
    (cards,) = decision.sets()
    answer = decision.trade(cards)
    assert decision.codes[answer.option] == min(decision.codes[1:])
    assert [action.card for action in answer.plan] == list(cards[1:])
    assert decision_at(f"{WAR}; at attacking A")[0].sets() == []


def test_attacks_are_listed_with_their_odds() -> None:
    decision, _ = decision_at(f"{WAR}; at attacking A")
    assert decision.can_stop
    assert decision.stop() == Answer(0, 0)
    shorts = decision.board.shorts
    listed = [(shorts[one.source], shorts[one.target], one.high) for one in decision.attacks()]
    assert ("ala", "kam", 3) in listed
    assert ("ido", "sia", 3) in listed
    assert decision.observation.battle_odds("ala", "kam") == win_probability(5, 2)
    assert decision.observation.battle_losses("ala", "kam")[1] <= 2
    first = decision.attacks()[0]
    assert first.with_all() == Answer(first.option, 3)
    assert first.with_amount(1) == Answer(first.option, 1)


def test_an_action_by_value() -> None:
    decision, _ = decision_at(f"{WAR}; at attacking A")
    ala, kam = decision.observation.find("ala"), decision.observation.find("kam")
    assert decision.answer(attack(ala, kam, 2)).amount == 2
    with pytest.raises(IllegalAction):
        decision.answer(attack(kam, ala, 1))


def test_placements_and_free_moves() -> None:
    placing, _ = decision_at(f"{WAR}; at deploying A")
    assert len(placing.placements()) == 5
    moving, _ = decision_at(f"{WAR}; at fortifying A")
    shorts = moving.board.shorts
    assert ("ido", "wau") in [(shorts[one.source], shorts[one.target]) for one in moving.fortifications()]


def test_a_position_is_imagined_from_what_is_known() -> None:
    decision, s = decision_at(f"{WAR}; at attacking A")
    imagined = decision.observation.imagine(Random(1))
    assert imagined.owner == s.owner
    assert imagined.hands[0] == s.hands[0]


def test_a_kept_decision_does_not_see_the_future() -> None:
    """What a bot keeps stays as it was when it was asked."""

    kept: list[Decision] = []

    class Keeper(Agent):
        def decide(self, decision: Decision) -> Answer:
            kept.append(decision)
            return decision.stop()

    r, s = read_state("classic 3; A: ala 6; B: kam 2; rest C 3; at attacking A")
    policies = [AgentPolicy("k", Keeper(), MatchInfo("m", r, seat, ())) for seat in range(3)]
    play_out(r, s, list(policies), Chance(*seeded_keys(1)), None, 40)
    assert kept[0].observation.armies_on("ala") == 6
    assert kept[0].observation.turn == 0
