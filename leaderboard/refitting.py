"""Refits in the store: all rated matches of a scope are read and looked at together, and their strengths written.

That takes seconds, or minutes for a hundred thousand matches, and holds no lock meanwhile. What is written is of
one moment, with the number of matches then; others may have been rated since.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, delete, func, insert, or_, select

from engine.rules.variants import find
from leaderboard.ladder import newest
from leaderboard.ladder import scope_id as id_of
from leaderboard.plackett_luce import Placing
from leaderboard.refit import PARAMETERS, Match, Strength, refit
from leaderboard.released import read_mark
from leaderboard.scopes import Scope
from leaderboard.store import Store
from leaderboard.store.database import Told, untold
from leaderboard.store.tables import (
    blocks,
    corrections,
    fixtures,
    moves,
    rated_matches,
    refits,
    scopes,
    seats,
    strengths,
)


class Played(NamedTuple):
    """The rated matches of a scope at one moment. Versions are numbered by their order here."""

    corrected: int  # the last correction that is taken into account
    matches: list[Match]
    versions: list[int]
    ranked: list[int]  # by number: those that have a rank on the ladder


def refit_all(store: Store, told: Told = untold) -> int:
    """Refits every scope whose matches have changed; gives how many were."""
    return sum([refit_scope(store, scope_id, told) for scope_id in stale(store)])


def refit_if_stale(store: Store, scope: Scope, told: Told = untold) -> bool:
    """Refits this one, if its matches have changed."""
    with store.reading() as connection:
        mine = id_of(connection, scope)
    return mine is not None and mine in stale(store) and refit_scope(store, mine, told)


def refit_next(store: Store) -> bool:
    """Refits one scope whose matches have changed, the one whose refit is oldest; False if there is none."""
    waiting = stale(store)
    return bool(waiting) and refit_scope(store, waiting[0])


def stale(store: Store) -> list[int]:
    """The scopes whose matches have changed since they were refitted, the longest ago first."""
    query = (
        select(scopes.c.id)
        .outerjoin(refits, refits.c.scope_id == scopes.c.id)
        .where(
            or_(
                refits.c.scope_id.is_(None),
                refits.c.matches != scopes.c.matches,
                refits.c.parameters != PARAMETERS,
            )
        )
        .order_by(func.coalesce(refits.c.made, 0.0), scopes.c.id)
    )
    with store.reading() as connection:
        return list(connection.execute(query).scalars())


def refit_scope(store: Store, scope_id: int, told: Told = untold) -> bool:
    """False if matches were taken back meanwhile: nothing is written then, and the scope remains stale."""
    with store.snapshot() as connection:
        played = _played(connection, scope_id)
    found = refit(played.matches, len(played.versions), played.ranked, told=told)
    with store.writing() as connection:
        if not _holds(connection, scope_id, played):
            return False
        _write(connection, scope_id, played, found, store.now())
    return True


def _played(connection: Connection, scope_id: int) -> Played:
    query = (
        select(
            *(moves.c.number, moves.c.seat, moves.c.version_id, moves.c.place),
            *(seats.c.luck, fixtures.c.block_id, blocks.c.variant),
        )
        .join(rated_matches, rated_matches.c.number == moves.c.number)
        .join(seats, and_(seats.c.fixture_id == rated_matches.c.fixture_id, seats.c.seat == moves.c.seat))
        .join(fixtures, fixtures.c.id == rated_matches.c.fixture_id)
        .join(blocks, blocks.c.id == fixtures.c.block_id)
        .where(moves.c.scope_id == scope_id)
        .order_by(moves.c.number, moves.c.seat)
    )
    numbers: dict[int, int] = {}  # of versions
    names: dict[str, int] = {}  # of blocks
    matches = []
    for _, rows in groupby(connection.execute(query), key=lambda row: row.number):
        sat = list(rows)
        agents = [numbers.setdefault(row.version_id, len(numbers)) for row in sat]
        block = names.setdefault(sat[0].block_id, len(names))
        placing = Placing(agents, [row.place for row in sat], _teams(sat))
        matches.append(Match(placing, [row.luck for row in sat], block))
    standing = newest(scope_id)
    shown = connection.execute(select(standing.c.version_id).where(~standing.c.is_anchor)).scalars()
    return Played(_corrected(connection), matches, list(numbers), [numbers[version] for version in shown])


def _teams(sat: Sequence[Any]) -> list[int]:
    """Teams sit in turn around the table."""
    teams = find(sat[0].variant).teams
    return [row.seat % teams for row in sat] if teams else []


def _corrected(connection: Connection) -> int:
    """The last correction that ratings take into account."""
    seq = func.coalesce(func.max(corrections.c.seq), 0)
    query = select(seq).where(corrections.c.seq <= read_mark(connection).seq)
    return int(connection.execute(query).scalar_one())


def _holds(connection: Connection, scope_id: int, played: Played) -> bool:
    """Whether the matches are still rated: others may have come, but none was taken back."""
    query = select(scopes.c.matches).where(scopes.c.id == scope_id)
    matches: int | None = connection.execute(query).scalar_one_or_none()
    return matches is not None and matches >= len(played.matches) and _corrected(connection) == played.corrected


def _write(connection: Connection, scope_id: int, played: Played, found: list[Strength], now: float) -> None:
    for table in (refits, strengths):
        connection.execute(delete(table).where(table.c.scope_id == scope_id))
    made = {"scope_id": scope_id, "matches": len(played.matches), "parameters": PARAMETERS, "made": now}
    connection.execute(insert(refits), made)
    rows = [
        {"scope_id": scope_id, "version_id": version} | one._asdict()
        for version, one in zip(played.versions, found, strict=True)
    ]
    connection.execute(insert(strengths), rows)
