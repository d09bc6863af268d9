"""Opening a store: new, older, newer, and one that cannot be used."""

import os
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Table, delete, event, insert, inspect, select, text

import leaderboard.store.migrations
from leaderboard.catching_up import catch_up
from leaderboard.store import Store, StoreError, StoreLost, open_store
from leaderboard.store.database import connect, read_url, writing
from leaderboard.store.migrate import upgrade, version_of
from leaderboard.store.tables import DERIVED, VERSION, metadata
from tests.leaderboard.books import begun, kinds, result, tournament
from tests.leaderboard.postgresql import PostgreSQL

NOBODY = 65534


@pytest.fixture
def empty(url: str, request: pytest.FixtureRequest) -> str:
    """The address of a database with nothing in it."""
    if url.startswith("sqlite"):
        return url
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.new("template1")


def test_a_new_store_has_the_tables_that_the_code_knows(empty: str) -> None:
    with open_store(empty) as store:
        with store.reading() as connection:
            assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert (kinds(store), store.check()) == ([], [])
    with open_store(empty) as store:
        assert store.tournaments() == []


def test_the_last_migration_is_the_version() -> None:
    (folder,) = leaderboard.store.migrations.__path__
    scripts = ScriptDirectory(folder)
    assert scripts.get_heads() == [VERSION]


def test_an_older_store_is_brought_up(empty: str) -> None:
    """Before the first version there is none."""
    with open_store(empty) as store, store.engine.begin() as connection:
        metadata.drop_all(connection)
        connection.execute(text("DELETE FROM alembic_version"))
    with open_store(empty) as store:
        tournament(store)
        with store.reading() as connection:
            assert version_of(connection) == VERSION


def test_a_store_of_the_first_version_keeps_its_rows(empty: str, other_url: str) -> None:
    with open_store(other_url) as store:
        lease, ids = begun(store)
        store.commit(lease, [result(name) for name in ids[:4]])
        store.void("organiser", ids[0], "wrong bot")
        make_first_version(empty, store)
        with open_store(empty) as brought_up:
            assert brought_up.check(all=True) == []
            for table in FIRST_TABLES:
                assert rows_of(brought_up, table) == rows_of(store, table)
            assert catch_up(brought_up) == 0  # one version in all seats
            with brought_up.reading() as connection:
                assert compare_metadata(MigrationContext.configure(connection), metadata) == []


FIRST_TABLES = [table for table in metadata.sorted_tables if table not in DERIVED]


def make_first_version(url: str, store: Store) -> None:
    """A store as the first version had it, with the rows of this one."""
    engine = connect(read_url(url), create=True)
    with writing(engine) as connection:
        upgrade(connection, "0001")
        there = inspect(connection)
        connection.execute(delete(metadata.tables["book"]))
        for table in FIRST_TABLES:
            names = [column["name"] for column in there.get_columns(table.name)]
            if rows := [{name: row[name] for name in names} for row in rows_of(store, table)]:
                connection.execute(insert(table), rows)
    engine.dispose()


def rows_of(store: Store, table: Table) -> list[dict[str, Any]]:
    with store.reading() as connection:
        return [dict(row) for row in connection.execute(select(table).order_by(*table.primary_key)).mappings()]


def test_a_newer_store_is_refused(url: str) -> None:
    with open_store(url) as store, store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match=rf"is of version 9999, and this program knows {VERSION}; update"):
        open_store(url)


def test_a_database_of_something_else_is_refused(empty: str) -> None:
    with open_store(empty) as store, store.engine.begin() as connection:
        connection.execute(text("DROP TABLE alembic_version"))
    with pytest.raises(StoreError, match="of something else"):
        open_store(empty)


def test_many_open_a_new_store_at_once(empty: str) -> None:
    failures: list[BaseException] = []

    def use() -> None:
        try:
            with open_store(empty) as store:
                store.add_version("random", "random", "python", True, "aa")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


# Addresses


def test_a_path_is_an_address(tmp_path: Path) -> None:
    path = tmp_path / "some.db"
    open_store(str(path)).close()
    with open_store(f"sqlite:///{path}", create=False) as store:
        assert store.tournaments() == []
    assert stat.S_IMODE(path.stat().st_mode) == 0o600  # keys are in it


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("mysql://host/db", "not mysql://"),
        ("sqlite://", "name its path"),
        ("sqlite:///:memory:", "name its path"),
        ("://", "is not of the form"),
        ("{folder}", "is a folder"),
        ("{folder}/none/arena.db", "cannot be made: No such file or directory"),
        ("{folder}/text.db", "this file is not a store"),
        ("postgresql://arena:secret@/none?host={folder}", r"arena:\*\*\*@.*the server cannot be reached"),
    ],
)
def test_addresses_that_are_no_good(address: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("hello\n" * 1000)
    with pytest.raises(StoreError, match=reason) as caught:
        open_store(address.format(folder=tmp_path))
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_store_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"there is no store .*arena.db; name one with --store"):
        open_store(str(tmp_path / "arena.db"), create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_is_not_there(postgresql: PostgreSQL) -> None:
    with pytest.raises(StoreError, match=r"nowhere.* does not exist|there is no such database"):
        open_store(postgresql.dsn("nowhere"))


# Trouble with the disk


@pytest.fixture
def folder() -> Iterator[Path]:
    """Unlike tmp_path, one that others may enter."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


@pytest.fixture
def unprivileged() -> Iterator[None]:
    """Root may write everything; somebody else may not."""
    if os.getuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    yield
    os.seteuid(0)


@pytest.fixture
def kept(folder: Path) -> Path:
    """A store that everybody may read and nobody else may write."""
    path = folder / "arena.db"
    with open_store(str(path)) as store:
        begun(store)
    path.chmod(0o444)
    return path


def test_a_read_only_file(kept: Path, unprivileged: None) -> None:
    with pytest.raises(StoreError, match=r"read-only|cannot be opened"):
        open_store(str(kept)).add_version("a", "a", "python", True, "a")


@pytest.mark.parametrize("rights", [0o555, 0o777])
def test_a_store_that_may_not_be_written_can_be_read(
    kept: Path, rights: int, request: pytest.FixtureRequest
) -> None:
    kept.parent.chmod(rights)
    request.getfixturevalue("unprivileged")
    with tempfile.TemporaryDirectory() as place:
        with open_store(str(kept), create=False) as store:
            assert [one.name for one in store.tournaments()] == ["cup"]
            assert store.check() == []
            assert store.export(Path(place) / "all.jsonl") > 0
            store.backup(Path(place) / "copy.db")
            with pytest.raises(StoreError, match="is read-only; make both writable"):
                store.add_version("a", "a", "python", True, "a")
        with open_store(f"{place}/copy.db", create=False) as copy:
            assert [one.name for one in copy.tournaments()] == ["cup"]


def test_a_reader_sees_what_another_writes(kept: Path, request: pytest.FixtureRequest) -> None:
    """As long as it is open, what was written last is in the file beside it."""
    with open_store(str(kept)) as writer:
        tournament(writer, "other")
        request.getfixturevalue("unprivileged")
        with open_store(str(kept), create=False) as store:
            assert [one.name for one in store.tournaments()] == ["cup", "other"]


def test_a_read_only_folder(folder: Path, unprivileged: None) -> None:
    with pytest.raises(StoreError, match="cannot be made: Permission denied"):
        open_store(str(folder / "arena.db"))


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "arena.db")) as store:
        lease, ids = begun(store)
        store.commit(lease, [result(ids[0])])
        store.engine.dispose()

        @event.listens_for(store.engine, "connect")
        def _limit(connection: sqlite3.Connection, _record: object) -> None:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {pages + 4}")

        big = result(ids[2])._replace(sidecar=b"x" * 100_000)
        with pytest.raises(StoreError, match="the disk is full; make room"):
            store.commit(lease, [result(ids[1]), big])
        assert kinds(store) == [f"result {ids[0]}"]
        assert store.check() == []


@pytest.mark.parametrize("code", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE])
def test_a_store_that_finds_no_room_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def find_no_room(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA journal_mode=WAL")
        if code == sqlite3.SQLITE_FULL:
            connection.execute("PRAGMA max_page_count = 3")
            return
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = code
        raise error

    monkeypatch.setattr("leaderboard.store.database._use_wal", find_no_room)
    with pytest.raises(StoreError, match="the disk is full; make room"):
        open_store(str(tmp_path / "arena.db"))
    assert list(tmp_path.iterdir()) == []


def test_a_locked_store(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leaderboard.store.database.WAIT_SECONDS", 1)
    with open_store(url) as holder, open_store(url) as other, holder.writing():
        with pytest.raises(StoreError, match="another process has kept it locked"):
            other.add_version("a", "a", "python", True, "a")
        assert other.tournaments() == []  # readers do not wait


def test_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    with open_store(str(path)) as store:
        begun(store, blocks=20)
    content = bytearray(path.read_bytes())
    content[4096 * 4 :] = b"\xff" * (len(content) - 4096 * 4)
    path.write_bytes(content)
    with pytest.raises(StoreError, match="the file is damaged"), open_store(str(path)) as store:
        begun(store, name="other")


# Trouble with the server


def test_the_server_is_started_anew(postgresql: PostgreSQL) -> None:
    with open_store(postgresql.new()) as store:
        lease, ids = begun(store)
        store.commit(lease, [result(ids[0])])

        def lose_it_in_the_middle() -> None:
            with store.writing() as connection:
                postgresql.stop()
                connection.execute(text("UPDATE book SET seq = 99"))

        try:
            with pytest.raises(StoreLost, match="see that it runs, then try again"):
                lose_it_in_the_middle()
            with pytest.raises(StoreLost):
                store.commit(lease, [result(ids[1])])
        finally:
            postgresql.start()
        assert store.commit(lease, [result(name) for name in ids[:2]]) == (1, 1, 0)
        assert store.check() == []


def test_who_stops_in_the_middle_loses_the_lock(postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leaderboard.store.database.IDLE_SECONDS", 1)
    url = postgresql.new()

    def stop_in_the_middle() -> None:
        with open_store(url) as stopped, stopped.writing() as connection:
            with open_store(url) as other:
                other.add_version("a", "a", "python", True, "a")  # waits until it is its turn
            connection.execute(text("UPDATE book SET seq = 99"))

    with pytest.raises(StoreLost):
        stop_in_the_middle()
    with open_store(url) as store:
        assert store.check() == []


def test_psycopg_is_asked_for_only_where_it_is_needed(tmp_path: Path) -> None:
    code = f"""
import sys
sys.modules["psycopg"] = None
from leaderboard.store import StoreError, open_store
open_store({str(tmp_path / "arena.db")!r}).close()
try:
    open_store("postgresql://host/db")
except StoreError as error:
    print(error)
"""
    path = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True
    )
    assert done.stdout == "PostgreSQL needs psycopg; run pip install 'conquest-arena[postgres]'\n"


def test_a_store_closes_its_connections(url: str) -> None:
    with open_store(url) as store:
        assert isinstance(store, Store)
        store.tournaments()
    assert store.engine.pool.checkedin() == 0  # type: ignore[attr-defined]
