"""Starts and stops bot processes on behalf of a worker: `python -m arena.agents.launcher`.

It is a small process of its own that never loads gRPC, whose threads and files must not be there when a process
forks. Orders come as lines of JSON on stdin, news go as lines of JSON to stdout. When its stdin ends, so do all
bots: a worker that was killed leaves none behind.

    {"start": "a1", "command": ["./bot"], "folder": "/bots", "env": {"ARENA_TOKEN": "..."}, "log": "a1.log"}
    {"stop": "a1"}
    -> {"started": "a1", "pid": 17}   {"ended": "a1", "code": 0}   {"failed": "a1", "why": "no such file"}
"""

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from typing import IO, Any, Final

GRACE_SECONDS: Final = 1.0
POLL_SECONDS: Final = 0.05


class Launcher:
    """The bots that were started and have not ended."""

    def __init__(self, news: IO[str]) -> None:
        self.news = news
        self.bots: dict[str, subprocess.Popen[bytes]] = {}
        self.doomed: dict[str, float] = {}  # those that were told to stop, and when they are killed

    def tell(self, **news: Any) -> None:
        self.news.write(json.dumps(news) + "\n")
        self.news.flush()

    def obey(self, order: dict[str, Any]) -> None:
        if "start" in order:
            self.start(order["start"], order["command"], order["folder"], order["env"], order["log"])
        elif order["stop"] in self.bots:
            self.stop(order["stop"])

    def start(self, name: str, command: list[str], folder: str, env: dict[str, str], log: str) -> None:
        """In a session of its own, so that a signal reaches all that the bot starts itself."""
        try:
            with open(log, "ab") as said:
                self.bots[name] = subprocess.Popen(
                    command,
                    cwd=folder,
                    env=os.environ | env,
                    stdin=subprocess.DEVNULL,
                    stdout=said,
                    stderr=said,
                    start_new_session=True,
                )
        except OSError as error:
            self.tell(failed=name, why=f"{error.filename or command[0]}: {error.strerror}")
        else:
            self.tell(started=name, pid=self.bots[name].pid)

    def reap(self) -> None:
        for name, bot in list(self.bots.items()):
            if time.monotonic() > self.doomed.get(name, float("inf")):
                signal_all(bot, signal.SIGKILL)
            if bot.poll() is not None:
                signal_all(bot, signal.SIGKILL)  # what it has started itself
                del self.bots[name]
                self.doomed.pop(name, None)
                self.tell(ended=name, code=bot.returncode)

    def stop(self, name: str) -> None:
        """SIGTERM first; one that is still there after the grace is killed."""
        signal_all(self.bots[name], signal.SIGTERM)
        self.doomed[name] = time.monotonic() + GRACE_SECONDS

    def stop_all(self) -> None:
        for name in self.bots:
            self.stop(name)
        while self.bots:
            time.sleep(POLL_SECONDS)
            self.reap()


def signal_all(bot: "subprocess.Popen[bytes]", number: int) -> None:
    """To the bot and to whatever it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(bot.pid, number)


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # a Ctrl-C is for the worker, which closes our stdin
    launcher = Launcher(sys.stdout)
    orders = selectors.DefaultSelector()
    orders.register(sys.stdin.fileno(), selectors.EVENT_READ)
    waiting = b""
    while True:
        if orders.select(POLL_SECONDS):
            read = os.read(sys.stdin.fileno(), 1 << 16)
            if not read:
                break
            *lines, waiting = (waiting + read).split(b"\n")
            for line in lines:
                launcher.obey(json.loads(line))
        launcher.reap()
    with contextlib.suppress(BrokenPipeError):
        launcher.stop_all()


if __name__ == "__main__":
    main()
