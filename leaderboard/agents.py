"""An agent, its versions, and how they are rated: now in every scope, and over time in one."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import select

from leaderboard.ladder import scope_id
from leaderboard.scopes import Scope
from leaderboard.store.database import Database
from leaderboard.store.tables import agents, moves, ratings, scopes, versions


class AgentVersion(NamedTuple):
    id: int
    number: int
    language: str
    built_in: bool
    digest: str
    created: float


class Agent(NamedTuple):
    id: int
    name: str
    author: str
    created: float
    versions: list[AgentVersion]  # the newest first


class VersionRating(NamedTuple):
    """How a version stands in a scope."""

    scope: Scope
    version: int
    mu: float
    sigma: float
    matches: int
    wins: int
    faults: int


class Point(NamedTuple):
    """The rating after a match: the `nth` of a version in the scope, the `number`th of all that were rated."""

    version: int
    nth: int
    number: int
    mu: float
    sigma: float


def find_agent(store: Database, name: str) -> Agent | None:
    columns = AgentVersion._fields
    with store.reading() as connection:
        found = connection.execute(select(agents).where(agents.c.name == name)).one_or_none()
        if found is None:
            return None
        query = select(*(versions.c[column] for column in columns)).where(versions.c.agent_id == found.id)
        rows = connection.execute(query.order_by(versions.c.number.desc())).all()
    return Agent(found.id, found.name, found.author, found.created, [AgentVersion(*row) for row in rows])


def ratings_of(store: Database, agent: Agent) -> list[VersionRating]:
    """Of every version in every scope, in no order."""
    query = (
        select(
            *(scopes.c.kind, scopes.c.name, scopes.c.rules_version, versions.c.number),
            *(ratings.c.mu, ratings.c.sigma, ratings.c.matches, ratings.c.wins, ratings.c.faults),
        )
        .join(scopes, scopes.c.id == ratings.c.scope_id)
        .join(versions, versions.c.id == ratings.c.version_id)
        .where(ratings.c.version_id.in_([one.id for one in agent.versions]))
    )
    with store.reading() as connection:
        return [VersionRating(Scope(*row[:3]), *row[3:]) for row in connection.execute(query)]


def history(store: Database, agent: Agent, scope: Scope, points: int = 200) -> list[Point]:
    """How the agent's rating went in a scope, version after version.

    About so many points, however many matches there are, and the first and the last match of every version.
    """
    with store.snapshot() as connection:
        number = scope_id(connection, scope)
        played = {row.version_id: row.matches for row in connection.execute(_played(agent, number))}
        step = max(1, -(-sum(played.values()) // points))
        found: list[Point] = []
        for version in reversed(agent.versions):
            counts = _thinned(played.get(version.id, 0), step)
            found += [
                Point(version.number, *row) for row in connection.execute(_points(number, version.id, counts))
            ]
    return found


def _played(agent: Agent, scope_id: int | None) -> Any:
    mine = ratings.c.version_id.in_([one.id for one in agent.versions])
    return select(ratings.c.version_id, ratings.c.matches).where(ratings.c.scope_id == scope_id, mine)


def _thinned(matches: int, step: int) -> Sequence[int]:
    """The first, every so manieth, and the last."""
    return [*range(1, matches, step), *([matches] if matches else [])]


def _points(scope_id: int | None, version_id: int, counts: Iterable[int]) -> Any:
    mine = (moves.c.scope_id == scope_id) & (moves.c.version_id == version_id) & moves.c.count.in_(counts)
    query = select(moves.c.count, moves.c.number, moves.c.mu, moves.c.sigma).where(mine)
    return query.order_by(moves.c.count)
