"""Time: what a match allows, what a seat has left, and a clock that stands still while the host does.

docs/time.md tells the rules to authors.
"""

from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from engine.referee.limits import (
    BEAT_SECONDS,
    BEAT_SLACK_SECONDS,
    LONGEST_SECONDS,
    ROUND_TRIP_SECONDS,
    ROUND_TRIP_WINDOW_SECONDS,
)

Clock = Callable[[], float]


class TimeControl(NamedTuple):
    """Seconds: a bank, an increment for each answer, and the most for one."""

    bank: float
    increment: float
    limit: float

    def __str__(self) -> str:
        return f"{self.bank:g}+{self.increment:g}/{self.limit:g}"


STANDARD: Final = TimeControl(60.0, 0.1, 5.0)


def read_time_control(text: str) -> TimeControl:
    """`60+0.1/5`: a bank of a minute, a tenth of a second more for each answer, five seconds at most for one."""
    bank, plus, rest = text.partition("+")
    increment, slash, limit = rest.partition("/")
    try:
        time = TimeControl(float(bank), float(increment), float(limit))
    except ValueError:
        time = None
    if time is None or not plus or not slash:
        raise ValueError(f"'{text}' is no time control: write bank+increment/limit in seconds, like {STANDARD}")
    check_time_control(time)
    return time


def check_time_control(time: TimeControl) -> None:
    if not (0 < time.bank <= LONGEST_SECONDS and 0 < time.limit <= LONGEST_SECONDS):
        raise ValueError(f"bank and limit must be above 0 and at most {LONGEST_SECONDS:g} s, not {time}")
    if not 0 <= time.increment <= LONGEST_SECONDS:
        raise ValueError(f"the increment must be between 0 and {LONGEST_SECONDS:g} s, not {time}")


class HostClock:
    """Time without the host's own lag.

    A beat is due every BEAT_SECONDS. What it comes later than that, but for the slices in which we worked
    ourselves, nobody is charged: the clock stands still meanwhile.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.lag = 0.0  # seconds that do not count
        self.worked = 0.0  # seconds of our own slices since the last beat
        self.last_beat = clock()

    def now(self) -> float:
        now = self.clock()
        return now - self.lag - self.overdue(now)

    def overdue(self, now: float) -> float:
        due = self.last_beat + BEAT_SECONDS + BEAT_SLACK_SECONDS + self.worked
        return max(0.0, now - due)

    def beat(self) -> None:
        now = self.clock()
        self.lag += self.overdue(now)
        self.worked = 0.0
        self.last_beat = now


class RoundTrip:
    """The round trip of a stream: the lowest of the last minute, capped."""

    def __init__(self) -> None:
        self.samples: deque[tuple[float, float]] = deque()  # when, how long
        self.lowest = 0.0

    def add(self, now: float, seconds: float) -> None:
        self.samples.append((now, seconds))
        while self.samples[0][0] < now - ROUND_TRIP_WINDOW_SECONDS:
            self.samples.popleft()
        self.lowest = min(ROUND_TRIP_SECONDS, min(sample for _, sample in self.samples))


class Charge(NamedTuple):
    """What one answer cost, in seconds."""

    elapsed: float
    allowance: float
    charged: float


def charge(handed: float, previous: float, now: float, round_trip: float, answers: int) -> Charge:
    """One answer out of a message of `answers`, by times that the host's lag is already out of.

    An agent that thinks serially pays each thought once, whatever the batch: the time since its previous message,
    or since the hand-over if that came later, is shared by all answers of the message.
    """
    elapsed = max(0.0, now - max(handed, previous))  # it was handed over anew while its answer was on the desk
    allowance = min(elapsed, round_trip)
    return Charge(elapsed, allowance, (elapsed - allowance) / answers)
