"""How far the store has come, as little as tells whether a page is still right."""

from typing import Any, NamedTuple

from sqlalchemy import bindparam, column, func, select, table
from sqlalchemy.exc import DBAPIError

from leaderboard.store import Store
from leaderboard.store.tables import VERSION, agents, audit, book, rated, refits, tournaments
from leaderboard.web.problems import Migrating

_migrated = table("alembic_version", column("version_num"))


class State(NamedTuple):
    began: float | None  # when the first agent came: another store under our address is told from this one
    seq: int  # of the last row of the ledger
    noted: int | None  # of the last row of the audit log: tournaments begin, pause and end in it
    driven: int  # tournaments whose drivers are alive
    rated: tuple[Any, ...]  # how far ratings and refits have come

    def ratings(self) -> tuple[Any, ...]:
        """What pages depend on that show ratings alone."""
        return self.rated


def _query() -> Any:
    version = select(_migrated.c.version_num).scalar_subquery()
    began = select(agents.c.created).order_by(agents.c.id).limit(1).scalar_subquery()
    noted = select(func.max(audit.c.id)).scalar_subquery()
    driven = select(func.count()).where(tournaments.c.until > bindparam("now")).scalar_subquery()
    rating = [select(one).scalar_subquery() for one in rated.c if one is not rated.c.id]
    made = [select(one).scalar_subquery() for one in (func.max(refits.c.made), func.sum(refits.c.matches))]
    return select(version, began, book.c.seq, noted, driven, *rating, *made)


QUERY = _query()


def state_of(store: Store) -> State:
    """Migrating if the tables are not those that this program knows."""
    try:
        with store.reading() as connection:
            row = connection.execute(QUERY, {"now": store.now()}).one_or_none()
    except DBAPIError as error:  # a table is missing; all else has become a StoreError
        raise Migrating from error
    if row is None or row[0] != VERSION:
        raise Migrating
    return State(row[1], row[2], row[3], row[4], (row[0], *row[5:]))
