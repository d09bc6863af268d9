"""A match as one file: board, film and viewer in a single HTML page that needs no network and no server."""

import html
import json
import re
from importlib import resources
from typing import Any, Final

from conquest.v1.record_pb2 import MatchRecord
from engine.record import ruleset_of
from leaderboard.film import film_of
from leaderboard.maps import map_of

STYLES: Final = ("arena.css", "seats.css", "viewer.css")
SCRIPT: Final = "viewer.js"
LONGEST_NAME: Final = 64  # above the board, in characters

# Nothing may be asked of any network, whatever a record says.
POLICY: Final = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"

# The scripts are modules with imports of this one form, one a line or over several.
IMPORT: Final = re.compile(r'^import \{[^}]*\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=(?:const|function|class) )", re.MULTILINE)

PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<main class="frame">
<header class="head">
<h1>{variant}</h1>
<p class="soft">{about}</p>
</header>
<div class="viewer" data-film="#film" data-map="#map"></div>
<noscript><p>This page draws the match with JavaScript.</p></noscript>
</main>
<script type="application/json" id="film">{film}</script>
<script type="application/json" id="map">{map}</script>
<script type="module">
{script}
</script>
</body>
</html>
"""


def page_of(record: MatchRecord) -> str:
    """The page of a recorded match."""
    film = film_of(record)
    agents = ", ".join(short(seat["agent"]) for seat in film["seats"])
    about = f"{agents}. {record.result.rounds} rounds, match {record.match_id}."
    return PAGE.format(
        policy=POLICY,
        title=html.escape(f"{film['title']}: {agents}"),
        variant=html.escape(film["title"]),
        about=html.escape(about),
        style="\n".join(static(name) for name in STYLES),
        film=embedded(film),
        map=embedded(map_of(ruleset_of(record).board)),
        script=script(SCRIPT, set()),
    )


def short(name: str) -> str:
    """A record may have come from anywhere, with names of any length."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def embedded(data: Any) -> str:
    """JSON that may stand in a script element: nothing in it can end the element, or begin a comment."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def script(name: str, known: set[str]) -> str:
    """The module and all that it imports as one module, each once and before those that need it."""
    if name in known:
        return ""
    known.add(name)
    source = static(name)
    needed = [script(other, known) for other in IMPORT.findall(source)]
    return "".join([*needed, EXPORT.sub("", IMPORT.sub("", source))])


def static(name: str) -> str:
    return (resources.files("leaderboard.web") / "static" / name).read_text(encoding="utf-8")
