from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class EventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_KIND_UNSPECIFIED: _ClassVar[EventKind]
    EVENT_KIND_FIRST_ROLLED: _ClassVar[EventKind]
    EVENT_KIND_STARTS: _ClassVar[EventKind]
    EVENT_KIND_CLAIMED: _ClassVar[EventKind]
    EVENT_KIND_TURN_BEGAN: _ClassVar[EventKind]
    EVENT_KIND_INCOME: _ClassVar[EventKind]
    EVENT_KIND_TRADED: _ClassVar[EventKind]
    EVENT_KIND_SET_PAID: _ClassVar[EventKind]
    EVENT_KIND_BONUS_PAID: _ClassVar[EventKind]
    EVENT_KIND_PLACED: _ClassVar[EventKind]
    EVENT_KIND_ATTACKED: _ClassVar[EventKind]
    EVENT_KIND_DEFENDED: _ClassVar[EventKind]
    EVENT_KIND_ROLLED: _ClassVar[EventKind]
    EVENT_KIND_LOST: _ClassVar[EventKind]
    EVENT_KIND_CAPTURED: _ClassVar[EventKind]
    EVENT_KIND_MOVED: _ClassVar[EventKind]
    EVENT_KIND_ELIMINATED: _ClassVar[EventKind]
    EVENT_KIND_HAND_TAKEN: _ClassVar[EventKind]
    EVENT_KIND_DREW: _ClassVar[EventKind]
    EVENT_KIND_RESHUFFLED: _ClassVar[EventKind]
    EVENT_KIND_FORTIFIED: _ClassVar[EventKind]
    EVENT_KIND_FORFEITED: _ClassVar[EventKind]
    EVENT_KIND_FINISHED: _ClassVar[EventKind]
EVENT_KIND_UNSPECIFIED: EventKind
EVENT_KIND_FIRST_ROLLED: EventKind
EVENT_KIND_STARTS: EventKind
EVENT_KIND_CLAIMED: EventKind
EVENT_KIND_TURN_BEGAN: EventKind
EVENT_KIND_INCOME: EventKind
EVENT_KIND_TRADED: EventKind
EVENT_KIND_SET_PAID: EventKind
EVENT_KIND_BONUS_PAID: EventKind
EVENT_KIND_PLACED: EventKind
EVENT_KIND_ATTACKED: EventKind
EVENT_KIND_DEFENDED: EventKind
EVENT_KIND_ROLLED: EventKind
EVENT_KIND_LOST: EventKind
EVENT_KIND_CAPTURED: EventKind
EVENT_KIND_MOVED: EventKind
EVENT_KIND_ELIMINATED: EventKind
EVENT_KIND_HAND_TAKEN: EventKind
EVENT_KIND_DREW: EventKind
EVENT_KIND_RESHUFFLED: EventKind
EVENT_KIND_FORTIFIED: EventKind
EVENT_KIND_FORFEITED: EventKind
EVENT_KIND_FINISHED: EventKind

class Observation(_message.Message):
    __slots__ = ("seat", "turn", "first", "round", "rounds_left", "agenda", "owners", "armies", "pool", "fell", "lost", "hand_sizes", "hands", "pile_sizes", "piles", "unseen_sizes", "unseen", "discard_sizes", "discards", "groups", "picks", "sets", "captures", "bonus", "places", "ending", "units", "currencies", "markers")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    FIRST_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_LEFT_FIELD_NUMBER: _ClassVar[int]
    AGENDA_FIELD_NUMBER: _ClassVar[int]
    OWNERS_FIELD_NUMBER: _ClassVar[int]
    ARMIES_FIELD_NUMBER: _ClassVar[int]
    POOL_FIELD_NUMBER: _ClassVar[int]
    FELL_FIELD_NUMBER: _ClassVar[int]
    LOST_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZES_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    PILE_SIZES_FIELD_NUMBER: _ClassVar[int]
    PILES_FIELD_NUMBER: _ClassVar[int]
    UNSEEN_SIZES_FIELD_NUMBER: _ClassVar[int]
    UNSEEN_FIELD_NUMBER: _ClassVar[int]
    DISCARD_SIZES_FIELD_NUMBER: _ClassVar[int]
    DISCARDS_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    PICKS_FIELD_NUMBER: _ClassVar[int]
    SETS_FIELD_NUMBER: _ClassVar[int]
    CAPTURES_FIELD_NUMBER: _ClassVar[int]
    BONUS_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    UNITS_FIELD_NUMBER: _ClassVar[int]
    CURRENCIES_FIELD_NUMBER: _ClassVar[int]
    MARKERS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    turn: int
    first: int
    round: int
    rounds_left: int
    agenda: bytes
    owners: bytes
    armies: bytes
    pool: bytes
    fell: bytes
    lost: int
    hand_sizes: bytes
    hands: bytes
    pile_sizes: bytes
    piles: bytes
    unseen_sizes: bytes
    unseen: bytes
    discard_sizes: bytes
    discards: bytes
    groups: int
    picks: bytes
    sets: int
    captures: int
    bonus: int
    places: bytes
    ending: int
    units: bytes
    currencies: bytes
    markers: bytes
    def __init__(self, seat: _Optional[int] = ..., turn: _Optional[int] = ..., first: _Optional[int] = ..., round: _Optional[int] = ..., rounds_left: _Optional[int] = ..., agenda: _Optional[bytes] = ..., owners: _Optional[bytes] = ..., armies: _Optional[bytes] = ..., pool: _Optional[bytes] = ..., fell: _Optional[bytes] = ..., lost: _Optional[int] = ..., hand_sizes: _Optional[bytes] = ..., hands: _Optional[bytes] = ..., pile_sizes: _Optional[bytes] = ..., piles: _Optional[bytes] = ..., unseen_sizes: _Optional[bytes] = ..., unseen: _Optional[bytes] = ..., discard_sizes: _Optional[bytes] = ..., discards: _Optional[bytes] = ..., groups: _Optional[int] = ..., picks: _Optional[bytes] = ..., sets: _Optional[int] = ..., captures: _Optional[int] = ..., bonus: _Optional[int] = ..., places: _Optional[bytes] = ..., ending: _Optional[int] = ..., units: _Optional[bytes] = ..., currencies: _Optional[bytes] = ..., markers: _Optional[bytes] = ...) -> None: ...

class Options(_message.Message):
    __slots__ = ("verbs", "sources", "targets", "pieces", "cards", "lows", "highs")
    VERBS_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    TARGETS_FIELD_NUMBER: _ClassVar[int]
    PIECES_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    LOWS_FIELD_NUMBER: _ClassVar[int]
    HIGHS_FIELD_NUMBER: _ClassVar[int]
    verbs: bytes
    sources: bytes
    targets: bytes
    pieces: bytes
    cards: bytes
    lows: bytes
    highs: bytes
    def __init__(self, verbs: _Optional[bytes] = ..., sources: _Optional[bytes] = ..., targets: _Optional[bytes] = ..., pieces: _Optional[bytes] = ..., cards: _Optional[bytes] = ..., lows: _Optional[bytes] = ..., highs: _Optional[bytes] = ...) -> None: ...

class Events(_message.Message):
    __slots__ = ("first", "kinds", "seats", "sources", "targets", "pieces", "cards", "amounts")
    FIRST_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    TARGETS_FIELD_NUMBER: _ClassVar[int]
    PIECES_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    AMOUNTS_FIELD_NUMBER: _ClassVar[int]
    first: int
    kinds: bytes
    seats: bytes
    sources: bytes
    targets: bytes
    pieces: bytes
    cards: bytes
    amounts: bytes
    def __init__(self, first: _Optional[int] = ..., kinds: _Optional[bytes] = ..., seats: _Optional[bytes] = ..., sources: _Optional[bytes] = ..., targets: _Optional[bytes] = ..., pieces: _Optional[bytes] = ..., cards: _Optional[bytes] = ..., amounts: _Optional[bytes] = ...) -> None: ...
