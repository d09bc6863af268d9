"""Where tokens are kept: in the file of a referee, or in the store, where they open the pages of an author."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeVar

import click
from click.core import ParameterSource

from arena.cli.failures import WrongUse
from arena.cli.store_option import opened
from engine.referee.auth import Identity, Role, TokenFileError, create_token, read_tokens

if TYPE_CHECKING:
    from leaderboard.store import Tokens

F = TypeVar("F", bound=Callable[..., Any])

BY: Final = "arena token"  # in the audit log
ONE_PLACE: Final = "Say where the tokens are: --tokens FILE for a referee, or --store URL for the pages."
GIVEN: Final = (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT)


class Known(NamedTuple):
    """A token that somebody has, by its hash."""

    identity: Identity
    hash: str


class Place(Protocol):
    def create(self, role: Role, name: str) -> str: ...

    def known(self) -> list[Known]: ...

    def revoke(self, name: str) -> int: ...


class InFile:
    def __init__(self, path: Path) -> None:
        self.path = path

    def create(self, role: Role, name: str) -> str:
        with self.clear():
            return create_token(self.path, role, name)

    def known(self) -> list[Known]:
        with self.clear():
            return [Known(identity, digest) for digest, identity in read_tokens(self.path).items()]

    def revoke(self, name: str) -> int:
        raise WrongUse(f"Remove the lines of {name} from {self.path}: a referee that runs notices at once.")

    @contextmanager
    def clear(self) -> Iterator[None]:
        try:
            yield
        except TokenFileError as error:
            raise WrongUse(f"{error}.") from error
        except OSError as error:
            raise WrongUse(f"{self.path} cannot be written: {error.strerror}. Name another file.") from error


class InStore:
    def __init__(self, url: str) -> None:
        self.url = url

    def create(self, role: Role, name: str) -> str:
        with self.tokens() as tokens:
            return tokens.create(role, name, BY)

    def known(self) -> list[Known]:
        with self.tokens() as tokens:
            return [Known(*one) for one in tokens.known()]

    def revoke(self, name: str) -> int:
        with self.tokens() as tokens:
            return tokens.revoke(name, BY)

    @contextmanager
    def tokens(self) -> Iterator["Tokens[Identity]"]:
        with opened(self.url, create=True) as store:
            from leaderboard.store import Tokens

            yield Tokens(store, lambda name, role: Identity(name, Role(role)))


def tokens_option(command: F) -> F:
    """Gives a command `--tokens`, which it cannot do without, as the argument `path`."""
    return _tokens_option(required=True)(command)


def _tokens_option(required: bool) -> Callable[[F], F]:
    return click.option(
        "--tokens",
        "path",
        required=required,
        envvar="ARENA_TOKENS",
        type=click.Path(path_type=Path),
        help="The file of tokens, by their hashes; also from ARENA_TOKENS.",
    )


def place_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command `--tokens` and `--store`, of which one is to be named, as the argument `place`."""
    store = click.option(
        "--store",
        "url",
        envvar="ARENA_STORE",
        metavar="URL",
        help="The store: who has a token in it may log in to its pages; also from ARENA_STORE.",
    )

    @wraps(command)
    def placed(*words: Any, path: Path | None, url: str | None, **more: Any) -> Any:
        return command(*words, place=place_of(path, url), **more)

    return _tokens_option(required=False)(store(placed))


def place_of(path: Path | None, url: str | None) -> Place:
    """What was named counts more than what the environment has."""
    source = click.get_current_context().get_parameter_source
    for kind in GIVEN:
        places: list[Place] = []
        if path is not None and source("path") is kind:
            places.append(InFile(path))
        if url is not None and source("url") is kind:
            places.append(InStore(url))
        if len(places) == 1:
            return places[0]
        if places:
            break
    raise WrongUse(ONE_PLACE)
