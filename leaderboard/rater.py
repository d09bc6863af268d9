"""The process that keeps ratings up with the ledger: `python -m leaderboard.rater`.

The store is the one that ARENA_STORE names. The process is started by the server of the pages, and ends when its
standard input does: with its parent, however that ends. It may be killed at any moment.
"""

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Final

from leaderboard.catching_up import catch_up
from leaderboard.refitting import refit_next
from leaderboard.store import Store, StoreError, open_store

log = logging.getLogger(__name__)

PAUSE_SECONDS: Final = 1.0
TROUBLE_SECONDS: Final = 30.0  # until a store is tried again that could not be used
REST: Final = 4  # times as long as a refit took no other is made: the machine has better things to do


def follow(
    store: Store, sleep: Callable[[float], None] = time.sleep, clock: Callable[[], float] = time.monotonic
) -> None:
    """Rates what is released and refits what has changed, for ever. Tells once of each trouble with the store."""
    told, rested = "", clock()
    while True:
        try:
            catch_up(store)
            if (began := clock()) >= rested and refit_next(store):
                rested = clock() + REST * (clock() - began)
            told = ""
        except StoreError as error:
            if str(error) != told:
                told = str(error)
                log.warning("ratings stand still: %s", told)
            sleep(TROUBLE_SECONDS)
        sleep(PAUSE_SECONDS)


def end_with_parent() -> None:
    """Ends the process as soon as there is nobody at the other end of standard input."""

    def wait() -> None:
        sys.stdin.buffer.read()
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def main() -> None:
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    end_with_parent()
    with open_store(os.environ["ARENA_STORE"], create=False) as store:
        follow(store)


if __name__ == "__main__":
    main()
