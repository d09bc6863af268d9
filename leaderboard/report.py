"""A tournament as one file: all that its pages show, drawn by the same templates, with no need of a network."""

from typing import Any, Final, NamedTuple

from markupsafe import Markup
from pydantic import BaseModel
from sqlalchemy import Select, select

from engine.record import read, ruleset_of
from leaderboard.film import film_of
from leaderboard.maps import map_of
from leaderboard.offline import POLICY, SCRIPT, STYLES, embedded, script, static
from leaderboard.ratings import DOUBTS
from leaderboard.scopes import ALL
from leaderboard.store import Store, Tournament
from leaderboard.store.tables import entrants, fixtures, ratings, scopes, seats
from leaderboard.tallies import Tables
from leaderboard.tournament_matches import Which, count_matches, matches
from leaderboard.web import tournament_data as told
from leaderboard.web.templates import render

MOST_MATCHES: Final = 2000  # in the list; a report of a large tournament would be too large to open
MOST_CROSSED: Final = 40  # entrants of a cross table


class Rated(BaseModel):
    """The rating of an entrant's version, over all that it has played anywhere."""

    entrant: str
    rating: float
    mu: float
    sigma: float
    matches: int


class Report(BaseModel):
    about: told.About
    progress: told.Progress
    over_all: told.Standings
    variants: list[told.Standings]
    ratings: list[Rated]
    matches: list[told.Match]
    matches_in_all: int


class Shown(NamedTuple):
    """A match that can be looked at in the report."""

    match_id: str
    why: str
    film: dict[str, Any]
    map: dict[str, Any]


def report(store: Store, found: Tournament, tables: Tables, films: int = 0) -> str:
    """The page. `films` matches can be looked at in it: those that luck decided, and those won against it."""
    shown = [] if films == 0 else _films(store, found, films)
    maps = {film.film["variant"]: film.map for film in shown}
    return render(
        "report.html",
        page=gathered(store, found, tables),
        films=shown,
        policy=POLICY,
        style=Markup("\n".join(static(name) for name in (*STYLES, "tournament.css"))),
        script=Markup(script(SCRIPT, set()) if shown else ""),
        data={f"film-{number}": Markup(embedded(film.film)) for number, film in enumerate(shown)}
        | {f"map-{variant}": Markup(embedded(drawn)) for variant, drawn in maps.items()},
    )


def gathered(store: Store, found: Tournament, tables: Tables) -> Report:
    about = told.about(store, found, list(tables.variants))
    who, listed = about.entrants, matches(store, found, Which(), 0, MOST_MATCHES)
    return Report(
        about=about,
        progress=told.progress(store, found, tables),
        over_all=told.standings("", tables.over_all, who, MOST_CROSSED),
        variants=[told.standings(label, table, who, MOST_CROSSED) for label, table in tables.variants.items()],
        ratings=_ratings(store, found),
        matches=[told.match_row(one, who) for one in listed],
        matches_in_all=count_matches(store, found, Which()),
    )


def _ratings(store: Store, found: Tournament) -> list[Rated]:
    """The best first; none before the first matches are rated."""
    query = (
        select(entrants.c.name, ratings.c.mu, ratings.c.sigma, ratings.c.matches)
        .join(ratings, ratings.c.version_id == entrants.c.version_id)
        .join(scopes, scopes.c.id == ratings.c.scope_id)
        .where(entrants.c.tournament_id == found.id, scopes.c.kind == ALL)
        .order_by((ratings.c.mu - DOUBTS * ratings.c.sigma).desc(), entrants.c.number)
    )
    with store.reading() as connection:
        return [
            Rated(entrant=name, rating=mu - DOUBTS * sigma, mu=mu, sigma=sigma, matches=played)
            for name, mu, sigma, played in connection.execute(query)
        ]


def _films(store: Store, found: Tournament, wanted: int) -> list[Shown]:
    picked: dict[str, str] = {}
    with store.reading() as connection:
        for order, why in ((seats.c.luck.desc(), "the luckiest winner"), (seats.c.luck, "the unluckiest winner")):
            rows = connection.execute(_winners(found).order_by(order, fixtures.c.number).limit(wanted)).scalars()
            for match_id in list(rows)[: (wanted + 1) // 2]:
                picked.setdefault(match_id, why)
    return [_shown(store, match_id, why) for match_id, why in list(picked.items())[:wanted]]


def _winners(found: Tournament) -> Select[Any]:
    return (
        select(seats.c.fixture_id)
        .join(fixtures, fixtures.c.id == seats.c.fixture_id)
        .where(fixtures.c.tournament_id == found.id, fixtures.c.state == "done", seats.c.place == 1)
    )


def _shown(store: Store, match_id: str, why: str) -> Shown:
    record = read(store.record(match_id).record)
    return Shown(match_id, why, film_of(record), dict(map_of(ruleset_of(record).board)))
