"""Tournaments, who drives them, and what they are asked to do.

A tournament has one driver at a time: the holder of its lease. Whoever takes the lease raises the epoch, and what
is done under an older epoch is refused, so a driver that was taken for dead can do no harm when it comes back.
"""

import difflib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, Update, insert, select, update

from leaderboard.store.database import Database, next_id, shown
from leaderboard.store.errors import LeaseHeld, LeaseLost, StoreError
from leaderboard.store.rows import Entrant, Lease, Tournament
from leaderboard.store.tables import entrants, tournaments, versions

STATES: Final = ("running", "paused", "cancelled", "finished")  # a new one is "created"
LAST_STATES: Final = ("cancelled", "finished")
ABANDONED: Final = "running, but its driver is gone"
REQUESTS: Final = {"pause": "paused", "cancel": "cancelled"}

AnyRow = Row[Any]


class Tournaments(Database):
    def create_tournament(
        self,
        name: str,
        config_toml: str,
        folder: str,
        key: bytes,
        commitment: bytes,
        entrants: Sequence[Entrant],
        seed: int | None = None,
    ) -> Tournament:
        shown("tournament", name)
        for entrant in entrants:
            shown("entrant", entrant.name)
        with self.writing() as connection:
            _check_new(connection, name)
            number = next_id(connection, tournaments)
            given = {"config": config_toml, "folder": folder, "key": key, "commitment": commitment, "seed": seed}
            made = {"id": number, "name": name, "state": "created", "created": self.now(), "epoch": 0}
            counts = {"released": -1, "doubled": 0, "fenced": 0, "faults": 0}
            connection.execute(insert(tournaments), given | made | counts)
            _add_entrants(connection, number, entrants)
            self.note(connection, "", "tournament created", name)
            return Tournament(*connection.execute(_select().where(tournaments.c.id == number)).one())

    def check_new(self, name: str) -> None:
        """StoreError if a tournament has this name."""
        with self.reading() as connection:
            _check_new(connection, name)

    def is_driven(self, tournament: Tournament) -> bool:
        """Whether its driver is alive, as far as the lease tells."""
        return tournament.until is not None and tournament.until > self.now()

    def state_told(self, tournament: Tournament) -> str:
        """Its state in words: one whose driver has died still runs, but nothing happens."""
        is_abandoned = tournament.state == "running" and not self.is_driven(tournament)
        return ABANDONED if is_abandoned else tournament.state

    def tournaments(self) -> list[Tournament]:
        """All, the oldest first."""
        with self.reading() as connection:
            return [Tournament(*row) for row in connection.execute(_select().order_by(tournaments.c.id))]

    def tournament(self, name: str) -> Tournament:
        with self.reading() as connection:
            found = by_name(connection, name)
            if found is not None:
                return found
            names = list(connection.execute(select(tournaments.c.name)).scalars())
        near = difflib.get_close_matches(name, names, n=1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise StoreError(f"there is no tournament '{name}' in {self.name}{hint}")

    def entrants(self, tournament_id: int) -> list[Entrant]:
        """In the order of their numbers."""
        query = select(entrants.c.name, entrants.c.version_id, entrants.c.state)
        mine = query.where(entrants.c.tournament_id == tournament_id).order_by(entrants.c.number)
        with self.reading() as connection:
            return [Entrant(*row) for row in connection.execute(mine)]

    def set_entrant(self, lease: Lease, number: int, state: str) -> None:
        """Notes that an entrant is absent, has withdrawn, or is back."""
        shown("state", state)
        mine = (entrants.c.tournament_id == lease.tournament_id) & (entrants.c.number == number)
        with self.writing() as connection:
            name = held(connection, lease).name
            if not connection.execute(update(entrants).where(mine).values(state=state)).rowcount:
                raise StoreError(f"tournament '{name}' has no entrant {number}")
            self.note(connection, lease.driver, f"entrant {state}", name, str(number))

    # The lease

    def take_lease(self, tournament_id: int, driver: str, seconds: float) -> Lease:
        """The right to drive; LeaseHeld while another has it. A request to cancel stays, one to pause is over."""
        shown("driver", driver)
        with self.writing() as connection:
            row = by_id(connection, tournament_id)
            self._refuse_live(row)
            request = row.request if row.request == "cancel" else None
            lease = Lease(tournament_id, driver, row.epoch + 1, self.now() + seconds, request)
            change = {"driver": driver, "epoch": lease.epoch, "until": lease.until, "request": request}
            connection.execute(_update(tournament_id).values(change))
            self.note(connection, driver, "lease taken", row.name, f"epoch {lease.epoch}")
            return lease

    def renew(self, lease: Lease, seconds: float) -> Lease:
        """The heartbeat; the new lease tells what is asked of the driver."""
        with self.writing() as connection:
            row = held(connection, lease)
            until = self.now() + seconds
            connection.execute(_update(lease.tournament_id).values(until=until))
            return lease._replace(until=until, request=row.request)

    def give_back(self, lease: Lease) -> None:
        """Ends the lease; nothing happens if another driver has taken it."""
        with self.writing() as connection:
            row = by_id(connection, lease.tournament_id)
            if row.epoch == lease.epoch:
                connection.execute(_update(lease.tournament_id).values(until=None))
                self.note(connection, lease.driver, "lease given back", row.name, f"epoch {lease.epoch}")

    # States and requests

    def set_state(self, whose: Lease | int, state: str) -> None:
        """By the driver, or for a tournament that nobody drives. What was asked is over once it has stopped."""
        if state not in STATES:
            raise StoreError(f"'{state}' is no state of a tournament: {', '.join(STATES)}")
        with self.writing() as connection:
            if isinstance(whose, Lease):
                row, who = held(connection, whose), whose.driver
            else:
                row, who = by_id(connection, whose), ""
                self._refuse_live(row)
            self._change_state(connection, row, state, who)

    def request(self, tournament_id: int, what: str, by: str = "") -> None:
        """Asks the driver to pause or cancel; with no driver it is done at once."""
        if what not in REQUESTS:
            raise StoreError(f"'{what}' cannot be asked of a driver: {', '.join(REQUESTS)}")
        with self.writing() as connection:
            row = by_id(connection, tournament_id)
            if not self._is_live(row):
                self._change_state(connection, row, REQUESTS[what], by)
                return
            connection.execute(_update(tournament_id).values(request=what))
            self.note(connection, by, f"asked to {what}", row.name)

    def _change_state(self, connection: Connection, row: AnyRow, state: str, who: str) -> None:
        if row.state in LAST_STATES and row.state != state:
            raise StoreError(f"tournament '{row.name}' is {row.state}; it cannot be {state} any more")
        request = row.request if state == "running" else None
        connection.execute(_update(row.id).values(state=state, request=request))
        self.note(connection, who, state, row.name)

    def _is_live(self, row: AnyRow) -> bool:
        return row.until is not None and row.until > self.now()

    def _refuse_live(self, row: AnyRow) -> None:
        if self._is_live(row):
            until = datetime.fromtimestamp(row.until, UTC).strftime("%H:%M:%S UTC")
            raise LeaseHeld(
                f"tournament '{row.name}' is driven by {row.driver}, which has it until {until}; "
                "end that driver, or wait until then"
            )


def _select() -> Select[Any]:
    return select(*(tournaments.c[field] for field in Tournament._fields))


def _update(tournament_id: int) -> Update:
    return update(tournaments).where(tournaments.c.id == tournament_id)


def _check_new(connection: Connection, name: str) -> None:
    if connection.execute(_select().where(tournaments.c.name == name)).one_or_none():
        raise StoreError(f"there is a tournament '{name}' already; resume it, or choose another name")


def _add_entrants(connection: Connection, tournament_id: int, given: Sequence[Entrant]) -> None:
    names = [entrant.name for entrant in given]
    if len(set(names)) != len(names):
        raise StoreError("two entrants have the same name; give each its own")
    wanted = {entrant.version_id for entrant in given}
    known = set(connection.execute(select(versions.c.id).where(versions.c.id.in_(wanted))).scalars())
    if wanted - known:
        raise StoreError(f"there is no version {min(wanted - known)} of any agent")
    first = next_id(connection, entrants)
    rows = [
        entrant._asdict() | {"id": first + number, "tournament_id": tournament_id, "number": number}
        for number, entrant in enumerate(given)
    ]
    if rows:
        connection.execute(insert(entrants), rows)


def by_name(connection: Connection, name: str) -> Tournament | None:
    found = connection.execute(_select().where(tournaments.c.name == name)).one_or_none()
    return Tournament(*found) if found else None


def by_id(connection: Connection, tournament_id: int) -> AnyRow:
    """The row of a tournament, within a transaction."""
    row = connection.execute(select(tournaments).where(tournaments.c.id == tournament_id)).one_or_none()
    if row is None:
        raise StoreError(f"there is no tournament number {tournament_id}")
    return row


def held(connection: Connection, lease: Lease) -> AnyRow:
    """The row of the tournament that the lease is for; LeaseLost if another driver has taken it over."""
    row = by_id(connection, lease.tournament_id)
    if row.epoch != lease.epoch:
        raise lost(row, lease)
    return row


def lost(row: AnyRow, lease: Lease) -> LeaseLost:
    return LeaseLost(
        f"tournament '{row.name}' was taken over by {row.driver} (epoch {row.epoch}, {lease.driver} had "
        f"{lease.epoch}); end this driver"
    )
