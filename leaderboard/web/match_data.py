"""What pages and programs are told of a match of the book."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel
from sqlalchemy import Connection, Select, select

from conquest.v1.record_pb2 import ConductKind
from engine.rules.state import ENDINGS
from engine.rules.variants import VARIANTS
from leaderboard.scopes import VARIANT
from leaderboard.sidecar import Remarks, remarks
from leaderboard.standings import label_of
from leaderboard.store import Store
from leaderboard.store.reading import seats_of
from leaderboard.store.tables import (
    agents,
    blocks,
    conduct,
    corrections,
    entrants,
    fixtures,
    moves,
    rated_matches,
    records,
    results,
    scopes,
    tournaments,
    versions,
)
from leaderboard.store.tournaments import AnyRow
from leaderboard.web.paths import match_path
from leaderboard.web.problems import Problem, unknown
from leaderboard.web.sessions import Identity


class Move(BaseModel):
    """How the match moved the rating of a seat, on the ladder of its variant."""

    mu_before: float
    sigma_before: float
    mu: float
    sigma: float
    expected: float  # the place that the ratings before led to expect

    @property
    def change(self) -> float:
        """Of the number on the ladder."""
        return (self.mu - 3 * self.sigma) - (self.mu_before - 3 * self.sigma_before)


class Fault(BaseModel):
    """What a seat did wrong. `detail` is told to its author only."""

    seat: int
    kind: str
    action: int
    detail: str | None


class Note(BaseModel):
    """What an agent remarked beside an action; told to its author only."""

    seat: int
    action: int
    text: str


class Log(BaseModel):
    """The end of what an agent's process wrote while the match was played; told to its author only."""

    seat: int
    text: str


class Seat(BaseModel):
    seat: int
    entrant: str
    agent: str
    version: int
    author: str
    place: int | None
    luck: float | None
    faults: int
    move: Move | None


class Correction(BaseModel):
    kind: str  # void or reinstate
    reason: str
    committed: float


class Match(BaseModel):
    match: str
    tournament: str
    round: int
    rotation: int
    label: str
    variant: str
    title: str
    board: str
    rules_version: int
    options: dict[str, int]
    state: str  # open, done or void
    released: bool
    seats: list[Seat]
    ending: str | None
    rounds: int | None
    actions: int | None
    decisions: int | None
    committed: float | None
    conduct: list[Fault]
    notes: list[Note]  # of the seats of who asks, as are the logs
    logs: list[Log]
    corrections: list[Correction]
    previous: str | None
    next: str | None


def match(store: Store, match_id: str, reader: Identity | None) -> Match:
    """The match, with what only `reader` may see of it; Problem if there is none."""
    with store.snapshot() as connection:
        row = connection.execute(_match().where(fixtures.c.id == match_id)).one_or_none()
        if row is None:
            raise unknown("match", match_id, (), match_path)
        sat = _seats(connection, row)
        own = {one.seat for one in sat if reader is not None and reader.owns(one.agent, one.author)}
        told = _remarks(connection, match_id, own)
        return Match(
            match=row.id,
            tournament=row.tournament,
            round=row.round,
            rotation=row.rotation,
            label=label_of(row.block_id),
            variant=row.variant,
            title=VARIANTS[row.variant].title if row.variant in VARIANTS else row.variant,
            board=VARIANTS[row.variant].board if row.variant in VARIANTS else "",
            rules_version=row.rules_version,
            options=row.options,
            state=row.state,
            released=row.block_number <= row.released,
            seats=sat,
            ending=None if row.ending is None else ENDINGS[row.ending],
            rounds=row.rounds,
            actions=row.actions,
            decisions=row.decisions,
            committed=row.committed,
            conduct=_conduct(connection, match_id, own),
            notes=[Note(**one._asdict()) for one in told.notes],
            logs=[Log(**one._asdict()) for one in told.logs],
            corrections=_corrections(connection, match_id),
            previous=_neighbour(connection, row, -1),
            next=_neighbour(connection, row, 1),
        )


def record_of(store: Store, match_id: str) -> bytes:
    """The file of its record; Problem if there is none."""
    query = select(records.c.record).where(records.c.fixture_id == match_id)
    with store.reading() as connection:
        found: bytes | None = connection.execute(query).scalar_one_or_none()
        known = select(fixtures.c.id).where(fixtures.c.id == match_id)
        if found is None and connection.execute(known).first() is None:
            raise unknown("match", match_id, (), match_path)
    if found is None:
        raise Problem(404, "NO_RECORD", "This match was not played to its end, so there is no record of it.")
    return found


def _match() -> Select[Any]:
    return (
        select(
            *(fixtures.c.id, fixtures.c.number, fixtures.c.rotation, fixtures.c.seats, fixtures.c.state),
            *(fixtures.c.tournament_id, fixtures.c.block_id, tournaments.c.name.label("tournament")),
            *(blocks.c.round, blocks.c.variant, blocks.c.rules_version, blocks.c.options),
            *(blocks.c.number.label("block_number"), tournaments.c.released),
            *(results.c.ending, results.c.rounds, results.c.actions, results.c.decisions, results.c.committed),
        )
        .join(blocks, blocks.c.id == fixtures.c.block_id)
        .join(tournaments, tournaments.c.id == fixtures.c.tournament_id)
        .outerjoin(results, results.c.fixture_id == fixtures.c.id)
    )


def _seats(connection: Connection, row: AnyRow) -> list[Seat]:
    query: Select[Any] = (
        select(
            *(entrants.c.number, entrants.c.name.label("entrant"), agents.c.name.label("agent"), agents.c.author),
            versions.c.number.label("version"),
        )
        .join(versions, versions.c.id == entrants.c.version_id)
        .join(agents, agents.c.id == versions.c.agent_id)
        .where(entrants.c.tournament_id == row.tournament_id, entrants.c.number.in_(set(row.seats)))
    )
    rows: Sequence[AnyRow] = connection.execute(query).all()
    who = {one.number: one for one in rows}
    sat = seats_of(connection, [row.id])
    played: dict[int, AnyRow] = {one.seat: one for one in sat.get(row.id, [])}
    moved = _moves(connection, row)
    return [_seat(seat, who[number], played.get(seat), moved.get(seat)) for seat, number in enumerate(row.seats)]


def _seat(seat: int, who: AnyRow, played: AnyRow | None, move: Move | None) -> Seat:
    return Seat(
        seat=seat,
        entrant=who.entrant,
        agent=who.agent,
        version=who.version,
        author=who.author,
        place=played.place if played else None,
        luck=played.luck if played else None,
        faults=played.faults if played else 0,
        move=move,
    )


def _moves(connection: Connection, row: AnyRow) -> dict[int, Move]:
    query = (
        select(*(moves.c[name] for name in ("seat", *Move.model_fields)))
        .join(rated_matches, rated_matches.c.number == moves.c.number)
        .join(scopes, scopes.c.id == moves.c.scope_id)
        .where(rated_matches.c.fixture_id == row.id, scopes.c.kind == VARIANT)
    )
    return {one.seat: Move.model_validate(one, from_attributes=True) for one in connection.execute(query)}


def _conduct(connection: Connection, match_id: str, own: set[int]) -> list[Fault]:
    query = select(conduct).where(conduct.c.fixture_id == match_id).order_by(conduct.c.number)
    return [
        Fault(
            seat=one.seat,
            kind=ConductKind.Name(one.kind).removeprefix("CONDUCT_KIND_").lower(),
            action=one.action,
            detail=one.detail if one.seat in own else None,
        )
        for one in connection.execute(query)
    ]


def _remarks(connection: Connection, match_id: str, own: set[int]) -> Remarks:
    """What stands beside the record of the seats of who asks."""
    query = select(records.c.sidecar).where(records.c.fixture_id == match_id)
    kept = connection.execute(query).scalar_one_or_none() if own else None
    return remarks(kept or b"", own)


def _corrections(connection: Connection, match_id: str) -> list[Correction]:
    query = select(corrections).where(corrections.c.fixture_id == match_id).order_by(corrections.c.seq)
    return [
        Correction(kind=one.kind, reason=one.reason, committed=one.committed) for one in connection.execute(query)
    ]


def _neighbour(connection: Connection, row: AnyRow, step: int) -> str | None:
    """The match before or after it in its tournament."""
    beside = (fixtures.c.tournament_id == row.tournament_id) & (fixtures.c.number == row.number + step)
    found: str | None = connection.execute(select(fixtures.c.id).where(beside)).scalar_one_or_none()
    return found
