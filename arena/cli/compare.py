"""`arena compare`: is one bot better than another?"""

from pathlib import Path
from typing import Final

import click

from arena.cli.failures import FAILED, WrongUse, complain
from arena.cli.output import Output, common
from arena.cli.play import find_bot, read_options
from arena.cli.referee import read_time
from arena.cli.tournament import hired, ray_option, workers_option
from arena.comparison import Comparison, Setting
from arena.config import VariantEntry, command_problem
from arena.job import COMMAND, POOLED
from arena.sequential import BETTER, NOT_BETTER, USUAL, Hypotheses, SequentialTest, Verdict
from arena.tournaments import located
from engine.referee.clock import STANDARD, TimeControl
from engine.rules.errors import RulesError
from engine.rules.variants import ruleset

WORDS: Final = {BETTER: "A is better than B.", NOT_BETTER: "A is not better than B by as much as that."}


@click.command(
    "compare",
    short_help="Find out whether one bot is better than another.",
    epilog="Example: arena compare my-bot/bot.py:MyBot strategist --players 4 --others aggressor",
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--variant", default="classic", show_default=True, help="What to play; see 'arena variants'.")
@click.option("--players", type=click.IntRange(2, 6), default=3, show_default=True, help="The size of a table.")
@click.option("--others", default="aggressor", show_default=True, help="The bot that fills the other seats.")
@click.option("--option", "options", multiple=True, callback=read_options, help="An option of the variant.")
@click.option("--d0", type=float, default=USUAL.d0, show_default=True, help="H0: A scores higher by this at most.")
@click.option(
    "--d1", type=float, default=USUAL.d1, show_default=True, help="H1: A scores higher by this at least."
)
@click.option(
    "--most-blocks", type=click.IntRange(1), default=2000, show_default=True, help="Give up after so many."
)
@click.option(
    "--time", "control", default=str(STANDARD), show_default=True, callback=read_time, help="For commands."
)
@workers_option
@ray_option
@common
@click.pass_context
def command(
    ctx: click.Context,
    first: str,
    second: str,
    variant: str,
    players: int,
    others: str,
    options: dict[str, int],
    d0: float,
    d1: float,
    most_blocks: int,
    control: TimeControl,
    workers: int | None,
    ray_address: str | None,
) -> None:
    """Play A against B in paired blocks until it is known which of two things holds, or a limit ends it.

    A block plays every seating twice, with A and B exchanged, so both meet the same others from the same seats.
    The exit code is 0 if A is better, and 1 if it is not or if nothing could be decided.
    """
    output: Output = ctx.obj
    here = Path.cwd()
    for bot in {first, second, others}:
        if not bot.startswith(COMMAND):
            find_bot(bot)
        elif problem := command_problem(bot):
            raise WrongUse(problem)
    bots = tuple([located(bot, here) for bot in (first, second, *[others] * (players - 2))])
    try:
        ruleset(variant, players, options)
        test = SequentialTest(Hypotheses(d0, d1))
        setting = Setting(VariantEntry(variant, players, options, variant), bots, str(control), most_blocks)
    except (RulesError, ValueError) as error:
        raise WrongUse(str(error)) from error
    with hired(workers, POOLED, str(here), ray_address) as crew, output.progress() as progress:
        comparison = Comparison(setting, test, crew)
        task = progress.add_task("blocks", total=most_blocks)
        verdict = comparison.run(lambda so_far: progress.update(task, completed=so_far.blocks))
    show(output, verdict, comparison)
    ctx.exit(0 if verdict.decision == BETTER else FAILED)


def show(output: Output, verdict: Verdict, played: Comparison) -> None:
    faults = sorted(played.faults.values())
    if output.as_json:
        dropped = {"dropped": played.dropped, "why_dropped": played.why_dropped or None}
        told = [{"bot": one.bot, "kind": one.kind, "count": one.times, "first": one.first} for one in faults]
        output.data(verdict._asdict() | dropped | {"faults": told})
        return
    interval = f"{verdict.estimate:+.3f}, between {verdict.low:+.3f} and {verdict.high:+.3f}"
    words = WORDS.get(verdict.decision, "Nothing could be decided within the limit.")
    output.show(f"{words} A's mean score less B's: {interval} ({verdict.blocks:,} blocks).")
    if played.dropped:
        complain(f"{played.dropped} blocks could not be played and were left out. The first: {played.why_dropped}")
    for one in faults:
        first = f" (the first of {one.times:,})" if one.times > 1 else ""
        complain(f"{one.bot}, {one.kind}: {one.first}{first}")
