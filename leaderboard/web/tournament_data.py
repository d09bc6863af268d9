"""What pages, programs and reports are told of tournaments."""

from collections.abc import Sequence
from typing import Any, Final

from pydantic import BaseModel
from sqlalchemy import func, select

from leaderboard.cross_table import CrossTable
from leaderboard.settings_told import public_settings, written
from leaderboard.store import Store, Tournament
from leaderboard.store.tables import agents, blocks, entrants, fixtures, tournaments, versions
from leaderboard.store.tournaments import LAST_STATES
from leaderboard.tallies import Table, Tables, Tallies
from leaderboard.tournament_matches import ListedMatch

MOST_CROSSED: Final = 20  # entrants of a cross table on a page
SMALL: Final = 5_000  # matches: of larger tournaments a list does not tell who leads


class Entrant(BaseModel):
    number: int
    name: str
    agent: str
    version: int
    author: str
    language: str
    built_in: bool
    state: str


class Row(BaseModel):
    """Where an entrant stands."""

    place: int
    entrant: str
    agent: str
    score: float | None  # in the mean, from 1 for the first to 0 for the last; null before its first match
    matches: int
    provisional: int  # of these, those whose block is not released
    wins: int
    faults: int
    outcome: str | None  # what the format says, such as points in a Swiss


class Cell(BaseModel):
    """How the entrant of a row did against that of a column, with the 90 % interval over blocks."""

    matches: int
    score: float
    low: float
    high: float


class Cross(BaseModel):
    """The best entrants, and how each did against each; null where they have not met."""

    entrants: list[str]
    rows: list[list[Cell | None]]
    left_out: int  # entrants that are not among them


class Standings(BaseModel):
    label: str  # empty: over all variants
    rows: list[Row]
    provisional: bool  # whether some of it is of blocks that are not released
    cross: Cross | None  # null where there are too many entrants


class Progress(BaseModel):
    state: str
    is_over: bool
    done: int
    open: int
    void: int
    faults: int
    provisional: int  # matches
    speed: float | None  # matches a second of late, while it runs
    seconds_left: float | None  # for what is drawn so far


class About(BaseModel):
    """A tournament, but for how it stands."""

    name: str
    created: float
    variants: list[str]  # labels
    entrants: list[Entrant]
    commitment: str
    key: str | None  # once it is finished
    seeded: bool
    settings: dict[str, Any]
    toml: str


class Match(BaseModel):
    """A match in a list."""

    match: str
    number: int
    round: int
    label: str
    state: str  # open, done or void
    released: bool
    seats: list["Seat"]
    rounds: int | None
    committed: float | None


class Seat(BaseModel):
    entrant: str
    place: int | None
    luck: float | None


class Listed(BaseModel):
    """A tournament in a list."""

    name: str
    state: str
    created: float
    entrants: int
    variants: list[str]
    matches: int  # drawn so far
    released: float  # share of the blocks drawn so far
    best: str | None  # who leads, or has won


# Tournaments


def about(store: Store, found: Tournament, labels: Sequence[str]) -> About:
    is_over = found.state in LAST_STATES
    settings = public_settings(found.config, is_over)
    return About(
        name=found.name,
        created=found.created,
        variants=list(labels),
        entrants=entrants_of(store, found),
        commitment=found.commitment.hex(),
        key=found.key.hex() if found.state == "finished" else None,
        seeded=found.seed is not None,
        settings=settings,
        toml=written(settings),
    )


def entrants_of(store: Store, found: Tournament) -> list[Entrant]:
    query = (
        select(
            *(
                entrants.c.number,
                entrants.c.name,
                agents.c.name.label("agent"),
                versions.c.number.label("version"),
            ),
            *(agents.c.author, versions.c.language, versions.c.built_in, entrants.c.state),
        )
        .join(versions, versions.c.id == entrants.c.version_id)
        .join(agents, agents.c.id == versions.c.agent_id)
        .where(entrants.c.tournament_id == found.id)
        .order_by(entrants.c.number)
    )
    with store.reading() as connection:
        return [Entrant(**row._mapping) for row in connection.execute(query)]


def progress(store: Store, found: Tournament, tables: Tables) -> Progress:
    counts, state = tables.progress, store.state_told(found)
    speed = tables.speed if state == "running" else None
    return Progress(
        state=state,
        is_over=found.state in LAST_STATES,
        done=counts.done,
        open=counts.open,
        void=counts.void,
        faults=counts.faults,
        provisional=tables.provisional,
        speed=speed,
        seconds_left=counts.open / speed if speed else None,
    )


def standings(label: str, table: Table, who: Sequence[Entrant], crossed: int = MOST_CROSSED) -> Standings:
    rows = [
        Row(
            place=place,
            entrant=who[row.entrant].name,
            agent=who[row.entrant].agent,
            score=row.score if row.matches else None,
            matches=row.matches,
            provisional=table.provisional[row.entrant],
            wins=row.wins,
            faults=row.faults,
            outcome=table.outcome.get(row.entrant),
        )
        for place, row in enumerate(table.rows, 1)
    ]
    order = [row.entrant for row in table.rows if row.matches]
    cross = None if table.cross is None else cross_of(table.cross, order[:crossed], who, len(order))
    return Standings(label=label, rows=rows, provisional=any(table.provisional), cross=cross)


def cross_of(table: CrossTable, order: Sequence[int], who: Sequence[Entrant], played: int) -> Cross:
    return Cross(
        entrants=[who[one].name for one in order],
        rows=[[cell(table, one, other) for other in order] for one in order],
        left_out=played - len(order),
    )


def cell(table: CrossTable, one: int, other: int) -> Cell | None:
    met = table.meeting(one, other)
    if met is None:
        return None
    return Cell(matches=met.matches, score=met.score, low=met.low, high=met.high)


def match_row(match: ListedMatch, who: Sequence[Entrant]) -> Match:
    unknown = [None] * len(match.entrants)
    places, luck = match.places or unknown, match.luck or unknown
    return Match(
        match=match.id,
        number=match.number,
        round=match.round,
        label=match.label,
        state=match.state,
        released=match.released,
        seats=[
            Seat(entrant=who[number].name, place=place, luck=its)
            for number, place, its in zip(match.entrants, places, luck, strict=True)
        ],
        rounds=match.rounds,
        committed=match.committed,
    )


# Lists


def count(store: Store) -> int:
    with store.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(tournaments)).scalar_one())


def listed(store: Store, tallies: Tallies, start: int, size: int) -> list[Listed]:
    """The newest first."""
    newest = select(tournaments.c.name).order_by(tournaments.c.id.desc()).offset(start).limit(size)
    with store.reading() as connection:
        names = connection.execute(newest).scalars().all()
    return named(store, tallies, names)


def named(store: Store, tallies: Tallies, names: Sequence[str]) -> list[Listed]:
    return [_listed(store, tallies, store.tournament(name)) for name in names]


def _listed(store: Store, tallies: Tallies, found: Tournament) -> Listed:
    with store.reading() as connection:
        matches, drawn, entered, released = connection.execute(_counts(found)).one()
    return Listed(
        name=found.name,
        state=store.state_told(found),
        created=found.created,
        entrants=entered,
        variants=_variants(found),
        matches=matches,
        released=(released + 1) / drawn if drawn else 0.0,
        best=_best(store, tallies, found) if matches <= SMALL else None,
    )


def _counts(found: Tournament) -> Any:
    """How many fixtures, blocks and entrants it has, and the last block released. Numbers have no gaps."""
    fixture, block, entrant = (
        select(func.coalesce(func.max(table.c.number), -1) + 1).where(table.c.tournament_id == found.id)
        for table in (fixtures, blocks, entrants)
    )
    return select(
        *(fixture.scalar_subquery(), block.scalar_subquery(), entrant.scalar_subquery(), tournaments.c.released)
    ).where(tournaments.c.id == found.id)


def _variants(found: Tournament) -> list[str]:
    told = public_settings(found.config, is_over=True).get("variants", [])
    return list(dict.fromkeys(str(one.get("name")) for one in told if isinstance(one, dict)))


def _best(store: Store, tallies: Tallies, found: Tournament) -> str | None:
    """The first of the only variant, as its format has it, or over all."""
    tables = tallies.tables(found)
    only = list(tables.variants.values())
    rows = (only[0] if len(only) == 1 else tables.over_all).rows
    return store.entrants(found.id)[rows[0].entrant].name if rows and rows[0].matches else None
