"""One round of a Swiss tournament: tables of equals who have not met before."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

STEPS: Final = 3000  # of the search for fewer repeated meetings, once there is a pairing at all


def pair(
    ranked: list[int], points: Sequence[float], met: Counter[tuple[int, int]], size: int
) -> list[tuple[int, ...]]:
    """Tables of `size` for all of `ranked`, which are sorted, best first, and fill the tables.

    The best who has no table gets the opponents that he wishes for: of his score group cut into `size` parts, the
    ones that stand in their part where he stands in his. Fewer repeated meetings come before every wish; where the
    last tables repeat too much, earlier choices are taken back, the latest first.
    """
    best: list[int] = []
    fewest = steps = 0
    chosen: list[int] = []  # table after table
    repeats = [0]  # after each choice
    choices = [candidates(ranked, chosen, points, met, size)]
    while choices and (not best or (fewest and steps < STEPS)):
        steps += 1
        one = next(choices[-1], None)
        if one is None:
            choices.pop()
            if chosen:
                chosen.pop()
                repeats.pop()
            continue
        total = repeats[-1] + again(one, table_of(chosen, size), met)
        if best and total >= fewest:
            continue
        if len(chosen) + 1 == len(ranked):
            best, fewest = [*chosen, one], total
            continue
        chosen.append(one)
        repeats.append(total)
        choices.append(candidates(ranked, chosen, points, met, size))
    return [tuple(best[start : start + size]) for start in range(0, len(best), size)]


def table_of(chosen: list[int], size: int) -> list[int]:
    """Those at the table that is being filled."""
    return chosen[len(chosen) - len(chosen) % size :]


def again(one: int, table: list[int], met: Counter[tuple[int, int]]) -> int:
    """How often he has met those at the table."""
    return sum(met[min(one, other), max(one, other)] for other in table)


def candidates(
    ranked: list[int], chosen: list[int], points: Sequence[float], met: Counter[tuple[int, int]], size: int
) -> Iterator[int]:
    """Who may be chosen next, the one to try first first."""
    table = table_of(chosen, size)
    seated = set(chosen[: len(chosen) - len(table)])
    waiting = [one for one in ranked if one not in seated]
    if not table:
        return iter(waiting[:1])
    group = group_size(waiting, points, size)
    ideal = len(table) * (group // size)

    def wish(index: int) -> tuple[int, bool, bool, int]:
        """No repeated meeting, the own group, then further down from the ideal one, then further up."""
        return again(waiting[index], table, met), index >= group, index < ideal, abs(index - ideal)

    free = [index for index, one in enumerate(waiting) if one not in table]
    return iter([waiting[index] for index in sorted(free, key=wish)])


def group_size(waiting: list[int], points: Sequence[float], size: int) -> int:
    """How many are in the group of the first: all with his score, and the next group if they fill no table."""
    count = size
    while count < len(waiting) and points[waiting[count]] == points[waiting[count - 1]]:
        count += 1
    return count
