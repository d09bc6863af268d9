"""Settings for all tests.

HYPOTHESIS_PROFILE chooses how hard the property tests look: `test` (as usual) or `soak`. A failure prints the
blob that plays it again with `@reproduce_failure`.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No deadline: machines are shared, and a slow example is not a wrong one.
usual = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("test", usual)
settings.register_profile("soak", usual, max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "test"))


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for this machine, and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        told = "TLS was not tried: install openssl, which makes the certificate"
        if os.environ.get("CI"):
            pytest.fail(told)
        pytest.skip(told)
    folder = tmp_path_factory.mktemp("tls")
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out certificate.pem"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run([openssl, *words.split(), *names], cwd=folder, check=True, capture_output=True)
    return folder / "certificate.pem", folder / "key.pem"
