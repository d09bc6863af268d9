"""Blocks and their fixtures: seats, ids, keys and scores."""

import hashlib
import hmac
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import seating
from arena.config import VariantEntry
from arena.formats import Pairing
from engine.chance import seeded_keys

CLASSIC = VariantEntry("classic", 4, {"rounds": 50}, "classic-4p")
PAIRING = Pairing(3, 12, (5, 0, 7, 2))


def test_a_block_is_all_rotations() -> None:
    block = seating.make_block(PAIRING, CLASSIC)
    assert block[:5] == ("r3-classic-4p-0012", 12, 3, "classic", {"rounds": 50})
    assert [fixture.seats for fixture in block.fixtures] == [
        (5, 0, 7, 2),
        (0, 7, 2, 5),
        (7, 2, 5, 0),
        (2, 5, 0, 7),
    ]
    assert [fixture.rotation for fixture in block.fixtures] == [0, 1, 2, 3]
    assert [fixture.id for fixture in block.fixtures] == [f"r3-classic-4p-0012-r{turn}" for turn in range(4)]
    assert {fixture.block_id for fixture in block.fixtures} == {block.id}


@pytest.mark.parametrize("entrants", [(0, 1), (0, 1, 2), (0, 1, 2, 2, 2)])
def test_a_paired_block_exchanges_the_two(entrants: tuple[int, ...]) -> None:
    size = len(entrants)
    block = seating.make_paired_block(Pairing(1, 1, entrants), CLASSIC)
    seats = [fixture.seats for fixture in block.fixtures]
    assert len(seats) == (2 if size == 2 else 2 * size)
    assert len({fixture.id for fixture in block.fixtures}) == len(seats)
    swapped = [tuple({0: 1, 1: 0}.get(one, one) for one in row) for row in seats]
    assert Counter(seats) == Counter(swapped)
    assert {row.index(0) for row in seats} == {row.index(1) for row in seats} == set(range(size))


def test_keys_come_from_the_key_of_the_tournament() -> None:
    key = bytes(range(32))
    first, second, *_ = seating.make_block(PAIRING, CLASSIC).fixtures
    match, setup = seating.keys(key, first)
    assert match == hmac.new(key, b"match:r3-classic-4p-0012-r0", "sha256").digest()
    assert setup == hmac.new(key, b"setup:r3-classic-4p-0012", "sha256").digest()
    assert seating.keys(key, second)[1] == setup
    assert seating.keys(key, second)[0] != match
    assert seating.commitment(key) == hashlib.sha256(key).digest()


def test_seeded_key_is_that_of_seeded_matches() -> None:
    key = seating.seeded_key(42)
    assert hmac.new(key, b"match:seeded", "sha256").digest() == seeded_keys(42)[0]


@pytest.mark.parametrize(
    ("places", "scores"),
    [
        ([1, 2], [1, 0]),
        ([1, 1], [0.5, 0.5]),
        ([2, 3, 1], [0.5, 0, 1]),
        ([1, 2, 2, 4], [1, 0.5, 0.5, 0]),
        ([1, 3, 1, 3, 5], [0.875, 0.375, 0.875, 0.375, 0]),
        ([1, 1, 1], [0.5, 0.5, 0.5]),
    ],
)
def test_scores_of_a_placement(places: list[int], scores: list[float]) -> None:
    assert seating.placement_scores(places) == scores


@given(st.lists(st.integers(1, 6), min_size=2, max_size=6))
def test_scores_add_up_and_follow_the_places(places: list[int]) -> None:
    scores = seating.placement_scores(places)
    assert sum(scores) == pytest.approx(len(places) / 2)
    order = sorted(range(len(places)), key=lambda seat: places[seat])
    assert all(scores[one] >= scores[two] for one, two in pairwise(order))
