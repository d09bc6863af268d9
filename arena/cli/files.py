"""Record files as the command line names them: read with a clear complaint, written whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path

from arena.cli.failures import Failure, WrongUse, sentence
from arena.cli.story import Story
from conquest.v1.record_pb2 import MatchRecord
from engine import record, record_text

SUFFIX = ".cqr"


def record_paths(target: str | None, count: int) -> Iterator[Path | None]:
    """Where each record goes, after a trial that it can be written there."""
    if target is None:
        return repeat(None, count)
    if count == 1:
        return iter([check_writable(target)])
    folder = Path(target)
    check_folder(folder)
    digits = max(4, len(str(count)))
    return (folder / f"{number:0{digits}}{SUFFIX}" for number in range(1, count + 1))


def check_folder(folder: Path) -> None:
    """Makes the folder for the records of a series; refused if it has any."""
    if folder.exists() and not folder.is_dir():
        raise WrongUse(f"--record {folder} is a file: with --matches name a folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WrongUse(f"--record {folder} cannot be made: {error.strerror}. Name another folder.") from error
    if any(folder.glob(f"*{SUFFIX}")):
        raise WrongUse(f"--record {folder} holds records already: name a new folder.")
    try_folder(folder, folder)


def check_writable(target: str, suffix: str = SUFFIX, source: Path | None = None) -> Path:
    """The file to write, after a trial that it can be written; `source` is one that it must not be."""
    path = Path(target)
    real = Path(os.path.realpath(path))
    if real.is_dir():
        raise WrongUse(f"{path} is a folder: name a file in it, like {path / f'match{suffix}'}.")
    if target.endswith(os.sep) or not real.parent.is_dir():
        folder = target if target.endswith(os.sep) else path.parent
        raise WrongUse(f"{target} cannot be written: there is no folder {folder}. Make it first.")
    if os.path.lexists(real) and not real.is_file():
        raise WrongUse(f"{path} is not an ordinary file: name another.")
    if real.exists() and source is not None and source.exists() and real.samefile(source):
        raise WrongUse(f"{path} is the record that is read: name another file.")
    if real.exists() and not os.access(real, os.W_OK):
        raise WrongUse(f"{path} is read-only: name another file.")
    try_folder(real.parent, path)
    return path


def try_folder(folder: Path, target: Path) -> None:
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise WrongUse(f"{target} cannot be written: {error.strerror}. Name another place.") from error


def write_whole(target: Path, content: bytes) -> None:
    """The file appears complete, or not at all; a link stays, and the file that it leads to is written."""
    target = Path(os.path.realpath(target))
    unfinished = target.with_name(f".{target.name}.{os.getpid()}")
    try:  # from before it is made: Ctrl-C may come at any moment
        unfinished.write_bytes(content)
        os.replace(unfinished, target)
    except OSError as error:
        raise Failure(f"{target} cannot be written: {error.strerror}.") from error
    finally:
        unfinished.unlink(missing_ok=True)


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
        raise Failure(f"{path}: byte {error.start} is no text.") from error
    except OSError as error:
        raise WrongUse(f"{path} cannot be read: {error.strerror}. Name a file that --record wrote.") from error
    except record.RecordError as error:
        raise Failure(f"{path}: {sentence(str(error))}") from error


def story(path: Path) -> Story:
    """The record told; refused if it cannot be replayed to its end."""
    kept = load(path)
    with replaying(path):
        return Story(kept)


@contextmanager
def replaying(path: Path) -> Iterator[None]:
    """Complains about a record that cannot be replayed to its end."""
    try:
        yield
    except record.RecordError as error:
        why = sentence(f"{path} cannot be replayed: {error}")
        raise Failure(f"{why} 'arena replay verify {path}' says more.") from error
