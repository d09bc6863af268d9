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

# Kinds of step that a seat or chance answers.
CLAIM_STEP: Final = 1
SETUP_PLACE_STEP: Final = 2
PLACE_STEP: Final = 3
TRADE_STEP: Final = 4
TRADE_DOWN_STEP: Final = 5
BONUS_STEP: Final = 6
ATTACK_STEP: Final = 7
DEFEND_STEP: Final = 8
MOVE_IN_STEP: Final = 9
FORTIFY_STEP: Final = 10
FORTIFY_TO_STEP: Final = 11
FIRST_STEP: Final = 40
ROLL_STEP: Final = 41
DRAW_STEP: Final = 42

# Kinds that the rules take by themselves as soon as they are on top.
AUTOMATIC: Final = 64
CLAIMING: Final = 64
SETUP_PLACING: Final = 65
NEXT_TURN: Final = 66
COUNTING_INCOME: Final = 67
TRADING: Final = 68
TRADING_DOWN: Final = 69
DEPLOYING: Final = 70
ATTACKING: Final = 71
DRAWING: Final = 72
FORTIFYING: Final = 73
ROLLING_FIRST: Final = 74
SPOILS: Final = 75

STEP_NAMES: Final = {
    CLAIM_STEP: "claim",
    SETUP_PLACE_STEP: "setup_place",
    PLACE_STEP: "place",
    TRADE_STEP: "trade",
    TRADE_DOWN_STEP: "trade_down",
    BONUS_STEP: "bonus",
    ATTACK_STEP: "attack",
    DEFEND_STEP: "defend",
    MOVE_IN_STEP: "move_in",
    FORTIFY_STEP: "fortify",
    FORTIFY_TO_STEP: "fortify_to",
    FIRST_STEP: "first",
    ROLL_STEP: "roll",
    DRAW_STEP: "draw",
    CLAIMING: "claiming",
    SETUP_PLACING: "setup_placing",
    NEXT_TURN: "next_turn",
    COUNTING_INCOME: "counting_income",
    TRADING: "trading",
    TRADING_DOWN: "trading_down",
    DEPLOYING: "deploying",
    ATTACKING: "attacking",
    DRAWING: "drawing",
    FORTIFYING: "fortifying",
    ROLLING_FIRST: "rolling_first",
    SPOILS: "spoils",
}

# How a match ended, numbered as in conquest.v1.
PLAYING: Final = 0
CONQUEST: Final = 1
ROUND_LIMIT: Final = 3
LAST_SOUND: Final = 4
ENDINGS: Final = ("playing", "conquest", "goal", "round_limit", "last_sound", "score")

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
}


class State:
    __slots__ = (
        "agenda",
        "armies",
        "bonus",
        "captures",
        "decks",
        "discards",
        "ending",
        "events",
        "fell",
        "first",
        "groups",
        "hands",
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
    ) -> None:
        self.seats = seats
        self.turn = turn  # the seat whose turn it is
        self.first = first  # the seat that began
        self.round = round  # 0 during set-up
        self.agenda = agenda
        self.owner = owner  # the controlling seat of each place
        self.armies = armies  # all armies on each place
        self.held = held  # places held by each seat
        self.regions = regions  # places held by each seat in each region: seat * regions + region
        self.pool = pool  # armies each seat has in hand
        self.fell = fell  # 0 for a seat in play, else the how-manieth elimination took it
        self.lost = lost  # mask of the seats that the caretaker plays
        self.hands = hands  # held cards, packed by cards.py
        self.decks = decks
        self.discards = discards
        self.groups = groups  # groups of unseen cards made so far
        self.picks = picks  # positions in the hand picked for the set being traded
        self.sets = sets  # sets traded in by anybody
        self.captures = captures  # territories captured this turn
        self.bonus = bonus  # extra armies for traded territories this turn
        self.places = places  # final placement, 1 is best; empty while playing
        self.ending = ending
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


def step_of(packed: int) -> Step:
    return Step(
        packed & KIND,
        (packed >> SEAT_SHIFT & 15) - 1,
        packed >> A_SHIFT & 0xFFFF,
        packed >> B_SHIFT & 0xFFFF,
        packed >> C_SHIFT & 0xFFFF,
    )


def strength(s: State, place: int, seat: int) -> int:
    """The armies that a seat may use there."""
    return s.armies[place] if s.owner[place] == seat else 0
