"""Opening a store, and the Store itself, put together from its parts."""

import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from leaderboard.store import check, transfer
from leaderboard.store.agents import Agents
from leaderboard.store.database import Told, connect, is_blank, is_new_file, read_url, remove_file, untold
from leaderboard.store.ledger import Ledger
from leaderboard.store.migrate import migrate
from leaderboard.store.reading import Reading
from leaderboard.store.schedule import Schedule
from leaderboard.store.tournaments import Tournaments


class Store(Agents, Tournaments, Schedule, Ledger, Reading):
    """The book of record. Every call is a transaction of its own; threads may share a store."""

    def check(
        self,
        all: bool = False,
        sample: int = check.SAMPLE,
        told: Told = untold,
    ) -> list[str]:
        """All that is wrong with the book, a line each; a sample of the records, or all, is played again."""
        return check.check(self, all, sample, told)

    def export(self, file: str | Path, told: Told = untold) -> int:
        """Writes the store as JSON lines; gives the number of rows."""
        return transfer.export(self, Path(file), told)

    def backup(self, file: str | Path) -> None:
        """Copies an SQLite store, which others may use meanwhile."""
        transfer.backup(self, Path(file))

    def close(self) -> None:
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_store(url: str, now: Callable[[], float] = time.time, create: bool = True) -> Store:
    """The store at `postgresql://…`, `sqlite:///path` or a path; made, or brought to this version, if need be.

    `create=False` refuses an SQLite file that is not there. One that may not be written is opened for reading.
    Leases go by the clock `now`.
    """
    address = read_url(url)
    is_new = is_new_file(address)
    store = Store(connect(address, create), now)
    try:
        migrate(store.engine)
    except BaseException:
        store.close()
        if is_new and is_blank(address):
            remove_file(address)
        raise
    return store


def import_store(file: str | Path, url: str, told: Told = untold) -> int:
    """Makes a store of an export; gives the number of rows. A file that is no good leaves no store behind."""
    address = read_url(url)
    is_new = is_new_file(address)
    try:
        with open_store(url) as store:
            return transfer.load(store, Path(file), told)
    except BaseException:
        if is_new:
            remove_file(address)
        raise
