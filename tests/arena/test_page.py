"""`arena replay html` and `arena play --html --open`: matches as pages, written and opened."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SHORT = ("play", "--bot", "random", "--bot", "aggressor", "--bot", "random", "--rounds", "2", "--seed", "1")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Addresses that a browser was asked to open."""
    asked: list[str] = []

    def take(address: str) -> bool:
        asked.append(address)
        return True

    monkeypatch.setattr("webbrowser.open", take)
    return asked


def test_the_page_stands_beside_the_record(run: Callable[..., Any], match: Path, opened: list[str]) -> None:
    result = run("replay", "html", match)
    page = match.with_suffix(".html")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", f"Wrote {page}\n")
    assert page.read_text().startswith("<!doctype html>")
    assert opened == []


def test_the_page_goes_where_it_is_told_and_is_opened(
    run: Callable[..., Any], match: Path, tmp_path: Path, opened: list[str]
) -> None:
    page = tmp_path / "a page.html"
    assert run("replay", "html", match, "--to", page, "--open", "-q").stderr == ""
    assert opened == [page.as_uri()]


def test_a_match_is_watched_as_soon_as_it_is_played(
    run: Callable[..., Any], data: Callable[..., Any], tmp_path: Path, opened: list[str]
) -> None:
    page = tmp_path / "match.html"
    result = run(*SHORT, "--html", page)
    assert (result.exit_code, result.stderr, opened) == (0, f"Wrote {page}\n", [])
    assert "aggressor" in page.read_text()
    assert run(*SHORT, "--html", page, "--open", "--record", tmp_path / "match.cqr").exit_code == 0
    assert opened == [page.as_uri()]
    before = page.read_bytes()
    assert run("replay", "html", tmp_path / "match.cqr").exit_code == 0
    assert page.read_bytes() == before, "the same page comes from its record"


def test_without_a_place_the_page_is_a_new_file(
    run: Callable[..., Any], opened: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    results = [run(*SHORT, "--open") for _ in range(2)]
    pages = [Path(result.stderr.removeprefix("Wrote ").strip()) for result in results]
    assert [page.as_uri() for page in pages] == opened
    assert len(set(pages)) == 2
    assert all(page.parent == tmp_path and page.read_text() for page in pages)


def test_where_there_is_no_browser_it_says_what_to_open(
    run: Callable[..., Any], match: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    result = run("replay", "html", match, "--open", "-q")
    assert result.exit_code == 0
    assert f"open {match.with_suffix('.html')} in yours" in result.stderr


def test_the_browser_of_the_user_is_asked(
    launch: Callable[..., Any], match: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a process of its own, by the variable that names it."""
    asked, program = tmp_path / "asked", tmp_path / "browser"
    program.write_text(f'#!/bin/sh\necho "$1" > "{asked}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{program} %s")
    process = launch("replay", "html", match, "--open")
    _, stderr = process.communicate()
    assert (process.returncode, asked.read_text().strip()) == (0, match.with_suffix(".html").as_uri()), stderr


def test_what_cannot_be_done_is_said_before_a_match(run: Callable[..., Any], tmp_path: Path, match: Path) -> None:
    for more in (("--open",), ("--html", tmp_path / "x.html")):
        result = run(*SHORT, "--matches", 2, *more)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "are for one match" in result.stderr
    assert run(*SHORT, "--html", tmp_path / "no" / "x.html").exit_code == 2
    assert f"like {tmp_path / 'match.html'}." in run(*SHORT, "--html", tmp_path).stderr
    before = match.read_bytes()
    assert "is the record that is read" in run("replay", "html", match, "--to", match).stderr
    assert match.read_bytes() == before


def test_a_file_that_is_no_record(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "own.cqr"
    assert run("replay", "html", path).exit_code == 2
    path.write_bytes(b"CQR1")
    assert run("replay", "html", path).exit_code == 1
    assert not path.with_suffix(".html").exists()


def test_a_page_of_a_record_in_text_form(run: Callable[..., Any], match: Path, tmp_path: Path) -> None:
    text = tmp_path / "match.txt"
    assert run("replay", "export", match, "--to", "text", "--output", text).exit_code == 0
    assert run("replay", "html", text).exit_code == 0
    assert run("replay", "html", match).exit_code == 0
    assert text.with_suffix(".html").read_bytes() == match.with_suffix(".html").read_bytes()
