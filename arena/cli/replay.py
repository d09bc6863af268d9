"""`arena replay`: records shown, verified, exported, and played on from."""

from pathlib import Path
from typing import NamedTuple

import click

from arena.cli import files, page, story_view
from arena.cli.export import FORMATS, SUFFIXES
from arena.cli.failures import FAILED
from arena.cli.fork import fork
from arena.cli.output import Output, common
from arena.cli.shell import NamingGroup
from engine import record

RECORD = click.Path(path_type=Path)


@click.group("replay", cls=NamingGroup, epilog="Example: arena replay show match.cqr --turn 12")
@common
def command() -> None:
    """Look at records of matches, check them, play on from them."""


command.add_command(fork)


@command.command(
    "show",
    short_help="Tell a match turn by turn, with the board.",
    epilog="Examples: arena replay show match.cqr; arena replay show match.cqr --turn 12",
)
@click.argument("file", type=RECORD)
@click.option(
    "--turn",
    "number",
    type=int,
    help="Show all actions of this turn and the board after it; 0 is the set-up.",
)
@common
@click.pass_obj
def show(output: Output, file: Path, number: int | None) -> None:
    """Tell the match of the record FILE turn by turn, with the board."""
    told = files.story(file)
    turn = None if number is None else told.turn(number)
    if output.as_json:
        output.data(story_view.match_data(told) if turn is None else story_view.turn_data(told, turn))
    else:
        output.show(*(story_view.match_page(told) if turn is None else story_view.turn_page(told, turn)))


@command.command(
    "verify", short_help="Play records again and compare.", epilog="Example: arena replay verify records/*.cqr"
)
@click.argument("names", nargs=-1, required=True, type=RECORD, metavar="FILE...")
@common
@click.pass_context
def verify(ctx: click.Context, names: tuple[Path, ...]) -> None:
    """Play every record FILE again and compare: dice, legality, positions, result.

    One line for each; the exit code is 1 if any of them does not hold.
    """
    verdicts = [(path, verdict(path)) for path in names]
    output: Output = ctx.obj
    if output.as_json:
        output.data([{"file": str(path)} | told._asdict() for path, told in verdicts])
    else:
        for path, told in verdicts:
            marks = f" ({', '.join(told.marks)})" if told.marks else ""
            click.echo(f"{path}: {told.error or f'ok{marks}'}")
    ctx.exit(0 if all(told.ok for _, told in verdicts) else FAILED)


class Verdict(NamedTuple):
    """What is wrong with a record, or else what a reader should know about it."""

    ok: bool
    error: str | None
    marks: list[str]


def verdict(path: Path) -> Verdict:
    try:
        kept = files.load(path)
        record.verify(kept)
    except click.ClickException as error:
        return Verdict(False, error.message.removeprefix(f"{path}").removeprefix(":").strip(), [])
    except record.RecordError as error:
        return Verdict(False, str(error), [])
    seeded = ["seeded: its dice were known beforehand"] if kept.seeded else []
    return Verdict(True, None, seeded + [f"forked at action {fork.action}" for fork in kept.forks])


@command.command(
    "export",
    short_help="Write a record as JSON lines or text.",
    epilog="Example: arena replay export match.cqr --to jsonl --output match.jsonl",
)
@click.argument("file", type=RECORD)
@click.option(
    "--to",
    "form",
    type=click.Choice(list(FORMATS)),
    required=True,
    help="jsonl: one line an action; text: the notation.",
)
@click.option("--output", "target", type=click.Path(), help="Write to this file instead of stdout.")
@common
@click.pass_obj
def export(output: Output, file: Path, form: str, target: str | None) -> None:
    """Write the record FILE in a format that other programs read."""
    path = None if target is None else files.check_writable(target, SUFFIXES[form], source=file)
    lines = FORMATS[form](files.story(file))
    if path is None:
        for line in lines:
            click.echo(line)
        return
    files.write_whole(path, "".join(f"{line}\n" for line in lines).encode())
    output.note(f"Wrote {path}")


@command.command(
    "html",
    short_help="Write a match as a page to watch, in one file.",
    epilog="Examples: arena replay html match.cqr --open; arena replay html match.cqr --to match.html",
)
@click.argument("file", type=RECORD)
@click.option(
    "--to", "target", type=click.Path(), help="Write to this file instead of FILE with .html at its end."
)
@click.option("--open", "is_shown", is_flag=True, help="Open it in the browser.")
@common
@click.pass_obj
def html(output: Output, file: Path, target: str | None, is_shown: bool) -> None:
    """Write the record FILE as one page that plays the match: board, dice, cards and curves.

    The page needs no network and no server: send it to whom you like.
    """
    kept = files.load(file)
    path = files.check_writable(target or str(file.with_suffix(page.SUFFIX)), page.SUFFIX, source=file)
    with files.replaying(file):
        page.write(kept, path, output)
    if is_shown:
        page.show(path)
