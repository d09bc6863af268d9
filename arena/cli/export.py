"""Records in formats that other programs read."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from arena.cli.story import Story
from arena.cli.story_view import ending, header, result
from engine.rules.notation import seat_name


def jsonl(story: Story) -> Iterator[str]:
    """A line for the header, one for each action with its events, one for the result."""
    yield _line({"header": header(story)})
    for turn in story.turns:
        for move in turn.moves:
            yield _line({"turn": turn.number} | move.data(story.teller))
    yield _line({"result": result(story)})


def text(story: Story) -> Iterator[str]:
    """The notation: a line for each action, a comment for each turn."""
    yield f"# {header(story)['variant']}: {', '.join(story.bots)}"
    for turn in story.turns:
        yield (f"# turn {turn.number}, {seat_name(turn.seat)}, round {turn.round}" if turn.number else "# set-up")
        for move in turn.moves:
            yield f"{seat_name(move.seat)} {move.text}"
    yield f"# {ending(story)}; places {' '.join(map(str, story.record.result.places))}"


def _line(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


FORMATS: Final[dict[str, Callable[[Story], Iterator[str]]]] = {"jsonl": jsonl, "text": text}
