"""Who meets whom: pairings from the configuration and the results so far, the same whenever they are asked for.

docs/formats.md tells the formats with examples.
"""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, islice
from random import Random
from typing import Final, NamedTuple

from arena import balance, swiss
from arena.config import TournamentConfig, VariantEntry

Table = tuple[int, ...]  # numbers of entrants


class Pairing(NamedTuple):
    """Who meets at one table: numbers of entrants, in the order of their seats in the first rotation."""

    round: int
    number: int  # from 1, within the round
    entrants: Table


class BlockResult(NamedTuple):
    """How a pairing ended: each entrant's sum of scores over the rotations, from 1 (first) to 0 (last)."""

    round: int
    number: int
    entrants: Table
    scores: tuple[float, ...]
    void: bool = False


class Format:
    """Pairings round by round, from 1. They depend on the configuration and on results of earlier rounds only."""

    depends_on_results = True

    def __init__(self, config: TournamentConfig, variant: VariantEntry) -> None:
        self.entrants = config.entrants
        self.settings = config.format
        self.size = variant.players
        self.seed = f"{config.name}:{config.seed}:{variant.label}"

    def pairings(self, round: int, results: Sequence[BlockResult]) -> list[Pairing] | None:
        """The tables of a round, maybe none; None when the tournament is over."""
        tables = self.tables(round, [result for result in results if result.round < round])
        if tables is None:
            return None
        return [
            Pairing(round, number, self.seated(round, number, table)) for number, table in enumerate(tables, 1)
        ]

    def tables(self, round: int, results: list[BlockResult]) -> list[Table] | None:
        raise NotImplementedError

    def ranking(self, results: Sequence[BlockResult]) -> list[tuple[int, str]]:
        """Entrants after so many whole rounds, the best first, with what the format says of each.

        Empty where it says no more than the scores.
        """
        return []

    def seated(self, round: int, number: int, table: Table) -> Table:
        """In an order drawn anew for each table, so that nobody always moves before the same opponent."""
        order = sorted(table)
        Random(f"{self.seed}:seats:{round}:{number}").shuffle(order)
        return tuple(order)

    def present(self, round: int) -> list[int]:
        return [number for number, entrant in enumerate(self.entrants) if entrant.plays_in(round)]


class RoundRobin(Format):
    """All tables there are, each round; above the cap a balanced sample of them.

    Rounds with the same entrants present are drawn together, so that the balance is that of the whole.
    """

    depends_on_results = False
    fixed: tuple[int, ...] = ()  # who sits at every table

    def __init__(self, config: TournamentConfig, variant: VariantEntry) -> None:
        super().__init__(config, variant)
        self.rounds: list[list[Table]] | None = None

    def tables(self, round: int, results: list[BlockResult]) -> list[Table] | None:
        if self.rounds is None:
            self.rounds = self.draw()
        return self.rounds[round - 1] if round <= len(self.rounds) else None

    def draw(self) -> list[list[Table]]:
        plan = self.plan()
        wanted = Counter[Table]()
        for pool, count in plan:
            wanted[pool] += count
        drawn = {pool: iter(self.tables_of(pool, count)) for pool, count in wanted.items()}
        return [list(islice(drawn[pool], count)) for pool, count in plan]

    def plan(self) -> list[tuple[Table, int]]:
        """For each round: who is drawn from, and how many tables."""
        settings = self.settings
        left = settings.blocks if settings.blocks is not None else settings.rounds * settings.table_cap
        last_change = max(max(*one.absent, one.withdrawn_after or 0, 0) for one in self.entrants)
        plan: list[tuple[Table, int]] = []
        while left > 0 and (settings.blocks is not None or len(plan) < settings.rounds):
            pool = self.pool(len(plan) + 1)
            count = min(math.comb(len(pool), self.size - len(self.fixed)), settings.table_cap, left)
            if count == 0 and len(plan) > last_change:
                break  # nobody comes back
            plan.append((pool, count))
            left -= count
        return plan

    def pool(self, round: int) -> Table:
        present = self.present(round)
        here = all(one in present for one in self.fixed)
        return tuple(one for one in present if one not in self.fixed) if here else ()

    def tables_of(self, pool: Table, wanted: int) -> list[Table]:
        random = Random(f"{self.seed}:tables:{pool}")
        tables = balance.draw(len(pool), self.size - len(self.fixed), wanted, random) if wanted else []
        return [self.fixed + tuple(pool[one] for one in table) for table in tables]


class Gauntlet(RoundRobin):
    """A round robin of all others, with the champion at every table."""

    def __init__(self, config: TournamentConfig, variant: VariantEntry) -> None:
        super().__init__(config, variant)
        self.fixed = (self.settings.champion,)


class Swiss(Format):
    """Equals meet equals, as far as possible for the first time."""

    def tables(self, round: int, results: list[BlockResult]) -> list[Table] | None:
        if round > self.settings.rounds:
            return None
        points, byes = self.standing(round, results)
        met = Counter(
            pair for result in results if not result.void for pair in combinations(sorted(result.entrants), 2)
        )
        present = self.present(round)
        present.sort(key=lambda one: (byes[one], points[one], -one))
        playing = present[len(present) % self.size :]
        playing.sort(key=lambda one: (-points[one], one))
        return swiss.pair(playing, points, met, self.size)

    def ranking(self, results: Sequence[BlockResult]) -> list[tuple[int, str]]:
        points, _ = self.standing(max([result.round for result in results], default=0) + 1, results)
        order = sorted(range(len(self.entrants)), key=lambda one: (-points[one], one))
        return [(one, f"{points[one]:.4g} point{'' if points[one] == 1 else 's'}") for one in order]

    def standing(self, round: int, results: Sequence[BlockResult]) -> tuple[list[float], list[int]]:
        """Points and byes before a round. A bye, like a void block, scores half of what a block can bring."""
        points, byes = [0.0] * len(self.entrants), [0] * len(self.entrants)
        for earlier in range(1, round):
            blocks = [result for result in results if result.round == earlier]
            scored = {
                one: self.size / 2 if block.void else score
                for block in blocks
                for one, score in zip(block.entrants, block.scores, strict=True)
            }
            for one in self.present(earlier):
                points[one] += scored.get(one, self.size / 2)
                byes[one] += one not in scored
        return [round_off(score) for score in points], byes


class Knockout(Format):
    """The winner of each table goes on, at its best place in the bracket; the best places get the byes."""

    def tables(self, round: int, results: list[BlockResult]) -> list[Table] | None:
        places = self.places(round, results)
        if len(places) < self.size:
            return None
        return [table for table in self.bracket(places)[1] for _ in range(self.settings.best_of)]

    def ranking(self, results: Sequence[BlockResult]) -> list[tuple[int, str]]:
        """The winner, or those who are still in, then those who went out, the last of them first."""
        last = max([result.round for result in results], default=0) + 1
        places = self.places(last, results)
        is_over = len(places) < self.size
        ranked = dict.fromkeys(places[:1], "winner") if is_over else dict.fromkeys(places, f"in round {last}")
        for round in range(last - 1, 0, -1):
            for one in self.places(round, results):
                ranked.setdefault(one, f"out in round {round}")
        return list(ranked.items())

    def places(self, round: int, results: Sequence[BlockResult]) -> list[int]:
        """Who is in a round, best place first. The first of the last round has won."""
        places, out = list(range(len(self.entrants))), list[int]()
        for number in range(1, round + 1):
            places = [one for one in places if self.entrants[one].plays_in(number)]
            if 1 < len(places) < self.size:  # somebody left: the best who went out come back
                back = [one for one in out if self.entrants[one].plays_in(number)][: self.size - len(places)]
                places, out = places + back, [one for one in out if one not in back]
            if len(places) < self.size:
                return places
            if number < round:
                places, lost = self.after(places, [result for result in results if result.round == number])
                out = lost + out
        return places

    def bracket(self, places: list[int]) -> tuple[list[int], list[Table], int]:
        """Who has a bye, the tables of the others, and how many shall be left afterwards: a power of the size."""
        target = 1
        while target * self.size < len(places):
            target *= self.size
        needed = math.ceil((len(places) - target) / (self.size - 1))
        count = min(needed, len(places) // self.size)
        byes = len(places) - count * self.size
        rows = [places[start : start + count] for start in range(byes, len(places), count)]
        snake = [row[::-1] if number % 2 else row for number, row in enumerate(rows)]
        return places[:byes], list(zip(*snake)), target

    def after(self, places: list[int], results: list[BlockResult]) -> tuple[list[int], list[int]]:
        """The places after a round, and those who went out, best first."""
        byes, tables, target = self.bracket(places)
        won, points = self.tally(tables, results)
        ranked = [sorted(table, key=lambda one: (-won[one], -points[one], places.index(one))) for table in tables]
        lost = sorted(
            [one for table in ranked for one in table[1:]],
            key=lambda one: (-won[one], -points[one], places.index(one)),
        )
        winners = byes + [table[0] for table in ranked]
        saved = max(0, target - len(winners))
        return winners + lost[:saved], lost[saved:]

    def tally(self, tables: list[Table], results: list[BlockResult]) -> tuple[Counter[int], dict[int, float]]:
        """Blocks won, and points, of everybody at these tables. A block whose best score is shared is nobody's."""
        won, points = Counter[int](), dict.fromkeys([one for table in tables for one in table], 0.0)
        for table in tables:
            blocks = [result for result in results if set(result.entrants) == set(table)]
            if len(blocks) < self.settings.best_of:
                raise ValueError(f"the table of {table} has {len(blocks)} of {self.settings.best_of} results")
            for block in blocks:
                if block.void:
                    continue
                best = [one for one, score in zip(block.entrants, block.scores) if score == max(block.scores)]
                if len(best) == 1:
                    won[best[0]] += 1
                for one, score in zip(block.entrants, block.scores, strict=True):
                    points[one] = round_off(points[one] + score)
        return won, points


def round_off(score: float) -> float:
    """Thirds and fifths do not add up exactly; equal scores must be equal."""
    return round(score, 6)


FORMATS: Final[dict[str, type[Format]]] = {
    "round_robin": RoundRobin,
    "swiss": Swiss,
    "gauntlet": Gauntlet,
    "knockout": Knockout,
}


def make_format(config: TournamentConfig, variant: VariantEntry) -> Format:
    return FORMATS[config.format.kind](config, variant)
