"""Ladders: who is best, per variant, per family of variants and over all."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from leaderboard.store import Store
from leaderboard.web.ladders import (
    PER_PAGE,
    Column,
    Filter,
    LadderData,
    Row,
    ScopeData,
    all_scopes,
    best_of,
    ladder_data,
    scope_named,
)
from leaderboard.web.names import address_of
from leaderboard.web.paging import PageNumber, PerPage
from leaderboard.web.site import site_of
from leaderboard.web.state import State

BEST = 3  # that are named in the list of ladders

pages = APIRouter(include_in_schema=False)
data = APIRouter(tags=["ladders"])


class LadderInShort(BaseModel):
    scope: ScopeData
    best: list[Row]


class LadderList(BaseModel):
    ladders: list[LadderInShort]


async def wanted(
    q: Annotated[str, Query(max_length=100, description="A part of the name of an agent or author.")] = "",
    author: Annotated[str, Query(max_length=100)] = "",
    language: Annotated[str, Query(max_length=100)] = "",
    built_in: Annotated[str, Query(pattern="^(|no|only)$", description="`no` or `only`.")] = "",
    min_matches: Annotated[str, Query(pattern="^[0-9]{0,9}$", description="Agents with at least so many.")] = "",
    sort: Column = "rank",
    down: Annotated[bool, Query(description="The other way round.")] = False,
) -> Filter:
    """Filters come from forms too, which send what is empty."""
    return Filter(
        q=q.strip(),
        author=author,
        language=language,
        built_in=built_in,  # type: ignore[arg-type]
        min_matches=int(min_matches or 0),
        sort=sort,
        down=down,
    )


Wanted = Annotated[Filter, Depends(wanted)]


def ladder_list(store: Store) -> LadderList:
    return LadderList(
        ladders=[
            LadderInShort(scope=scope, best=best_of(store, scope_named(scope.name), BEST) if scope.matches else [])
            for scope in all_scopes(store)
        ]
    )


@pages.get("/ladders/")
async def ladders_page(request: Request) -> Response:
    site = site_of(request)
    return await site.page(request, "ladders.html", lambda: ladder_list(site.store), State.ratings)


@data.get("/ladders", response_model=LadderList)
async def ladders(request: Request) -> Any:
    """All ladders, each with the best on it."""
    site = site_of(request)
    return await site.data(request, lambda: ladder_list(site.store), State.ratings)


@pages.get("/ladders/{scope:name}")
async def ladder_page(request: Request, scope: str, wanted: Wanted, page: PageNumber = 1) -> Response:
    site = site_of(request)
    gather = lambda: ladder_data(site.store, scope, wanted, address_of(request), page, PER_PAGE)  # noqa: E731
    return await site.page(request, "ladder.html", gather, State.ratings)


@data.get("/ladders/{scope:name}", response_model=LadderData)
async def ladder(
    request: Request, scope: str, wanted: Wanted, page: PageNumber = 1, per_page: PerPage = PER_PAGE
) -> Any:
    """A ladder: `classic`, `classic@1`, `family:domination` or `all`."""
    site = site_of(request)
    gather = lambda: ladder_data(site.store, scope, wanted, address_of(request), page, per_page)  # noqa: E731
    return await site.data(request, gather, State.ratings)
