"""Random matches of every variant and number of players, under the laws."""

import random

import pytest

import engine
from engine.chance import Chance, seeded_keys
from engine.playout import Overmatch, Policy, play_out
from engine.rules.observe import Observation, imagine, observe
from engine.rules.state import AUDIENCE, CONQUEST, GOAL, ROUND_LIMIT, State
from engine.rules.variants import VARIANTS, ruleset
from tests.engine.laws import play_under_laws

TABLES = [(name, seats) for name, variant in VARIANTS.items() for seats in variant.players]
SHARE = 1 if engine.MODE == "compiled" else 10  # the counts asked for are for the compiled rules
WILD, ENDING = 150 // SHARE, 50 // SHARE  # matches of each kind for every table
WILD_ROUNDS, ENDING_ROUNDS = 6, 100
FIRST_SEED = 1000


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_wild_matches_obey_the_laws(name: str, seats: int) -> None:
    r = ruleset(name, seats, {"rounds": WILD_ROUNDS})
    for seed in range(FIRST_SEED, FIRST_SEED + WILD):
        print("seed", seed)
        play_under_laws(r, seed, wild=True, deep_every=1)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_matches_that_end_by_conquest_obey_the_laws(name: str, seats: int) -> None:
    r = ruleset(name, seats, {"rounds": ENDING_ROUNDS})
    endings = []
    for seed in range(FIRST_SEED, FIRST_SEED + ENDING):
        print("seed", seed)
        endings.append(play_under_laws(r, seed, wild=False, deep_every=20).ending)
    assert (GOAL if VARIANTS[name].won_by == "goal" else CONQUEST) in endings
    assert set(endings) <= {CONQUEST, GOAL, ROUND_LIMIT}


@pytest.mark.soak
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_twenty_thousand_matches(name: str, seats: int) -> None:
    for seed in range(20_000 // len(TABLES) + 1):
        wild = seed % 4 != 0
        print("seed", seed)
        r = ruleset(name, seats, {"rounds": WILD_ROUNDS if wild else ENDING_ROUNDS})
        play_under_laws(r, seed, wild, deep_every=20)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_an_imagined_position_plays_to_its_end(name: str, seats: int) -> None:
    r = ruleset(name, seats, {"rounds": 20})
    policies: list[Policy] = [Overmatch(seat) for seat in range(seats)]
    chance = Chance(*seeded_keys(7))
    s = r.new()
    for actions in (100, 300, 400):
        play_out(r, s, policies, chance, None, actions)
        if r.over(s):
            return
        imagined = imagine(observe(r, s, seats - 1), random.Random(actions).randrange)
        play_out(r, imagined, policies, Chance(*seeded_keys(8)))
        assert r.over(imagined)


def test_every_field_of_the_state_has_an_audience() -> None:
    kept = {name for name in dir(State) if not name.startswith("_")}
    assert kept - set(AUDIENCE) == {"clone", "digest", "events", "layout"}


def test_every_field_of_the_state_is_observed_or_hidden() -> None:
    hidden = set(AUDIENCE) - set(Observation._fields)
    assert hidden == {"decks"}, "unseen cards are observed as piles and pools"
