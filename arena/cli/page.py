"""A match as a page: one file that shows it in any browser, written and opened."""

import os
import tempfile
import webbrowser
from pathlib import Path
from typing import Final

from arena.cli import files
from arena.cli.failures import complain
from arena.cli.output import Output
from conquest.v1.record_pb2 import MatchRecord

SUFFIX: Final = ".html"


def write(record: MatchRecord, path: Path, output: Output) -> None:
    from leaderboard.offline import page_of

    files.write_whole(path, page_of(record).encode())
    output.note(f"Wrote {path}")


def new_place() -> Path:
    """A file that nobody else has; it stays, since the browser reads it after we have ended."""
    handle, name = tempfile.mkstemp(prefix="conquest-", suffix=SUFFIX)
    os.close(handle)
    return Path(name)


def show(path: Path) -> None:
    """Opens the page in the browser of whoever works here, if there is one."""
    if not webbrowser.open(path.absolute().as_uri()):
        complain(f"there is no browser here: open {path} in yours.")
