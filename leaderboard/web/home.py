"""The first page."""

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from leaderboard.web.site import site_of

pages = APIRouter(include_in_schema=False)


class Home(BaseModel):
    pass


@pages.get("/")
async def home_page(request: Request) -> Response:
    return await site_of(request).page(request, "home.html", Home)
