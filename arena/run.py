"""The driver of a tournament: hands fixtures to workers, writes outcomes into the book, asks for the next round.

It may be killed at any moment: all it knows is in the store, or follows from it. What it hands out again after a
loss is a new attempt, and the store refuses what older ones report.
"""

import logging
import math
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final, NamedTuple, TypeVar

from arena.config import TournamentConfig
from arena.crew import LOTS_OUTSTANDING, Crew, Lost, Report
from arena.formats import BlockResult, make_format
from arena.job import Job, Outcome
from arena.seating import Block, make_block, match_keys
from arena.sequential import Spread
from engine.playout import CONDUCT_NAMES
from engine.rules.variants import find
from leaderboard.standings import Standing, Standings, label_of, placement_scores
from leaderboard.store import BlockResult as KeptBlock
from leaderboard.store import Fixture, Lease, NewBlock, NewFixture, Result, Store, StoreLost, Tournament

log = logging.getLogger(__name__)

LEASE_SECONDS: Final = 30.0
RENEW_SECONDS: Final = 5.0
COMMIT_SECONDS: Final = 0.5
COMMIT_RESULTS: Final = 500
LOT_SECONDS: Final = 1.5  # of work
MOST_IN_A_LOT: Final = 200
FIRST_LOT: Final = 4
RATE_WEIGHT: Final = 0.3  # of the last lot, in how fast a worker is
LOSSES: Final = 3  # of workers, until a fixture is void
ALONE: Final = 2  # so many of them with no other fixture beside it
WAIT_SECONDS: Final = 0.2
STORE_PATIENCE: Final = 120.0  # with a store whose server is gone
STORE_RETRY_SECONDS: Final = 1.0
BLOCKS_AT_ONCE: Final = 500
WARNINGS_SHOWN: Final = 5

RUNNING, PAUSED, CANCELLED, FINISHED = "running", "paused", "cancelled", "finished"
REQUESTED: Final = {"pause": PAUSED, "cancel": CANCELLED}

Value = TypeVar("Value")


class Snapshot(NamedTuple):
    """How a tournament stands."""

    round: int
    done: int
    total: int  # as far as rounds are paired
    void: int
    refused: int  # reports that came twice, or from attempts that were given up
    speed: float  # matches a second
    standings: list[Standing]
    warnings: list[str]  # the last ones


Watcher = Callable[[Snapshot], None]


def unwatched(_: Snapshot) -> None:
    pass


class Lot(NamedTuple):
    """What a worker has. A suspect lot was lost with another worker: its worker gets nothing beside it."""

    worker: str
    jobs: dict[str, Job]  # those not reported, by fixture
    is_suspect: bool


class Driver:
    """Runs one tournament to its end, or until it is told to stop."""

    def __init__(
        self,
        store: Store,
        tournament: Tournament,
        config: TournamentConfig,
        crew: Crew,
        lease: Lease,
        on_change: Watcher = unwatched,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store = store
        self.tournament = tournament
        self.config = config
        self.crew = crew
        self.lease = lease
        self.on_change = on_change
        self.clock = clock
        entrants = store.entrants(tournament.id)
        self.names = [one.name for one in entrants]
        self.specs = [spec_of(store, one.version_id) for one in entrants]
        self.standings, self.spreads = Standings(len(entrants)), [Spread() for _ in entrants]
        self.round = self.done = self.void = self.refused = self.total = 0
        self.numbered = 0  # blocks
        self.played = 0  # by this driver
        self.began = self.renewed = self.committed = clock()
        self.fresh: Iterator[Fixture] = iter(())
        self.unsent = 0  # about how many those are
        self.is_handed_out = False  # the round
        self.again: deque[list[Job]] = deque()  # what was lost, halved
        self.losses: Counter[str] = Counter()  # by fixture
        self.alone: Counter[str] = Counter()  # those with nothing beside it
        self.lots: dict[int, Lot] = {}
        self.sent = 0  # lots
        self.seats: dict[str, list[int]] = {}  # numbers of entrants, by fixture, until its result is written
        self.reported: list[Result] = []
        self.rate = FIRST_LOT / LOT_SECONDS  # matches a second of one worker, about
        self.pace: dict[str, tuple[float, int]] = {}  # of each worker at work: since when, and how many matches
        self.faulty: set[tuple[int, int]] = set()  # entrants and kinds of fault that were told
        self.playing: set[int] = set()  # entrants that sit at a table
        self.warnings: deque[str] = deque(maxlen=WARNINGS_SHOWN)
        self.stop = ""  # the state to end in, once it is told to stop

    # From round to round

    def run(self) -> str:
        """Plays to the end, or until it is told to stop; gives the state that the tournament is in then."""
        self.keep_trying(partial(self.store.set_state, self.lease, RUNNING))
        self.recount()
        self.renew()  # something may have been asked since the lease was taken
        for blocks in self.rounds() if not self.stop else ():
            self.add(blocks)
            while not self.stop and self.turn():
                self.on_change(self.snapshot())
            self.commit()
            if self.stop:
                break
        return self.end(self.stop or FINISHED)

    def end(self, state: str) -> str:
        """Writes what was reported, and the state. The lease is free afterwards."""
        self.commit()
        self.keep_trying(partial(self.store.set_state, self.lease, state))
        self.keep_trying(partial(self.store.give_back, self.lease))
        self.on_change(self.snapshot())
        return state

    def pause(self) -> None:
        """To stop soon, and be gone on with later; may be called at any moment."""
        self.stop = self.stop or PAUSED

    def rounds(self) -> Iterator[list[Block]]:
        """The blocks of every round, of all variants. They follow from the file and from earlier results.

        Where results play no part, several small rounds come at once, so that no worker waits for the last match.
        """
        formats = [(variant, make_format(self.config, variant)) for variant in self.config.variants]
        depends = any(one.depends_on_results for _, one in formats)
        results: dict[str, list[BlockResult]] = {}
        blocks: list[Block] = []
        is_over = False
        while not is_over:
            for label, found in self.keep_trying(partial(self.read_results, self.round)) if depends else ():
                results.setdefault(label, []).append(found)
            is_over = True
            for variant, one in formats:
                pairings = one.pairings(self.round + 1, results.get(variant.label, []))
                is_over = is_over and pairings is None
                blocks += [make_block(self.tournament.name, pairing, variant) for pairing in pairings or []]
            self.round += not is_over
            if blocks and (depends or is_over or len(blocks) >= BLOCKS_AT_ONCE):
                yield blocks
                blocks = []

    def read_results(self, round: int) -> list[tuple[str, BlockResult]]:
        """What a round came to, with the variants' labels."""
        blocks = self.store.block_results(self.tournament.id, round)
        return [(label_of(block.id), block_result(block)) for block in blocks]

    def add(self, blocks: list[Block]) -> None:
        """Writes a round into the book, unless it is there already, and begins with what is open."""
        for start in range(0, len(blocks), BLOCKS_AT_ONCE):
            chunk = blocks[start : start + BLOCKS_AT_ONCE]
            new = [new_block(block, self.numbered + number) for number, block in enumerate(chunk)]
            self.keep_trying(partial(self.store.add_blocks, self.lease, new))
            self.numbered += len(chunk)
            self.total += sum(len(block.fixtures) for block in chunk)
            self.playing.update(*[block.fixtures[0].seats for block in chunk])
            self.renew_in_time()
        self.unsent = self.keep_trying(partial(self.store.progress, self.tournament.id)).open
        self.fresh, self.is_handed_out = self.open_fixtures(), False

    # One turn

    def turn(self) -> bool:
        """Hands out, listens and writes; false when the round is over."""
        for worker in self.crew.idle():
            if not self.hand_out(worker):
                break
        if not self.lots and not self.again and self.is_handed_out:
            return False
        for news in self.crew.wait(WAIT_SECONDS):
            if isinstance(news, Report):
                self.take(news)
            else:
                self.lose(news)
        is_time = self.clock() - self.committed > COMMIT_SECONDS
        if is_time or len(self.reported) >= COMMIT_RESULTS or self.matches_left() <= 0:
            self.commit()
        self.renew_in_time()
        self.look_at_the_stop_rule()
        return True

    def hand_out(self, worker: str) -> bool:
        """Gives a worker its next lot; false if there is none."""
        mine = [lot for lot in self.lots.values() if lot.worker == worker]
        is_suspect = bool(self.again)
        if mine and (is_suspect or any(lot.is_suspect for lot in mine)):
            return True  # it has to have nothing else
        jobs = self.again.popleft() if is_suspect else self.next_lot()
        if not jobs:
            self.is_handed_out = True
            return False
        begun = self.keep_trying(partial(self.store.next_attempts, self.lease, [job.fixture for job in jobs]))
        numbered = [job._replace(attempt=begun[job.fixture]) for job in jobs if job.fixture in begun]
        if numbered:
            self.sent += 1
            if not mine:
                self.pace[worker] = self.clock(), 0
            self.lots[self.sent] = Lot(worker, {job.fixture: job for job in numbered}, is_suspect)
            self.crew.send(worker, self.sent, numbered)
        return True

    def next_lot(self) -> list[Job]:
        """As much as a worker plays in a while, and no more than its share of what is left."""
        share = math.ceil(min(self.unsent, self.matches_left()) / (self.crew.workers * LOTS_OUTSTANDING))
        size = max(1, min(MOST_IN_A_LOT, round(LOT_SECONDS * self.rate), share))
        lot = [self.job(fixture) for fixture in self.keep_trying(partial(self.read_open, size))]
        self.unsent -= len(lot)
        return lot

    def matches_left(self) -> float:
        """Until the stop rule holds, less those that are being played."""
        most = self.config.stop.max_matches
        begun = self.done + len(self.reported) + sum(len(lot.jobs) for lot in self.lots.values())
        return math.inf if most is None else most - begun

    def read_open(self, most: int) -> list[Fixture]:
        try:
            return list(islice(self.fresh, most))
        except StoreLost:
            self.fresh = self.open_fixtures()
            raise

    def open_fixtures(self) -> Iterator[Fixture]:
        """What is open and was not handed out."""
        return (one for one in self.store.open_fixtures(self.tournament.id) if one.id not in self.seats)

    def job(self, fixture: Fixture) -> Job:
        self.seats[fixture.id] = fixture.seats
        return Job(
            fixture.id,
            fixture.attempt,
            fixture.variant,
            fixture.options,
            tuple([self.names[entrant] for entrant in fixture.seats]),
            tuple([self.specs[entrant] for entrant in fixture.seats]),
            match_keys(self.tournament.key, fixture.id, fixture.block_id),
            str(self.config.time),
        )

    # Outcomes and losses

    def take(self, report: Report) -> None:
        lot = self.lots.get(report.lot)
        for outcome in report.outcomes:
            job = lot.jobs.pop(outcome.fixture, None) if lot is not None else None
            if outcome.error:
                self.warn(f"{outcome.fixture}: {outcome.error}")
                if job is not None:
                    self.play_again([job], outcome.error, is_alone=True)
            else:
                self.reported.append(result_of(outcome, report.worker))
                self.warn_of_faults(outcome)
        self.learn_pace(report)
        if report.is_last:
            self.lots.pop(report.lot, None)

    def warn_of_faults(self, outcome: Outcome) -> None:
        """The first of each kind that an entrant commits."""
        seats = self.seats.get(outcome.fixture, [])
        for seat, kind, detail, _ in outcome.conduct if seats else ():
            if (seats[seat], kind) not in self.faulty:
                self.faulty.add((seats[seat], kind))
                name = f"{self.names[seats[seat]]}: {CONDUCT_NAMES[kind]} in {outcome.fixture}"
                self.warn(f"{name}: {detail}" if detail else name)

    def learn_pace(self, report: Report) -> None:
        if report.worker not in self.pace:
            return  # it was given up
        since, matches = self.pace[report.worker]
        now, matches = self.clock(), matches + len(report.outcomes)
        if report.is_last and now > since:
            self.rate += RATE_WEIGHT * (matches / (now - since) - self.rate)
            since, matches = now, 0
        self.pace[report.worker] = since, matches

    def lose(self, lost: Lost) -> None:
        """A worker is gone: others play what it had, in halves, so that a fixture that did it ends up alone."""
        self.warn(f"{lost.worker} is lost: {lost.why}")
        self.pace.pop(lost.worker, None)
        for number in [number for number, lot in self.lots.items() if lot.worker == lost.worker]:
            lot = self.lots.pop(number)
            why = f"{LOSSES} workers were lost with it, the last one: {lost.why}"
            self.play_again(list(lot.jobs.values()), why, is_alone=lot.is_suspect and len(lot.jobs) == 1)

    def play_again(self, jobs: list[Job], why: str, is_alone: bool) -> None:
        """One that was lost with others may be innocent: it is void only if it was alone more than once."""
        self.losses.update([job.fixture for job in jobs])
        self.alone.update([job.fixture for job in jobs if is_alone])
        first = jobs[0].fixture if jobs else ""
        if self.losses[first] >= LOSSES and self.alone[first] >= ALONE:
            self.warn(f"{first} is void: {why}")
            self.keep_trying(partial(self.store.void, self.lease, first, why))
            self.void += 1
            return
        half = (len(jobs) + 1) // 2
        self.again.extend([part for part in (jobs[:half], jobs[half:]) if part])

    def warn(self, text: str) -> None:
        log.warning("%s", text)
        self.warnings.append(text)

    # The book

    def commit(self) -> None:
        self.committed = self.clock()
        reported, self.reported = self.reported, []
        if not reported:
            return
        written = self.keep_trying(partial(self.store.commit, self.lease, reported))
        seats = [self.seats_of(result.fixture_id) for result in reported]
        self.played += written.accepted
        self.refused += written.doubled + written.fenced
        if written.accepted < len(reported):
            self.recount()
            return
        self.done += written.accepted
        for result, entrants in zip(reported, seats, strict=True):
            if entrants is not None:
                self.count(entrants, result.places, result.faults)

    def seats_of(self, fixture: str) -> list[int] | None:
        """They are needed once more if it is to be played again: then this report was refused."""
        waits = any(job.fixture == fixture for jobs in self.again for job in jobs)
        is_played = any(fixture in lot.jobs for lot in self.lots.values())
        return self.seats.get(fixture) if waits or is_played else self.seats.pop(fixture, None)

    def renew_in_time(self) -> None:
        if self.clock() - self.renewed >= RENEW_SECONDS:
            self.renew()

    def renew(self) -> None:
        """The heartbeat of the lease; it brings what somebody asks of this driver."""
        self.renewed = self.clock()
        self.lease = self.keep_trying(partial(self.store.renew, self.lease, LEASE_SECONDS))
        if self.lease.request is not None:
            self.stop = REQUESTED[self.lease.request]

    def keep_trying(self, call: Callable[[], Value]) -> Value:
        """A store whose server was started anew comes back; all calls may be made twice."""
        deadline = self.clock() + STORE_PATIENCE
        while True:
            try:
                return call()
            except StoreLost as error:
                if self.stop == PAUSED or self.clock() > deadline:
                    raise
                self.warn(str(error))
                time.sleep(STORE_RETRY_SECONDS)

    # How it stands

    def recount(self) -> None:
        """From the book: after a start, and when a report was refused."""
        self.keep_trying(self.read_standings)

    def read_standings(self) -> None:
        self.standings, self.spreads = Standings(len(self.names)), [Spread() for _ in self.names]
        progress = self.store.progress(self.tournament.id)
        self.done, self.void = progress.done, progress.void
        for row in self.store.results(self.tournament.id):
            if not row.void:
                self.count(row.entrants, row.places, row.faults)

    def count(self, entrants: Sequence[int], places: Sequence[int], faults: Sequence[int]) -> None:
        self.standings.add(entrants, places, faults)
        for entrant, score in zip(entrants, placement_scores(places), strict=True):
            self.spreads[entrant].add(score)

    def look_at_the_stop_rule(self) -> None:
        minutes = (self.clock() - self.began) / 60
        widest = max(self.spreads[entrant].half_width() for entrant in self.playing)
        reason = self.config.stop.reason(self.done, minutes, widest)
        if reason is not None:
            self.warn(f"stopped early: {reason}")
            self.stop = FINISHED

    def snapshot(self) -> Snapshot:
        lasted = max(1e-9, self.clock() - self.began)
        return Snapshot(
            self.round,
            self.done,
            self.total,
            self.void,
            self.refused,
            self.played / lasted,
            self.standings.rows(),
            list(self.warnings),
        )


def spec_of(store: Store, version_id: int) -> str:
    version = store.version(version_id)
    assert version is not None  # every entrant has one
    return version.spec


def new_block(block: Block, number: int) -> NewBlock:
    fixtures = [NewFixture(one.id, one.rotation, list(one.seats)) for one in block.fixtures]
    players = len(block.fixtures[0].seats)
    game = block.variant, find(block.variant).version, block.options, players
    return NewBlock(block.id, number, block.round, *game, fixtures)


def block_result(block: KeptBlock) -> BlockResult:
    """The sums of a block. One with a match that was never played is void as a whole: not all had the same seats.

    What was corrected later still counts here, or the rounds that are paired already would be other ones.
    """
    entrants = tuple(block.fixtures[0].seats)
    sums = dict.fromkeys(entrants, 0.0)
    for fixture in block.fixtures:
        if fixture.places is not None:
            for entrant, score in zip(fixture.seats, placement_scores(fixture.places), strict=True):
                sums[entrant] += score
    is_void = any(fixture.places is None for fixture in block.fixtures)
    return BlockResult(block.round, block.number, entrants, tuple(sums.values()), is_void)


def result_of(outcome: Outcome, worker: str) -> Result:
    return Result(
        outcome.fixture,
        outcome.attempt,
        outcome.places,
        outcome.luck,
        outcome.faults,
        outcome.rounds,
        outcome.ending,
        outcome.actions,
        outcome.decisions,
        outcome.record,
        outcome.sidecar,
        outcome.conduct,
        worker,
        outcome.seconds,
    )
