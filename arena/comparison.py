"""Is A better than B? Plays paired blocks until a sequential test knows. docs/compare.md tells what it means."""

import secrets
from collections.abc import Callable
from typing import Final, NamedTuple

from arena.config import VariantEntry
from arena.crew import Crew, Lost, Report
from arena.formats import Pairing
from arena.job import Job, Outcome
from arena.seating import Block, make_paired_block, match_keys
from arena.sequential import OPEN, SequentialTest, Verdict
from engine.playout import CONDUCT_NAMES, FORFEIT
from leaderboard.standings import placement_scores

NAME: Final = "compare"
WAIT_SECONDS: Final = 0.5
LOSSES: Final = 3  # of workers that play a block alone, until it is left out


class Setting(NamedTuple):
    """Two bots, those who fill the other seats alike, and what they play."""

    variant: VariantEntry
    bots: tuple[str, ...]  # A, B, and the others
    time_control: str
    most_blocks: int


class Faults(NamedTuple):
    """Of one kind, by one of the bots: how many, and what the first was."""

    bot: str
    kind: str
    times: int
    first: str


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
        self.names = ["A", "B", *[f"other {seat}" for seat in range(1, len(setting.bots) - 1)]]
        self.losses: dict[int, list[str]] = {}  # why, while it was alone; by numbers of blocks lost before
        self.again: list[int] = []
        self.next = 1  # to be looked at
        self.made = 0
        self.dropped = 0
        self.why_dropped = ""  # the first one
        self.faults: dict[tuple[str, int], Faults] = {}  # by bot and kind

    def run(self, on_change: Callable[[Verdict], None]) -> Verdict:
        while self.test.decision == OPEN and self.next <= self.setting.most_blocks:
            for worker in self.crew.idle():
                self.hand_out(worker)
            for news in self.crew.wait(WAIT_SECONDS):
                if isinstance(news, Report):
                    self.take(news)
                else:
                    self.lose(news)
            self.look()
            on_change(self.test.verdict())
        return self.test.verdict()

    def hand_out(self, worker: str) -> None:
        """A block that was lost with its worker goes first, and alone: should that happen again, it did it."""
        beside = self.blocks_of(worker)
        if self.again:
            if not beside:
                self.send(worker, self.again.pop(0))
        elif self.made < self.setting.most_blocks and not any(number in self.losses for number in beside):
            self.made += 1
            self.send(worker, self.made)

    def blocks_of(self, worker: str) -> list[int]:
        """Those that it plays."""
        its = [number for number, player in self.workers.items() if player == worker]
        return [number for number in its if len(self.outcomes[number]) < len(self.blocks[number].fixtures)]

    def send(self, worker: str, number: int) -> None:
        setting = self.setting
        pairing = Pairing(1, number, tuple(range(len(setting.bots))))
        block = self.blocks[number] = make_paired_block(NAME, pairing, setting.variant)
        self.outcomes[number], self.workers[number] = {}, worker
        jobs = [
            Job(
                fixture.id,
                len(self.losses[number]) + 1 if number in self.losses else 0,
                fixture.variant,
                fixture.options,
                tuple([self.names[entrant] for entrant in fixture.seats]),
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
        for number in self.blocks_of(lost.worker):
            del self.workers[number]
            if number in self.losses:
                self.losses[number].append(lost.why)
            else:
                self.losses[number] = []
            if len(self.losses[number]) < LOSSES:
                self.again.append(number)

    def look(self) -> None:
        """Gives the test all blocks whose turn has come; one that could not be played is left out."""
        while self.test.decision == OPEN and self.next in self.blocks:
            block, played = self.blocks[self.next], self.outcomes[self.next]
            lost = self.losses.get(self.next, [])
            if len(played) < len(block.fixtures) and len(lost) < LOSSES:
                return
            errors = [outcome.error for outcome in played.values() if outcome.error]
            if len(played) < len(block.fixtures):
                errors = [f"{LOSSES} workers were lost with it, the last one: {lost[-1]}"]
            if errors:
                self.dropped += 1
                self.why_dropped = self.why_dropped or errors[0]
            else:
                self.test.add(difference(block, played))
                self.note_faults(block, played)
            for kept in (self.blocks, self.outcomes, self.workers, self.losses):
                kept.pop(self.next, None)
            self.next += 1

    def note_faults(self, block: Block, played: dict[str, Outcome]) -> None:
        """A seat is forfeited for faults that are noted themselves."""
        for fixture in block.fixtures:
            for seat, kind, detail, _ in played[fixture.id].conduct:
                if kind != FORFEIT:
                    bot = self.names[fixture.seats[seat]]
                    before = self.faults.get((bot, kind), Faults(bot, CONDUCT_NAMES[kind], 0, detail))
                    self.faults[bot, kind] = before._replace(times=before.times + 1)


def difference(block: Block, played: dict[str, Outcome]) -> float:
    """A's mean score in the block less B's."""
    total = 0.0
    for fixture in block.fixtures:
        for entrant, score in zip(fixture.seats, placement_scores(played[fixture.id].places), strict=True):
            total += score if entrant == 0 else -score if entrant == 1 else 0.0
    return total / len(block.fixtures)
