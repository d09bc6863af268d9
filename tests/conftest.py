"""Settings for all tests.

HYPOTHESIS_PROFILE chooses how hard the property tests look: `test` (as usual) or `soak`. A failure prints the
blob that plays it again with `@reproduce_failure`.
"""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:  # bots are tested without a store
    from tests.leaderboard.postgresql import PostgreSQL

# No deadline: machines are shared, and a slow example is not a wrong one.
usual = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("test", usual)
settings.register_profile("soak", usual, max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "test"))


@pytest.fixture(scope="session")
def postgresql() -> "Iterator[PostgreSQL]":
    """One server for each process of the tests."""
    from tests.leaderboard.postgresql import PostgreSQL, binary

    if not all(map(binary, ("initdb", "postgres"))):
        reason = "PostgreSQL is not tested: install it (Debian: apt install postgresql)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    server = PostgreSQL()
    yield server
    server.end()
