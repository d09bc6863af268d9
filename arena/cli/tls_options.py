"""`--tls-certificate` and `--tls-key`, of commands that listen."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from arena.cli.failures import WrongUse

F = TypeVar("F", bound=Callable[..., Any])


class TlsFiles(NamedTuple):
    certificate: Path
    key: Path


def tls_options(command: F) -> F:
    """Gives a command the two options, as arguments of their names."""
    path = click.Path(path_type=Path)
    key = click.option("--tls-key", type=path, help="The private key of the certificate.")
    chain = click.option("--tls-certificate", type=path, help="Speak TLS with this certificate chain.")
    return chain(key(command))


def tls_files(certificate: Path | None, key: Path | None) -> TlsFiles | None:
    """Both, or none."""
    if certificate is not None and key is not None:
        return TlsFiles(certificate, key)
    if certificate is None and key is None:
        return None
    raise WrongUse("--tls-certificate and --tls-key belong together: give both.")
