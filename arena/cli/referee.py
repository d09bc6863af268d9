"""`arena referee`: a referee alone, for bots that dial in."""

import asyncio
import hashlib
import json
import logging
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import click

from arena.cli import files
from arena.cli.dialling import ADDRESS, check_address
from arena.cli.failures import Failure, WrongUse
from arena.cli.output import Output, common
from arena.cli.shell import NamingGroup
from arena.cli.tls_options import tls_files, tls_options
from arena.cli.token_places import tokens_option
from arena.running import run_until_stopped
from conquest.v1.match_pb2 import DecisionTimes, MatchSidecar
from engine import MODE, record
from engine.playout import CONDUCT_NAMES
from engine.referee.auth import TokenFile, TokenFileError
from engine.referee.clock import STANDARD, TimeControl, read_time_control
from engine.referee.host import Finished, Referee
from engine.referee.limits import IN_FLIGHT, MATCHES_AT_ONCE
from engine.referee.server import ListenError, Server, Tls

log = logging.getLogger(__name__)

LONGEST_NAME: Final = 80


@click.group("referee", cls=NamingGroup, epilog="Example: arena referee serve --tokens tokens.txt")
@common
def command() -> None:
    """Referee matches for bots that dial in."""


def read_time(_ctx: click.Context, _option: click.Parameter, text: str | None) -> TimeControl | None:
    """`--time 60+0.1/5`."""
    try:
        return None if text is None else read_time_control(text)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from error


time_option = click.option(
    "--time",
    "time_control",
    default=str(STANDARD),
    show_default=True,
    callback=read_time,
    help="Time control of matches that bring none: bank+increment/limit in seconds.",
)


@command.command(
    "serve",
    short_help="Run a referee until it is told to stop.",
    epilog="Examples: arena referee serve --tokens tokens.txt --records records; arena referee serve"
    " --listen unix:/run/arena.sock --tokens tokens.txt",
)
@click.option(
    "--listen",
    "address",
    default=ADDRESS,
    show_default=True,
    envvar="ARENA_LISTEN",
    help="HOST:PORT or unix:PATH; port 0 lets the system choose. Also from ARENA_LISTEN.",
)
@tokens_option
@tls_options
@click.option("--plain-text", is_flag=True, help="Allow plain text outside this machine: the network is trusted.")
@time_option
@click.option(
    "--in-flight",
    type=click.IntRange(1, IN_FLIGHT),
    default=IN_FLIGHT,
    show_default=True,
    help="How many decisions an agent may have outstanding; 1 measures time exactly.",
)
@click.option(
    "--matches-at-once",
    type=click.IntRange(1, MATCHES_AT_ONCE),
    default=MATCHES_AT_ONCE,
    show_default=True,
    help="In how many matches an agent may play at once.",
)
@click.option(
    "--records",
    "folder",
    type=click.Path(path_type=Path),
    help="Write MATCH.cqr here as each match ends, and MATCH.times.json beside it.",
)
@common
@click.pass_context
def serve(
    ctx: click.Context,
    address: str,
    path: Path,
    tls_certificate: Path | None,
    tls_key: Path | None,
    plain_text: bool,
    time_control: TimeControl,
    in_flight: int,
    matches_at_once: int,
    folder: Path | None,
) -> None:
    """Run a referee until it is told to stop, by Ctrl-C or SIGTERM.

    Agents dial in with 'arena bot run', organisers make matches with 'arena match create'. When it stops, running
    matches are given up, which costs nobody anything. The log goes to stderr.
    """
    output: Output = ctx.obj
    output.start_log()
    check_address("--listen", address)
    files_of_tls = tls_files(tls_certificate, tls_key)
    tls = Tls(*files_of_tls) if files_of_tls else None
    try:
        tokens = TokenFile(path)
    except TokenFileError as error:
        raise WrongUse(f"{error}.") from error
    records = RecordFolder(folder) if folder is not None else None
    referee = Referee(
        time_control=time_control,
        in_flight=in_flight,
        matches_at_once=matches_at_once,
        on_finished=lambda finished: tell_finished(finished, records),
    )
    try:
        code = run_until_stopped(run(output, Server(referee, tokens), address, tls, plain_text))
    finally:
        if records is not None:
            records.close()
    ctx.exit(code)


async def run(output: Output, server: Server, address: str, tls: Tls | None, plain_text: bool) -> int:
    try:
        await server.start(address, tls, plain_text)
    except ListenError as error:
        raise WrongUse(f"{error}.") from error
    if not address.startswith("unix:"):
        address = f"{address.rpartition(':')[0]}:{server.port}"
    announce(output, address, "TLS" if tls is not None else "plain text")
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        log.info("stopping; matches given up: %d", len(server.referee.sessions))
        await server.stop("the referee is shutting down")
    return 0


def announce(output: Output, address: str, speech: str) -> None:
    if output.as_json:
        told = {"address": address, "version": record.ENGINE_VERSION, "engine": MODE, "speaks": speech}
        click.echo(json.dumps(told))  # in one line: whoever started us reads it while we run
    else:
        about = f"conquest-arena {record.ENGINE_VERSION}, engine {MODE}, {speech}"
        click.echo(f"Referee on {address} ({about}). Ctrl-C stops it.")


# Records


def tell_finished(finished: Finished, records: "RecordFolder | None") -> None:
    match = finished.match
    if finished.record is None:
        log.info("match %s was given up", match.match_id)
        return
    places = ", ".join(f"{agent} {place}" for agent, place in zip(match.agents, match.result.places))
    log.info("match %s is over: %s", match.match_id, places)
    for fault in match.conduct:
        log.debug("match %s, %s: %s", match.match_id, CONDUCT_NAMES[fault.kind], fault.detail)
    if records is not None:
        records.add(finished)


class RecordFolder:
    """Writes what is kept of finished matches, in a thread of its own: the referee never waits for a disk."""

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WrongUse(f"--records {folder} cannot be made: {error.strerror}. Name another folder.") from error
        files.try_folder(folder, folder)
        self.folder = folder
        self.writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="records")

    def add(self, finished: Finished) -> None:
        self.writer.submit(self.write, finished)

    def write(self, finished: Finished) -> None:
        """The record comes last: where it is, the times are."""
        assert finished.record is not None
        path = self.free_path(safe_name(finished.match.match_id))
        try:
            times = json.dumps(sidecar_data(finished.sidecar), separators=(",", ":"))
            files.write_whole(path.with_suffix(".times.json"), times.encode())
            files.save(finished.record, path)
        except Failure as error:
            log.error("the record of match %s is lost: %s", finished.match.match_id, error.message)

    def free_path(self, name: str) -> Path:
        """Never that of an earlier match."""
        path, number = self.folder / f"{name}{files.SUFFIX}", 1
        while path.exists():
            number += 1
            path = self.folder / f"{name}-{number}{files.SUFFIX}"
        return path

    def close(self) -> None:
        self.writer.shutdown(wait=True)


def safe_name(match_id: str) -> str:
    """The name of the match as that of a file; where signs had to go, a hash keeps it apart from others."""
    plain = re.sub(r"[^A-Za-z0-9_@.-]", "_", match_id)[:LONGEST_NAME].lstrip(".-")
    return plain if plain == match_id else f"{plain}-{hashlib.sha256(match_id.encode()).hexdigest()[:8]}"


def sidecar_data(sidecar: MatchSidecar) -> dict[str, Any]:
    """Times in microseconds, notes, and which actions orders and plans took."""
    fields = [field.name for field in DecisionTimes.DESCRIPTOR.fields]
    return {
        "times": [{name: getattr(one, name) for name in fields} for one in sidecar.times],
        "notes": [{"action": one.action, "seat": one.seat, "text": one.text} for one in sidecar.notes],
        "ordered": list(sidecar.ordered),
    }
