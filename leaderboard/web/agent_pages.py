"""Agents: a list of all, and a page for each. Names may hold anything that can be printed, slashes included."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from leaderboard.scopes import ALL
from leaderboard.store import Store
from leaderboard.web import agent_queries as queries
from leaderboard.web.agent_data import RECENT, AgentData, agent_data
from leaderboard.web.api import PREFIX
from leaderboard.web.names import address_of
from leaderboard.web.paging import PageNumber, Paging, PerPage
from leaderboard.web.paths import agent_path
from leaderboard.web.site import Gather, site_of

PER_PAGE = 60

pages = APIRouter(include_in_schema=False)
data = APIRouter(tags=["agents"])

Ladder = Annotated[str, Query(max_length=100, description="On which ladder: `classic`, `all` and the like.")]
Search = Annotated[str, Query(max_length=100, description="A part of the name of an agent or author.")]


class AgentInShort(BaseModel):
    name: str
    author: str
    version: int
    language: str
    built_in: bool


class AgentList(BaseModel):
    q: str
    agents: list[AgentInShort]
    paging: Paging


def agent_list(store: Store, q: str, path: str, page: int, per_page: int) -> AgentList:
    wanted = q.strip().casefold()
    found = [row for row in queries.listed(store) if wanted in f"{row.name}\n{row.author}".casefold()]
    paging = Paging.of(
        path, {"q": q, "per_page": per_page if per_page != PER_PAGE else None}, page, per_page, len(found)
    )
    agents = [
        AgentInShort(
            name=row.name, author=row.author, version=row.number, language=row.language, built_in=row.built_in
        )
        for row in paging.cut(found)
    ]
    return AgentList(q=q, agents=agents, paging=paging)


@pages.get("/agents/")
async def agents_page(
    request: Request, q: Search = "", name: str = "", ladder: Ladder = ALL, page: PageNumber = 1
) -> Response:
    if name:
        return await agent_page(request, name, ladder, page)
    site = site_of(request)
    gather = lambda: agent_list(site.store, q, address_of(request), page, PER_PAGE)  # noqa: E731
    return await site.page(request, "agents.html", gather)


@data.get("/agents", response_model=AgentList)
async def agents(request: Request, q: Search = "", page: PageNumber = 1, per_page: PerPage = PER_PAGE) -> Any:
    """All agents by name."""
    site = site_of(request)
    return await site.data(request, lambda: agent_list(site.store, q, address_of(request), page, per_page))


@pages.get("/agents/{name:name}")
async def agent_page(request: Request, name: str, ladder: Ladder = ALL, page: PageNumber = 1) -> Response:
    gather = await _gather(request, "", name, ladder, page, RECENT)
    return await site_of(request).page(request, "agent.html", gather)


@data.get("/agents/{name:name}", response_model=AgentData)
async def agent(
    request: Request, name: str, ladder: Ladder = ALL, page: PageNumber = 1, per_page: PerPage = RECENT
) -> Any:
    """An agent: standings, history, rivals, matches and conduct. Details of faults are for its author alone."""
    name = name or request.query_params.get("name", "")  # one that no path can have
    gather = await _gather(request, PREFIX, name, ladder, page, per_page)
    return await site_of(request).data(request, gather)


async def _gather(request: Request, prefix: str, name: str, ladder: str, page: int, per_page: int) -> Gather:
    site = site_of(request)
    author = await site.author_of(request)
    return lambda: agent_data(site.store, name, ladder, author, prefix + agent_path(name), page, per_page)
