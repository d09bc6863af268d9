"""Comparisons when workers are lost and bots fail, with workers that only pretend to play."""

from arena.comparison import LOSSES, Comparison, Setting
from arena.config import VariantEntry
from arena.crew import LOTS_OUTSTANDING, Lost, News, Report
from arena.job import Job, Outcome
from arena.sequential import SequentialTest
from engine.playout import CRASH, DISCONNECT, FORFEIT

BLOCKS = 6
SETTING = Setting(VariantEntry("classic", 3, {}, "classic"), ("random", "cautious", "aggressor"), "1+0/1", BLOCKS)


class FakeCrew:
    """Two workers that take turns; a poisonous block kills whoever begins it, with all that was sent there."""

    workers = 2

    def __init__(self, poison: int = 0, error: str = "", deaths: int = 100) -> None:
        self.poison = poison
        self.error = error  # of the first block
        self.deaths = deaths  # until the poison has lost its strength
        self.lots: dict[str, dict[int, list[Job]]] = {"worker-1": {}, "worker-2": {}}
        self.started = 2
        self.company: list[list[int]] = []  # what was on the worker, whenever the poison killed it
        self.sent: list[int] = []

    def idle(self) -> list[str]:
        return [name for name, lots in self.lots.items() for _ in range(LOTS_OUTSTANDING - len(lots))]

    def send(self, worker: str, lot: int, jobs: list[Job]) -> None:
        self.lots[worker][lot] = jobs
        self.sent.append(lot)

    def wait(self, seconds: float) -> list[News]:
        news: list[News] = []
        for worker, lots in list(self.lots.items()):
            if self.poison in lots and len(self.company) < self.deaths:
                self.company.append(sorted(lots))
                del self.lots[worker]
                self.started += 1
                self.lots[f"worker-{self.started}"] = {}
                news.append(Lost(worker, "boom"))
            elif lots:
                lot, jobs = lots.popitem()
                news.append(Report(worker, lot, [self.play(job, lot) for job in jobs], is_last=True))
        return news

    def play(self, job: Job, lot: int) -> Outcome:
        if lot == 1 and self.error:
            return Outcome(job.fixture, job.attempt, error=self.error)
        seat = job.names.index("A")
        conduct = ((seat, CRASH, "too clever", 3), (seat, CRASH, "again", 4), (seat, FORFEIT, "lost", 4))
        gone = ((job.names.index("B"), DISCONNECT, "never came", 0),)
        return Outcome(job.fixture, job.attempt, places=(1, 2, 3), conduct=conduct + gone)

    def close(self) -> None: ...


def compared(crew: FakeCrew) -> Comparison:
    comparison = Comparison(SETTING, SequentialTest(), crew)
    comparison.run(lambda verdict: None)
    return comparison


def test_a_block_that_kills_its_workers_is_left_out() -> None:
    crew = FakeCrew(poison=3)
    comparison = compared(crew)
    assert crew.company[1:] == [[3]] * LOSSES
    assert len(crew.company[0]) == LOTS_OUTSTANDING
    assert sorted(crew.sent) == sorted([*range(1, BLOCKS + 1), *crew.company[0], *[3] * (LOSSES - 1)])
    assert (comparison.test.verdict().blocks, comparison.dropped) == (BLOCKS - 1, 1)
    assert comparison.why_dropped == "3 workers were lost with it, the last one: boom"


def test_a_block_that_was_lost_with_its_worker_is_played_again() -> None:
    crew = FakeCrew(poison=3, deaths=LOSSES)
    comparison = compared(crew)
    assert (comparison.test.verdict().blocks, comparison.dropped) == (BLOCKS, 0)


def test_the_reason_of_a_block_that_failed_is_kept() -> None:
    comparison = compared(FakeCrew(error="no such file"))
    assert (comparison.dropped, comparison.why_dropped) == (1, "no such file")


def test_faults_are_counted_by_bot_and_kind() -> None:
    matches = BLOCKS * 6
    assert list(compared(FakeCrew()).faults.values()) == [
        ("A", "crash", 2 * matches, "too clever"),
        ("B", "disconnect", matches, "never came"),
    ]
