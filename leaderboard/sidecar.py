"""What stands beside a record, for authors: remarks of their agents, and what the processes of those wrote."""

from collections.abc import Collection
from typing import NamedTuple

from google.protobuf.message import DecodeError

from conquest.v1.match_pb2 import MatchSidecar


class Remark(NamedTuple):
    action: int  # that it was sent with, counted from 0
    seat: int
    text: str


class Log(NamedTuple):
    seat: int
    text: str  # the end of it


class Remarks(NamedTuple):
    notes: list[Remark]
    logs: list[Log]


NONE = Remarks([], [])


def remarks(sidecar: bytes, seats: Collection[int]) -> Remarks:
    """Those of these seats; nothing is told of the others. Matches of Python bots in one process have none."""
    try:
        kept = MatchSidecar.FromString(sidecar)
    except DecodeError:
        return NONE
    notes = [Remark(one.action, one.seat, one.text) for one in kept.notes if one.seat in seats]
    logs = [Log(one.seat, one.text) for one in kept.logs if one.seat in seats]
    return Remarks(notes, logs)
