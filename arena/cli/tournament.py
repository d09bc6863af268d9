"""`arena tournament`: from a file to a table."""

import contextlib
import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from arena import tournaments
from arena.cli import files
from arena.cli.failures import INTERRUPTED, Failure, WrongUse, complain, sentence, unknown
from arena.cli.output import Output, common, table
from arena.cli.play import find_bot
from arena.cli.shell import NamingGroup
from arena.cli.store_option import opened, store_option, without_password
from arena.cli.tournament_view import (
    duration,
    follow,
    live,
    match_data,
    match_table,
    show_tournament,
)
from arena.config import ConfigError, TournamentConfig, read_config
from arena.config_keys import template
from arena.crew import Crew, InProcess
from arena.job import COMMAND
from arena.planning import EMPTY_BYTES, expected, limited, planned, trial
from arena.run import LEASE_SECONDS, PAUSED, Driver
from arena.running import interrupted_by_sigterm, stopped_by_signals
from leaderboard.store import LeaseLost, Store, StoreError, Tournament
from leaderboard.store.tournaments import ABANDONED


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
    for number, variant in enumerate(config.variants):
        if not planned(config, number)[0]:
            remedy = "see who is absent or withdrawn, and the number of players"
            raise WrongUse(f"{file}: {variant.label} has no table in any round: {remedy}.")
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
    """Tell how many matches FILE asks for, how long they take and how much room in a new store of SQLite.

    A few matches are played to tell. Rounds that depend on results are counted as if nobody dropped out; of the
    rules to stop only 'max_matches' is counted in.
    """
    config, _ = read_file(file)
    hands = max(1, cores() if workers is None else workers)
    rows: list[dict[str, Any]] = []
    with contextlib.chdir(file.resolve().parent):
        for number, (matches, rounds) in enumerate(limited(config)):
            variant = config.variants[number]
            seconds, size = trial(config, number)
            told = {"variant": variant.label, "rounds": rounds, "matches": matches}
            rows.append(told | {"seconds": matches * seconds / hands, "bytes": round(matches * size)})
    total = {key: sum(row[key] for row in rows) for key in ("matches", "seconds", "bytes")}
    total["bytes"] += EMPTY_BYTES
    if output.as_json:
        output.data({"tournament": config.name, "workers": hands, "variants": rows, "total": total})
        return
    shown = table(
        f"{config.name}: {config.format.kind} of {len(config.entrants)}, {hands} workers",
        *("variant", "rounds", "matches", "about", "disk"),
        right=("rounds", "matches", "about", "disk"),
    )
    for row in [*rows, {"variant": "all", "rounds": ""} | total]:
        room = f"{row['bytes'] / 1e6:,.1f} MB"
        shown.add_row(row["variant"], str(row["rounds"]), f"{row['matches']:,}", duration(row["seconds"]), room)
    output.show(shown)


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
    if changed := tournaments.changed(store, made):
        raise WrongUse(
            f"not the bots that tournament '{made.name}' began with: {', '.join(changed)}. "
            "Put them back as they were, or begin a new tournament."
        )
    output.start_log(None if output.verbose else 60)  # the view has the warnings
    config = tournaments.config_of(made)
    lease = store.take_lease(made.id, tournaments.driver_name(), LEASE_SECONDS)
    again = resuming(made.name, url)
    with contextlib.ExitStack() as stack:
        try:
            crew = stack.enter_context(hired(workers, config.isolation, made.folder, ray_address))
        except BaseException as error:
            store.give_back(lease)
            if isinstance(error, Failure):
                raise Failure(f"{error.message} Then go on with: {again}") from error
            raise
        driver = Driver(store, made, config, crew, lease)
        try:
            with (
                live(output, made.name, driver.names, expected(config)) as driver.on_change,
                stopped_by_signals(driver.pause),
            ):
                state = driver.run()
        except KeyboardInterrupt:
            state = driver.end(PAUSED)
        except LeaseLost as error:
            raise Failure(sentence(str(error))) from error
        except StoreError as error:
            raise Failure(f"{sentence(str(error))} Then go on with: {again}") from error
    show_tournament(output, store, store.tournament(made.name))
    for warning in driver.warnings:
        complain(warning)
    if state == PAUSED:
        complain(f"stopped; go on with: {again}")
        return INTERRUPTED
    return 0


def resuming(name: str, url: str) -> str:
    """The command that goes on with a tournament."""
    return f"arena tournament resume {shlex.quote(name)} --store {shlex.quote(without_password(url))}"


@contextlib.contextmanager
def hired(workers: int | None, isolation: str, folder: str, ray_address: str | None) -> Iterator[Crew]:
    crew = hire(workers, isolation, folder, ray_address)
    try:
        with interrupted_by_sigterm():  # Ray has a handler of its own
            yield crew
    finally:
        crew.close()


def hire(workers: int | None, isolation: str, folder: str, ray_address: str | None) -> Crew:
    workers = cores() if workers is None else workers
    if workers == 0:
        return InProcess(isolation, folder)
    from arena.cluster import ClusterError, RayCrew  # it takes a second

    try:
        return RayCrew(workers, isolation, folder, ray_address)
    except ClusterError as error:
        raise Failure(sentence(str(error))) from error


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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


@command.command("list", short_help="List tournaments.", epilog="Example: arena tournament list --store spring.db")
@store_option
@common
@click.pass_obj
def list_tournaments(output: Output, url: str) -> None:
    """List the tournaments of the store, the oldest first."""
    with opened(url) as store:
        found = [(one, store.state_told(one), store.progress(one.id)) for one in store.tournaments()]
    if output.as_json:
        output.data([{"name": one.name, "state": state} | progress._asdict() for one, state, progress in found])
        return
    shown = table("Tournaments", "name", "state", "played", "open", "void", right=("played", "open", "void"))
    for one, state, progress in found:
        shown.add_row(one.name, state, f"{progress.done:,}", f"{progress.open:,}", f"{progress.void:,}")
    output.show(shown)


@command.command(
    "matches",
    short_help="List the matches of a tournament.",
    epilog="Example: arena tournament matches spring-open --entrant blitz",
)
@name_argument
@click.option("--entrant", help="Only those of this entrant.")
@store_option
@common
@click.pass_obj
def list_matches(output: Output, name: str, entrant: str | None, url: str) -> None:
    """List the matches of a tournament, played or not, with their ids. Entrants stand in seat order."""
    with opened(url) as store:
        found = store.tournament(name)
        names = [one.name for one in store.entrants(found.id)]
        if entrant is not None and entrant not in names:
            raise WrongUse(unknown("entrant", entrant, names))
        blocks = store.block_results(found.id)
        every = [match_data(names, block, one) for block in blocks for one in block.fixtures]
    rows = [row for row in every if entrant is None or entrant in row["entrants"]]
    if output.as_json:
        output.data(rows)
    else:
        output.show(match_table(name, rows))


@command.command(
    "record",
    short_help="Take the record of a match out of the store.",
    epilog="Example: arena tournament record spring-open/r1-classic-4p-0003-r2 final.cqr",
)
@click.argument("match", metavar="MATCH")
@file_argument
@store_option
@common
@click.pass_obj
def record(output: Output, match: str, file: Path, url: str) -> None:
    """Write the record of MATCH to FILE, for 'arena replay show'. 'arena tournament matches' lists the ids."""
    path = files.check_writable(str(file))
    with opened(url) as store:
        files.write_whole(path, store.record(match).record)
    output.note(f"Wrote {file}. Look at it: arena replay show {file}")


@command.command("watch", short_help="Follow a tournament.", epilog="Example: arena tournament watch spring-open")
@name_argument
@store_option
@common
@click.pass_obj
def watch(output: Output, name: str, url: str) -> None:
    """Follow a tournament that another process runs, until it ends, is paused, or its driver is gone."""
    with opened(url) as store:
        found = store.tournament(name)
        names = [one.name for one in store.entrants(found.id)]
        with live(output, name, names, expected(tournaments.config_of(found))) as draw:
            follow(store, found, draw)
        found = store.tournament(name)
        show_tournament(output, store, found)
        if store.state_told(found) == ABANDONED:
            raise Failure(f"Nobody drives it any more. Go on with: {resuming(name, url)}")


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
            now = store.tournament(name)
            is_done = now.state == done and now.request is None
        output.note(f"Tournament {name} is {done}." if is_done else f"Its driver was asked to {what} {name}.")

    return ask


pause = asking("pause", "paused")
cancel = asking("cancel", "cancelled")
