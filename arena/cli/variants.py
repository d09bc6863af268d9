"""`arena variants`: what can be played, and the rules of each in short."""

from typing import Any

import click

from arena.cli.failures import WrongUse
from arena.cli.output import Output, common, table
from arena.cli.shell import NamingGroup
from engine.rules.boards.board import Board, load
from engine.rules.errors import UnknownName
from engine.rules.in_short import players_in_short, rules_in_words
from engine.rules.variants import VARIANTS, Variant, find


@click.group(
    "variants",
    cls=NamingGroup,
    invoke_without_command=True,
    epilog="Examples: arena variants; arena variants show officers",
)
@common
@click.pass_context
def command(ctx: click.Context) -> None:
    """List the variants, or show the rules of one."""
    if ctx.invoked_subcommand is None:
        list_variants(ctx.ensure_object(Output))


def list_variants(output: Output) -> None:
    if output.as_json:
        output.data([summary(variant) for variant in VARIANTS.values()])
        return
    rows = table("Variants", "name", "players", "board", "about")
    for variant in VARIANTS.values():
        rows.add_row(variant.name, players_in_short(variant.players), variant.board, variant.about)
    output.show(rows)
    output.note("arena variants show NAME tells the rules of one.")


@command.command("show", epilog="Example: arena variants show ad2210-classic")
@click.argument("name")
@common
@click.pass_obj
def show(output: Output, name: str) -> None:
    """Tell the rules of the variant NAME in short: players, options, sections, board."""
    try:
        variant = find(name)
    except UnknownName as error:
        raise WrongUse(str(error)) from error
    if output.as_json:
        output.data(
            summary(variant) | {"sections": rules_in_words(variant), "regions": regions(board_of(variant))}
        )
        return
    output.show(*pages(variant))
    if output.verbose:
        output.show(borders_table(board_of(variant)))
    else:
        output.note(f"arena variants show {name} -v lists the borders too.")


def pages(variant: Variant) -> list[Any]:
    from rich.text import Text

    counts = players_in_short(variant.players)
    about = f"{variant.name}, rules version {variant.version}, {counts} players, family {variant.family}"
    head = Text.assemble((variant.title, "bold"), f"  {about}")
    return [head, variant.about, "", rules_table(variant), options_table(variant), board_table(variant)]


def rules_table(variant: Variant) -> Any:
    rows = table("Rules, section by section", "number", "rule", right=("number",))
    rows.show_header = False
    for number, words in enumerate(rules_in_words(variant), 1):
        rows.add_row(str(number), words)
    return rows


def options_table(variant: Variant) -> Any:
    rows = table("Options (--option name=value)", "name", "default", "range", "about", right=("default", "range"))
    for one in variant.settings:
        rows.add_row(one.name, str(one.default), f"{one.low}-{one.high}", one.about)
    return rows


def board_table(variant: Variant) -> Any:
    board = board_of(variant)
    title = f"Board: {board.title}, {board.size} territories, {len(board.borders)} borders"
    rows = table(title, "region", "bonus", "territories (short name)", right=("bonus",))
    for region, members in enumerate(board.members):
        names = ", ".join(f"{board.names[place]} ({board.shorts[place]})" for place in members)
        rows.add_row(board.region_names[region], str(board.region_bonus[region]), names)
    return rows


def borders_table(board: Board) -> Any:
    rows = table("Borders", "territory", "neighbours")
    for place, name in enumerate(board.names):
        neighbours = ", ".join(board.names[other] for other in board.neighbours[place])
        rows.add_row(f"{name} ({board.shorts[place]})", neighbours)
    return rows


def summary(variant: Variant) -> dict[str, Any]:
    return {
        "name": variant.name,
        "title": variant.title,
        "version": variant.version,
        "about": variant.about,
        "family": variant.family,
        "players": list(variant.players),
        "board": variant.board,
        "options": [setting._asdict() for setting in variant.settings],
    }


def regions(board: Board) -> list[dict[str, Any]]:
    return [
        {
            "name": board.region_names[region],
            "bonus": board.region_bonus[region],
            "territories": [territory(board, place) for place in members],
        }
        for region, members in enumerate(board.members)
    ]


def territory(board: Board, place: int) -> dict[str, Any]:
    neighbours = [board.shorts[other] for other in board.neighbours[place]]
    return {"name": board.names[place], "short": board.shorts[place], "neighbours": neighbours}


def board_of(variant: Variant) -> Board:
    """The board as it is with the options at their default."""
    return load(variant.board, variant.layer)
