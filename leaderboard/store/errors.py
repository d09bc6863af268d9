"""What can go wrong with a store, as one line that says what to do.

StoreError        wrong use, or a store that cannot be used: damaged, full, locked, read-only, of a newer version
├── StoreLost     the server is gone or was started anew: the same call may be made again
├── StoreFixed    it can be read, and not written
├── LeaseHeld     another driver has the tournament
└── LeaseLost     another driver has taken the tournament over: what this one reports is refused
"""

import sqlite3
from typing import Final

from sqlalchemy.engine import ExceptionContext

WAIT_SECONDS: Final = 60  # for the store's lock


class StoreError(Exception):
    pass


class StoreLost(StoreError):
    pass


class StoreFixed(StoreError):
    pass


class LeaseHeld(StoreError):
    pass


class LeaseLost(StoreError):
    pass


BUSY: Final = (
    f"another process has kept it locked for {WAIT_SECONDS} seconds; wait for it or end it, then try again"
)
FULL: Final = "the disk is full; make room and run the command again, nothing was half-written"
SQLITE: Final = {
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: "it, or its folder, is read-only; make both writable for you, or name another store",
    sqlite3.SQLITE_PERM: "you may not use it; make it writable for you, or name another store",
    sqlite3.SQLITE_AUTH: "you may not use it; make it writable for you, or name another store",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; see that its folder is there and writable for you",
    sqlite3.SQLITE_NOTADB: "this file is not a store; name another",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; take your last backup",
    sqlite3.SQLITE_IOERR_SHMSIZE: FULL,  # no room for the small file beside the store
    sqlite3.SQLITE_IOERR: "reading or writing failed; look after the disk, then run the command again",
}
POSTGRESQL: Final = {  # by SQLSTATE
    "55P03": BUSY,
    "53100": FULL,
    "25006": "the server takes no writing (it may be a standby); name the primary server",
    "42501": "you may not use it; ask the owner of the database for the right to make and change tables",
    "3D000": "there is no such database; make it with createdb",
    "28P01": "the password is wrong; put the right one into the address or into ~/.pgpass",
    "28000": "the server does not let you in; look at the user in the address and at pg_hba.conf",
}
FIXED: Final = (sqlite3.SQLITE_READONLY, "25006")


def translated(context: ExceptionContext) -> StoreError | None:
    """The error of a database in our words; None for one that is a fault of ours."""
    error, name = context.original_exception, repr_of(context)
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", 0)
        remedy = SQLITE.get(code) or SQLITE.get(code & 0xFF)
        return told_as(code & 0xFF, f"store {name}: {remedy}") if remedy else None
    state = getattr(error, "sqlstate", None)
    if state in POSTGRESQL:
        return told_as(state, f"store {name}: {POSTGRESQL[state]}")
    if context.is_disconnect or context.connection is None or (state or "")[:2] in ("08", "57"):
        reason = " ".join(str(error).split())
        return StoreLost(
            f"store {name}: the server cannot be reached ({reason}); see that it runs, then try again"
        )
    return None


def told_as(code: int | str | None, message: str) -> StoreError:
    return StoreFixed(message) if code in FIXED else StoreError(message)


def repr_of(context: ExceptionContext) -> str:
    url = context.engine.url if context.engine else context.dialect.name
    return str(url)
