"""`arena tournament`: from a file to a table."""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from arena import tournaments
from arena.cli import files
from arena.cli.failures import INTERRUPTED, Failure, WrongUse, complain, sentence
from arena.cli.output import Output, common, table
from arena.cli.play import find_bot
from arena.cli.shell import NamingGroup
from arena.cli.store_option import opened, store_option
from arena.config import ConfigError, TournamentConfig, read_config
from arena.config_keys import template
from arena.crew import Crew, InProcess
from arena.formats import BlockResult, make_format
from arena.job import COMMAND, Job
from arena.run import LEASE_SECONDS, PAUSED, Driver, Snapshot, unwatched
from arena.seating import make_block, match_keys
from arena.worker import play_here
from leaderboard.standings import Standing
from leaderboard.store import LeaseLost, Progress, Store, StoreError, Tournament

if TYPE_CHECKING:
    from rich.console import RenderableType

DRAWN_SECONDS: Final = 0.25  # between two pictures of the live view
TRIAL_MATCHES: Final = 3  # of each variant, to plan by
WATCH_SECONDS: Final = 1.0


@click.group("tournament", cls=NamingGroup, epilog="Example: arena tournament run spring.toml --workers 2")
@common
def command() -> None:
    """Plan, run and look at tournaments."""


file_argument = click.argument("file", type=click.Path(path_type=Path))
name_argument = click.argument("name", metavar="TOURNAMENT")
workers_option = click.option(
    "--workers",
    type=click.IntRange(0, 10_000),
    default=None,
    help="How many processes play; 0 plays in this one. [default: one for each core]",
)
ray_option = click.option(
    "--ray-address", help="Join this Ray cluster (HOST:PORT, or auto) instead of a local one."
)


@command.command(
    "init", short_help="Write a file to start from.", epilog="Example: arena tournament init spring.toml"
)
@file_argument
@common
@click.pass_obj
def init(output: Output, file: Path) -> None:
    """Write a tournament FILE with every key and its default, explained. It can be run as it is."""
    if file.exists():
        raise WrongUse(f"{file} is there already: name a new file.")
    files.write_whole(files.check_writable(str(file)), template().encode())
    output.note(f"Wrote {file}. Run it: arena tournament run {file}")


def read_file(file: Path) -> tuple[TournamentConfig, str]:
    """The tournament of a file, with its bots tried; every problem is a line of the error."""
    try:
        config = read_config(file)
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        remedy = f"'arena tournament init {file}' writes one."
        raise WrongUse(f"{file} cannot be read: {error.strerror}. {remedy}") from error
    except ConfigError as error:
        raise WrongUse("\n".join(error.problems)) from error
    with contextlib.chdir(file.resolve().parent):
        for entrant in config.entrants:
            if not entrant.bot.startswith(COMMAND):
                find_bot(entrant.bot)
    return config, text


# Planning


@command.command(
    "plan",
    short_help="Tell what a file asks for.",
    epilog="Example: arena tournament plan spring.toml --workers 4",
)
@file_argument
@workers_option
@common
@click.pass_obj
def plan(output: Output, file: Path, workers: int | None) -> None:
    """Tell how many matches FILE asks for, how long they take and how much room, by playing a few of them.

    Rounds that depend on results are counted as if nobody dropped out.
    """
    config, _ = read_file(file)
    hands = max(1, cores() if workers is None else workers)
    rows: list[dict[str, Any]] = []
    with contextlib.chdir(file.resolve().parent):
        for number, variant in enumerate(config.variants):
            matches, rounds = planned(config, number)
            seconds, size = trial(config, number)
            told = {"variant": variant.label, "rounds": rounds, "matches": matches}
            rows.append(told | {"seconds": matches * seconds / hands, "bytes": round(matches * size)})
    total = {key: sum(row[key] for row in rows) for key in ("matches", "seconds", "bytes")}
    if output.as_json:
        output.data({"tournament": config.name, "workers": hands, "variants": rows, "total": total})
        return
    shown = table(
        f"{config.name}: {config.format.kind} of {len(config.entrants)}, {hands} workers",
        *("variant", "rounds", "matches", "about", "records"),
        right=("rounds", "matches", "about", "records"),
    )
    for row in [*rows, {"variant": "all", "rounds": ""} | total]:
        room = f"{row['bytes'] / 1e6:,.1f} MB"
        shown.add_row(row["variant"], str(row["rounds"]), f"{row['matches']:,}", duration(row["seconds"]), room)
    output.show(shown)


def planned(config: TournamentConfig, number: int) -> tuple[int, int]:
    """Matches and rounds of one variant, each block won by the entrant named first."""
    variant = config.variants[number]
    made, results, matches, round = make_format(config, variant), list[BlockResult](), 0, 0
    while (pairings := made.pairings(round + 1, results)) is not None:
        round += 1
        for pairing in pairings:
            matches += len(pairing.entrants)
            first = min(pairing.entrants)
            scores = tuple([float(len(pairing.entrants) * (one == first)) for one in pairing.entrants])
            results.append(BlockResult(round, pairing.number, pairing.entrants, scores))
    return matches, round


def trial(config: TournamentConfig, number: int) -> tuple[float, float]:
    """Seconds and bytes of a match of one variant; commands are stood in for by a built-in bot."""
    variant = config.variants[number]
    made = make_format(config, variant)
    pairing = next(iter(made.pairings(1, []) or []), None)
    if pairing is None:
        return 0.0, 0.0
    block = make_block(config.name, pairing, variant)
    seconds = size = 0.0
    for fixture in block.fixtures[:TRIAL_MATCHES]:
        bots = [config.entrants[one].bot for one in fixture.seats]
        stand_ins = tuple(["aggressor" if bot.startswith(COMMAND) else bot for bot in bots])
        names = tuple([config.entrants[one].name for one in fixture.seats])
        keys = match_keys(b"trial", fixture.id, block.id)
        job = Job(fixture.id, 0, variant.name, variant.options, names, stand_ins, keys, str(config.time))
        played = play_here(job)
        seconds, size = seconds + played.seconds, size + len(played.record)
    count = min(TRIAL_MATCHES, len(block.fixtures))
    return seconds / count, size / count


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


# Running


@command.command(
    "run",
    short_help="Run a tournament from its file.",
    epilog="Example: arena tournament run spring.toml --workers 2 --store spring.db",
)
@file_argument
@workers_option
@ray_option
@store_option
@common
@click.pass_context
def run(ctx: click.Context, file: Path, workers: int | None, ray_address: str | None, url: str) -> None:
    """Run the tournament of FILE to its end, on a Ray cluster of this machine or on one that is there.

    Ctrl-C stops it cleanly, and says how to go on. The exit code is 0 when it is finished, 130 when it was
    stopped.
    """
    output: Output = ctx.obj
    config, text = read_file(file)
    with opened(url, create=True) as store:
        made = tournaments.create(store, config, text, file.resolve().parent)
        ctx.exit(drive(output, store, made, workers, ray_address, url))


@command.command(
    "resume", short_help="Go on with a tournament.", epilog="Example: arena tournament resume spring-open"
)
@name_argument
@workers_option
@ray_option
@store_option
@common
@click.pass_context
def resume(ctx: click.Context, name: str, workers: int | None, ray_address: str | None, url: str) -> None:
    """Go on with a tournament that was stopped, paused or killed. Nothing is played twice."""
    output: Output = ctx.obj
    with opened(url) as store:
        ctx.exit(drive(output, store, store.tournament(name), workers, ray_address, url))


def drive(
    output: Output, store: Store, made: Tournament, workers: int | None, ray_address: str | None, url: str
) -> int:
    """Drives it to its end; gives the exit code."""
    if made.state in ("finished", "cancelled"):
        raise WrongUse(f"tournament '{made.name}' is {made.state}: there is nothing to go on with.")
    output.start_log(None if output.verbose else 60)  # the view has the warnings
    config = tournaments.config_of(made)
    lease = store.take_lease(made.id, tournaments.driver_name(), LEASE_SECONDS)
    again = f"arena tournament resume {made.name!r} --store {url}"
    try:
        crew = hire(cores() if workers is None else workers, config.isolation, ray_address)
    except BaseException:
        store.give_back(lease)
        raise
    driver = Driver(store, made, config, crew, lease)
    try:
        with live(output, driver) as driver.on_change:
            state = driver.run()
    except KeyboardInterrupt:
        state = driver.end(PAUSED)
    except LeaseLost as error:
        raise Failure(sentence(str(error))) from error
    except StoreError as error:
        raise Failure(f"{sentence(str(error))} Then go on with: {again}") from error
    finally:
        crew.close()
    show_tournament(output, store, store.tournament(made.name))
    for warning in driver.warnings:
        complain(warning)
    if state == PAUSED:
        complain(f"stopped; go on with: {again}")
        return INTERRUPTED
    return 0


def hire(workers: int, isolation: str, ray_address: str | None) -> Crew:
    if workers == 0:
        return InProcess(isolation)
    from arena.cluster import ClusterError, RayCrew  # it takes a second

    try:
        return RayCrew(workers, isolation, ray_address)
    except ClusterError as error:
        raise Failure(sentence(str(error))) from error


@contextlib.contextmanager
def live(output: Output, driver: Driver) -> Iterator[Callable[[Snapshot], None]]:
    """A picture of the tournament on stderr, redrawn as it goes; none where nobody sees it."""
    console = output.console(stderr=True)
    if output.quiet or not console.is_terminal:
        yield unwatched
        return
    from rich.live import Live

    drawn = 0.0
    with Live(console=console, transient=True, auto_refresh=False) as view:

        def draw(snapshot: Snapshot) -> None:
            nonlocal drawn
            if time.monotonic() - drawn > DRAWN_SECONDS:
                drawn = time.monotonic()
                view.update(picture(driver.tournament.name, driver.names, snapshot), refresh=True)

        yield draw


def picture(name: str, entrants: list[str], snapshot: Snapshot) -> "RenderableType":
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.text import Text

    left = snapshot.total - snapshot.done - snapshot.void
    rest = f", {duration(left / snapshot.speed)} left in this round" if snapshot.speed and left else ""
    head = f"{name}: round {snapshot.round}, {snapshot.done:,} of {snapshot.total:,} matches"
    return Group(
        Text(f"{head}, {snapshot.speed:.1f} a second{rest}"),
        ProgressBar(total=max(1, snapshot.total), completed=snapshot.done + snapshot.void, width=60),
        standings_table("", entrants, snapshot.standings[:20]),
        *[Text(warning, style="yellow") for warning in snapshot.warnings],
    )


def standings_table(title: str, names: list[str], rows: list[Standing]) -> Any:
    numbers = ("", "score", "matches", "wins", "faults")
    shown = table(title, "", "entrant", "score", "matches", "wins", "faults", right=numbers)
    for place, row in enumerate(rows, 1):
        score = f"{row.score:.3f}" if row.matches else "·"
        shown.add_row(
            str(place), names[row.entrant], score, f"{row.matches:,}", f"{row.wins:,}", str(row.faults or "·")
        )
    return shown


# Looking, pausing, cancelling


@command.command(
    "show", short_help="Tell how a tournament stands.", epilog="Example: arena tournament show spring-open"
)
@name_argument
@store_option
@common
@click.pass_obj
def show(output: Output, name: str, url: str) -> None:
    """Tell how the tournament stands, or how it came out."""
    with opened(url) as store:
        show_tournament(output, store, store.tournament(name))


def show_tournament(output: Output, store: Store, found: Tournament) -> None:
    names = [one.name for one in store.entrants(found.id)]
    rows, progress = tournaments.standings(store, found), store.progress(found.id)
    if output.as_json:
        output.data(tournament_data(found, names, rows, progress))
        return
    parts = [f" {counts(progress)}"]
    if found.state == "finished":
        parts.append(f" The key of its dice: {found.key.hex()}, committed to as {found.commitment.hex()[:16]}….")
    output.show(standings_table(f"{found.name}: {found.state}", names, rows), *parts)


def counts(progress: Progress) -> str:
    told = [f"{progress.done:,} matches played", f"{progress.open:,} to be played"]
    for count, what in ((progress.void, "void"), (progress.faults, "faults")):
        if count:
            told.append(f"{count:,} {what}")
    if progress.doubled or progress.fenced:
        told.append(f"{progress.doubled:,} reports came twice, {progress.fenced:,} too late")
    return ", ".join(told) + "."


def tournament_data(
    found: Tournament, names: list[str], rows: list[Standing], progress: Progress
) -> dict[str, Any]:
    told = {
        "name": found.name,
        "state": found.state,
        "commitment": found.commitment.hex(),
        "key": found.key.hex() if found.state == "finished" else None,
        "progress": progress._asdict(),
    }
    return told | {"standings": [row._asdict() | {"entrant": names[row.entrant]} for row in rows]}


@command.command("list", short_help="List tournaments.", epilog="Example: arena tournament list --store spring.db")
@store_option
@common
@click.pass_obj
def list_tournaments(output: Output, url: str) -> None:
    """List the tournaments of the store, the oldest first."""
    with opened(url) as store:
        found = [(one, store.progress(one.id)) for one in store.tournaments()]
    if output.as_json:
        output.data([{"name": one.name, "state": one.state} | progress._asdict() for one, progress in found])
        return
    shown = table("Tournaments", "name", "state", "played", "open", "void", right=("played", "open", "void"))
    for one, progress in found:
        shown.add_row(one.name, one.state, f"{progress.done:,}", f"{progress.open:,}", f"{progress.void:,}")
    output.show(shown)


@command.command("watch", short_help="Follow a tournament.", epilog="Example: arena tournament watch spring-open")
@name_argument
@store_option
@common
@click.pass_obj
def watch(output: Output, name: str, url: str) -> None:
    """Follow a tournament that another process runs, until it ends or is paused."""
    with opened(url) as store:
        found = store.tournament(name)
        with output.progress() as progress:
            task = progress.add_task(name)
            while (found := store.tournament(name)).state == "running":
                now = store.progress(found.id)
                progress.update(task, total=now.done + now.open + now.void, completed=now.done + now.void)
                time.sleep(WATCH_SECONDS)
        show_tournament(output, store, found)


def asking(what: str, done: str) -> click.Command:
    @command.command(
        what,
        short_help=f"{what.capitalize()} a tournament.",
        epilog=f"Example: arena tournament {what} spring-open",
    )
    @name_argument
    @store_option
    @common
    @click.pass_obj
    def ask(output: Output, name: str, url: str) -> None:
        with opened(url) as store:
            found = store.tournament(name)
            store.request(found.id, what, tournaments.driver_name())
            is_done = store.tournament(name).state == done
        output.note(f"Tournament {name} is {done}." if is_done else f"Its driver was asked to {what} {name}.")

    return ask


pause = asking("pause", "paused")
cancel = asking("cancel", "cancelled")
