"""An agent as data: how good it is, how it got there, whom it met, and how it behaved."""

from collections import Counter
from typing import Any, Final

from pydantic import BaseModel

from leaderboard import agent_matches as matches
from leaderboard.agents import Agent, VersionRating, find_agent, history, ratings_of
from leaderboard.ratings import sure
from leaderboard.scopes import ALL, EVERYTHING, Scope
from leaderboard.store import Store
from leaderboard.web import agent_queries as queries
from leaderboard.web.ladders import ScopeData, scope_data, scope_named
from leaderboard.web.paging import Paging
from leaderboard.web.paths import agent_path, with_query
from leaderboard.web.plots import Plot, Point, plot_of
from leaderboard.web.problems import unknown
from leaderboard.web.sessions import Identity

RECENT: Final = 20  # matches on a page
LAST_FAULTS: Final = 10
RIVALS_SHOWN: Final = 12  # those it met most; the others are one click away
TABLE_ROWS: Final = 20
KINDS: Final = ("", "timeout", "illegal", "crash", "disconnect", "forfeit")  # of conduct, as in the record


class VersionData(BaseModel):
    """A state of the agent's code."""

    number: int
    language: str
    digest: str
    created: float
    matches: int


class Standing(BaseModel):
    """The newest rated version in one scope."""

    scope: ScopeData
    version: int
    rating: float
    mu: float
    sigma: float
    matches: int
    wins: int
    faults: int
    rank_low: int | None
    rank_high: int | None


class AtSeat(BaseModel):
    """Results by the number of players and the seat, counted from 1; the place and what was expected are means."""

    players: int
    seat: int
    matches: int
    wins: int
    place: float
    expected: float


class Rival(BaseModel):
    """An agent that it met in rated matches. To come in before it is a win; level with it is half of one."""

    agent: str
    matches: int
    wins: int
    score: float


class Opponent(BaseModel):
    agent: str
    version: int
    place: int


class Move(BaseModel):
    """Why the rating moved: a rated match. `luck` is in armies, what dice gave above what they give on average."""

    match: str
    tournament: str
    variant: str
    players: int
    played: float
    version: int
    place: int
    expected: float
    luck: float
    faults: int
    before: float
    after: float
    opponents: list[Opponent]


class Fault(BaseModel):
    """`detail` is for the author alone."""

    match: str
    played: float
    kind: str
    detail: str | None


class AgentData(BaseModel):
    name: str
    author: str
    language: str
    built_in: bool
    is_owner: bool
    versions: list[VersionData]
    scope: ScopeData
    standings: list[Standing]
    history: list[Point]
    seats: list[AtSeat]
    rivals: list[Rival]
    moves: list[Move]
    paging: Paging
    conduct: dict[str, int]
    faults: list[Fault]

    def plot(self) -> Plot:
        return plot_of(self.history)

    def brief_history(self) -> list[Point]:
        """A few points of it, for a table; the last one is among them."""
        step = -(-len(self.history) // TABLE_ROWS) or 1
        return self.history[::-1][::step]

    def scale(self) -> tuple[float, float]:
        """Where the drawings of its ratings begin and end."""
        ends = [(one.rating, 2 * one.mu - one.rating) for one in self.standings]
        return min(0.0, *[low for low, _ in ends]), max(50.0, *[high for _, high in ends])

    def rivals_shown(self) -> tuple[list[Rival], list[Rival]]:
        """Those that it met most, and the others."""
        return self.rivals[:RIVALS_SHOWN], self.rivals[RIVALS_SHOWN:]

    def link(self, scope: str) -> str:
        """This agent, seen on another ladder."""
        return with_query(agent_path(self.name), {"ladder": scope if scope != ALL else None})


def agent_data(
    store: Store, name: str, ladder: str, author: Identity | None, path: str, page: int, per_page: int
) -> AgentData:
    """`author` is who asks: details of faults are for the agent's own."""
    scope = scope_named(ladder)
    agent = find_agent(store, name)
    if agent is None:
        raise unknown("agent", name, queries.all_names(store), agent_path)
    ratings = ratings_of(store, agent)
    rated = sum(one.matches for one in ratings if one.scope == scope)
    query = {"ladder": ladder if ladder != ALL else None, "per_page": per_page if per_page != RECENT else None}
    paging = Paging.of(path, query, page, per_page, rated)
    is_owner = author is not None and author.owns(name, agent.author)
    newest = agent.versions[0]
    return AgentData(
        name=name,
        author=agent.author,
        language=newest.language,
        built_in=newest.built_in,
        is_owner=is_owner,
        versions=versions_data(agent, ratings),
        scope=scope_data(scope, rated),
        standings=standings_data(store, agent, ratings),
        history=[Point(**one._asdict(), rating=sure(one.mu, one.sigma)) for one in history(store, agent, scope)],
        seats=[AtSeat(**one._asdict() | {"seat": one.seat + 1}) for one in matches.by_seat(store, agent, scope)],
        rivals=rivals_data(store, agent, scope),
        moves=moves_data(store, agent, scope, paging),
        paging=paging,
        conduct=conduct_data(matches.conduct_of(store, agent, scope)),
        faults=[fault_data(row, is_owner) for row in queries.last_faults(store, agent, LAST_FAULTS)],
    )


def versions_data(agent: Agent, ratings: list[VersionRating]) -> list[VersionData]:
    played = {one.version: one.matches for one in ratings if one.scope == EVERYTHING}
    return [
        VersionData(
            number=one.number,
            language=one.language,
            digest=one.digest[:12],
            created=one.created,
            matches=played.get(one.number, 0),
        )
        for one in agent.versions
    ]


def standings_data(store: Store, agent: Agent, ratings: list[VersionRating]) -> list[Standing]:
    """The newest rated version in every scope: over all first, then families, then variants by name."""
    ranks = queries.ranks_of(store, agent)
    newest = {one.scope: one for one in sorted(ratings, key=lambda one: one.version)}
    order = sorted(newest.values(), key=lambda one: (one.scope.kind, one.scope.name, -one.scope.rules_version))
    return [_standing(one, *ranks.get((one.scope, one.version), (None, None))) for one in order]


def _standing(one: VersionRating, low: int | None, high: int | None) -> Standing:
    told: dict[str, Any] = one._asdict() | {"scope": scope_data(one.scope, one.matches)}
    return Standing(**told, rating=sure(one.mu, one.sigma), rank_low=low, rank_high=high)


def rivals_data(store: Store, agent: Agent, scope: Scope) -> list[Rival]:
    """Those that it met most come first."""
    found = [Rival(**one._asdict()) for one in matches.head_to_head(store, agent, scope)]
    return sorted(found, key=lambda one: -one.matches)


def moves_data(store: Store, agent: Agent, scope: Scope, paging: Paging) -> list[Move]:
    _, found = matches.matches_of(store, agent, scope, paging.start, paging.per_page)
    return [_move(one) for one in found]


def _move(one: matches.RatedMatch) -> Move:
    others = sorted(one.opponents, key=lambda other: other.place)
    told = {name: value for name, value in one._asdict().items() if name in Move.model_fields}
    opponents = [Opponent(agent=other.agent, version=other.version, place=other.place) for other in others]
    return Move(**told | {"opponents": opponents}, match=one.match_id, played=one.committed)


def conduct_data(kinds: Counter[int]) -> dict[str, int]:
    return {KINDS[kind]: number for kind, number in sorted(kinds.items())}


def fault_data(row: Any, is_owner: bool) -> Fault:
    detail = row.detail if is_owner else None
    return Fault(match=row.fixture_id, played=row.committed, kind=KINDS[row.kind], detail=detail)
