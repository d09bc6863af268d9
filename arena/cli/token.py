"""`arena token`: who may dial a referee, and who may log in to the pages."""

import click

from arena.cli.failures import WrongUse
from arena.cli.output import Output, common, table
from arena.cli.shell import NamingGroup
from arena.cli.token_places import Place, place_options
from engine.referee.auth import Role

ROLES = [role.name.lower() for role in Role]


@click.group(
    "token",
    cls=NamingGroup,
    epilog="Examples: arena token create my-bot --tokens tokens.txt; arena token create alice --store arena.db",
)
@common
def command() -> None:
    """Make the tokens that a referee lets in, and those that authors log in to the pages with."""


@command.command(
    "create",
    short_help="Make a token and say it, once.",
    epilog="Examples: arena token create my-bot --tokens tokens.txt > my-bot.token; arena token create me"
    " --tokens tokens.txt --role organiser; arena token create alice --store arena.db > alice.token",
)
@click.argument("name")
@place_options
@click.option(
    "--role",
    type=click.Choice(ROLES),
    default="author",
    show_default=True,
    help="An author plays the seats of its agent, an organiser makes matches too.",
)
@common
@click.pass_obj
def create(output: Output, name: str, place: Place, role: str) -> None:
    """Make a token for the agent or person NAME.

    The token alone is written to stdout (JSON only with --json); what is kept is its hash, so it cannot be told
    again. A referee, or pages, that are running take it at once.
    """
    token = place.create(Role[role.upper()], name)
    if output.json:
        output.data({"name": name, "role": role, "token": token})
    else:
        click.echo(token)
    output.note(f"Token of {name} ({role}): keep it, it is not told again.")


@command.command(
    "list",
    short_help="Tell whose tokens there are.",
    epilog="Examples: arena token list --tokens tokens.txt; arena token list --store arena.db",
)
@place_options
@common
@click.pass_obj
def list_tokens(output: Output, place: Place) -> None:
    """Tell whose tokens are in the file or in the store; remove a line of the file to shut somebody out."""
    known = place.known()
    if output.as_json:
        output.data([{"name": one.name, "role": one.role.name.lower(), "hash": digest} for one, digest in known])
        return
    rows = table("Tokens", "name", "role", "hash")
    for one, digest in known:
        rows.add_row(one.name, one.role.name.lower(), digest[:8])
    output.show(rows)


@command.command(
    "revoke", short_help="Shut somebody out.", epilog="Example: arena token revoke alice --store arena.db"
)
@click.argument("name")
@place_options
@common
@click.pass_obj
def revoke(output: Output, name: str, place: Place) -> None:
    """End all tokens of NAME in a store. Who is logged in with one is logged out."""
    ended = place.revoke(name)
    if not ended:
        raise WrongUse(f"'{name}' has no token. 'arena token list' tells who has.")
    if output.as_json:
        output.data({"name": name, "revoked": ended})
    else:
        click.echo(f"Ended {ended} {'token' if ended == 1 else 'tokens'} of {name}.")
