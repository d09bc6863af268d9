"""Numbers as columns of bytes, as the wire carries them, and back.

One byte each, or two, little-endian, where armies or amounts are; all ones mean "none". It is compiled with the
rules, since every decision that is sent passes through here.
"""

import struct
from collections.abc import Sequence
from typing import Final

from engine.rules.cards import hold, kind_of, origin_of, seen_by
from engine.rules.choices import (
    CARD_SHIFT,
    HIGH_MASK,
    LOW_SHIFT,
    NO_CARD,
    NO_PIECE,
    NO_PLACE,
    PIECE_SHIFT,
    SOURCE_SHIFT,
    TARGET_SHIFT,
    VERB_SHIFT,
    pack,
)
from engine.rules.events import Event
from engine.rules.state import A_SHIFT, KIND, SEAT_SHIFT, Group

NONE: Final = 255

_PLACES: Final = [place if place != NO_PLACE else NONE for place in range(NO_PLACE + 1)]
_PIECES: Final = [piece if piece != NO_PIECE else NONE for piece in range(NO_PIECE + 1)]
_CARDS: Final = [card if card != NO_CARD else NONE for card in range(NO_CARD + 1)]

# By length: a format that is made and looked up for each column takes twice as long.
_WORDS: Final = [struct.Struct(f"<{length}H") for length in range(256)]
_SIGNED: Final = [struct.Struct(f"{length}b") for length in range(256)]


def words(numbers: tuple[int, ...] | list[int]) -> bytes:
    """Two bytes each."""
    length = len(numbers)
    return _WORDS[length].pack(*numbers) if length < 256 else struct.pack(f"<{length}H", *numbers)


def read_words(column: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(column) // 2}H", column)


def seats(numbers: tuple[int, ...] | list[int]) -> bytes:
    """One byte each; -1 is none."""
    length = len(numbers)
    return _SIGNED[length].pack(*numbers) if length < 256 else struct.pack(f"{length}b", *numbers)


def read_seats(column: bytes) -> tuple[int, ...]:
    return tuple([number if number != NONE else -1 for number in column])


def sizes(parts: Sequence[Sequence[object]]) -> bytes:
    """How many there are in each part."""
    return bytes([len(part) for part in parts])


def joined(parts: tuple[tuple[int, ...], ...]) -> bytes:
    """All parts, one after the other, a byte each."""
    return b"".join([bytes(part) for part in parts])


def option_columns(codes: list[int]) -> tuple[bytes, bytes, bytes, bytes, bytes, bytes, bytes]:
    """Verbs, sources, targets, pieces, cards, lows and highs."""
    return (
        bytes([code >> VERB_SHIFT for code in codes]),
        bytes([_PLACES[code >> SOURCE_SHIFT & NO_PLACE] for code in codes]),
        bytes([_PLACES[code >> TARGET_SHIFT & NO_PLACE] for code in codes]),
        bytes([_PIECES[code >> PIECE_SHIFT & NO_PIECE] for code in codes]),
        bytes([_CARDS[code >> CARD_SHIFT & NO_CARD] for code in codes]),
        words([code >> LOW_SHIFT & 255 for code in codes]),
        words([code & HIGH_MASK for code in codes]),
    )


def read_options(
    verbs: bytes, sources: bytes, targets: bytes, pieces: bytes, cards: bytes, lows: bytes, highs: bytes
) -> list[int]:
    """The packed options of the columns."""
    low, high = read_words(lows), read_words(highs)
    return [
        pack(
            verbs[index],
            sources[index] & NO_PLACE,
            targets[index] & NO_PLACE,
            pieces[index] & NO_PIECE,
            cards[index] & NO_CARD,
            low[index],
            high[index],
        )
        for index in range(len(verbs))
    ]


def steps(agenda: tuple[int, ...]) -> bytes:
    """Eight bytes a step: kind, seat, three arguments of two."""
    numbers: list[int] = []
    for step in agenda:
        seat = (step >> SEAT_SHIFT & 15) - 1
        rest = step >> A_SHIFT
        numbers.append(step & KIND | (seat & NONE) << 8)
        numbers.append(rest & 0xFFFF)
        numbers.append(rest >> 16 & 0xFFFF)
        numbers.append(rest >> 32 & 0xFFFF)
    return words(numbers)


def read_steps(column: bytes) -> tuple[int, ...]:
    numbers = read_words(column)
    agenda: list[int] = []
    for start in range(0, len(numbers), 4):
        head = numbers[start]
        seat = head >> 8 if head >> 8 != NONE else -1
        rest = numbers[start + 1] | numbers[start + 2] << 16 | numbers[start + 3] << 32
        agenda.append(head & NONE | (seat + 1) << SEAT_SHIFT | rest << A_SHIFT)
    return tuple(agenda)


def held_cards(hands: tuple[tuple[int, ...], ...]) -> bytes:
    """Four bytes a card: kind, who has seen it, and its origin as two."""
    numbers: list[int] = []
    for hand in hands:
        for card in hand:
            numbers.append(_CARDS[kind_of(card)] | seen_by(card) << 8)
            numbers.append(origin_of(card))
    return words(numbers)


def read_held_cards(sizes: bytes, column: bytes) -> tuple[tuple[int, ...], ...]:
    numbers = read_words(column)
    hands: list[tuple[int, ...]] = []
    start = 0
    for size in sizes:
        hand = [
            hold(numbers[2 * place] & NO_CARD, numbers[2 * place + 1], numbers[2 * place] >> 8)
            for place in range(start, start + size)
        ]
        hands.append(tuple(hand))
        start += size
    return tuple(hands)


def piles(decks: tuple[tuple[tuple[int, int], ...], ...]) -> bytes:
    """Of every group its origin and its number, deck by deck."""
    numbers: list[int] = []
    for deck in decks:
        for origin, number in deck:
            numbers.append(origin)
            numbers.append(number)
    return words(numbers)


def groups(unseen: tuple[Group, ...]) -> tuple[bytes, bytes]:
    """Sizes, as pairs of origin and number, and the cards."""
    numbers: list[int] = []
    for group in unseen:
        numbers.append(group.origin)
        numbers.append(len(group.cards))
    return words(numbers), b"".join([bytes(group.cards) for group in unseen])


def read_groups(sizes: bytes, cards: bytes) -> tuple[Group, ...]:
    numbers = read_words(sizes)
    found: list[Group] = []
    start = 0
    for place in range(0, len(numbers), 2):
        end = start + numbers[place + 1]
        found.append(Group(numbers[place], tuple(cards[start:end])))
        start = end
    return tuple(found)


def event_columns(events: list[Event]) -> tuple[bytes, bytes, bytes, bytes, bytes, bytes, bytes]:
    """Kinds, seats, sources, targets, pieces, cards and amounts; the audience is never sent."""
    amounts = [event.amount for event in events]
    return (
        bytes([event.kind for event in events]),
        seats([event.seat for event in events]),
        bytes([_PLACES[event.source] for event in events]),
        bytes([_PLACES[event.target] for event in events]),
        bytes([_PIECES[event.piece] for event in events]),
        bytes([_CARDS[event.card] for event in events]),
        struct.pack(f"<{len(amounts)}I", *amounts),
    )


def read_events(
    kinds: bytes, who: bytes, sources: bytes, targets: bytes, pieces: bytes, cards: bytes, amounts: bytes
) -> list[Event]:
    numbers = struct.unpack(f"<{len(kinds)}I", amounts)
    return [
        Event(
            kinds[index],
            who[index] if who[index] != NONE else -1,
            sources[index] & NO_PLACE,
            targets[index] & NO_PLACE,
            pieces[index] & NO_PIECE,
            cards[index] & NO_CARD,
            numbers[index],
        )
        for index in range(len(kinds))
    ]


def put_times(column: bytearray, action: int, seat: int, seconds: tuple[float, ...], thinking_us: int) -> None:
    """Adds seven numbers, times in microseconds, with seven bits a byte, the lowest first: most are small."""
    numbers = [action, seat]
    for second in seconds:
        numbers.append(min(int(second * 1e6), 0xFFFFFFFF))
    numbers.append(min(thinking_us, 0xFFFFFFFF))
    for number in numbers:
        while number > 127:
            column.append(number & 127 | 128)
            number >>= 7
        column.append(number)


def read_numbers(column: bytes) -> list[int]:
    numbers: list[int] = []
    number = shift = 0
    for part in column:
        number |= (part & 127) << shift
        shift += 7
        if part < 128:
            numbers.append(number)
            number = shift = 0
    return numbers
