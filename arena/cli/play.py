"""`arena play`: one match, or a series with rotated seats."""

import sys
import time
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import click

from arena import matches
from arena.cli import files
from arena.cli.failures import BOT_FAULT, WrongUse, complain
from arena.cli.output import Output, common
from arena.cli.results import Tally, fault_lines, match_data, match_page, series_data, series_page
from arena.matches import Fixture, Played
from engine.rules.errors import RulesError
from engine.rules.variants import ruleset
from sdk.local import BotLoadError, BotSpec, load_bot

MOST_SEED = 2**63 - 1


def read_options(_ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> dict[str, int]:
    """`--option rounds=20`, repeated."""
    options: dict[str, int] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name or not value.removeprefix("-").isdecimal():
            raise click.BadParameter(f"'{text}' is not of the form name=number, like rounds=20.")
        if name in options:
            raise click.BadParameter(f"'{name}' is given twice.")
        options[name] = int(value)
    return options


@click.command(
    "play",
    epilog="Examples: arena play --variant classic --bot strategist --bot random --bot my/bot.py:MyBot"
    " --record match.cqr; arena play --bot strategist --bot aggressor --bot cautious --matches 100",
)
@click.option("--variant", default="classic", show_default=True, help="What to play; see 'arena variants'.")
@click.option(
    "--bot",
    "names",
    multiple=True,
    required=True,
    help="One for each seat: a built-in name or path/file.py:Class.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, MOST_SEED),
    help="The same dice every time, for debugging; marks the record.",
)
@click.option(
    "--option", "options", multiple=True, callback=read_options, help="An option of the variant, name=value."
)
@click.option("--rounds", type=int, help="The round limit; short for --option rounds=N.")
@click.option(
    "--record",
    "target",
    type=click.Path(path_type=Path),
    help="Write the record here. With --matches this is a folder for 0001.cqr, 0002.cqr, and so on.",
)
@click.option(
    "--matches",
    "count",
    type=click.IntRange(1, 1_000_000),
    default=1,
    show_default=True,
    help="How many to play; seats rotate from one to the next. With --seed N they have the seeds N, N+1, ...",
)
@common
@click.pass_context
def command(
    ctx: click.Context,
    variant: str,
    names: tuple[str, ...],
    seed: int | None,
    options: dict[str, int],
    rounds: int | None,
    target: Path | None,
    count: int,
) -> None:
    """Play matches between bots.

    A bot that raises or answers against the rules is passed over; the third fault loses its seat, the
    others play on, and the exit code is 3.
    """
    output: Output = ctx.obj
    entries = prepare(variant, names, options, rounds)
    paths = files.record_paths(target, count)
    fixtures = matches.series(variant, options, entries, count, seed)
    if count == 1:
        faulty = play_one(output, fixtures[0], paths[0])
    else:
        faulty = play_series(output, fixtures, entries, paths)
    ctx.exit(BOT_FAULT if faulty else 0)


def prepare(variant: str, names: tuple[str, ...], options: dict[str, int], rounds: int | None) -> list[BotSpec]:
    """Checks everything that can be checked before a match, and adds the round limit to the options."""
    if rounds is not None:
        if options.get("rounds", rounds) != rounds:
            raise WrongUse("--rounds and --option rounds= differ: give one of them.")
        options["rounds"] = rounds
    try:
        ruleset(variant, len(names), options)
    except RulesError as error:
        raise WrongUse(f"{error}{_count_hint(names, error)}") from None
    return [find_bot(name) for name in names]


def find_bot(name: str) -> BotSpec:
    """The bot, made once for trial, so that one which cannot start is refused before anything is played."""
    try:
        with redirect_stdout(sys.stderr):  # what it prints must not get into our results
            found = load_bot(name)
            found.new(0)
    except BotLoadError as error:
        raise WrongUse(str(error)) from error
    return found


def _count_hint(names: tuple[str, ...], error: RulesError) -> str:
    return f" Give --bot once for each player ({len(names)} given)." if "players, not for" in str(error) else ""


def play_one(output: Output, fixture: Fixture, path: Path | None) -> bool:
    played = matches.play(fixture)
    if path is not None:
        files.save(played.record, path)
    if output.as_json:
        output.data(match_data(played, path))
    else:
        output.show(*match_page(played, path))
    return report([played], output)


def play_series(output: Output, fixtures: list[Fixture], entries: list[BotSpec], paths: list[Path | None]) -> bool:
    tally = Tally(entries)
    faulty: list[Played] = []
    began = time.perf_counter()
    with output.progress() as progress:
        for fixture, path in zip(progress.track(fixtures, description="matches"), paths, strict=True):
            played = matches.play(fixture)
            if path is not None:
                files.save(played.record, path)
            tally.add(played)
            if played.faults:
                faulty.append(played)
    tally.seconds = time.perf_counter() - began
    show_series(output, tally, fixtures[0])
    return report(faulty, output)


def show_series(output: Output, tally: Tally, fixture: Fixture) -> None:
    if output.as_json:
        output.data(series_data(tally, fixture))
    else:
        output.show(*series_page(tally, fixture))


def report(played: list[Played], output: Output) -> bool:
    """Names the faults of bots; true if there were any."""
    faults: list[Any] = [fault for one in played for fault in one.faults]
    if output.verbose:
        for text in dict.fromkeys(fault.traceback for fault in faults if fault.traceback):
            click.echo(text, err=True)
    for line in fault_lines(faults):
        complain(line)
    return bool(faults)
