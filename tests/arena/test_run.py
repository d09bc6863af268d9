"""The driver: tournaments to their end, through losses, stops and a store that is away for a while."""

import os
import signal
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from arena import tournaments
from arena.config import TournamentConfig, parse_config
from arena.crew import Crew, InProcess, Lost, News, Report
from arena.job import POOLED, Job, Outcome
from arena.run import LEASE_SECONDS, LOSSES, Driver, Snapshot
from arena.running import stopped_by_signals
from arena.worker import play_here
from engine import record
from engine.rules.variants import find
from leaderboard.store import Lease, LeaseHeld, Store, StoreLost, Tournament, open_store, tables

FILE = """
name = "open"
seed = 1
[format]
kind = "{kind}"
{settings}
[[variants]]
name = "classic"
players = 3
options = {{ rounds = 3 }}
[[variants]]
name = "officers"
players = 3
options = {{ rounds = 2 }}
"""
ENTRANTS = "".join(f'[[entrants]]\nname = "{bot}"\nbot = "{bot}"\n' for bot in ("aggressor", "cautious", "random"))
MORE = ENTRANTS + '[[entrants]]\nname = "idle"\nbot = "random"\n'


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "arena.db")) as opened:
        yield opened


def made(
    store: Store, kind: str = "round_robin", settings: str = "rounds = 2", entrants: str = ENTRANTS
) -> tuple[Tournament, TournamentConfig]:
    text = FILE.format(kind=kind, settings=settings) + entrants
    config = parse_config(text, "open.toml")
    return tournaments.create(store, config, text, Path()), config


def lease_of(store: Store, tournament: Tournament) -> Lease:
    return store.take_lease(tournament.id, "test", LEASE_SECONDS)


def drive(store: Store, crew: Crew | None = None, **file: str) -> Driver:
    tournament, config = made(store, **file)
    driver = Driver(store, tournament, config, crew or InProcess(POOLED, "."), lease_of(store, tournament))
    assert driver.run() == "finished"
    return driver


def game_parts(store: Store, tournament: Tournament) -> dict[str, bytes]:
    return {
        row.fixture_id: record.game_part(record.read(store.record(row.fixture_id).record))
        for row in store.results(tournament.id)
    }


def test_the_book_has_what_is_told_of_entrants_and_rules(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.run.find", lambda name: find(name)._replace(version=7))
    told = 'author = "Ada"\nlanguage = "go"\n'
    driver = drive(store, settings="rounds = 1", entrants=ENTRANTS + told)
    *_, last = store.entrants(driver.tournament.id)
    version = store.version(last.version_id)
    assert version is not None
    assert (version.agent, version.language) == ("random", "go")
    with store.reading() as connection:
        authors = connection.execute(select(tables.agents.c.name, tables.agents.c.author))
        assert dict(list(map(tuple, authors))) == {"aggressor": "", "cautious": "", "random": "Ada"}
        assert set(connection.execute(select(tables.blocks.c.rules_version)).scalars()) == {7}


class Killed(Exception):
    """What happens to a driver."""


class FakeCrew:
    """Workers that play as they are asked, and are lost when `dies` says so of a job."""

    workers = 1

    def __init__(self, dies: Callable[[Job], bool] = lambda job: False) -> None:
        self.dies = dies
        self.number = 1
        self.lots: list[tuple[str, int, list[Job]]] = []
        self.late: list[Report] = []

    def idle(self) -> list[str]:
        return [f"worker-{self.number}"] * (2 - len(self.lots))

    def send(self, worker: str, lot: int, jobs: list[Job]) -> None:
        self.lots.append((worker, lot, jobs))

    def wait(self, seconds: float) -> list[News]:
        worker, lot, jobs = self.lots.pop(0)
        news: list[News] = list(self.late)
        self.late = []
        for job in jobs:
            if self.dies(job):
                self.lots = []
                self.number += 1
                return [*news, Lost(worker, "killed by the test")]
            news.append(Report(worker, lot, [play_here(job)], is_last=False))
        return [*news, Report(worker, lot, [], is_last=True)]

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("kind", "settings", "matches"),
    [
        ("round_robin", "rounds = 2", 2 * 2 * 4 * 3),
        ("swiss", "rounds = 3", 2 * 3 * 3),
        ("gauntlet", 'champion = "idle"', 2 * 3 * 3),
        ("knockout", "best_of = 2", 2 * 2 * 2 * 3),
    ],
)
def test_every_format_is_played_to_its_end(store: Store, kind: str, settings: str, matches: int) -> None:
    driver = drive(store, kind=kind, settings=settings, entrants=MORE)
    assert store.progress(driver.tournament.id)[:3] == (0, matches, 0)
    assert driver.snapshot().done == driver.snapshot().total == matches
    assert store.check(all=True) == []
    assert store.tournament("open").state == "finished"
    assert driver.snapshot().standings == tournaments.standings(store, driver.tournament)


def test_a_driver_that_is_killed_is_followed_by_another(store: Store, tmp_path: Path) -> None:
    """The second one ends with the same game parts as one that nothing happened to."""
    with open_store(str(tmp_path / "calm.db")) as calm:
        undisturbed = game_parts(calm, drive(calm, entrants=MORE).tournament)

    tournament, config = made(store, entrants=MORE)
    for stop_after in (3, 10, 20):

        def look(snapshot: Snapshot, most: int = stop_after) -> None:
            if snapshot.done >= most:
                raise Killed

        lease = lease_of(store, tournament)
        clock = count(0.0, 1.0).__next__  # every outcome is committed at once
        driver = Driver(store, tournament, config, InProcess(POOLED, "."), lease, look, clock)
        with pytest.raises(Killed):
            driver.run()
        with pytest.raises(LeaseHeld):
            lease_of(store, tournament)
        store.give_back(lease)
    last = Driver(store, tournament, config, InProcess(POOLED, "."), lease_of(store, tournament))
    assert last.run() == "finished"
    assert game_parts(store, tournament) == undisturbed
    assert store.check(all=True) == []


def test_a_correction_changes_the_table_and_not_who_meets_whom(store: Store) -> None:
    """Or a round that is paired already would be another one, and could not be gone on with."""
    tournament, config = made(store, kind="swiss", settings="rounds = 3", entrants=MORE)
    lease = lease_of(store, tournament)

    def look(snapshot: Snapshot) -> None:
        if snapshot.round == 3:
            raise Killed

    with pytest.raises(Killed):
        Driver(store, tournament, config, InProcess(POOLED, "."), lease, look).run()
    store.give_back(lease)
    for row in [row for row in store.results(tournament.id) if "/r1-" in row.fixture_id]:
        assert store.void("somebody", row.fixture_id, "a test")
    driver = Driver(store, tournament, config, InProcess(POOLED, "."), lease_of(store, tournament))
    assert driver.run() == "finished"
    assert driver.void == store.progress(tournament.id).void > 0
    assert store.check(all=True) == []


def test_what_a_lost_worker_had_is_played_by_another(store: Store) -> None:
    lost: set[str] = set()

    def dies(job: Job) -> bool:
        """Each worker dies once in the middle of its lot."""
        is_new = len(lost) < 5 and job.fixture not in lost and job.fixture.endswith("r1")
        lost.update([job.fixture] if is_new else [])
        return is_new

    driver = drive(store, FakeCrew(dies))
    assert len(lost) == 4  # all there are
    assert store.progress(driver.tournament.id)[:3] == (0, 12, 0)
    assert store.check(all=True) == []


def test_a_fixture_that_takes_workers_down_ends_up_alone_and_void(store: Store) -> None:
    poison = "open/r1-classic-3p-0001-r1"
    deaths: list[str] = []

    def dies(job: Job) -> bool:
        deaths.extend([job.fixture] if job.fixture == poison else [])
        return job.fixture == poison

    driver = drive(store, FakeCrew(dies))
    assert LOSSES <= len(deaths) <= LOSSES + 2
    assert store.progress(driver.tournament.id)[:3] == (0, 11, 1)
    assert f"{poison} is void: {LOSSES} workers were lost with it" in " ".join(driver.warnings)
    (void,) = [row for row in store.ledger() if row.kind == "void"]
    assert void.subject == poison


def test_late_reports_are_refused_and_counted(store: Store) -> None:
    """A worker comes to life again after its lot was played by another."""
    crew = FakeCrew()
    kept: list[Outcome] = []

    def dies(job: Job) -> bool:
        if not kept:
            kept.append(play_here(job))
            return True
        if job.fixture == kept[0].fixture:
            assert job.attempt > kept[0].attempt
            crew.late = [Report("worker-1", 1, kept, is_last=False)]
        return False

    crew.dies = dies
    driver = drive(store, crew)
    progress = store.progress(driver.tournament.id)
    assert (progress.done, progress.doubled + progress.fenced) == (12, 1)
    assert driver.snapshot().refused == 1
    assert driver.snapshot().standings == tournaments.standings(store, driver.tournament)


def test_a_bot_that_no_worker_can_load_makes_its_matches_void(store: Store, tmp_path: Path) -> None:
    bot = tmp_path / "gone.py"
    bot.write_text("")
    driver = drive(store, entrants=ENTRANTS + f'[[entrants]]\nname = "gone"\nbot = "{bot}:Bot"\n')
    progress = store.progress(driver.tournament.id)
    assert (progress.open, progress.void) == (0, 2 * 2 * 3 * 3)
    assert "gone.py" in driver.warnings[-1]


@pytest.mark.parametrize(("request_", "state"), [("pause", "paused"), ("cancel", "cancelled")])
def test_what_somebody_asks_of_the_driver(store: Store, request_: str, state: str) -> None:
    tournament, config = made(store, entrants=MORE)
    now = [0.0]

    def look(_: Snapshot) -> None:
        now[0] += 3
        store.request(tournament.id, request_)

    lease = lease_of(store, tournament)
    driver = Driver(store, tournament, config, FakeCrew(), lease, look, clock=lambda: now[0])
    assert driver.run() == state
    assert store.tournament("open").state == state
    assert store.progress(tournament.id).open > 0


@pytest.mark.parametrize("what", ["pause", "cancel"])
def test_what_is_asked_before_the_first_match(store: Store, what: str) -> None:
    """While the workers start, which takes a while."""
    tournament, config = made(store)
    lease = lease_of(store, tournament)
    store.request(tournament.id, what)
    driver = Driver(store, tournament, config, FakeCrew(), lease)
    assert driver.run() == {"pause": "paused", "cancel": "cancelled"}[what]
    assert driver.done == 0


def test_a_request_to_cancel_outlives_the_driver(tmp_path: Path) -> None:
    now = [0.0]
    with open_store(str(tmp_path / "arena.db"), now=lambda: now[0]) as store:
        tournament, config = made(store)
        lease_of(store, tournament)  # by one that is killed
        store.request(tournament.id, "cancel")
        now[0] += LEASE_SECONDS + 1
        driver = Driver(store, tournament, config, FakeCrew(), lease_of(store, tournament))
        assert (driver.run(), driver.done) == ("cancelled", 0)


def test_faults_are_told_once_a_kind(store: Store, bot_file: Path) -> None:
    crasher = f'[[entrants]]\nname = "clever"\nbot = "{bot_file}:Crasher"\n'
    driver = drive(store, entrants=ENTRANTS + crasher)
    told = [warning for warning in driver.warnings if warning.startswith("clever: ")]
    assert sorted(warning.split()[1] for warning in told) == ["crash", "forfeit"]
    assert "too clever" in " ".join(told)


def test_every_worker_has_a_share_of_a_small_round(store: Store) -> None:
    crew = FakeCrew()
    crew.workers = 3
    sizes: list[int] = []
    send = crew.send

    def counted(worker: str, lot: int, jobs: list[Job]) -> None:
        sizes.append(len(jobs))
        send(worker, lot, jobs)

    crew.send = counted  # type: ignore[method-assign]
    drive(store, crew)
    assert max(sizes) == 2  # of 12, for two lots of three workers


def test_an_innocent_that_is_lost_once_alone_is_played(store: Store) -> None:
    """It was beside a poison one twice, and then its worker was killed by chance."""
    poison, innocent = "open/r1-classic-3p-0001-r0", "open/r1-classic-3p-0001-r1"
    alone = [0]

    def dies(job: Job) -> bool:
        if job.fixture == innocent and driver.losses[innocent] == 2 and not alone[0]:
            alone[0] += 1
            return True
        return job.fixture == poison

    tournament, config = made(store)
    driver = Driver(store, tournament, config, FakeCrew(dies), lease_of(store, tournament))
    assert driver.run() == "finished"
    assert alone == [1]
    assert [row.subject for row in store.ledger() if row.kind == "void"] == [poison]


def test_the_stop_rule(store: Store) -> None:
    driver = drive(store, settings="rounds = 50\n[stop]\nmax_matches = 7")
    assert 7 <= driver.snapshot().done <= 9
    assert "7 matches were played" in driver.warnings[-1]


def test_a_store_that_is_away_for_a_while(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.run.STORE_RETRY_SECONDS", 0.0)
    commit, calls = store.commit, [0]

    def unreliable(*arguments: Any) -> Any:
        calls[0] += 1
        if calls[0] % 2:
            raise StoreLost("the server cannot be reached")
        return commit(*arguments)

    monkeypatch.setattr(store, "commit", unreliable)
    driver = drive(store)
    assert store.progress(driver.tournament.id)[:3] == (0, 12, 0)
    assert "cannot be reached" in driver.warnings[-1]


def test_a_signal_pauses_it(store: Store) -> None:
    """Whatever the driver is doing then is done to its end."""
    tournament, config = made(store, entrants=MORE)
    driver = Driver(store, tournament, config, FakeCrew(), lease_of(store, tournament))

    def look(snapshot: Snapshot) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    driver.on_change = look
    with stopped_by_signals(driver.pause), pytest.raises(KeyboardInterrupt):
        driver.run()  # by the second signal, which comes with the last look
    assert store.tournament("open").state == "paused"
    assert store.progress(tournament.id).open > 0
