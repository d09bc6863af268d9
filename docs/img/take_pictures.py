"""Takes the pictures of the docs from the pages of a store: `python docs/img/take_pictures.py build/demo.db`.

The store is that of `make run`. Needs Chromium and Playwright, as the tests do.
"""

import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

from leaderboard.store import open_store
from tests.browser import Tabs, launched

FOLDER = Path(__file__).parent
ADDRESS = "http://127.0.0.1:8099"
DESK, PHONE = {"width": 1200, "height": 900}, {"width": 360, "height": 780}


def longest_match(store: str) -> str:
    """Of the classic game: there is the most to see."""
    with open_store(store, create=False) as opened:
        (newest, *_) = reversed(opened.tournaments())
        rows = [row for row in opened.results(newest.id) if "/r1-classic-" in row.fixture_id]
        return max(rows, key=lambda row: row.rounds).fixture_id


def take(tabs: Tabs, path: str, name: str, size: dict[str, int], scheme: str) -> None:
    page = tabs.open(ADDRESS + path, size, color_scheme=scheme)
    page.wait_for_load_state("networkidle")
    page.screenshot(path=FOLDER / f"{name}.png")


def main(store: str) -> None:
    match = f"/matches/{quote(longest_match(store), safe='')}#turn=24"
    served = ["arena", "leaderboard", "serve", "--table", "--store", store, "--port", ADDRESS.rpartition(":")[2]]
    with subprocess.Popen(served, stdout=subprocess.PIPE, text=True) as server, launched() as browser:
        assert server.stdout is not None
        server.stdout.readline()  # it says where the pages are
        tabs = Tabs(browser)
        take(tabs, match, "match", DESK, "light")
        take(tabs, match, "match-phone", PHONE, "dark")
        take(tabs, "/ladders/all", "ladder", DESK, "light")
        take(tabs, "/tournaments/demo", "tournament", DESK, "dark")
        server.terminate()


if __name__ == "__main__":
    main(sys.argv[1])
