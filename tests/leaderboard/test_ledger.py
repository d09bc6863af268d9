"""The ledger: what is taken, in which order, and what is refused."""

import pytest

from leaderboard.store import Committed, LeaseLost, Store, StoreError
from leaderboard.store.rows import NewBlock, NewFixture
from tests.leaderboard.books import Clock, begun, block, kinds, match, result, tournament


def test_results_are_taken_in_order_and_close_their_blocks(store: Store) -> None:
    lease, ids = begun(store, blocks=2)
    assert store.commit(lease, [result(name) for name in ids[:2]]) == Committed(2, 0, 0)
    assert store.commit(lease, [result(name) for name in ids[2:4]]) == Committed(2, 0, 0)
    assert kinds(store) == [
        *("result cup/0/0", "result cup/0/1", "result cup/0/2", "result cup/1/0"),
        "release cup/0",
    ]
    assert [row.seq for row in store.ledger()] == [1, 2, 3, 4, 5]
    assert [row.seq for row in store.ledger(after_seq=3)] == [4, 5]
    assert store.last_seq() == 5


def test_a_block_waits_for_those_before_it(store: Store) -> None:
    lease, ids = begun(store, blocks=3)
    store.commit(lease, [result(name) for name in ids[3:]])
    assert "release" not in " ".join(kinds(store))
    store.commit(lease, [result(name) for name in ids[:3]])
    assert kinds(store)[-3:] == ["release cup/0", "release cup/1", "release cup/2"]


def test_many_blocks_are_released_at_once(store: Store) -> None:
    """More than fit on a page, since the first one was the last to end."""
    lease = store.take_lease(tournament(store).id, "driver", 30)
    blocks = [
        NewBlock(f"b{number}", number, 0, "classic", 1, {}, 3, [NewFixture(f"f{number}", 0, [0, 1, 2])])
        for number in range(1100)
    ]
    store.add_blocks(lease, blocks)
    ids = [fixture.id for fixture in store.open_fixtures(lease.tournament_id)]
    assert ids == [f"f{number}" for number in range(1100)]
    assert len(store.next_attempts(lease, ids)) == 1100
    one = result("f0")
    store.commit(lease, [one._replace(fixture_id=name) for name in ids[1:]])
    store.commit(lease, [one])
    assert [row.subject for row in store.ledger() if row.kind == "release"] == [f"b{n}" for n in range(1100)]
    assert [row.seq for row in store.ledger()] == list(range(1, 2201))
    assert len(list(store.results(lease.tournament_id))) == 1100
    assert [one.id for one in store.block_results(lease.tournament_id)] == [f"b{n}" for n in range(1100)]


def test_doubled_results_are_ignored_and_counted(store: Store) -> None:
    lease, ids = begun(store)
    assert store.commit(lease, [result(ids[0]), result(ids[0], worker="worker 2")]) == Committed(1, 1, 0)
    assert store.commit(lease, [result(ids[0]), result(ids[1])]) == Committed(1, 1, 0)
    assert [row.worker for row in store.results(lease.tournament_id)] == ["worker 1", "worker 1"]
    assert store.progress(lease.tournament_id) == (4, 2, 0, 2, 0, 0)


def test_results_of_older_attempts_are_refused_and_counted(store: Store) -> None:
    lease, ids = begun(store)
    assert store.next_attempts(lease, [ids[0]]) == {ids[0]: 2}
    assert store.commit(lease, [result(ids[0], attempt=1)]) == Committed(0, 0, 1)
    assert store.commit(lease, [result(ids[0], attempt=2)]) == Committed(1, 0, 0)
    assert store.commit(lease, [result(ids[0], attempt=1)]) == Committed(0, 0, 1)
    assert store.next_attempts(lease, ids[:2]) == {ids[1]: 2}  # what is done is not attempted again
    assert store.progress(lease.tournament_id).fenced == 2


def test_a_result_without_an_attempt_is_refused(store: Store) -> None:
    lease = store.take_lease(tournament(store).id, "driver", 30)
    store.add_blocks(lease, [block("cup", 0)])
    assert store.commit(lease, [result("cup/0/0", attempt=0)]) == Committed(0, 0, 1)


def test_results_of_a_driver_that_was_replaced_are_refused_and_counted(store: Store, clock: Clock) -> None:
    old, ids = begun(store)
    clock.time += 31
    new = store.take_lease(old.tournament_id, "driver 2", 30)
    with pytest.raises(LeaseLost, match=r"taken over by driver 2 \(epoch 2, driver of cup had 1\)"):
        store.commit(old, [result(name) for name in ids[:3]])
    assert kinds(store) == []
    assert store.progress(old.tournament_id).fenced == 3
    assert store.commit(new, [result(ids[0])]) == Committed(1, 0, 0)


def test_a_result_that_cannot_be_is_refused_with_its_whole_batch(store: Store) -> None:
    lease, ids = begun(store)
    good = result(ids[0])
    for bad, reason in (
        (good._replace(fixture_id="nowhere"), "fixture nowhere is not in this tournament"),
        (good._replace(places=[1, 2]), "is not for 3 seats"),
        (good._replace(places=[2, 2, 3]), r"cannot be \[2, 2, 3\]"),
        (good._replace(worker="w\x1b[2J"), "characters that can be printed"),
    ):
        with pytest.raises(StoreError, match=reason):
            store.commit(lease, [good, bad])
    assert kinds(store) == []


def test_a_result_keeps_all_that_was_reported(store: Store, clock: Clock) -> None:
    lease, ids = begun(store)
    faulty = result(ids[1])._replace(faults=[0, 2, 0], conduct=[(1, 3, "boo\0m", 4), (1, 2, "no", 9)])
    store.commit(lease, [faulty])
    (row,) = store.results(lease.tournament_id)
    told = row.fixture_id, row.block_id, row.entrants, row.places, row.luck, row.faults, row.committed
    places, luck = list(match()[0].result.places), list(match()[2])
    assert told == ("cup/0/1", "cup/0", [1, 2, 0], places, luck, [0, 2, 0], clock.time)
    assert store.record(ids[1]) == (faulty.record, b"{}")
    assert store.progress(lease.tournament_id).faults == 2
    with pytest.raises(StoreError, match="no record of a fixture cup/0/0"):
        store.record(ids[0])


# Corrections


def test_void_and_reinstate_are_rows(store: Store) -> None:
    lease, ids = begun(store, blocks=1)
    store.commit(lease, [result(name) for name in ids])
    assert store.void("organiser", ids[0], "wrong bot")
    assert not store.void("organiser", ids[0], "wrong bot")
    assert [row.void for row in store.results(lease.tournament_id)] == [True, False, False]
    assert store.reinstate(ids[0], "organiser", "it was right")
    assert not store.reinstate(ids[0], "organiser", "it was right")
    assert kinds(store)[3:] == ["release cup/0", f"void {ids[0]}", f"reinstate {ids[0]}"]
    assert store.progress(lease.tournament_id) == (0, 3, 0, 0, 0, 0)
    assert store.check() == []


def test_a_void_fixture_closes_its_block(store: Store) -> None:
    lease, ids = begun(store, blocks=1)
    store.commit(lease, [result(name) for name in ids[:2]])
    assert store.void(lease, ids[2], "took three workers down")
    assert kinds(store)[2:] == [f"void {ids[2]}", "release cup/0"]
    assert store.commit(lease, [result(ids[2])]) == Committed(0, 0, 1)
    with pytest.raises(StoreError, match="it has no result"):
        store.reinstate(ids[2], "organiser", "please")
    (told,) = store.block_results(lease.tournament_id)
    assert (told.released, [one.state for one in told.fixtures]) == (True, ["done", "done", "void"])
    assert [one.places is None for one in told.fixtures] == [False, False, True]
    assert store.check() == []


def test_corrections_need_a_name_and_a_reason(store: Store, clock: Clock) -> None:
    lease, ids = begun(store)
    for by, reason in (("", "why"), ("me", " "), ("me", "a\nb")):
        with pytest.raises(StoreError, match="can be printed"):
            store.void(by, ids[0], reason)
    with pytest.raises(StoreError, match="no fixture nowhere"):
        store.void("me", "nowhere", "why")
    other, _ = begun(store, name="other")
    with pytest.raises(StoreError, match="not in this tournament"):
        store.void(other, ids[0], "why")
    clock.time += 31
    store.take_lease(lease.tournament_id, "driver 2", 30)
    with pytest.raises(LeaseLost):
        store.void(lease, ids[0], "why")
    assert kinds(store) == []
