"""A match: its page, its film, the page that others may show in a frame, and all of it for programs."""

import hashlib
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from leaderboard.web import match_data
from leaderboard.web.answers import JSON, is_known, not_changed, page_answer
from leaderboard.web.cache import Page
from leaderboard.web.films import Films
from leaderboard.web.site import Gather, site_of

pages = APIRouter(include_in_schema=False)
data = APIRouter(tags=["matches"])


@pages.get("/maps/{variant:name}.json")
async def map_of(request: Request, variant: str) -> Response:
    return kept_answer(request, await films_of(request).map(variant))


@pages.get("/matches/{match_id:name}/film.json")
async def film_of(request: Request, match_id: str) -> Response:
    return kept_answer(request, await films_of(request).film(match_id))


@data.get("/matches/{match_id:name}/film", response_model=dict[str, Any])
async def film_data(request: Request, match_id: str) -> Response:
    """Its film: frames that redraw the board, as docs/viewer.md tells."""
    return kept_answer(request, await films_of(request).film(match_id))


@pages.get("/matches/{match_id:name}")
async def match_page(request: Request, match_id: str) -> Response:
    return await site_of(request).page(request, "match.html", await _match(request, match_id))


@pages.get("/embed/matches/{match_id:name}")
async def embed_page(request: Request, match_id: str) -> Response:
    return await site_of(request).page(request, "embed.html", await _match(request, match_id))


@data.get("/matches/{match_id:name}", response_model=match_data.Match)
async def match_answer(request: Request, match_id: str) -> Response:
    """Its seats, its result, how it moved ratings; notes and details of faults for the authors of the seats."""
    return await site_of(request).data(request, await _match(request, match_id))


def films_of(request: Request) -> Films:
    films: Films = request.app.state.films
    return films


def kept_answer(request: Request, page: Page) -> Response:
    """Its tag follows from what is in it: in another store another match may have the same name."""
    page = page._replace(etag=f'"{hashlib.sha256(page.body).hexdigest()[:24]}"')
    return not_changed(page.etag) if is_known(request, page.etag) else page_answer(request, page, JSON)


async def _match(request: Request, match_id: str) -> Gather:
    site = site_of(request)
    reader = await site.author_of(request)
    return lambda: match_data.match(site.store, match_id, reader)
