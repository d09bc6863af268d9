"""A store as JSON lines and back, and the backup of an SQLite file.

The first line says what the file is and how many rows each table has; every other line is a row. Bytes are base64.
Keys of unfinished tournaments are in such files, so only their owner may read them.
"""

import base64
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Connection,
    Double,
    Integer,
    LargeBinary,
    Table,
    delete,
    func,
    insert,
    select,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.types import TypeEngine

from leaderboard.store.database import PAGE, SQLITE_ENDS, Database, Told, is_sqlite
from leaderboard.store.errors import StoreError
from leaderboard.store.tables import DERIVED, VERSION, book, metadata

MARK: Final = "conquest-arena-store"
TABLES: Final = [  # those that are referred to come first; what can be made anew is left out
    table for table in metadata.sorted_tables if table not in DERIVED
]


def export(store: Database, file: Path, told: Told) -> int:
    """Writes all rows, as they are at one moment; gives how many."""
    _refuse_existing(store, file)
    done = 0
    with store.snapshot() as connection, _whole(file) as lines:
        counts = {table.name: _count(connection, table) for table in TABLES}
        total = sum(counts.values())
        lines.write(_line({MARK: VERSION, "rows": counts}))
        for table in TABLES:
            with connection.execute(_all(table), execution_options={"yield_per": PAGE}) as rows:
                for row in rows:
                    lines.write(_line({"table": table.name} | _packed(table, row._mapping)))
                    done += 1
                    told(done, total)
    return done


def load(store: Database, file: Path, told: Told) -> int:
    """Fills an empty store with the rows of an export, all or none; gives how many."""
    with store.writing() as connection, _reading(file) as lines:
        if any(_count(connection, table) for table in TABLES if table is not book):
            raise StoreError(f"store {store.name} is not empty; import into a new one")
        total, done = _head(file, lines.readline()), 0
        connection.execute(delete(book))
        for table, rows in _pages(file, lines):
            try:
                connection.execute(insert(table), rows)
            except (SQLAlchemyError, ValueError, OverflowError, TypeError) as error:
                where = f"lines {done + 2} to {done + len(rows) + 1}"
                why = " ".join(str(getattr(error, "orig", error)).split())
                raise StoreError(f"{file} is not a sound export: {where}, rows of {table.name}: {why}") from None
            done += len(rows)
            told(done, total)
        if done != total:
            raise StoreError(f"{file} is cut short: {done} of {total} rows are there")
        if _count(connection, book) != 1:
            raise StoreError(f"{file} is not a sound export: the table book must have one row")
    return done


def backup(store: Database, file: Path) -> None:
    """A copy of an SQLite store that is itself one, made while others may write."""
    if not is_sqlite(store.engine.url):
        raise StoreError(
            "a backup is a copy of an SQLite file; for PostgreSQL use pg_dump, or 'arena store export FILE'"
        )
    _refuse_existing(store, file, *[file.with_name(file.name + end) for end in SQLITE_ENDS])
    unfinished = _unfinished(file)
    try:
        target = sqlite3.connect(unfinished)
        try:
            with store.reading() as connection:
                source = connection.connection.driver_connection
                assert isinstance(source, sqlite3.Connection)
                source.backup(target)
        finally:
            target.close()
        os.replace(unfinished, file)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{file} cannot be written: {error}; name another place, or make room") from None
    finally:
        unfinished.unlink(missing_ok=True)


# Lines


def _line(data: dict[str, Any]) -> str:
    return json.dumps(data, separators=(",", ":")) + "\n"


def _packed(table: Table, row: Any) -> dict[str, Any]:
    return {
        column.name: base64.b64encode(row[column.name]).decode()
        if isinstance(column.type, LargeBinary)
        else row[column.name]
        for column in table.columns
    }


def _unpacked(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    if set(row) != set(table.columns.keys()):
        raise ValueError(f"a row of {table.name} has other columns")
    for column in table.columns:
        value = row[column.name]
        if not (_fits(column.type, value) or (value is None and column.nullable)):
            raise ValueError(f"{column.name} of {table.name} cannot be {str(value)[:40]!r}")
        if isinstance(column.type, LargeBinary):
            row[column.name] = base64.b64decode(value, validate=True)
    return row


def _fits(kind: TypeEngine[Any], value: object) -> bool:
    """SQLite itself would take a text for a number."""
    if isinstance(kind, Integer):
        most: int = 2**63 if isinstance(kind, BigInteger) else 2**31
        return type(value) is int and -most <= value < most
    if isinstance(kind, Double):
        return type(value) in (int, float)
    if isinstance(kind, JSON):
        return isinstance(value, (dict, list))
    return isinstance(value, bool if isinstance(kind, Boolean) else str)


def _head(file: Path, line: str) -> int:
    """Reads the first line; gives how many rows must follow."""
    try:
        head = json.loads(line)
        version, total = head[MARK], sum([int(number) for number in head["rows"].values()])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise StoreError(f"{file} is not the export of a store") from None
    if version != VERSION:
        raise StoreError(
            f"{file} is of version {version}, and this program knows {VERSION}; import it with the program that "
            "wrote it, and open that store with this one"
        )
    return total


def _pages(file: Path, lines: IO[str]) -> Iterator[tuple[Table, list[dict[str, Any]]]]:
    """Rows of one table at a time."""
    table, rows = None, list[dict[str, Any]]()
    for number, line in enumerate(lines, 2):
        try:
            row = json.loads(line)
            mine = metadata.tables[row.pop("table")]
            row = _unpacked(mine, row)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise StoreError(f"{file}, line {number}: this is not a row of a store ({error})") from None
        if table is not None and (mine is not table or len(rows) == PAGE):
            yield table, rows
            rows = []
        table = mine
        rows.append(row)
    if table is not None:
        yield table, rows


def _all(table: Table) -> Any:
    return select(table).order_by(*table.primary_key.columns)


def _count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


# Files


def _refuse_existing(store: Database, file: Path, *beside: Path) -> None:
    """Those beside it SQLite would take for parts of a new file."""
    mine = store.engine.url.database or ""
    if is_sqlite(store.engine.url) and file.exists() and file.samefile(mine):
        raise StoreError(f"{file} is the store itself; name another file")
    for one in (file, *beside):
        if one.exists():
            raise StoreError(f"{one} is there already; name another file, or move that one away")


@contextmanager
def _whole(file: Path) -> Iterator[IO[str]]:
    """A file that appears complete, or not at all."""
    unfinished = _unfinished(file)
    try:
        with unfinished.open("w", encoding="utf-8") as lines:
            yield lines
        os.replace(unfinished, file)
    except OSError as error:
        raise StoreError(f"{file} cannot be written: {error.strerror}; name another place, or make room") from None
    finally:
        unfinished.unlink(missing_ok=True)


def _unfinished(file: Path) -> Path:
    """An empty file beside that one, which only its owner may read."""
    path = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        path.touch(mode=0o600)
    except OSError as error:
        raise StoreError(f"{file} cannot be written: {error.strerror}; name another place") from None
    return path


@contextmanager
def _reading(file: Path) -> Iterator[IO[str]]:
    try:
        with file.open(encoding="utf-8") as lines:
            yield lines
    except UnicodeDecodeError:
        raise StoreError(f"{file} is not the export of a store") from None
    except OSError as error:
        raise StoreError(f"{file} cannot be read: {error.strerror}") from None
