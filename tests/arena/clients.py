"""Waiting for agents to be there."""

import time
from collections.abc import Sequence
from pathlib import Path

from sdk.remote import Remote, RemoteError


def connected(address: str, token: str, names: Sequence[str], authority: Path | None = None) -> None:
    """Returns when all of these agents are connected."""
    deadline = time.monotonic() + 60.0
    while time.monotonic() < deadline:
        try:
            with Remote(address, token, authority, plain=authority is None) as remote:
                if set(names) <= {agent.name for agent in remote.agents()}:
                    return
        except RemoteError:
            pass  # it is not there yet
        time.sleep(0.05)
    raise AssertionError(f"{names} are not all connected")
