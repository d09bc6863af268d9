"""What the compiled engine was made of, so that a stale binary never runs.

`setup.py` loads this file by its path and writes the stamp; `engine/__init__.py` compares it on import; as a
script it says by its exit code whether the binaries here are those of the sources (0) or not (1).
"""

import hashlib
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

GROUP = "engine.rules"  # mypyc's name for the group; its library is engine/rules__mypyc
LIBRARY = "rules__mypyc"
STAMP = "compiled.sha256"
BINARIES = (".so", ".pyd")


def sources(engine: Path) -> list[str]:
    """The modules that are compiled, as sorted paths relative to the package.

    Package files are left out: they only gather names.
    """
    found = [path for path in (engine / "rules").rglob("*.py") if path.name != "__init__.py"]
    found += [path for path in (engine / "chance.py", engine / "playout.py") if path.exists()]
    return sorted(path.relative_to(engine).as_posix() for path in found)


def digest(engine: Path) -> str:
    """SHA-256 over the names and contents of the sources, in hexadecimal."""
    total = hashlib.sha256()
    for name in sources(engine):
        content = (engine / name).read_bytes()
        total.update(b"%s\0%d\0" % (name.encode(), len(content)))
        total.update(content)
    return total.hexdigest()


def binaries(engine: Path) -> list[Path]:
    """Every extension module in the package, also those of other interpreters."""
    return [path for path in engine.rglob("*") if path.suffix in BINARIES]


def is_compiled(engine: Path) -> bool:
    """Whether this interpreter will load binaries here; ImportError if they are not those of the sources."""
    found = {_module(path, engine) for path in binaries(engine) if _loads(path)}
    if not found:
        return False
    expected = {name.removesuffix(".py") for name in sources(engine)} | {LIBRARY}
    stamp = engine / STAMP
    if found != expected or not stamp.exists() or stamp.read_text().strip() != digest(engine):
        raise ImportError(
            f"the compiled engine in {engine} is stale: its sources have changed or its build did not end; "
            "run make compile (or set ARENA_INTERPRETED=1 to run the sources)"
        )
    return True


def clear(engine: Path) -> None:
    """Remove the stamp first, then all binaries: whatever is left after an interruption is refused."""
    (engine / STAMP).unlink(missing_ok=True)
    for path in binaries(engine):
        path.unlink()


def _loads(path: Path) -> bool:
    return path.name.removeprefix(path.name.partition(".")[0]) in EXTENSION_SUFFIXES


def _module(path: Path, engine: Path) -> str:
    return path.with_name(path.name.partition(".")[0]).relative_to(engine).as_posix()


def main() -> int:
    """For the Makefile: 0 if nothing needs to be compiled."""
    try:
        return 0 if is_compiled(Path(__file__).parent) else 1
    except ImportError:
        return 1


if __name__ == "__main__":
    sys.exit(main())
