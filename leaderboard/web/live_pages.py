"""Live pages: tournaments and matches that are told as they happen."""

import asyncio
from http import HTTPStatus
from typing import Any, Final

from fastapi import APIRouter
from pydantic import BaseModel
from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from leaderboard.store.tables import fixtures
from leaderboard.web.answers import HTML, JSON, PRIVATE
from leaderboard.web.hub import Hub
from leaderboard.web.names import address_of
from leaderboard.web.paths import live_path, match_path
from leaderboard.web.problems import unknown
from leaderboard.web.referee import RunningMatch
from leaderboard.web.site import Site, site_of
from leaderboard.web.templates import render
from leaderboard.web.tournament_pages import find

FIRST_SECONDS: Final = 2.0  # to hear of a match for the first time

pages = APIRouter(include_in_schema=False)
data = APIRouter(tags=["live"])


class LiveList(BaseModel):
    matches: list[RunningMatch]


class Kept(BaseModel):
    kept: bool


class LivePage(BaseModel):
    """A match as far as it is known: without a film the referee is still waited for."""

    match: str
    title: str
    variant: str
    agents: list[str]
    notice: str

    @classmethod
    def of(cls, match_id: str, film: dict[str, Any] | None, notice: str) -> "LivePage":
        told = film or {"title": "", "variant": "", "seats": []}
        agents = [seat["agent"] for seat in told["seats"]]
        return cls(match=match_id, title=told["title"], variant=told["variant"], agents=agents, notice=notice)


def hub_of(request: Request) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


@data.get("/live", response_model=LiveList)
async def live_data(request: Request) -> Response:
    """The matches that are being played on the referee, the newest first."""
    live = LiveList(matches=await hub_of(request).running())
    return Response(live.model_dump_json(), headers={"cache-control": "no-store"}, media_type=JSON)


@pages.get("/live/tournaments/{name:name}")
async def tournament_stream(request: Request, name: str) -> Response:
    site, hub = site_of(request), hub_of(request)
    found = await site.in_thread(lambda: find(site.store, name))
    return hub.stream(request, await hub.follow(found))


@pages.get("/live/matches/{match_id:name}/events")
async def match_stream(request: Request, match_id: str) -> Response:
    hub = hub_of(request)
    return hub.stream(request, hub.watch(match_id))


@pages.get("/live/matches/{match_id:name}/kept")
async def is_kept(request: Request, match_id: str) -> Response:
    """Whether the book has it by now, for the page of a match that is over."""
    site = site_of(request)
    kept = Kept(kept=await site.in_thread(lambda: _is_done(site, match_id)))
    return Response(kept.model_dump_json(), headers={"cache-control": "no-store"}, media_type=JSON)


@pages.get("/live/matches/{match_id:name}")
async def live_page(request: Request, match_id: str) -> Response:
    """A match as it happens; one that the book has already is on its own page."""
    site, hub = site_of(request), hub_of(request)
    if await site.in_thread(lambda: _is_done(site, match_id)):
        return RedirectResponse(match_path(match_id), HTTPStatus.SEE_OTHER)
    watched = hub.watch(match_id)
    try:
        async with asyncio.timeout(FIRST_SECONDS):
            await watched.known.wait()
    except TimeoutError:
        pass  # the page waits for the referee
    film = watched.data()
    if film is None and watched.is_over:
        raise unknown("match", match_id, [one.match_id for one in await hub.running()], live_path)
    page = LivePage.of(match_id, film, watched.notice)
    author = await site.author_of(request)
    text = render("live_match.html", path=address_of(request), author=author, page=page)
    return Response(text, headers=PRIVATE, media_type=HTML)


def _is_done(site: Site, match_id: str) -> bool:
    with site.store.reading() as connection:
        query = select(fixtures.c.state).where(fixtures.c.id == match_id)
        return connection.execute(query).scalar_one_or_none() not in (None, "open")
