"""Records in formats that other programs read."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from arena.cli.story import Story
from arena.cli.story_view import header, result
from engine import record_text


def jsonl(story: Story) -> Iterator[str]:
    """A line for the header, one for each action with its events, one for the result."""
    yield _line({"header": header(story)})
    for turn in story.turns:
        for move in turn.moves:
            yield _line({"turn": turn.number} | move.data(story.teller))
    yield _line({"result": result(story)})


def text(story: Story) -> Iterator[str]:
    """The notation, which every command that takes a record reads too."""
    yield from record_text.write(story.record).splitlines()


def _line(data: dict[str, Any]) -> str:
    return json.dumps(data, separators=(",", ":"))


FORMATS: Final[dict[str, Callable[[Story], Iterator[str]]]] = {"jsonl": jsonl, "text": text}
SUFFIXES: Final = {"jsonl": ".jsonl", "text": ".txt"}
