"""The generator, the keys and the digest: docs/dice.md, the code, and a second implementation agree.

The second implementation follows the words of the page and knows nothing but SHA-256.
"""

import hashlib
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.chance import Chance, agent_seed, commitment, match_key, seeded_keys, setup_key
from engine.playout import Overmatch, Policy, play_out
from engine.rules.choices import COMBAT, SCHEMAS, STREAMS
from engine.rules.odds import dice_faces, dice_index
from engine.rules.positions import read_state
from engine.rules.state import State
from engine.rules.variants import VARIANTS, ruleset

PAGE = (Path(__file__).parents[2] / "docs" / "dice.md").read_text(encoding="utf-8")


def block(language: str) -> list[str]:
    """The lines of the page's one fenced block of that language."""
    (found,) = [part for part in PAGE.split("```")[1::2] if part.startswith(language + "\n")]
    return found.splitlines()[1:]


class Vector:
    """`name argument ... = value ...`"""

    def __init__(self, line: str) -> None:
        left, _, right = line.rpartition(" = ")
        self.name, *self.arguments = left.split()
        self.values = right.split()
        self.text = left.partition(" ")[2]

    def __str__(self) -> str:
        return f"{self.name} {self.text}"[:40]


VECTORS = [Vector(line) for line in block("vectors")]
GIVEN = {vector.name: bytes.fromhex(vector.values[0]) for vector in VECTORS if vector.name.endswith("key")}
KEY, SETUP_KEY, TOURNAMENT_KEY = GIVEN["key"], GIVEN["setup-key"], GIVEN["tournament-key"]


# A second implementation


def words(prefix: bytes) -> Iterator[int]:
    counter = 0
    while True:
        yield from struct.unpack("<8I", hashlib.sha256(prefix + struct.pack("<Q", counter)).digest())
        counter += 1


def stream(name: str) -> Iterator[int]:
    return words((SETUP_KEY if name == "setup" else KEY) + name.encode("ascii"))


def choose(source: Iterator[int], outcomes: int) -> int:
    if outcomes == 1:
        return 0
    return next(word % outcomes for word in source if word < 2**32 - 2**32 % outcomes)


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()


def mixed_radix(faces: list[int]) -> int:
    return faces[0] - 1 + 6 * mixed_radix(faces[1:]) if faces else 0


def columns(s: State) -> Iterator[list[int]]:
    yield [s.seats, s.turn, s.first, s.round, s.lost, s.groups]
    yield [s.sets, s.captures, s.bonus, s.ending]
    yield from (s.agenda, s.owner, s.armies, s.held, s.regions, s.pool)
    yield from (list(s.fell), list(s.picks), list(s.places))
    yield from map(list, s.hands)
    for deck in s.decks:
        yield from ([group.origin, *group.cards] for group in deck)
        yield []
    yield from map(list, s.discards)


def numbers(s: State) -> list[int]:
    return [number for column in [*columns(s), *rare_columns(s)] for number in (len(column), *column)]


def rare_columns(s: State) -> list[list[int]]:
    """The five that few variants have."""
    shares = [armies for place in s.shares for armies in place]
    rare = [list(s.choices), list(s.headquarters), shares, list(s.alliances), list(s.tally)]
    return rare if any(rare) else []


def digest(values: list[int]) -> str:
    packed = b"".join(value.to_bytes(8, "little", signed=True) for value in values)
    return hashlib.sha256(packed).hexdigest()[:16]


def expected(vector: Vector) -> list[str]:
    """The value of a vector, worked out from the words of the page."""
    arguments, text = vector.arguments, vector.text.encode()
    match vector.name:
        case "words":
            source = stream(arguments[0])
            return [f"{next(source):08x}" for _ in vector.values]
        case "roll":
            source = stream(arguments[0])
            return [str(choose(source, int(outcomes))) for outcomes in arguments[1:]]
        case "match" | "setup":
            return [hmac_sha256(TOURNAMENT_KEY, vector.name.encode() + b":" + text).hex()]
        case "agent":
            return [str(int.from_bytes(hmac_sha256(KEY, b"agent:" + text)[:8], "little"))]
        case "commit":
            return [hashlib.sha256(b"commit:" + text + b":" + KEY + SETUP_KEY).hexdigest()]
        case "seed":
            key = hashlib.sha256(b"seed:" + text).digest()
            return [hmac_sha256(key, b"match:seeded").hex(), hmac_sha256(key, b"setup:seeded").hex()]
        case "dice":
            return [str(mixed_radix([int(face) for face in arguments]))]
        case "digest":
            return [digest(numbers(read_state(vector.text)[1]))]
    return vector.values  # a given key


def actual(vector: Vector) -> list[str]:
    """The value of a vector, as our code has it."""
    arguments, text = vector.arguments, vector.text
    chance = Chance(KEY, SETUP_KEY)
    match vector.name:
        case "words":
            return [f"{chance.word(STREAMS.index(arguments[0])):08x}" for _ in vector.values]
        case "roll":
            return [str(chance.roll(STREAMS.index(arguments[0]), int(outcomes))) for outcomes in arguments[1:]]
        case "match":
            return [match_key(TOURNAMENT_KEY, text).hex()]
        case "setup":
            return [setup_key(TOURNAMENT_KEY, text).hex()]
        case "agent":
            return [str(agent_seed(KEY, int(text)))]
        case "commit":
            return [commitment(text, KEY, SETUP_KEY).hex()]
        case "seed":
            return [key.hex() for key in seeded_keys(int(text))]
        case "dice":
            return [str(dice_index([int(face) for face in arguments], [6] * len(arguments)))]
        case "digest":
            return [read_state(text)[1].digest().hex()]
    return vector.values


@pytest.mark.parametrize("vector", VECTORS, ids=str)
def test_vectors_of_the_page(vector: Vector) -> None:
    assert expected(vector) == vector.values, "the page and its definition differ"
    assert actual(vector) == vector.values, "the page and the code differ"


def test_page_has_every_kind_of_vector() -> None:
    names = {vector.name for vector in VECTORS} - set(GIVEN)
    assert names == {"words", "roll", "match", "setup", "agent", "commit", "seed", "dice", "digest"}
    assert {vector.arguments[0] for vector in VECTORS if vector.name == "words"} == set(STREAMS)


def test_page_names_the_stream_of_every_verb() -> None:
    rows = [line.split("|")[1:3] for line in PAGE.splitlines() if line.startswith("| `")]
    told = {verb.strip(" `"): name.strip(" `") for name, verb in rows if "`" in verb}
    assert told == {one.name: STREAMS[one.stream] for one in SCHEMAS.values() if one.stream >= 0}


def test_layout_of_the_page() -> None:
    values = [int(word) for line in block("values") for word in line.split()]
    (vector,) = [vector for vector in VECTORS if vector.name == "digest"]
    s = read_state(vector.text)[1]
    assert numbers(s) == values
    assert s.layout() == struct.pack(f"<{len(values)}q", *values)
    assert f"    {vector.text}\n" in PAGE


@pytest.mark.parametrize(
    ("name", "seats"),
    [(name, seats) for name, one in VARIANTS.items() for seats in {one.players[0], 4} & {*one.players}],
)
def test_layout_along_a_match(name: str, seats: int) -> None:
    r = ruleset(name, seats, {"rounds": 8})
    policies: list[Policy] = [Overmatch(seat) for seat in range(seats)]
    chance = Chance(KEY, SETUP_KEY)
    s = r.new()
    while s.agenda:
        assert s.digest().hex() == digest(numbers(s))
        play_out(r, s, policies, chance, None, 17)
    assert s.digest().hex() == digest(numbers(s))


# What the generator promises


def test_some_words_are_thrown_away() -> None:
    chance = Chance(KEY, SETUP_KEY)
    asked = [chance.roll(COMBAT, 2**31 + 1) for _ in range(100)]
    assert max(asked) <= 2**31
    assert 150 < chance.used[COMBAT] < 250  # half of all words are


def test_a_certain_outcome_takes_no_word() -> None:
    chance = Chance(KEY, SETUP_KEY)
    assert [chance.roll(COMBAT, 1) for _ in range(5)] == [0] * 5
    assert chance.used[COMBAT] == 0


def test_streams_do_not_touch_each_other() -> None:
    mixed, alone = Chance(KEY, SETUP_KEY), Chance(KEY, SETUP_KEY)
    for draw in range(100):
        for number in range(len(STREAMS)):
            if number != COMBAT:
                mixed.roll(number, draw + 2)
        assert mixed.roll(COMBAT, 36) == alone.roll(COMBAT, 36)


def test_the_setup_key_is_for_the_setup_only() -> None:
    one, other = Chance(KEY, SETUP_KEY), Chance(bytes(32), SETUP_KEY)
    firsts = [(one.word(number), other.word(number)) for number in range(len(STREAMS))]
    assert [a == b for a, b in firsts] == [name == "setup" for name in STREAMS]


def chi_square(counts: list[int]) -> float:
    mean = sum(counts) / len(counts)
    return sum((count - mean) ** 2 for count in counts) / mean


# The value that chi-square passes once in a thousand times; the key is fixed, and so is the result.
@pytest.mark.parametrize(
    ("outcomes", "critical"), [(2, 10.83), (6, 20.52), (36, 66.62), (44, 77.42), (216, 285.0)]
)
def test_outcomes_are_even(outcomes: int, critical: float) -> None:
    chance = Chance(KEY, SETUP_KEY)
    counts = [0] * outcomes
    for _ in range(outcomes * 200):
        counts[chance.roll(COMBAT, outcomes)] += 1
    assert 0 < chi_square(counts) < critical


def test_outcomes_do_not_depend_on_the_one_before() -> None:
    chance = Chance(KEY, SETUP_KEY)
    counts = [0] * 36
    before = chance.roll(COMBAT, 6)
    for _ in range(20_000):
        face = chance.roll(COMBAT, 6)
        counts[before * 6 + face] += 1
        before = face
    assert chi_square(counts) < 66.62


def test_dice_of_one_roll_are_even() -> None:
    chance = Chance(KEY, SETUP_KEY)
    counts = [[0] * 6 for _ in range(5)]
    for _ in range(10_000):
        for die, face in enumerate(dice_faces(chance.roll(COMBAT, 6**5), [6] * 5)):
            counts[die][face - 1] += 1
    assert [die for die in range(5) if chi_square(counts[die]) > 20.52] == []
