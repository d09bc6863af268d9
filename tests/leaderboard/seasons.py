"""Tournaments whose results are drawn, for what follows from results: ratings and pages. Nothing is played."""

import random
from collections.abc import Sequence

from leaderboard.store import Entrant, Lease, NewBlock, NewFixture, Result, Store

FOLDER = "/cups"


def entrants(store: Store, names: Sequence[str], digest: str = "1") -> list[Entrant]:
    """The bot `random`, and others by their names."""
    return [Entrant(name, version(store, name, digest), "active") for name in names]


def version(store: Store, name: str, digest: str = "1") -> int:
    is_random = name == "random"
    return store.add_version(name, name if is_random else f"cmd:./{name}", "python", is_random, digest).id


class Season:
    """A tournament with its driver; what happens in it is drawn from `below`."""

    def __init__(
        self, store: Store, name: str, names: Sequence[str], below: random.Random, digest: str = "1"
    ) -> None:
        self.store, self.name, self.below = store, name, below
        told = entrants(store, names, digest)
        made = store.create_tournament(name, "", FOLDER, b"k" * 32, b"c" * 32, told)
        self.count = len(told)
        self.lease: Lease = store.take_lease(made.id, "driver", 1e9)
        self.blocks = 0
        self.open: list[NewFixture] = []
        self.done: list[str] = []

    def add_block(self, players: int = 3, variant: str = "classic", rules_version: int = 1) -> NewBlock:
        """A pairing in all its rotations, and a first attempt at each."""
        seats = self.below.sample(range(self.count), players)
        name = f"{self.name}/{self.blocks}"
        fixtures = [NewFixture(f"{name}/{turn}", turn, seats[turn:] + seats[:turn]) for turn in range(players)]
        block = NewBlock(name, self.blocks, 0, variant, rules_version, {}, players, fixtures)
        self.blocks += 1
        self.store.add_blocks(self.lease, [block])
        self.store.next_attempts(self.lease, [one.id for one in fixtures])
        self.open += fixtures
        return block

    def play(self, matches: int = 1) -> None:
        """So many of the open fixtures, in any order."""
        chosen = self.below.sample(self.open, min(matches, len(self.open)))
        self.store.commit(self.lease, [self.result(one) for one in chosen])
        self.open = [one for one in self.open if one not in chosen]
        self.done += [one.id for one in chosen]

    def play_blocks(self, count: int, players: int = 3, variant: str = "classic") -> None:
        for _ in range(count):
            self.add_block(players, variant)
        self.play(len(self.open))

    def result(self, fixture: NewFixture) -> Result:
        """Whoever comes first in the list of entrants is better, but not always; some tie."""
        strength = [self.below.gauss(-entrant, 2.0) for entrant in fixture.seats]
        if self.below.random() < 0.2:
            strength[0] = strength[-1]
        places = [1 + sum(other > mine for other in strength) for mine in strength]
        luck = [round(self.below.gauss(0, 3), 3) for _ in places]
        faults = [int(self.below.random() < 0.1) for _ in places]
        return result(fixture.id, places, luck, faults)


def result(fixture_id: str, places: list[int], luck: list[float], faults: list[int]) -> Result:
    return Result(
        fixture_id,
        attempt=1,
        places=places,
        luck=luck,
        faults=faults,
        rounds=10,
        ending=1,
        actions=500,
        decisions=100,
        record=b"record",
        sidecar=b"{}",
        conduct=[],
        worker="worker 1",
        seconds=0.25,
    )
