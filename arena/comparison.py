"""Is A better than B? Plays paired blocks until a sequential test knows. docs/compare.md tells what it means."""

import secrets
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from arena.config import VariantEntry
from arena.crew import Crew, Lost, Report
from arena.formats import Pairing
from arena.job import Job, Outcome
from arena.seating import Block, make_paired_block, match_keys
from arena.sequential import OPEN, SequentialTest, Verdict
from leaderboard.standings import placement_scores

NAME: Final = "compare"
WAIT_SECONDS: Final = 0.5
LOSSES: Final = 3  # of a block, until it is left out


class Setting(NamedTuple):
    """Two bots, those who fill the other seats alike, and what they play."""

    variant: VariantEntry
    bots: tuple[str, ...]  # A, B, and the others
    time_control: str
    most_blocks: int


class Comparison:
    """Blocks are handed out as workers ask for them, and looked at in order, so that speed decides nothing."""

    def __init__(self, setting: Setting, test: SequentialTest, crew: Crew) -> None:
        self.setting = setting
        self.crew = crew
        self.key = secrets.token_bytes(32)
        self.test = test
        self.blocks: dict[int, Block] = {}  # that are out, by number
        self.outcomes: dict[int, dict[str, Outcome]] = {}
        self.workers: dict[int, str] = {}
        self.losses: dict[int, int] = {}
        self.again: list[int] = []
        self.next = 1  # to be looked at
        self.made = 0
        self.dropped = 0

    def run(self, on_change: Callable[[Verdict], None]) -> Verdict:
        while self.test.decision == OPEN and self.next <= self.setting.most_blocks:
            for worker, number in zip(self.crew.idle(), self.numbers(), strict=False):
                self.hand_out(worker, number)
            for news in self.crew.wait(WAIT_SECONDS):
                if isinstance(news, Report):
                    self.take(news)
                else:
                    self.lose(news)
            self.look()
            on_change(self.test.verdict())
        return self.test.verdict()

    def numbers(self) -> Iterator[int]:
        while self.again:
            yield self.again.pop()
        while self.made < self.setting.most_blocks:
            self.made += 1
            yield self.made

    def hand_out(self, worker: str, number: int) -> None:
        setting = self.setting
        names = ("A", "B", *[f"other {seat}" for seat in range(1, len(setting.bots) - 1)])
        pairing = Pairing(1, number, tuple(range(len(setting.bots))))
        block = self.blocks[number] = make_paired_block(NAME, pairing, setting.variant)
        self.outcomes[number], self.workers[number] = {}, worker
        jobs = [
            Job(
                fixture.id,
                self.losses.get(number, 0),
                fixture.variant,
                fixture.options,
                tuple([names[entrant] for entrant in fixture.seats]),
                tuple([setting.bots[entrant] for entrant in fixture.seats]),
                match_keys(self.key, fixture.id, block.id),
                setting.time_control,
            )
            for fixture in block.fixtures
        ]
        self.crew.send(worker, number, jobs)

    def take(self, report: Report) -> None:
        if self.workers.get(report.lot) == report.worker:
            self.outcomes[report.lot] |= {outcome.fixture: outcome for outcome in report.outcomes}

    def lose(self, lost: Lost) -> None:
        for number in [number for number, worker in self.workers.items() if worker == lost.worker]:
            if len(self.outcomes[number]) < len(self.blocks[number].fixtures):
                del self.workers[number]
                self.losses[number] = self.losses.get(number, 0) + 1
                self.again.append(number)

    def look(self) -> None:
        """Gives the test all blocks whose turn has come; one that could not be played is left out."""
        while self.test.decision == OPEN and self.next in self.blocks:
            block, played = self.blocks[self.next], self.outcomes[self.next]
            is_lost = self.losses.get(self.next, 0) >= LOSSES
            if len(played) < len(block.fixtures) and not is_lost:
                return
            if is_lost or any(outcome.error for outcome in played.values()):
                self.dropped += 1
            else:
                self.test.add(difference(block, played))
            for kept in (self.blocks, self.outcomes, self.workers):
                kept.pop(self.next, None)
            self.next += 1


def difference(block: Block, played: dict[str, Outcome]) -> float:
    """A's mean score in the block less B's."""
    total = 0.0
    for fixture in block.fixtures:
        for entrant, score in zip(fixture.seats, placement_scores(played[fixture.id].places), strict=True):
            total += score if entrant == 0 else -score if entrant == 1 else 0.0
    return total / len(block.fixtures)
