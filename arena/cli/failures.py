"""What went wrong, as a line on stderr for each problem, and an exit code. A traceback is shown with -v only.

Failure (click.ClickException)   exit code 1: a file that cannot be used, a record that does not hold
├── WrongUse                     exit code 2: names, numbers and bots that cannot be played
├── NobodyReads                  exit code 1: the pipe that we write to was closed; not a word about it
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
INTERRUPTS: Final = (KeyboardInterrupt, click.Abort)


class Failure(click.ClickException):
    exit_code = FAILED


class WrongUse(Failure):
    exit_code = WRONG_USE


class NobodyReads(Failure):
    def __init__(self) -> None:
        super().__init__("")


class Interrupted(Failure):
    exit_code = INTERRUPTED


def unknown(what: str, name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    hint = f" Did you mean '{near[0]}'?" if near else ""
    return f"unknown {what} '{name}'.{hint} Known: {', '.join(known)}."


def guard(run: Callable[[], object], output: Output) -> int:
    """Runs a command; gives its exit code."""
    try:
        code = run()
        if sys.stdout is not None:
            sys.stdout.flush()
    except BaseException as error:
        if nobody_reads(error) or (isinstance(error, OSError) and error.filename is None):
            _close_stdout()
        if nobody_reads(error):
            return FAILED
        if output.verbose:
            traceback.print_exc()
        complain(describe(error))
        return exit_code(error)
    return code if isinstance(code, int) else 0


def nobody_reads(error: BaseException) -> bool:
    """Whether the pipe that we write to was closed; rich makes a SystemExit of that."""
    return isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError)


def exit_code(error: BaseException) -> int:
    if isinstance(error, INTERRUPTS):
        return INTERRUPTED
    return error.exit_code if isinstance(error, click.ClickException) else FAILED


def complain(text: str) -> None:
    """One line on stderr for each of the text."""
    for line in text.splitlines():
        click.echo(f"arena: {' '.join(line.split())}", err=True)


def describe(error: BaseException) -> str:
    """What happened and what to do about it."""
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f"{sentence(error.format_message())} See '{error.ctx.command_path} --help'."
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, INTERRUPTS):
        return "interrupted"
    if isinstance(error, OSError):
        return f"{error.filename or 'stdout cannot be written'}: {error.strerror}"
    what = sentence(" ".join(f"{type(error).__name__}: {error}".split()))
    return f"this is a fault of ours: {what} Run it again with -v and report what it shows."


def sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else text + "."


def _close_stdout() -> None:
    """What is left in its buffer cannot be written, and must not be complained about at exit."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
