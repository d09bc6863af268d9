"""A pairing becomes a block: one match for each rotation of the seats, all over one set-up."""

import hashlib
from typing import NamedTuple

from arena.config import VariantEntry
from arena.formats import Pairing
from engine.chance import match_key, setup_key


class Fixture(NamedTuple):
    """A match of a tournament; `seats` are numbers of entrants."""

    id: str
    block_id: str
    rotation: int
    variant: str
    options: dict[str, int]
    seats: tuple[int, ...]


class Block(NamedTuple):
    id: str
    number: int
    round: int
    variant: str
    options: dict[str, int]
    fixtures: tuple[Fixture, ...]


def make_block(tournament: str, pairing: Pairing, variant: VariantEntry) -> Block:
    """All rotations of a pairing: everybody has every seat once."""
    return block_of(tournament, pairing, variant, rotations(pairing.entrants))


def make_paired_block(tournament: str, pairing: Pairing, variant: VariantEntry) -> Block:
    """A block to compare the first two entrants: all rotations, and all again with the two exchanged.

    So both have had every seat against the same others. At a table of two the rotations exchange them already.
    """
    first, second, *others = pairing.entrants
    exchanged = rotations((second, first, *others)) if others else []
    return block_of(tournament, pairing, variant, rotations(pairing.entrants) + exchanged)


def rotations(entrants: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [entrants[turn:] + entrants[:turn] for turn in range(len(entrants))]


def block_of(tournament: str, pairing: Pairing, variant: VariantEntry, seatings: list[tuple[int, ...]]) -> Block:
    name = f"{tournament}/r{pairing.round}-{variant.label}-{pairing.number:04}"
    fixtures = [
        Fixture(f"{name}-r{turn}", name, turn, variant.name, variant.options, seats)
        for turn, seats in enumerate(seatings)
    ]
    return Block(name, pairing.number, pairing.round, variant.name, variant.options, tuple(fixtures))


def match_keys(tournament_key: bytes, fixture_id: str, block_id: str) -> tuple[bytes, bytes]:
    """The keys of a match: its own, and that of the set-up, which its block shares."""
    return match_key(tournament_key, fixture_id), setup_key(tournament_key, block_id)


def seeded_key(seed: int) -> bytes:
    """The key of a tournament for debugging: everybody can compute it."""
    return hashlib.sha256(b"seed:%d" % seed).digest()


def commitment(tournament_key: bytes) -> bytes:
    """Published before the tournament; the key, told after it, must give it again."""
    return hashlib.sha256(tournament_key).digest()
