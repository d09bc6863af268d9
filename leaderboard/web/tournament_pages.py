"""Tournaments: the list, how one stands, its matches, and all of it for programs."""

import asyncio
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from pydantic import BaseModel
from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import Response

from leaderboard.store import Store, Tournament
from leaderboard.store.tables import tournaments
from leaderboard.store.tournaments import by_name
from leaderboard.tallies import Tables, Tallies
from leaderboard.tournament_matches import STATES, Which, count_matches, latest, matches
from leaderboard.web import tournament_data as told
from leaderboard.web.names import address_of
from leaderboard.web.paging import PageNumber, Paging, PerPage
from leaderboard.web.paths import tournament_path, with_query
from leaderboard.web.problems import bad_value, unknown
from leaderboard.web.site import About, Gather, Site, site_of

LATEST: Final = 8  # matches that ended last
ROWS: Final = 100

pages = APIRouter(include_in_schema=False)
data = APIRouter(tags=["tournaments"])

Label = Annotated[str, Query(max_length=100, description="The label of a variant; left out, over all.")]
Name = Annotated[str, Query(max_length=100, description="The name of an entrant.")]
State = Annotated[str, Query(max_length=20, description=f"One of {', '.join(STATES)}.")]


class TournamentList(BaseModel):
    tournaments: list[told.Listed]
    paging: Paging


class TournamentPage(BaseModel):
    """A tournament, with the standings of a variant or over all."""

    about: told.About
    progress: told.Progress
    label: str
    standings: told.Standings
    latest: list[told.Match]
    paging: Paging


class MatchList(BaseModel):
    tournament: str
    entrants: list[str]
    variants: list[str]
    entrant: str
    variant: str
    state: str
    matches: list[told.Match]
    paging: Paging


# Pages and data


@pages.get("/tournaments/")
async def list_page(request: Request, page: PageNumber = 1, name: str = "") -> Response:
    if name:  # a name that browsers take for a folder
        return await tournament_page(request, name)
    return await site_of(request).page(request, "tournaments.html", _list(request, page, 25))


@data.get("/tournaments", response_model=TournamentList)
async def list_data(request: Request, page: PageNumber = 1, per_page: PerPage = 50) -> Response:
    """All tournaments, the newest first."""
    return await site_of(request).data(request, _list(request, page, per_page))


@pages.get("/tournaments/{name:name}/matches")
async def matches_page(
    request: Request, name: str, entrant: Name = "", variant: Label = "", state: State = "", page: PageNumber = 1
) -> Response:
    gather, about = await _matches(request, name, entrant, variant, state, page, 50)
    return await site_of(request).page(request, "tournament_matches.html", gather, about)


@data.get("/tournaments/{name:name}/matches", response_model=MatchList)
async def matches_data(
    request: Request,
    name: str,
    entrant: Name = "",
    variant: Label = "",
    state: State = "",
    page: PageNumber = 1,
    per_page: PerPage = 50,
) -> Response:
    """Its matches in the order in which they were drawn, or some of them."""
    gather, about = await _matches(request, name, entrant, variant, state, page, per_page)
    return await site_of(request).data(request, gather, about)


@pages.get("/tournaments/{name:name}")
async def tournament_page(request: Request, name: str, variant: Label = "", page: PageNumber = 1) -> Response:
    gather, about = await _tournament(request, name, variant, page, ROWS)
    return await site_of(request).page(request, "tournament.html", gather, about)


@data.get("/tournaments/{name:name}", response_model=TournamentPage)
async def tournament_data(
    request: Request, name: str, variant: Label = "", page: PageNumber = 1, per_page: PerPage = ROWS
) -> Response:
    """How it stands, its settings, and who was placed above whom."""
    gather, about = await _tournament(request, name, variant, page, per_page)
    return await site_of(request).data(request, gather, about)


# What they show


def tallies_of(request: Request) -> Tallies:
    tallies: Tallies = request.app.state.tallies
    return tallies


def find(store: Store, name: str) -> Tournament:
    """Problem if there is none of that name."""
    with store.reading() as connection:
        found = by_name(connection, name)
        if found is None:
            known = list(connection.execute(select(tournaments.c.name)).scalars())
            raise unknown("tournament", name, known, tournament_path)
    return found


async def look(request: Request, name: str) -> tuple[Tournament, Tables]:
    """The tournament and how it stands: looked at once, whoever asks, and again after a moment."""
    site, tallies = site_of(request), tallies_of(request)
    looks: dict[str, asyncio.Task[tuple[Tournament, Tables]]] = request.app.state.looks
    if name not in looks:
        looks[name] = asyncio.ensure_future(site.in_thread(partial(_look, site.store, tallies, name)))
        later, seconds = asyncio.get_running_loop().call_later, site.settings.state_seconds
        looks[name].add_done_callback(lambda _: later(seconds, looks.pop, name))
    return await asyncio.shield(looks[name])


def _look(store: Store, tallies: Tallies, name: str) -> tuple[Tournament, Tables]:
    found = find(store, name)
    return found, tallies.tables(found)


def version_of(site: Site, found: Tournament, tables: Tables) -> About:
    """What a page about one tournament depends on."""
    told_state = site.store.state_told(found)
    return lambda state: (tables.version, told_state, state.noted)


def _list(request: Request, page: int, per_page: int) -> Gather:
    store, tallies, path, query = site_of(request).store, tallies_of(request), *_address(request)

    def gather() -> TournamentList:
        paging = Paging.of(path, query, page, per_page, told.count(store))
        return TournamentList(tournaments=told.listed(store, tallies, paging.start, per_page), paging=paging)

    return gather


async def _tournament(request: Request, name: str, label: str, page: int, per_page: int) -> tuple[Gather, About]:
    site, (found, tables), address = site_of(request), await look(request, name), _address(request)

    def gather() -> TournamentPage:
        about = told.about(site.store, found, list(tables.variants))
        standings = told.standings(label, table_of(tables, found, label), about.entrants)
        paging = Paging.of(*address, page, per_page, len(standings.rows))
        return TournamentPage(
            about=about,
            progress=told.progress(site.store, found, tables),
            label=label,
            standings=standings.model_copy(update={"rows": paging.cut(standings.rows)}),
            latest=[told.match_row(one, about.entrants) for one in latest(site.store, found, LATEST)],
            paging=paging,
        )

    return gather, version_of(site, found, tables)


def table_of(tables: Tables, found: Tournament, label: str) -> Any:
    if not label:
        return tables.over_all
    if label not in tables.variants:
        link = lambda name: with_query(tournament_path(found.name), {"variant": name})  # noqa: E731
        raise unknown("variant", label, list(tables.variants), link)
    return tables.variants[label]


async def _matches(
    request: Request, name: str, entrant: str, label: str, state: str, page: int, per_page: int
) -> tuple[Gather, About]:
    site, (found, tables), (path, query) = site_of(request), await look(request, name), _address(request)
    if state and state not in STATES:
        raise bad_value("state", f"It is one of {', '.join(STATES)}.")
    if label:
        table_of(tables, found, label)

    def gather() -> MatchList:
        who = told.entrants_of(site.store, found)
        numbers = {one.name: one.number for one in who}
        if entrant and entrant not in numbers:
            link = lambda other: with_query(path, {**query, "entrant": other, "page": None})  # noqa: E731
            raise unknown("entrant", entrant, list(numbers), link)
        which = Which(numbers[entrant] if entrant else None, label or None, state or None)
        paging = Paging.of(path, query, page, per_page, count_matches(site.store, found, which))
        rows = matches(site.store, found, which, paging.start, per_page)
        return MatchList(
            tournament=found.name,
            entrants=list(numbers),
            variants=list(tables.variants),
            entrant=entrant,
            variant=label,
            state=state,
            matches=[told.match_row(one, who) for one in rows],
            paging=paging,
        )

    return gather, version_of(site, found, tables)


def _address(request: Request) -> tuple[str, dict[str, str]]:
    """The path as it was asked for, and what the links to other pages keep."""
    return address_of(request), dict(request.query_params)
