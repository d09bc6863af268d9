"""The command `arena`. Each group of commands is a module of its own, imported when it is asked for."""

import importlib
import os
import sys
from io import TextIOWrapper
from typing import Any, Final

import click

from arena.cli import failures
from arena.cli.output import Output, common
from arena.cli.shell import NamingGroup

COMMANDS: Final = {  # name of the command: its module, and one line for `arena --help`
    "play": ("arena.cli.play", "Play matches between bots."),
    "replay": ("arena.cli.replay", "Look at records of matches, check them, play on from them."),
    "bot": ("arena.cli.bot", "Write, check and run a bot of your own."),
    "referee": ("arena.cli.referee", "Referee matches for bots that dial in."),
    "match": ("arena.cli.match", "Make matches on a referee, look at them, correct results."),
    "token": ("arena.cli.token", "Make the tokens that a referee lets in."),
    "tournament": ("arena.cli.tournament", "Plan, run and look at tournaments."),
    "compare": ("arena.cli.compare", "Find out whether one bot is better than another."),
    "leaderboard": ("arena.cli.leaderboard", "Rate the agents of a store, and show who is best."),
    "store": ("arena.cli.store", "Check, export, import and back up the store of results."),
    "doctor": ("arena.cli.doctor", "Tell what this machine offers, and what to install."),
    "variants": ("arena.cli.variants", "List the variants, or show the rules of one."),
}


class Arena(NamingGroup):
    """The top command: finds the others by name, and turns everything that goes wrong into one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name][0]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the list without importing a single command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # click has ways of its own with these two
            raise failures.Interrupted("interrupted") from None
        except BrokenPipeError:
            raise failures.NobodyReads from None

    def main(self, *args: Any, **extra: Any) -> Any:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # a sign that the terminal lacks is no reason to fail
        os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # what it would say, we say in a line of our own
        os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
        output = Output()
        extra |= {"standalone_mode": False, "obj": output, "prog_name": "arena"}
        raise SystemExit(failures.guard(lambda: super(Arena, self).main(*args, **extra), output))


def say_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version

    import engine

    try:
        number = version("conquest-arena")
    except PackageNotFoundError:
        number = "(not installed)"
    click.echo(f"arena {number}, engine {engine.MODE}")
    ctx.exit()


@click.command(
    cls=Arena,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: arena play --variant classic --bot strategist --bot aggressor --bot random",
)
@common
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=say_version,
    help="Say the version, and whether the engine runs compiled or interpreted.",
)
def main() -> None:
    """Conquest Arena: matches between bots in the RISK family of board games.

    Tables on a terminal, JSON when piped or with --json. Exit codes: 0 done, 1 failed, 2 wrong use,
    3 a bot was at fault, 4 another process has taken the bot's place, 130 interrupted.
    """
