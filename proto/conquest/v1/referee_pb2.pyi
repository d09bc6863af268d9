from conquest.v1 import error_pb2 as _error_pb2
from conquest.v1 import game_pb2 as _game_pb2
from conquest.v1 import match_pb2 as _match_pb2
from conquest.v1 import record_pb2 as _record_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PlayRequest(_message.Message):
    __slots__ = ("hello", "actions", "pong", "orders")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    PONG_FIELD_NUMBER: _ClassVar[int]
    ORDERS_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    actions: _containers.RepeatedCompositeFieldContainer[Action]
    pong: Pong
    orders: _containers.RepeatedCompositeFieldContainer[MatchOrders]
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., actions: _Optional[_Iterable[_Union[Action, _Mapping]]] = ..., pong: _Optional[_Union[Pong, _Mapping]] = ..., orders: _Optional[_Iterable[_Union[MatchOrders, _Mapping]]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("welcome", "started", "decisions", "refusals", "finished", "aborted", "ping", "goodbye")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    ABORTED_FIELD_NUMBER: _ClassVar[int]
    PING_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    started: _containers.RepeatedCompositeFieldContainer[MatchStarted]
    decisions: _containers.RepeatedCompositeFieldContainer[Decision]
    refusals: _containers.RepeatedCompositeFieldContainer[Refusal]
    finished: _containers.RepeatedCompositeFieldContainer[MatchFinished]
    aborted: _containers.RepeatedCompositeFieldContainer[MatchAborted]
    ping: Ping
    goodbye: Goodbye
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., started: _Optional[_Iterable[_Union[MatchStarted, _Mapping]]] = ..., decisions: _Optional[_Iterable[_Union[Decision, _Mapping]]] = ..., refusals: _Optional[_Iterable[_Union[Refusal, _Mapping]]] = ..., finished: _Optional[_Iterable[_Union[MatchFinished, _Mapping]]] = ..., aborted: _Optional[_Iterable[_Union[MatchAborted, _Mapping]]] = ..., ping: _Optional[_Union[Ping, _Mapping]] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("api_version", "client", "matches_at_once", "in_flight", "events", "orders")
    API_VERSION_FIELD_NUMBER: _ClassVar[int]
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    MATCHES_AT_ONCE_FIELD_NUMBER: _ClassVar[int]
    IN_FLIGHT_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    ORDERS_FIELD_NUMBER: _ClassVar[int]
    api_version: int
    client: str
    matches_at_once: int
    in_flight: int
    events: bool
    orders: StandingOrders
    def __init__(self, api_version: _Optional[int] = ..., client: _Optional[str] = ..., matches_at_once: _Optional[int] = ..., in_flight: _Optional[int] = ..., events: bool = ..., orders: _Optional[_Union[StandingOrders, _Mapping]] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("agent", "server", "matches_at_once", "in_flight", "epoch")
    AGENT_FIELD_NUMBER: _ClassVar[int]
    SERVER_FIELD_NUMBER: _ClassVar[int]
    MATCHES_AT_ONCE_FIELD_NUMBER: _ClassVar[int]
    IN_FLIGHT_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    agent: str
    server: str
    matches_at_once: int
    in_flight: int
    epoch: int
    def __init__(self, agent: _Optional[str] = ..., server: _Optional[str] = ..., matches_at_once: _Optional[int] = ..., in_flight: _Optional[int] = ..., epoch: _Optional[int] = ...) -> None: ...

class MatchStarted(_message.Message):
    __slots__ = ("handle", "match_id", "variant", "rules_version", "options", "round_limit", "seat", "agents", "time", "commitment", "agent_seed", "resumed")
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    ROUND_LIMIT_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    AGENTS_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    AGENT_SEED_FIELD_NUMBER: _ClassVar[int]
    RESUMED_FIELD_NUMBER: _ClassVar[int]
    handle: int
    match_id: str
    variant: str
    rules_version: int
    options: _containers.RepeatedCompositeFieldContainer[_record_pb2.VariantOption]
    round_limit: int
    seat: int
    agents: _containers.RepeatedScalarFieldContainer[str]
    time: _match_pb2.TimeControl
    commitment: bytes
    agent_seed: int
    resumed: bool
    def __init__(self, handle: _Optional[int] = ..., match_id: _Optional[str] = ..., variant: _Optional[str] = ..., rules_version: _Optional[int] = ..., options: _Optional[_Iterable[_Union[_record_pb2.VariantOption, _Mapping]]] = ..., round_limit: _Optional[int] = ..., seat: _Optional[int] = ..., agents: _Optional[_Iterable[str]] = ..., time: _Optional[_Union[_match_pb2.TimeControl, _Mapping]] = ..., commitment: _Optional[bytes] = ..., agent_seed: _Optional[int] = ..., resumed: bool = ...) -> None: ...

class Decision(_message.Message):
    __slots__ = ("handle", "number", "observation", "options", "limit_ms", "bank_ms", "events")
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    handle: int
    number: int
    observation: _game_pb2.Observation
    options: _game_pb2.Options
    limit_ms: int
    bank_ms: int
    events: _game_pb2.Events
    def __init__(self, handle: _Optional[int] = ..., number: _Optional[int] = ..., observation: _Optional[_Union[_game_pb2.Observation, _Mapping]] = ..., options: _Optional[_Union[_game_pb2.Options, _Mapping]] = ..., limit_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., events: _Optional[_Union[_game_pb2.Events, _Mapping]] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("handle", "number", "option", "amount", "note", "plan", "thinking_us", "fault")
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    OPTION_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    PLAN_FIELD_NUMBER: _ClassVar[int]
    THINKING_US_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    handle: int
    number: int
    option: int
    amount: int
    note: str
    plan: _containers.RepeatedCompositeFieldContainer[PlannedAction]
    thinking_us: int
    fault: AgentFault
    def __init__(self, handle: _Optional[int] = ..., number: _Optional[int] = ..., option: _Optional[int] = ..., amount: _Optional[int] = ..., note: _Optional[str] = ..., plan: _Optional[_Iterable[_Union[PlannedAction, _Mapping]]] = ..., thinking_us: _Optional[int] = ..., fault: _Optional[_Union[AgentFault, _Mapping]] = ...) -> None: ...

class PlannedAction(_message.Message):
    __slots__ = ("verb", "source", "target", "piece", "card", "amount")
    VERB_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    PIECE_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    verb: int
    source: int
    target: int
    piece: int
    card: int
    amount: int
    def __init__(self, verb: _Optional[int] = ..., source: _Optional[int] = ..., target: _Optional[int] = ..., piece: _Optional[int] = ..., card: _Optional[int] = ..., amount: _Optional[int] = ...) -> None: ...

class AgentFault(_message.Message):
    __slots__ = ("kind", "detail")
    KIND_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    kind: _record_pb2.ConductKind
    detail: str
    def __init__(self, kind: _Optional[_Union[_record_pb2.ConductKind, str]] = ..., detail: _Optional[str] = ...) -> None: ...

class StandingOrders(_message.Message):
    __slots__ = ("defence_dice", "pass_if_not_target")
    DEFENCE_DICE_FIELD_NUMBER: _ClassVar[int]
    PASS_IF_NOT_TARGET_FIELD_NUMBER: _ClassVar[int]
    defence_dice: int
    pass_if_not_target: bool
    def __init__(self, defence_dice: _Optional[int] = ..., pass_if_not_target: bool = ...) -> None: ...

class MatchOrders(_message.Message):
    __slots__ = ("handle", "orders")
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    ORDERS_FIELD_NUMBER: _ClassVar[int]
    handle: int
    orders: StandingOrders
    def __init__(self, handle: _Optional[int] = ..., orders: _Optional[_Union[StandingOrders, _Mapping]] = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ("handle", "number", "reason", "message")
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    handle: int
    number: int
    reason: _error_pb2.ErrorReason
    message: str
    def __init__(self, handle: _Optional[int] = ..., number: _Optional[int] = ..., reason: _Optional[_Union[_error_pb2.ErrorReason, str]] = ..., message: _Optional[str] = ...) -> None: ...

class MatchFinished(_message.Message):
    __slots__ = ("handle", "result", "match_key", "setup_key", "events", "conduct")
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    MATCH_KEY_FIELD_NUMBER: _ClassVar[int]
    SETUP_KEY_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    CONDUCT_FIELD_NUMBER: _ClassVar[int]
    handle: int
    result: _record_pb2.MatchResult
    match_key: bytes
    setup_key: bytes
    events: _game_pb2.Events
    conduct: _containers.RepeatedCompositeFieldContainer[_record_pb2.Conduct]
    def __init__(self, handle: _Optional[int] = ..., result: _Optional[_Union[_record_pb2.MatchResult, _Mapping]] = ..., match_key: _Optional[bytes] = ..., setup_key: _Optional[bytes] = ..., events: _Optional[_Union[_game_pb2.Events, _Mapping]] = ..., conduct: _Optional[_Iterable[_Union[_record_pb2.Conduct, _Mapping]]] = ...) -> None: ...

class MatchAborted(_message.Message):
    __slots__ = ("handle", "message")
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    handle: int
    message: str
    def __init__(self, handle: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...

class Ping(_message.Message):
    __slots__ = ("nonce",)
    NONCE_FIELD_NUMBER: _ClassVar[int]
    nonce: int
    def __init__(self, nonce: _Optional[int] = ...) -> None: ...

class Pong(_message.Message):
    __slots__ = ("nonce",)
    NONCE_FIELD_NUMBER: _ClassVar[int]
    nonce: int
    def __init__(self, nonce: _Optional[int] = ...) -> None: ...

class Goodbye(_message.Message):
    __slots__ = ("reason", "message")
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    reason: _error_pb2.ErrorReason
    message: str
    def __init__(self, reason: _Optional[_Union[_error_pb2.ErrorReason, str]] = ..., message: _Optional[str] = ...) -> None: ...

class WatchRequest(_message.Message):
    __slots__ = ("match_id", "first_event")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    FIRST_EVENT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    first_event: int
    def __init__(self, match_id: _Optional[str] = ..., first_event: _Optional[int] = ...) -> None: ...

class WatchResponse(_message.Message):
    __slots__ = ("match", "observation", "next_event", "events", "result")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    NEXT_EVENT_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    match: _match_pb2.Match
    observation: _game_pb2.Observation
    next_event: int
    events: _game_pb2.Events
    result: _record_pb2.MatchResult
    def __init__(self, match: _Optional[_Union[_match_pb2.Match, _Mapping]] = ..., observation: _Optional[_Union[_game_pb2.Observation, _Mapping]] = ..., next_event: _Optional[int] = ..., events: _Optional[_Union[_game_pb2.Events, _Mapping]] = ..., result: _Optional[_Union[_record_pb2.MatchResult, _Mapping]] = ...) -> None: ...
