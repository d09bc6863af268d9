"""`arena match void` and `arena match reinstate`: results of a tournament, corrected in the book."""

import getpass

import click

from arena.cli.failures import WrongUse
from arena.cli.output import Output, common
from arena.cli.store_option import opened, store_option

EXAMPLE = "spring-open/r1-classic-4p-0003-r2"

match_argument = click.argument("match_id", metavar="MATCH")
reason_option = click.option("--reason", required=True, help="Why, for everybody who reads the book.")


@click.command(
    "void",
    short_help="Strike a match of a tournament out.",
    epilog=f"Example: arena match void {EXAMPLE} --reason 'the machine was overloaded'",
)
@match_argument
@reason_option
@store_option
@common
@click.pass_obj
def void(output: Output, match_id: str, reason: str, url: str) -> None:
    """Strike a match of a tournament out, played or not: it counts for nothing. Its result stays in the book.

    One that was played can be let count again with 'arena match reinstate'; one that was not is never played.
    """
    with opened(url) as store:
        is_new = store.void(user(), match_id, given(reason))
    tell(output, match_id, is_new, True, "is void now" if is_new else "was void already")


@click.command(
    "reinstate",
    short_help="Let a void match count again.",
    epilog=f"Example: arena match reinstate {EXAMPLE} --reason 'it was another machine'",
)
@match_argument
@reason_option
@store_option
@common
@click.pass_obj
def reinstate(output: Output, match_id: str, reason: str, url: str) -> None:
    """Let the result of a void match count again."""
    with opened(url) as store:
        is_new = store.reinstate(match_id, user(), given(reason))
    tell(output, match_id, is_new, False, "counts again" if is_new else "is not void: nothing to do")


def given(reason: str) -> str:
    if not reason.strip():
        raise WrongUse("--reason is empty: say why, it stays in the book.")
    return reason.strip()


def user() -> str:
    """Who corrects; a container may have no name for its user."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "unknown"


def tell(output: Output, match_id: str, is_new: bool, is_void: bool, words: str) -> None:
    if output.as_json:
        output.data({"match": match_id, "void": is_void, "changed": is_new})
    else:
        click.echo(f"Match {match_id} {words}.")
