"""How commands speak: tables for people, JSON for programs, notes and progress on stderr."""

import json
import logging
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

F = TypeVar("F", bound=Callable[..., Any])

# By seat, like state.COLOURS: readable on dark and on light terminals.
STYLES: Final = ("reverse", "bright_blue", "grey58", "green", "red", "yellow")


LOGGING: Final = ("arena", "engine", "leaderboard", "sdk")


class LogToStderr(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        click.echo(self.format(record), err=True)


class Output:
    """What the user asked for about output. One object for each run, handed to the commands."""

    def __init__(self) -> None:
        self.quiet = False
        self.verbose = False
        self.json: bool | None = None

    @property
    def as_json(self) -> bool:
        if self.json is not None:
            return self.json
        return sys.stdout is None or not sys.stdout.isatty()

    def data(self, value: object) -> None:
        click.echo(json.dumps(value, indent=2))

    def show(self, *parts: Any) -> None:
        """Writes tables and styled text to stdout."""
        console = self.console()
        for part in parts:
            console.print(part)

    def note(self, text: str) -> None:
        """A remark beside the result; none with -q."""
        if not self.quiet:
            click.echo(text, err=True)

    def start_log(self, level: int | None = None) -> None:
        """Sends what our modules log to stderr: by default more of it with -v, less with -q."""
        handler = LogToStderr()
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
        if level is None:
            level = logging.DEBUG if self.verbose else logging.WARNING if self.quiet else logging.INFO
        for name in LOGGING:
            log = logging.getLogger(name)
            log.handlers = [handler]
            log.setLevel(level)

    def console(self, stderr: bool = False) -> "Console":
        from rich.console import Console

        return Console(stderr=stderr, highlight=False, markup=False, emoji=False)

    def progress(self) -> "Progress":
        """A bar on stderr, only where somebody sees it."""
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        console = self.console(stderr=True)
        return Progress(*columns, console=console, transient=True, disable=self.quiet or not console.is_terminal)


def table(title: str, *columns: str, right: Sequence[str] = ()) -> "Table":
    """An empty table in the house style; `right` names the columns of numbers."""
    from rich import box
    from rich.table import Table

    made = Table(
        title=title or None, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, collapse_padding=True
    )
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return made


def _remember(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    def callback(ctx: click.Context, _option: click.Parameter, value: Any) -> None:
        if value or (name == "json" and value is not None):
            setattr(ctx.ensure_object(Output), name, value)

    return callback


def common(command: F) -> F:
    """Gives a command -q, -v and --json, which may stand before or after its name."""
    for names, about in (
        (("--json/--table", "json"), "Write JSON, or tables; otherwise the terminal decides."),
        (("-v", "--verbose", "verbose"), "Say more; show the traceback of an error."),
        (("-q", "--quiet", "quiet"), "Only results and errors: no progress, no notes."),
    ):
        option = click.option(
            *names,
            is_flag=True,
            default=None,
            expose_value=False,
            is_eager=True,
            callback=_remember(names[-1]),
            help=about,
        )
        command = option(command)
    return command
