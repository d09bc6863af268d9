"""Pairings: laws over all sizes, and examples worked by hand."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.config import Entrant, FormatSettings, StopRule, TournamentConfig, VariantEntry
from arena.formats import BlockResult, Format, Knockout, Pairing, make_format
from arena.seating import make_block
from engine.referee.clock import STANDARD

SIZES = [(count, size) for count in range(3, 13) for size in range(2, 7) if size <= count]


def variant(size: int) -> VariantEntry:
    return VariantEntry("classic", size, {}, f"classic-{size}p")


def plan(entrants: int | Sequence[Entrant], size: int, **settings: Any) -> Format:
    """A format for tables of `size`; entrants are given by number, or one by one."""
    if isinstance(entrants, int):
        entrants = [Entrant(f"bot {number}", "random") for number in range(entrants)]
    fmt = FormatSettings(**settings)
    config = TournamentConfig("test", (variant(size),), tuple(entrants), fmt, StopRule(), STANDARD, "pooled", None)
    return make_format(config, variant(size))


def all_pairings(fmt: Format) -> list[Pairing]:
    found: list[Pairing] = []
    round = 1
    while (pairings := fmt.pairings(round, [])) is not None:
        assert [pairing.number for pairing in pairings] == list(range(1, len(pairings) + 1))
        found += pairings
        round += 1
    return found


def tables(pairings: list[Pairing] | None) -> list[tuple[int, ...]]:
    assert pairings is not None
    return [tuple(sorted(pairing.entrants)) for pairing in pairings]


def spread(counts: Iterable[int]) -> int:
    numbers = list(counts)
    return max(numbers) - min(numbers)


def spreads(pairings: list[Pairing], count: int, size: int) -> tuple[int, int, int]:
    """How far appearances, seats and meetings differ over the matches of these pairings."""
    seats = Counter[tuple[int, int]]()
    meetings = Counter[tuple[int, int]]()
    for pairing in pairings:
        for fixture in make_block("t", pairing, variant(size)).fixtures:
            seats.update(enumerate(fixture.seats))
        meetings.update(combinations(sorted(pairing.entrants), 2))
    appearances = Counter(one for pairing in pairings for one in pairing.entrants)
    return (
        spread(appearances[one] for one in range(count)),
        spread(seats[seat, one] for seat in range(size) for one in range(count)),
        spread(meetings[pair] for pair in combinations(range(count), 2)),
    )


# Round robin


@pytest.mark.parametrize(("count", "size"), SIZES)
def test_full_round_robin_is_even(count: int, size: int) -> None:
    pairings = all_pairings(plan(count, size, kind="round_robin"))
    assert sorted(tables(pairings)) == list(combinations(range(count), size))
    assert spreads(pairings, count, size) == (0, 0, 0)


def test_a_round_robin_says_no_more_than_the_scores() -> None:
    assert plan(3, 2, kind="round_robin").ranking(wins(1, (0, 1))) == []


@pytest.mark.parametrize(("count", "size"), SIZES)
def test_sampled_round_robin_is_balanced(count: int, size: int) -> None:
    total = math.comb(count, size)
    for cap in {1, 2, 7, count, total // 3, total // 2 + 1, total - 3} & set(range(1, total)):
        pairings = all_pairings(plan(count, size, kind="round_robin", table_cap=cap))
        assert len(set(tables(pairings))) == cap
        appearances, seats, meetings = spreads(pairings, count, size)
        assert appearances <= 1, cap
        assert seats <= 1, cap
        assert meetings <= 2, cap


@pytest.mark.parametrize(("count", "size", "cap"), [(8, 4, 20), (9, 3, 5), (12, 6, 50), (7, 5, 2), (5, 2, 7)])
@pytest.mark.parametrize("rounds", [2, 5, 11])
def test_sampled_rounds_are_balanced_together(count: int, size: int, cap: int, rounds: int) -> None:
    fmt = plan(count, size, kind="round_robin", table_cap=cap, rounds=rounds)
    pairings = all_pairings(fmt)
    assert Counter(pairing.round for pairing in pairings) == dict.fromkeys(range(1, rounds + 1), cap)
    assert all(limit >= found for limit, found in zip((1, 1, 2), spreads(pairings, count, size), strict=True))


def test_blocks_stand_instead_of_rounds() -> None:
    pairings = all_pairings(plan(5, 3, kind="round_robin", blocks=23))
    assert Counter(pairing.round for pairing in pairings) == {1: 10, 2: 10, 3: 3}
    assert spreads(pairings, 5, 3)[0] <= 1


def test_pairings_are_the_same_again_and_seats_vary() -> None:
    pairings = all_pairings(plan(6, 3, kind="round_robin", rounds=2))
    assert pairings == all_pairings(plan(6, 3, kind="round_robin", rounds=2))
    assert len({pairing.entrants for pairing in pairings if set(pairing.entrants) == {0, 1, 2}}) == 2
    assert any(list(pairing.entrants) != sorted(pairing.entrants) for pairing in pairings)


def test_round_robin_without_the_absent_and_the_withdrawn() -> None:
    entrants = [Entrant(name, "random") for name in "abcd"]
    entrants[1] = entrants[1]._replace(absent=(2,))
    entrants[3] = entrants[3]._replace(withdrawn_after=2)
    fmt = plan(entrants, 3, kind="round_robin", rounds=4)
    assert [sorted(tables(fmt.pairings(round, []))) for round in (1, 2, 3, 4)] == [
        [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)],
        [(0, 2, 3)],
        [(0, 1, 2)],
        [(0, 1, 2)],
    ]
    assert fmt.pairings(5, []) is None


def test_round_without_enough_entrants_is_empty() -> None:
    entrants = [Entrant("a", "random", absent=(1,)), Entrant("b", "random"), Entrant("c", "random")]
    fmt = plan(entrants, 3, kind="round_robin", blocks=2)
    assert [tables(fmt.pairings(round, [])) for round in (1, 2, 3)] == [[], [(0, 1, 2)], [(0, 1, 2)]]
    entrants[0] = Entrant("a", "random", withdrawn_after=1)
    assert len(all_pairings(plan(entrants, 3, kind="round_robin", blocks=50))) == 1


# Gauntlet


@pytest.mark.parametrize(("count", "size"), SIZES)
def test_gauntlet_has_the_champion_everywhere_and_the_others_balanced(count: int, size: int) -> None:
    full = all_pairings(plan(count, size, kind="gauntlet", champion=1))
    assert len(full) == math.comb(count - 1, size - 1)
    for pairings in (full, all_pairings(plan(count, size, kind="gauntlet", champion=1, table_cap=5))):
        appearances = Counter(one for pairing in pairings for one in pairing.entrants)
        assert appearances.pop(1) == len(pairings)
        assert spread(appearances[one] for one in range(count) if one != 1) <= 1
        assert len(set(tables(pairings))) == len(pairings)


def test_gauntlet_waits_for_its_champion() -> None:
    entrants = [Entrant("a", "random"), Entrant("b", "random", absent=(1,)), Entrant("c", "random")]
    fmt = plan(entrants, 2, kind="gauntlet", champion=1, rounds=2)
    assert tables(fmt.pairings(1, [])) == []
    assert sorted(tables(fmt.pairings(2, []))) == [(0, 1), (1, 2)]


# Swiss


def result(round: int, *scores: tuple[int, float], void: bool = False) -> BlockResult:
    """A block by its entrants and their scores."""
    return BlockResult(round, 1, tuple(one for one, _ in scores), tuple(score for _, score in scores), void)


def wins(round: int, *games: tuple[int, int]) -> list[BlockResult]:
    """Blocks of two, the first of each having won both matches."""
    return [result(round, (winner, 2.0), (loser, 0.0)) for winner, loser in games]


def test_swiss_of_two_by_hand() -> None:
    """Eight entrants; the better number always wins."""
    fmt = plan(8, 2, kind="swiss", rounds=3)
    assert tables(fmt.pairings(1, [])) == [(0, 4), (1, 5), (2, 6), (3, 7)]
    played = wins(1, (0, 4), (1, 5), (2, 6), (3, 7))
    assert tables(fmt.pairings(2, played)) == [(0, 2), (1, 3), (4, 6), (5, 7)]
    played += wins(2, (0, 2), (1, 3), (4, 6), (5, 7))
    # 4 points: 0 1; 2 points: 2 3 4 5, where 2-4 and 3-5 are new; 0 points: 6 7.
    assert tables(fmt.pairings(3, played)) == [(0, 1), (2, 4), (3, 5), (6, 7)]
    assert fmt.pairings(4, played) is None


def test_swiss_avoids_a_repeat_by_going_further_down() -> None:
    """Round 2 would pair 0-2 and 1-3 again, all having two points; so 0-3 and 1-2."""
    fmt = plan(4, 2, kind="swiss", rounds=3)
    played = [result(1, (0, 1.0), (2, 1.0)), result(1, (1, 1.0), (3, 1.0))]
    assert tables(fmt.pairings(2, played)) == [(0, 3), (1, 2)]
    played += [result(2, (0, 1.0), (3, 1.0)), result(2, (1, 1.0), (2, 1.0))]
    assert tables(fmt.pairings(3, played)) == [(0, 1), (2, 3)]


def test_swiss_takes_back_a_choice_that_leaves_a_repeat() -> None:
    """0-2 is new, but would leave 1-3, who have met; 0-3 and 1-2 are both new."""
    fmt = plan(4, 2, kind="swiss", rounds=9)
    played = [result(1, (1, 1.0), (3, 1.0)), result(1, (0, 1.0), (2, 0.0), void=True)]
    assert tables(fmt.pairings(2, played)) == [(0, 3), (1, 2)]


def test_swiss_floats_the_last_of_an_odd_group_down() -> None:
    """2 points: 0 1 2, of whom 0 meets 1 and 2 floats down to 3 (on 1), above 4 (1) and 5 (0)."""
    fmt = plan(6, 2, kind="swiss", rounds=2)
    played = [result(1, (0, 2.0), (5, 0.0)), result(1, (1, 2.0), (3, 1.0)), result(1, (2, 2.0), (4, 1.0))]
    assert tables(fmt.pairings(2, played)) == [(0, 1), (2, 3), (4, 5)]


def test_swiss_byes_by_hand() -> None:
    """Five entrants, tables of two: the lowest without a bye sits out and gets 1 of 2 points."""
    fmt = plan(5, 2, kind="swiss", rounds=5)
    assert tables(fmt.pairings(1, [])) == [(0, 2), (1, 3)]  # 4 has the bye
    played = wins(1, (0, 2), (1, 3))
    assert tables(fmt.pairings(2, played)) == [(0, 1), (2, 4)]  # 2 and 3 have none; 3 is the lower one
    played += wins(2, (0, 1), (4, 2))
    # 0 has 4 points, 4 has 3, 1 has 2, 3 has 1; 2 has none and sits out. 0-4 would leave 1-3, who have met.
    assert tables(fmt.pairings(3, played)) == [(0, 3), (1, 4)]
    assert fmt.ranking([]) == [(one, "0 points") for one in range(5)]
    points = {0: "4 points", 4: "3 points", 1: "2 points", 3: "1 point", 2: "0 points"}
    assert fmt.ranking(played) == list(points.items())


def test_swiss_tables_of_three_by_hand() -> None:
    """Nine in one group are cut into three parts; then three groups of three, mixed where they have met."""
    fmt = plan(9, 3, kind="swiss", rounds=2)
    first = [(0, 3, 6), (1, 4, 7), (2, 5, 8)]
    assert tables(fmt.pairings(1, [])) == first
    played = [result(1, (a, 3.0), (b, 1.5), (c, 0.0)) for a, b, c in first]
    assert tables(fmt.pairings(2, played)) == [(0, 1, 2), (3, 4, 5), (6, 7, 8)]


def test_swiss_with_absent_and_withdrawn() -> None:
    entrants = [Entrant(name, "random") for name in "abcde"]
    entrants[0] = entrants[0]._replace(absent=(2,))
    entrants[4] = entrants[4]._replace(withdrawn_after=1)
    fmt = plan(entrants, 2, kind="swiss", rounds=3)
    played = wins(1, (0, 2), (1, 3))
    assert tables(fmt.pairings(2, played)) == [(1, 2)]  # without 0 and 4; 3 has the bye
    played += wins(2, (1, 2))
    assert tables(fmt.pairings(3, played)) == [(0, 1), (2, 3)]  # 1 has 4 points, 0 has 2, 3 has 1


def test_absence_is_no_bye() -> None:
    entrants = [Entrant("a", "random"), Entrant("b", "random"), Entrant("c", "random", absent=(1,))]
    fmt = plan(entrants, 2, kind="swiss", rounds=2)
    played = wins(1, (0, 1))
    assert tables(fmt.pairings(2, played)) == [(0, 1)]  # 2 has no points and sits out, now with a bye


@settings(max_examples=40)
@given(st.integers(2, 14), st.integers(2, 5), st.randoms(use_true_random=False))
def test_swiss_laws(count: int, size: int, random: Any) -> None:
    """Everybody present plays or has a bye; byes are fair; two meet again only when there is no other way."""
    size = min(size, count)
    rounds = max(1, count // 2)
    fmt = plan(count, size, kind="swiss", rounds=rounds)
    played: list[BlockResult] = []
    byes, met = Counter[int](), Counter[tuple[int, int]]()
    for round in range(1, rounds + 1):
        pairings = fmt.pairings(round, played)
        assert pairings == fmt.pairings(round, random.sample(played, len(played)))
        assert pairings is not None
        seated = [one for pairing in pairings for one in pairing.entrants]
        assert len(set(seated)) == len(seated) == count - count % size
        byes.update(set(range(count)) - set(seated))
        assert spread(byes[one] for one in range(count)) <= 1
        for pairing in pairings:
            met.update(combinations(sorted(pairing.entrants), 2))
            scores = random.sample([float(score) for score in range(size)], size)
            played.append(BlockResult(round, pairing.number, pairing.entrants, tuple(scores)))
        if size == 2 and count % 2 == 0:
            assert max(met.values()) == 1  # for half as many rounds as entrants it can always be done


def test_large_swiss_is_quick_enough() -> None:
    fmt = plan(300, 4, kind="swiss", rounds=2)
    first = fmt.pairings(1, [])
    assert first is not None
    played = [BlockResult(1, one.number, one.entrants, (4.0, 2.0, 1.0, 0.0)) for one in first]
    second = fmt.pairings(2, played)
    assert second is not None
    before = {pair for table in tables(first) for pair in combinations(table, 2)}
    assert not before & {pair for table in tables(second) for pair in combinations(table, 2)}


# Knockout


def test_knockout_of_two_by_hand() -> None:
    """Six entrants: 0 and 1 have byes. 5 beats 2 and takes over its place, so it meets 1."""
    fmt = plan(6, 2, kind="knockout")
    assert tables(fmt.pairings(1, [])) == [(2, 5), (3, 4)]
    played = wins(1, (5, 2), (3, 4))
    assert tables(fmt.pairings(2, played)) == [(0, 3), (1, 5)]
    played += wins(2, (0, 3), (5, 1))
    assert tables(fmt.pairings(3, played)) == [(0, 5)]
    played += wins(3, (5, 0))
    assert fmt.pairings(4, played) is None
    assert isinstance(fmt, Knockout)
    assert fmt.places(4, played) == [5]
    assert fmt.ranking(played) == [
        *[(5, "winner"), (0, "out in round 3"), (1, "out in round 2"), (3, "out in round 2")],
        *[(2, "out in round 1"), (4, "out in round 1")],
    ]
    still_in = [(one, "in round 2") for one in (0, 1, 5, 3)]
    assert fmt.ranking(played[:2]) == [*still_in, (2, "out in round 1"), (4, "out in round 1")]


def test_knockout_of_eight_is_the_usual_bracket() -> None:
    fmt = plan(8, 2, kind="knockout")
    assert tables(fmt.pairings(1, [])) == [(0, 7), (1, 6), (2, 5), (3, 4)]
    played = wins(1, (7, 0), (1, 6), (2, 5), (4, 3))
    assert tables(fmt.pairings(2, played)) == [(4, 7), (1, 2)]


def test_best_of_three_blocks_then_points_then_seed() -> None:
    fmt = plan(2, 2, kind="knockout", best_of=3)
    assert isinstance(fmt, Knockout)
    assert tables(fmt.pairings(1, [])) == [(0, 1)] * 3
    one, two, draw = [(0, 2.0), (1, 0.0)], [(0, 0.5), (1, 1.5)], [(0, 1.0), (1, 1.0)]
    for blocks, winner in [((one, two, two), 1), ((one, two, draw), 0), ((draw, draw, draw), 0)]:
        played = [result(1, *block) for block in blocks]
        assert fmt.places(2, played) == [winner]
    assert fmt.places(2, [result(1, *two), *[result(1, *one, void=True)] * 2]) == [1]


def test_knockout_needs_the_results_of_the_round_before() -> None:
    with pytest.raises(ValueError, match="has 0 of 1 results"):
        plan(4, 2, kind="knockout").pairings(2, [])


def test_knockout_tables_of_four_by_hand() -> None:
    """Sixteen: four tables in a snake, then a final of their winners."""
    fmt = plan(16, 4, kind="knockout")
    first = [(0, 7, 8, 15), (1, 6, 9, 14), (2, 5, 10, 13), (3, 4, 11, 12)]
    assert tables(fmt.pairings(1, [])) == first
    played = [result(1, (a, 1.0), (b, 4.0), (c, 2.0), (d, 0.0)) for a, b, c, d in first]
    assert tables(fmt.pairings(2, played)) == [(4, 5, 6, 7)]


def test_knockout_fills_the_final_with_the_best_losers() -> None:
    """Five at tables of three: 0 and 1 have byes, one winner joins them. Four: one loser goes on too."""
    fmt = plan(5, 3, kind="knockout")
    assert tables(fmt.pairings(1, [])) == [(2, 3, 4)]
    assert tables(fmt.pairings(2, [result(1, (2, 0.5), (3, 3.0), (4, 1.0))])) == [(0, 1, 3)]
    fmt = plan(4, 3, kind="knockout")
    assert tables(fmt.pairings(1, [])) == [(1, 2, 3)]
    assert tables(fmt.pairings(2, [result(1, (1, 0.5), (2, 3.0), (3, 1.0))])) == [(0, 2, 3)]


def test_knockout_without_those_who_left() -> None:
    """An entrant that is gone at the start of a round forfeits; those behind move up."""
    entrants = [Entrant(name, "random") for name in "abcd"]
    entrants[1] = entrants[1]._replace(absent=(1,))
    fmt = plan(entrants, 2, kind="knockout")
    assert tables(fmt.pairings(1, [])) == [(2, 3)]  # 1 is out, 0 has a bye
    entrants[1] = entrants[1]._replace(absent=(), withdrawn_after=1)
    fmt = plan(entrants, 2, kind="knockout")
    played = wins(1, (0, 3), (1, 2))
    assert tables(fmt.pairings(1, [])) == [(0, 3), (1, 2)]
    assert fmt.pairings(2, played) is None  # nobody is left to meet 0, who has won
    assert isinstance(fmt, Knockout)
    assert fmt.places(2, played) == [0]


def test_knockout_final_of_a_table_is_filled_again() -> None:
    entrants = [Entrant(name, "random") for name in "abcdefghi"]
    entrants[0] = entrants[0]._replace(withdrawn_after=1)
    fmt = plan(entrants, 3, kind="knockout")
    first = [(0, 5, 6), (1, 4, 7), (2, 3, 8)]
    assert tables(fmt.pairings(1, [])) == first
    played = [result(1, (a, 3.0), (b, 1.0), (c, 0.5)) for a, b, c in first]
    played[0] = result(1, (0, 3.0), (5, 1.4), (6, 0.1))
    assert tables(fmt.pairings(2, played)) == [(1, 2, 5)]  # 5 was the best of those who went out


@given(st.integers(2, 40), st.integers(2, 6), st.randoms(use_true_random=False))
def test_knockout_ends_with_one_winner(count: int, size: int, random: Any) -> None:
    size = min(size, count)
    fmt = plan(count, size, kind="knockout")
    assert isinstance(fmt, Knockout)
    played: list[BlockResult] = []
    round = 1
    while pairings := fmt.pairings(round, played):
        seated = [one for pairing in pairings for one in pairing.entrants]
        assert len(set(seated)) == len(seated)
        assert set(seated) <= set(fmt.places(round, played))
        for pairing in pairings:
            scores = random.sample([float(score) for score in range(size)], size)
            played.append(BlockResult(round, pairing.number, pairing.entrants, tuple(scores)))
        round += 1
    assert pairings is None
    assert len(fmt.places(round, played)) == 1
