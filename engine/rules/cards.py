"""Held cards and piles.

A held card is one int: its kind, the group of unseen cards it was drawn from, and a mask of the seats
that know it. Sorting the ints sorts a hand by kind. Everybody can follow where a card came from, so a
seat that does not know the card still knows its origin.
"""

from typing import Final

from engine.rules.state import Group, State

KIND_SHIFT: Final = 20
ORIGIN_SHIFT: Final = 6
SEEN_MASK: Final = 63
FACE_UP: Final = SEEN_MASK  # seen by everybody, watchers too


def hold(kind: int, origin: int, seen: int) -> int:
    return kind << KIND_SHIFT | origin << ORIGIN_SHIFT | seen


def kind_of(card: int) -> int:
    return card >> KIND_SHIFT


def origin_of(card: int) -> int:
    return card >> ORIGIN_SHIFT & 0x3FFF


def seen_by(card: int) -> int:
    return card & SEEN_MASK


def hand_of(s: State, deck: int, force: int) -> int:
    """Which of the hands has the force's cards of that deck."""
    return deck * len(s.held) + force


def with_hand(s: State, number: int, hand: list[int]) -> None:
    """Replaces one of the hands, sorted; of the first deck they are numbered like the forces."""
    hands = list(s.hands)
    hands[number] = tuple(sorted(hand))
    s.hands = tuple(hands)


def with_deck(s: State, deck: int, groups: tuple[Group, ...]) -> None:
    decks = list(s.decks)
    decks[deck] = groups
    s.decks = tuple(decks)


def with_discards(s: State, deck: int, cards: tuple[int, ...]) -> None:
    discards = list(s.discards)
    discards[deck] = cards
    s.discards = tuple(discards)


def put_under(s: State, deck: int, cards: list[int]) -> None:
    """Lays cards under the pile in an order that nobody knows: a group of their own."""
    with_deck(s, deck, (*s.decks[deck], Group(s.groups, tuple(sorted(cards)))))
    s.groups += 1


def draw(s: State, seat: int, deck: int, index: int, mates: int = 0) -> int:
    """Takes the card at this index of the first group into the hand, where a mask of mates sees it too."""
    pile = s.decks[deck]
    group = pile[0]
    kind = group.cards[index]
    rest = group.cards[:index] + group.cards[index + 1 :]
    with_deck(s, deck, (Group(group.origin, rest), *pile[1:]) if rest else pile[1:])
    number = hand_of(s, deck, seat)
    with_hand(s, number, [*s.hands[number], hold(kind, group.origin, mates | 1 << seat)])
    return kind
