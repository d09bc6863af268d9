"""The rated matches of an agent: one by one, and what they come to by seat and against every other agent.

All looks at an agent's matches go by version, the newest first, and within a version from the last match back: so
they are read by the index, a page at a time, however many there are.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Subquery, and_, case, false, func, select, union_all

from leaderboard.agents import Agent
from leaderboard.ladder import scope_id
from leaderboard.ratings import sure
from leaderboard.scopes import Scope
from leaderboard.store.database import Database
from leaderboard.store.tables import (
    agents,
    blocks,
    conduct,
    fixtures,
    moves,
    rated_matches,
    ratings,
    results,
    seats,
    tournaments,
    versions,
)

MOST_MATCHES: Final = 5000  # that sums are made of: the last ones


class Opponent(NamedTuple):
    seat: int
    agent: str
    version: int
    place: int


class RatedMatch(NamedTuple):
    """A match of an agent, and why its rating moved."""

    number: int
    match_id: str
    tournament: str
    variant: str
    players: int
    ending: int
    rounds: int
    committed: float
    version: int
    seat: int
    place: int
    expected: float  # place, by the ratings before
    luck: float
    faults: int
    before: float  # mu - 3 sigma
    after: float
    opponents: list[Opponent]


class SeatStrength(NamedTuple):
    """In one seat of tables of one size."""

    players: int
    seat: int
    matches: int
    wins: int
    place: float  # in the mean
    expected: float  # in the mean, by the ratings


class Rivalry(NamedTuple):
    """Against another agent, whichever versions met."""

    agent: str
    matches: int
    wins: int  # placed before the other
    score: float  # in the mean: 1 placed before the other, 1/2 beside it, 0 after it


class Stretch(NamedTuple):
    """Matches of one version: those after `low`, up to `high`, by their count."""

    version_id: int
    number: int
    low: int
    high: int


def matches_of(store: Database, agent: Agent, scope: Scope, skip: int, most: int) -> tuple[int, list[RatedMatch]]:
    """How many there are, and some of them, the newest version's first, from its last match back."""
    with store.snapshot() as connection:
        number = scope_id(connection, scope)
        played = _played(connection, agent, number)
        found: list[Any] = []
        for stretch in _stretches(agent, played, skip, most):
            found += connection.execute(_matches(number, stretch)).all()
        others = _opponents(connection, number, [row.number for row in found])
    return sum(played.values()), [_rated_match(row, others[row.number]) for row in found]


def by_seat(store: Database, agent: Agent, scope: Scope) -> list[SeatStrength]:
    """Over the last matches, by players and seat."""
    with store.snapshot() as connection:
        mine = _last_matches(connection, agent, scope_id(connection, scope))
        query = (
            select(
                *(rated_matches.c.players, mine.c.seat, func.count()),
                func.sum(case((mine.c.place == 1, 1), else_=0)),
                *(func.avg(mine.c.place), func.avg(mine.c.expected)),
            )
            .join(rated_matches, rated_matches.c.number == mine.c.number)
            .group_by(rated_matches.c.players, mine.c.seat)
            .order_by(rated_matches.c.players, mine.c.seat)
        )
        rows: list[Any] = list(connection.execute(query))
    return [SeatStrength(row[0], row[1], row[2], row[3], float(row[4]), float(row[5])) for row in rows]


def head_to_head(store: Database, agent: Agent, scope: Scope) -> list[Rivalry]:
    """Over the last matches, against every agent it met, by name."""
    other = moves.alias()
    with store.snapshot() as connection:
        mine = _last_matches(connection, agent, scope_id(connection, scope))
        wins, ties = other.c.place > mine.c.place, other.c.place == mine.c.place
        same = and_(other.c.scope_id == mine.c.scope_id, other.c.number == mine.c.number)
        query = (
            select(
                *(agents.c.name, func.count()),
                func.sum(case((wins, 1), else_=0)),
                func.avg(case((wins, 1.0), (ties, 0.5), else_=0.0)),
            )
            .select_from(mine)
            .join(other, same)
            .join(versions, versions.c.id == other.c.version_id)
            .join(agents, agents.c.id == versions.c.agent_id)
            .where(versions.c.agent_id != agent.id)
            .group_by(agents.c.name)
            .order_by(agents.c.name)
        )
        return [
            Rivalry(name, matches, won, float(score)) for name, matches, won, score in connection.execute(query)
        ]


def conduct_of(store: Database, agent: Agent, scope: Scope) -> Counter[int]:
    """The faults in the last matches, by kind."""
    with store.snapshot() as connection:
        mine = _last_matches(connection, agent, scope_id(connection, scope))
        query = (
            select(conduct.c.kind, func.count().label("faults"))
            .select_from(mine)
            .join(rated_matches, rated_matches.c.number == mine.c.number)
            .join(conduct, and_(conduct.c.fixture_id == rated_matches.c.fixture_id, conduct.c.seat == mine.c.seat))
            .where(mine.c.faults > 0)
            .group_by(conduct.c.kind)
        )
        return Counter({row.kind: row.faults for row in connection.execute(query)})


def _played(connection: Connection, agent: Agent, scope_id: int | None) -> dict[int, int]:
    mine = ratings.c.version_id.in_([one.id for one in agent.versions])
    query = select(ratings.c.version_id, ratings.c.matches).where(ratings.c.scope_id == scope_id, mine)
    return {row.version_id: row.matches for row in connection.execute(query)}


def _stretches(agent: Agent, played: dict[int, int], skip: int, most: int) -> Iterator[Stretch]:
    """Where so many matches are found, after so many others."""
    for version in agent.versions:
        matches = played.get(version.id, 0)
        high = max(0, matches - skip)
        low = max(0, high - most)
        if low < high:
            yield Stretch(version.id, version.number, low, high)
        skip, most = max(0, skip - matches), most - (high - low)


def _within(scope_id: int | None, stretch: Stretch) -> Any:
    return and_(
        moves.c.scope_id == scope_id,
        moves.c.version_id == stretch.version_id,
        moves.c.count > stretch.low,
        moves.c.count <= stretch.high,
    )


def _last_matches(connection: Connection, agent: Agent, scope_id: int | None) -> Subquery:
    """The agent's moves in them, asked for version by version, so that each is found by the index.

    The limit changes nothing, but tells a database without statistics that these are few, and to begin with them.
    """
    stretches = _stretches(agent, _played(connection, agent, scope_id), 0, MOST_MATCHES)
    parts = [select(moves).where(_within(scope_id, one)) for one in stretches]
    return union_all(*(parts or [select(moves).where(false())])).limit(MOST_MATCHES).subquery()


def _matches(scope_id: int | None, stretch: Stretch) -> Any:
    return (
        select(
            *(
                moves,
                seats.c.luck,
                rated_matches.c.fixture_id,
                rated_matches.c.players,
                versions.c.number.label("of"),
            ),
            *(results.c.ending, results.c.rounds, results.c.committed, blocks.c.variant),
            tournaments.c.name.label("tournament"),
        )
        .join(rated_matches, rated_matches.c.number == moves.c.number)
        .join(versions, versions.c.id == moves.c.version_id)
        .join(seats, and_(seats.c.fixture_id == rated_matches.c.fixture_id, seats.c.seat == moves.c.seat))
        .join(results, results.c.fixture_id == rated_matches.c.fixture_id)
        .join(fixtures, fixtures.c.id == rated_matches.c.fixture_id)
        .join(blocks, blocks.c.id == fixtures.c.block_id)
        .join(tournaments, tournaments.c.id == fixtures.c.tournament_id)
        .where(_within(scope_id, stretch))
        .order_by(moves.c.count.desc())
    )


def _opponents(
    connection: Connection, scope_id: int | None, numbers: Sequence[int]
) -> dict[int, list[tuple[int, Opponent]]]:
    """All who were rated in each match, with the ids of their versions."""
    found: dict[int, list[tuple[int, Opponent]]] = defaultdict(list)
    query = (
        select(
            *(moves.c.number, moves.c.version_id),
            *(moves.c.seat, agents.c.name, versions.c.number.label("of"), moves.c.place),
        )
        .join(versions, versions.c.id == moves.c.version_id)
        .join(agents, agents.c.id == versions.c.agent_id)
        .where(moves.c.scope_id == scope_id, moves.c.number.in_(numbers))
        .order_by(moves.c.number, moves.c.seat)
    )
    for number, version_id, *told in connection.execute(query):
        found[number].append((version_id, Opponent(*told)))
    return found


def _rated_match(row: Any, all_seats: list[tuple[int, Opponent]]) -> RatedMatch:
    return RatedMatch(
        *(row.number, row.fixture_id, row.tournament, row.variant, row.players),
        *(row.ending, row.rounds, row.committed, row.of, row.seat, row.place, row.expected),
        *(row.luck, row.faults, sure(row.mu_before, row.sigma_before), sure(row.mu, row.sigma)),
        [opponent for version_id, opponent in all_seats if version_id != row.version_id],
    )
