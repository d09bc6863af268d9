"""The first page: what this is, what goes on, and who is best."""

from typing import Any, Final

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from leaderboard.scopes import EVERYTHING, VARIANT
from leaderboard.store import Store
from leaderboard.tallies import Tallies
from leaderboard.web import tournament_data
from leaderboard.web.ladder_pages import LadderInShort
from leaderboard.web.ladders import all_scopes, best_of, scope_named
from leaderboard.web.live_pages import hub_of
from leaderboard.web.referee import RunningMatch
from leaderboard.web.remarkable import Leads, Remarkable, closest, luckiest
from leaderboard.web.site import Gather, site_of
from leaderboard.web.state import State
from leaderboard.web.tournament_pages import tallies_of

LATEST: Final = 4  # tournaments
RUNNING: Final = 6  # matches
BEST: Final = 5  # agents of the ladder over all
NAMED: Final = 1  # and of each variant

pages = APIRouter(include_in_schema=False)
data = APIRouter(tags=["home"])


class Home(BaseModel):
    """What goes on and who is best, in short."""

    running: list[RunningMatch]
    tournaments: list[tournament_data.Listed]
    closest: list[Remarkable]
    luckiest: list[Remarkable]
    best: LadderInShort
    variants: list[LadderInShort]


def home_data(store: Store, tallies: Tallies, leads: Leads, running: list[RunningMatch]) -> Home:
    scopes = all_scopes(store)
    return Home(
        running=running[:RUNNING],
        tournaments=tournament_data.listed(store, tallies, 0, LATEST),
        closest=closest(store, leads),
        luckiest=luckiest(store),
        best=LadderInShort(scope=scopes[0], best=best_of(store, EVERYTHING, BEST)),
        variants=[
            LadderInShort(scope=scope, best=best_of(store, scope_named(scope.name), NAMED))
            for scope in scopes
            if scope.kind == VARIANT and scope.matches
        ],
    )


@pages.get("/")
async def home_page(request: Request) -> Response:
    gather, about = await _home(request)
    return await site_of(request).page(request, "home.html", gather, about)


@data.get("/home", response_model=Home)
async def home(request: Request) -> Any:
    """What goes on and who is best, in short."""
    gather, about = await _home(request)
    return await site_of(request).data(request, gather, about)


async def _home(request: Request) -> tuple[Gather, Any]:
    site, tallies, leads = site_of(request), tallies_of(request), request.app.state.leads
    running = await hub_of(request).running()

    def about(state: State) -> object:
        return state, [one.match_id for one in running[:RUNNING]]

    return lambda: home_data(site.store, tallies, leads, running), about
