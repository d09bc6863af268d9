"""`arena doctor`: what this machine offers, and what to install for the rest."""

import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import click

import engine
from arena.cli.output import Output, common, table

COMPILERS: Final = ("cc", "gcc", "clang")
BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
POSTGRESQL_HOME: Final = Path("/usr/lib/postgresql")  # Debian and its children keep initdb off the path
POSTGRESQL: Final = ("initdb", "postgres")
SHUT_IN: Final = ("--ro-bind", "/", "/", "--unshare-all", "true")  # for bubblewrap: to do nothing, shut in
TRIAL_SECONDS: Final = 10


class Finding(NamedTuple):
    """One thing that a machine may offer."""

    name: str
    is_there: bool
    found: str  # what is there, in words
    remedy: str = ""  # what to install, or what to do


@click.command("doctor", epilog="Example: arena doctor --json")
@common
@click.pass_obj
def command(output: Output) -> None:
    """Tell what this machine offers, and what to install for the rest.

    Nothing of it is needed to play: Python is enough. The exit code is 0 whatever is missing.
    """
    findings = [check() for check in CHECKS]
    if output.as_json:
        output.data([finding._asdict() for finding in findings])
        return
    rows = table(f"Conquest Arena on {platform.system()} {platform.machine()}", "", "what", "found", "to do")
    for finding in findings:
        rows.add_row("✓" if finding.is_there else "·", finding.name, finding.found, finding.remedy)
    output.show(rows)


def python() -> Finding:
    return Finding("python", True, f"{platform.python_implementation()} {platform.python_version()}")


def cores() -> Finding:
    """Those that this process may use, which a container or taskset may have made fewer."""
    there = os.cpu_count() or 1
    mine = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else there
    return Finding("cores", True, str(mine) if mine == there else f"{mine} of {there}")


def memory() -> Finding:
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not on every system
        return Finding("memory", True, "unknown")
    return Finding("memory", True, f"{size / 2**30:.1f} GiB")


def compiler() -> Finding:
    named = os.environ.get("CC", "").split()[:1]
    path = first_of(*named, *COMPILERS)
    remedy = (
        "" if path else "install a C compiler (gcc or clang) and Python's headers; the rules run faster compiled"
    )
    return Finding("C compiler", path is not None, path or "none", remedy)


def mode() -> Finding:
    is_compiled = engine.MODE == "compiled"
    if is_compiled:
        remedy = ""
    elif os.environ.get("ARENA_INTERPRETED", "0") not in ("", "0"):
        remedy = "unset ARENA_INTERPRETED"
    else:
        remedy = "run make compile, or install again, with a C compiler at hand"
    return Finding("engine", is_compiled, engine.MODE, remedy)


def ray() -> Finding:
    return package("Ray", "pip install 'conquest-arena[arena]', for tournaments on many cores")


def psycopg() -> Finding:
    return package("psycopg", "pip install 'conquest-arena[postgres]', for a store on PostgreSQL")


def package(name: str, remedy: str) -> Finding:
    """Looked up, not imported: that can take a second."""
    try:
        return Finding(name, True, importlib.metadata.version(name.lower()))
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, False, "none", remedy)


def bubblewrap() -> Finding:
    """Whether bots can be shut in: `basic` with bubblewrap where it may be used, else `none`."""
    path = shutil.which("bwrap")
    if path is None:
        remedy = "install bubblewrap, to shut bots of others in; till then play only what you trust"
        return Finding("bubblewrap", False, "none", remedy)
    try:
        subprocess.run([path, *SHUT_IN], check=True, capture_output=True, timeout=TRIAL_SECONDS)
    except (OSError, subprocess.SubprocessError) as error:
        said = (getattr(error, "stderr", None) or b"").decode(errors="replace").split()
        remedy = "let users make namespaces (in a container: of its host); till then play only what you trust"
        return Finding("bubblewrap", False, f"none: {path} may not be used: {' '.join(said) or error}", remedy)
    return Finding("bubblewrap", True, f"basic ({path})")


def postgresql() -> Finding:
    folder = postgresql_folder()
    if folder is None:
        remedy = "install PostgreSQL 13 or newer, for several drivers on one store; SQLite needs nothing"
        return Finding("PostgreSQL", False, "none", remedy)
    return Finding("PostgreSQL", True, str(folder))


def postgresql_folder() -> Path | None:
    """Where the programs of a server are: on the path, or else the newest of those that are kept off it."""
    if all(shutil.which(name) for name in POSTGRESQL):
        return Path(str(shutil.which(POSTGRESQL[0]))).parent
    kept = [path for path in POSTGRESQL_HOME.glob("*/bin") if all((path / name).is_file() for name in POSTGRESQL)]
    return max(kept, key=lambda path: [int(part) for part in re.findall(r"\d+", path.parent.name)], default=None)


def node() -> Finding:
    path = shutil.which("node")
    return Finding(
        "node", path is not None, path or "none", "" if path else "install Node.js, for bots in JavaScript"
    )


def browser() -> Finding:
    path = first_of(*BROWSERS)
    remedy = "" if path else "install chromium, for tests of pages"
    return Finding("browser", path is not None, path or "none", remedy)


def first_of(*names: str) -> str | None:
    return next((path for path in map(shutil.which, names) if path), None)


CHECKS: Final[tuple[Callable[[], Finding], ...]] = (
    *(python, cores, memory, compiler, mode),
    *(ray, bubblewrap, postgresql, psycopg, node, browser),
)
