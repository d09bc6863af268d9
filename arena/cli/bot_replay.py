"""`arena bot replay`: where a bot would have played otherwise."""

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import click

from arena.cli import files
from arena.cli.failures import BOT_FAULT, Failure, complain, sentence
from arena.cli.fork import read_seat
from arena.cli.output import Output, common, table
from arena.cli.play import find_bot
from conquest.v1.record_pb2 import MatchRecord
from engine import record
from engine.chance import agent_seed
from engine.playout import BotFault
from engine.rules.choices import high_of, low_of
from engine.rules.events import TURN_BEGAN
from engine.rules.notation import LETTERS, write_action
from sdk.agent import MatchInfo
from sdk.local import BotSpec


class Difference(NamedTuple):
    """A decision that the bot would have answered otherwise, or, with `fault`, not at all."""

    action: int
    turn: int
    played: str
    would: str
    fault: bool


class Comparison(NamedTuple):
    decisions: int
    differences: list[Difference]


@click.command(
    "replay",
    short_help="Tell where a bot would have played otherwise.",
    epilog="Example: arena bot replay match.cqr --seat B --bot my/bot.py:MyBot",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--seat", "seat_name", required=True, help="Whose decisions it is asked: A, B, ...")
@click.option("--bot", "name", required=True, help="A built-in name or path/file.py:Class.")
@common
@click.pass_context
def replay(ctx: click.Context, file: Path, seat_name: str, name: str) -> None:
    """Ask a bot every decision of one seat in the record FILE, and tell where it would differ.

    The match goes on as recorded, whatever the bot answers. The bot has the seed that it would have had there. The
    exit code is 3 if it was at fault.
    """
    output: Output = ctx.obj
    kept = files.load(file)
    seat = read_seat(seat_name, kept.seat_count)
    bot = find_bot(name)
    try:
        with redirect_stdout(sys.stderr):
            found = compare(kept, seat, bot)
    except record.RecordError as error:
        raise Failure(sentence(f"{file} cannot be replayed: {error}")) from error
    show(output, found, seat, bot)
    faults = [one for one in found.differences if one.fault]
    if faults:
        complain(f"{faults[0].would}{f' (the first of {len(faults)})' if len(faults) > 1 else ''}")
    ctx.exit(BOT_FAULT if faults else 0)


def compare(kept: MatchRecord, seat: int, bot: BotSpec) -> Comparison:
    walk = record.Replay(kept)
    r, s = walk.r, walk.s
    s.events = []
    agents = tuple(one.agent for one in kept.seats)
    policy = bot.policy(agent_seed(kept.match_key, seat), MatchInfo(kept.match_id, r, seat, agents))
    found: list[Difference] = []
    decisions = turn = heard = 0
    while (step := walk.peek()) is not None:
        news, heard = s.events[heard:], len(s.events)
        turn += sum(1 for event in news if event.kind == TURN_BEGAN)
        has_choice = len(step.codes) > 1 or low_of(step.code) != high_of(step.code)
        if step.seat == seat and has_choice and not s.lost >> seat & 1:
            decisions += 1
            played = write_action(r, s, step.code, step.amount)
            try:
                option, amount = policy.choose(r, s, seat, step.codes)
                if (option, amount) != (step.option, step.amount):
                    would = write_action(r, s, step.codes[option], amount)
                    found.append(Difference(walk.number, turn, played, would, fault=False))
            except BotFault as fault:
                found.append(Difference(walk.number, turn, played, fault.detail, fault=True))
        walk.take(step)
    return Comparison(decisions, found)


def show(output: Output, found: Comparison, seat: int, bot: BotSpec) -> None:
    count = len(found.differences)
    if output.as_json:
        told: dict[str, Any] = {"bot": bot.name, "seat": seat, "decisions": found.decisions, "differ": count}
        output.data(told | {"differences": [one._asdict() for one in found.differences]})
        return
    title = f"{bot.name} in seat {LETTERS[seat]}"
    rows = table(title, "turn", "action", "was played", "it would play", right=("turn", "action"))
    for one in found.differences:
        rows.add_row(str(one.turn), str(one.action), one.played, one.would)
    output.show(*([rows] if count else []), f" {count} of {found.decisions} decisions differ.")
