"""Lots of fixtures: Python bots in the worker's process, commands as processes, bots that do not play along."""

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.agents.pool import LAUNCHER_DIED, LOG_BYTES
from arena.crew import InProcess, Report
from arena.job import FRESH, POOLED, Job, Outcome
from arena.worker import Worker
from conquest.v1.match_pb2 import MatchSidecar
from engine import record
from engine.playout import DISCONNECT
from tests.arena.conftest import SLOW_BOT

AGGRESSOR = f"cmd:{sys.executable} -m arena bot run aggressor"


@pytest.fixture(params=[POOLED, FRESH])
def worker(request: pytest.FixtureRequest) -> Iterator[Worker]:
    made = Worker(request.param, ".")
    yield made
    made.close()


def job(number: int, *bots: str, rounds: int = 3) -> Job:
    keys = (hashlib.sha256(b"match %d" % number).digest(), hashlib.sha256(b"setup").digest())
    names = tuple([f"entrant {seat}" for seat in range(len(bots))])
    return Job(f"fixture-{number}", 1, "classic", {"rounds": rounds}, names, bots, keys, "20+0.1/5")


def play(worker: Worker, jobs: list[Job]) -> dict[str, Outcome]:
    played = [outcome for outcomes in worker.play(jobs) for outcome in outcomes]
    assert len(played) == len(jobs)
    assert [outcome.error for outcome in played] == [""] * len(played)
    return {outcome.fixture: outcome for outcome in played}


def test_processes_play_the_same_match(worker: Worker) -> None:
    local = play(worker, [job(number, "random", "aggressor", "random") for number in range(3)])
    hosted = play(worker, [job(number, "random", AGGRESSOR, "random") for number in range(3)])
    for name, outcome in local.items():
        one, two = record.read(outcome.record), record.read(hosted[name].record)
        record.verify(two)
        assert record.game_part(one) == record.game_part(two)
        assert (outcome.places, outcome.luck) == (hosted[name].places, hosted[name].luck)
        assert [seat.agent for seat in two.seats] == ["entrant 0", "entrant 1", "entrant 2"]
    assert all(outcome.sidecar for outcome in hosted.values())


TALKER = """
import sys
from sdk.agent import Agent, Answer

class Talker(Agent):
    def __init__(self, seed=0):
        print("hello", flush=True)

    def decide(self, decision):
        print("." * 200, "round", decision.observation.round, file=sys.stderr, flush=True)
        return Answer(0, decision.options[0].low)
"""


def test_what_a_bot_writes_stands_beside_the_record(worker: Worker, tmp_path: Path) -> None:
    (tmp_path / "talker.py").write_text(TALKER)
    bots = "random", f"cmd:{sys.executable} -m arena bot run {tmp_path}/talker.py:Talker", "random"
    (outcome,) = play(worker, [job(1, *bots)]).values()
    (log,) = MatchSidecar.FromString(outcome.sidecar).logs
    assert log.seat == 1
    assert log.text.endswith(". round 3\n")
    lines = log.text.splitlines()
    assert {len(line) for line in lines} == {len("." * 200 + " round 3")}, "the end of it is kept, in whole lines"
    assert LOG_BYTES - 210 < len(log.text) <= LOG_BYTES
    assert "hello" not in log.text


def test_a_thinking_bot_does_not_keep_the_driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow.py").write_text(SLOW_BOT)
    monkeypatch.setenv("SLOW_BOT_SECONDS", "0.5")
    monkeypatch.setattr(InProcess, "WAKE_SECONDS", 0.05)
    crew = InProcess(POOLED, ".")
    crew.send(crew.NAME, 1, [job(1, *[f"{tmp_path}/slow.py:Slow"] * 3)])
    assert crew.wait(0.0) == [Report(crew.NAME, 1, [], is_last=False)]
    while not (report := crew.wait(0.0)[0]).outcomes:  # type: ignore[union-attr]
        assert report == Report(crew.NAME, 1, [], is_last=False)
    crew.close()


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        ("cmd:./no-such-bot", "cannot be started"),
        ("cmd:sh -c 'echo oh dear; exit 7'", "3 times, at last with exit code 7; it last said: oh dear"),
    ],
)
def test_a_command_that_does_not_play_loses_its_seat(bot: str, told: str) -> None:
    worker = Worker(POOLED, ".")
    try:
        (outcome,) = play(worker, [job(1, "random", bot, "random")]).values()
    finally:
        worker.close()
    kept = record.read(outcome.record)
    record.verify(kept)
    assert outcome.places[1] == 3
    assert next(one.kind for one in kept.conduct if one.seat == 1) == DISCONNECT
    assert told in kept.conduct[0].detail
    assert outcome.faults == (0, 1, 0)


def test_a_bot_that_is_killed_is_started_again(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    bot = f"cmd:sh -c 'echo $$ >> {note}; exec {sys.executable} -m arena bot run aggressor'"
    worker = Worker(POOLED, ".")
    try:
        killer = threading.Thread(target=kill_first, args=(note,))
        killer.start()
        played = play(worker, [job(number, "random", bot, "random") for number in range(10)])
        killer.join()
    finally:
        worker.close()
    assert len(note.read_text().split()) == 2
    for outcome in played.values():
        record.verify(record.read(outcome.record))


def kill_first(note: Path) -> None:
    """The process whose number is noted first, as soon as it is."""
    while not note.exists() or not note.read_text().endswith("\n"):
        time.sleep(0.01)
    os.kill(int(note.read_text().split()[0]), signal.SIGKILL)


def test_no_bot_outlives_its_worker(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    bot = f"cmd:sh -c 'echo $$ > {note}; exec {sys.executable} -m arena bot run random'"
    worker = Worker(POOLED, ".")
    play(worker, [job(1, "random", bot, "random")])
    pid = int(note.read_text())
    os.kill(pid, 0)
    worker.close()
    assert not Path(f"/proc/{pid}").exists()


KILLED = """
import os, sys
from arena.worker import Worker
from tests.arena.test_worker import AGGRESSOR, job, play

play(Worker("pooled", "."), [job(1, "random", AGGRESSOR, "random")])
os.kill(os.getpid(), 9)
"""


def test_a_killed_worker_leaves_nothing_behind(tmp_path: Path) -> None:
    env = os.environ | {"TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", KILLED], env=env, check=False)
    wait_until(lambda: not list(tmp_path.iterdir()))


def test_a_dead_launcher_costs_nobody_anything(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    bot = f"cmd:sh -c 'echo $$ > {note}; sleep 600 & wait'"
    worker = Worker(POOLED, ".")
    try:
        killer = threading.Thread(target=kill_launcher, args=(worker, note))
        killer.start()
        played = [outcome for outcomes in worker.play([job(1, "random", bot, "random")]) for outcome in outcomes]
        killer.join()
        assert [(outcome.error, outcome.places) for outcome in played] == [(LAUNCHER_DIED, ())]
        wait_until(lambda: not is_there(int(note.read_text())))
        play(worker, [job(2, "random", AGGRESSOR, "random")])
    finally:
        worker.close()


def kill_launcher(worker: Worker, note: Path) -> None:
    """As soon as the bot has noted its number."""
    wait_until(lambda: note.exists() and note.read_text().endswith("\n"))
    folder = str(worker.host().folder).encode()
    for process in Path("/proc").glob("[0-9]*"):
        if b"arena.agents.launcher\0" + folder in (process / "cmdline").read_bytes():
            os.kill(int(process.name), signal.SIGKILL)


def is_there(group: int) -> bool:
    """Whether a process of the group runs; one that has ended may not have been asked for its exit code."""
    told = subprocess.run(["ps", "-eo", "pgid=,stat="], capture_output=True, text=True, check=True).stdout
    return any(int(line.split()[0]) == group and line.split()[1][0] != "Z" for line in told.splitlines())


def wait_until(is_so: Callable[[], bool], seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_fresh_bots_leave_no_logs() -> None:
    worker = Worker(FRESH, ".")
    try:
        play(worker, [job(number, "random", AGGRESSOR, "random") for number in range(2)])
        assert list(worker.host().folder.glob("*.log")) == []
    finally:
        worker.close()


def test_a_match_takes_no_longer_than_it_is_played() -> None:
    bot = f"cmd:sh -c 'sleep 2; exec {sys.executable} -m arena bot run aggressor'"
    worker = Worker(POOLED, ".")
    try:
        (outcome,) = play(worker, [job(1, "random", bot, "random")]).values()
    finally:
        worker.close()
    assert 0.0 < outcome.seconds < 2.0


def test_a_match_that_cannot_begin_is_told(worker: Worker) -> None:
    unreadable = job(1, "random", "cmd:./bot 'un", "random")
    unknown = job(2, "random", AGGRESSOR, "random")._replace(variant="chess")
    lot = [unreadable, unknown]
    errors = {outcome.fixture: outcome.error for outcomes in worker.play(lot) for outcome in outcomes}
    assert errors["fixture-1"] == "No closing quotation"
    assert "unknown variant 'chess'" in errors["fixture-2"]


def test_a_bot_gets_no_more_matches_than_it_wants(worker: Worker) -> None:
    bot = f"{AGGRESSOR} --matches-at-once 1"
    play(worker, [job(number, "random", bot, "random") for number in range(3)])


def test_a_bot_that_cannot_be_loaded_is_the_hosts_trouble() -> None:
    worker = Worker(POOLED, ".")
    (outcomes,) = worker.play([job(1, "random", "nothing.py:Bot", "random")])
    assert "nothing.py" in outcomes[0].error
    assert outcomes[0].record == b""


def test_a_crew_of_one_in_this_process() -> None:
    crew = InProcess(POOLED, ".")
    (name,) = crew.idle()
    crew.send(name, 7, [job(number, "random", "random", "random") for number in range(4)])
    assert crew.idle() == []
    fixtures: list[str] = []
    while not crew.idle():
        for news in crew.wait(1.0):
            assert isinstance(news, Report)
            assert news.lot == 7
            fixtures += [outcome.fixture for outcome in news.outcomes]
    crew.close()
    assert sorted(fixtures) == [f"fixture-{number}" for number in range(4)]
