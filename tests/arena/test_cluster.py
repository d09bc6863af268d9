"""Workers on a real Ray cluster: lots come back, a worker that is killed or stopped is replaced."""

import os
import signal
import time
from collections.abc import Iterator

import pytest

from arena import cluster
from arena.cluster import ClusterError, RayCrew
from arena.crew import Lost, News, Report
from arena.job import POOLED
from tests.arena.test_worker import job

pytestmark = pytest.mark.xdist_group("ray")  # one cluster at a time


@pytest.fixture
def crew() -> Iterator[RayCrew]:
    made = RayCrew(2, POOLED)
    yield made
    made.close()


def wait_for(crew: RayCrew, kind: type[News], seconds: float = 60.0) -> list[News]:
    """All news up to the first of a kind."""
    heard: list[News] = []
    deadline = time.monotonic() + seconds
    while not any(isinstance(news, kind) for news in heard):
        assert time.monotonic() < deadline
        heard += crew.wait(0.5)
    return heard


def ready(crew: RayCrew) -> list[str]:
    while len(set(crew.idle())) < 2:
        assert not crew.wait(0.5)
    return crew.idle()


def test_lots_come_back_and_a_killed_worker_is_replaced(crew: RayCrew) -> None:
    one, two = sorted(set(ready(crew)))
    assert len(crew.idle()) == 4
    crew.send(one, 1, [job(number, "random", "random", "random") for number in range(5)])
    outcomes: list[str] = []
    while (last := wait_for(crew, Report))[-1:] and not last[-1].is_last:  # type: ignore[union-attr]
        outcomes += [outcome.fixture for outcome in last[-1].outcomes]  # type: ignore[union-attr]
    assert sorted(outcomes) == [f"fixture-{number}" for number in range(5)]

    crew.send(two, 2, [job(number, "random", "random", "random", rounds=100) for number in range(100)])
    os.kill(crew.members[two].pid, signal.SIGKILL)
    (lost,) = [news for news in wait_for(crew, Lost) if isinstance(news, Lost)]
    assert lost.worker == two
    assert two not in ready(crew)


def test_a_worker_that_is_stopped_is_given_up(crew: RayCrew, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SILENT_SECONDS", 3.0)
    monkeypatch.setattr(cluster, "BEAT_SECONDS", 0.2)
    name = ready(crew)[0]
    pid = crew.members[name].pid
    crew.send(name, 1, [job(number, "random", "random", "random", rounds=100) for number in range(50)])
    os.kill(pid, signal.SIGSTOP)
    try:
        lost = [news for news in wait_for(crew, Lost) if isinstance(news, Lost)]
    finally:
        os.kill(pid, signal.SIGCONT)
    assert (lost[0].worker, "no heartbeat" in lost[0].why) == (name, True)
    assert name not in ready(crew)


def test_addresses_that_are_none() -> None:
    with pytest.raises(ClusterError, match="not ray://"):
        RayCrew(1, POOLED, "ray://somewhere:10001")
