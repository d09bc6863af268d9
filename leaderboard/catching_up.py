"""Ratings catch up with the ledger: release by release, in order, each match once.

There is one path. A batch of what was released is read, rated in memory, and written in one short transaction that
sees whether the mark is where it was. What a correction touches is taken back to before its release and rated
again. So a rater may be killed at any moment, several do no harm, and one that follows live has the same rows as
one that makes everything anew.
"""

from sqlalchemy import Connection, delete, insert, select

from leaderboard.ratings import PARAMETERS
from leaderboard.released import NOTHING, Mark, next_batch, read_mark, taken_back
from leaderboard.standing_ratings import Ratings
from leaderboard.store import Store
from leaderboard.store.database import Told, untold
from leaderboard.store.tables import DERIVED, book, rated
from leaderboard.taking_back import take_back


def catch_up(store: Store, told: Told = untold) -> int:
    """Rates all that was released; gives how many matches that were."""
    done = 0
    ratings = Ratings(store)
    while True:
        with store.snapshot() as connection:
            first = taken_back(connection, ratings.mark)
            batch = next_batch(connection, ratings.mark)
            results = connection.execute(select(book.c.results)).scalar_one()
        if ratings.mark.parameters != PARAMETERS:
            _begin_anew(store, ratings.mark)
        elif first is not None:
            take_back(store, ratings.mark, first)
        elif (batch.seq, batch.release_seq) == (ratings.mark.seq, ratings.mark.release_seq):
            return done
        elif ratings.add(batch):
            done += len(batch.matches)
            told(ratings.mark.matches, max(results, ratings.mark.matches))
            continue
        ratings = Ratings(store)  # what is in memory does not hold any more


def rebuild(store: Store, told: Told = untold) -> int:
    """Makes all ratings anew; gives how many matches it has rated."""
    with store.writing() as connection:
        _clear(connection)
    return catch_up(store, told)


def rated_so_far(store: Store) -> Mark:
    """How far ratings have come."""
    with store.reading() as connection:
        return read_mark(connection)


def _begin_anew(store: Store, mark: Mark) -> None:
    with store.writing() as connection:
        if read_mark(connection) == mark:
            _clear(connection)


def _clear(connection: Connection) -> None:
    for table in DERIVED:
        connection.execute(delete(table))
    connection.execute(insert(rated), {"id": 1} | NOTHING._replace(parameters=PARAMETERS)._asdict())
