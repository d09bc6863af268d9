"""Every number that the pages go by."""

import time
from collections.abc import Callable
from typing import Final, NamedTuple


class Settings(NamedTuple):
    rate: float = 20.0  # requests a second of one client, in the long run
    burst: int = 200  # requests that a client may make at once
    clients: int = 10_000  # whose rates are remembered
    logins: int = 5  # attempts to log in of one client at once; then one every ten seconds
    login_seconds: float = 10.0
    cache_bytes: int = 64 << 20
    film_bytes: int = 64 << 20  # of films that are kept
    state_seconds: float = 0.5  # how long the state of the store is taken for unchanged
    stale_seconds: float = 30.0  # how long a page is still given after there is a newer one
    session_seconds: float = 12 * 3600.0
    sessions: int = 1_000
    threads: int = 4  # that read the store and draw pages
    plain_login: bool = False  # tokens are taken without TLS from other machines too
    clock: Callable[[], float] = time.monotonic


USUAL: Final = Settings()
