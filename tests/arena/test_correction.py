"""`arena match void` and `arena match reinstate`: corrections stand in the book, and the table follows."""

import getpass
import json
from pathlib import Path

import pytest

from leaderboard.store import open_store
from tests.arena.conftest import Run
from tests.arena.test_tournament import write

FIRST = "open/r1-classic-3p-0001-r0"


@pytest.fixture
def db(run: Run, tmp_path: Path) -> str:
    """A store with a tournament that is over."""
    db = str(tmp_path / "arena.db")
    assert run("tournament", "run", write(tmp_path, rounds=1), "--workers", 0, "--store", db).exit_code == 0
    return db


def counted(run: Run, db: str) -> tuple[int, int, int]:
    """Matches done and void, and seats in the table."""
    told = json.loads(run("tournament", "show", "open", "--store", db).stdout)
    progress = told["progress"]
    return progress["done"], progress["void"], sum(row["matches"] for row in told["standings"])


def test_out_and_in_again(run: Run, db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "ada")
    assert counted(run, db) == (3, 0, 9)
    for is_new in (True, False):
        result = run("match", "void", FIRST, "--reason", "too hot", "--store", db)
        assert json.loads(result.stdout) == {"match": FIRST, "void": True, "changed": is_new}
        assert counted(run, db) == (2, 1, 6)
    assert "already" in run("match", "void", FIRST, "--reason", "x", "--store", db, "--table").stdout
    for is_new in (True, False):
        result = run("match", "reinstate", FIRST, "--reason", "it was cool", "--store", db)
        assert json.loads(result.stdout) == {"match": FIRST, "void": False, "changed": is_new}
        assert counted(run, db) == (3, 0, 9)
    assert "not void" in run("match", "reinstate", FIRST, "--reason", "x", "--store", db, "--table").stdout
    assert run("store", "check", "--store", db).exit_code == 0
    export = Path(db).parent / "all.jsonl"
    run("store", "export", export, "--store", db)
    rows = [json.loads(line) for line in export.read_text().splitlines()]
    told = [(row["kind"], row["who"], row["reason"]) for row in rows if row.get("table") == "corrections"]
    assert told == [("void", "ada", "too hot"), ("reinstate", "ada", "it was cool")]


def test_a_user_without_a_name(run: Run, db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert run("match", "void", FIRST, "--reason", "why not", "--store", db).exit_code == 0


@pytest.mark.parametrize("what", ["void", "reinstate"])
def test_what_cannot_be_corrected(run: Run, db: str, tmp_path: Path, what: str) -> None:
    for words, code, told in (
        ((FIRST, "--store", db), 2, "--reason"),
        ((FIRST, "--reason", " ", "--store", db), 2, "--reason is empty"),
        (("open/r9", "--reason", "x", "--store", db), 1, "there is no fixture open/r9"),
        ((FIRST, "--reason", "x", "--store", tmp_path / "none.db"), 1, "none.db"),
    ):
        result = run("match", what, *words)
        assert (result.exit_code, result.stdout) == (code, ""), result.stderr
        assert told in result.stderr
    signs = run("match", "void", FIRST, "--reason", "a\x1b[2Jb", "--store", db)
    assert (signs.exit_code, signs.stdout, "reason" in signs.stderr) == (1, "", True)
    assert not (tmp_path / "none.db").exists()
    with open_store(db, create=False) as store:
        assert store.progress(store.tournament("open").id).void == 0
