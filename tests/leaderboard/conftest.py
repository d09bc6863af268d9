"""Stores for the tests: the same tests run on SQLite and on PostgreSQL."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from leaderboard.store import Store, open_store
from tests.leaderboard.books import Clock
from tests.leaderboard.postgresql import PostgreSQL


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a store that is new."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'arena.db'}"
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.new()


@pytest.fixture
def other_url(url: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Another of the same kind."""
    if url.startswith("sqlite"):
        return str(tmp_path / f"{secrets.token_hex(4)}.db")
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.new()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(url: str, clock: Clock) -> Iterator[Store]:
    with open_store(url, now=clock) as opened:
        yield opened
