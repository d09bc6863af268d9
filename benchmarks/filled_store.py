"""Stores with many results, filled without playing: `python -m benchmarks.filled_store STORE [--matches 100000]`.

Every match of a variant has the record of one and the same short match. Agents are as good as their names tell,
`agent 000` the best; places are drawn by that. All else is as a tournament would have written it.
"""

import argparse
import random
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from arena.job import Job, Outcome
from arena.run import result_of
from arena.seating import match_keys
from arena.worker import play_here
from leaderboard.store import Entrant, Lease, NewBlock, NewFixture, Result, Store, open_store
from leaderboard.store.database import Told, untold

VARIANTS: Final = ("classic", "officers", "summary")
PLAYERS: Final = 4
BLOCKS_AT_ONCE: Final = 125  # 500 matches
ROUNDS: Final = 2
SPREAD: Final = 0.05  # of strength, from one agent to the next; play varies by 1
BOT: Final = "aggressor"
LANGUAGES: Final = ("python", "rust", "go", "javascript")
FAULTY: Final = 0.01  # of all seats


class Table(NamedTuple):
    """A pairing to be: a variant, and who meets."""

    variant: str
    seats: list[int]


def fill(store: Store, agents: int = 200, matches: int = 100_000, seed: int = 1, told: Told = untold) -> None:
    """Adds a tournament; the matches are those of its blocks, rounded up."""
    below = random.Random(seed)
    lease = _tournament(store, agents, seed)
    played = {variant: _play(variant) for variant in VARIANTS}
    blocks = -(-matches // PLAYERS)
    for start in range(0, blocks, BLOCKS_AT_ONCE):
        tables = [_table(below, agents) for _ in range(start, min(blocks, start + BLOCKS_AT_ONCE))]
        new = [_block(seed, start + number, table) for number, table in enumerate(tables)]
        store.add_blocks(lease, new)
        store.next_attempts(lease, [one.id for block in new for one in block.fixtures])
        store.commit(lease, list(_results(new, played, below)))
        told(min(blocks, start + BLOCKS_AT_ONCE) * PLAYERS, blocks * PLAYERS)
    store.set_state(lease, "finished")
    store.give_back(lease)


def _tournament(store: Store, agents: int, seed: int) -> Lease:
    names = [f"agent {number:03}" for number in range(agents - 1)] + ["random"]
    entrants = []
    for number, name in enumerate(names):
        is_random = name == "random"
        language = "python" if is_random else LANGUAGES[number % len(LANGUAGES)]
        version = store.add_version(name, "random" if is_random else f"cmd:./{number}", language, is_random, "1")
        entrants.append(Entrant(name, version.id, "active"))
    text = f'name = "filled {seed}"\n'
    made = store.create_tournament(f"filled {seed}", text, ".", bytes(32), bytes(32), entrants)
    return store.take_lease(made.id, "the filler", 1e9)


def _play(variant: str) -> Outcome:
    keys = match_keys(bytes(32), variant, variant)
    names = tuple(f"{BOT} {number}" for number in range(PLAYERS))
    played = play_here(Job(variant, 1, variant, {"rounds": ROUNDS}, names, (BOT,) * PLAYERS, keys, "60+0.1/5"))
    assert not played.error, played.error
    return played


def _table(below: random.Random, agents: int) -> Table:
    return Table(below.choice(VARIANTS), below.sample(range(agents), PLAYERS))


def _block(seed: int, number: int, table: Table) -> NewBlock:
    name = f"filled-{seed}/{table.variant}/{number}"
    fixtures = [
        NewFixture(f"{name}/{turn}", turn, table.seats[turn:] + table.seats[:turn]) for turn in range(PLAYERS)
    ]
    return NewBlock(name, number, 1, table.variant, 1, {"rounds": ROUNDS}, PLAYERS, fixtures)


def _results(blocks: list[NewBlock], played: dict[str, Outcome], below: random.Random) -> Iterator[Result]:
    for block in blocks:
        for fixture in block.fixtures:
            one = played[block.variant]
            strengths = [below.gauss(-SPREAD * entrant, 1) for entrant in fixture.seats]
            yield result_of(one, "the filler")._replace(
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
