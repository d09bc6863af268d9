"""What is told of an agent: its history, its matches, seats and rivals, equal to plain sums over the rows."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, event

from leaderboard import agent_matches
from leaderboard.agent_matches import by_seat, conduct_of, head_to_head, matches_of
from leaderboard.agents import Agent, find_agent, history, ratings_of
from leaderboard.catching_up import catch_up
from leaderboard.ladder import ladder
from leaderboard.scopes import EVERYTHING, find_scope
from leaderboard.store import Store
from leaderboard.store.database import is_sqlite
from tests.leaderboard.seasons import Season

NAMES = ["ada", "bob", "cyd", "random"]
LARGE = ("moves", "rated_matches", "seats", "results", "fixtures", "conduct")  # tables


@pytest.fixture
def played(store: Store) -> Store:
    """Two versions of everybody, in two variants."""
    for digest in ("1", "2"):
        season = Season(store, f"cup {digest}", NAMES, random.Random(digest), digest)
        season.play_blocks(8, 3, "classic")
        season.play_blocks(3, 4, "officers")
    catch_up(store)
    return store


def agent(store: Store, name: str = "bob") -> Agent:
    found = find_agent(store, name)
    assert found is not None
    return found


def test_an_agent_is_found_with_its_versions(played: Store) -> None:
    assert [one.number for one in agent(played).versions] == [2, 1]
    assert find_agent(played, "nobody") is None


def test_the_history_goes_through_the_versions(played: Store) -> None:
    points = history(played, agent(played), EVERYTHING, points=10)
    assert len(points) <= 10 + 2 * 2  # versions
    assert [one.version for one in points] == sorted(one.version for one in points)
    assert [one.number for one in points] == sorted(one.number for one in points)
    last = next(one for one in ladder(played, EVERYTHING).rows if one.agent == "bob")
    assert (points[-1].mu, points[-1].sigma, points[-1].nth) == (last.mu, last.sigma, last.matches)
    assert len(history(played, agent(played), EVERYTHING)) == len(all_matches(played))
    assert history(played, agent(played), find_scope("summary")) == []


def test_ratings_of_every_scope(played: Store) -> None:
    found = {(str(one.scope), one.version): one for one in ratings_of(played, agent(played))}
    assert set(found) == {
        (scope, version) for scope in ("classic", "officers", "family:domination", "all") for version in (1, 2)
    }
    assert found["all", 1].matches == found["classic", 1].matches + found["officers", 1].matches


def all_matches(store: Store) -> list[agent_matches.RatedMatch]:
    return matches_of(store, agent(store), EVERYTHING, 0, 1000)[1]


def test_matches_come_in_pages(played: Store) -> None:
    whole = all_matches(played)
    total, page = matches_of(played, agent(played), EVERYTHING, 0, 7)
    assert (total, page) == (len(whole), whole[:7])
    pieces = [
        one for skip in range(0, total, 7) for one in matches_of(played, agent(played), EVERYTHING, skip, 7)[1]
    ]
    assert pieces == whole
    assert [one.number for one in whole] == sorted((one.number for one in whole), reverse=True)
    assert matches_of(played, agent(played), EVERYTHING, total, 7) == (total, [])
    assert {(one.version, one.tournament) for one in whole} == {(1, "cup 1"), (2, "cup 2")}
    for one in whole:
        assert {other.agent for other in one.opponents} <= set(NAMES) - {"bob"}
        assert len(one.opponents) == one.players - 1


def test_seats_rivals_and_conduct_are_sums_over_the_matches(played: Store) -> None:
    whole = all_matches(played)
    seats = Counter((one.players, one.seat) for one in whole)
    wins = Counter((one.players, one.seat) for one in whole if one.place == 1)
    told = by_seat(played, agent(played), EVERYTHING)
    assert {(one.players, one.seat): (one.matches, one.wins) for one in told} == {
        seat: (count, wins[seat]) for seat, count in seats.items()
    }
    assert sum(one.place * one.matches for one in told) == pytest.approx(sum(one.place for one in whole))
    met = Counter(other.agent for one in whole for other in one.opponents)
    beaten = Counter(other.agent for one in whole for other in one.opponents if one.place < other.place)
    assert {one.agent: (one.matches, one.wins) for one in head_to_head(played, agent(played), EVERYTHING)} == {
        name: (count, beaten[name]) for name, count in met.items()
    }
    assert conduct_of(played, agent(played), EVERYTHING) == {}


def test_sums_are_over_the_last_matches(played: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_matches, "MOST_MATCHES", 30)
    assert sum(one.matches for one in by_seat(played, agent(played), EVERYTHING)) == 30
    assert by_seat(played, agent(played), find_scope("summary")) == []


def test_all_is_found_by_indexes(played: Store) -> None:
    """No look at an agent reads all matches, however many there are."""
    asked: list[tuple[str, Any]] = []

    @event.listens_for(played.engine, "before_cursor_execute")
    def note(_connection: object, _cursor: object, statement: str, parameters: Any, *_more: object) -> None:
        asked.append((statement, parameters))

    bob = agent(played)
    for one in (bob, bob._replace(versions=bob.versions[:1])):
        for look in (by_seat, head_to_head, conduct_of, history):
            look(played, one, EVERYTHING)
        matches_of(played, one, EVERYTHING, 0, 50)
    ladder(played, EVERYTHING)
    event.remove(played.engine, "before_cursor_execute", note)
    looks = [one for one in asked if one[0].startswith(("SELECT", "WITH"))]
    assert len(looks) > 10
    with played.reading() as connection:
        check = check_sqlite_plan if is_sqlite(played.engine.url) else check_postgresql_plan
        for statement, parameters in looks:
            check(connection, statement, parameters)


def check_sqlite_plan(connection: Connection, statement: str, parameters: Any) -> None:
    plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
    for step in [row[3] for row in plan]:
        assert not re.match(rf"SCAN ({'|'.join(LARGE)})\b", step), statement
        assert not re.match(r"SEARCH (?!ratings|strengths)\w+ USING .*\(scope_id=\?\)$", step), (statement, step)


def check_postgresql_plan(connection: Connection, statement: str, parameters: Any) -> None:
    """It rightly reads a small table as a whole; kept from that, it needs an index for each."""
    for way in ("seqscan", "hashjoin", "mergejoin"):
        connection.exec_driver_sql(f"SET LOCAL enable_{way} = off")
    (plan,) = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", parameters).scalar_one()
    for step in steps(plan["Plan"]):
        if step.get("Relation Name") in LARGE:
            assert "Index Cond" in step or step["Node Type"] == "Bitmap Heap Scan", (statement, step)


def steps(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", []):
        yield from steps(part)
