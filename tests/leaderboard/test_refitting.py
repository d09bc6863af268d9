"""Refits in the store: of all rated matches and no others, made again when these change, never of a mixture."""

import random
from collections.abc import Sequence

import pytest
from sqlalchemy import select

from leaderboard import refitting
from leaderboard.catching_up import catch_up, rated_so_far, rebuild
from leaderboard.ladder import ladder
from leaderboard.refit import Match, Strength, refit
from leaderboard.refitting import refit_all, refit_if_stale, refit_next, stale
from leaderboard.scopes import find_scope, known_scopes
from leaderboard.store import Store
from leaderboard.store.database import Told
from leaderboard.store.tables import strengths
from leaderboard.taking_back import take_back
from tests.leaderboard.seasons import Season

NAMES = ["ada", "bob", "cyd", "random", "eve"]
RANKED = len(NAMES) - 1  # all but the anchor


@pytest.fixture(autouse=True)
def _few_replicates(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are not what is tested here."""
    monkeypatch.setattr(refitting, "refit", quick)


def quick(matches: Sequence[Match], agents: int, ranked: Sequence[int], told: Told) -> list[Strength]:
    return refit(matches, agents, ranked, 10, told)


def season(store: Store, name: str = "cup", digest: str = "1") -> Season:
    return Season(store, name, NAMES, random.Random(name), digest)


def written(store: Store) -> dict[tuple[int, int], Strength]:
    """By scope and version."""
    with store.reading() as connection:
        return {(row[0], row[1]): Strength(*row[2:]) for row in connection.execute(select(strengths))}


def test_every_scope_is_refitted_once(store: Store) -> None:
    cup = season(store)
    cup.play_blocks(5)
    cup.play_blocks(3, 4, "officers")
    catch_up(store)
    assert refit_all(store) == 4  # classic, officers, their family, all
    assert refit_all(store) == 0
    assert not refit_next(store)
    (classic,) = [one.id for one in known_scopes(store) if str(one.scope) == "classic"]
    mine = [one for (scope, _), one in written(store).items() if scope == classic]
    assert sum(one.strength for one in mine) == pytest.approx(0)
    assert sorted(one.rank for one in mine if one.rank) == list(range(1, len(mine)))


def test_the_ladder_has_intervals(store: Store) -> None:
    season(store).play_blocks(12)
    catch_up(store)
    assert all(row.rank_low is None for row in ladder(store, find_scope("classic")).rows)
    refit_all(store)
    rows = ladder(store, find_scope("classic")).rows
    assert [row.agent for row in rows if row.rank_low is None] == ["random"]
    rows = [row for row in rows if row.rank]
    assert all(1 <= (row.rank_low or 0) <= (row.rank_high or 0) <= RANKED for row in rows)
    assert rows[0].agent == "ada"
    assert rows[0].rank_low == 1
    assert rows[-1].rank_high == RANKED


def test_older_versions_have_a_strength_and_no_rank(store: Store) -> None:
    season(store, "first").play_blocks(10)
    season(store, "second", digest="2").play_blocks(10)
    catch_up(store)
    refit_all(store)
    found = [one for (scope, _), one in written(store).items() if scope == 1]
    ranks = sorted(one.rank for one in found if one.rank)
    assert len(found) == 2 * len(NAMES)
    assert ranks == list(range(1, RANKED + 1))
    assert all(one.rank_high is None or one.rank_high <= RANKED for one in found)


def test_new_matches_and_struck_ones_make_a_refit_stale(store: Store) -> None:
    cup = season(store)
    cup.play_blocks(6)
    catch_up(store)
    refit_all(store)
    first = written(store)
    cup.play_blocks(1)
    assert stale(store) == []  # they are not rated yet
    catch_up(store)
    assert refit_all(store) == 3
    assert written(store) != first
    for one in cup.done[-3:]:
        store.void("organiser", one, "a mistake")
    catch_up(store)
    assert refit_all(store) == 3
    assert written(store) == first


def test_a_struck_match_is_noticed_when_another_came(store: Store) -> None:
    """As many matches as before, but not the same."""
    cup = season(store)
    cup.play_blocks(6)
    catch_up(store)
    refit_all(store)
    for one in cup.done[:3]:
        store.void("organiser", one, "a mistake")
    cup.play_blocks(1)
    catch_up(store)
    assert len(stale(store)) == 3


def test_other_parameters_make_a_refit_stale(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    season(store).play_blocks(3)
    catch_up(store)
    refit_all(store)
    monkeypatch.setattr(refitting, "PARAMETERS", "others")
    assert refit_all(store) == 3
    assert refit_all(store) == 0


def test_a_rebuild_has_the_same_strengths(store: Store) -> None:
    season(store).play_blocks(6)
    catch_up(store)
    refit_all(store)
    first = written(store)
    rebuild(store)
    assert written(store) == {}
    refit_all(store)
    assert written(store) == first


def test_matches_that_are_struck_meanwhile_are_not_written(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = season(store)
    cup.play_blocks(6)
    catch_up(store)

    def interrupted(*given: object, told: Told) -> list[Strength]:
        store.void("organiser", cup.done[0], "a mistake")
        cup.play_blocks(2)
        catch_up(store)
        return []

    monkeypatch.setattr(refitting, "refit", interrupted)
    assert not refit_next(store)
    assert written(store) == {}
    assert len(stale(store)) == 3


def test_a_refit_waits_for_matches_that_are_being_taken_back(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The correction is not taken into account yet, but some of the matches are gone."""
    cup = season(store)
    cup.play_blocks(6)
    catch_up(store)

    def interrupted(*given: object, told: Told) -> list[Strength]:
        take_back(store, rated_so_far(store), rated_so_far(store).release_seq)
        return []

    monkeypatch.setattr(refitting, "refit", interrupted)
    assert not refit_next(store)
    assert written(store) == {}


def test_matches_that_come_meanwhile_are_left_for_the_next(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = season(store)
    cup.play_blocks(6)
    catch_up(store)

    def interrupted(matches: Sequence[Match], agents: int, ranked: Sequence[int], told: Told) -> list[Strength]:
        cup.play_blocks(1)
        catch_up(store)
        return quick(matches, agents, ranked, told)

    monkeypatch.setattr(refitting, "refit", interrupted)
    assert refit_next(store)
    assert len(written(store)) == len(NAMES)
    assert len(stale(store)) == 3


def test_one_ladder_alone_is_refitted_if_it_must_be(store: Store) -> None:
    season(store).play_blocks(3)
    catch_up(store)
    classic, officers = find_scope("classic"), find_scope("officers")
    steps: list[tuple[int, int]] = []
    assert refit_if_stale(store, classic, lambda done, total: steps.append((done, total)))
    assert steps == [(number, 10) for number in range(1, 11)]
    assert not refit_if_stale(store, classic)
    assert not refit_if_stale(store, officers)
    assert len(stale(store)) == 2


def test_an_empty_store(store: Store) -> None:
    catch_up(store)
    assert refit_all(store) == 0
