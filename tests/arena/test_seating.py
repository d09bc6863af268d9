"""Blocks and their fixtures: seats, ids and keys."""

import hashlib
import hmac
from collections import Counter

import pytest

from arena import seating
from arena.config import VariantEntry
from arena.formats import Pairing
from engine.chance import seeded_keys
from leaderboard.standings import label_of

CLASSIC = VariantEntry("classic", 4, {"rounds": 50}, "classic-4p")
PAIRING = Pairing(3, 12, (5, 0, 7, 2))


def test_a_block_is_all_rotations() -> None:
    block = seating.make_block("open", PAIRING, CLASSIC)
    assert block[:5] == ("open/r3-classic-4p-0012", 12, 3, "classic", {"rounds": 50})
    assert [fixture.seats for fixture in block.fixtures] == [
        (5, 0, 7, 2),
        (0, 7, 2, 5),
        (7, 2, 5, 0),
        (2, 5, 0, 7),
    ]
    assert [fixture.rotation for fixture in block.fixtures] == [0, 1, 2, 3]
    assert [fixture.id for fixture in block.fixtures] == [f"open/r3-classic-4p-0012-r{turn}" for turn in range(4)]
    assert {fixture.block_id for fixture in block.fixtures} == {block.id}


@pytest.mark.parametrize("entrants", [(0, 1), (0, 1, 2), (0, 1, 2, 2, 2)])
def test_a_paired_block_exchanges_the_two(entrants: tuple[int, ...]) -> None:
    size = len(entrants)
    block = seating.make_paired_block("open", Pairing(1, 1, entrants), CLASSIC)
    seats = [fixture.seats for fixture in block.fixtures]
    assert len(seats) == (2 if size == 2 else 2 * size)
    assert len({fixture.id for fixture in block.fixtures}) == len(seats)
    swapped = [tuple({0: 1, 1: 0}.get(one, one) for one in row) for row in seats]
    assert Counter(seats) == Counter(swapped)
    assert {row.index(0) for row in seats} == {row.index(1) for row in seats} == set(range(size))


def test_keys_come_from_the_key_of_the_tournament() -> None:
    key = bytes(range(32))
    first, second, *_ = seating.make_block("open", PAIRING, CLASSIC).fixtures
    match, setup = seating.match_keys(key, first.id, first.block_id)
    assert match == hmac.new(key, b"match:open/r3-classic-4p-0012-r0", "sha256").digest()
    assert setup == hmac.new(key, b"setup:open/r3-classic-4p-0012", "sha256").digest()
    other, same = seating.match_keys(key, second.id, second.block_id)
    assert (other != match, same) == (True, setup)
    assert seating.commitment(key) == hashlib.sha256(key).digest()


def test_seeded_key_is_that_of_seeded_matches() -> None:
    key = seating.seeded_key(42)
    assert hmac.new(key, b"match:seeded", "sha256").digest() == seeded_keys(42)[0]


def test_a_block_tells_the_label_of_its_variant() -> None:
    block = seating.make_block("winter/open-2", PAIRING, CLASSIC)
    assert label_of(block.id) == "classic-4p"
