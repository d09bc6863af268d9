"""Ratings are taken back: the last matches are undone, from what was written when they were rated."""

from typing import Any, Final

from sqlalchemy import Connection, and_, case, delete, distinct, func, select, update

from leaderboard.released import Mark, read_mark
from leaderboard.store import Store
from leaderboard.store.tables import moves, rated, rated_matches, ratings, refits, scopes, strengths

MATCHES_AT_ONCE: Final = 500


def take_back(store: Store, mark: Mark, first_release: int) -> None:
    """Undoes a release and all after it, or the last of them if there are many: whoever asks will ask again.

    Nothing happens if the mark has moved meanwhile.
    """
    with store.writing() as connection:
        if read_mark(connection) != mark:
            return
        release = max(first_release, _release_of(connection, mark.matches - MATCHES_AT_ONCE + 1))
        gone = rated_matches.c.release_seq >= release
        first = connection.execute(select(func.min(rated_matches.c.number)).where(gone)).scalar_one()
        if first is not None:
            for scope_id in connection.execute(select(scopes.c.id)).scalars().all():
                _take_back(connection, scope_id, first)
            connection.execute(delete(rated_matches).where(rated_matches.c.number >= first))
        matches = mark.matches if first is None else first - 1
        connection.execute(update(rated).values(release_seq=release - 1, matches=matches))


def _release_of(connection: Connection, number: int) -> int:
    """0 for a match that there is not."""
    query = select(rated_matches.c.release_seq).where(rated_matches.c.number == number)
    return int(connection.execute(query).scalar_one_or_none() or 0)


def _take_back(connection: Connection, scope_id: int, first: int) -> None:
    """All matches of one scope from that number on."""
    gone = (moves.c.scope_id == scope_id) & (moves.c.number >= first)
    count = connection.execute(select(func.count(distinct(moves.c.number))).where(gone)).scalar_one()
    if not count:
        return
    for row in connection.execute(_standings_before(scope_id, gone)).all():
        mine = (ratings.c.scope_id == scope_id) & (ratings.c.version_id == row.version_id)
        if row.matches == 0:
            connection.execute(delete(ratings).where(mine))
            continue
        less = {"wins": ratings.c.wins - row.wins, "faults": ratings.c.faults - row.faults}
        before = {"mu": row.mu, "sigma": row.sigma, "matches": row.matches, "last": row.last}
        connection.execute(update(ratings).where(mine).values(before | less))
    connection.execute(delete(moves).where(gone))
    connection.execute(update(refits).where(refits.c.scope_id == scope_id).values(matches=0))
    connection.execute(update(scopes).where(scopes.c.id == scope_id).values(matches=scopes.c.matches - count))
    _drop_if_empty(connection, scope_id)


def _standings_before(scope_id: int, gone: Any) -> Any:
    """Where each version stood before its first match that goes, and how much it had won in those that go."""
    mine: dict[str, Any] = {"partition_by": moves.c.version_id}
    first = (
        select(
            *(moves.c.version_id, moves.c.mu_before, moves.c.sigma_before, (moves.c.count - 1).label("matches")),
            func.sum(case((moves.c.place == 1, 1), else_=0)).over(**mine).label("wins"),
            func.sum(moves.c.faults).over(**mine).label("faults"),
            func.row_number().over(**mine, order_by=moves.c.count).label("nth"),
        )
        .where(gone)
        .subquery()
    )
    kept = moves.alias()
    is_last = and_(
        kept.c.scope_id == scope_id, kept.c.version_id == first.c.version_id, kept.c.count == first.c.matches
    )
    rating = first.c.mu_before.label("mu"), first.c.sigma_before.label("sigma")
    counts = first.c.matches, first.c.wins, first.c.faults, kept.c.number.label("last")
    return select(first.c.version_id, *rating, *counts).outerjoin(kept, is_last).where(first.c.nth == 1)


def _drop_if_empty(connection: Connection, scope_id: int) -> None:
    empty = (scopes.c.id == scope_id) & (scopes.c.matches == 0)
    if connection.execute(delete(scopes).where(empty)).rowcount:
        for table in (refits, strengths):
            connection.execute(delete(table).where(table.c.scope_id == scope_id))
