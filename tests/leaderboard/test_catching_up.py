"""Ratings follow the ledger: equal to a plain loop over it, once for every match, however and whenever they do."""

import random
import threading
from collections import defaultdict
from typing import Any, NamedTuple

import pytest
import trueskill
from sqlalchemy import Connection, select, update

from engine.rules.variants import VARIANTS
from leaderboard import catching_up, released, taking_back
from leaderboard.agents import find_agent, history
from leaderboard.catching_up import catch_up, rated_so_far, rebuild
from leaderboard.ladder import ladder, scope_is
from leaderboard.ratings import Rating, next_version
from leaderboard.released import Mark, Seat, Side, next_batch
from leaderboard.scopes import EVERYTHING, find_scope, known_scopes
from leaderboard.standing_ratings import Changes, Ratings
from leaderboard.store import Committed, Store, StoreError
from leaderboard.store.tables import DERIVED, entrants, moves, scopes
from tests.leaderboard.seasons import Season, result, version

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
                for one, (new,) in zip(sat, after, strict=True):
                    beliefs[scope, one] = anchor if one == versions[3] else new
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


def test_a_doubled_delivery_changes_nothing(store: Store) -> None:
    season = Season(store, "cup", NAMES, random.Random(2))
    fixtures = season.add_block().fixtures
    results = [season.result(one) for one in fixtures]
    store.commit(season.lease, results)
    assert catch_up(store) == 3
    before = rows(store)
    assert store.commit(season.lease, results) == Committed(0, 3, 0)
    assert catch_up(store) == 0
    assert rows(store) == before


def test_an_empty_store_has_no_ratings(store: Store) -> None:
    assert (catch_up(store), rated_so_far(store).matches) == (0, 0)
    assert (rebuild(store), known_scopes(store)) == (0, [])
    assert ladder(store, EVERYTHING) == (EVERYTHING, 0, 0, [])


def test_matches_wait_for_their_release(store: Store) -> None:
    season = Season(store, "cup", NAMES, random.Random(3))
    season.add_block()
    season.play(2)
    assert catch_up(store) == 0
    season.play(1)
    assert catch_up(store) == 3


def test_what_is_void_does_not_count_and_may_count_again(store: Store) -> None:
    season = Season(store, "cup", NAMES, random.Random(4))
    season.play_blocks(3)
    catch_up(store)
    before = rows(store)
    store.void("organiser", season.done[0], "wrong bot")
    catch_up(store)
    assert rated_so_far(store).matches == 8
    assert len(rows(store)["rated_matches"]) == 8
    store.reinstate(season.done[0], "organiser", "it was right")
    catch_up(store)
    seq = rated_so_far(store).seq
    assert rows(store) == before | {"rated": [(1, seq, *before["rated"][0][2:])]}


def test_a_correction_takes_back_no_more_than_it_must(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """In pieces, so that nobody waits long for the store."""
    season = Season(store, "cup", NAMES, random.Random(5))
    for _ in range(6):
        season.play_blocks(1)
    catch_up(store)
    monkeypatch.setattr("leaderboard.taking_back.MATCHES_AT_ONCE", 4)
    taken: list[int] = []
    real = taking_back.take_back

    def told(store: Store, mark: Mark, first: int) -> None:
        real(store, mark, first)
        taken.append(rated_so_far(store).matches)

    monkeypatch.setattr(catching_up, "take_back", told)
    store.void("organiser", season.done[7], "wrong bot")
    assert catch_up(store) == 11
    assert taken == [12, 6]
    live = rows(store)
    rebuild(store)
    assert rows(store) == live


def test_other_parameters_make_ratings_anew(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    season = Season(store, "cup", NAMES, random.Random(6))
    season.play_blocks(2)
    catch_up(store)
    before = rows(store)
    monkeypatch.setattr(catching_up, "PARAMETERS", "others")
    assert catch_up(store) == 6
    assert rated_so_far(store).parameters == "others"
    monkeypatch.undo()
    assert catch_up(store) == 6
    assert rows(store) == before


def test_two_raters_at_once_rate_every_match_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leaderboard.released.BLOCKS_AT_ONCE", 2)
    season = Season(store, "cup", NAMES, random.Random(7))
    season.play_blocks(12)
    counts: list[int] = []
    threads = [threading.Thread(target=lambda: counts.append(catch_up(store))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(counts) == 36
    together = rows(store)
    rebuild(store)
    assert rows(store) == together


def test_a_rater_that_is_slow_does_no_harm(store: Store) -> None:
    """It has read a batch; then others rate it, and take some of it back."""
    season = Season(store, "cup", NAMES, random.Random(8))
    season.play_blocks(3)
    catch_up(store)
    season.play_blocks(3)
    slow = Ratings(store)
    with store.snapshot() as connection:
        batch = next_batch(connection, slow.mark)
    catch_up(store)
    before = rows(store)
    assert not slow.add(batch)
    assert rows(store) == before


def test_killed_between_batches_or_in_one(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leaderboard.released.BLOCKS_AT_ONCE", 1)
    season = Season(store, "cup", NAMES, random.Random(9))
    season.play_blocks(5)
    writes = 0
    real = Changes.write

    def write(changes: Changes, connection: Connection) -> None:
        nonlocal writes
        writes += 1
        real(changes, connection)
        if writes % 2 == 0:
            raise KeyboardInterrupt

    monkeypatch.setattr(Changes, "write", write)
    for matches in (3, 6, 9, 12):
        with pytest.raises(KeyboardInterrupt):
            catch_up(store)
        assert rated_so_far(store).matches == matches
    assert catch_up(store) == 3
    monkeypatch.undo()
    killed = rows(store)
    rebuild(store)
    assert rows(store) == killed


# Who is rated


def test_the_anchor_stays_where_it_is(store: Store) -> None:
    season = Season(store, "cup", ["random", "ada", "bob"], random.Random(10))
    season.play_blocks(5)
    catch_up(store)
    (anchor,) = [row for row in ladder(store, EVERYTHING).rows if row.agent == "random"]
    assert (anchor.mu, anchor.sigma, anchor.matches, anchor.rating) == (25, 1, 15, 22)


def test_a_new_version_begins_where_the_one_before_is(store: Store) -> None:
    """The last one before it that was rated there: of four versions, the third has played another variant."""
    for digest, variant in (("1", "classic"), ("2", "classic"), ("3", "officers"), ("4", "classic")):
        season = Season(store, f"cup {digest}", NAMES, random.Random(11), digest)
        season.play_blocks(4, variant=variant)
        catch_up(store)
    agent = find_agent(store, "ada")
    assert agent is not None
    newest = agent.versions[0].id
    for scope, before in ((find_scope("classic"), 2), (EVERYTHING, 3)):
        last = [one for one in history(store, agent, scope, 10**6) if one.version == before][-1]
        first = (
            select(moves.c.mu_before, moves.c.sigma_before)
            .join(scopes, scopes.c.id == moves.c.scope_id)
            .where(scope_is(scope), moves.c.version_id == newest, moves.c.count == 1)
        )
        with store.reading() as connection:
            assert tuple(connection.execute(first).one()) == next_version(Rating(last.mu, last.sigma))
        rows = [one for one in ladder(store, scope).rows if one.agent == "ada"]
        assert [one.version for one in rows] == [4]


def test_a_version_that_meets_itself_is_not_rated(store: Store) -> None:
    season = Season(store, "cup", ["ada", "bob", "cyd"], random.Random(12))
    one, ada = season.add_block(), version(store, "ada")
    with store.writing() as connection:
        connection.execute(update(entrants).where(entrants.c.name == "bob").values(version_id=ada))
    season.play(len(one.fixtures))
    assert catch_up(store) == 0
    assert rated_so_far(store).release_seq == store.last_seq()


def test_teams_are_rated_as_teams(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    team = VARIANTS["classic"]._replace(name="team", family="team", teams=2)
    monkeypatch.setitem(VARIANTS, "team", team)
    season = Season(store, "cup", ["ada", "bob", "cyd", "dan"], random.Random(13))
    (fixture, *_) = season.add_block(4, "team").fixtures
    names = ["ada", "bob", "cyd", "dan"]
    for other in season.open[1:]:
        store.void("organiser", other.id, "not today")
    store.commit(season.lease, [result(fixture.id, [1, 3, 1, 3], [0.0] * 4, [0, 1, 0, 0])])
    assert catch_up(store) == 1
    environment = trueskill.TrueSkill(25, 25 / 3, 25 / 6, 0.01, 0.01)
    new = trueskill.Rating(25, 25 / 3)
    (winner, _), (loser, _) = environment.rate([(new, new), (new, new)], [1, 2])
    found = {row.agent: row for row in ladder(store, find_scope("team")).rows}
    sat = [found[names[entrant]] for entrant in fixture.seats]
    assert [one.mu for one in sat] == pytest.approx([winner.mu, loser.mu, winner.mu, loser.mu])
    assert ([one.wins for one in sat], [one.faults for one in sat]) == ([1, 0, 1, 0], [0, 1, 0, 0])


def test_a_team_of_one_version_counts_once() -> None:
    def sides(*versions: int) -> list[Side]:
        return released.sides_of([Sat(seat, one, 1 + seat % 2, 1) for seat, one in enumerate(versions)], 2)

    ada, bob = sides(1, 2, 1, 2)
    assert (ada, bob) == (Side([Seat(0, 1, 2)], 1), Side([Seat(1, 2, 2)], 2))
    assert released.can_be_rated([ada, bob])
    assert not released.can_be_rated(sides(1, 2, 1, 3))
    assert not released.can_be_rated(sides(1, 2, 2, 1))


class Sat(NamedTuple):
    seat: int
    version_id: int
    place: int
    faults: int


def test_a_variant_that_nobody_knows_stops_the_rater(store: Store) -> None:
    season = Season(store, "cup", NAMES, random.Random(14))
    season.play_blocks(1, variant="chess")
    with pytest.raises(StoreError, match=r"block cup/0 cannot be rated: unknown variant 'chess'.* Update"):
        catch_up(store)
