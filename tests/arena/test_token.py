"""`arena token`: tokens made and listed, and files that are no token files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.referee.auth import Identity, Role, TokenFile
from leaderboard.store import Tokens, open_store


def test_a_token_is_said_once_and_kept_hashed(run: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "tokens.txt"
    plain = run("token", "create", "my-bot", "--tokens", file)
    told = run("token", "create", "me", "--tokens", file, "--role", "organiser", "--json")
    assert (plain.exit_code, told.exit_code) == (0, 0)
    assert plain.stderr == "Token of my-bot (author): keep it, it is not told again.\n"
    token, known = plain.stdout.strip(), TokenFile(file)
    assert known.find(token) == Identity("my-bot", Role.AUTHOR)
    assert known.find(json.loads(told.stdout)["token"]) == Identity("me", Role.ORGANISER)
    assert token not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600


def test_tokens_are_listed_without_telling_them(
    run: Callable[..., Any], data: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_TOKENS", str(tmp_path / "tokens.txt"))
    token = run("token", "create", "my-bot", "-q").stdout.strip()
    (told,) = data("token", "list")
    assert (told["name"], told["role"]) == ("my-bot", "author")
    shown = run("token", "list", "--table").stdout
    assert "my-bot" in shown
    assert told["hash"][:8] in shown
    assert token not in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["create", "bad name", "--tokens", "good"], "is no name: letters, digits"),
        (["create", "me", "--tokens", "good", "--role", "king"], "'author', 'organiser', 'admin'"),
        (
            ["create", "me", "--tokens", "missing/tokens"],
            "cannot be written: No such file or directory. Name another",
        ),
        (["create", "me", "--tokens", "open"], "run chmod 600"),
        (["list", "--tokens", "open"], "run chmod 600"),
        (["list", "--tokens", "missing"], "No such file or directory; make one with 'arena token create'"),
        (["list", "--tokens", "."], "is not an ordinary file; name another"),
        (["list", "--tokens", "bytes"], "line 1: it should be a hash"),
    ],
)
def test_wrong_use_is_one_line(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content, mode in (("good", b"", 0o600), ("open", b"", 0o644), ("bytes", b"\xcd\x80", 0o600)):
        Path(name).write_bytes(content)
        Path(name).chmod(mode)
    result = run("token", *words)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert said in result.stderr


def test_tokens_of_a_store_open_it_until_they_are_revoked(
    run: Callable[..., Any], data: Callable[..., Any], tmp_path: Path
) -> None:
    url = tmp_path / "arena.db"
    token = run("token", "create", "alice", "--store", url, "-q").stdout.strip()
    run("token", "create", "me", "--store", url, "--role", "organiser")
    with open_store(str(url)) as store:
        tokens = Tokens(store, lambda name, role: (name, role))
        assert tokens.find(token) == ("alice", Role.AUTHOR)
        assert [one["name"] for one in data("token", "list", "--store", url)] == ["alice", "me"]
        assert run("token", "revoke", "alice", "--store", url, "--table").stdout == "Ended 1 token of alice.\n"
        assert tokens.find(token) is None
    assert [one["name"] for one in data("token", "list", "--store", url)] == ["me"]
    again = run("token", "revoke", "alice", "--store", url)
    assert (again.exit_code, again.stderr) == (
        2,
        "arena: 'alice' has no token. 'arena token list' tells who has.\n",
    )


def test_one_place_is_named(run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, url = tmp_path / "tokens.txt", tmp_path / "arena.db"
    both = run("token", "create", "alice", "--tokens", file, "--store", url)
    none = run("token", "list")
    assert both.exit_code == none.exit_code == 2
    assert both.stderr == none.stderr
    assert "--tokens FILE for a referee, or --store URL for the pages" in none.stderr
    monkeypatch.setenv("ARENA_TOKENS", str(file))
    assert run("token", "create", "alice", "--store", url).exit_code == 0
    assert (file.exists(), url.exists()) == (False, True)
    told = run("token", "revoke", "alice")
    assert (told.exit_code, "Remove the lines of alice" in told.stderr) == (2, True)
