"""What all of the API shares: its prefix, its errors, and its description."""

from typing import Any, Final

from fastapi import FastAPI
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from leaderboard.web.problems import ErrorAnswer
from leaderboard.web.site import site_of
from leaderboard.web.state import State

PREFIX: Final = "/api/v1"
ERRORS: Final[dict[int | str, dict[str, Any]]] = {
    400: {"model": ErrorAnswer, "description": "A parameter that cannot be."},
    404: {"model": ErrorAnswer, "description": "There is no such thing; `close` has names that are like it."},
    429: {"model": ErrorAnswer, "description": "You ask too often; `Retry-After` says how long to wait."},
    503: {"model": ErrorAnswer, "description": "The store cannot be read just now."},
}
ABOUT: Final = (
    "What the pages show, as JSON. Every answer has an ETag: send it back as If-None-Match, and what has not"
    " changed costs nothing. Lists come in pages; `paging.next` is the address of the next one."
)


def nothing(_state: State) -> object:
    """What a page is about that never changes."""
    return None


class Document(BaseModel):
    model_config = {"extra": "allow"}


def describe(app: FastAPI) -> None:
    """Serves the OpenAPI document. Its own pages come from elsewhere, so there are none."""

    async def document(request: Request) -> Response:
        return await site_of(request).data(request, lambda: Document(**app.openapi()), nothing)

    app.add_api_route(f"{PREFIX}/openapi.json", document, include_in_schema=False)
