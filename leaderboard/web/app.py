"""The application: the pages and the API over a store. docs/leaderboard.md tells how it is run."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from leaderboard.store import Store, StoreError
from leaderboard.web import agent_pages, api, assets, home, ladder_pages, login, variant_pages
from leaderboard.web.answers import handle
from leaderboard.web.headers import Guard
from leaderboard.web.limits import Buckets
from leaderboard.web.problems import Problem
from leaderboard.web.settings import USUAL, Settings
from leaderboard.web.site import Site

VERSION: Final = "1"  # of the API
PAGES: Final = (assets, home, ladder_pages, agent_pages, variant_pages, login)  # modules with a router `pages`
DATA: Final = (ladder_pages, agent_pages, variant_pages)  # modules with a router `data`


def create_app(store: Store, settings: Settings = USUAL) -> FastAPI:
    """The pages over a store, which is only read. Who made the store closes it."""
    site = Site(store, settings)

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        yield
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
