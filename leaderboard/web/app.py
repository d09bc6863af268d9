"""The application: the pages and the API over a store. docs/leaderboard.md tells how it is run."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from leaderboard.store import Store, StoreError
from leaderboard.tallies import Outcomes, Tallies, no_outcomes
from leaderboard.web import (
    about,
    agent_pages,
    api,
    assets,
    downloads,
    feed,
    home,
    ladder_pages,
    live_pages,
    login,
    match_pages,
    tournament_pages,
    variant_pages,
)
from leaderboard.web.answers import handle
from leaderboard.web.films import Films
from leaderboard.web.headers import Guard
from leaderboard.web.hub import Hub
from leaderboard.web.limits import Buckets
from leaderboard.web.problems import Problem
from leaderboard.web.referee import Dial
from leaderboard.web.remarkable import Leads
from leaderboard.web.settings import USUAL, Settings
from leaderboard.web.site import Site

VERSION: Final = "1"  # of the API
# Modules with a router `pages`; a path that goes on comes before the one that it goes on from.
PAGES: Final = (
    *(assets, home, about, feed, login, ladder_pages, agent_pages, variant_pages),
    *(downloads, live_pages, match_pages, tournament_pages),
)
# Modules with a router `data`.
DATA: Final = (home, ladder_pages, agent_pages, variant_pages, live_pages, match_pages, tournament_pages)


def create_app(
    store: Store, settings: Settings = USUAL, outcomes: Outcomes = no_outcomes, dial: Dial | None = None
) -> FastAPI:
    """The pages over a store, which is only read. Who made the store closes it.

    `outcomes` tells what formats say of entrants; `dial` is the referee whose running matches can be watched.
    """
    site = Site(store, settings)
    tallies = Tallies(store, outcomes)
    hub = Hub(site, tallies, dial)

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        reading = asyncio.create_task(_read_ahead(site, tallies))
        yield
        await hub.close()
        await reading
        site.close()

    app = FastAPI(
        title="Conquest Arena",
        version=VERSION,
        description=api.ABOUT,
        lifespan=life,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
    )
    app.state.site = site
    app.state.tallies = tallies
    app.state.looks = {}
    app.state.films = Films(store, settings.film_bytes)
    app.state.hub = hub
    app.state.leads = Leads()
    app.state.logins = Buckets(1 / settings.login_seconds, settings.logins, settings.clients, settings.clock)
    for module in PAGES:
        app.include_router(module.pages)
    routes = APIRouter(prefix=api.PREFIX, responses=api.ERRORS)
    for module in DATA:
        routes.include_router(module.data)
    app.include_router(routes)
    api.describe(app)
    for kind in (Problem, RequestValidationError, HTTPException, StoreError, SQLAlchemyError):
        app.add_exception_handler(kind, handle)
    app.add_middleware(Guard, buckets=Buckets(settings.rate, settings.burst, settings.clients, settings.clock))
    return app


async def _read_ahead(site: Site, tallies: Tallies) -> None:
    """A large tournament takes seconds to be read for the first time."""
    with suppress(StoreError, SQLAlchemyError):  # whoever asks is told
        await site.in_thread(tallies.read_ahead)
