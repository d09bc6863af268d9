"""The wire form of observations, options and events: what is written reads back, whatever the position."""

import random

import pytest

from engine import codec
from engine.chance import Chance, seeded_keys
from engine.playout import Overmatch, Policy, Uniform, play_out
from engine.rules.columns import NONE
from engine.rules.events import Event
from engine.rules.observe import imagine, observe, redact
from engine.rules.positions import read_state
from engine.rules.state import CHANCE, NOBODY
from engine.rules.variants import VARIANTS, ruleset

TABLES = [(name, seats) for name, variant in VARIANTS.items() for seats in variant.players]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_everything_reads_back_along_a_match(name: str, seats: int) -> None:
    r = ruleset(name, seats, {"rounds": 10})
    s = r.new()
    s.events = []
    policies: list[Policy] = [(Overmatch, Uniform)[seat % 2](seat) for seat in range(seats)]
    chance = Chance(*seeded_keys(3))
    codes: list[int] = []
    while True:
        for seat in range(NOBODY, seats):
            seen = observe(r, s, seat)
            assert codec.read_observation(r, codec.write_observation(seen)) == seen
        events = s.events
        told = codec.write_events(events, 7)
        assert (told.first, codec.read_events(told)) == (7, [event._replace(audience=-1) for event in events])
        s.events = []
        if r.over(s):
            break
        waiting = r.asked(s)
        if waiting != CHANCE:
            r.options(s, waiting, codes)
            assert codec.read_options(codec.write_options(codes)) == codes
        play_out(r, s, policies, chance, None, 13)


def test_columns_are_what_the_contract_says() -> None:
    r, s = read_state("classic 3; A: ala 300; B: nwt 2; rest C; hand A: gre wild@2!B; pool B 5; at attacking A")
    sent = codec.write_observation(observe(r, s, 1))
    assert sent.owners[:3] == bytes([0, 1, 2])
    assert sent.armies[:6] == bytes([44, 1, 2, 0, 1, 0])
    assert sent.pool == bytes([0, 0, 5, 0, 0, 0])
    assert sent.hand_sizes == bytes([2, 0, 0])
    assert sent.hands == bytes([42, 0b11, 2, 0, NONE, 0b01, 0, 0]), (
        "the wild that B has seen, and a card it has not"
    )
    assert sent.agenda[-8:-6] == bytes([7, 0])
    assert sent.agenda[1] == NONE
    codes: list[int] = []
    r.options(s, 0, codes)
    options = codec.write_options(codes)
    assert options.verbs == bytes([0, 5, 5, 5])
    assert options.sources == bytes([NONE, 0, 0, 0])
    assert options.targets == bytes([NONE, 1, 3, 29])
    assert options.pieces == options.cards == bytes([NONE] * 4)
    assert options.lows == bytes([0, 0, 1, 0, 1, 0, 1, 0])
    assert options.highs == bytes([0, 0, 3, 0, 3, 0, 3, 0])


def test_a_remote_bot_can_imagine_a_position() -> None:
    r = ruleset("classic", 4)
    s = r.new()
    play_out(r, s, [Overmatch(seat) for seat in range(4)], Chance(*seeded_keys(5)), None, 700)
    seen = observe(r, s, 2)
    there = codec.read_observation(r, codec.write_observation(seen))
    assert observe(r, imagine(there, random.Random(1).randrange), 2) == seen


def test_a_hidden_card_is_not_among_the_bytes() -> None:
    told = [
        codec.write_events([redact(Event(18, 0, card=card, audience=1), 1)], 0).SerializeToString()
        for card in (3, 4)
    ]
    assert told[0] == told[1]
