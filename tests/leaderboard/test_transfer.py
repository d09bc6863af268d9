"""Export, import and backup."""

import json
import stat
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from leaderboard.store import Lease, Store, StoreError, Tokens, import_store, open_store
from leaderboard.store.tables import metadata
from leaderboard.store.transfer import TABLES
from tests.leaderboard.books import begun, kinds, result
from tests.leaderboard.postgresql import PostgreSQL


@pytest.fixture
def full(store: Store) -> Store:
    """A store with a row in every table."""
    lease, ids = begun(store, blocks=2)
    faulty = result(ids[0])._replace(faults=[1, 0, 0], conduct=[(0, 3, "boom ü", 4)])
    store.commit(lease, [faulty, *[result(name) for name in ids[1:4]]])
    store.void("organiser", ids[1], "wrong bot")
    Tokens(store, lambda name, role: name).create(1, "alice", by="admin")
    return store


def content(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """What an export has: nothing that is derived."""

    def rows(connection: Connection, name: str) -> list[tuple[object, ...]]:
        table = metadata.tables[name]
        return [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key.columns))]

    with store.reading() as connection:
        return {name: rows(connection, name) for name in map(str, TABLES)}


def test_an_import_gives_an_equal_store(full: Store, other_url: str, tmp_path: Path) -> None:
    file, heard = tmp_path / "all.jsonl", list[tuple[int, int]]()
    count = full.export(file, told=lambda *numbers: heard.append(numbers))
    before = content(full)
    assert all(before.values()), "a table has no row"
    assert count == sum(map(len, before.values()))
    assert heard[-1] == (count, count)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert import_store(file, other_url) == count
    with open_store(other_url) as other:
        assert content(other) == before
        other.export(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == file.read_bytes()


def test_a_store_moves_from_one_database_to_the_other(
    full: Store, url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    full.export(tmp_path / "all.jsonl")
    is_sqlite = url.startswith("sqlite")
    target = request.getfixturevalue("postgresql").new() if is_sqlite else str(tmp_path / "moved.db")
    import_store(tmp_path / "all.jsonl", target)
    with open_store(target, now=full.now) as moved:
        assert content(moved) == content(full)
        cup = moved.tournament("cup")
        lease = Lease(cup.id, "driver of cup", cup.epoch, 0.0, None)
        assert moved.commit(lease, [result("cup/1/1")]) == (1, 0, 0)  # and it goes on there
        assert moved.add_version("new", "new", "python", False, "aa").id == 2


def test_only_an_empty_store_is_imported_into(full: Store, url: str, tmp_path: Path) -> None:
    full.export(tmp_path / "all.jsonl")
    with pytest.raises(StoreError, match="is not empty; import into a new one"):
        import_store(tmp_path / "all.jsonl", url)
    assert len(kinds(full)) == 6


def test_a_file_that_is_no_good_leaves_nothing_behind(full: Store, other_url: str, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    full.export(file)
    lines = file.read_text().splitlines(keepends=True)
    head = json.loads(lines[0])
    for text, reason in (
        ("", "is not the export of a store"),
        ("{}\n", "is not the export of a store"),
        (json.dumps(head | {"conquest-arena-store": "0000"}) + "\n", "is of version 0000"),
        ("".join(lines[:-1]), "is cut short"),
        ("".join([*lines[:3], "nonsense\n", *lines[3:]]), "line 4: this is not a row of a store"),
        ("".join([*lines[:3], '{"table":"agents"}\n', *lines[3:]]), "line 4: .*a row of agents has other columns"),
        ("".join([*lines[:3], '{"table":"none"}\n']), "line 4: this is not a row"),
    ):
        file.write_text(text)
        with pytest.raises(StoreError, match=reason):
            import_store(file, other_url)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(StoreError, match="is not the export"):
        import_store(file, other_url)
    with pytest.raises(StoreError, match="cannot be read: No such file"):
        import_store(tmp_path / "none", other_url)
    assert "://" in other_url or not Path(other_url).exists()
    with open_store(other_url) as other:
        assert other.tournaments() == []


def changed(line: str, **values: object) -> str:
    return json.dumps(json.loads(line) | values) + "\n"


@pytest.mark.parametrize(
    ("table", "values", "reason"),
    [
        ("seats", {"entrant_id": 99}, r"is not a sound export: lines \d+ to \d+, rows of seats: "),
        ("agents", {"name": "\ud800"}, r"is not a sound export: lines \d+ to \d+, rows of agents: "),
        ("agents", {"name": None}, r"line \d+: .*name of agents cannot be 'None'"),
        ("agents", {"name": ["a"]}, r"line \d+: .*name of agents cannot be"),
        ("agents", {"created": "now"}, r"line \d+: .*created of agents cannot be 'now'"),
        ("versions", {"built_in": 1}, r"line \d+: .*built_in of versions cannot be '1'"),
        ("fixtures", {"attempt": "one"}, r"line \d+: .*attempt of fixtures cannot be 'one'"),
        ("fixtures", {"seats": 5}, r"line \d+: .*seats of fixtures cannot be '5'"),
        ("fixtures", {"attempt": 2**31}, r"line \d+: .*attempt of fixtures cannot be"),
        ("results", {"seq": 2**63}, r"line \d+: .*seq of results cannot be"),
        ("records", {"record": 5}, r"line \d+: .*record of records cannot be '5'"),
    ],
)
def test_a_row_that_is_damaged_leaves_nothing_behind(
    full: Store, other_url: str, tmp_path: Path, table: str, values: dict[str, object], reason: str
) -> None:
    file = tmp_path / "all.jsonl"
    full.export(file)
    lines = file.read_text().splitlines(keepends=True)
    number = next(index for index, line in enumerate(lines) if f'"table":"{table}"' in line)
    lines[number] = changed(lines[number], **values)
    file.write_text("".join(lines))
    with pytest.raises(StoreError, match=reason):
        import_store(file, other_url)
    assert "://" in other_url or not list(tmp_path.glob(f"{Path(other_url).name}*"))


def test_rows_that_are_too_many_or_too_few(full: Store, other_url: str, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    full.export(file)
    head, *rows = file.read_text().splitlines(keepends=True)
    counts = json.loads(head)["rows"]
    (book,) = [row for row in rows if '"table":"book"' in row]
    agent = next(row for row in rows if '"table":"agents"' in row)
    others = [row for row in rows if row != book]
    total = len(rows)
    for text, reason in (
        ([changed(head, rows=5), *rows], "is not the export of a store"),
        ([changed(head, rows=["agents"]), *rows], "is not the export of a store"),
        ([changed(head, rows=counts | {"agents": "many"}), *rows], "is not the export of a store"),
        ([changed(head, rows={"all": total + 1}), agent, *rows], "is not a sound export: lines 2 to "),
        ([changed(head, rows={"all": total - 1}), *others], "the table book must have one row"),
        ([changed(head, rows={"all": total + 1}), changed(book, id=9), *rows], "the table book must have one row"),
    ):
        file.write_text("".join(text))
        with pytest.raises(StoreError, match=reason):
            import_store(file, other_url)


def test_an_export_is_written_whole_or_not_at_all(full: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written: No such file"):
        full.export(tmp_path / "none" / "all.jsonl")

    def interrupt(done: int, _total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    file = tmp_path / "all.jsonl"
    with pytest.raises(KeyboardInterrupt):
        full.export(file, told=interrupt)
    assert not list(tmp_path.glob("*all.jsonl*"))
    file.write_text("mine")
    with pytest.raises(StoreError, match=r"all\.jsonl is there already; name another file"):
        full.export(file)
    assert file.read_text() == "mine"


# Backup


def test_a_backup_is_a_store(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "arena.db")) as store:
        lease, ids = begun(store)
        store.commit(lease, [result(ids[0])])
        store.backup(tmp_path / "copy.db")
        store.commit(lease, [result(ids[1])])
        with open_store(str(tmp_path / "copy.db")) as copy:
            assert kinds(copy) == [f"result {ids[0]}"]
            assert copy.check() == []
        with pytest.raises(StoreError, match="cannot be written"):
            store.backup(tmp_path / "none" / "copy.db")
        for write in (store.backup, store.export):
            with pytest.raises(StoreError, match=r"arena\.db is the store itself"):
                write(tmp_path / "arena.db")
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["copy.db", "copy.db-wal", "copy.db-shm", "copy.db-journal"])
def test_a_backup_takes_no_place_that_is_taken(tmp_path: Path, name: str) -> None:
    """SQLite would play the old -wal into the new file."""
    (tmp_path / name).write_bytes(b"mine")
    told = f"{name} is there already; name another file"
    with open_store(str(tmp_path / "arena.db")) as store, pytest.raises(StoreError, match=told):
        store.backup(tmp_path / "copy.db")
    assert [path.name for path in tmp_path.glob("*copy.db*")] == [name]
    assert (tmp_path / name).read_bytes() == b"mine"


def test_postgresql_has_its_own_tool_for_backups(postgresql: PostgreSQL, tmp_path: Path) -> None:
    with open_store(postgresql.new()) as store, pytest.raises(StoreError, match="use pg_dump, or 'arena store"):
        store.backup(tmp_path / "copy.db")
