"""The arrows of the architecture: who may import whom. There are no others."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
HOMES = {"engine": ROOT, "sdk": ROOT, "arena": ROOT, "leaderboard": ROOT, "conquest": ROOT / "proto"}


class Arrow(NamedTuple):
    """What the modules of one part may import of ours; the longest name that fits a module counts."""

    allowed: tuple[str, ...]
    barred: tuple[str, ...] = ()


ARROWS = {
    "engine": Arrow(("engine.build_stamp", "engine.interpreted")),
    "engine.address": Arrow(()),
    "engine.rules": Arrow(("engine.rules",)),
    "engine.chance": Arrow(("engine.rules",)),
    "engine.playout": Arrow(("engine.rules", "engine.chance")),
    "engine.codec": Arrow(("engine.rules", "conquest")),
    # A revealed key names a wrong die; a record is made of the tape of a playout.
    "engine.record": Arrow(("engine.rules", "engine.chance", "engine.playout", "conquest")),
    "engine.record_text": Arrow(("engine.rules", "engine.playout", "engine.record", "conquest")),
    "engine.referee": Arrow(("engine", "conquest")),
    "sdk": Arrow(("sdk", "engine", "conquest"), barred=("engine.referee",)),
    # The events of a match that runs come over the wire.
    "leaderboard": Arrow(("leaderboard", "engine.record", "engine.rules", "engine.codec", "conquest")),
    "arena": Arrow(("arena", "leaderboard", "sdk", "engine", "conquest")),
    "conquest": Arrow(("conquest",)),
}

# Rules are pure: no clock, thread, generator or traffic, and nothing from outside but mypyc's own types.
IMPURE = {
    *("asyncio", "concurrent", "multiprocessing", "signal", "threading"),
    *("datetime", "time"),
    *("random", "secrets"),
    *("selectors", "socket", "subprocess"),
}

# Heavy or delicate libraries, each with its only door.
DOORS = {"ray": "arena.cluster", "trueskill": "leaderboard.ratings"}


class Import(NamedTuple):
    """One import: `importer` is a module of ours, `imported` whatever it names."""

    importer: str
    imported: str
    line: int

    def __str__(self) -> str:
        return f"{self.importer} (line {self.line}) imports {self.imported}"


def modules() -> dict[str, Path]:
    """All modules of ours by name."""
    found = {}
    for package, home in HOMES.items():
        for path in sorted((home / package).rglob("*.py")):
            parts = path.relative_to(home).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def within(module: str, part: str) -> bool:
    return module == part or module.startswith(part + ".")


def imports_of(module: str, path: Path) -> Iterator[Import]:
    """Every import, also those inside functions; `from a import b` names `a.b` if that is a module."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (Import(module, alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            source = ".".join([*above, node.module] if node.module else above)
            for alias in node.names:
                submodule = f"{source}.{alias.name}"
                yield Import(module, submodule if submodule in MODULES else source, node.lineno)


IMPORTS = [found for module, path in MODULES.items() for found in imports_of(module, path)]


def part_of(module: str) -> str:
    return max((part for part in ARROWS if within(module, part)), key=len)


def is_drawn(found: Import) -> bool:
    arrow = ARROWS[part_of(found.importer)]
    allowed = any(within(found.imported, part) for part in arrow.allowed)
    return allowed and not any(within(found.imported, part) for part in arrow.barred)


def test_imports_follow_the_arrows() -> None:
    ours = [found for found in IMPORTS if found.imported.partition(".")[0] in HOMES]
    assert [str(found) for found in ours if not is_drawn(found)] == []


@pytest.mark.parametrize("part", ["engine.rules", "engine.chance", "engine.playout"])
def test_compiled_parts_need_no_other_library(part: str) -> None:
    known = {*sys.stdlib_module_names, *HOMES, "mypy_extensions"}
    mine = [found for found in IMPORTS if within(found.importer, part)]
    assert [str(found) for found in mine if found.imported.partition(".")[0] not in known] == []


def test_rules_are_pure() -> None:
    mine = [found for found in IMPORTS if within(found.importer, "engine.rules")]
    assert [str(found) for found in mine if found.imported.partition(".")[0] in IMPURE] == []


@pytest.mark.parametrize(("library", "door"), DOORS.items())
def test_library_has_one_door(library: str, door: str) -> None:
    mine = [found for found in IMPORTS if within(found.imported, library)]
    assert [str(found) for found in mine if not within(found.importer, door)] == []


def test_every_folder_of_modules_is_a_package() -> None:
    """Installing leaves out folders without an `__init__.py`."""
    folders = sorted({path.parent for path in MODULES.values()})
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


def test_proto_is_not_a_package() -> None:
    assert not (ROOT / "proto" / "__init__.py").exists()
