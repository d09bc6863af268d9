"""Starts and stops bot processes on behalf of a worker: `python -m arena.agents.launcher FOLDER`.

It is a small process of its own that never loads gRPC, whose threads and files must not be there when a process
forks. Orders come as lines of JSON on stdin, news go as lines of JSON to stdout. When its stdin ends, so do all
bots, and the worker's folder is removed: a worker that was killed leaves nothing behind. When it dies itself, the
kernel kills its bots.

    {"start": "a1", "command": ["./bot"], "folder": "/bots", "env": {"ARENA_TOKEN": "..."}, "log": "a1.log"}
    {"stop": "a1"}
    -> {"started": "a1", "pid": 17}   {"ended": "a1", "code": 0}   {"failed": "a1", "why": "no such file"}
"""

import contextlib
import ctypes
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from typing import Any, Final

GRACE_SECONDS: Final = 1.0
POLL_SECONDS: Final = 0.05
SIGNAL_AT_PARENTS_DEATH: Final = 1  # PR_SET_PDEATHSIG of Linux
PRCTL: Final = getattr(ctypes.CDLL(None), "prctl", None)


class Launcher:
    """The bots that were started and have not ended."""

    def __init__(self, news: int) -> None:
        self.news = news  # a file's number
        self.bots: dict[str, subprocess.Popen[bytes]] = {}
        self.doomed: dict[str, float] = {}  # those that were told to stop, and when they are killed

    def tell(self, **news: Any) -> None:
        with contextlib.suppress(BrokenPipeError):  # nobody hears it: our stdin has ended too
            os.write(self.news, json.dumps(news).encode() + b"\n")

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
                    preexec_fn=die_with_parent,
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


def die_with_parent() -> None:
    """Runs in a new process before it becomes the bot; safe, for there are no threads here."""
    if PRCTL is not None:
        PRCTL(SIGNAL_AT_PARENTS_DEATH, signal.SIGKILL)


def signal_all(bot: "subprocess.Popen[bytes]", number: int) -> None:
    """To the bot and to whatever it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(bot.pid, number)


def main(folder: str) -> None:
    if os.fork():
        os._exit(0)  # no child of the worker: Ray kills those with it, before they could clean up
    launcher = Launcher(sys.stdout.fileno())
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
    launcher.stop_all()
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1])
