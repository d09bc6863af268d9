"""`check` finds every kind of damage, and nothing where there is none."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from engine import record
from leaderboard.store import Store, open_store
from tests.leaderboard.books import begun, record_file, result

FORGED = "the luck of the result is not that of the record"


PROBLEMS = [
    "block cup/0 counts 0 open fixtures, but has 1",
    "block cup/0 is released, but it, or one before it, is not complete",
    "fixture cup/0/1 is open, but by the ledger it is done",
    "fixture cup/0/2: its record is missing",
    "fixture cup/1/0 has records, but no result",
    "fixture cup/1/0 has seats, but no result",
    "fixture cup/1/0 is done, but by the ledger it is open",
    "fixture cup/1/2: its attempts are not all there",
    "seq 4 is missing in the ledger",
    "the book counts 2 releases, but there are 1",
    "the book counts 4 results, but there are 3",
    "the book says that the ledger ends at seq 9, but it ends at 7",
    "tournament 'cup' counts 3 faults, but its seats 0",
]


def fill(store: Store) -> None:
    """Block 0 is done and released, block 1 half done, and one fixture of each is void."""
    lease, ids = begun(store, blocks=3)
    store.commit(lease, [result(name) for name in ids[:4]])
    store.void("organiser", ids[0], "wrong bot")
    store.void(lease, ids[4], "took three workers down")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("check") / "full.db"
    with open_store(str(path)) as store:
        fill(store)
        assert store.check(all=True) == []
    return path


@pytest.fixture
def full(template: Path, tmp_path: Path) -> Iterator[Store]:
    with open_store(str(shutil.copy(template, tmp_path))) as store:
        yield store


def test_on_both_databases(store: Store) -> None:
    fill(store)
    assert store.check(all=True) == []
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE book SET seq = 9, releases = 2"))
        connection.execute(text("UPDATE fixtures SET state = 'open' WHERE id = 'cup/0/1'"))
        connection.execute(text("UPDATE tournaments SET faults = 3"))
        connection.execute(text("UPDATE attempts SET attempt = 5 WHERE fixture_id = 'cup/1/2'"))
        connection.execute(text("DELETE FROM records WHERE fixture_id = 'cup/0/2'"))
        connection.execute(text("DELETE FROM results WHERE fixture_id = 'cup/1/0'"))
    assert sorted(store.check(all=True)) == PROBLEMS


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        ("DELETE FROM releases", "seq 5 is missing in the ledger"),
        ("DELETE FROM releases", "the book counts 1 releases, but there are 0"),
        ("DELETE FROM releases", "block cup/0 is complete with all before it, but not released"),
        ("DELETE FROM corrections WHERE seq = 6", "fixture cup/0/0 is void, but by the ledger it is done"),
        ("UPDATE corrections SET kind = 'reinstate' WHERE seq = 6", "correction 6 does not fit"),
        ("UPDATE results SET seq = 6 WHERE seq = 2", "seq 6 is in the ledger twice"),
        (
            "UPDATE results SET seq = 9 WHERE seq = 2",
            "the ledger ends at seq 7, but it ends at 9",
        ),
        ("UPDATE book SET seq = 8", "the book says that the ledger ends at seq 8, but it ends at 7"),
        ("UPDATE book SET results = 5", "the book counts 5 results, but there are 4"),
        ("UPDATE fixtures SET state = 'done' WHERE id = 'cup/1/2'", "is done, but by the ledger it is open"),
        ("UPDATE fixtures SET state = 'open' WHERE id = 'cup/0/1'", "is open, but by the ledger it is done"),
        ("UPDATE fixtures SET state = 'open' WHERE id = 'cup/0/1'", "block cup/0 is released, but it"),
        ("UPDATE fixtures SET attempt = 2 WHERE id = 'cup/0/1'", "cup/0/1: its result is not of its last attempt"),
        ("UPDATE fixtures SET attempt = 2 WHERE id = 'cup/1/2'", "cup/1/2: its attempts are not all there"),
        ("DELETE FROM attempts WHERE fixture_id = 'cup/1/2'", "cup/1/2: its attempts are not all there"),
        ("UPDATE blocks SET open = 2 WHERE id = 'cup/1'", "block cup/1 counts 2 open fixtures, but has 1"),
        ("UPDATE releases SET block_id = 'cup/2'", "block cup/2 is released, but it, or one before it, is not"),
        ("UPDATE releases SET seq = 0", "block cup/0 was released before it"),
        ("UPDATE tournaments SET faults = 3", "tournament 'cup' counts 3 faults, but its seats 0"),
        ("UPDATE tournaments SET released = 1", "tournament 'cup' does not say which block was released last"),
        ("UPDATE seats SET faults = 1 WHERE seat = 0", "tournament 'cup' counts 0 faults, but its seats 4"),
        ("UPDATE seats SET place = 7 - place", "cup/0/1: the places of the result and of the record differ"),
        ("UPDATE seats SET luck = luck + 1", f"fixture cup/0/1: {FORGED}"),
        ("UPDATE seats SET entrant_id = 1", "cup/0/1: the seats of the result are not those of the fixture"),
        ("DELETE FROM seats WHERE seat = 1", "cup/0/1: the seats of the result are not those of the fixture"),
        ("UPDATE results SET rounds = 9", "cup/0/1: the ends of the result and of the record differ"),
        ("UPDATE results SET ending = 5", "cup/0/1: the ends of the result and of the record differ"),
        ("UPDATE results SET actions = 9", "the numbers of actions of the result and of the record differ"),
        ("UPDATE blocks SET variant = 'officers'", "cup/0/1: the variants of the result and of the record differ"),
        ("DELETE FROM results WHERE seq = 2", "fixture cup/0/1 has seats, but no result"),
        ("DELETE FROM results WHERE seq = 2", "fixture cup/0/1 has records, but no result"),
        ("DELETE FROM records WHERE fixture_id = 'cup/0/1'", "cup/0/1: its record is missing"),
        ("INSERT INTO conduct VALUES ('cup/0/1', 0, 0, 1, '', 3)", "cup/0/1: the conduct of the result and"),
        ("INSERT INTO conduct VALUES ('cup/1/2', 0, 0, 1, '', 3)", "cup/1/2 has conduct, but no result"),
    ],
)
def test_planted_damage_is_found(full: Store, damage: str, found: str) -> None:
    with full.engine.begin() as connection:
        connection.execute(text(damage))
    problems = full.check(all=True)
    assert [problem for problem in problems if found in problem], problems


def swap_record(store: Store, content: bytes) -> list[str]:
    with store.engine.begin() as connection:
        change = text("UPDATE records SET record = :content WHERE fixture_id = 'cup/0/1'")
        connection.execute(change, {"content": content})
    return store.check(all=True)


def test_records_are_read_and_played_again(full: Store) -> None:
    (told,) = swap_record(full, b"CQR1")
    assert told == "fixture cup/0/1: the record is damaged or cut short; take it from its source again"
    (told,) = swap_record(full, record_file("cup/0/2"))
    assert told == "fixture cup/0/2: its record is of the same match as that of fixture cup/0/1"
    forged = record.read(record_file("cup/0/1"))
    forged.digests = bytes(len(forged.digests))
    (told,) = swap_record(full, record.write(forged))
    assert "actions 0 to 63: they, or the position after them" in told


def test_only_a_sample_is_played_again(full: Store) -> None:
    with full.engine.begin() as connection:
        connection.execute(text("UPDATE seats SET luck = luck + 1"))
    heard: list[tuple[int, int]] = []
    assert full.check(sample=0, told=lambda *numbers: heard.append(numbers)) == []
    assert heard == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert len(full.check(sample=3)) == 3
    assert len(full.check(all=True)) == 4
