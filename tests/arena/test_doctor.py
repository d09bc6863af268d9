"""`arena doctor`: what is there, what is not, and what to do about it."""

import importlib.metadata
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import engine
from arena.cli import doctor
from tests.arena.conftest import Run

OFFERED = ("cc", "bwrap", "initdb", "postgres", "node", "chromium")
NAMES = [
    *("python", "cores", "memory", "C compiler", "engine"),
    *("Ray", "bubblewrap", "PostgreSQL", "psycopg", "node", "browser"),
]

Data = Callable[..., Any]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One with nothing on it; what is put into its `bin` is on the path."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(doctor, "POSTGRESQL_HOME", tmp_path / "postgresql")
    return tmp_path


def put(folder: Path, *names: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)


def by_name(found: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in found}


def test_a_machine_with_nothing(data: Data, machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    told = data("doctor")
    assert [one["name"] for one in told] == NAMES
    for one in told:
        assert one["is_there"] == (one["remedy"] == "")
    gone = {one["name"] for one in told if not one["is_there"]} - {"engine"}
    assert gone == {"C compiler", "Ray", "bubblewrap", "PostgreSQL", "psycopg", "node", "browser"}
    assert by_name(told)["bubblewrap"]["found"] == "none"


def test_a_machine_with_everything(data: Data, machine: Path) -> None:
    put(machine / "bin", *OFFERED)
    told = by_name(data("doctor"))
    assert [name for name, one in told.items() if not one["is_there"]] in ([], ["engine"])
    assert told["bubblewrap"]["found"].startswith("basic")
    assert told["Ray"]["found"] == importlib.metadata.version("ray")
    assert told["psycopg"]["found"] == importlib.metadata.version("psycopg")
    assert told["engine"]["found"] == engine.MODE
    assert told["PostgreSQL"]["found"] == str(machine / "bin")


def test_bubblewrap_that_may_not_be_used(machine: Path) -> None:
    put(machine / "bin", "bwrap")
    bwrap = machine / "bin/bwrap"
    bwrap.write_text(f'#!/bin/sh\necho "$@" > {machine}/asked\necho "bwrap: no namespaces" >&2\nexit 1\n')
    found = doctor.bubblewrap()
    assert not found.is_there
    assert found.found == f"none: {bwrap} may not be used: bwrap: no namespaces"
    assert "let users make namespaces" in found.remedy
    assert (machine / "asked").read_text() == "--ro-bind / / --unshare-all true\n"
    bwrap.write_text("no program")
    assert not doctor.bubblewrap().is_there


def test_postgresql_off_the_path(machine: Path) -> None:
    put(machine / "bin", "initdb")  # a wrapper alone is no server
    assert not doctor.postgresql().is_there
    for version in ("9.6", "15", "17"):
        put(machine / "postgresql" / version / "bin", "initdb", *(["postgres"] if version != "17" else []))
    assert doctor.postgresql().found == str(machine / "postgresql/15/bin")


def test_the_compiler_that_is_named(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(machine / "bin", "mycc", "gcc")
    monkeypatch.setenv("CC", "mycc -O2")
    assert doctor.compiler().found == str(machine / "bin/mycc")
    monkeypatch.setenv("CC", "gone")
    assert doctor.compiler().found == str(machine / "bin/gcc")


@pytest.mark.parametrize(("asked", "told"), [("1", "unset"), ("0", "make compile")])
def test_why_the_engine_is_interpreted(monkeypatch: pytest.MonkeyPatch, asked: str, told: str) -> None:
    monkeypatch.setattr(engine, "MODE", "interpreted")
    monkeypatch.setenv("ARENA_INTERPRETED", asked)
    assert told in doctor.mode().remedy
    monkeypatch.setattr(engine, "MODE", "compiled")
    assert doctor.mode() == ("engine", True, "compiled", "")


def test_cores_and_memory_that_are_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    monkeypatch.delattr(os, "sysconf", raising=False)
    assert (doctor.cores().found, doctor.memory().found) == ("1", "unknown")


def test_as_a_table(run: Run, machine: Path) -> None:
    told = run("doctor", "--table")
    assert (told.exit_code, told.stderr) == (0, "")
    assert all(name in told.stdout for name in ("cores", "bubblewrap", "install"))
