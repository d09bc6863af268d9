"""What went wrong, as one line on stderr and an exit code. A traceback is shown with -v only.

Failure (click.ClickException)   exit code 1: a file that cannot be used, a record that does not hold
├── WrongUse                     exit code 2: names, numbers and bots that cannot be played
└── Interrupted                  exit code 130: Ctrl-C
"""

import difflib
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Final

import click

from arena.cli.output import Output

FAILED: Final = 1
WRONG_USE: Final = 2
BOT_FAULT: Final = 3
INTERRUPTED: Final = 130


class Failure(click.ClickException):
    exit_code = FAILED


class WrongUse(Failure):
    exit_code = WRONG_USE


class Interrupted(Failure):
    exit_code = INTERRUPTED

    def __init__(self) -> None:
        super().__init__("interrupted")


def unknown(what: str, name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    hint = f" Did you mean '{near[0]}'?" if near else ""
    return f"unknown {what} '{name}'.{hint} Known: {', '.join(known)}."


def guard(run: Callable[[], object], output: Output) -> int:
    """Runs a command; gives its exit code."""
    try:
        code = run()
        sys.stdout.flush()
    except BrokenPipeError:
        _close_stdout()
        return FAILED
    except Exception as error:
        if output.verbose:
            traceback.print_exc()
        complain(describe(error))
        return error.exit_code if isinstance(error, click.ClickException) else FAILED
    return code if isinstance(code, int) else 0


def complain(text: str) -> None:
    click.echo(f"arena: {' '.join(text.split())}", err=True)


def describe(error: Exception) -> str:
    """What happened and what to do about it."""
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f"{_sentence(error.format_message())} See '{error.ctx.command_path} --help'."
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    what = f"{type(error).__name__}: {error}"
    return f"this is a fault of ours: {what}. Run it again with -v and report what it shows."


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else text + "."


def _close_stdout() -> None:
    """Nobody reads any more: what is left in the buffer must not be complained about at exit."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
