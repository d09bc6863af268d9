"""Record files as the command line names them: read with a clear complaint, written whole or not at all."""

import os
import tempfile
from pathlib import Path

from arena.cli.failures import Failure, WrongUse
from arena.cli.story import Story
from conquest.v1.record_pb2 import MatchRecord
from engine import record, record_text

SUFFIX = ".cqr"


def record_paths(target: Path | None, count: int) -> list[Path | None]:
    """Where each record goes, after a trial that it can be written there."""
    if target is None:
        return [None] * count
    if count == 1:
        check_writable(target)
        return [target]
    if target.exists() and not target.is_dir():
        raise WrongUse(f"--record {target} is a file: with --matches name a folder.")
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WrongUse(f"--record {target} cannot be made: {error.strerror}. Name another folder.") from None
    _try_folder(target, target)
    digits = max(4, len(str(count)))
    return [target / f"{number:0{digits}}{SUFFIX}" for number in range(1, count + 1)]


def check_writable(target: Path) -> None:
    if target.is_dir():
        raise WrongUse(f"{target} is a folder: name a file in it, like {target / ('match' + SUFFIX)}.")
    if not target.parent.is_dir():
        raise WrongUse(f"{target} cannot be written: there is no folder {target.parent}. Make it first.")
    _try_folder(target.parent, target)


def _try_folder(folder: Path, target: Path) -> None:
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise WrongUse(f"{target} cannot be written: {error.strerror}. Name another place.") from None


def write_whole(target: Path, content: bytes) -> None:
    """The file appears complete, or not at all."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)
        os.replace(name, target)
    except BaseException as error:
        os.unlink(name)
        if isinstance(error, OSError):
            raise Failure(f"{target} cannot be written: {error.strerror}.") from None
        raise


def save(made: MatchRecord, target: Path) -> None:
    write_whole(target, record.write(made))


def load(path: Path) -> MatchRecord:
    """The record in the file, be it packed or in text form."""
    try:
        data = path.read_bytes()
        if data.startswith(f"{record_text.FIRST_WORD} ".encode()):
            return record_text.read(data.decode())
        return record.read(data)
    except UnicodeDecodeError as error:
        raise Failure(f"{path}: byte {error.start} is no text.") from None
    except OSError as error:
        raise WrongUse(f"{path} cannot be read: {error.strerror}.") from None
    except record.RecordError as error:
        raise Failure(f"{path}: {error}.".replace("..", ".")) from None


def story(path: Path) -> Story:
    """The record told; refused if it cannot be replayed to its end."""
    kept = load(path)
    try:
        return Story(kept)
    except record.RecordError as error:
        raise Failure(f"{path} cannot be replayed: {error}. 'arena replay verify {path}' says more.") from error
