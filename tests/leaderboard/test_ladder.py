"""The ladder and the names of scopes."""

import random

import pytest
from sqlalchemy import insert, update

from engine.rules.errors import UnknownName
from engine.rules.variants import VARIANTS
from leaderboard.catching_up import catch_up
from leaderboard.ladder import TREND_MATCHES, ladder
from leaderboard.ratings import sure
from leaderboard.scopes import EVERYTHING, Scope, find_scope, known_scopes
from leaderboard.store import Store
from leaderboard.store.tables import ratings, strengths
from tests.leaderboard.seasons import Season

NAMES = ["ada", "bob", "cyd", "random", "eve"]


def test_the_best_come_first(store: Store) -> None:
    season = Season(store, "cup", NAMES, random.Random(1))
    season.play_blocks(10)
    season.play_blocks(5, 4, "officers")
    catch_up(store)
    found = ladder(store, EVERYTHING)
    assert (found.matches, found.as_of, len(found.rows)) == (50, 50, 5)
    assert [one.rank for one in found.rows if one.agent != "random"] == [1, 2, 3, 4]
    assert [one.agent for one in found.rows if one.rank is None] == ["random"]  # the anchor
    assert [one.rating for one in found.rows] == sorted((one.rating for one in found.rows), reverse=True)
    for one in found.rows:
        assert one.rating == pytest.approx(sure(one.mu, one.sigma))
        assert (one.version, one.rank_low, one.author, one.language) == (1, None, "", "python")
        assert one.built_in == (one.agent == "random")
    assert (ladder(store, find_scope("classic")).matches, ladder(store, find_scope("officers")).matches) == (
        30,
        20,
    )


def test_equal_ratings_share_a_rank(store: Store) -> None:
    Season(store, "cup", NAMES, random.Random(2)).play_blocks(8)
    catch_up(store)
    with store.writing() as connection:
        connection.execute(update(ratings).where(ratings.c.version_id.in_([1, 2])).values(mu=50.0, sigma=1.0))
    rows = ladder(store, EVERYTHING).rows
    assert [(one.rank, one.agent) for one in rows[:2]] == [(1, "ada"), (1, "bob")]
    assert rows[2].rank == 3


def test_the_trend_looks_back(store: Store) -> None:
    season = Season(store, "cup", ["ada", "bob", "random"], random.Random(3))
    season.play_blocks(TREND_MATCHES // 3)
    catch_up(store)
    assert {one.trend for one in ladder(store, EVERYTHING).rows} == {None}
    season.play_blocks(1)
    catch_up(store)
    early = {one.agent: one.rating for one in ladder(store, EVERYTHING).rows}
    season.play_blocks(16)
    season.add_block()
    season.play(3)
    catch_up(store)
    found = {one.agent: one for one in ladder(store, EVERYTHING).rows}
    assert found["random"].trend == 0
    assert found["ada"].trend is not None
    assert found["ada"].matches == TREND_MATCHES // 3 * 3 + 3 + TREND_MATCHES + 1
    assert abs(found["ada"].trend - (found["ada"].rating - early["ada"])) < 1


def test_the_interval_is_that_of_the_version_shown(store: Store) -> None:
    Season(store, "cup", ["ada", "bob", "random"], random.Random(4)).play_blocks(3)
    catch_up(store)
    (everything,) = [one for one in known_scopes(store) if one.scope == EVERYTHING]
    told = {"strength": 0.5, "error": 0.1, "rank": 1, "rank_low": 1, "rank_high": 2}
    with store.writing() as connection:
        connection.execute(insert(strengths).values(scope_id=everything.id, version_id=1, **told))
    found = {one.agent: (one.rank_low, one.rank_high) for one in ladder(store, EVERYTHING).rows}
    assert found == {"ada": (1, 2), "bob": (None, None), "random": (None, None)}


def test_scopes_are_read_as_they_are_written() -> None:
    for name, variant in VARIANTS.items():
        assert (
            find_scope(name) == find_scope(f"{name}@{variant.version}") == Scope("variant", name, variant.version)
        )
        assert str(find_scope(name)) == name
    assert str(find_scope("family:domination")) == "family:domination"
    assert str(find_scope("all")) == "all"


def test_older_rules_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(VARIANTS, "classic", VARIANTS["classic"]._replace(version=3))
    assert [str(find_scope(text)) for text in ("classic", "classic@3", "classic@2")] == ["classic"] * 2 + [
        "classic@2"
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("clasic", "unknown ladder 'clasic'. Did you mean 'classic'?"),
        ("", "unknown ladder ''. Known: classic, "),
        ("classic@2", "unknown version of the rules of classic '2'."),
        ("classic@", "unknown version of the rules of classic ''."),
        ("classic@x", "unknown version of the rules of classic 'x'."),
        ("family:domintion", "unknown ladder 'family:domintion'. Did you mean 'family:domination'?"),
        ("all@1", "unknown ladder 'all@1'."),
    ],
)
def test_unknown_scopes_are_refused(text: str, told: str) -> None:
    with pytest.raises(UnknownName) as caught:
        find_scope(text)
    assert str(caught.value).startswith(told)


def test_scopes_with_ratings_are_listed(store: Store) -> None:
    season = Season(store, "cup", NAMES, random.Random(5))
    season.play_blocks(1, 4, "officers")
    season.play_blocks(2, 3, "classic")
    catch_up(store)
    told = [(str(one.scope), one.matches) for one in known_scopes(store)]
    assert told == [("classic", 6), ("officers", 4), ("family:domination", 10), ("all", 10)]
