"""What a seat may know: observations, and positions that agree with one.

An Observation has every field of the State that the seat may see. A held card that it does not know
keeps its origin and has the kind NO_CARD; `pools` tells which cards such a card may be. So a position can
be made up from an observation alone, and nothing else is ever sent to a bot.
"""

from collections.abc import Callable
from typing import NamedTuple

from engine.rules.cards import FACE_UP, KIND_SHIFT, hold, kind_of, origin_of, seen_by
from engine.rules.choices import NO_CARD
from engine.rules.events import EVERYBODY, Event
from engine.rules.ruleset import Ruleset
from engine.rules.state import SEAT_SHIFT, Group, State


class Observation(NamedTuple):
    variant: str
    settings: tuple[tuple[str, int], ...]
    seat: int  # whose observation this is
    seats: int
    turn: int
    first: int
    round: int
    rounds_left: int
    agenda: tuple[int, ...]
    owner: tuple[int, ...]
    armies: tuple[int, ...]
    held: tuple[int, ...]
    regions: tuple[int, ...]
    pool: tuple[int, ...]
    fell: tuple[int, ...]
    lost: int
    hands: tuple[tuple[int, ...], ...]
    piles: tuple[tuple[tuple[int, int], ...], ...]  # of each deck: origin and number of its groups
    pools: tuple[Group, ...]  # by origin: the cards that the seat has not seen, in a pile or in a hand
    discards: tuple[tuple[int, ...], ...]
    groups: int
    picks: tuple[int, ...]
    sets: int
    captures: int
    bonus: int
    places: tuple[int, ...]
    ending: int
    choices: tuple[int, ...]
    headquarters: tuple[int, ...]
    shares: tuple[tuple[int, ...], ...]
    alliances: tuple[int, ...]
    tally: tuple[int, ...]


def observe(r: Ruleset, s: State, seat: int) -> Observation:
    """All that the seat may know; NOBODY's observation is what the public sees."""
    unseen: dict[int, list[int]] = {}
    hands: list[tuple[int, ...]] = []
    for hand in s.hands:
        shown: list[int] = []
        for card in hand:
            seen = seen_by(card)
            if seen == FACE_UP or (seat >= 0 and seen >> seat & 1):
                shown.append(card)
            else:
                unseen.setdefault(origin_of(card), []).append(kind_of(card))
                shown.append(hold(NO_CARD, origin_of(card), seen_by(card)))
        hands.append(tuple(sorted(shown)))  # sorted anew: the order would tell about the faces
    piles: list[tuple[tuple[int, int], ...]] = []
    pools: dict[int, Group] = {}
    for deck in s.decks:
        for group in deck:
            if group.origin in unseen:
                unseen[group.origin].extend(group.cards)
            elif group.origin in pools:
                unseen[group.origin] = [*pools[group.origin].cards, *group.cards]
            else:
                pools[group.origin] = group  # as it is: making it anew takes longer than all the rest
        piles.append(tuple([(group.origin, len(group.cards)) for group in deck]))
    for origin, cards in unseen.items():
        pools[origin] = Group(origin, tuple(sorted(cards)))
    # In the order of the fields: by name it takes four times as long.
    return Observation(
        r.variant,
        r.settings_key,
        seat,
        s.seats,
        s.turn,
        s.first,
        s.round,
        r.rounds - s.round,
        tuple(s.agenda),
        tuple(s.owner),
        tuple(s.armies),
        tuple(s.held),
        tuple(s.regions),
        tuple(s.pool),
        s.fell,
        s.lost,
        tuple(hands),
        tuple(piles),
        tuple([pools[origin] for origin in sorted(pools)]),
        s.discards,
        s.groups,
        s.picks if picker(s) == seat else (),
        s.sets,
        s.captures,
        s.bonus,
        s.places,
        s.ending,
        own_choice(s.choices, seat) if s.choices else (),
        s.headquarters,
        s.shares,
        s.alliances,
        s.tally,
    )


def own_choice(choices: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """As if nobody else had chosen yet: all are asked with the same observation."""
    return tuple([choice if other == seat else -1 for other, choice in enumerate(choices)])


def picker(s: State) -> int:
    """The seat that the step on top asks: it alone knows what it has picked so far."""
    return (s.agenda[-1] >> SEAT_SHIFT & 15) - 1 if s.agenda else -1


def imagine(o: Observation, below: Callable[[int], int]) -> State:
    """A position that agrees with the observation. `below(n)` gives a number from 0 to n - 1."""
    unseen: dict[int, list[int]] = {}
    for group in o.pools:
        unseen[group.origin] = shuffled(group.cards, below)
    hands: list[tuple[int, ...]] = []
    for hand in o.hands:
        held: list[int] = []
        for card in hand:
            if kind_of(card) == NO_CARD:
                kind = unseen[origin_of(card)].pop()
                held.append(card & (1 << KIND_SHIFT) - 1 | kind << KIND_SHIFT)
            else:
                held.append(card)
        hands.append(tuple(sorted(held)))
    decks: list[tuple[Group, ...]] = []
    for pile in o.piles:
        decks.append(tuple([Group(origin, tuple(sorted(unseen[origin]))) for origin, _ in pile]))
    return State(
        seats=o.seats,
        turn=o.turn,
        first=o.first,
        round=o.round,
        agenda=list(o.agenda),
        owner=list(o.owner),
        armies=list(o.armies),
        held=list(o.held),
        regions=list(o.regions),
        pool=list(o.pool),
        fell=o.fell,
        lost=o.lost,
        hands=tuple(hands),
        decks=tuple(decks),
        discards=o.discards,
        groups=o.groups,
        picks=o.picks,
        sets=o.sets,
        captures=o.captures,
        bonus=o.bonus,
        places=o.places,
        ending=o.ending,
        choices=o.choices,
        headquarters=o.headquarters,
        shares=o.shares,
        alliances=o.alliances,
        tally=o.tally,
    )


def resample(r: Ruleset, s: State, seat: int, below: Callable[[int], int]) -> State:
    """The position with all that the seat cannot know drawn anew."""
    return imagine(observe(r, s, seat), below)


def redact(event: Event, seat: int) -> Event:
    """The event as the seat may see it: a drawn card shows its face to its owner only."""
    if event.audience == EVERYBODY or (seat >= 0 and event.audience >> seat & 1):
        return event
    return event._replace(card=NO_CARD)


def shuffled(cards: tuple[int, ...], below: Callable[[int], int]) -> list[int]:
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order
