"""The store: agents, tournaments and the ledger of results, on SQLite or PostgreSQL. docs/store.md tells more."""

from leaderboard.store.agents import Tokens
from leaderboard.store.errors import LeaseHeld, LeaseLost, StoreError, StoreFixed, StoreLost
from leaderboard.store.rows import (
    BlockResult,
    Committed,
    Conduct,
    Entrant,
    Fixture,
    FixtureResult,
    KeptRecord,
    Lease,
    LedgerRow,
    NewBlock,
    NewFixture,
    Progress,
    Result,
    ResultRow,
    Tournament,
    Version,
)
from leaderboard.store.store import Store, import_store, open_store

__all__ = [
    "BlockResult",
    "Committed",
    "Conduct",
    "Entrant",
    "Fixture",
    "FixtureResult",
    "KeptRecord",
    "Lease",
    "LeaseHeld",
    "LeaseLost",
    "LedgerRow",
    "NewBlock",
    "NewFixture",
    "Progress",
    "Result",
    "ResultRow",
    "Store",
    "StoreError",
    "StoreFixed",
    "StoreLost",
    "Tokens",
    "Tournament",
    "Version",
    "import_store",
    "open_store",
]
