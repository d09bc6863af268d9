"""The built-in bots: they play everything by the rules, the same way twice, and better from one to the next."""

from pathlib import Path

import pytest

from arena.matches import Fixture, play
from engine import record
from engine.chance import seeded_keys
from engine.rules.notation import write_action
from engine.rules.observe import observe
from engine.rules.positions import read_state
from engine.rules.variants import VARIANTS, ruleset
from sdk.agent import Decision
from sdk.bots import BOTS
from sdk.bots.board_sense import BoardSense
from sdk.bots.strategist import best_campaign, goals
from sdk.local import load_bot

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
TABLES = [(name, seats) for name, variant in VARIANTS.items() for seats in variant.players]
ROUNDS = 8


def fixture(variant: str, names: list[str], seed: int, options: dict[str, int] | None = None) -> Fixture:
    bots = [load_bot(name) for name in names]
    return Fixture(variant, options or {}, bots, list(range(len(bots))), seeded_keys(seed), seed)


@pytest.mark.parametrize("bot", [*BOTS, f"{EXAMPLES / 'bully.py'}:Bully"])
@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_plays_every_variant_without_a_fault(bot: str, variant: str, seats: int) -> None:
    for seed in (1, 2):
        played = play(fixture(variant, [bot] * seats, seed, {"rounds": ROUNDS}))
        assert played.faults == []
        record.verify(played.record)


@pytest.mark.parametrize("bot", list(BOTS))
def test_plays_the_same_way_twice(bot: str) -> None:
    one, other = [play(fixture("officers", [bot] * 3, 7, {"rounds": ROUNDS})).record for _ in range(2)]
    assert record.game_part(one) == record.game_part(other)


# The envoy plays the classic game as the strategist does.
@pytest.mark.parametrize(("weaker", "stronger"), list(zip(list(BOTS), list(BOTS)[1:-1])))
def test_each_is_stronger_than_the_one_before(weaker: str, stronger: str) -> None:
    """One against three, every seat in turn. An equal wins 25 %; these win 50 % and more (benchmarks.bots)."""
    matches = 40
    wins = 0
    for number in range(matches):
        seat = number % 4
        names = [stronger if here == seat else weaker for here in range(4)]
        wins += play(fixture("classic", names, number)).final.places[seat] == 1
    assert wins >= matches * 0.3


def sense_of(position: str, seat: int) -> BoardSense:
    r, s = read_state(position)
    codes: list[int] = []
    r.options(s, seat, codes)
    return BoardSense(Decision(r, lambda: observe(r, s, seat), codes))


def answer_of(bot: str, position: str) -> str:
    """What the bot does when it is asked there, as text."""
    r, s = read_state(position)
    (seat,) = r.waiting(s)
    codes: list[int] = []
    r.options(s, seat, codes)
    answer = load_bot(bot).new(0).decide(Decision(r, lambda: observe(r, s, seat), codes))
    return write_action(r, s, codes[answer.option], answer.amount)


def test_strategist_completes_a_region() -> None:
    position = "classic 3; A: eau ngu 9 wau; B: ido 2 sia; rest C 4; pool A 3; at deploying A"
    assert answer_of("strategist", position) == "place ngu 3"
    assert (
        answer_of("strategist", position.replace("pool A 3; at deploying", "at attacking")) == "attack ngu>ido 3"
    )


def test_strategist_ends_a_weak_enemy() -> None:
    """B's last place is worth its cards; C stands beside with as little."""
    position = "classic 3; A: ala 9; B: kam 2; rest C 2; hand B: ont que jpn; sets 5; at attacking A"
    assert answer_of("strategist", position) == "attack ala>kam 3"


def test_strategist_guards_its_region() -> None:
    position = "classic 3; A: eau ngu wau ido 2 ala 20; B: sia 5; rest C 3; pool A 8; at deploying A"
    assert answer_of("strategist", position) == "place ido 3"


def test_strategist_stops_when_the_odds_are_poor() -> None:
    position = "classic 3; A: ala 3; B: kam 9; rest C 9; at attacking A"
    sense = sense_of(position, 0)
    assert best_campaign(sense, 0, goals(sense)) is None
    assert answer_of("strategist", position) == "stop"


def test_cautious_waits_where_the_aggressor_attacks() -> None:
    position = "classic 3; A: ala 6; B: kam 3; rest C 9; at attacking A"
    assert answer_of("cautious", position) == "stop"
    assert answer_of("aggressor", position) == "attack ala>kam 3"


def test_idle_armies_go_towards_the_enemy() -> None:
    position = "classic 3; A: ven per 7 bra arg; rest B 3; at fortifying A"
    assert answer_of("cautious", position) in ("fortify per>ven 6", "fortify per>bra 6")
    connected = position.replace("classic", "officers")
    assert answer_of("cautious", connected) == "fortify_from per>"


def test_a_set_is_traded_as_soon_as_there_is_one() -> None:
    r = ruleset("classic", 3)
    by_symbol: dict[int, list[str]] = {}
    for place, symbol in enumerate(r.board.symbols):
        by_symbol.setdefault(symbol, []).append(r.board.shorts[place])
    hand = " ".join(cards[0] for cards in by_symbol.values())
    position = f"classic 3; A: ala; rest B 2; hand A: {hand}; at trading A"
    assert answer_of("aggressor", position).startswith("trade ")


def test_envoy_bribes_who_can_hurt_the_opponent() -> None:
    position = "neutral-active 2; A: ala; B: alb; C: nwt 9; D: mad 9; rest E; hand A: ont; at bribing A"
    assert answer_of("envoy", position) == "bribe C ont"
    useless = "neutral-active 2; A: ala; B: alb; C: nwt; D: mad 9; rest E; hand A: ont; at bribing A"
    assert answer_of("envoy", useless) == "stop"


def test_envoy_reinforces_its_allies_where_they_meet_the_opponent() -> None:
    land = "neutral-active 2; A: ala; B: alb 3; C: nwt 2 mad; rest E; alliances: A - - -"
    assert answer_of("envoy", f"{land}; at reinforcing A") == "reinforce C"
    placing = f"{land}; pool C 5; steps: next_turn - / attacking A / neutral_place A 2 5; turn A; round 1"
    assert answer_of("envoy", placing) == "place_neutral C nwt 5"


def test_envoy_spends_its_allies_first() -> None:
    land = "neutral-active 2; A: ala 9; B: alb 3 que; C: nwt 9; rest E 2; alliances: A - - -; at attacking A"
    assert answer_of("envoy", land) == "attack nwt>alb 3"


def test_envoy_ends_a_match_of_teams() -> None:
    land = "team 4; A: ala 9 ven 9; B: kam; C: ice; rest D 2; at attacking A"
    assert answer_of("envoy", land) == "attack ala>kam 3"


def test_mates_are_no_enemies() -> None:
    sense = sense_of("team 4; A: ala 3; C: ala 2 nwt alb kam; B: gre; rest D; at attacking A", 0)
    assert sense.board.find("ala") not in sense.fronts()
    assert sense.armies[sense.board.find("ala")] == 3
    assert sense.enemies() == [1, 3]
