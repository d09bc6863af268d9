"""Agents, tournaments, leases and schedules."""

import hashlib

import pytest
from sqlalchemy import select

from engine.referee import auth
from leaderboard.store import Entrant, LeaseHeld, LeaseLost, Store, StoreError, Tokens
from leaderboard.store.tables import agents
from tests.leaderboard.books import Clock, begun, block, tournament


def test_a_version_is_made_once(store: Store) -> None:
    first = store.add_version("blitz", "cmd:./blitz", "go", False, "aa")
    assert store.add_version("blitz", "cmd:./blitz", "go", False, "aa") == first
    second = store.add_version("blitz", "cmd:./blitz", "go", False, "bb")
    other = store.add_version("random", "random", "python", True, "aa")
    assert [one.number for one in (first, second, other)] == [1, 2, 1]
    assert len({first.id, second.id, other.id}) == 3
    assert store.version(second.id) == second
    assert store.version(99) is None


def test_what_people_say_of_a_version_is_kept(store: Store) -> None:
    first = store.add_version("blitz", "cmd:./blitz", "command", False, "aa")
    second = store.add_version("blitz", "cmd:./blitz", "command", False, "bb")
    store.describe(second.id, "Ada", "go")
    store.describe(first.id, None, None)
    store.describe(first.id, None, "rust")
    with pytest.raises(StoreError, match=r"author .* can be printed"):
        store.describe(first.id, "a\x1b[31m", "c")
    with pytest.raises(StoreError, match=r"language .* can be printed"):
        store.describe(first.id, "Bob", "")
    assert store.add_version("blitz", "cmd:./blitz", "command", False, "aa").language == "rust"
    assert store.version(second.id) == second._replace(language="go")
    with store.reading() as connection:
        assert connection.execute(select(agents.c.author)).scalars().all() == ["Ada"]


def test_names_that_cannot_be_shown_are_refused(store: Store) -> None:
    for name in ("", "a\x1b[31m", "a\nb", "a\u202eb", "x" * 101):
        with pytest.raises(StoreError, match=r"agent .* can be printed"):
            store.add_version(name, "random", "python", True, "aa")
        with pytest.raises(StoreError, match=r"tournament .* can be printed"):
            store.create_tournament(name, "", "", b"", b"", [])
        with pytest.raises(StoreError, match=r"entrant .* can be printed"):
            store.create_tournament("cup", "", "", b"", b"", [Entrant(name, 1, "present")])
    assert store.tournaments() == []


def test_a_tournament_is_found_by_its_name(store: Store) -> None:
    made = tournament(store)
    assert (made.state, made.epoch, made.until, made.seed) == ("created", 0, None, None)
    assert store.tournament("cup") == made
    assert store.tournaments() == [made]
    assert [one.name for one in store.entrants(made.id)] == ["bot 0", "bot 1", "bot 2"]
    with pytest.raises(StoreError, match=r"there is no tournament 'cop' .*did you mean 'cup'"):
        store.tournament("cop")
    with pytest.raises(StoreError, match="there is a tournament 'cup' already"):
        tournament(store)
    with pytest.raises(StoreError, match="same name"):
        store.create_tournament("new", "", "", b"", b"", [Entrant("a", 1, ""), Entrant("a", 1, "")])
    with pytest.raises(StoreError, match="no version 7"):
        store.create_tournament("new", "", "", b"", b"", [Entrant("a", 7, "")])
    assert store.tournaments() == [made]


def test_tokens_are_what_a_referee_asks_for(store: Store) -> None:
    kept: auth.Tokens = Tokens(store, lambda name, role: auth.Identity(name, auth.Role(role)))
    assert isinstance(kept, Tokens)
    token = kept.create(auth.Role.ORGANISER, "alice", by="admin")
    assert kept.find(token) == auth.Identity("alice", auth.Role.ORGANISER)
    assert kept.find("x" + token) is None
    assert kept.revoke("alice", by="admin") == 1
    assert kept.find(token) is None
    assert kept.revoke("alice", by="admin") == 0
    with store.reading() as connection:
        found = connection.exec_driver_sql("SELECT hash FROM tokens").scalar_one()
    assert found == hashlib.sha256(token.encode()).hexdigest()


# Leases


def test_a_live_lease_is_refused_with_its_holder_and_its_end(store: Store, clock: Clock) -> None:
    cup = tournament(store)
    first = store.take_lease(cup.id, "host a, process 7", 30)
    with pytest.raises(LeaseHeld, match=r"driven by host a, process 7, which has it until 13:47:10 UTC"):
        store.take_lease(cup.id, "host b", 30)
    clock.time += 29
    first = store.renew(first, 30)
    clock.time += 29
    with pytest.raises(LeaseHeld):
        store.take_lease(cup.id, "host b", 30)
    assert first.epoch == 1


def test_an_expired_lease_is_taken_over_under_a_new_epoch(store: Store, clock: Clock) -> None:
    cup = tournament(store)
    old = store.take_lease(cup.id, "host a", 30)
    clock.time += 31
    old = store.renew(old, 30)  # nobody was faster
    clock.time += 31
    new = store.take_lease(cup.id, "host b", 30)
    assert (old.epoch, new.epoch) == (1, 2)
    for use in (
        lambda: store.renew(old, 30),
        lambda: store.add_blocks(old, [block("cup", 0)]),
        lambda: store.next_attempts(old, []),
        lambda: store.set_state(old, "running"),
        lambda: store.set_entrant(old, 0, "absent"),
    ):
        with pytest.raises(LeaseLost, match="taken over by host b"):
            use()
    store.give_back(old)  # is no harm
    assert store.renew(new, 30).epoch == 2


def test_a_lease_that_was_given_back_is_free(store: Store) -> None:
    cup = tournament(store)
    store.give_back(store.take_lease(cup.id, "host a", 30))
    assert store.take_lease(cup.id, "host b", 30).epoch == 2


def test_states_and_requests(store: Store, clock: Clock) -> None:
    cup = tournament(store)
    lease = store.take_lease(cup.id, "driver", 30)
    store.set_state(lease, "running")
    store.request(cup.id, "pause", by="organiser")
    with pytest.raises(LeaseHeld):
        store.set_state(cup.id, "paused")
    assert store.renew(lease, 30).request == "pause"
    store.set_state(lease, "paused")
    store.give_back(lease)
    assert (store.tournament("cup").state, store.tournament("cup").request) == ("paused", None)
    lease = store.take_lease(cup.id, "driver", 30)
    store.request(cup.id, "pause")
    clock.time += 31
    lease = store.take_lease(cup.id, "driver", 30)
    assert lease.request is None  # resumed: no pause any more
    store.request(cup.id, "cancel")
    clock.time += 31
    assert store.take_lease(cup.id, "driver", 30).request == "cancel"
    clock.time += 31
    store.request(cup.id, "cancel")  # nobody is there to do it
    assert store.tournament("cup").state == "cancelled"
    with pytest.raises(StoreError, match="is cancelled; it cannot be running any more"):
        store.set_state(cup.id, "running")
    with pytest.raises(StoreError, match="'dance' cannot be asked"):
        store.request(cup.id, "dance")
    with pytest.raises(StoreError, match="'dancing' is no state"):
        store.set_state(cup.id, "dancing")


# Schedules


def test_blocks_are_added_once(store: Store) -> None:
    lease, _ = begun(store, blocks=2)
    store.add_blocks(lease, [block("cup", number) for number in range(4)])
    again = list(store.open_fixtures(lease.tournament_id))
    assert len(again) == 12
    assert [fixture.attempt for fixture in again] == [1] * 6 + [0] * 6
    assert again[1]._replace(attempt=0) == ("cup/0/1", "cup/0", 0, 1, "classic", {"rounds": 2}, [1, 2, 0], 0)


def test_blocks_that_cannot_be_played_are_refused(store: Store) -> None:
    lease, _ = begun(store, blocks=2)
    new = block("cup", 2)
    for bad, reason in (
        (block("cup", 1)._replace(variant="officers"), "block cup/1 is in the store with other content"),
        (block("cup", 1)._replace(id="new"), "number 1, but 2 is in use"),
        (
            new._replace(id="new", number=3),
            "two fixtures have the same id",
        ),
        (new._replace(id="new", number=3, fixtures=[]), "has no fixtures"),
        (new._replace(id="new", number=3, players=4), "needs 4 entrants"),
        (new._replace(id="n", number=3, fixtures=[new.fixtures[0]._replace(seats=[0, 1, 3])]), "numbered 0 to 2"),
    ):
        with pytest.raises(StoreError, match=reason):
            store.add_blocks(lease, [new, bad])
    assert store.progress(lease.tournament_id).open == 6


def test_block_results_of_one_round(store: Store) -> None:
    lease, _ = begun(store, blocks=2)
    store.add_blocks(lease, [block("cup", 2)._replace(round=1)])
    assert [one.number for one in store.block_results(lease.tournament_id)] == [0, 1, 2]
    assert [one.number for one in store.block_results(lease.tournament_id, round=1)] == [2]


def test_an_entrant_withdraws(store: Store) -> None:
    lease, _ = begun(store)
    store.set_entrant(lease, 1, "withdrawn")
    assert [one.state for one in store.entrants(lease.tournament_id)] == ["present", "withdrawn", "present"]
    with pytest.raises(StoreError, match="has no entrant 9"):
        store.set_entrant(lease, 9, "withdrawn")
