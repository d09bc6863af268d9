"""Balanced tables: who sits together so that appearances, and meetings of every two, are as even as can be."""

import math
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from random import Random
from typing import Final

Table = tuple[int, ...]  # in ascending order

TRIES: Final = 100  # exchanges that a draw looks at, for each seat of its tables
MOST_TRIES: Final = 200_000


def draw(count: int, size: int, wanted: int, random: Random) -> list[Table]:
    """So many tables of `size` out of `count`, in no particular order; one comes again only after all others.

    Appearances differ by 1 at most; meetings by 2 at most where no more than a dozen sit at tables of up to six.
    """
    cycles, rest = divmod(wanted, math.comb(count, size))
    tables: list[Table] = []
    for _ in range(cycles):
        every = list(combinations(range(count), size))
        tables += random.sample(every, len(every))
    last = sample(count, size, rest, random)
    return tables + random.sample(last, len(last))


def sample(count: int, size: int, wanted: int, random: Random) -> list[Table]:
    """Different tables, fewer than there are.

    Of more than half of them, those to leave out are drawn: what makes them even makes the others even.
    """
    total = math.comb(count, size)
    leave_out = wanted > total // 2
    drawing = Drawing(count, size, random)
    for _ in range(total - wanted if leave_out else wanted):
        drawing.add()
    drawing.even_out()
    tables = [tuple(sorted(table)) for table in drawing.tables]
    if leave_out:
        left_out = set(tables)
        tables = [table for table in combinations(range(count), size) if table not in left_out]
    return tables


class Drawing:
    """Tables being drawn, and how often everybody has appeared and has met everybody."""

    def __init__(self, count: int, size: int, random: Random) -> None:
        self.count = count
        self.size = size
        self.random = random
        self.appearances = [0] * count
        self.meetings = [[0] * count for _ in range(count)]
        self.tables: list[set[int]] = []

    def note(self, table: Iterable[int], weight: int) -> None:
        members = list(table)
        for one in members:
            self.appearances[one] += weight
            for other in members:
                self.meetings[one][other] += weight if other != one else 0

    def add(self) -> None:
        """One more table: of those who have appeared least, and among them of those who have met least."""
        waiting = list(range(self.count))
        self.random.shuffle(waiting)
        table: set[int] = set()
        met = [0] * self.count
        while len(table) < self.size:
            chosen = min(waiting, key=lambda one: (self.appearances[one], met[one]))
            waiting.remove(chosen)
            table.add(chosen)
            for one in waiting:
                met[one] += self.meetings[chosen][one]
        self.tables.append(table)
        self.note(table, 1)

    def even_out(self) -> None:
        """Exchanges members of two tables wherever that evens out meetings; appearances stay as they are."""
        if len(self.tables) < 2:
            return
        met = self.met()
        middle = round(sum(met) / len(met))
        drawn = Counter(frozenset(table) for table in self.tables)
        for number in range(min(TRIES * self.size * len(self.tables), MOST_TRIES)):
            if number % self.count**2 == 0 and self.is_even() and max(drawn.values()) == 1:
                return
            left, right = self.random.sample(self.tables, 2)
            if left == right:
                continue
            out = self.random.choice(sorted(left - right))
            come = self.random.choice(sorted(right - left))
            before = [frozenset(left), frozenset(right)]
            after = [before[0] - {out} | {come}, before[1] - {come} | {out}]
            doubled = sum(drawn[table] > 0 for table in after) - sum(drawn[table] > 1 for table in before)
            strain = self.strain(left - right, out, come, middle) + self.strain(right - left, come, out, middle)
            if doubled < 0 or (doubled == 0 and strain <= 0):
                drawn.subtract(before)
                drawn.update(after)
                self.exchange(left, out, come)
                self.exchange(right, come, out)

    def strain(self, only_here: set[int], out: int, come: int, middle: int) -> int:
        """What an exchange adds to the sum of (meetings - middle)⁴. Those at both tables meet as before.

        Squares would do for the sum, but leave single pairs far off.
        """
        added = 0
        for one in only_here - {out}:
            gone, new = self.meetings[out][one] - middle, self.meetings[come][one] - middle
            added += (new + 1) ** 4 - new**4 + (gone - 1) ** 4 - gone**4
        return added

    def exchange(self, table: set[int], out: int, come: int) -> None:
        self.note(table, -1)
        table.remove(out)
        table.add(come)
        self.note(table, 1)

    def is_even(self) -> bool:
        met = self.met()
        return max(met) - min(met) <= 1

    def met(self) -> list[int]:
        return [self.meetings[one][other] for one, other in combinations(range(self.count), 2)]
