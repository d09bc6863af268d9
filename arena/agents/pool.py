"""Matches of bot processes: a referee on a Unix socket, and a launcher that starts the bots.

Everything here happens on the referee's loop; `play` may be called from any thread. Pooled, a bot is one process
for all its matches; fresh, it is a new one for each match.
"""

import asyncio
import contextlib
import json
import os
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from arena.job import COMMAND, FRESH, Job, Outcome, outcome
from arena.loopback import LoopbackReferee
from conquest.v1.match_pb2 import Log
from engine.referee.auth import Identity, Role
from engine.referee.clock import read_time_control
from engine.referee.host import Finished

AT_ONCE: Final = 64  # matches
STARTS: Final = 3  # of one bot process that ends by itself
START_SECONDS: Final = 30.0
TICK_SECONDS: Final = 0.02
LOG_BYTES: Final = 4096  # of what a bot writes during a match; the end of it is kept
LAUNCHER_DIED: Final = "the process that starts the bots has died"

Ended = Callable[[Outcome], None]


class Bot:
    """A bot process, as an agent of the referee."""

    def __init__(self, agent: str, spec: str) -> None:
        self.agent = agent
        self.spec = spec
        self.token = secrets.token_urlsafe()
        self.starts = 0
        self.started = 0.0
        self.pid = 0  # while it runs


class Hosted:
    """A match, from the time it is asked for until its outcome is told."""

    def __init__(self, job: Job, ended: Ended) -> None:
        self.job = job
        self.ended = ended
        self.bots: list[Bot] = []
        self.logs: list[int] = []  # how long the log of each seat was when it began
        self.began = 0.0
        self.is_told = False


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
        self.launcher: subprocess.Popen[str] | None = None  # started with the first bot
        self.listener: threading.Thread | None = None
        self.bots: dict[str, Bot] = {}  # by agent
        self.pooled: dict[str, Bot] = {}  # by specification
        self.waiting: deque[Hosted] = deque()
        self.open: dict[str, Hosted] = {}  # by fixture
        self.timer: asyncio.TimerHandle | None = None  # of the next tick
        self.is_closed = False

    def play(self, jobs: list[Job], ended: Ended) -> None:
        """Plays them, as many at once as may be; tells each outcome as it comes."""
        self.host.loop.call_soon_threadsafe(self.add, jobs, ended)

    def close(self) -> None:
        """Stops all bots, and gives up what is being played."""
        self.is_closed = True
        self.host.__exit__(None, None, None)
        self.close_orders()
        if self.listener is not None:
            self.listener.join()
        shutil.rmtree(self.folder, ignore_errors=True)

    def on_loop(self, call: Callable[..., None], *words: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self.host.loop.call_soon_threadsafe(call, *words)

    # On the loop

    def add(self, jobs: list[Job], ended: Ended) -> None:
        self.waiting.extend([Hosted(job, ended) for job in jobs])
        self.tick_in(0.0)

    def tick_in(self, seconds: float) -> None:
        """There is never more than one next tick."""
        if self.timer is not None:
            self.timer.cancel()
        self.timer = self.host.loop.call_later(seconds, self.tick)

    def tick(self) -> None:
        """Opens what can be opened, and looks again soon while something waits for its bots."""
        for bot in self.bots.values():
            desk = self.host.referee.desk(bot.agent)
            overdue = time.monotonic() - bot.started > START_SECONDS
            if bot.starts and overdue and desk.stream is None and not desk.given_up:
                self.lose(bot, f"did not connect within {START_SECONDS:g} s")
        while self.waiting and len(self.open) < AT_ONCE:
            hosted = self.waiting[0]
            try:
                if not self.is_ready(hosted):
                    break
                self.begin(hosted)
            except Exception as error:
                self.fail(hosted, str(error))
            self.waiting.popleft()
        if self.waiting:
            self.tick_in(TICK_SECONDS)

    def is_ready(self, hosted: Hosted) -> bool:
        """Whether its bots are there and take another match, or will never be there; starts those it needs."""
        if not hosted.bots:
            hosted.bots.extend(self.seat(hosted.job))
        for bot in hosted.bots:
            desk = self.host.referee.desk(bot.agent)
            is_full = desk.seats and len(desk.seats) + hosted.bots.count(bot) > desk.matches_at_once
            if not desk.given_up and (desk.stream is None or is_full):
                return False
        return True

    def begin(self, hosted: Hosted) -> None:
        job = hosted.job
        self.open[job.fixture] = hosted
        hosted.began = time.monotonic()
        hosted.logs = [size_of(self.log_of(bot)) for bot in hosted.bots]
        self.host.referee.create(
            job.variant,
            [bot.agent for bot in hosted.bots],
            job.options,
            job.fixture,
            read_time_control(job.time_control),
            keys=job.keys,
            names=job.names,
        )

    def finished(self, finished: Finished) -> None:
        """The referee tells that a match is over; writing its record takes a while, and is done aside."""
        self.host.referee.finished.pop(finished.match.match_id, None)
        hosted = self.open.get(finished.match.match_id)
        if hosted is not None:
            self.host.loop.run_in_executor(None, self.tell, hosted, finished)

    def tell(self, hosted: Hosted, finished: Finished) -> None:
        job = hosted.job
        try:
            if finished.record is None:
                told = Outcome(job.fixture, job.attempt, error="the referee gave the match up")
            else:
                sidecar = finished.sidecar
                sidecar.logs.extend(self.logs_of(hosted))
                seconds = time.monotonic() - hosted.began
                told = outcome(job, finished.record, sidecar.SerializeToString(), len(sidecar.times), seconds)
        except Exception as error:
            told = Outcome(job.fixture, job.attempt, error=f"its record cannot be written: {error}")
        self.on_loop(self.end, hosted, told)

    def fail(self, hosted: Hosted, why: str) -> None:
        """There is no match, through no fault of the bots."""
        self.end(hosted, Outcome(hosted.job.fixture, hosted.job.attempt, error=why))

    def end(self, hosted: Hosted, told: Outcome) -> None:
        if hosted.is_told:
            return  # it was given up while its record was written
        hosted.is_told = True
        self.open.pop(hosted.job.fixture, None)
        if self.isolation == FRESH:
            for bot in hosted.bots:
                self.dismiss(bot)
        hosted.ended(told)
        self.tick_in(0.0)

    # Bots

    def seat(self, job: Job) -> Iterator[Bot]:
        for spec in job.bots:
            bot = self.pooled.get(spec)
            if bot is None:
                bot = Bot(f"bot-{secrets.token_hex(4)}", spec)
                self.start(bot)
                self.bots[bot.agent] = bot
                self.tokens[bot.token] = Identity(bot.agent, Role.AUTHOR)
                if self.isolation != FRESH:
                    self.pooled[spec] = bot
            yield bot

    def start(self, bot: Bot) -> None:
        if self.launcher is None:
            self.launch()
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
        self.log_of(bot).unlink(missing_ok=True)

    def lose(self, bot: Bot, why: str) -> None:
        """The bot is given up; its seats go to the caretaker."""
        said = self.log_of(bot).read_text(errors="replace").split("\n") if self.log_of(bot).exists() else []
        last = next((line.strip() for line in reversed(said) if line.strip()), "")
        about = f"bot {bot.spec} {why}" + (f"; it last said: {last[:200]}" if last else "")
        self.host.referee.desk(bot.agent).give_up(about)

    def log_of(self, bot: Bot) -> Path:
        return self.folder / f"{bot.agent}.log"

    def logs_of(self, hosted: Hosted) -> Iterator[Log]:
        """What the bots wrote while the match was played; a pooled bot may have meant another one."""
        for seat, (bot, start) in enumerate(zip(hosted.bots, hosted.logs, strict=True)):
            text = end_of(self.log_of(bot), start)
            if text:
                yield Log(seat=seat, text=text)

    # The launcher

    def order(self, **order: Any) -> None:
        if self.launcher is not None and self.launcher.stdin is not None:
            with contextlib.suppress(OSError):  # it has died: we shall hear of it
                self.launcher.stdin.write(json.dumps(order) + "\n")
                self.launcher.stdin.flush()

    def launch(self) -> None:
        command = [sys.executable, "-m", "arena.agents.launcher", str(self.folder)]
        self.launcher = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        self.listener = threading.Thread(target=self.listen, args=(self.launcher,), daemon=True)
        self.listener.start()

    def close_orders(self) -> None:
        """The launcher ends."""
        if self.launcher is not None and self.launcher.stdin is not None:
            with contextlib.suppress(OSError):
                self.launcher.stdin.close()

    def listen(self, launcher: "subprocess.Popen[str]") -> None:
        """Runs in a thread of its own."""
        assert launcher.stdout is not None
        launcher.wait()  # it goes on as a process that is nobody's child
        with launcher.stdout as lines:
            for line in lines:
                self.on_loop(self.hear, json.loads(line))
        self.on_loop(self.launcher_ended)

    def launcher_ended(self) -> None:
        """All bots are gone with it: gives up their matches. The next bot that is needed starts another one."""
        if self.is_closed:
            return
        self.close_orders()
        self.launcher = None
        given_up = [*self.open.values(), *self.waiting]
        self.open.clear()
        self.waiting.clear()
        self.host.referee.abort_all(LAUNCHER_DIED)
        for bot in list(self.bots.values()):
            self.dismiss(bot)
            if bot.pid:
                with contextlib.suppress(OSError):
                    os.killpg(bot.pid, signal.SIGKILL)  # what it has started itself
        self.pooled.clear()
        for hosted in given_up:
            self.fail(hosted, LAUNCHER_DIED)

    def hear(self, news: dict[str, Any]) -> None:
        bot = self.bots.get(news.get("started") or news.get("ended") or news.get("failed") or "")
        if bot is None or self.is_closed:
            return
        bot.pid = news.get("pid", 0)
        if "failed" in news:
            self.lose(bot, f"cannot be started: {news['why']}")
        elif "ended" in news and bot.starts < STARTS:
            self.start(bot)
        elif "ended" in news:
            self.lose(bot, f"has ended {STARTS} times, at last with exit code {news['code']}")


def size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def end_of(path: Path, start: int) -> str:
    """What was written after that byte, or the end of it in whole lines."""
    size = size_of(path)
    if size <= start:
        return ""
    with path.open("rb") as file:
        file.seek(max(start, size - LOG_BYTES))
        data = file.read(LOG_BYTES)
    text = data.decode(errors="replace")
    _, newline, rest = text.partition("\n")
    return rest if size - start > LOG_BYTES and newline and rest else text


def command_of(spec: str) -> list[str]:
    """What starts the bot; it finds the referee and its token in the environment."""
    if spec.startswith(COMMAND):
        return shlex.split(spec.removeprefix(COMMAND))
    return [sys.executable, "-m", "arena", "bot", "run", spec, "--quiet"]
