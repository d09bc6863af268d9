"""A told match as pages for people and as data for programs."""

from collections.abc import Iterable
from typing import Any

from arena.cli.board_view import board_data, board_table, seat_text, seats_data, seats_table
from arena.cli.output import table
from arena.cli.story import Move, Story, Turn
from conquest.v1.record_pb2 import Conduct
from engine import record
from engine.playout import CONDUCT_NAMES
from engine.rules.events import LOST, ROLLED
from engine.rules.notation import LETTERS
from engine.rules.state import COLOURS, ENDINGS


def header(story: Story) -> dict[str, Any]:
    kept = story.record
    return {
        "variant": kept.variant,
        "rules_version": kept.rules_version,
        "options": dict(story.ruleset.settings),
        "seats": [{"seat": seat, "colour": COLOURS[seat], "bot": bot} for seat, bot in enumerate(story.bots)],
        "seed": kept.seed if kept.seeded else None,
        "actions": kept.actions,
        "turns": len(story.turns) - 1,
        "faults": [fault_data(fault) for fault in kept.conduct],
    }


def fault_data(fault: Conduct) -> dict[str, Any]:
    kind = CONDUCT_NAMES[fault.kind]
    return {"action": fault.action, "seat": fault.seat, "kind": kind, "detail": fault.detail}


def ending(story: Story) -> str:
    came = story.record.result
    return f"Ended by {ENDINGS[came.ending].replace('_', ' ')} in round {came.rounds}"


def result(story: Story) -> dict[str, Any]:
    kept = story.record.result
    luck = [round(one, 3) for one in record.luck(story.record)]
    return {"places": list(kept.places), "ending": ENDINGS[kept.ending], "rounds": kept.rounds, "luck": luck}


def match_data(story: Story) -> dict[str, Any]:
    board = board_data(story.ruleset, story.turns[-1].after)
    turns = [turn_summary(story, turn) for turn in story.turns]
    return {"header": header(story), "turns": turns, "result": result(story), "board": board}


def turn_summary(story: Story, turn: Turn) -> dict[str, Any]:
    lost, killed = turn.losses()
    return {
        "turn": turn.number,
        "round": turn.round,
        "seat": turn.seat if turn.number else None,
        "actions": len(turn.moves),
        "received": turn.received(),
        "captured": [story.ruleset.board.shorts[place] for place in turn.captured()],
        "lost": lost,
        "killed": killed,
        "fates": [story.teller.data(event) for event in turn.fates()],
        "territories": list(turn.after.held),
    }


def turn_data(story: Story, turn: Turn) -> dict[str, Any]:
    moves = [move.data(story.teller) for move in turn.moves]
    opening = [story.teller.data(event) for event in turn.opening]
    return turn_summary(story, turn) | {
        "opening": opening,
        "moves": moves,
        "faults": [fault_data(fault) for fault in story.faults(turn)],
        "board": board_data(story.ruleset, turn.after),
        "seats": seats_data(story.ruleset, turn.after),
    }


def match_page(story: Story) -> list[Any]:
    final = story.turns[-1].after
    seed = f", seed {story.record.seed}" if story.record.seeded else ""
    head = f"{story.record.variant}, {len(story.bots)} seats, {len(story.turns) - 1} turns{seed}"
    board = board_table(story.ruleset, final, "The board at the end")
    return [turns_table(story, head), *faults_table(story.record.conduct), board, placement(story)]


def faults_table(faults: Iterable[Conduct]) -> list[Any]:
    """What bots did wrong; nothing where there is nothing to tell."""
    rows = table("Faults", "action", "seat", "kind", "what", right=("action",))
    for fault in faults:
        rows.add_row(str(fault.action), seat_text(fault.seat), CONDUCT_NAMES[fault.kind], fault.detail)
    return [rows] if rows.row_count else []


def turns_table(story: Story, title: str) -> Any:
    lands = [LETTERS[seat] for seat in range(len(story.bots))]
    numbers = ("turn", "round", "armies", "lost", "killed", *lands)
    rows = table(title, "turn", "round", "seat", "armies", "lost", "killed", "captured", *lands, right=numbers)
    for turn in story.turns[1:]:
        lost, killed = turn.losses()
        counts = [f"+{turn.received()}", str(lost or "·"), str(killed or "·")]
        held = [str(count or "·") for count in turn.after.held]
        seat = seat_text(turn.seat, story.bots[turn.seat])
        rows.add_row(str(turn.number), str(turn.round), seat, *counts, _captured(story, turn), *held)
    return rows


def _captured(story: Story, turn: Turn) -> str:
    """Territories by their short names, then who fell."""
    names = " ".join(story.ruleset.board.shorts[place] for place in turn.captured())
    fates = "; ".join(story.teller.words(event) for event in turn.fates())
    return "; ".join(part for part in (names, fates) if part)


def placement(story: Story) -> Any:
    came = result(story)
    rows = table(ending(story), "place", "seat", "land", "luck", right=("place", "land", "luck"))
    final = story.turns[-1].after
    for seat in sorted(range(len(story.bots)), key=lambda seat: came["places"][seat]):
        bot = seat_text(seat, story.bots[seat])
        rows.add_row(str(came["places"][seat]), bot, str(final.held[seat]), f"{came['luck'][seat]:+.1f}")
    return rows


def turn_page(story: Story, turn: Turn) -> list[Any]:
    from rich.text import Text

    who = f"{LETTERS[turn.seat]} {COLOURS[turn.seat]} {story.bots[turn.seat]}, round {turn.round}"
    title = f"Turn {turn.number}: {who}" if turn.number else "The set-up"
    rows = table(title, "action", "seat", "what", "what happened", right=("action",))
    for event in turn.opening:
        rows.add_row("", "", "", Text(story.teller.words(event), style="dim"))
    for move in turn.moves:
        rows.add_row(str(move.number), *_move(story, move))
    after = f"The board after turn {turn.number}" if turn.number else "The board after the set-up"
    board = board_table(story.ruleset, turn.after, after)
    seats = seats_table(story.ruleset, turn.after, story.bots)
    return [rows, *faults_table(story.faults(turn)), board, seats]


def _move(story: Story, move: Move) -> tuple[Any, str, str]:
    from rich.text import Text

    seat = seat_text(move.seat) if move.seat >= 0 else Text("chance", style="dim")
    told = [event for event in move.events if event.kind != ROLLED and (event.kind != LOST or event.amount)]
    return seat, move.text, ", ".join(story.teller.words(event) for event in told)
