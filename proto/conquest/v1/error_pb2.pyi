from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class ErrorReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ERROR_REASON_UNSPECIFIED: _ClassVar[ErrorReason]
    ERROR_REASON_TOKEN_MISSING: _ClassVar[ErrorReason]
    ERROR_REASON_TOKEN_UNKNOWN: _ClassVar[ErrorReason]
    ERROR_REASON_ROLE_TOO_LOW: _ClassVar[ErrorReason]
    ERROR_REASON_HELLO_MISSING: _ClassVar[ErrorReason]
    ERROR_REASON_API_VERSION: _ClassVar[ErrorReason]
    ERROR_REASON_REPLACED: _ClassVar[ErrorReason]
    ERROR_REASON_SHUTDOWN: _ClassVar[ErrorReason]
    ERROR_REASON_TOO_LARGE: _ClassVar[ErrorReason]
    ERROR_REASON_TOO_MANY_ANSWERS: _ClassVar[ErrorReason]
    ERROR_REASON_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_INVALID_ARGUMENT: _ClassVar[ErrorReason]
    ERROR_REASON_AGENT_NOT_READY: _ClassVar[ErrorReason]
    ERROR_REASON_MATCH_NOT_OVER: _ClassVar[ErrorReason]
    ERROR_REASON_TOO_MANY_MATCHES: _ClassVar[ErrorReason]
    ERROR_REASON_UNKNOWN_HANDLE: _ClassVar[ErrorReason]
    ERROR_REASON_STALE: _ClassVar[ErrorReason]
    ERROR_REASON_ILLEGAL: _ClassVar[ErrorReason]
    ERROR_REASON_ALREADY_EXISTS: _ClassVar[ErrorReason]
ERROR_REASON_UNSPECIFIED: ErrorReason
ERROR_REASON_TOKEN_MISSING: ErrorReason
ERROR_REASON_TOKEN_UNKNOWN: ErrorReason
ERROR_REASON_ROLE_TOO_LOW: ErrorReason
ERROR_REASON_HELLO_MISSING: ErrorReason
ERROR_REASON_API_VERSION: ErrorReason
ERROR_REASON_REPLACED: ErrorReason
ERROR_REASON_SHUTDOWN: ErrorReason
ERROR_REASON_TOO_LARGE: ErrorReason
ERROR_REASON_TOO_MANY_ANSWERS: ErrorReason
ERROR_REASON_NOT_FOUND: ErrorReason
ERROR_REASON_INVALID_ARGUMENT: ErrorReason
ERROR_REASON_AGENT_NOT_READY: ErrorReason
ERROR_REASON_MATCH_NOT_OVER: ErrorReason
ERROR_REASON_TOO_MANY_MATCHES: ErrorReason
ERROR_REASON_UNKNOWN_HANDLE: ErrorReason
ERROR_REASON_STALE: ErrorReason
ERROR_REASON_ILLEGAL: ErrorReason
ERROR_REASON_ALREADY_EXISTS: ErrorReason
