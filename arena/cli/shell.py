"""A group of commands that, asked for one it does not have, says which it has."""

import click

from arena.cli.failures import unknown


class NamingGroup(click.Group):
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-"):
            ctx.fail(unknown("command", args[0], known))
        return super().resolve_command(ctx, args)
