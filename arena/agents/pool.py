"""Matches of bot processes: a referee on a Unix socket, and a launcher that starts the bots.

Everything here happens on the referee's loop; `play` may be called from any thread. Pooled, a bot is one process
for all its matches; fresh, it is a new one for each match.
"""

import contextlib
import json
import secrets
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.job import COMMAND, FRESH, Job, Outcome, outcome
from arena.loopback import LoopbackReferee
from engine.referee.auth import Identity, Role
from engine.referee.clock import read_time_control
from engine.referee.host import Finished

AT_ONCE: Final = 64  # matches
STARTS: Final = 3  # of one bot process that ends by itself
START_SECONDS: Final = 30.0
TICK_SECONDS: Final = 0.02

Ended = Callable[[Outcome], None]


class Bot:
    """A bot process, as an agent of the referee."""

    def __init__(self, agent: str, spec: str) -> None:
        self.agent = agent
        self.spec = spec
        self.token = secrets.token_urlsafe()
        self.starts = 0
        self.started = 0.0


class Hosted(NamedTuple):
    job: Job
    ended: Ended
    bots: list[Bot]
    began: float


class Pool:
    """The bots and matches of one worker."""

    def __init__(self, isolation: str, home: str) -> None:
        self.isolation = isolation
        self.home = home  # where bots start
        self.folder = Path(tempfile.mkdtemp(prefix="arena-"))
        self.tokens: dict[str, Identity] = {}
        self.address = f"unix:{self.folder / 'referee'}"
        self.host = LoopbackReferee(self.tokens, address=self.address, on_finished=self.finished)
        self.host.__enter__()
        command = [sys.executable, "-m", "arena.agents.launcher"]
        self.launcher = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.listener = threading.Thread(target=self.listen, daemon=True)
        self.listener.start()
        self.bots: dict[str, Bot] = {}  # by agent
        self.pooled: dict[str, Bot] = {}  # by specification
        self.waiting: deque[Hosted] = deque()
        self.open: dict[str, Hosted] = {}  # by fixture
        self.is_ticking = self.is_closed = False

    def play(self, jobs: list[Job], ended: Ended) -> None:
        """Plays them, as many at once as may be; tells each outcome as it comes."""
        self.host.loop.call_soon_threadsafe(self.add, jobs, ended)

    def close(self) -> None:
        """Stops all bots, and gives up what is being played."""
        assert self.launcher.stdin is not None
        self.is_closed = True
        with contextlib.suppress(OSError):
            self.launcher.stdin.close()
        self.launcher.wait()
        self.listener.join()
        self.host.__exit__(None, None, None)
        shutil.rmtree(self.folder, ignore_errors=True)

    # On the loop

    def add(self, jobs: list[Job], ended: Ended) -> None:
        for job in jobs:
            self.waiting.append(Hosted(job, ended, [], time.monotonic()))
        self.tick()

    def tick(self) -> None:
        """Opens what can be opened, and looks again soon while something waits for its bots."""
        self.is_ticking = False
        for bot in self.bots.values():
            desk = self.host.referee.desk(bot.agent)
            overdue = time.monotonic() - bot.started > START_SECONDS
            if bot.starts and overdue and desk.stream is None and not desk.given_up:
                self.lose(bot, f"did not connect within {START_SECONDS:g} s")
        while self.waiting and len(self.open) < AT_ONCE:
            hosted = self.waiting[0]
            if not hosted.bots:
                hosted.bots.extend(self.seat(hosted.job))
            if not all(self.is_ready(bot) for bot in hosted.bots):
                break
            self.waiting.popleft()
            self.begin(hosted)
        if self.waiting and not self.is_ticking:
            self.is_ticking = True
            self.host.loop.call_later(TICK_SECONDS, self.tick)

    def begin(self, hosted: Hosted) -> None:
        job = hosted.job
        self.open[job.fixture] = hosted
        try:
            self.host.referee.create(
                job.variant,
                [bot.agent for bot in hosted.bots],
                job.options,
                job.fixture,
                read_time_control(job.time_control),
                keys=job.keys,
                names=job.names,
            )
        except ValueError as error:
            self.end(hosted, Outcome(job.fixture, job.attempt, error=str(error)))

    def finished(self, finished: Finished) -> None:
        """The referee tells that a match is over; writing its record takes a while, and is done aside."""
        self.host.referee.finished.pop(finished.match.match_id, None)
        hosted = self.open.get(finished.match.match_id)
        if hosted is not None:
            self.host.loop.run_in_executor(None, self.tell, hosted, finished)

    def tell(self, hosted: Hosted, finished: Finished) -> None:
        job = hosted.job
        if finished.record is None:
            told = Outcome(job.fixture, job.attempt, error="the worker was stopped")
        else:
            sidecar = finished.sidecar
            seconds = time.monotonic() - hosted.began
            told = outcome(job, finished.record, sidecar.SerializeToString(), len(sidecar.times), seconds)
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self.host.loop.call_soon_threadsafe(self.end, hosted, told)

    def end(self, hosted: Hosted, told: Outcome) -> None:
        self.open.pop(hosted.job.fixture, None)
        if self.isolation == FRESH:
            for bot in hosted.bots:
                self.dismiss(bot)
        hosted.ended(told)
        self.tick()

    # Bots

    def seat(self, job: Job) -> Iterator[Bot]:
        for spec in job.bots:
            bot = self.pooled.get(spec)
            if bot is None:
                bot = Bot(f"bot-{secrets.token_hex(4)}", spec)
                self.bots[bot.agent] = bot
                self.tokens[bot.token] = Identity(bot.agent, Role.AUTHOR)
                self.start(bot)
                if self.isolation != FRESH:
                    self.pooled[spec] = bot
            yield bot

    def is_ready(self, bot: Bot) -> bool:
        desk = self.host.referee.desk(bot.agent)
        return desk.stream is not None or desk.given_up != ""

    def start(self, bot: Bot) -> None:
        bot.starts += 1
        bot.started = time.monotonic()
        self.order(
            start=bot.agent,
            command=command_of(bot.spec),
            folder=self.home,
            env={"ARENA_SERVER": self.address, "ARENA_TOKEN": bot.token},
            log=str(self.log_of(bot)),
        )

    def dismiss(self, bot: Bot) -> None:
        self.bots.pop(bot.agent, None)
        self.tokens.pop(bot.token, None)
        self.host.referee.desks.pop(bot.agent, None)
        self.order(stop=bot.agent)

    def lose(self, bot: Bot, why: str) -> None:
        """The bot is given up; its seats go to the caretaker."""
        said = self.log_of(bot).read_text(errors="replace").split("\n") if self.log_of(bot).exists() else []
        last = next((line.strip() for line in reversed(said) if line.strip()), "")
        about = f"bot {bot.spec} {why}" + (f"; it last said: {last[:200]}" if last else "")
        self.host.referee.desk(bot.agent).give_up(about)

    def log_of(self, bot: Bot) -> Path:
        return self.folder / f"{bot.agent}.log"

    # The launcher

    def order(self, **order: Any) -> None:
        assert self.launcher.stdin is not None
        self.launcher.stdin.write(json.dumps(order) + "\n")
        self.launcher.stdin.flush()

    def listen(self) -> None:
        """Runs in a thread of its own."""
        assert self.launcher.stdout is not None
        with self.launcher.stdout as lines:
            for line in lines:
                with contextlib.suppress(RuntimeError):
                    self.host.loop.call_soon_threadsafe(self.hear, json.loads(line))

    def hear(self, news: dict[str, Any]) -> None:
        bot = self.bots.get(news.get("ended") or news.get("failed") or "")
        if bot is None or self.is_closed:
            return
        if "failed" in news:
            self.lose(bot, f"cannot be started: {news['why']}")
        elif bot.starts < STARTS:
            self.start(bot)
        else:
            self.lose(bot, f"has ended {STARTS} times, at last with exit code {news['code']}")


def command_of(spec: str) -> list[str]:
    """What starts the bot; it finds the referee and its token in the environment."""
    if spec.startswith(COMMAND):
        return shlex.split(spec.removeprefix(COMMAND))
    return [sys.executable, "-m", "arena", "bot", "run", spec, "--quiet"]
