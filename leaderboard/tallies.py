"""How a tournament stands, kept up with the ledger: only what is new is read.

What blocks leave behind once they are released is added up for good; blocks before their release are kept match by
match, since more may come, and their matches are provisional. A correction of a result that was counted is rare:
everything is then read anew.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from sqlalchemy import Column, ColumnElement, Connection, func, select

from leaderboard.cross_table import CrossTable
from leaderboard.standings import Standing, Standings, label_of
from leaderboard.store import Progress, Store, Tournament
from leaderboard.store.tables import blocks, corrections, entrants, fixtures, results, seats, tournaments

AT_ONCE: Final = 2000  # results read by one statement
MOST_TALLIES: Final = 100  # tournaments kept in mind
READ_AHEAD: Final = 4  # of them, before anybody asks
MOST_CROSSED: Final = 100  # entrants of a tournament that has a cross table
SPEED_MATCHES: Final = 200  # the last ones, whose pace is told

# What the format says of the entrants, by variant and number, such as their points in a Swiss.
Outcomes = Callable[[Store, Tournament], Mapping[str, Mapping[int, str]]]


def no_outcomes(_store: Store, _tournament: Tournament) -> dict[str, dict[int, str]]:
    """For whom formats are of no interest."""
    return {}


class Table(NamedTuple):
    """How a variant, or all of them, stands."""

    rows: list[Standing]  # in the order of the format, if it has one
    provisional: list[int]  # by number of entrant: those among its matches whose blocks are not released
    cross: CrossTable | None  # None where there are too many entrants
    outcome: Mapping[int, str]  # what the format says of an entrant


class Version(NamedTuple):
    """How far the book of a tournament has come: what follows from it is the same for the same version."""

    result: int  # the seq of its last one
    correction: int
    released: int  # the number of the last block that was
    drawn: int  # the number of its last block


class Tables(NamedTuple):
    """How a tournament stands."""

    version: Version
    over_all: Table
    variants: dict[str, Table]  # by label
    progress: Progress
    provisional: int  # matches of blocks that are not released
    speed: float | None  # matches a second of late


class Counted(NamedTuple):
    """A result that is not void, as far as sums need it."""

    block_id: str
    block_number: int
    entrants: list[int]
    places: list[int]
    faults: list[int]


class Sums:
    """Of one variant."""

    def __init__(self, entrants: int) -> None:
        self.standings = Standings(entrants)
        self.provisional = [0] * entrants
        self.cross = CrossTable() if entrants <= MOST_CROSSED else None

    def add(self, block: list[Counted], provisional: bool) -> None:
        for match in block:
            self.standings.add(match.entrants, match.places, match.faults)
            for entrant in match.entrants if provisional else []:
                self.provisional[entrant] += 1
        if self.cross is not None:
            self.cross.add((match.entrants, match.places) for match in block)

    def join(self, other: "Sums") -> None:
        self.standings.join(other.standings)
        self.provisional = [a + b for a, b in zip(self.provisional, other.provisional, strict=True)]
        if self.cross is not None and other.cross is not None:
            self.cross.join(other.cross)

    def table(self, outcome: Mapping[int, str]) -> Table:
        rows, order = self.standings.rows(), {entrant: place for place, entrant in enumerate(outcome)}
        rows.sort(key=lambda row: order.get(row.entrant, len(order)))
        return Table(rows, self.provisional, self.cross, outcome)


class Tally:
    """The sums of one tournament, as far as the ledger was read."""

    def __init__(self, store: Store, tournament: Tournament, outcomes: Outcomes) -> None:
        self.store = store
        self.tournament = tournament
        self.outcomes = outcomes
        self.lock = threading.Lock()
        self.tables: Tables | None = None
        self.said: Mapping[str, Mapping[int, str]] = {}
        self.said_at: tuple[int, bool] | None = None
        self.entrants: dict[int, int] = {}  # numbers by their ids
        self.begin()

    def begin(self) -> None:
        self.seq = 0
        self.settled: dict[str, Sums] = {}
        self.pending: dict[str, list[Counted]] = {}  # by block, before its release

    def look(self) -> Tables:
        """How the tournament stands now. While another thread reads on, what was known before is good enough."""
        if not self.lock.acquire(blocking=self.tables is None):
            assert self.tables is not None
            return self.tables
        try:
            return self.update()
        finally:
            self.lock.release()

    def update(self) -> Tables:
        with self.store.snapshot() as connection:
            version = _version(connection, self.tournament.id)
            if self.tables is not None and self.tables.version == version:
                return self.tables
            self.read(connection)
            self.seq = max(version.result, version.correction)
            speed = _speed(connection, self.tournament.id)
        self.settle(version.released)
        self.ask_format(version)
        self.tables = self.sum_up(version, speed)
        return self.tables

    def sum_up(self, version: Version, speed: float | None) -> Tables:
        over_all, sums = Sums(len(self.entrants)), self.summed()
        for one in sums.values():
            over_all.join(one)
        tables = {label: one.table(self.said.get(label, {})) for label, one in sums.items()}
        provisional = sum(map(len, self.pending.values()))
        progress = self.store.progress(self.tournament.id)
        return Tables(version, over_all.table({}), tables, progress, provisional, speed)

    def read(self, connection: Connection) -> None:
        if _is_corrected(connection, self.tournament.id, self.seq):
            self.begin()
        if not self.entrants:
            self.entrants = _entrants(connection, self.tournament.id)
        new = list(_counted(connection, self.tournament.id, self.seq, self.entrants))  # all of it or nothing
        for match in new:
            self.pending.setdefault(match.block_id, []).append(match)

    def settle(self, released: int) -> None:
        for block_id, block in list(self.pending.items()):
            if block[0].block_number <= released:
                self.sums_of(self.settled, block_id).add(self.pending.pop(block_id), provisional=False)

    def summed(self) -> dict[str, Sums]:
        """By label, those that are provisional among them."""
        sums = {label: Sums(len(self.entrants)) for label in (*self.said, *sorted(self.settled))}
        for label, settled in self.settled.items():
            sums[label].join(settled)
        for block_id, block in self.pending.items():
            self.sums_of(sums, block_id).add(block, provisional=True)
        return sums

    def sums_of(self, sums: dict[str, Sums], block_id: str) -> Sums:
        return sums.setdefault(label_of(block_id), Sums(len(self.entrants)))

    def ask_format(self, version: Version) -> None:
        """Formats speak after whole rounds: when new blocks were drawn, or all are played."""
        now = version.drawn, version.released == version.drawn
        if now != self.said_at:
            self.said, self.said_at = self.outcomes(self.store, self.tournament), now


class Tallies:
    """The tallies of a store, for all threads; those that nobody asked for lately are forgotten."""

    def __init__(self, store: Store, outcomes: Outcomes = no_outcomes) -> None:
        self.store = store
        self.outcomes = outcomes
        self.lock = threading.Lock()
        self.kept: OrderedDict[int, Tally] = OrderedDict()

    def tables(self, tournament: Tournament) -> Tables:
        with self.lock:
            tally = self.kept.setdefault(tournament.id, Tally(self.store, tournament, self.outcomes))
            self.kept.move_to_end(tournament.id)
            if len(self.kept) > MOST_TALLIES:
                self.kept.popitem(last=False)
        return tally.look()

    def read_ahead(self) -> None:
        """The tournaments that were made last, so that their first readers need not wait."""
        for tournament in self.store.tournaments()[-READ_AHEAD:]:
            self.tables(tournament)


def _version(connection: Connection, tournament_id: int) -> Version:
    def last(column: "Column[int]", default: int) -> int:
        query = select(func.coalesce(func.max(column), default)).where(
            column.table.c.tournament_id == tournament_id
        )
        return int(connection.execute(query).scalar_one())

    released = select(tournaments.c.released).where(tournaments.c.id == tournament_id)
    return Version(
        result=last(results.c.seq, 0),
        correction=last(corrections.c.seq, 0),
        released=connection.execute(released).scalar_one(),
        drawn=last(blocks.c.number, -1),
    )


def _entrants(connection: Connection, tournament_id: int) -> dict[int, int]:
    query = select(entrants.c.id, entrants.c.number).where(entrants.c.tournament_id == tournament_id)
    return {row.id: row.number for row in connection.execute(query)}


def _is_corrected(connection: Connection, tournament_id: int, seq: int) -> bool:
    """Whether a result up to `seq` was struck out, or reinstated, since then."""
    query = (
        select(corrections.c.seq)
        .join(results, results.c.fixture_id == corrections.c.fixture_id)
        .where(corrections.c.tournament_id == tournament_id, corrections.c.seq > seq, results.c.seq <= seq)
    )
    return connection.execute(query.limit(1)).first() is not None


def _counted(connection: Connection, tournament_id: int, seq: int, numbers: dict[int, int]) -> Iterator[Counted]:
    """The results after `seq` that are not void, in the order of the ledger."""
    mine = results.c.tournament_id == tournament_id
    query = (
        select(results.c.seq, results.c.fixture_id, blocks.c.id, blocks.c.number, fixtures.c.state)
        .join(fixtures, fixtures.c.id == results.c.fixture_id)
        .join(blocks, blocks.c.id == fixtures.c.block_id)
        .order_by(results.c.seq)
        .limit(AT_ONCE)
    )
    while True:
        page = connection.execute(query.where(mine, results.c.seq > seq)).all()
        if not page:
            return
        sat = _sat(connection, mine & results.c.seq.between(page[0].seq, page[-1].seq))
        for _, fixture_id, block_id, block_number, state in page:
            if state != "void":
                who, places, faults = sat[fixture_id]
                yield Counted(block_id, block_number, [numbers[one] for one in who], places, faults)
        seq = page[-1].seq


def _sat(connection: Connection, which: ColumnElement[bool]) -> dict[str, tuple[list[int], list[int], list[int]]]:
    """The ids of entrants, the places and the faults of results, in seat order."""
    query = (
        select(seats.c.fixture_id, seats.c.entrant_id, seats.c.place, seats.c.faults)
        .join(results, results.c.fixture_id == seats.c.fixture_id)
        .where(which)
        .order_by(results.c.seq, seats.c.seat)
    )
    found: dict[str, tuple[list[int], list[int], list[int]]] = {}
    for fixture_id, entrant_id, place, faults in connection.execute(query):
        who, places, all_faults = found.setdefault(fixture_id, ([], [], []))
        who.append(entrant_id)
        places.append(place)
        all_faults.append(faults)
    return found


def _speed(connection: Connection, tournament_id: int) -> float | None:
    """Matches a second among the last ones; None where that is not known."""
    query = select(results.c.committed).where(results.c.tournament_id == tournament_id)
    times = connection.execute(query.order_by(results.c.seq.desc()).limit(SPEED_MATCHES)).scalars().all()
    passed = times[0] - times[-1] if times else 0.0
    return (len(times) - 1) / passed if passed > 0 else None
