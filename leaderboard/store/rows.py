"""What goes into a store and comes out of it."""

from collections.abc import Sequence
from typing import NamedTuple


class Version(NamedTuple):
    """One state of an agent's code."""

    id: int
    agent: str
    number: int
    spec: str
    language: str
    built_in: bool
    digest: str


class Entrant(NamedTuple):
    """Who takes part in a tournament; its number is its position in the list."""

    name: str
    version_id: int
    state: str


class Tournament(NamedTuple):
    id: int
    name: str
    config: str
    folder: str  # where its file was
    key: bytes
    commitment: bytes
    seed: int | None
    state: str
    request: str | None
    created: float
    driver: str | None  # who has, or had, the lease
    epoch: int
    until: float | None  # when the lease ends


class Lease(NamedTuple):
    """The right to drive a tournament, and what somebody asks of the driver: "pause", "cancel" or nothing."""

    tournament_id: int
    driver: str
    epoch: int
    until: float
    request: str | None


class NewFixture(NamedTuple):
    id: str
    rotation: int
    seats: list[int]  # numbers of entrants, in seat order


class NewBlock(NamedTuple):
    """A pairing to be played in all its rotations; numbers ascend within a tournament."""

    id: str
    number: int
    round: int
    variant: str
    rules_version: int
    options: dict[str, int]
    players: int
    fixtures: list[NewFixture]


class Fixture(NamedTuple):
    """A match that is to be played."""

    id: str
    block_id: str
    round: int
    rotation: int
    variant: str
    options: dict[str, int]
    seats: list[int]
    attempt: int  # the last that was begun; 0 if none


class Conduct(NamedTuple):
    """A fault as the record has it."""

    seat: int
    kind: int
    detail: str
    action: int


class Result(NamedTuple):
    """What a worker reports of a match. Lists are in seat order; endings and kinds of conduct are the record's."""

    fixture_id: str
    attempt: int
    places: Sequence[int]
    luck: Sequence[float]
    faults: Sequence[int]
    rounds: int
    ending: int
    actions: int
    decisions: int
    record: bytes
    sidecar: bytes
    conduct: Sequence[tuple[int, int, str, int]]  # Conduct, or a tuple like it
    worker: str
    seconds: float


class Committed(NamedTuple):
    """What became of reported results."""

    accepted: int
    doubled: int
    fenced: int


class ResultRow(NamedTuple):
    """A result in the ledger; `void` as things stand now."""

    seq: int
    fixture_id: str
    block_id: str
    attempt: int
    entrants: list[int]
    places: list[int]
    luck: list[float]
    faults: list[int]
    rounds: int
    ending: int
    actions: int
    decisions: int
    worker: str
    seconds: float
    committed: float
    void: bool


class LedgerRow(NamedTuple):
    """Any row of the ledger: a "result", "void" or "reinstate" of a fixture, or the "release" of a block."""

    seq: int
    kind: str
    tournament_id: int
    subject: str  # id of the fixture or block


class FixtureResult(NamedTuple):
    id: str
    seats: list[int]
    state: str  # "open", "done" or "void"
    places: list[int] | None


class BlockResult(NamedTuple):
    id: str
    number: int
    round: int
    variant: str
    players: int
    released: bool
    fixtures: list[FixtureResult]


class Progress(NamedTuple):
    open: int
    done: int
    void: int
    doubled: int
    fenced: int
    faults: int


class KeptRecord(NamedTuple):
    record: bytes  # the file
    sidecar: bytes
