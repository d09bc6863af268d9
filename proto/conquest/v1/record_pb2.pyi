from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ConductKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONDUCT_KIND_UNSPECIFIED: _ClassVar[ConductKind]
    CONDUCT_KIND_TIMEOUT: _ClassVar[ConductKind]
    CONDUCT_KIND_ILLEGAL: _ClassVar[ConductKind]
    CONDUCT_KIND_CRASH: _ClassVar[ConductKind]
    CONDUCT_KIND_DISCONNECT: _ClassVar[ConductKind]
    CONDUCT_KIND_FORFEIT: _ClassVar[ConductKind]

class Ending(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ENDING_UNSPECIFIED: _ClassVar[Ending]
    ENDING_CONQUEST: _ClassVar[Ending]
    ENDING_GOAL: _ClassVar[Ending]
    ENDING_ROUND_LIMIT: _ClassVar[Ending]
    ENDING_LAST_SOUND: _ClassVar[Ending]
    ENDING_SCORE: _ClassVar[Ending]
CONDUCT_KIND_UNSPECIFIED: ConductKind
CONDUCT_KIND_TIMEOUT: ConductKind
CONDUCT_KIND_ILLEGAL: ConductKind
CONDUCT_KIND_CRASH: ConductKind
CONDUCT_KIND_DISCONNECT: ConductKind
CONDUCT_KIND_FORFEIT: ConductKind
ENDING_UNSPECIFIED: Ending
ENDING_CONQUEST: Ending
ENDING_GOAL: Ending
ENDING_ROUND_LIMIT: Ending
ENDING_LAST_SOUND: Ending
ENDING_SCORE: Ending

class MatchRecord(_message.Message):
    __slots__ = ("variant", "rules_version", "options", "seat_count", "round_limit", "seats", "match_key", "setup_key", "commitment", "seeded", "seed", "engine_version", "choices", "amounts", "chance", "actions", "digests", "conduct", "result", "match_id", "forks", "seal")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SEAT_COUNT_FIELD_NUMBER: _ClassVar[int]
    ROUND_LIMIT_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    MATCH_KEY_FIELD_NUMBER: _ClassVar[int]
    SETUP_KEY_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    SEEDED_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    ENGINE_VERSION_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    AMOUNTS_FIELD_NUMBER: _ClassVar[int]
    CHANCE_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    DIGESTS_FIELD_NUMBER: _ClassVar[int]
    CONDUCT_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    FORKS_FIELD_NUMBER: _ClassVar[int]
    SEAL_FIELD_NUMBER: _ClassVar[int]
    variant: str
    rules_version: int
    options: _containers.RepeatedCompositeFieldContainer[VariantOption]
    seat_count: int
    round_limit: int
    seats: _containers.RepeatedCompositeFieldContainer[Seat]
    match_key: bytes
    setup_key: bytes
    commitment: bytes
    seeded: bool
    seed: int
    engine_version: str
    choices: bytes
    amounts: bytes
    chance: bytes
    actions: int
    digests: bytes
    conduct: _containers.RepeatedCompositeFieldContainer[Conduct]
    result: MatchResult
    match_id: str
    forks: _containers.RepeatedCompositeFieldContainer[Fork]
    seal: bytes
    def __init__(self, variant: _Optional[str] = ..., rules_version: _Optional[int] = ..., options: _Optional[_Iterable[_Union[VariantOption, _Mapping]]] = ..., seat_count: _Optional[int] = ..., round_limit: _Optional[int] = ..., seats: _Optional[_Iterable[_Union[Seat, _Mapping]]] = ..., match_key: _Optional[bytes] = ..., setup_key: _Optional[bytes] = ..., commitment: _Optional[bytes] = ..., seeded: bool = ..., seed: _Optional[int] = ..., engine_version: _Optional[str] = ..., choices: _Optional[bytes] = ..., amounts: _Optional[bytes] = ..., chance: _Optional[bytes] = ..., actions: _Optional[int] = ..., digests: _Optional[bytes] = ..., conduct: _Optional[_Iterable[_Union[Conduct, _Mapping]]] = ..., result: _Optional[_Union[MatchResult, _Mapping]] = ..., match_id: _Optional[str] = ..., forks: _Optional[_Iterable[_Union[Fork, _Mapping]]] = ..., seal: _Optional[bytes] = ...) -> None: ...

class VariantOption(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class Seat(_message.Message):
    __slots__ = ("agent", "house")
    AGENT_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    agent: str
    house: bool
    def __init__(self, agent: _Optional[str] = ..., house: bool = ...) -> None: ...

class Fork(_message.Message):
    __slots__ = ("match_id", "action", "match_key", "setup_key")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    MATCH_KEY_FIELD_NUMBER: _ClassVar[int]
    SETUP_KEY_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    action: int
    match_key: bytes
    setup_key: bytes
    def __init__(self, match_id: _Optional[str] = ..., action: _Optional[int] = ..., match_key: _Optional[bytes] = ..., setup_key: _Optional[bytes] = ...) -> None: ...

class Conduct(_message.Message):
    __slots__ = ("action", "seat", "kind", "detail")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    action: int
    seat: int
    kind: ConductKind
    detail: str
    def __init__(self, action: _Optional[int] = ..., seat: _Optional[int] = ..., kind: _Optional[_Union[ConductKind, str]] = ..., detail: _Optional[str] = ...) -> None: ...

class MatchResult(_message.Message):
    __slots__ = ("places", "ending", "rounds")
    PLACES_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    places: _containers.RepeatedScalarFieldContainer[int]
    ending: Ending
    rounds: int
    def __init__(self, places: _Optional[_Iterable[int]] = ..., ending: _Optional[_Union[Ending, str]] = ..., rounds: _Optional[int] = ...) -> None: ...
