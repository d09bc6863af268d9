"""Time controls, charges, and the clock that leaves out the host's own lag."""

import pytest

from engine.referee.clock import HostClock, RoundTrip, TimeControl, charge, read_time_control
from engine.referee.limits import BEAT_SECONDS, BEAT_SLACK_SECONDS, ROUND_TRIP_SECONDS
from tests.referee.table import Clock


def test_time_controls_are_read_as_they_are_written() -> None:
    for text in ("60+0.1/5", "2+0.05/1", "0.5+0/0.5"):
        assert str(read_time_control(text)) == text
    assert read_time_control("60+0.1/5") == TimeControl(60.0, 0.1, 5.0)


@pytest.mark.parametrize(
    "text", ["", "60", "60+1", "60/5", "a+b/c", "0+1/5", "60+1/0", "60+-1/5", "nan+0/5", "1e9+0/5"]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"time control|must be"):
        read_time_control(text)


def test_an_answer_is_charged_from_the_later_of_hand_over_and_last_message() -> None:
    assert charge(handed=10, previous=5, now=12, round_trip=0, answers=1).charged == 2
    assert charge(handed=5, previous=10, now=12, round_trip=0, answers=1).charged == 2


def test_the_answers_of_a_message_share_the_time() -> None:
    assert charge(handed=10, previous=5, now=12, round_trip=0, answers=4).charged == 0.5


def test_the_round_trip_is_taken_off_once_a_message() -> None:
    cost = charge(handed=10, previous=5, now=12, round_trip=0.5, answers=3)
    assert cost == (2, 0.5, 0.5)
    assert charge(handed=10, previous=5, now=10.1, round_trip=0.5, answers=1).charged == 0


def test_the_round_trip_is_the_lowest_of_a_minute_and_capped() -> None:
    trip = RoundTrip()
    trip.add(0, 0.5)
    assert trip.lowest == ROUND_TRIP_SECONDS
    trip.add(10, 0.004)
    trip.add(20, 0.009)
    assert trip.lowest == 0.004
    trip.add(75, 0.008)
    assert trip.lowest == 0.008


def test_the_clock_stands_still_while_the_host_does() -> None:
    clock = Clock()
    host = HostClock(clock)
    start = host.now()
    clock.time += 3.0
    frozen = host.now()
    assert frozen - start == pytest.approx(BEAT_SECONDS + BEAT_SLACK_SECONDS)
    host.beat()
    assert host.now() == pytest.approx(frozen)
    clock.time += BEAT_SECONDS
    host.beat()
    assert host.now() == pytest.approx(frozen + BEAT_SECONDS)


def test_our_own_slices_are_no_lag() -> None:
    clock = Clock()
    host = HostClock(clock)
    start = host.now()
    clock.time += 0.5
    host.worked += 0.5
    assert host.now() - start == pytest.approx(0.5)
    host.beat()
    assert host.lag == 0
