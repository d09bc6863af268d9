"""`arena leaderboard serve`: the pages over a store, and the rater beside them."""

import json
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from arena.cli.dialling import MOST_PORT, check_address, check_authority, find_token
from arena.cli.failures import WrongUse
from arena.cli.output import Output, common
from arena.cli.store_option import needing_ratings, opened, store_option
from arena.cli.tls_options import TlsFiles, tls_files, tls_options
from arena.running import run_until_stopped
from engine.address import is_loopback

if TYPE_CHECKING:
    from leaderboard.web.referee import Dial

HOST: Final = "127.0.0.1"
PORT: Final = 8080


@click.command(
    "serve",
    short_help="Serve the pages until told to stop.",
    epilog="Examples: arena leaderboard serve; arena leaderboard serve --host 0.0.0.0 --port 443"
    " --tls-certificate site.pem --tls-key site.key; arena leaderboard serve --server 127.0.0.1:50051"
    " --token-file me.token",
)
@store_option
@click.option("--host", default=HOST, show_default=True, help="The address of this machine to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, MOST_PORT),
    default=PORT,
    show_default=True,
    help="Where to listen; 0 lets the system choose.",
)
@tls_options
@click.option(
    "--plain-text",
    is_flag=True,
    help="Let authors log in without TLS from other machines too: the network is trusted.",
)
@click.option(
    "--server", envvar="ARENA_SERVER", help="A referee whose matches are shown live: HOST:PORT or unix:PATH."
)
@click.option("--token-file", type=click.Path(path_type=Path), help="An organiser's token for that referee.")
@click.option(
    "--authority", type=click.Path(path_type=Path), help="Trust the referee's certificates in this file."
)
@click.option("--rate", type=click.FloatRange(0.1), help="Requests a second of one client, in the long run.")
@click.option("--no-rater", is_flag=True, help="Show ratings as they are: another process keeps them up.")
@common
@click.pass_context
def serve(
    ctx: click.Context,
    url: str,
    host: str,
    port: int,
    tls_certificate: Path | None,
    tls_key: Path | None,
    plain_text: bool,
    server: str | None,
    token_file: Path | None,
    authority: Path | None,
    rate: float | None,
    no_rater: bool,
) -> None:
    """Serve the pages of a store until told to stop, by Ctrl-C or SIGTERM.

    A second process rates what is released meanwhile. Drivers may be at work in the store.
    """
    output: Output = ctx.obj
    output.start_log()
    dial = read_dial(server, token_file, authority)
    tls = tls_files(tls_certificate, tls_key)
    given: dict[str, Any] = {"plain_login": plain_text} | ({"rate": rate} if rate else {})
    with needing_ratings(), opened(url, create=True) as store:
        from arena.tournaments import outcomes
        from leaderboard.web.app import create_app
        from leaderboard.web.serving import configured, serve
        from leaderboard.web.settings import Settings

        app = create_app(store, Settings(**given), outcomes, dial)
        try:
            config = configured(app, tls)
        except OSError as error:
            why = reason(error) or "it is no good"
            raise WrongUse(f"the certificate or its key cannot be used: {why}. Name PEM files.") from error
        with listen(host, port) as listener:
            announce(output, address_of(listener, tls))
            run_until_stopped(serve(config, listener, app.state.hub, "" if no_rater else url))


def read_dial(server: str | None, token_file: Path | None, authority: Path | None) -> "Dial | None":
    """The referee whose matches are shown live, if there is one."""
    if server is None:
        return None
    check_address("--server", server)
    check_authority(authority)
    from leaderboard.web.referee import Dial

    trusted = authority.read_bytes() if authority else None
    return Dial(server, find_token(None, token_file), is_loopback(server) and authority is None, trusted)


def listen(host: str, port: int) -> socket.socket:
    from leaderboard.web.serving import listening

    try:
        return listening(host, port)
    except OSError as error:
        why = f"port {port} of {host} cannot be had: {reason(error)}."
        raise WrongUse(f"{why} Name another with --port, or --port 0 for any that is free.") from error


def reason(error: OSError) -> str:
    """In the words of the system; what looks up names has words of its own."""
    number = error.errno or 0
    return os.strerror(number) if number > 0 else str(error.strerror)


def address_of(listener: socket.socket, tls: TlsFiles | None) -> str:
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"{'https' if tls else 'http'}://{shown}:{port}/"


def announce(output: Output, address: str) -> None:
    if output.as_json:
        click.echo(json.dumps({"address": address}))  # in one line: whoever started us reads it while we run
    else:
        click.echo(f"The pages are at {address} Ctrl-C stops them.")
