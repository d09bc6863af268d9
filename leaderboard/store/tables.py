"""The tables. docs/store.md tells what they are for; `migrations/` makes them.

Numbers are given out by the store itself, in the transaction that holds its lock, so there are no sequences that
could leave gaps or differ after an import. Times are seconds since 1970.
"""

from typing import Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

VERSION: Final = "0002"  # of the newest migration

metadata = MetaData()


def _id() -> "Column[int]":
    return Column("id", Integer, primary_key=True, autoincrement=False)


def _seq() -> "Column[int]":
    return Column("seq", BigInteger, primary_key=True, autoincrement=False)


def _to(name: str, target: str, **more: Any) -> "Column[Any]":
    """A reference to a row of another table."""
    return Column(name, ForeignKey(target), **({"nullable": False} | more))


def _must(name: str, kind: Any, **more: Any) -> "Column[Any]":
    return Column(name, kind, nullable=False, **more)


# One row: the lock of the whole store, the last seq of the ledger, and how many rows of each kind it has.
book = Table(
    "book",
    metadata,
    _id(),
    _must("seq", BigInteger),
    _must("results", BigInteger),
    _must("corrections", BigInteger),
    _must("releases", BigInteger),
)

# Who plays

agents = Table(
    "agents",
    metadata,
    _id(),
    _must("name", Text, unique=True),
    _must("author", Text, server_default=""),
    _must("created", Double),
)

versions = Table(
    "versions",
    metadata,
    _id(),
    _to("agent_id", "agents.id"),
    _must("number", Integer),
    _must("spec", Text),
    _must("language", Text),
    _must("built_in", Boolean),
    _must("digest", Text),
    _must("created", Double),
    UniqueConstraint("agent_id", "number"),
    UniqueConstraint("agent_id", "spec", "digest"),
)

tokens = Table(
    "tokens",
    metadata,
    _id(),
    _must("hash", Text, unique=True),
    _must("role", Integer),
    _must("name", Text),
    _must("created", Double),
    Column("revoked", Double),
)

# What is to be played

tournaments = Table(
    "tournaments",
    metadata,
    _id(),
    _must("name", Text, unique=True),
    _must("config", Text),
    _must("folder", Text),
    _must("key", LargeBinary),
    _must("commitment", LargeBinary),
    Column("seed", BigInteger),
    _must("state", Text),
    Column("request", Text),
    _must("created", Double),
    Column("driver", Text),
    _must("epoch", Integer),
    Column("until", Double),
    _must("released", Integer),  # number of the last block that was released; -1 if none
    _must("doubled", Integer),
    _must("fenced", Integer),
    _must("faults", Integer),
)

entrants = Table(
    "entrants",
    metadata,
    _id(),
    _to("tournament_id", "tournaments.id"),
    _must("number", Integer),
    _must("name", Text),
    _to("version_id", "versions.id"),
    _must("state", Text),
    UniqueConstraint("tournament_id", "number"),
    UniqueConstraint("tournament_id", "name"),
    Index("entrants_by_version", "version_id"),
)

blocks = Table(
    "blocks",
    metadata,
    Column("id", Text, primary_key=True),
    _to("tournament_id", "tournaments.id"),
    _must("number", Integer),
    _must("round", Integer),
    _must("variant", Text),
    _must("rules_version", Integer, server_default="1"),
    _must("options", JSON),
    _must("players", Integer),
    _must("open", Integer),  # fixtures that are neither done nor void
    UniqueConstraint("tournament_id", "number"),
)

fixtures = Table(
    "fixtures",
    metadata,
    Column("id", Text, primary_key=True),
    _to("tournament_id", "tournaments.id"),
    _to("block_id", "blocks.id", index=True),
    _must("number", Integer),  # within the tournament, in block order
    _must("rotation", Integer),
    _must("seats", JSON),  # the numbers of the entrants, in seat order
    _must("state", Text),
    _must("attempt", Integer),
    UniqueConstraint("tournament_id", "number"),
    Index("fixtures_by_state", "tournament_id", "state", "number"),
)

attempts = Table(
    "attempts",
    metadata,
    _to("fixture_id", "fixtures.id", primary_key=True),
    Column("attempt", Integer, primary_key=True, autoincrement=False),
    _must("epoch", Integer),
    _must("begun", Double),
)

# The ledger: rows with a seq, which are never changed

results = Table(
    "results",
    metadata,
    _seq(),
    _to("fixture_id", "fixtures.id", unique=True),
    _to("tournament_id", "tournaments.id"),
    _must("attempt", Integer),
    _must("epoch", Integer),
    _must("rounds", Integer),
    _must("ending", Integer),
    _must("actions", Integer),
    _must("decisions", Integer),
    _must("worker", Text),
    _must("seconds", Double),
    _must("committed", Double),
    Index("results_by_tournament", "tournament_id", "seq"),
)

corrections = Table(
    "corrections",
    metadata,
    _seq(),
    _to("fixture_id", "fixtures.id", index=True),
    _to("tournament_id", "tournaments.id"),
    _must("kind", Text),
    _must("who", Text),
    _must("reason", Text),
    _must("committed", Double),
)

releases = Table(
    "releases",
    metadata,
    _seq(),
    _to("block_id", "blocks.id", unique=True),
    _to("tournament_id", "tournaments.id"),
    _must("committed", Double),
)

# What belongs to a result

seats = Table(
    "seats",
    metadata,
    _to("fixture_id", "fixtures.id", primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    _to("entrant_id", "entrants.id", index=True),
    _must("place", Integer),
    _must("luck", Double),
    _must("faults", Integer),
)

records = Table(
    "records",
    metadata,
    _to("fixture_id", "fixtures.id", primary_key=True),
    _must("record", LargeBinary),
    _must("sidecar", LargeBinary),
)

conduct = Table(
    "conduct",
    metadata,
    _to("fixture_id", "fixtures.id", primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _must("seat", Integer),
    _must("kind", Integer),  # as in the record
    _must("detail", Text),
    _must("action", Integer),
)

# Who did what beside playing

audit = Table(
    "audit",
    metadata,
    _id(),
    _must("time", Double),
    _must("who", Text),
    _must("what", Text),
    _must("subject", Text),
    _must("detail", Text),
)

# Derived from the ledger: can be made anew at any time, and no part of an export

# One row: how far ratings have come.
rated = Table(
    "rated",
    metadata,
    _id(),
    _must("seq", BigInteger),  # all corrections up to this one are taken into account
    _must("release_seq", BigInteger),  # all releases up to this one are rated
    _must("matches", BigInteger),
    _must("parameters", Text),  # what the ratings were made with; others make them anew
)

# What a rating is about: a version of a variant's rules, a family of variants, or all of them.
scopes = Table(
    "scopes",
    metadata,
    _id(),
    _must("kind", Text),  # "variant", "family" or "all"
    _must("name", Text),
    _must("rules_version", Integer),  # 0 but for variants
    _must("matches", BigInteger),  # that were rated
    UniqueConstraint("kind", "name", "rules_version"),
)

# The matches that were rated, numbered in the order in which they were.
rated_matches = Table(
    "rated_matches",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    _to("fixture_id", "fixtures.id", unique=True),
    _must("release_seq", BigInteger, index=True),
    _must("players", Integer),
)

# Why a rating moved: a seat of a rated match, in one scope; the first one of a version that has several in a team.
moves = Table(
    "moves",
    metadata,
    Column("scope_id", Integer, primary_key=True, autoincrement=False),
    Column("number", BigInteger, primary_key=True, autoincrement=False),  # of the rated match
    Column("seat", Integer, primary_key=True, autoincrement=False),
    _must("version_id", Integer),
    _must("count", Integer),  # how-manieth match of this version in this scope
    _must("place", Integer),  # of its team, if it has one
    _must("faults", Integer),  # in all of its seats
    _must("mu_before", Double),
    _must("sigma_before", Double),
    _must("mu", Double),
    _must("sigma", Double),
    _must("expected", Double),  # the place that the ratings before led to expect
    Index("moves_by_version", "scope_id", "version_id", "count"),
)

# How a version stands in a scope after the last rated match.
ratings = Table(
    "ratings",
    metadata,
    Column("scope_id", Integer, primary_key=True, autoincrement=False),
    Column("version_id", Integer, primary_key=True, autoincrement=False),
    _must("mu", Double),
    _must("sigma", Double),
    _must("matches", Integer),
    _must("wins", Integer),
    _must("faults", Integer),
    _must("last", BigInteger),  # number of its last rated match
)

# The order-free second look at a scope: one row a scope, and its strengths with their rank intervals.
refits = Table(
    "refits",
    metadata,
    Column("scope_id", Integer, primary_key=True, autoincrement=False),
    _must("matches", BigInteger),  # of the scope when it was made; 0 if some of them were taken back since
    _must("parameters", Text),
    _must("made", Double),
)

strengths = Table(
    "strengths",
    metadata,
    Column("scope_id", Integer, primary_key=True, autoincrement=False),
    Column("version_id", Integer, primary_key=True, autoincrement=False),
    _must("strength", Double),  # logarithm; 0 is the mean of the scope
    _must("error", Double),
    Column("rank", Integer),  # among the newest versions of all agents; older ones have none
    Column("rank_low", Integer),
    Column("rank_high", Integer),
)

DERIVED: Final = (rated, scopes, rated_matches, moves, ratings, refits, strengths)
