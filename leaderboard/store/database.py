"""The database under a store: SQLite or PostgreSQL, its transactions and its lock."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import Connection, Engine, Table, create_engine, event, func, insert, make_url, select
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.exc import ArgumentError

from leaderboard.store.errors import WAIT_SECONDS, StoreError, translated
from leaderboard.store.tables import audit, book

PAGE: Final = 500  # rows that are read at once
SQLITE_ENDS: Final = ("-wal", "-shm", "-journal")  # of the files that SQLite keeps beside its own
BLANK_BYTES: Final = 4096  # a file of SQLite without a table has no more
MOST_NAME: Final = 100
MOST_TEXT: Final = 1000
# A driver that was stopped in the middle of a transaction loses the lock before those who wait for it give up.
IDLE_SECONDS: Final = WAIT_SECONDS // 2


Told = Callable[[int, int], None]  # hears how many of how many are done


def untold(_done: int, _total: int) -> None:
    """For whom progress is of no interest."""


class Database:
    """Transactions, the clock and the audit log; the parts of a Store build on it."""

    def __init__(self, engine: Engine, now: Callable[[], float]) -> None:
        self.engine = engine
        self.now = now

    @property
    def name(self) -> str:
        """The address, without its password."""
        return str(self.engine.url)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """All that is read in it is of one moment."""
        with self.engine.connect() as connection:
            if not is_sqlite(self.engine.url):
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction under the lock of the whole store, which is the row of the book: writers take turns."""
        with writing(self.engine) as connection:
            connection.execute(select(book.c.seq).with_for_update()).one()
            yield connection

    def note(self, connection: Connection, who: str, what: str, subject: str, detail: str = "") -> None:
        """A row of the audit log."""
        row = {"who": who, "what": what, "subject": subject, "detail": detail}
        connection.execute(insert(audit).values(id=next_id(connection, audit), time=self.now(), **row))


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    with engine.connect() as connection:
        connection = connection.execution_options(writing=True)
        with connection.begin():
            yield connection


def next_id(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.coalesce(func.max(table.c.id), 0) + 1)).scalar_one())


def insert_many(connection: Connection, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
    """Rows of plain numbers and texts, in the order of the columns; quick, since nothing looks at the values."""
    form = "?" if is_sqlite(connection.engine.url) else "%s"
    values = ", ".join([form] * len(table.columns))
    if rows:
        names = ", ".join(table.columns.keys())
        connection.exec_driver_sql(f"INSERT INTO {table.name} ({names}) VALUES ({values})", list(rows))


def pages(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    """In pieces that fit into one statement."""
    return (ids[start : start + PAGE] for start in range(0, len(ids), PAGE))


def shown(what: str, text: str, most: int = MOST_NAME) -> str:
    """The text, if it can be shown on terminals and pages as it is: no control characters, not too long."""
    if not text.strip() or not text.isprintable() or len(text) > most:
        raise StoreError(f"{what} {text[:most]!r}: it needs 1 to {most} characters that can be printed")
    return text


# Opening


def read_url(text: str) -> URL:
    """`postgresql://…`, `sqlite:///path` or a path."""
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise StoreError("the address of the store is not of the form postgresql://user@host/database") from None
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    if url.drivername == "sqlite":
        return url
    raise StoreError(f"a store is sqlite:///path, a path, or postgresql://…, not {url.drivername}://")


def is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def connect(url: URL, create: bool) -> Engine:
    engine = _sqlite(url, create) if is_sqlite(url) else _postgresql(url)

    @event.listens_for(engine, "handle_error")
    def _handle(context: ExceptionContext) -> StoreError | None:
        return None if context.is_pre_ping else translated(context)

    return engine


def _sqlite(url: URL, create: bool) -> Engine:
    path = _path(url)
    if not path.exists():
        _make_file(path, create)
    can_write = _may_write(path) and _may_write(path.resolve().parent)
    more = {} if can_write else {"creator": partial(_read_only, path.resolve())}
    engine = create_engine(url, connect_args={"timeout": WAIT_SECONDS}, **more)

    @event.listens_for(engine, "connect")
    def _connect(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where we say, not where the driver thinks
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        if can_write:
            _use_wal(connection)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        is_writing = connection.get_execution_options().get("writing")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")

    return engine


def _path(url: URL) -> Path:
    if url.database in (None, "", ":memory:") or url.query:
        raise StoreError("a store on SQLite is a file: name its path")
    path = Path(url.database or "")
    if path.is_dir():
        raise StoreError(f"{path} is a folder: name a file in it, like {path / 'arena.db'}")
    return path


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _read_only(path: Path) -> sqlite3.Connection:
    """A connection that only reads, also where SQLite cannot make the files that it wants to have beside its own.

    They are there while somebody writes. Without them, in a folder that we cannot write, the file stands still.
    """
    stands_still = not _may_write(path.parent) and not path.with_name(path.name + "-wal").exists()
    address = f"file:{quote(str(path))}?mode=ro{'&immutable=1' if stands_still else ''}"
    return sqlite3.connect(address, uri=True, timeout=WAIT_SECONDS, check_same_thread=False)


def _use_wal(connection: sqlite3.Connection) -> None:
    """SQLite waits for its locks, but not for this one, which matters when several open a new store."""
    for tries_left in reversed(range(WAIT_SECONDS * 10)):
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or not tries_left:
                raise
            time.sleep(0.1)


def is_new_file(url: URL) -> bool:
    """Whether a store there would be a new file."""
    return is_sqlite(url) and not Path(url.database or "").exists()


def remove_file(url: URL) -> None:
    for end in ("", *SQLITE_ENDS):
        Path(f"{url.database}{end}").unlink(missing_ok=True)


def is_blank(url: URL) -> bool:
    """Whether nothing was ever committed to that file."""
    path, log = Path(f"{url.database}"), Path(f"{url.database}-wal")
    return not any(file.exists() and file.stat().st_size > most for file, most in ((path, BLANK_BYTES), (log, 0)))


def _make_file(path: Path, create: bool) -> None:
    """An empty file that only its owner can read: keys that are still secret will be in it."""
    if not create:
        raise missing(path)
    try:
        path.touch(mode=0o600)
    except OSError as error:
        raise StoreError(f"store {path} cannot be made: {error.strerror}; name another place") from None


def missing(path: Path) -> StoreError:
    return StoreError(f"there is no store {path}; name one with --store or ARENA_STORE")


def _postgresql(url: URL) -> Engine:
    try:
        engine = create_engine(url, pool_pre_ping=True)
    except ModuleNotFoundError:
        raise StoreError("PostgreSQL needs psycopg; run pip install 'conquest-arena[postgres]'") from None

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: object) -> None:
        connection.execute(f"SET lock_timeout = '{WAIT_SECONDS}s'")
        connection.execute(f"SET idle_in_transaction_session_timeout = '{IDLE_SECONDS}s'")
        connection.commit()

    return engine
