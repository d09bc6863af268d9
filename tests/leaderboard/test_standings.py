"""Placement scores, and the sums of a tournament."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.standings import Standing, Standings, placement_scores


@pytest.mark.parametrize(
    ("places", "scores"),
    [
        ([1, 2], [1, 0]),
        ([1, 1], [0.5, 0.5]),
        ([2, 3, 1], [0.5, 0, 1]),
        ([1, 2, 2, 4], [1, 0.5, 0.5, 0]),
        ([1, 3, 1, 3, 5], [0.875, 0.375, 0.875, 0.375, 0]),
        ([1, 1, 1], [0.5, 0.5, 0.5]),
    ],
)
def test_scores_of_a_placement(places: list[int], scores: list[float]) -> None:
    assert placement_scores(places) == scores


@given(st.lists(st.integers(1, 6), min_size=2, max_size=6))
def test_scores_add_up_and_follow_the_places(places: list[int]) -> None:
    scores = placement_scores(places)
    assert sum(scores) == pytest.approx(len(places) / 2)
    order = sorted(range(len(places)), key=lambda seat: places[seat])
    assert all(scores[one] >= scores[two] for one, two in pairwise(order))


def test_standings_add_up_and_take_off() -> None:
    standings = Standings(4)
    standings.add([0, 1, 2], [1, 2, 3], [0, 0, 2])
    standings.add([2, 0, 1], [1, 1, 3], [0, 1, 0])
    assert standings.rows() == [
        Standing(0, 2, 0.875, 2, 1),
        Standing(2, 2, 0.375, 1, 2),
        Standing(1, 2, 0.25, 0, 0),
        Standing(3, 0, 0.0, 0, 0),
    ]
    standings.add([2, 0, 1], [1, 1, 3], [0, 1, 0], sign=-1)
    assert standings.rows()[0] == Standing(0, 1, 1.0, 1, 0)
