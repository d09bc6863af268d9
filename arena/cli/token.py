"""`arena token`: who may dial a referee."""

from pathlib import Path

import click

from arena.cli.failures import WrongUse
from arena.cli.output import Output, common, table
from arena.cli.shell import NamingGroup
from engine.referee.auth import Role, TokenFileError, create_token, read_tokens

ROLES = [role.name.lower() for role in Role]

tokens_option = click.option(
    "--tokens",
    "path",
    required=True,
    envvar="ARENA_TOKENS",
    type=click.Path(path_type=Path),
    help="The file of tokens, by their hashes; also from ARENA_TOKENS.",
)


@click.group("token", cls=NamingGroup, epilog="Example: arena token create my-bot --tokens tokens.txt")
@common
def command() -> None:
    """Make the tokens that a referee lets in."""


@command.command(
    "create",
    short_help="Make a token and say it, once.",
    epilog="Examples: arena token create my-bot --tokens tokens.txt > my-bot.token; arena token create me"
    " --tokens tokens.txt --role organiser",
)
@click.argument("name")
@tokens_option
@click.option(
    "--role",
    type=click.Choice(ROLES),
    default="author",
    show_default=True,
    help="An author plays the seats of its agent, an organiser makes matches too.",
)
@common
@click.pass_obj
def create(output: Output, name: str, path: Path, role: str) -> None:
    """Make a token for the agent or person NAME.

    The token alone is written to stdout (JSON only with --json); the file keeps its hash, so it cannot be told
    again. A referee that is running takes it at once.
    """
    try:
        token = create_token(path, Role[role.upper()], name)
    except TokenFileError as error:
        raise WrongUse(f"{error}.") from error
    except OSError as error:
        raise WrongUse(f"{path} cannot be written: {error.strerror}. Name another file.") from error
    if output.json:
        output.data({"name": name, "role": role, "token": token})
    else:
        click.echo(token)
    output.note(f"Token of {name} ({role}): keep it, it is not told again.")


@command.command(
    "list", short_help="Tell whose tokens there are.", epilog="Example: arena token list --tokens tokens.txt"
)
@tokens_option
@common
@click.pass_obj
def list_tokens(output: Output, path: Path) -> None:
    """Tell whose tokens are in the file; remove a line of it to shut somebody out."""
    try:
        known = read_tokens(path)
    except TokenFileError as error:
        raise WrongUse(f"{error}.") from error
    if output.as_json:
        output.data(
            [{"name": one.name, "role": one.role.name.lower(), "hash": digest} for digest, one in known.items()]
        )
        return
    rows = table("Tokens", "name", "role", "hash")
    for digest, one in known.items():
        rows.add_row(one.name, one.role.name.lower(), digest[:8])
    output.show(rows)
