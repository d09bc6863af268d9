"""`arena replay fork`: play on from a turn of a record, with another bot in one seat."""

from pathlib import Path

import click

from arena import matches
from arena.cli import files
from arena.cli.failures import BOT_FAULT, WrongUse
from arena.cli.output import Output, common
from arena.cli.play import MOST_SEED, find_bot, report
from arena.cli.results import Faults, match_data, match_page
from arena.cli.story import Story
from conquest.v1.record_pb2 import MatchRecord
from engine.playout import FORFEIT
from engine.rules.notation import LETTERS
from sdk.bots import BOTS
from sdk.local import BotSpec


@click.command(
    "fork",
    short_help="Play on from a turn, with another bot in one seat.",
    epilog="Examples: arena replay fork match.cqr --turn 12 --seat B --bot strategist; the same where C was"
    " played by a file: --bot strategist --bot C=my/bot.py:MyBot",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--turn", required=True, type=int, help="Play on from the start of this turn; 0 is the whole match.")
@click.option("--seat", "seat_name", required=True, help="The seat that another bot takes over: A, B, ...")
@click.option(
    "--bot",
    "names",
    multiple=True,
    required=True,
    help="The bot that takes over; SEAT=BOT for another seat, which else keeps the bot of the record.",
)
@click.option("--record", "target", type=click.Path(), help="Write the record of the fork here.")
@click.option("--seed", type=click.IntRange(0, MOST_SEED), help="The same dice after the fork every time.")
@common
@click.pass_context
def fork(
    ctx: click.Context,
    file: Path,
    turn: int,
    seat_name: str,
    names: tuple[str, ...],
    target: str | None,
    seed: int | None,
) -> None:
    """Play on from a turn of the record FILE, with another bot in one seat.

    Everything before that turn is as recorded, the dice among it; the dice after it are new.
    """
    output: Output = ctx.obj
    kept = files.load(file)
    seat = read_seat(seat_name, kept.seat_count)
    entries = seated(kept, seat, names)
    path = None if target is None else files.check_writable(target, source=file)
    story = files.story(file)
    start = story.turn(turn).start
    check_sound(story, turn, seat)
    played = matches.fork(kept, start, entries, seed)
    if path is not None:
        files.save(played.record, path)
    if output.as_json:
        output.data(match_data(played, path) | {"forked": {"file": str(file), "turn": turn}})
    else:
        output.show(*match_page(played, path))
    ctx.exit(BOT_FAULT if report(Faults(played.faults), output) else 0)


def read_seat(text: str, seats: int) -> int:
    known = LETTERS[:seats]
    if text.upper() in known and len(text) == 1:
        return known.index(text.upper())
    raise WrongUse(f"there is no seat '{text}': this match has the seats {', '.join(known)}.")


def check_sound(story: Story, turn: int, seat: int) -> None:
    """Refuses a seat that nobody can take over at the start of this turn."""
    start, letter = story.turn(turn).start, LETTERS[seat]
    if any(one.kind == FORFEIT and one.seat == seat and one.action < start for one in story.record.conduct):
        raise WrongUse(f"seat {letter} is lost by then, and the caretaker plays it: name an earlier turn.")
    if turn > 0 and story.turn(turn - 1).after.held[seat] == 0:
        raise WrongUse(f"seat {letter} is eliminated by then: name an earlier turn.")


def seated(kept: MatchRecord, seat: int, names: tuple[str, ...]) -> list[BotSpec]:
    """Who plays on: the bots given, and those of the record in the other seats."""
    chosen: dict[int, str] = {}
    for text in names:
        letter, equals, bot = text.partition("=")
        named = bool(equals) and len(letter) == 1
        where = read_seat(letter, kept.seat_count) if named else seat
        if where in chosen:
            raise WrongUse(f"seat {LETTERS[where]} has two bots: write --bot SEAT=BOT for the other seats.")
        chosen[where] = bot if named else text
        if not chosen[where]:
            raise WrongUse(f"--bot '{text}' names no bot for seat {LETTERS[where]}.")
    if seat not in chosen:
        raise WrongUse(f"--bot names no bot for seat {LETTERS[seat]}.")
    return [find_bot(chosen[one] if one in chosen else recorded(kept, one)) for one in range(kept.seat_count)]


def recorded(kept: MatchRecord, seat: int) -> str:
    name = kept.seats[seat].agent
    if name in BOTS:
        return name
    letter = LETTERS[seat]
    raise WrongUse(
        f"seat {letter} was played by '{name}', which is not built in: say who plays on with --bot {letter}=BOT."
    )
