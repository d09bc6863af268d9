"""`arena store`: the book of record checked, exported, imported and backed up."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from arena.cli.failures import FAILED
from arena.cli.output import Output, common
from arena.cli.shell import NamingGroup
from arena.cli.store_option import clear, opened, store_option

FILE = click.Path(path_type=Path)


@click.group("store", cls=NamingGroup, epilog="Example: arena store check --store arena.db")
@common
def command() -> None:
    """Check, export, import and back up the store of results."""


@command.command(
    "check",
    short_help="See whether the book holds.",
    epilog="Examples: arena store check; arena store check --all --store postgresql://arena@host/arena",
)
@click.option("--all", "all_records", is_flag=True, help="Play every record again, not only a sample.")
@store_option
@common
@click.pass_context
def check(ctx: click.Context, url: str, all_records: bool) -> None:
    """See whether the book holds: every fixture once, sums that agree, no gap in the ledger.

    All results are compared with their records, and a hundred of the records, or all, are played again. One line
    for each problem; the exit code is 1 if there is any.
    """
    output: Output = ctx.obj
    with opened(url) as store, bar(output, "records") as told:
        problems = store.check(all=all_records, told=told)
        rows = store.last_seq()
    if output.as_json:
        output.data({"ok": not problems, "ledger": rows, "problems": problems})
    else:
        for problem in problems:
            click.echo(problem)
        click.echo(f"{len(problems)} problems" if problems else f"ok: {rows} rows in the ledger")
    ctx.exit(FAILED if problems else 0)


@command.command(
    "export", short_help="Write the store as JSON lines.", epilog="Example: arena store export arena.jsonl"
)
@click.argument("file", type=FILE)
@store_option
@common
@click.pass_obj
def export(output: Output, url: str, file: Path) -> None:
    """Write everything in the store to FILE: a line of JSON for each row, records in base64.

    Keys of tournaments that are not over are in it, so only you can read the file.
    """
    with opened(url) as store, bar(output, "rows") as told:
        rows = store.export(file, told)
    done(output, file, rows, f"Wrote {rows} rows to {file}")


@command.command(
    "import",
    short_help="Make a store of an export.",
    epilog="Example: arena store import arena.jsonl --store postgresql://arena@host/arena",
)
@click.argument("file", type=FILE)
@store_option
@common
@click.pass_obj
def import_(output: Output, url: str, file: Path) -> None:
    """Make a store that equals the exported one. It must be new or empty."""
    with clear(), bar(output, "rows") as told:
        from leaderboard.store import import_store

        rows = import_store(file, url, told)
    done(output, file, rows, f"Read {rows} rows from {file}")


@command.command(
    "backup", short_help="Copy an SQLite store.", epilog="Example: arena store backup arena-monday.db"
)
@click.argument("file", type=FILE)
@store_option
@common
@click.pass_obj
def backup(output: Output, url: str, file: Path) -> None:
    """Copy an SQLite store to FILE, which is a store too; drivers may be at work meanwhile.

    For a store on PostgreSQL use pg_dump, or 'arena store export'.
    """
    with opened(url) as store:
        store.backup(file)
        rows = store.last_seq()
    done(output, file, rows, f"Copied the store to {file}")


@contextmanager
def bar(output: Output, what: str) -> Iterator[Callable[[int, int], None]]:
    """Progress on stderr; hears how many of how many are done."""
    with output.progress() as progress:
        task = progress.add_task(what, total=None)
        yield lambda number, total: progress.update(task, completed=number, total=total)


def done(output: Output, file: Path, rows: int, text: str) -> None:
    if output.as_json:
        output.data({"file": str(file), "rows": rows})
    else:
        click.echo(text)
