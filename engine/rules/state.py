"""State: one position of a match, as plain data, and the agenda of steps still to be taken.

Hot fields are int lists that `clone` copies; cold ones are tuples, replaced when they change and shared
by clones. There is no generator, no clock and no history in it. `AUDIENCE` names who may know each field.
"""

import hashlib
import struct
from typing import Final, NamedTuple

from engine.rules.events import Event

CHANCE: Final = -1
NOBODY: Final = -1
ALL: Final = 14  # in the seat of a step: everybody is asked at once, and answers in secret

# Colours of the seats and of the neutral forces after them; missions name them.
COLOURS: Final = ("black", "blue", "gray", "green", "red", "yellow")

# How a match ended, numbered as in conquest.v1.
PLAYING: Final = 0
CONQUEST: Final = 1
GOAL: Final = 2
ROUND_LIMIT: Final = 3
LAST_SOUND: Final = 4
ENDINGS: Final = ("playing", "conquest", "goal", "round_limit", "last_sound", "score")

# Places in `tally`, for the sections that count something within a turn.
CLAIMS: Final = 0  # missions claimed
MUSTERED: Final = 1  # armies received before the first attack
WHOLE: Final = 2  # mask of the regions that one opponent held whole when the turn began
ENTERED: Final = 3  # mask of the regions that something was captured in
DEFEATED: Final = 4  # seats eliminated
COMMANDED: Final = 5  # whether the commander has set a die
TALLIES: Final = 6  # after these, where a section needs them: armies that marched to each place

# A step on the agenda is one int: kind 7 bits, seat + 1 4 bits, then three arguments of 16 bits.
KIND: Final = 127
SEAT_SHIFT: Final = 7
A_SHIFT: Final = 11
B_SHIFT: Final = 27
C_SHIFT: Final = 43


class Step(NamedTuple):
    """A step with its parts named, for the edges."""

    kind: int
    seat: int
    a: int = 0
    b: int = 0
    c: int = 0


class Group(NamedTuple):
    """Cards of a pile that lie in an order nobody knows. `origin` numbers the groups of a match."""

    origin: int
    cards: tuple[int, ...]


PUBLIC: Final = "everybody"
HOLDER: Final = "the holder and those whom `seen` marks; origin and number: everybody"
PICKER: Final = "the seat that is picking"
CHOOSER: Final = "each seat its own, and nobody that others have chosen"
UNSEEN: Final = "nobody; origin and number: everybody"

AUDIENCE: Final = {
    "seats": PUBLIC,
    "turn": PUBLIC,
    "first": PUBLIC,
    "round": PUBLIC,
    "agenda": PUBLIC,
    "owner": PUBLIC,
    "armies": PUBLIC,
    "held": PUBLIC,
    "regions": PUBLIC,
    "pool": PUBLIC,
    "fell": PUBLIC,
    "lost": PUBLIC,
    "hands": HOLDER,
    "decks": UNSEEN,
    "discards": PUBLIC,
    "groups": PUBLIC,
    "picks": PICKER,
    "sets": PUBLIC,
    "captures": PUBLIC,
    "bonus": PUBLIC,
    "places": PUBLIC,
    "ending": PUBLIC,
    "choices": CHOOSER,
    "headquarters": PUBLIC,
    "shares": PUBLIC,
    "alliances": PUBLIC,
    "tally": PUBLIC,
}


class State:
    __slots__ = (
        "agenda",
        "alliances",
        "armies",
        "bonus",
        "captures",
        "choices",
        "decks",
        "discards",
        "ending",
        "events",
        "fell",
        "first",
        "groups",
        "hands",
        "headquarters",
        "held",
        "lost",
        "owner",
        "picks",
        "places",
        "pool",
        "regions",
        "round",
        "seats",
        "sets",
        "shares",
        "tally",
        "turn",
    )

    def __init__(
        self,
        seats: int,
        turn: int,
        first: int,
        round: int,
        agenda: list[int],
        owner: list[int],
        armies: list[int],
        held: list[int],
        regions: list[int],
        pool: list[int],
        fell: tuple[int, ...],
        lost: int,
        hands: tuple[tuple[int, ...], ...],
        decks: tuple[tuple[Group, ...], ...],
        discards: tuple[tuple[int, ...], ...],
        groups: int,
        picks: tuple[int, ...],
        sets: int,
        captures: int,
        bonus: int,
        places: tuple[int, ...],
        ending: int,
        choices: tuple[int, ...] = (),
        headquarters: tuple[int, ...] = (),
        shares: tuple[tuple[int, ...], ...] = (),
        alliances: tuple[int, ...] = (),
        tally: tuple[int, ...] = (),
    ) -> None:
        self.seats = seats
        self.turn = turn  # the seat whose turn it is
        self.first = first  # the seat that began
        self.round = round  # 0 during set-up
        self.agenda = agenda
        self.owner = owner  # the controlling seat or neutral force of each place
        self.armies = armies  # all armies on each place
        self.held = held  # places held by each force: the seats, then the neutral forces
        self.regions = regions  # places held by each force in each region: force * regions + region
        self.pool = pool  # armies each force has in hand
        self.fell = fell  # 0 for a seat in play, else the how-manieth elimination took it
        self.lost = lost  # mask of the seats that the caretaker plays
        self.hands = hands  # held cards, packed by cards.py: deck * forces + force
        self.decks = decks
        self.discards = discards
        self.groups = groups  # groups of unseen cards made so far
        self.picks = picks  # positions in the hand picked for the set being traded
        self.sets = sets  # sets traded in by anybody
        self.captures = captures  # territories captured this turn
        self.bonus = bonus  # extra armies for traded territories this turn
        self.places = places  # final placement, 1 is best; empty while playing
        self.ending = ending
        self.choices = choices  # of a step that asks all at once: the answer of each seat, or -1
        self.headquarters = headquarters  # the place that each seat chose, once all are revealed
        self.shares = shares  # where places are shared: the armies of each seat on each place
        self.alliances = alliances  # of each neutral force: the seat it is allied with, or NOBODY
        self.tally = tally  # counts of this turn, where a section keeps any
        self.events: list[Event] | None = None  # where events are told, if anybody listens; not part of it

    def clone(self) -> "State":
        return State(
            self.seats,
            self.turn,
            self.first,
            self.round,
            self.agenda[:],
            self.owner[:],
            self.armies[:],
            self.held[:],
            self.regions[:],
            self.pool[:],
            self.fell,
            self.lost,
            self.hands,
            self.decks,
            self.discards,
            self.groups,
            self.picks,
            self.sets,
            self.captures,
            self.bonus,
            self.places,
            self.ending,
            self.choices,
            self.headquarters,
            self.shares,
            self.alliances,
            self.tally,
        )

    def __reduce__(self) -> tuple[object, ...]:
        return State, tuple(getattr(self, name) for name in AUDIENCE)

    def layout(self) -> bytes:
        """The canonical bytes of the position, as docs/dice.md writes them down."""
        columns: list[list[int]] = [
            [self.seats, self.turn, self.first, self.round, self.lost, self.groups],
            [self.sets, self.captures, self.bonus, self.ending],
            self.agenda,
            self.owner,
            self.armies,
            self.held,
            self.regions,
            self.pool,
            list(self.fell),
            list(self.picks),
            list(self.places),
        ]
        for hand in self.hands:
            columns.append(list(hand))
        for deck in self.decks:
            for group in deck:
                columns.append([group.origin, *group.cards])
            columns.append([])
        for pile in self.discards:
            columns.append(list(pile))
        if self.choices or self.headquarters or self.shares or self.alliances or self.tally:
            shares = [armies for place in self.shares for armies in place]
            columns.extend([list(self.choices), list(self.headquarters), shares])
            columns.extend([list(self.alliances), list(self.tally)])
        values: list[int] = []
        for column in columns:
            values.append(len(column))
            values.extend(column)
        return struct.pack(f"<{len(values)}q", *values)

    def digest(self) -> bytes:
        """Eight bytes that two equal positions share."""
        return hashlib.sha256(self.layout()).digest()[:8]


def push(s: State, kind: int, seat: int, a: int = 0, b: int = 0, c: int = 0) -> None:
    s.agenda.append(kind | (seat + 1) << SEAT_SHIFT | a << A_SHIFT | b << B_SHIFT | c << C_SHIFT)


def count(s: State, place: int, value: int) -> None:
    """Notes a count of this turn."""
    s.tally = (*s.tally[:place], value, *s.tally[place + 1 :])


def step_of(packed: int) -> Step:
    return Step(
        packed & KIND,
        (packed >> SEAT_SHIFT & 15) - 1,
        packed >> A_SHIFT & 0xFFFF,
        packed >> B_SHIFT & 0xFFFF,
        packed >> C_SHIFT & 0xFFFF,
    )


def empty_places(s: State) -> list[int]:
    return [place for place, owner in enumerate(s.owner) if owner == NOBODY]


def strength(s: State, place: int, seat: int) -> int:
    """The armies that a seat may use there."""
    if s.shares:
        return s.shares[place][seat]
    return s.armies[place] if s.owner[place] == seat else 0
