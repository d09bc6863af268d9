"""`arena bot check`: the conformance run, on a referee of its own."""

import logging
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

import click

from arena.cli.failures import FAILED, WrongUse
from arena.cli.output import Output, common, table
from arena.cli.play import find_bot
from arena.cli.referee import time_option
from arena.loopback import LoopbackReferee
from engine.referee.auth import Identity, Role
from engine.referee.clock import TimeControl
from engine.referee.server import ListenError
from engine.rules.variants import VARIANTS
from sdk.bots import BOTS
from sdk.local import BotSpec
from sdk.testing import FAIL, WARN, Check, Conformance, Thinking

MARKS = {"pass": ("pass", "green"), "warn": ("warn", "yellow"), "fail": ("FAIL", "bold red")}
LEAST_PATIENCE = 10.0  # seconds
OTHER_CHECKS = 11  # beside one for each variant
RIVAL, LEADER = "aggressor", "strategist"


@click.command(
    "check",
    short_help="Check a bot before it meets others.",
    epilog="Example: arena bot check my/bot.py:MyBot --strict",
)
@click.argument("name", metavar="BOT")
@click.option(
    "--variant", "variants", multiple=True, type=click.Choice(list(VARIANTS)), help="Only these variants."
)
@time_option
@click.option("--strict", is_flag=True, help="A warning fails too: the bot must be the same with the same seed.")
@common
@click.pass_context
def check(
    ctx: click.Context, name: str, variants: tuple[str, ...], time_control: TimeControl, strict: bool
) -> None:
    """Check BOT, a built-in name or path/file.py:Class, on a referee of its own.

    It plays every variant with every number of players, is asked every kind of decision, and meets bad and late
    answers, an exception, a lost connection and a restart. The exit code is 0 if all is well, 1 if not.
    """
    output: Output = ctx.obj
    bot = find_bot(name)
    token, organiser_token = secrets.token_urlsafe(), secrets.token_urlsafe()
    known = {token: Identity("bot", Role.AUTHOR), organiser_token: Identity("rival", Role.ORGANISER)}
    output.start_log(logging.INFO if output.verbose else logging.CRITICAL)  # mishaps are made on purpose
    with referee_of(known, time_control) as referee, redirect_stdout(sys.stderr):
        conformance = Conformance(
            bot,
            referee.address,
            token,
            organiser_token,
            built_in(RIVAL),
            built_in(LEADER),
            variants or tuple(VARIANTS),
            patience=LEAST_PATIENCE + 2 * time_control.limit,
        )
        total = OTHER_CHECKS + len(conformance.variants)
        with output.progress() as progress:
            checks = list(progress.track(conformance.checks(), total=total, description="checks"))
    bad = (FAIL, WARN) if strict else (FAIL,)
    passed = not any(one.status in bad for one in checks)
    show(output, bot, checks, conformance.thinking, passed)
    ctx.exit(0 if passed else FAILED)


@contextmanager
def referee_of(tokens: dict[str, Identity], time_control: TimeControl) -> Iterator[LoopbackReferee]:
    try:
        with LoopbackReferee(tokens, time_control) as referee:
            yield referee
    except ListenError as error:
        raise WrongUse(f"{error}.") from error


def built_in(name: str) -> BotSpec:
    return BotSpec(name, BOTS[name], built_in=True)


def show(output: Output, bot: BotSpec, checks: list[Check], thinking: Thinking, passed: bool) -> None:
    if output.as_json:
        told = {"bot": bot.name, "passed": passed, "checks": [one._asdict() for one in checks]}
        output.data(told | {"thinking_ms": thinking._asdict()})
        return
    from rich.text import Text

    rows = table(f"Check of {bot.name}", "", "check", "what was seen")
    for one in checks:
        rows.add_row(Text(*MARKS[one.status]), one.name, one.detail)
    warnings = sum(one.status == WARN for one in checks)
    good = f"Well, with {warnings} to look at: --strict fails it." if warnings else "All is well."
    output.show(rows, f" {good}" if passed else " Not yet.")
