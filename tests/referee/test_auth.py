"""Tokens: kept hashed, in a file that only its owner may read."""

from pathlib import Path

import pytest

from engine.referee.auth import Identity, Role, TokenFile, TokenFileError, create_token, hashed


def test_a_token_is_found_by_itself_only(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    token = create_token(path, Role.AUTHOR, "alice/blitz@3")
    other = create_token(path, Role.ORGANISER, "bob")
    tokens = TokenFile(path)
    assert tokens.find(token) == Identity("alice/blitz@3", Role.AUTHOR)
    assert tokens.find(other) == Identity("bob", Role.ORGANISER)
    assert [tokens.find(text) for text in ("", "x", token + "x", hashed(token))] == [None] * 4


def test_the_file_is_private_and_has_no_token_in_it(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    token = create_token(path, Role.AUTHOR, "alice")
    assert path.stat().st_mode & 0o777 == 0o600
    assert token not in path.read_text()
    path.chmod(0o644)
    with pytest.raises(TokenFileError, match="can be read by others; run chmod 600"):
        TokenFile(path)
    with pytest.raises(TokenFileError, match="chmod 600"):
        create_token(path, Role.AUTHOR, "bob")


def test_a_new_token_needs_no_restart(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    create_token(path, Role.AUTHOR, "alice")
    tokens = TokenFile(path)
    token = create_token(path, Role.ADMIN, "carol")
    assert tokens.find(token) == Identity("carol", Role.ADMIN)


def test_a_last_line_without_an_end_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    token = create_token(path, Role.AUTHOR, "alice")
    path.write_text(path.read_text().rstrip())
    other = create_token(path, Role.AUTHOR, "bob")
    tokens = TokenFile(path)
    assert [tokens.find(one) for one in (token, other)] == [
        Identity(name, Role.AUTHOR) for name in ("alice", "bob")
    ]


def test_comments_and_empty_lines_mean_nothing(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    path.touch(0o600)
    path.write_text(f"# ours\n\n{hashed('t')} author alice\n")
    assert TokenFile(path).find("t") == Identity("alice", Role.AUTHOR)


@pytest.mark.parametrize("line", ["abc", "abc author", "abc king alice", "abc author alice bob", "abc author <x>"])
def test_a_line_that_is_none_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "tokens"
    path.touch(0o600)
    path.write_text(f"# ours\n{line}\n")
    with pytest.raises(TokenFileError, match="line 2: it should be a hash, one of author"):
        TokenFile(path)


def test_no_file_and_no_name(tmp_path: Path) -> None:
    with pytest.raises(TokenFileError, match="No such file or directory; make one with 'arena token create'"):
        TokenFile(tmp_path / "none")
    for name in ("", "two words", "<script>", "-x", "x" * 101):
        with pytest.raises(TokenFileError, match="is no name"):
            create_token(tmp_path / "tokens", Role.AUTHOR, name)
    assert not (tmp_path / "tokens").exists()


def test_roles_include_those_below() -> None:
    assert Role.AUTHOR < Role.ORGANISER < Role.ADMIN


def test_a_file_that_breaks_later_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    token = create_token(path, Role.AUTHOR, "alice")
    tokens = TokenFile(path)
    path.write_text("broken\n")
    assert tokens.find(token) == Identity("alice", Role.AUTHOR)
    path.unlink()
    assert tokens.find(token) == Identity("alice", Role.AUTHOR)
