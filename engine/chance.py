"""The keyed generator that plays CHANCE. docs/dice.md has its definition and test vectors.

A match has two keys: the stream `setup` is drawn from the key of the block, so that all rotations of a
pairing start alike; the other streams from the key of the fixture.
"""

import hashlib
import hmac
import struct
from typing import Final

from engine.rules.choices import SETUP, STREAMS

WORDS: Final = 8  # 32-bit words in one SHA-256 block
RANGE: Final = 1 << 32


class Chance:
    """A source of outcomes for one match: a function of the two keys and of what was asked before."""

    def __init__(self, key: bytes, setup_key: bytes) -> None:
        self.prefixes: list[bytes] = [
            (setup_key if stream == SETUP else key) + name.encode() for stream, name in enumerate(STREAMS)
        ]
        self.words: list[list[int]] = [[] for _ in STREAMS]
        self.used: list[int] = [0] * len(STREAMS)  # words taken from each stream

    def roll(self, stream: int, outcomes: int) -> int:
        """An even choice among 0 .. outcomes - 1. A certain outcome takes no word."""
        if outcomes == 1:
            return 0
        limit = RANGE - RANGE % outcomes
        while True:
            word = self.word(stream)
            if word < limit:
                return word % outcomes

    def word(self, stream: int) -> int:
        used = self.used[stream]
        if used % WORDS == 0:
            counter = (used // WORDS).to_bytes(8, "little")
            block = hashlib.sha256(self.prefixes[stream] + counter).digest()
            self.words[stream] = list(struct.unpack("<8I", block))
        self.used[stream] = used + 1
        return self.words[stream][used % WORDS]


def match_key(key: bytes, fixture: str) -> bytes:
    """The key of one match under a tournament's key."""
    return hmac.new(key, b"match:" + fixture.encode(), "sha256").digest()


def setup_key(key: bytes, block: str) -> bytes:
    """The key of the set-up that the rotations of one pairing share."""
    return hmac.new(key, b"setup:" + block.encode(), "sha256").digest()


def agent_seed(key: bytes, seat: int) -> int:
    """A seed for a bot's own use; the match key cannot be found from it."""
    return int.from_bytes(hmac.new(key, b"agent:%d" % seat, "sha256").digest()[:8], "little")


def commitment(match_id: str, key: bytes, setup: bytes) -> bytes:
    """Published before the match; the keys, revealed after it, must give it again."""
    return hashlib.sha256(b"commit:" + match_id.encode() + b":" + key + setup).digest()


def seeded_keys(seed: int) -> tuple[bytes, bytes]:
    """Keys of a debugging match: everybody can compute them, so the record is marked."""
    key = hashlib.sha256(b"seed:%d" % seed).digest()
    return match_key(key, "seeded"), setup_key(key, "seeded")
