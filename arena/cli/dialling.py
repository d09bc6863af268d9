"""How commands reach a referee: its address, a token, and whether to speak TLS."""

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from arena.cli.failures import WrongUse

ADDRESS: Final = "127.0.0.1:50051"
MOST_PORT: Final = 65535
TOKEN_VARIABLE: Final = "ARENA_TOKEN"


class Dial(NamedTuple):
    """`plain` None leaves it to the address: plain text on this machine, TLS elsewhere."""

    server: str
    token: str
    authority: Path | None
    plain: bool | None

    def with_token(self) -> "Dial":
        """Refused without one, before anything is dialled."""
        if not self.token:
            how = f"give --token or --token-file, or set {TOKEN_VARIABLE}"
            raise WrongUse(f"no token: {how}; 'arena token create' makes one.")
        return self


def dialling(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command the options of a dialler, and hands it a Dial."""

    @wraps(command)
    def dials(
        *args: Any,
        server: str,
        token: str | None,
        token_file: Path | None,
        authority: Path | None,
        plain_text: bool,
        **more: Any,
    ) -> Any:
        if authority is not None and plain_text:
            raise WrongUse("--authority is for TLS, and --plain-text is without: give one of them.")
        check_address("--server", server)
        check_authority(authority)
        plain = True if plain_text else False if authority is not None else None
        return command(*args, dial=Dial(server, find_token(token, token_file), authority, plain), **more)

    for option in reversed(OPTIONS):
        dials = option(dials)
    return dials


OPTIONS: Final = (
    click.option(
        "--server",
        default=ADDRESS,
        show_default=True,
        envvar="ARENA_SERVER",
        help="Where the referee listens; also from ARENA_SERVER.",
    ),
    click.option("--token", help=f"The token; also from {TOKEN_VARIABLE}, where no list of processes shows it."),
    click.option("--token-file", type=click.Path(path_type=Path), help="Read the token from this file."),
    click.option(
        "--authority", type=click.Path(path_type=Path), help="Trust the certificates of this file (speaks TLS)."
    ),
    click.option("--plain-text", is_flag=True, help="Do not speak TLS; the default on this machine."),
)


def check_address(option: str, address: str) -> None:
    host, _, port = address.rpartition(":")
    if address.startswith("unix:"):
        is_good = len(address) > len("unix:")
    else:
        is_good = bool(host) and port.isascii() and port.isdecimal() and int(port) <= MOST_PORT
    if not is_good:
        raise WrongUse(f"{option} {address} is no address: write HOST:PORT, like {ADDRESS}, or unix:PATH.")


def check_authority(file: Path | None) -> None:
    try:
        if file is not None and b"-----BEGIN CERTIFICATE" not in file.read_bytes():
            raise WrongUse(f"--authority {file} has no certificate: name a PEM file of the organiser.")
    except OSError as error:
        raise WrongUse(f"--authority {file} cannot be read: {error.strerror}. Name another file.") from error


def find_token(given: str | None, file: Path | None) -> str:
    if given is not None and file is not None:
        raise WrongUse("--token and --token-file are two tokens: give one of them.")
    token = given or os.environ.get(TOKEN_VARIABLE, "")
    try:
        token = token if file is None else file.read_text(errors="replace")
    except OSError as error:
        why = f"token file {file} cannot be read: {error.strerror}."
        raise WrongUse(f"{why} 'arena token create' makes tokens.") from error
    token = token.strip()
    if not token.isascii() or not token.isprintable() or " " in token:
        raise WrongUse("the token has signs that no token has: copy it again from whoever made it.")
    return token
