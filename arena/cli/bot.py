"""`arena bot`: a bot of one's own, from the first file to the referee."""

import asyncio
import logging
import sys
from contextlib import redirect_stdout
from importlib.resources import files as resources
from pathlib import Path

import click

from arena.cli.bot_check import check
from arena.cli.bot_replay import replay
from arena.cli.dialling import Dial, dialling
from arena.cli.failures import WrongUse
from arena.cli.output import Output, common
from arena.cli.play import find_bot
from arena.cli.shell import NamingGroup
from arena.running import run_until_stopped
from sdk.client import ENDED, Client, Wishes

log = logging.getLogger(__name__)

STARTER = ("bot.py", "test_bot.py", "README.md")


@click.group("bot", cls=NamingGroup, epilog="Example: arena bot new my-bot")
@common
def command() -> None:
    """Write, check and run a bot of your own."""


command.add_command(check)
command.add_command(replay)


@command.command("new", short_help="Write a bot to start from.", epilog="Example: arena bot new my-bot")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@common
@click.pass_obj
def new(output: Output, folder: Path) -> None:
    """Write a bot that beats random into DIR, with a test and a page about it."""
    if folder.exists() and not folder.is_dir():
        raise WrongUse(f"{folder} is a file: name a new folder.")
    try:
        if folder.is_dir() and any(folder.iterdir()):
            raise WrongUse(f"{folder} is not empty: name a new folder.")
        folder.mkdir(parents=True, exist_ok=True)
        for name in STARTER:
            (folder / name).write_bytes((resources("arena.starter") / name).read_bytes())
    except OSError as error:
        raise WrongUse(f"{folder} cannot be written: {error.strerror}. Name another folder.") from error
    if output.as_json:
        output.data({"folder": str(folder), "files": list(STARTER)})
    else:
        output.show(f"Wrote {', '.join(STARTER)} to {folder}.")
    output.note(f"Try it: arena play --bot {folder / 'bot.py'}:MyBot --bot random --bot random --matches 30")


@command.command(
    "run",
    short_help="Play for a bot on a referee.",
    epilog="Example: arena bot run my/bot.py:MyBot --server arena.example.org:50051 --token-file my-bot.token",
)
@click.argument("name", metavar="BOT")
@click.option("--matches-at-once", type=click.IntRange(1), help="In how many matches to play at once.")
@click.option("--in-flight", type=click.IntRange(1), help="How many decisions to have outstanding at once.")
@click.option("--defence-dice", type=click.IntRange(1, 2), help="Always defend with so many, without being asked.")
@click.option(
    "--patience",
    type=click.FloatRange(0),
    default=60.0,
    show_default=True,
    help="Seconds without a referee before it gives up.",
)
@dialling
@common
@click.pass_context
def run(
    ctx: click.Context,
    dial: Dial,
    name: str,
    matches_at_once: int | None,
    in_flight: int | None,
    defence_dice: int | None,
    patience: float,
) -> None:
    """Play for BOT, a built-in name or path/file.py:Class, on a referee, until Ctrl-C or SIGTERM.

    It reconnects when the stream is lost. Exit codes: 0 stopped, 1 no referee for too long, 2 refused, 4 another
    process has taken its place. The log goes to stderr.
    """
    output: Output = ctx.obj
    output.start_log()
    bot = find_bot(name)
    dial = dial.with_token()
    wishes = Wishes(matches_at_once or 0, in_flight or 0, defence_dice or 0)
    client = Client(bot, dial.server, dial.token, wishes, dial.authority, dial.plain, patience)
    with redirect_stdout(sys.stderr):  # what it prints is no result
        code = run_until_stopped(play(client))
    ctx.exit(code)


async def play(client: Client) -> int:
    try:
        return await client.run()
    except asyncio.CancelledError:
        counts = (client.finished, client.answered, client.faults)
        log.info("stopped; matches: %d, answers: %d, faults: %d", *counts)
        return ENDED
