"""Settings for all tests.

HYPOTHESIS_PROFILE chooses how hard the property tests look: `test` (as usual) or `soak`. A failure prints the
blob that plays it again with `@reproduce_failure`.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:  # bots are tested without a store, and without a browser
    from playwright.sync_api import Browser

    from tests.browser import Tabs
    from tests.leaderboard.postgresql import PostgreSQL

# No deadline: machines are shared, and a slow example is not a wrong one.
usual = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("test", usual)
settings.register_profile("soak", usual, max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "test"))


def not_here(told: str) -> NoReturn:
    """What a test needs is missing: people skip it, CI has to install it."""
    if os.environ.get("CI"):
        pytest.fail(told)
    pytest.skip(told)


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for this machine, and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        not_here("TLS was not tried: install openssl, which makes the certificate")
    folder = tmp_path_factory.mktemp("tls")
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out certificate.pem"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run([openssl, *words.split(), *names], cwd=folder, check=True, capture_output=True)
    return folder / "certificate.pem", folder / "key.pem"


@pytest.fixture(scope="session")
def postgresql() -> "Iterator[PostgreSQL]":
    """One server for each process of the tests."""
    from tests.leaderboard.postgresql import PostgreSQL, binary

    if not all(map(binary, ("initdb", "postgres"))):
        not_here("PostgreSQL was not tried: install it (Debian: apt install postgresql)")
    server = PostgreSQL()
    yield server
    server.end()


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """For a module only: while it is there, its thread can run no event loop."""
    from tests.browser import binary, launched

    if binary() is None:
        not_here("Pages were not tried in a browser: install chromium, or name one in CHROMIUM")
    with launched() as opened:
        yield opened


@pytest.fixture
def tabs(browser: "Browser") -> "Iterator[Tabs]":
    """Pages of a test; none of them may complain."""
    from tests.browser import Tabs

    opened = Tabs(browser)
    yield opened
    opened.close()
    assert opened.complaints == []
