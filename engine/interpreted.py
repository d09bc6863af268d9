"""Runs the engine from its sources where compiled modules stand beside them (`ARENA_INTERPRETED=1`)."""

import sys
from collections.abc import Sequence
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType


class SourcesOnly:
    """A finder that knows Python sources and nothing else, for `engine.*`."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if not name.startswith("engine."):
            return None
        for folder in path or ():
            spec = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name, target)
            if spec is not None:
                return spec if spec.loader else None  # a folder of data: the usual finders know what it is
        # Had we returned None here, the usual finders could still come up with a binary.
        raise ModuleNotFoundError(f"No module named {name!r} among the engine's sources", name=name)


def prefer_sources() -> None:
    """From now on, engine modules are found by their sources only."""
    if SourcesOnly not in sys.meta_path:
        sys.meta_path.insert(0, SourcesOnly)
