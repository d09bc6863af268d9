from conquest.v1 import record_pb2 as _record_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MatchState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_STATE_UNSPECIFIED: _ClassVar[MatchState]
    MATCH_STATE_RUNNING: _ClassVar[MatchState]
    MATCH_STATE_FINISHED: _ClassVar[MatchState]
    MATCH_STATE_ABORTED: _ClassVar[MatchState]
MATCH_STATE_UNSPECIFIED: MatchState
MATCH_STATE_RUNNING: MatchState
MATCH_STATE_FINISHED: MatchState
MATCH_STATE_ABORTED: MatchState

class TimeControl(_message.Message):
    __slots__ = ("bank_ms", "increment_ms", "limit_ms")
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_MS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_MS_FIELD_NUMBER: _ClassVar[int]
    bank_ms: int
    increment_ms: int
    limit_ms: int
    def __init__(self, bank_ms: _Optional[int] = ..., increment_ms: _Optional[int] = ..., limit_ms: _Optional[int] = ...) -> None: ...

class CreateMatchRequest(_message.Message):
    __slots__ = ("match_id", "variant", "options", "agents", "time", "seed")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    AGENTS_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    variant: str
    options: _containers.RepeatedCompositeFieldContainer[_record_pb2.VariantOption]
    agents: _containers.RepeatedScalarFieldContainer[str]
    time: TimeControl
    seed: int
    def __init__(self, match_id: _Optional[str] = ..., variant: _Optional[str] = ..., options: _Optional[_Iterable[_Union[_record_pb2.VariantOption, _Mapping]]] = ..., agents: _Optional[_Iterable[str]] = ..., time: _Optional[_Union[TimeControl, _Mapping]] = ..., seed: _Optional[int] = ...) -> None: ...

class CreateMatchResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: Match
    def __init__(self, match: _Optional[_Union[Match, _Mapping]] = ...) -> None: ...

class GetMatchRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class GetMatchResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: Match
    def __init__(self, match: _Optional[_Union[Match, _Mapping]] = ...) -> None: ...

class ListMatchesRequest(_message.Message):
    __slots__ = ("state", "page_size", "page")
    STATE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_FIELD_NUMBER: _ClassVar[int]
    state: MatchState
    page_size: int
    page: str
    def __init__(self, state: _Optional[_Union[MatchState, str]] = ..., page_size: _Optional[int] = ..., page: _Optional[str] = ...) -> None: ...

class ListMatchesResponse(_message.Message):
    __slots__ = ("matches", "next_page")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[Match]
    next_page: str
    def __init__(self, matches: _Optional[_Iterable[_Union[Match, _Mapping]]] = ..., next_page: _Optional[str] = ...) -> None: ...

class GetRecordRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class GetRecordResponse(_message.Message):
    __slots__ = ("record", "sidecar")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    SIDECAR_FIELD_NUMBER: _ClassVar[int]
    record: bytes
    sidecar: MatchSidecar
    def __init__(self, record: _Optional[bytes] = ..., sidecar: _Optional[_Union[MatchSidecar, _Mapping]] = ...) -> None: ...

class ListAgentsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListAgentsResponse(_message.Message):
    __slots__ = ("agents",)
    AGENTS_FIELD_NUMBER: _ClassVar[int]
    agents: _containers.RepeatedCompositeFieldContainer[ConnectedAgent]
    def __init__(self, agents: _Optional[_Iterable[_Union[ConnectedAgent, _Mapping]]] = ...) -> None: ...

class ConnectedAgent(_message.Message):
    __slots__ = ("name", "client", "matches", "matches_at_once")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    MATCHES_AT_ONCE_FIELD_NUMBER: _ClassVar[int]
    name: str
    client: str
    matches: int
    matches_at_once: int
    def __init__(self, name: _Optional[str] = ..., client: _Optional[str] = ..., matches: _Optional[int] = ..., matches_at_once: _Optional[int] = ...) -> None: ...

class Match(_message.Message):
    __slots__ = ("match_id", "state", "variant", "options", "round_limit", "agents", "time", "actions", "round", "commitment", "conduct", "result")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    ROUND_LIMIT_FIELD_NUMBER: _ClassVar[int]
    AGENTS_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    CONDUCT_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    state: MatchState
    variant: str
    options: _containers.RepeatedCompositeFieldContainer[_record_pb2.VariantOption]
    round_limit: int
    agents: _containers.RepeatedScalarFieldContainer[str]
    time: TimeControl
    actions: int
    round: int
    commitment: bytes
    conduct: _containers.RepeatedCompositeFieldContainer[_record_pb2.Conduct]
    result: _record_pb2.MatchResult
    def __init__(self, match_id: _Optional[str] = ..., state: _Optional[_Union[MatchState, str]] = ..., variant: _Optional[str] = ..., options: _Optional[_Iterable[_Union[_record_pb2.VariantOption, _Mapping]]] = ..., round_limit: _Optional[int] = ..., agents: _Optional[_Iterable[str]] = ..., time: _Optional[_Union[TimeControl, _Mapping]] = ..., actions: _Optional[int] = ..., round: _Optional[int] = ..., commitment: _Optional[bytes] = ..., conduct: _Optional[_Iterable[_Union[_record_pb2.Conduct, _Mapping]]] = ..., result: _Optional[_Union[_record_pb2.MatchResult, _Mapping]] = ...) -> None: ...

class MatchSidecar(_message.Message):
    __slots__ = ("times", "notes", "ordered", "logs")
    TIMES_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    ORDERED_FIELD_NUMBER: _ClassVar[int]
    LOGS_FIELD_NUMBER: _ClassVar[int]
    times: _containers.RepeatedCompositeFieldContainer[DecisionTimes]
    notes: _containers.RepeatedCompositeFieldContainer[Note]
    ordered: _containers.RepeatedScalarFieldContainer[int]
    logs: _containers.RepeatedCompositeFieldContainer[Log]
    def __init__(self, times: _Optional[_Iterable[_Union[DecisionTimes, _Mapping]]] = ..., notes: _Optional[_Iterable[_Union[Note, _Mapping]]] = ..., ordered: _Optional[_Iterable[int]] = ..., logs: _Optional[_Iterable[_Union[Log, _Mapping]]] = ...) -> None: ...

class DecisionTimes(_message.Message):
    __slots__ = ("action", "seat", "queue_us", "elapsed_us", "allowance_us", "charged_us", "thinking_us")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    QUEUE_US_FIELD_NUMBER: _ClassVar[int]
    ELAPSED_US_FIELD_NUMBER: _ClassVar[int]
    ALLOWANCE_US_FIELD_NUMBER: _ClassVar[int]
    CHARGED_US_FIELD_NUMBER: _ClassVar[int]
    THINKING_US_FIELD_NUMBER: _ClassVar[int]
    action: int
    seat: int
    queue_us: int
    elapsed_us: int
    allowance_us: int
    charged_us: int
    thinking_us: int
    def __init__(self, action: _Optional[int] = ..., seat: _Optional[int] = ..., queue_us: _Optional[int] = ..., elapsed_us: _Optional[int] = ..., allowance_us: _Optional[int] = ..., charged_us: _Optional[int] = ..., thinking_us: _Optional[int] = ...) -> None: ...

class Log(_message.Message):
    __slots__ = ("seat", "text")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    text: str
    def __init__(self, seat: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class Note(_message.Message):
    __slots__ = ("action", "seat", "text")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    action: int
    seat: int
    text: str
    def __init__(self, action: _Optional[int] = ..., seat: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...
