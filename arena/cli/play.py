"""`arena play`: one match, or a series with rotated seats."""

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from itertools import chain
from pathlib import Path

import click

from arena import matches
from arena.cli import files, page
from arena.cli.failures import BOT_FAULT, Interrupted, WrongUse, complain
from arena.cli.output import Output, common
from arena.cli.results import Faults, Tally, match_data, match_page, series_data, series_page
from arena.matches import Fixture
from engine.rules.errors import RulesError
from engine.rules.variants import ruleset
from sdk.local import BotLoadError, BotSpec, load_bot

MOST_SEED = 2**63 - 1
MOST_DIGITS = 9  # of an option


def read_options(_ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> dict[str, int]:
    """`--option rounds=20`, repeated."""
    options: dict[str, int] = {}
    for text in given:
        name, _, value = text.partition("=")
        digits = value.removeprefix("-")
        if not name or not digits.isdecimal() or not digits.isascii() or len(digits) > MOST_DIGITS:
            raise click.BadParameter(f"'{text[:40]}' is not of the form name=number, like rounds=20.")
        if name in options:
            raise click.BadParameter(f"'{name}' is given twice.")
        options[name] = int(value)
    return options


@click.command(
    "play",
    epilog="Examples: arena play --variant classic --bot strategist --bot random --bot my/bot.py:MyBot"
    " --record match.cqr; arena play --bot strategist --bot aggressor --bot cautious --open; arena play"
    " --bot strategist --bot aggressor --bot cautious --matches 100",
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
    type=click.Path(),
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
@click.option(
    "--html", "page_target", type=click.Path(), help="Write the match here as a page that plays it, in one file."
)
@click.option("--open", "is_shown", is_flag=True, help="Open that page in the browser.")
@common
@click.pass_context
def command(
    ctx: click.Context,
    variant: str,
    names: tuple[str, ...],
    seed: int | None,
    options: dict[str, int],
    rounds: int | None,
    target: str | None,
    count: int,
    page_target: str | None,
    is_shown: bool,
) -> None:
    """Play matches between bots.

    A bot that raises or answers against the rules is passed over; the third fault loses its seat, the
    others play on, and the exit code is 3.
    """
    output: Output = ctx.obj
    entries = prepare(variant, names, options, rounds)
    check_seeds(seed, count)
    watched = watched_page(page_target, is_shown, count)
    paths = files.record_paths(target, count)
    fixtures = matches.series(variant, options, entries, count, seed)
    if count == 1:
        faults = play_one(output, next(fixtures), next(paths), watched)
        if watched is not None and is_shown:
            page.show(watched)
    else:
        faults = play_series(output, fixtures, paths, Tally(entries, count), target)
    ctx.exit(BOT_FAULT if report(faults, output) else 0)


def check_seeds(seed: int | None, count: int) -> None:
    if seed is not None and seed + count - 1 > MOST_SEED:
        most = MOST_SEED - count + 1
        raise WrongUse(f"--seed {seed} with {count} matches goes past the last seed: take {most} at most.")


def watched_page(target: str | None, is_shown: bool, count: int) -> Path | None:
    """Where the page of the match goes, if it is wanted; checked before anything is played."""
    if target is None and not is_shown:
        return None
    if count > 1:
        raise WrongUse("--html and --open are for one match: leave out --matches, or use 'arena replay html'.")
    return page.new_place() if target is None else files.check_writable(target, page.SUFFIX)


def prepare(variant: str, names: tuple[str, ...], options: dict[str, int], rounds: int | None) -> list[BotSpec]:
    """Checks everything that can be checked before a match, and adds the round limit to the options."""
    if rounds is not None:
        if options.get("rounds", rounds) != rounds:
            raise WrongUse("--rounds and --option rounds= differ: give one of them.")
        options["rounds"] = rounds
    try:
        ruleset(variant, len(names), options)
    except RulesError as error:
        raise WrongUse(f"{error}{_count_hint(names, error)}") from error
    return [find_bot(name) for name in names]


def find_bot(name: str) -> BotSpec:
    """The bot, made once for trial, so that one which cannot start is refused before anything is played."""
    try:
        with redirect_stdout(sys.stderr):  # what it prints must not get into our results
            found = load_bot(name)
            found.new(0)
    except BotLoadError as error:
        raise WrongUse(" ".join(str(error).split())) from error  # it may tell an exception of many lines
    return found


def _count_hint(names: tuple[str, ...], error: RulesError) -> str:
    return f" Give --bot once for each player ({len(names)} given)." if "players, not for" in str(error) else ""


def play_one(output: Output, fixture: Fixture, path: Path | None, watched: Path | None) -> Faults:
    played = matches.play(fixture)
    if path is not None:
        files.save(played.record, path)
    if watched is not None:
        page.write(played.record, watched, output)
    if output.as_json:
        output.data(match_data(played, path))
    else:
        output.show(*match_page(played, path))
    return Faults(played.faults)


def play_series(
    output: Output, fixtures: Iterator[Fixture], paths: Iterator[Path | None], tally: Tally, target: str | None
) -> Faults:
    """Plays them all, or until Ctrl-C; what was played is told either way."""
    first = next(fixtures)
    try:
        play_all(output, zip(chain([first], fixtures), paths, strict=True), tally)
    except KeyboardInterrupt:
        if tally.matches:
            show_series(output, tally, first)
        report(tally.faults, output)
        where = f"; records in {target}" if target is not None else ""
        raise Interrupted(f"interrupted after {tally.matches} of {tally.planned} matches{where}") from None
    show_series(output, tally, first)
    return tally.faults


def play_all(output: Output, fixtures: Iterable[tuple[Fixture, Path | None]], tally: Tally) -> None:
    began = time.perf_counter()
    with output.progress() as progress:
        for fixture, path in progress.track(fixtures, total=tally.planned, description="matches"):
            played = matches.play(fixture)
            if path is not None:
                files.save(played.record, path)
            tally.add(played)
            tally.seconds = time.perf_counter() - began


def show_series(output: Output, tally: Tally, first: Fixture) -> None:
    if output.as_json:
        output.data(series_data(tally, first))
    else:
        output.show(*series_page(tally, first))


def report(faults: Faults, output: Output) -> bool:
    """Names the faults of bots; true if there were any."""
    if output.verbose:
        for text in dict.fromkeys(fault.traceback for fault in faults.first.values() if fault.traceback):
            click.echo(text, err=True)
    for line in faults.lines():
        complain(line)
    return bool(faults.first)
