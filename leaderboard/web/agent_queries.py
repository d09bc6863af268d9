"""What the pages ask of the agents beside their ratings."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import and_, func, select

from leaderboard.agents import Agent
from leaderboard.scopes import Scope
from leaderboard.store import Store
from leaderboard.store.tables import agents, conduct, entrants, results, scopes, seats, strengths, versions


def all_names(store: Store) -> list[str]:
    with store.reading() as connection:
        return list(connection.execute(select(agents.c.name)).scalars())


def listed(store: Store) -> Sequence[Any]:
    """All agents by name, each with its newest version."""
    newest = (
        select(versions.c.agent_id, func.max(versions.c.number).label("number"))
        .group_by(versions.c.agent_id)
        .subquery()
    )
    query = (
        select(agents.c.name, agents.c.author, versions.c.number, versions.c.language, versions.c.built_in)
        .join(newest, newest.c.agent_id == agents.c.id)
        .join(versions, and_(versions.c.agent_id == agents.c.id, versions.c.number == newest.c.number))
    )
    with store.reading() as connection:
        return connection.execute(query.order_by(agents.c.name)).all()


def last_faults(store: Store, agent: Agent, count: int) -> Sequence[Any]:
    """What it did wrong lately, in any match."""
    query = (
        select(conduct, results.c.committed)
        .join(seats, and_(seats.c.fixture_id == conduct.c.fixture_id, seats.c.seat == conduct.c.seat))
        .join(entrants, entrants.c.id == seats.c.entrant_id)
        .join(results, results.c.fixture_id == conduct.c.fixture_id)
        .where(entrants.c.version_id.in_([one.id for one in agent.versions]), seats.c.faults > 0)
        .order_by(results.c.seq.desc(), conduct.c.number.desc())
        .limit(count)
    )
    with store.reading() as connection:
        return connection.execute(query).all()


def ranks_of(store: Store, agent: Agent) -> dict[tuple[Scope, int], tuple[int, int]]:
    """Between which ranks each version lies in each scope, where that was looked at."""
    query = (
        select(scopes.c.kind, scopes.c.name, scopes.c.rules_version, versions.c.number)
        .add_columns(strengths.c.rank_low, strengths.c.rank_high)
        .join(strengths, strengths.c.scope_id == scopes.c.id)
        .join(versions, versions.c.id == strengths.c.version_id)
        .where(versions.c.id.in_([one.id for one in agent.versions]))
    )
    with store.reading() as connection:
        return {(Scope(*row[:3]), row[3]): (row[4], row[5]) for row in connection.execute(query)}
