from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListVariantsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListVariantsResponse(_message.Message):
    __slots__ = ("variants",)
    VARIANTS_FIELD_NUMBER: _ClassVar[int]
    variants: _containers.RepeatedCompositeFieldContainer[Variant]
    def __init__(self, variants: _Optional[_Iterable[_Union[Variant, _Mapping]]] = ...) -> None: ...

class Variant(_message.Message):
    __slots__ = ("name", "version", "title", "about", "players", "board", "settings", "decks")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    ABOUT_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    DECKS_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: int
    title: str
    about: str
    players: _containers.RepeatedScalarFieldContainer[int]
    board: str
    settings: _containers.RepeatedCompositeFieldContainer[Setting]
    decks: _containers.RepeatedCompositeFieldContainer[Deck]
    def __init__(self, name: _Optional[str] = ..., version: _Optional[int] = ..., title: _Optional[str] = ..., about: _Optional[str] = ..., players: _Optional[_Iterable[int]] = ..., board: _Optional[str] = ..., settings: _Optional[_Iterable[_Union[Setting, _Mapping]]] = ..., decks: _Optional[_Iterable[_Union[Deck, _Mapping]]] = ...) -> None: ...

class Setting(_message.Message):
    __slots__ = ("name", "default_value", "low", "high", "about")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_VALUE_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    ABOUT_FIELD_NUMBER: _ClassVar[int]
    name: str
    default_value: int
    low: int
    high: int
    about: str
    def __init__(self, name: _Optional[str] = ..., default_value: _Optional[int] = ..., low: _Optional[int] = ..., high: _Optional[int] = ..., about: _Optional[str] = ...) -> None: ...

class Deck(_message.Message):
    __slots__ = ("name", "cards")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    name: str
    cards: _containers.RepeatedCompositeFieldContainer[Card]
    def __init__(self, name: _Optional[str] = ..., cards: _Optional[_Iterable[_Union[Card, _Mapping]]] = ...) -> None: ...

class Card(_message.Message):
    __slots__ = ("name", "copies", "symbol")
    NAME_FIELD_NUMBER: _ClassVar[int]
    COPIES_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    name: str
    copies: int
    symbol: str
    def __init__(self, name: _Optional[str] = ..., copies: _Optional[int] = ..., symbol: _Optional[str] = ...) -> None: ...

class GetBoardRequest(_message.Message):
    __slots__ = ("variant", "options")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    variant: str
    options: _containers.ScalarMap[str, int]
    def __init__(self, variant: _Optional[str] = ..., options: _Optional[_Mapping[str, int]] = ...) -> None: ...

class GetBoardResponse(_message.Message):
    __slots__ = ("board",)
    BOARD_FIELD_NUMBER: _ClassVar[int]
    board: Board
    def __init__(self, board: _Optional[_Union[Board, _Mapping]] = ...) -> None: ...

class Board(_message.Message):
    __slots__ = ("name", "places", "regions")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    REGIONS_FIELD_NUMBER: _ClassVar[int]
    name: str
    places: _containers.RepeatedCompositeFieldContainer[Place]
    regions: _containers.RepeatedCompositeFieldContainer[Region]
    def __init__(self, name: _Optional[str] = ..., places: _Optional[_Iterable[_Union[Place, _Mapping]]] = ..., regions: _Optional[_Iterable[_Union[Region, _Mapping]]] = ...) -> None: ...

class Place(_message.Message):
    __slots__ = ("id", "name", "short", "region", "neighbours", "x", "y")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SHORT_FIELD_NUMBER: _ClassVar[int]
    REGION_FIELD_NUMBER: _ClassVar[int]
    NEIGHBOURS_FIELD_NUMBER: _ClassVar[int]
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    short: str
    region: int
    neighbours: _containers.RepeatedScalarFieldContainer[int]
    x: float
    y: float
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., short: _Optional[str] = ..., region: _Optional[int] = ..., neighbours: _Optional[_Iterable[int]] = ..., x: _Optional[float] = ..., y: _Optional[float] = ...) -> None: ...

class Region(_message.Message):
    __slots__ = ("id", "name", "bonus")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    BONUS_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    bonus: int
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., bonus: _Optional[int] = ...) -> None: ...

class ListVerbsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListVerbsResponse(_message.Message):
    __slots__ = ("verbs",)
    VERBS_FIELD_NUMBER: _ClassVar[int]
    verbs: _containers.RepeatedCompositeFieldContainer[Verb]
    def __init__(self, verbs: _Optional[_Iterable[_Union[Verb, _Mapping]]] = ...) -> None: ...

class Verb(_message.Message):
    __slots__ = ("number", "name", "source", "target", "piece", "card", "amount", "chance")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    PIECE_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    CHANCE_FIELD_NUMBER: _ClassVar[int]
    number: int
    name: str
    source: str
    target: str
    piece: str
    card: str
    amount: str
    chance: bool
    def __init__(self, number: _Optional[int] = ..., name: _Optional[str] = ..., source: _Optional[str] = ..., target: _Optional[str] = ..., piece: _Optional[str] = ..., card: _Optional[str] = ..., amount: _Optional[str] = ..., chance: bool = ...) -> None: ...
