"""`arena leaderboard`: ratings from the command line."""

import json
import random
import sys
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

import pytest

from leaderboard.catching_up import rated_so_far
from leaderboard.store import database, open_store
from tests.leaderboard.seasons import Season

Run = Callable[..., Any]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store where the commands look for it if they are not told, with matches that nobody has rated."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_STORE", raising=False)
    path = tmp_path / "arena.db"
    with open_store(str(path)) as opened:
        Season(opened, "cup", ["ada", "bob", "random"], random.Random(1)).play_blocks(4)
    return path


def test_show_brings_ratings_up_to_date(run: Run, data: Run, store: Path) -> None:
    assert data("leaderboard", "show", "--no-update") == {"scope": "all", "matches": 0, "as_of": 0, "rows": []}
    told = data("leaderboard", "show", "classic")
    assert (told["scope"], told["matches"], told["as_of"]) == ("classic", 12, 12)
    assert {row["agent"] for row in told["rows"]} == {"ada", "bob", "random"}
    ranked = [row for row in told["rows"] if row["agent"] != "random"]  # the anchor is not
    assert [row["rank"] for row in ranked] == [1, 2]
    assert all(1 <= row["rank_low"] <= row["rank_high"] <= 2 for row in ranked)
    assert data("leaderboard", "show", "classic@1", "--no-update") == told
    page = run("leaderboard", "show", "classic", "--table").stdout
    assert "classic, 12 matches" in page
    assert "25.0 ± 1.0" in page
    low, high = ranked[0]["rank_low"], ranked[0]["rank_high"]
    assert f"1 ({low}-{high})" in page
    assert "rating = mu - 3 sigma" in page


def test_a_store_that_cannot_be_written_is_shown_as_it_is(
    run: Run, data: Run, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rated = data("leaderboard", "show")
    with open_store(str(store)) as opened:
        Season(opened, "more", ["ada", "bob", "random"], random.Random(2)).play_blocks(1)
    monkeypatch.setattr(database, "_may_write", lambda _path: False)  # root may write anything
    told = run("leaderboard", "show", "--json")
    assert json.loads(told.stdout) == rated
    assert "Not brought up to date" in told.stderr
    assert "read-only" in told.stderr
    assert run("leaderboard", "rebuild").exit_code == 1


def test_nobody_is_rated_in_a_variant_that_nobody_played(run: Run, data: Run, store: Path) -> None:
    assert data("leaderboard", "show", "officers")["rows"] == []
    assert "Nobody has been rated here" in run("leaderboard", "show", "officers", "--table").stdout


def test_unknown_ladders_are_named(run: Run, store: Path) -> None:
    told = run("leaderboard", "show", "clasic")
    assert (told.exit_code, told.stdout) == (2, "")
    assert "unknown ladder 'clasic'. Did you mean 'classic'?" in told.stderr
    assert "unknown version of the rules of classic '9'" in run("leaderboard", "show", "classic@9").stderr
    assert run("leaderboard", "show", "--store", "none.db").exit_code == 1


def test_rebuild_makes_equal_ratings(run: Run, data: Run, store: Path) -> None:
    before = data("leaderboard", "show")
    assert data("leaderboard", "rebuild") == {"matches": 12}
    again = data("leaderboard", "show", "--no-update")
    assert [row | {"rank_low": 0, "rank_high": 0} for row in again["rows"]] == [
        row | {"rank_low": 0, "rank_high": 0} for row in before["rows"]
    ]
    assert data("leaderboard", "show") == before
    assert run("leaderboard", "rebuild", "--table").stdout == "Rated 12 matches\n"
    with open_store(str(store)) as opened:
        assert rated_so_far(opened).matches == 12


def test_a_missing_library_is_named(run: Run, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("trueskill", "leaderboard.catching_up", "leaderboard.ratings", "leaderboard.standing_ratings"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setattr("sys.meta_path", [NoTrueSkill(), *sys.meta_path])
    told = run("leaderboard", "show")
    assert (told.exit_code, told.stderr.split(";")[0]) == (1, "arena: trueskill is missing")


class NoTrueSkill(MetaPathFinder):
    def find_spec(self, name: str, path: object, target: object = None) -> None:
        if name == "trueskill":
            raise ModuleNotFoundError("no trueskill", name=name)


def test_a_tournament_is_reported(run: Run, data: Run, store: Path) -> None:
    told = data("leaderboard", "report", "cup")
    page = Path("cup.html").read_text(encoding="utf-8")
    assert told == {"file": "cup.html", "bytes": len(page.encode())}
    assert page.count("<!doctype html>") == 1
    assert "12 matches played" in page
    assert "ada" in page
    again = run("leaderboard", "report", "cup", "--to", "other.html", "--table")
    assert (again.exit_code, Path("other.html").read_text(encoding="utf-8")) == (0, page)


def test_what_cannot_be_reported_is_told(run: Run, store: Path) -> None:
    told = run("leaderboard", "report", "cpu")
    assert (told.exit_code, Path("cpu.html").exists()) == (1, False)
    assert "did you mean 'cup'?" in told.stderr
    assert run("leaderboard", "report", "cup", "--to", "nowhere/cup.html").exit_code == 2
