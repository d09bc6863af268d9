"""Ratings of a filled store, made roughly: by the rater itself, but with a quick guess in place of TrueSkill.

To rate a hundred thousand matches takes a quarter of an hour, nearly all of it inside TrueSkill. Here a rating
moves by how much better the place was than expected, as an Elo rating does, so that rows and numbers are such as
pages see. So are the rank intervals, which no refit has found: they are drawn around the ranks. Whatever depends
on how good ratings are must not be measured with these.
"""

from collections.abc import Sequence
from typing import Final
from unittest.mock import patch

from sqlalchemy import Connection, select

from leaderboard import standing_ratings
from leaderboard.catching_up import catch_up
from leaderboard.ladder import LadderRow, ladder
from leaderboard.ratings import Rating, expected_places
from leaderboard.refit import PARAMETERS
from leaderboard.scopes import known_scopes
from leaderboard.store import Store
from leaderboard.store.database import insert_many
from leaderboard.store.tables import agents, refits, strengths, versions

STEP: Final = 0.3  # of mu, for one place better than expected
LEAST: Final = 0.5  # sigma that is left after many matches
REACH: Final = 4  # ranks to both sides


def rate_roughly(store: Store) -> None:
    """Rates everything that was released, and leaves no scope due for a refit."""
    with patch.object(standing_ratings, "rate", _guess):
        catch_up(store)
    for known in known_scopes(store):
        rows = [row for row in ladder(store, known.scope).rows if row.rank is not None]
        with store.writing() as connection:
            mine = _versions(connection)
            drawn = [(known.id, mine[row.agent], row.mu / 10, 0.1, *_ranks(row, len(rows))) for row in rows]
            insert_many(connection, refits, [(known.id, known.matches, PARAMETERS, store.now())])
            insert_many(connection, strengths, drawn)


def _guess(sides: Sequence[Sequence[Rating]], places: Sequence[int], _won_by: str) -> list[list[Rating]]:
    gains = [STEP * (expected - place) for expected, place in zip(expected_places(sides), places, strict=True)]
    return [
        [Rating(one.mu + gain, max(LEAST, 0.98 * one.sigma)) for one in side]
        for side, gain in zip(sides, gains, strict=True)
    ]


def _versions(connection: Connection) -> dict[str, int]:
    """By agent; each has one."""
    query = select(agents.c.name, versions.c.id).join(versions, versions.c.agent_id == agents.c.id)
    return {row.name: row.id for row in connection.execute(query)}


def _ranks(row: LadderRow, last: int) -> tuple[int, int, int]:
    assert row.rank is not None
    return row.rank, max(1, row.rank - REACH), min(last, row.rank + REACH)
