"""A small tournament that is played once, with odd names, notes, faults and a void match, and its pages."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena import tournaments
from arena.config import parse_config
from arena.crew import InProcess
from arena.job import POOLED
from arena.run import LEASE_SECONDS, Driver
from leaderboard.catching_up import catch_up
from leaderboard.refitting import refit_all
from leaderboard.store import Store, open_store
from tests.web.serving import Served, served

SCRIPT = "<script>alert(1)</script>"  # the names are a test
SLASHED = 'a/b@c "d" & e'
DOTS = ".."
NAMES = (SCRIPT, SLASHED, DOTS, "Ünï ✓ %2F?", "random")
CUP = f"cup/1 {SCRIPT}"
ALICE = "alice"  # has SCRIPT and SLASHED
BOB = "Bob <b>"  # has DOTS
SECRET = "division by zero of the author"
NOTE = "I am thinking of </script>"
LOG = "stderr of <b>the bot</b>"

BOTS = f"""
import sys
from sdk.agent import Agent, Answer

class Faulty(Agent):
    def decide(self, decision):
        if decision.observation.round == 2:
            raise ZeroDivisionError({SECRET!r})
        return Answer(0, decision.options[0].low)

class Talker(Agent):
    def decide(self, decision):
        print({LOG!r}, file=sys.stderr, flush=True)
        last = len(decision.options) - 1
        return Answer(last, decision.options[last].low, note={NOTE!r})
"""
FILE = """
name = {name}
[format]
blocks = 4
[[variants]]
name = "classic"
players = 3
options = {{ rounds = 4 }}
[[variants]]
name = "ad2210-classic"
players = 4
options = {{ rounds = 2 }}
"""


def play(store: Store, folder: Path) -> None:
    """To its end; rated and refitted, and with one match struck out."""
    (folder / "bots.py").write_text(BOTS)
    bots = {
        SCRIPT: ("strategist", ALICE),
        SLASHED: (f"cmd:{sys.executable} -m arena bot run {folder}/bots.py:Talker", ALICE),
        DOTS: ("bots.py:Faulty", BOB),
        NAMES[3]: ("aggressor", ""),
        "random": ("random", ""),
    }
    text = FILE.format(name=json.dumps(CUP))
    for name, (bot, author) in bots.items():
        told = f"name = {json.dumps(name)}\nbot = {json.dumps(bot)}\n"
        text += f"[[entrants]]\n{told}" + (f"author = {json.dumps(author)}\n" if author else "")
    config = parse_config(text, "cup.toml")
    made = tournaments.create(store, config, text, folder)
    crew = InProcess(POOLED, str(folder))
    try:
        driver = Driver(store, made, config, crew, store.take_lease(made.id, "test", LEASE_SECONDS))
        assert driver.run() == "finished"
    finally:
        crew.close()
    store.void("olga", next(iter(store.results(made.id))).fixture_id, "for the test")
    catch_up(store)
    refit_all(store)


@pytest.fixture(scope="session")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of the tournament; it is only read."""
    folder = tmp_path_factory.mktemp("cup")
    with open_store(str(folder / "cup.db")) as store:
        play(store, folder)
    return folder / "cup.db"


@pytest.fixture(scope="session")
def web(cup: Path) -> Iterator[Served]:
    """Its pages."""
    with open_store(str(cup)) as store, served(store) as running:
        yield running
