"""Pages that explain: what ratings mean, and the API."""

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from leaderboard.ratings import BETA, CHANGE, DOUBTS, MU, SIGMA
from leaderboard.web.api import nothing
from leaderboard.web.site import site_of

pages = APIRouter(include_in_schema=False)


class AboutRatings(BaseModel):
    """The numbers that the page of ratings names."""

    mu: float = MU
    sigma: float = SIGMA
    beta: float = BETA
    change: float = CHANGE
    doubts: int = DOUBTS


class AboutApi(BaseModel):
    """The addresses of the API stand in its document."""

    base: str


@pages.get("/about/ratings")
async def ratings_page(request: Request) -> Response:
    return await site_of(request).page(request, "about_ratings.html", AboutRatings, nothing)


@pages.get("/about/api")
async def api_page(request: Request) -> Response:
    base = str(request.base_url).rstrip("/")
    return await site_of(request).page(request, "about_api.html", lambda: AboutApi(base=base), lambda _state: base)
