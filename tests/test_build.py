"""Building and installing: no stale binary runs, and without a compiler everything still works."""

import os
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from engine import build_stamp

ROOT = Path(__file__).parent.parent
TOY = "def double(number: int) -> int:\n    return 2 * number\n"
EDITED = "def double(number: int) -> int:\n    return number + number\n"
SUFFIX = EXTENSION_SUFFIXES[0]
SHOW = "import engine, engine.rules.toy as toy; print(engine.MODE, toy.__file__, toy.double(21))"
ALL = """
import importlib, engine, engine.playout
print(engine.MODE)
for name in engine.build_stamp.sources(engine.Path(engine.__file__).parent):
    print(importlib.import_module("engine." + name.removesuffix(".py").replace("/", ".")).__file__)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of our build around an engine of three lines."""
    root = tmp_path / "project"
    (root / "engine" / "rules").mkdir(parents=True)
    for name in ("setup.py", "pyproject.toml", "LICENSE", "engine/__init__.py", "engine/build_stamp.py"):
        shutil.copy(ROOT / name, root / name)
    shutil.copy(ROOT / "engine/interpreted.py", root / "engine")
    (root / "README.md").touch()
    (root / "engine/rules/__init__.py").touch()
    (root / "engine/rules/toy.py").write_text(TOY)
    (root / "engine/chance.py").write_text("from engine.rules.toy import double\n\nFOUR = double(2)\n")
    return root


def python(project: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the project with no settings of ours but those given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ARENA_", "PYTHON"))}
    command = [sys.executable, "-W", "error::ImportWarning", *arguments]
    return subprocess.run(command, cwd=project, env=kept | variables, capture_output=True, text=True)


def pretend_compiled(project: Path) -> Path:
    """Put stand-ins for binaries and a true stamp into the project; what is stale is never loaded."""
    engine = project / "engine"
    for name in (*build_stamp.sources(engine), build_stamp.LIBRARY):
        (engine / name.removesuffix(".py")).with_suffix(SUFFIX).touch()
    (engine / build_stamp.STAMP).write_text(build_stamp.digest(engine))
    return engine


@pytest.mark.parametrize("wish", ["0", "1"])
def test_every_module_runs_in_the_mode_that_is_told(wish: str) -> None:
    mode, *files = python(ROOT, "-c", ALL, ARENA_INTERPRETED=wish).stdout.split()
    suffix = SUFFIX if mode == "compiled" else ".py"
    assert mode == "interpreted" or wish == "0"
    engine = ROOT / "engine"
    assert files == [str(engine / name.removesuffix(".py")) + suffix for name in build_stamp.sources(engine)]


def test_sources_of_the_binaries_are_accepted(project: Path) -> None:
    assert build_stamp.is_compiled(pretend_compiled(project))


@pytest.mark.parametrize("change", ["edited", "added", "removed", "unstamped", "incomplete", "left over"])
def test_stale_binary_is_refused(project: Path, change: str) -> None:
    engine = pretend_compiled(project)
    match change:
        case "edited":
            (engine / "rules/toy.py").write_text(EDITED)
        case "added":
            (engine / "rules/more.py").touch()
        case "removed":
            (engine / "rules/toy.py").unlink()
        case "unstamped":
            (engine / build_stamp.STAMP).unlink()
        case "incomplete":
            (engine / "chance").with_suffix(SUFFIX).unlink()
        case "left over":
            (engine / "rules/old").with_suffix(SUFFIX).touch()
    result = python(project, "-c", "import engine")
    assert result.returncode == 1
    assert "ImportError: the compiled engine" in result.stderr
    assert "is stale" in result.stderr
    assert "run make compile" in result.stderr


def test_interpreted_on_request(project: Path) -> None:
    engine = pretend_compiled(project)
    (engine / "rules/toy.py").write_text(EDITED)
    result = python(project, "-c", SHOW, ARENA_INTERPRETED="1")
    assert result.stdout.split() == ["interpreted", str(engine / "rules/toy.py"), "42"]


def test_interpreted_never_falls_back_to_a_binary(project: Path) -> None:
    engine = pretend_compiled(project)
    (engine / "rules/toy.py").unlink()
    result = python(project, "-c", SHOW, ARENA_INTERPRETED="1")
    assert "No module named 'engine.rules.toy' among the engine's sources" in result.stderr


def test_builds_in_place_and_clears_without_compiler(project: Path) -> None:
    built = python(project, "setup.py", "--quiet", "build_ext", "--inplace")
    assert built.returncode == 0, built.stdout + built.stderr
    if "will run interpreted" in built.stderr:
        pytest.skip(built.stderr)
    mode, file, result = python(project, "-c", SHOW).stdout.split()
    assert (mode, Path(file).name, result) == ("compiled", "toy" + SUFFIX, "42")
    assert python(project, "engine/build_stamp.py").returncode == 0

    cleared = python(project, "setup.py", "--quiet", "build_ext", "--inplace", CC="/nonexistent/cc")
    assert "will run interpreted" in cleared.stderr
    assert python(project, "-c", SHOW).stdout.split()[0] == "interpreted"
    assert build_stamp.binaries(project / "engine") == []


def test_installs_interpreted_without_compiler(project: Path) -> None:
    site = project.parent / "site"
    install = ["-m", "pip", "install", "-v", "--no-index", "--no-deps", "--no-build-isolation"]
    result = python(project, *install, "--target", str(site), ".", CC="/nonexistent/cc")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "will run interpreted" in result.stdout + result.stderr
    assert build_stamp.binaries(site / "engine") == []
    assert python(site, "-c", SHOW).stdout.split() == ["interpreted", str(site / "engine/rules/toy.py"), "42"]


def test_compiling_can_be_demanded(project: Path) -> None:
    result = python(project, "setup.py", "build_ext", "--inplace", CC="/nonexistent/cc", ARENA_COMPILE="1")
    assert result.returncode != 0
    assert "no C compiler (/nonexistent/cc) was found" in result.stderr


@pytest.mark.parametrize("lock", sorted((ROOT / "requirements").glob("*.txt")), ids=lambda path: path.name)
def test_lock_names_packages_and_hashes_only(lock: Path) -> None:
    """No registry, no local wheel, no path of the machine that made it."""
    code = re.compile(r"([a-z0-9-]+==[0-9][\w.]*( ; [^/]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?|)")
    comment = re.compile(r" *#(?!.*(://|\.\.|(^|\s)/|@ ))")
    lines = lock.read_text().splitlines()
    assert [line for line in lines if not code.fullmatch(line) and not comment.match(line)] == []


def test_generated_modules_are_those_of_the_contract() -> None:
    """`make proto` writes the sums of the contract and of what it generated; neither is edited alone."""
    sums = dict(line.split()[::-1] for line in (ROOT / "proto/SHA256SUMS").read_text().splitlines())
    contract = ROOT / "proto"
    files = [*contract.glob("conquest/v1/*.proto"), *contract.glob("conquest/v1/*_pb2*.py*")]
    found = {path.relative_to(contract).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files}
    assert found == sums, "run make proto"
