"""How a tournament stands, kept up with the ledger: as if everything were read anew each time."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from arena import tournaments
from leaderboard import tallies
from leaderboard.store import Store, StoreLost, Tournament
from leaderboard.tallies import MOST_CROSSED, Tables, Tally, no_outcomes
from leaderboard.tournament_matches import Which, count_matches, latest, matches
from tests.leaderboard import books
from tests.leaderboard.seasons import Season

NAMES = ["ann", "bob", "cat", "dan"]


def shown(tables: Tables) -> Any:
    """All of it, in a form that can be compared; sums of scores go by the order in which they were added."""
    return [
        (
            [row._replace(score=round(row.score, 9)) for row in table.rows],
            table.provisional,
            {two: [round(one, 9) for one in sums] for two, sums in table.cross.sums.items()}
            if table.cross
            else None,
        )
        for table in (tables.over_all, *(tables.variants[label] for label in sorted(tables.variants)))
    ] + [tables.progress, tables.provisional]


def fresh(store: Store, found: Tournament) -> Tables:
    return Tally(store, found, no_outcomes).look()


@pytest.mark.parametrize("seed", range(3))
def test_following_is_as_good_as_reading_anew(store: Store, seed: int) -> None:
    below = random.Random(seed)
    season, other = Season(store, "cup", NAMES, below), Season(store, "other", NAMES, below)
    found = store.tournament("cup")
    tally = Tally(store, found, no_outcomes)
    deeds: list[Callable[[], object]] = [
        lambda: season.add_block(below.choice((2, 3, 4))),
        lambda: season.play(below.randint(1, 5)),
        lambda: other.play_blocks(1),
        lambda: season.done and store.void("olga", below.choice(season.done), "a test"),
        lambda: season.done and store.reinstate(below.choice(season.done), "olga", "a test"),
    ]
    for _ in range(25):
        below.choices(deeds, (3, 4, 1, 1, 1))[0]()
        tables = tally.look()
        assert shown(tables) == shown(fresh(store, found))
        assert [pytest.approx(row) for row in tables.over_all.rows] == tournaments.standings(store, found)
    assert tally.look() is tally.look(), "nothing is added up while nothing happens"


def test_what_is_not_released_is_provisional(store: Store) -> None:
    lease, ids = books.begun(store, blocks=2)
    found = store.tournament("cup")
    tally = Tally(store, found, no_outcomes)
    store.commit(lease, [books.result(ids[3])])  # of the second block
    assert tally.look().provisional == 1
    assert tally.look().over_all.provisional == [1, 1, 1]
    store.commit(lease, [books.result(one) for one in ids[:3]])  # the first block is released
    assert tally.look().over_all.provisional == [1, 1, 1]
    assert [row.matches for row in tally.look().over_all.rows] == [4, 4, 4]
    store.commit(lease, [books.result(one) for one in ids[4:]])
    assert tally.look().over_all.provisional == [0, 0, 0]
    assert tally.look().provisional == 0


def test_a_block_with_a_void_match_is_released_without_it(store: Store) -> None:
    lease, ids = books.begun(store, blocks=1)
    tally = Tally(store, store.tournament("cup"), no_outcomes)
    store.commit(lease, [books.result(one) for one in ids[:2]])
    store.void("olga", ids[2], "a host failed")
    tables = tally.look()
    assert (tables.provisional, tables.progress.void) == (0, 1)
    assert [row.matches for row in tables.over_all.rows] == [2, 2, 2]
    assert store.void("olga", ids[0], "a wrong bot")
    assert [row.matches for row in tally.look().over_all.rows] == [1, 1, 1]


def test_formats_are_asked_after_whole_rounds(store: Store) -> None:
    asked: list[int] = []

    def outcomes(_store: Store, _found: Tournament) -> dict[str, dict[int, str]]:
        asked.append(1)
        return {"": {2: "3 points", 0: "1 point", 1: "0 points"}}

    lease, ids = books.begun(store, blocks=1)
    tally = Tally(store, store.tournament("cup"), outcomes)
    for one in ids:
        store.commit(lease, [books.result(one)])
        tables = tally.look()
    assert len(asked) == 2, "at the first look, and when all was played"
    table = tables.variants[""]
    assert [row.entrant for row in table.rows] == [2, 0, 1]
    assert table.outcome[2] == "3 points"


def test_what_could_not_be_read_to_its_end_is_not_counted_twice(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    season = Season(store, "cup", NAMES, random.Random(1))
    season.play_blocks(2)
    found = store.tournament("cup")
    tally, seen = Tally(store, found, no_outcomes), list[object]()
    sat = tallies._sat

    def fail_once(*asked: Any) -> Any:
        seen.append(asked)
        if len(seen) == 2:
            raise StoreLost("the server is gone")
        return sat(*asked)

    monkeypatch.setattr(tallies, "AT_ONCE", 3)
    monkeypatch.setattr(tallies, "_sat", fail_once)
    with pytest.raises(StoreLost):
        tally.look()
    assert shown(tally.look()) == shown(fresh(store, found))


def test_many_entrants_have_no_cross_table(store: Store) -> None:
    season = Season(store, "cup", [f"bot {number}" for number in range(MOST_CROSSED + 1)], random.Random(1))
    season.play_blocks(2)
    tables = fresh(store, store.tournament("cup"))
    assert tables.over_all.cross is None
    assert len(tables.over_all.rows) == MOST_CROSSED + 1


def test_an_empty_tournament(store: Store) -> None:
    tables = fresh(store, books.tournament(store))
    assert [row.matches for row in tables.over_all.rows] == [0, 0, 0]
    assert (tables.speed, tables.variants) == (None, {})


# Its matches


def test_matches_are_found_by_entrant_variant_and_state(store: Store) -> None:
    lease = store.take_lease(books.tournament(store, "a/r1-classic-1").id, "driver", 30)
    found = store.tournament("a/r1-classic-1")
    labels = ["classic", "classic-4p", "4p", "classic-1"]
    blocks = [
        books.block("x", number)._replace(id=f"{found.name}/r{number % 2}-{label}-{number:04}", round=number % 2)
        for number, label in enumerate(labels * 3)
    ]
    blocks = [
        block._replace(fixtures=[one._replace(id=f"{block.id}-r{one.rotation}") for one in block.fixtures])
        for block in blocks
    ]
    store.add_blocks(lease, blocks)
    ids = [one.id for one in store.open_fixtures(found.id)]
    store.next_attempts(lease, ids)
    store.commit(lease, [books.result(one) for one in ids[:4]])
    store.void("olga", ids[5], "a test")
    for label in labels:
        listed = matches(store, found, Which(label=label), 0, 100)
        assert {one.label for one in listed} == {label}
        assert count_matches(store, found, Which(label=label)) == len(listed) == 9
    assert [one.id for one in matches(store, found, Which(state="done"), 0, 100)] == ids[:4]
    assert [one.id for one in matches(store, found, Which(state="void"), 0, 100)] == [ids[5]]
    assert count_matches(store, found, Which(entrant=2)) == len(ids)
    assert count_matches(store, found, Which(entrant=12)) == 0
    assert [one.number for one in matches(store, found, Which(), 30, 4)] == [30, 31, 32, 33]
    assert matches(store, found, Which(), 36, 10) == []
    assert [one.id for one in latest(store, found, 2)] == [ids[3], ids[2]]
    first, fifth = matches(store, found, Which(), 0, 5)[::4]
    assert (first.released, first.state, first.faults) == (True, "done", 0)
    assert first.places == list(books.match()[0].result.places)
    assert (fifth.released, fifth.state, fifth.places, fifth.committed) == (False, "open", None, None)


def test_entrants_are_found_by_their_whole_number(store: Store) -> None:
    season = Season(store, "cup", [f"bot {number}" for number in range(12)], random.Random(3))
    season.play_blocks(12)
    found = store.tournament("cup")
    for number in (0, 1, 11):
        listed = matches(store, found, Which(entrant=number), 0, 100)
        assert all(number in one.entrants for one in listed)
        assert len(listed) == sum(number in one.entrants for one in matches(store, found, Which(), 0, 100)) > 0
