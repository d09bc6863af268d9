"""A JSON Feed of finished tournaments, the newest first."""

from typing import Final

from fastapi import APIRouter
from pydantic import BaseModel
from sqlalchemy import func, select
from starlette.requests import Request
from starlette.responses import Response

from leaderboard.store import Store
from leaderboard.store.tables import audit, tournaments
from leaderboard.tallies import Tallies
from leaderboard.web import tournament_data
from leaderboard.web.paths import tournament_path
from leaderboard.web.site import site_of
from leaderboard.web.state import State
from leaderboard.web.tournament_pages import tallies_of
from leaderboard.web.words import plural, stamp

MOST: Final = 30
TYPE: Final = "application/feed+json"
VERSION: Final = "https://jsonfeed.org/version/1.1"
FINISHED: Final = "finished"

pages = APIRouter(include_in_schema=False)


class Item(BaseModel):
    id: str
    url: str
    title: str
    content_text: str
    date_published: str


class Feed(BaseModel):
    version: str = VERSION
    title: str = "Conquest Arena: finished tournaments"
    home_page_url: str
    feed_url: str
    items: list[Item]


def feed_data(store: Store, tallies: Tallies, base: str) -> Feed:
    """`base` is the address of the server, without a slash at its end."""
    ended = func.max(audit.c.time).label("ended")
    query = (
        select(tournaments.c.name, ended)
        .join(audit, (audit.c.subject == tournaments.c.name) & (audit.c.what == FINISHED))
        .where(tournaments.c.state == FINISHED)
        .group_by(tournaments.c.id, tournaments.c.name)
        .order_by(ended.desc())
        .limit(MOST)
    )
    with store.reading() as connection:
        rows = connection.execute(query).all()
    listed = tournament_data.named(store, tallies, [row.name for row in rows])
    items = [item(one, row.ended, base) for one, row in zip(listed, rows, strict=True)]
    return Feed(home_page_url=f"{base}/", feed_url=f"{base}/feed.json", items=items)


def item(one: tournament_data.Listed, ended: float, base: str) -> Item:
    url = base + tournament_path(one.name)
    winner = f" Won by {one.best}." if one.best else ""
    variants = ", ".join(one.variants)
    counts = f"{plural(one.entrants, 'entrant')}, {plural(one.matches, 'match', 'matches')}"
    text = f"{counts}, {variants}.{winner}"
    return Item(id=url, url=url, title=one.name, content_text=text, date_published=stamp(ended))


@pages.get("/feed.json")
async def feed(request: Request) -> Response:
    site, tallies, base = site_of(request), tallies_of(request), str(request.base_url).rstrip("/")

    def about(state: State) -> object:
        return state, base

    answer = await site.data(request, lambda: feed_data(site.store, tallies, base), about)
    answer.headers["content-type"] = TYPE
    return answer
