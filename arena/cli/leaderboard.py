"""`arena leaderboard`: ratings brought up to date, shown, and served as pages."""

from typing import TYPE_CHECKING

import click

from arena.cli.failures import WrongUse
from arena.cli.leaderboard_report import report
from arena.cli.leaderboard_serve import serve
from arena.cli.output import Output, common, table
from arena.cli.shell import NamingGroup
from arena.cli.store import bar
from arena.cli.store_option import needing_ratings, opened, store_option

if TYPE_CHECKING:
    from leaderboard.ladder import Ladder, LadderRow
    from leaderboard.scopes import Scope
    from leaderboard.store import Store


@click.group("leaderboard", cls=NamingGroup, epilog="Example: arena leaderboard show classic")
@common
def command() -> None:
    """Rate the agents of a store, and show who is best: here or as pages."""


command.add_command(report)
command.add_command(serve)


@command.command(
    "show",
    short_help="Show the ladder.",
    epilog="Examples: arena leaderboard show; arena leaderboard show classic@1; "
    "arena leaderboard show family:domination",
)
@click.argument("scope", default="all")
@click.option("--no-update", is_flag=True, help="Show what is there, without rating what has been played since.")
@store_option
@common
@click.pass_obj
def show(output: Output, scope: str, url: str, no_update: bool) -> None:
    """Show who is best in SCOPE: a variant, a version of its rules (classic@1), family:NAME, or all.

    The rating is the skill that an agent has almost surely: it goes up with better places and with more matches.
    In brackets is where its rank lies with 90 %, by a second look at all matches at once.
    """
    with needing_ratings(), opened(url) as store:
        from leaderboard.ladder import ladder

        wanted = read_scope(scope)
        if not no_update:
            bring_up_to_date(output, store, wanted)
        found = ladder(store, wanted)
    if output.as_json:
        output.data(ladder_data(found))
    else:
        output.show(*ladder_page(found))


@command.command("rebuild", short_help="Make all ratings anew.", epilog="Example: arena leaderboard rebuild")
@store_option
@common
@click.pass_obj
def rebuild(output: Output, url: str) -> None:
    """Make all ratings and rank intervals anew from the ledger.

    They come out as they were, unless somebody changed them by hand.
    """
    with needing_ratings(), opened(url) as store:
        from leaderboard import catching_up
        from leaderboard.refitting import refit_all

        with bar(output, "matches") as told:
            matches = catching_up.rebuild(store, told)
        with bar(output, "rank intervals") as told:
            refit_all(store, told)
    if output.as_json:
        output.data({"matches": matches})
    else:
        click.echo(f"Rated {matches:,} matches")


def bring_up_to_date(output: Output, store: "Store", wanted: "Scope") -> None:
    """Rates what was played since, and refits the scope that is asked for if its matches have changed.

    A store that cannot be written is shown as it is.
    """
    from leaderboard.catching_up import catch_up
    from leaderboard.refitting import refit_if_stale
    from leaderboard.store import StoreFixed

    try:
        with bar(output, "matches") as told:
            catch_up(store, told)
        with bar(output, "rank intervals") as told:
            refit_if_stale(store, wanted, told)
    except StoreFixed as error:
        output.note(f"Not brought up to date: {error}")


def read_scope(text: str) -> "Scope":
    from engine.rules.errors import UnknownName
    from leaderboard.scopes import find_scope

    try:
        return find_scope(text)
    except UnknownName as error:
        raise WrongUse(str(error)) from error


def ladder_data(found: "Ladder") -> dict[str, object]:
    return {
        "scope": str(found.scope),
        "matches": found.matches,
        "as_of": found.as_of,
        "rows": [row._asdict() for row in found.rows],
    }


def ladder_page(found: "Ladder") -> list[object]:
    columns = ("rank", "agent", "rating", "mu ± sigma", "matches", "wins", "trend", "faults")
    right = ("rank", "rating", "mu ± sigma", "matches", "wins", "trend", "faults")
    rows = table(f"{found.scope}, {found.matches:,} matches", *columns, right=right)
    for row in found.rows:
        wins = f"{row.wins / row.matches:.0%}"
        trend = "·" if row.trend is None else f"{row.trend:+.1f}"
        belief = f"{row.mu:.1f} ± {row.sigma:.1f}"
        counts = f"{row.matches:,}", wins, trend, str(row.faults or "·")
        name = f"{row.agent}@{row.version}"
        rows.add_row(rank_text(row), name, f"{row.rating:.1f}", belief, *counts)
    if not found.rows:
        return [rows, " Nobody has been rated here: matches count once their pairing has played all of its turns."]
    about = "rating = mu - 3 sigma: the skill that an agent has almost surely."
    return [rows, f" {about} The bot 'random' has mu 25 and no rank."]


def rank_text(row: "LadderRow") -> str:
    """With the interval, where there is one; nothing for the anchor."""
    if row.rank is None:
        return "·"
    if row.rank_low is None:
        return str(row.rank)
    return f"{row.rank} ({row.rank_low}-{row.rank_high})"
