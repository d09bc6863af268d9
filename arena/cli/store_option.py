"""`--store URL`, which every command that touches the store takes, and the store that it names."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from arena.cli.failures import Failure

if TYPE_CHECKING:
    from leaderboard.store import Store

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT: Final = "arena.db"


def store_option(command: F) -> F:
    """Gives a command `--store`, as the argument `url`."""
    option = click.option(
        "--store",
        "url",
        envvar="ARENA_STORE",
        default=DEFAULT,
        show_default=True,
        show_envvar=True,
        metavar="URL",
        help="A file, sqlite:///path or postgresql://user@host/database.",
    )
    return option(command)


def without_password(url: str) -> str:
    """The address as it may be shown."""
    return re.sub(r"(://[^:@/]*):[^@/]*@", r"\1@", url)


@contextmanager
def opened(url: str, create: bool = False) -> Iterator["Store"]:
    """The store; what goes wrong with it is told in one line."""
    with clear():
        from leaderboard.store import open_store

        with open_store(url, create=create) as store:
            yield store


@contextmanager
def clear() -> Iterator[None]:
    """Turns trouble with a store into a failure of the command."""
    try:
        from leaderboard.store import StoreError
    except ModuleNotFoundError as error:
        raise Failure(f"{error.name} is missing; run pip install 'conquest-arena[arena]'.") from error
    try:
        yield
    except StoreError as error:
        raise Failure(str(error)) from error


@contextmanager
def needing_ratings() -> Iterator[None]:
    """What is not installed is named."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise Failure(f"{error.name} is missing; run pip install 'conquest-arena[arena,leaderboard]'.") from error
