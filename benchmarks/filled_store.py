"""Stores with many results, filled without playing: `python -m benchmarks.filled_store STORE [--matches 100000]`.

Every match of a variant has the record of one and the same short match. Agents are as good as their names tell,
`agent 000` the best; places are drawn by that. All else is as a tournament would have written it.
"""

import argparse
import random
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, Self

from arena.job import Job, Outcome
from arena.run import result_of
from arena.seating import match_keys
from arena.worker import play_here
from leaderboard.store import Entrant, NewBlock, NewFixture, Result, Store, Tournament, open_store
from leaderboard.store.database import Told, untold

VARIANTS: Final = ("classic", "officers", "summary")
PLAYERS: Final = 4
BLOCKS_AT_ONCE: Final = 125  # 500 matches
ROUNDS: Final = 2
SPREAD: Final = 0.05  # of strength, from one agent to the next; play varies by 1
BOT: Final = "aggressor"
RANDOM: Final = "random"
DRIVER: Final = "the filler"
LANGUAGES: Final = ("python", "rust", "go", "javascript")
FAULTY: Final = 0.01  # of all seats


class Table(NamedTuple):
    """A pairing to be: a variant, and who meets."""

    variant: str
    seats: list[int]


def fill(store: Store, agents: int = 200, matches: int = 100_000, seed: int = 1, told: Told = untold) -> None:
    """Adds a tournament; the matches are those of its blocks, rounded up."""
    with Filler(store, make_tournament(store, agents, seed), seed) as filler:
        filler.fill(matches, told)
        store.set_state(filler.lease, "finished")


def make_tournament(store: Store, agents: int, seed: int) -> Tournament:
    names = [f"agent {number:03}" for number in range(agents - 1)] + [RANDOM]
    entrants = []
    for number, name in enumerate(names):
        is_random = name == RANDOM
        language = "python" if is_random else LANGUAGES[number % len(LANGUAGES)]
        version = store.add_version(name, _bot(name), language, is_random, "1")
        entrants.append(Entrant(name, version.id, "active"))
    name = f"filled {seed}"
    return store.create_tournament(name, _text(name, names), ".", bytes(32), bytes(32), entrants)


def _bot(name: str) -> str:
    return name if name == RANDOM else f"cmd:./{name.replace(' ', '-')}"


def _text(name: str, entrants: list[str]) -> str:
    """The file of such a tournament."""
    options = f"players = {PLAYERS}\noptions = {{ rounds = {ROUNDS} }}\n"
    return f'name = "{name}"\n' + "".join(
        [f'[[variants]]\nname = "{variant}"\n{options}' for variant in VARIANTS]
        + [f'[[entrants]]\nname = "{entrant}"\nbot = "{_bot(entrant)}"\n' for entrant in entrants]
    )


class Filler:
    """Adds blocks to a tournament, whose lease it has meanwhile; `rounds` is how long their matches are."""

    def __init__(self, store: Store, tournament: Tournament, seed: int, rounds: int = ROUNDS) -> None:
        self.store = store
        self.tournament = tournament
        self.agents = len(store.entrants(tournament.id))
        self.blocks = store.progress(tournament.id).done // PLAYERS
        self.rounds = rounds
        self.below = random.Random(seed)
        self.played = {variant: _play(variant, rounds) for variant in VARIANTS}
        self.lease = store.take_lease(tournament.id, DRIVER, 1e9)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.give_back(self.lease)

    def fill(self, matches: int, told: Told = untold) -> None:
        blocks = -(-matches // PLAYERS)
        for start in range(0, blocks, BLOCKS_AT_ONCE):
            self.add(min(BLOCKS_AT_ONCE, blocks - start))
            told(self.blocks * PLAYERS, blocks * PLAYERS)

    def add(self, blocks: int) -> None:
        """In one go, as a driver commits them."""
        tables = [_table(self.below, self.agents) for _ in range(blocks)]
        new = [
            _block(self.tournament.name, self.blocks + number, table, self.rounds)
            for number, table in enumerate(tables)
        ]
        self.store.add_blocks(self.lease, new)
        self.store.next_attempts(self.lease, [one.id for block in new for one in block.fixtures])
        self.store.commit(self.lease, list(_results(new, self.played, self.below)))
        self.blocks += blocks


def _play(variant: str, rounds: int) -> Outcome:
    keys = match_keys(bytes(32), variant, variant)
    names = tuple(f"{BOT} {number}" for number in range(PLAYERS))
    played = play_here(Job(variant, 1, variant, {"rounds": rounds}, names, (BOT,) * PLAYERS, keys, "60+0.1/5"))
    assert not played.error, played.error
    return played


def _table(below: random.Random, agents: int) -> Table:
    return Table(below.choice(VARIANTS), below.sample(range(agents), PLAYERS))


def _block(tournament: str, number: int, table: Table, rounds: int) -> NewBlock:
    name = f"{tournament}/r1-{table.variant}-{PLAYERS}p-{number:04}"
    fixtures = [
        NewFixture(f"{name}-r{turn}", turn, table.seats[turn:] + table.seats[:turn]) for turn in range(PLAYERS)
    ]
    return NewBlock(name, number, 1, table.variant, 1, {"rounds": rounds}, PLAYERS, fixtures)


def _results(blocks: list[NewBlock], played: dict[str, Outcome], below: random.Random) -> Iterator[Result]:
    for block in blocks:
        for fixture in block.fixtures:
            one = played[block.variant]
            strengths = [below.gauss(-SPREAD * entrant, 1) for entrant in fixture.seats]
            yield result_of(one, DRIVER)._replace(
                fixture_id=fixture.id,
                attempt=1,
                places=[1 + sum(other > mine for other in strengths) for mine in strengths],
                luck=[round(below.gauss(0, 5), 2) for _ in strengths],
                faults=[int(below.random() < FAULTY) for _ in strengths],
            )


def main() -> None:
    parser = argparse.ArgumentParser(description="Fill a store without playing.")
    parser.add_argument("store")
    parser.add_argument("--agents", type=int, default=200)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    with open_store(told.store) as store:
        fill(store, told.agents, told.matches, told.seed, _counting())


def _counting() -> Callable[[int, int], None]:
    return lambda done, total: print(f"\r{done:,} of {total:,} matches", end="", flush=True)


if __name__ == "__main__":
    main()
