"""Variants: what can be played, its rules in short, its board, and who is best at it."""

from typing import Any, Final

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from engine.rules.boards.board import Board, load
from engine.rules.in_short import players_in_short, rules_in_words
from engine.rules.variants import VARIANTS, Variant
from leaderboard.maps import BoardMap, map_of
from leaderboard.scopes import VARIANT, Scope
from leaderboard.store import Store
from leaderboard.web.ladders import Row, best_of
from leaderboard.web.paths import variant_path
from leaderboard.web.problems import unknown
from leaderboard.web.site import site_of
from leaderboard.web.state import State

LISTED: Final = 3  # agents that are named in the list
BEST: Final = 10  # and on the page of a variant

pages = APIRouter(include_in_schema=False)
data = APIRouter(tags=["variants"])


class VariantInShort(BaseModel):
    """A variant, and who is best at it by its newest rules."""

    name: str
    title: str
    about: str
    rules_version: int
    family: str
    board: str
    players: list[int]
    players_in_short: str
    best: list[Row]


class VariantList(BaseModel):
    variants: list[VariantInShort]


class Option(BaseModel):
    """A whole number, or off and on as 0 and 1."""

    name: str
    default: int
    low: int
    high: int
    about: str


class Territory(BaseModel):
    name: str
    short: str
    neighbours: list[str]


class Region(BaseModel):
    name: str
    bonus: int
    territories: list[Territory]


class VariantData(VariantInShort):
    """A variant with its rules in short and its board."""

    rules: list[str]
    options: list[Option]
    board_title: str
    regions: list[Region]


class VariantPage(BaseModel):
    """What the page shows beside the data: the board, drawn."""

    model_config = {"arbitrary_types_allowed": True}

    data: VariantData
    board: Any
    map: Any


def variant_list(store: Store) -> VariantList:
    found = [VariantInShort(**in_short(store, variant, LISTED)) for variant in VARIANTS.values()]
    return VariantList(variants=found)


def variant_data(store: Store, name: str) -> VariantData:
    variant = variant_named(name)
    board = board_of(variant)
    return VariantData(
        **in_short(store, variant, BEST),
        rules=rules_in_words(variant),
        options=[Option(**setting._asdict()) for setting in variant.settings],
        board_title=board.title,
        regions=[region(board, number) for number in range(len(board.members))],
    )


def in_short(store: Store, variant: Variant, best: int) -> dict[str, Any]:
    told = {name: getattr(variant, name) for name in ("name", "title", "about", "family", "board")}
    return told | {
        "rules_version": variant.version,
        "players": list(variant.players),
        "players_in_short": players_in_short(variant.players),
        "best": best_of(store, Scope(VARIANT, variant.name, variant.version), best),
    }


def region(board: Board, number: int) -> Region:
    return Region(
        name=board.region_names[number],
        bonus=board.region_bonus[number],
        territories=[
            Territory(
                name=board.names[place],
                short=board.shorts[place],
                neighbours=[board.shorts[other] for other in board.neighbours[place]],
            )
            for place in board.members[number]
        ],
    )


def variant_page_data(store: Store, name: str) -> VariantPage:
    board = board_of(variant_named(name))
    drawn: BoardMap = map_of(board)
    return VariantPage(data=variant_data(store, name), board=board, map=drawn)


def variant_named(name: str) -> Variant:
    if name not in VARIANTS:
        raise unknown("variant", name, list(VARIANTS), variant_path)
    return VARIANTS[name]


def board_of(variant: Variant) -> Board:
    """The board as it is with the options at their default."""
    return load(variant.board, variant.layer)


@pages.get("/variants/")
async def variants_page(request: Request) -> Response:
    site = site_of(request)
    return await site.page(request, "variants.html", lambda: variant_list(site.store), State.ratings)


@pages.get("/variants/{name:name}")
async def variant_page(request: Request, name: str) -> Response:
    site = site_of(request)
    return await site.page(request, "variant.html", lambda: variant_page_data(site.store, name), State.ratings)


@data.get("/variants", response_model=VariantList)
async def variants(request: Request) -> Any:
    """All variants, each with the best at it."""
    site = site_of(request)
    return await site.data(request, lambda: variant_list(site.store), State.ratings)


@data.get("/variants/{name:name}", response_model=VariantData)
async def variant(request: Request, name: str) -> Any:
    """A variant: rules in short, options, board, and the best at it."""
    site = site_of(request)
    return await site.data(request, lambda: variant_data(site.store, name), State.ratings)
