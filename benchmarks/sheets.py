"""What all benchmarks share: tables for the screen and for benchmarks/results, and where they were made."""

import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

import engine
from engine import build_stamp

ROOT = Path(__file__).parent.parent


class Sheet(NamedTuple):
    """A table, for the screen or for a Markdown file."""

    title: str
    head: list[str]
    rows: list[list[str]]

    def rich(self) -> Table:
        table = Table(title=self.title, title_justify="left")
        for column, name in enumerate(self.head):
            table.add_column(name, justify="right" if column else "left", no_wrap=True)
        for row in self.rows:
            table.add_row(*row)
        return table

    def markdown(self) -> str:
        lines = [f"## {self.title}", "", "| " + " | ".join(self.head) + " |"]
        lines.append("|---|" + "--:|" * (len(self.head) - 1))
        lines += ["| " + " | ".join(row) + " |" for row in self.rows]
        return "\n".join(lines)


def spread(values: list[float], form: str = ",.0f") -> str:
    """The median, and the least and the greatest value."""
    low, middle, high = (format(value, form) for value in (min(values), median(values), max(values)))
    return f"{middle} ({low}-{high})"


def machine() -> str:
    """The commit and the machine that is measured."""
    git = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    commit = git.stdout.strip() or "unknown"
    sources = build_stamp.digest(Path(engine.__file__).parent)[:12]
    cpu = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        names = [line for line in information.read_text().splitlines() if line.startswith("model name")]
        cpu = names[0].partition(":")[2].strip() if names else cpu
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return (
        f"Commit {commit}, engine {engine.MODE}, its sources {sources}; "
        f"{platform.python_implementation()} {platform.python_version()}; {cpu}, "
        f"{os.cpu_count()} cores, load {load}; {time.strftime('%Y-%m-%d')}."
    )


def show(where: str, sheets: list[Sheet]) -> None:
    console = Console(width=None if sys.stdout.isatty() else 170)
    console.print(where, highlight=False)
    for sheet in sheets:
        console.print(sheet.rich())


def save(path: Path, title: str, where: str, sheets: list[Sheet]) -> None:
    text = "\n\n".join([f"# {title}", where, *[sheet.markdown() for sheet in sheets]])
    path.parent.mkdir(exist_ok=True)
    path.write_text(text + "\n")
