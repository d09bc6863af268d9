"""What can be played, as the wire tells it."""

from functools import cache

from conquest.v1 import catalog_pb2 as wire
from engine.rules.boards.board import Board
from engine.rules.choices import SCHEMAS
from engine.rules.ruleset import Ruleset
from engine.rules.sections.cards import WILDS
from engine.rules.variants import VARIANTS, Variant, ruleset

WILD = "wild"


@cache
def variants() -> wire.ListVariantsResponse:
    return wire.ListVariantsResponse(variants=[variant_told(variant) for variant in VARIANTS.values()])


def variant_told(variant: Variant) -> wire.Variant:
    r = ruleset(variant.name, variant.players[-1])
    board = r.board
    settings = [
        wire.Setting(name=one.name, default_value=one.default, low=one.low, high=one.high, about=one.about)
        for one in variant.settings
    ]
    return wire.Variant(
        name=variant.name,
        version=variant.version,
        title=variant.title,
        about=variant.about,
        players=variant.players,
        board=board.name,
        settings=settings,
        decks=[territory_deck(board), *further_decks(r)],
    )


def territory_deck(board: Board) -> wire.Deck:
    cards = [
        wire.Card(name=board.names[place], copies=1, symbol=board.symbol_names[board.symbols[place]])
        for place in range(board.size)
    ]
    return wire.Deck(name="territories", cards=[*cards, wire.Card(name=WILD, copies=WILDS, symbol=WILD)])


def further_decks(r: Ruleset) -> list[wire.Deck]:
    """Those without symbols; their cards are numbered on after those of the territories."""
    return [
        wire.Deck(name=deck.name, cards=[wire.Card(name=name, copies=1) for name in deck.cards])
        for deck in r.decks[1:]
    ]


def board(variant: str, options: dict[str, int]) -> wire.GetBoardResponse:
    """The board of a variant; raises UnknownName or BadSetting."""
    found = VARIANTS[variant].players[0] if variant in VARIANTS else 0
    told = ruleset(variant, found, options).board
    places = [
        wire.Place(
            id=told.ids[place],
            name=told.names[place],
            short=told.shorts[place],
            region=told.region_of[place],
            neighbours=told.neighbours[place],
            x=told.x[place],
            y=told.y[place],
        )
        for place in range(told.size)
    ]
    regions = [
        wire.Region(id=told.region_ids[region], name=told.region_names[region], bonus=bonus)
        for region, bonus in enumerate(told.region_bonus)
    ]
    return wire.GetBoardResponse(board=wire.Board(name=told.name, places=places, regions=regions))


@cache
def verbs() -> wire.ListVerbsResponse:
    return wire.ListVerbsResponse(
        verbs=[
            wire.Verb(
                number=schema.verb,
                name=schema.name,
                source=schema.source,
                target=schema.target,
                piece=schema.piece,
                card=schema.card,
                amount=schema.amount,
                chance=schema.stream >= 0,
            )
            for schema in SCHEMAS.values()
        ]
    )
