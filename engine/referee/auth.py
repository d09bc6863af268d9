"""Tokens: who may do what. They are kept hashed; a token opens its own seats and nothing else.

The file has a line for each token: the SHA-256 of the token in hexadecimal, its role, and the name of its agent or
owner. Only its owner may read it.
"""

import hashlib
import logging
import os
import re
import secrets
from enum import IntEnum
from pathlib import Path
from stat import S_ISREG
from typing import Final, NamedTuple, Protocol

log = logging.getLogger(__name__)

TOKEN_BYTES: Final = 32
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@/-]{0,99}")


class Role(IntEnum):
    """What a token allows; each role may do all that those before it may."""

    AUTHOR = 1  # plays the seats of its agent
    ORGANISER = 2  # makes matches
    ADMIN = 3


class Identity(NamedTuple):
    name: str
    role: Role


class Tokens(Protocol):
    """Where tokens are looked up."""

    def find(self, token: str) -> Identity | None: ...


class TokenFileError(ValueError):
    """A token file that cannot be used; says why and what to do."""


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class TokenFile:
    """Tokens in a file. It is read again when it has changed, so new tokens need no restart."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.version: tuple[int, int] | None = None
        self.known: dict[str, Identity] = {}
        self.refresh()

    def find(self, token: str) -> Identity | None:
        try:
            self.refresh()
        except TokenFileError as error:  # somebody is editing it: what was known stays
            log.error("%s", error)
        return self.known.get(hashed(token))

    def refresh(self) -> None:
        version = file_version(self.path)
        if version != self.version:
            self.known = read_tokens(self.path)
            self.version = version


def file_version(path: Path) -> tuple[int, int]:
    """What changes when the file does; refused if it cannot be a token file."""
    try:
        stat = path.stat()
    except OSError as error:
        raise unreadable(path, error) from error
    if not S_ISREG(stat.st_mode):
        raise TokenFileError(f"token file {path} is not an ordinary file; name another")
    if stat.st_mode & 0o077:
        raise TokenFileError(f"token file {path} can be read by others; run chmod 600 {path}")
    return stat.st_mtime_ns, stat.st_size


def read_tokens(path: Path) -> dict[str, Identity]:
    file_version(path)
    try:
        lines = path.read_text(errors="replace").splitlines()
    except OSError as error:
        raise unreadable(path, error) from error
    known: dict[str, Identity] = {}
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 3 or words[1].upper() not in Role.__members__ or not NAME.fullmatch(words[2]):
            roles = ", ".join(role.name.lower() for role in Role)
            raise TokenFileError(
                f"token file {path}, line {number}: it should be a hash, one of {roles}, and a name"
            )
        known[words[0].lower()] = Identity(words[2], Role[words[1].upper()])
    return known


def unreadable(path: Path, error: OSError) -> TokenFileError:
    return TokenFileError(f"token file {path}: {error.strerror}; make one with 'arena token create'")


def create_token(path: Path, role: Role, name: str) -> str:
    """Makes a token, adds its hash to the file, and gives it: it is shown once and kept nowhere."""
    if not NAME.fullmatch(name):
        raise TokenFileError(f"'{name}' is no name: letters, digits and . _ @ / - only, 100 at most")
    start = ""
    if path.exists():
        read_tokens(path)
        start = "" if path.read_bytes()[-1:] in (b"", b"\n") else "\n"  # somebody edited it
    token = secrets.token_urlsafe(TOKEN_BYTES)
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(file, "a") as lines:
        lines.write(f"{start}{hashed(token)} {role.name.lower()} {name}\n")
    return token
