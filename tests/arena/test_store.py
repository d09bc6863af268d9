"""`arena store`: check, export, import, backup."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from leaderboard.store import open_store
from tests.leaderboard.books import begun, kinds, result


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store where the commands look for it if they are not told."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_STORE", raising=False)
    path = tmp_path / "arena.db"
    with open_store(str(path)) as opened:
        lease, ids = begun(opened)
        opened.commit(lease, [result(name) for name in ids[:3]])
    return path


def test_check_says_that_the_book_holds(run: Callable[..., Any], data: Callable[..., Any], store: Path) -> None:
    assert data("store", "check", "--all") == {"ok": True, "ledger": 4, "problems": []}
    assert run("store", "check", "--table").stdout == "ok: 4 rows in the ledger\n"


def test_check_names_what_is_wrong(run: Callable[..., Any], store: Path) -> None:
    with open_store(str(store)) as opened, opened.engine.begin() as connection:
        connection.execute(text("UPDATE book SET results = 9"))
    done = run("store", "check", "--table")
    assert (done.exit_code, done.stdout) == (1, "the book counts 9 results, but there are 3\n1 problems\n")
    done = run("store", "check")
    assert (done.exit_code, json.loads(done.stdout)["ok"]) == (1, False)


def test_export_and_import(data: Callable[..., Any], store: Path, tmp_path: Path) -> None:
    written = data("store", "export", "all.jsonl")
    assert written["rows"] == len((tmp_path / "all.jsonl").read_text().splitlines()) - 1
    assert data("store", "import", "all.jsonl", "--store", "sqlite:///new.db") == written
    assert data("store", "check", "--store", "new.db")["ledger"] == 4


def test_backup(data: Callable[..., Any], store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data("store", "backup", "copy.db")
    monkeypatch.setenv("ARENA_STORE", "copy.db")
    assert data("store", "check")["ledger"] == 4
    with open_store("copy.db") as copy:
        assert len(kinds(copy)) == 4


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("check --store none.db", "there is no store none.db; name one with --store or ARENA_STORE"),
        ("export all.jsonl --store none.db", "there is no store none.db"),
        ("check --store mysql://host/db", "a store is sqlite:///path, a path, or postgresql://…, not mysql://"),
        ("import none.jsonl --store new.db", "none.jsonl cannot be read: No such file or directory"),
        ("backup arena.db", "arena.db is the store itself; name another file"),
        ("export none/all.jsonl", "none/all.jsonl cannot be written: No such file or directory"),
    ],
)
def test_trouble_is_one_line(run: Callable[..., Any], store: Path, words: str, reason: str) -> None:
    done = run("store", *words.split())
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(f"arena: {reason}")
    assert done.stderr.count("\n") == 1
    assert not (store.parent / "none.db").exists()
    assert not (store.parent / "new.db").exists()
