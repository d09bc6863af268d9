"""How commands reach a referee: its address, a token, and whether to speak TLS."""

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from arena.cli.failures import WrongUse

ADDRESS: Final = "127.0.0.1:50051"
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


def find_token(given: str | None, file: Path | None) -> str:
    if given is not None and file is not None:
        raise WrongUse("--token and --token-file are two tokens: give one of them.")
    if file is None:
        return (given if given is not None else os.environ.get(TOKEN_VARIABLE, "")).strip()
    try:
        return file.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise WrongUse(f"token file {file} cannot be read: {why}. 'arena token create' makes tokens.") from error
