"""Ratings follow the ledger: equal to a plain loop over it, once for every match, however and whenever they do."""

import random
from collections import defaultdict
from typing import Any

import pytest
import trueskill
from sqlalchemy import select

from leaderboard.catching_up import catch_up, rated_so_far, rebuild
from leaderboard.scopes import find_scope, known_scopes
from leaderboard.store import Store
from leaderboard.store.tables import DERIVED
from tests.leaderboard.seasons import Season

NAMES = ["ada", "bob", "cyd", "random", "eve"]


def rows(store: Store) -> dict[str, list[Any]]:
    """All that is derived from the ledger by ratings."""
    with store.reading() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))]
            for table in DERIVED
        }


def test_ratings_are_those_of_a_plain_loop_with_the_library(store: Store) -> None:
    season = Season(store, "cup", NAMES, random.Random(1))
    season.play_blocks(6, 3, "classic")
    season.play_blocks(4, 4, "officers")
    assert catch_up(store) == 6 * 3 + 4 * 4
    told = rows(store)
    expected = plain_loop(store)
    names = {one.id: str(one.scope) for one in known_scopes(store)}
    found = {(names[row[0]], row[1]): (row[2], row[3]) for row in told["ratings"]}
    assert found == {key: pytest.approx(value, rel=1e-9) for key, value in expected.items()}
    assert rated_so_far(store).matches == 34


def plain_loop(store: Store) -> dict[tuple[str, int], tuple[float, float]]:
    """Releases in order, and every match of a block in the order of its fixtures."""
    environment = trueskill.TrueSkill(25, 25 / 3, 25 / 6, 0.01, 0.01)
    anchor = trueskill.Rating(25, 1)
    beliefs: dict[tuple[str, int], trueskill.Rating] = defaultdict(lambda: trueskill.Rating(25, 25 / 3))
    (tournament,) = store.tournaments()
    versions = [one.version_id for one in store.entrants(tournament.id)]
    blocks = {one.id: one for one in store.block_results(tournament.id)}
    for release in store.ledger():
        if release.kind != "release":
            continue
        block = blocks[release.subject]
        for fixture in block.fixtures:
            if fixture.state != "done" or fixture.places is None:
                continue
            sat = [versions[entrant] for entrant in fixture.seats]
            for scope in (block.variant, "family:domination", "all"):
                before = [(anchor if one == versions[3] else beliefs[scope, one],) for one in sat]
                after = environment.rate(before, fixture.places)
                for version, (new,) in zip(sat, after, strict=True):
                    beliefs[scope, version] = anchor if version == versions[3] else new
    return {key: (one.mu, one.sigma) for key, one in beliefs.items()}


@pytest.mark.parametrize("seed", range(4))
def test_a_live_follower_has_the_rows_of_a_rebuild(store: Store, seed: int) -> None:
    below = random.Random(seed)
    seasons = [Season(store, f"cup {number}", NAMES, below, str(number)) for number in range(2)]
    for _ in range(40):
        season = below.choice(seasons)
        match below.randrange(6):
            case 0:
                season.add_block(below.choice([3, 4]), below.choice(["classic", "officers"]))
            case 1 | 2:
                season.play(below.randrange(1, 5))
            case 3 if season.done:
                season.store.void("organiser", below.choice(season.done), "why not")
            case 4 if season.done:
                season.store.reinstate(below.choice(season.done), "organiser", "why not")
            case _:
                catch_up(store)
    catch_up(store)
    live = rows(store)
    assert live["ratings"], f"seed {seed} rated nothing"
    rebuild(store)
    assert rows(store) == live, f"seed {seed}"


def test_scopes_are_found() -> None:
    assert str(find_scope("classic@1")) == "classic"
