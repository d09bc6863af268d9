"""`arena token`: tokens made and listed, and files that are no token files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.referee.auth import Identity, Role, TokenFile


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
