"""`arena leaderboard report`: a tournament as one HTML file."""

import click

from arena.cli import files
from arena.cli.output import Output, common
from arena.cli.store_option import needing_ratings, opened, store_option


@click.command(
    "report",
    short_help="Write a tournament as one HTML file.",
    epilog="Example: arena leaderboard report spring-open --films 4",
)
@click.argument("name", metavar="TOURNAMENT")
@click.option("--to", "target", type=click.Path(), help="The file; TOURNAMENT.html unless told.")
@click.option("--films", type=click.IntRange(0, 50), default=0, help="So many matches can be looked at in it.")
@store_option
@common
@click.pass_obj
def report(output: Output, name: str, target: str | None, films: int, url: str) -> None:
    """Write everything about TOURNAMENT into one HTML file, which opens in a browser without a network.

    With --films the matches that were won with most luck, and against it, are in the file, to be played there.
    """
    with needing_ratings(), opened(url) as store:
        from arena.tournaments import outcomes
        from leaderboard import report as drawn
        from leaderboard.tallies import Tallies
        from leaderboard.web.paths import file_name

        path = files.check_writable(target or f"{file_name(name)}.html", ".html")
        found = store.tournament(name)
        page = drawn.report(store, found, Tallies(store, outcomes).tables(found), films).encode()
    files.write_whole(path, page)
    if output.as_json:
        output.data({"file": str(path), "bytes": len(page)})
    else:
        output.note(f"Wrote {path}")
