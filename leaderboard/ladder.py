"""The ladder of a scope: its agents, the best first, each by the newest version that was rated in it."""

from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Subquery, and_, func, select

from leaderboard.ratings import ANCHOR_SPEC, DOUBTS
from leaderboard.released import read_mark
from leaderboard.scopes import Scope
from leaderboard.store.database import Database
from leaderboard.store.tables import agents, moves, ratings, scopes, strengths, versions

TREND_MATCHES: Final = 50


class LadderRow(NamedTuple):
    """An agent; those with equal ratings share a rank."""

    rank: int | None  # None for the anchor: it stands where its rating says, and is not ranked
    rank_low: int | None  # its rank by the refit lies between these two with 90 %; None until there is one
    rank_high: int | None
    agent: str
    version: int
    author: str
    language: str
    built_in: bool
    rating: float  # mu - 3 sigma: the order of the ladder
    mu: float
    sigma: float
    matches: int
    wins: int
    faults: int
    trend: float | None  # the rating now less that of 50 matches ago; None if there are no more than 50


class Ladder(NamedTuple):
    scope: Scope
    matches: int  # that were rated in it
    as_of: int  # number of the last match that was rated, in any scope
    rows: list[LadderRow]


def ladder(store: Database, scope: Scope) -> Ladder:
    """Empty if nobody was rated in it."""
    with store.snapshot() as connection:
        as_of = read_mark(connection).matches
        found = connection.execute(select(scopes).where(scope_is(scope))).one_or_none()
        if found is None:
            return Ladder(scope, 0, as_of, [])
        rows = connection.execute(_rows(found.id)).all()
    ranks: dict[float, int] = {}
    for number, row in enumerate([row for row in rows if not row.is_anchor], 1):
        ranks.setdefault(row.rating, number)
    told = [LadderRow(None if row.is_anchor else ranks[row.rating], *row[1:]) for row in rows]
    return Ladder(scope, found.matches, as_of, told)


def scope_is(scope: Scope) -> Any:
    """The condition that picks its row."""
    return and_(*(scopes.c[name] == value for name, value in scope._asdict().items()))


def scope_id(connection: Connection, scope: Scope) -> int | None:
    """None if nobody was rated in it."""
    found: int | None = connection.execute(select(scopes.c.id).where(scope_is(scope))).scalar_one_or_none()
    return found


def newest(scope_id: int) -> Subquery:
    """The ratings of the versions that stand on the ladder: of each agent the newest one that was rated."""
    is_anchor = and_(versions.c.built_in, versions.c.spec == ANCHOR_SPEC)
    age = func.row_number().over(partition_by=versions.c.agent_id, order_by=versions.c.number.desc())
    mine = (
        select(ratings, versions.c.agent_id, age.label("age"), is_anchor.label("is_anchor"))
        .join(versions, versions.c.id == ratings.c.version_id)
        .where(ratings.c.scope_id == scope_id)
        .subquery()
    )
    return select(mine).where(mine.c.age == 1).subquery()


def _rows(scope_id: int) -> Any:
    row, then = newest(scope_id), moves.alias()
    rating = row.c.mu - DOUBTS * row.c.sigma
    trend = rating - (then.c.mu - DOUBTS * then.c.sigma)
    return (
        select(
            row.c.is_anchor,
            *(strengths.c.rank_low, strengths.c.rank_high),
            *(agents.c.name, versions.c.number, agents.c.author, versions.c.language, versions.c.built_in),
            *(rating.label("rating"), row.c.mu, row.c.sigma),
            *(row.c.matches, row.c.wins, row.c.faults, trend.label("trend")),
        )
        .join(versions, versions.c.id == row.c.version_id)
        .join(agents, agents.c.id == row.c.agent_id)
        .outerjoin(strengths, and_(strengths.c.scope_id == scope_id, strengths.c.version_id == row.c.version_id))
        .outerjoin(
            then,
            and_(
                then.c.scope_id == scope_id,
                then.c.version_id == row.c.version_id,
                then.c.count == row.c.matches - TREND_MATCHES,
            ),
        )
        .order_by(rating.desc(), agents.c.name)
    )
