"""A tournament as people see it: the live view, the table, the matches."""

import contextlib
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from arena import tournaments
from arena.cli.output import Output, table
from arena.run import Snapshot, Watcher, unwatched
from leaderboard.standings import Standing, Standings
from leaderboard.store import BlockResult, FixtureResult, Progress, Store, Tournament

if TYPE_CHECKING:
    from rich.console import RenderableType

DRAWN_SECONDS: Final = 0.25  # between two pictures of the live view
WATCH_SECONDS: Final = 1.0


@contextlib.contextmanager
def live(output: Output, name: str, entrants: list[str], expected: int) -> Iterator[Watcher]:
    """A picture of the tournament on stderr, redrawn as it goes; none where nobody sees it."""
    console = output.console(stderr=True)
    if output.quiet or not console.is_terminal:
        yield unwatched
        return
    from rich.live import Live

    drawn = 0.0
    with Live(console=console, transient=True, auto_refresh=False) as view:

        def draw(snapshot: Snapshot) -> None:
            nonlocal drawn
            if time.monotonic() - drawn > DRAWN_SECONDS:
                drawn = time.monotonic()
                view.update(picture(name, entrants, snapshot, expected), refresh=True)

        yield draw


def picture(name: str, entrants: list[str], snapshot: Snapshot, expected: int) -> "RenderableType":
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.text import Text

    over = snapshot.done + snapshot.void
    total = max(1, expected, snapshot.total)
    rest = f", {duration((total - over) / snapshot.speed)} left" if snapshot.speed and over < total else ""
    head = f"{name}: {snapshot.done:,} of {total:,} matches"
    return Group(
        Text(f"{head}, {snapshot.speed:.1f} a second{rest}"),
        ProgressBar(total=total, completed=over, width=60),
        standings_table("", entrants, snapshot.standings[:20]),
        *[Text(warning, style="yellow") for warning in snapshot.warnings],
    )


def follow(store: Store, tournament: Tournament, draw: Watcher) -> None:
    """Tells how a tournament stands that another process drives, until it is driven no more."""
    standings, seq = Standings(len(store.entrants(tournament.id))), 0
    began, at_first = time.monotonic(), store.progress(tournament.id).done
    while store.is_driven(store.tournament(tournament.name)):
        for row in store.results(tournament.id, seq):
            seq = row.seq
            if not row.void:
                standings.add(row.entrants, row.places, row.faults)
        now = store.progress(tournament.id)
        speed = (now.done - at_first) / max(WATCH_SECONDS, time.monotonic() - began)
        total, refused = now.open + now.done + now.void, now.doubled + now.fenced
        draw(Snapshot(0, now.done, total, now.void, refused, speed, standings.rows(), []))
        time.sleep(WATCH_SECONDS)


def standings_table(
    title: str, names: list[str], rows: list[Standing], outcome: Mapping[int, str] | None = None
) -> Any:
    """`outcome` is what the format says of an entrant."""
    numbers = ("", "score", "matches", "wins", "faults")
    more = ("outcome",) if outcome else ()
    shown = table(title, "", "entrant", *more, "score", "matches", "wins", "faults", right=numbers)
    for place, row in enumerate(rows, 1):
        said = (outcome.get(row.entrant, "·"),) if outcome else ()
        score = f"{row.score:.3f}" if row.matches else "·"
        counted = (f"{row.matches:,}", f"{row.wins:,}", str(row.faults or "·"))
        shown.add_row(str(place), names[row.entrant], *said, score, *counted)
    return shown


def show_tournament(output: Output, store: Store, found: Tournament) -> None:
    names = [one.name for one in store.entrants(found.id)]
    (rows, variants), progress = tournaments.tables(store, found), store.progress(found.id)
    if output.as_json:
        output.data(tournament_data(found, names, rows, variants, progress))
        return
    title = f"{found.name}: {store.state_told(found)}"
    if len(variants) == 1:
        shown = [standings_table(title, names, variants[0].rows, variants[0].outcome)]
    else:
        each = [standings_table(one.label, names, one.rows, one.outcome) for one in variants]
        shown = [standings_table(title, names, rows), *each]
    parts = [f" {counts(progress)}"]
    if found.state == "finished":
        parts.append(f" The key of its dice: {found.key.hex()}, committed to as {found.commitment.hex()[:16]}….")
    output.show(*shown, *parts)


def match_data(names: list[str], block: BlockResult, match: FixtureResult) -> dict[str, Any]:
    told = {"match": match.id, "round": block.round, "variant": block.variant, "state": match.state}
    return told | {"entrants": [names[one] for one in match.seats], "places": match.places}


def match_table(name: str, rows: list[dict[str, Any]]) -> Any:
    shown = table(f"Matches of {name}", "match", "state", "entrants and places")
    for row in rows:
        places = row["places"] or ["·"] * len(row["entrants"])
        sat = [f"{entrant} {place}" for entrant, place in zip(row["entrants"], places, strict=True)]
        shown.add_row(row["match"], row["state"], ", ".join(sat))
    return shown


def counts(progress: Progress) -> str:
    told = [f"{progress.done:,} matches played", f"{progress.open:,} to be played"]
    for count, what in ((progress.void, "void"), (progress.faults, "faults")):
        if count:
            told.append(f"{count:,} {what}")
    if progress.doubled or progress.fenced:
        told.append(f"{progress.doubled:,} reports came twice, {progress.fenced:,} too late")
    return ", ".join(told) + "."


def tournament_data(
    found: Tournament,
    names: list[str],
    rows: list[Standing],
    variants: list[tournaments.VariantTable],
    progress: Progress,
) -> dict[str, Any]:
    return {
        "name": found.name,
        "state": found.state,
        "commitment": found.commitment.hex(),
        "key": found.key.hex() if found.state == "finished" else None,
        "progress": progress._asdict(),
        "standings": [standing_data(names, row) for row in rows],
        "variants": [
            {
                "variant": one.label,
                "standings": [
                    standing_data(names, row) | {"outcome": one.outcome.get(row.entrant)} for row in one.rows
                ],
            }
            for one in variants
        ],
    }


def standing_data(names: list[str], row: Standing) -> dict[str, Any]:
    return row._asdict() | {"entrant": names[row.entrant]}


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
