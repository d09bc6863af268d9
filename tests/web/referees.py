"""A referee with agents that take their time, in threads: it can be stopped, and started again where it was."""

import asyncio
import threading
import time
from types import TracebackType
from typing import Self

from arena.loopback import LoopbackReferee
from conquest.v1.record_pb2 import MatchRecord
from engine import record
from engine.referee.auth import Identity, Role
from leaderboard.web.referee import Dial
from sdk.agent import Answer, Decision
from sdk.client import Client
from sdk.local import BotSpec, load_bot
from sdk.remote import Remote

AGENTS = ["ann", "bob", "cat"]
ORGANISER = "organiser"


def slowly(seconds: float) -> BotSpec:
    """A bot that waits before each answer."""
    quick = load_bot("aggressor")

    class Slow(quick.agent):  # type: ignore[name-defined,misc]
        def decide(self, decision: Decision) -> Answer:
            time.sleep(seconds)
            answer: Answer = super().decide(decision)
            return answer

    return BotSpec("slow", Slow, built_in=False)


class Games:
    """Use it with `with`. Agents that lose the referee dial again."""

    def __init__(self, seconds: float = 0.003) -> None:
        tokens = {name: Identity(name, Role.AUTHOR) for name in AGENTS}
        self.tokens = tokens | {ORGANISER: Identity("olga", Role.ORGANISER)}
        self.bot = slowly(seconds)
        self.address = "127.0.0.1:0"
        self.playing = threading.Thread(target=self.run, name="agents", daemon=True)

    @property
    def dial(self) -> Dial:
        return Dial(self.address, ORGANISER)

    def __enter__(self) -> Self:
        self.start()
        self.playing.start()
        self.until_connected()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.loop.call_soon_threadsafe(self.over.set)
        self.playing.join(20)
        self.stop()

    def start(self) -> None:
        self.referee = LoopbackReferee(self.tokens, address=self.address)
        self.referee.__enter__()
        self.address = self.referee.address
        self.is_up = True

    def stop(self) -> None:
        if self.is_up:
            self.referee.__exit__(None, None, None)
            self.is_up = False

    def run(self) -> None:
        asyncio.run(self.play())

    async def play(self) -> None:
        self.loop, self.over = asyncio.get_running_loop(), asyncio.Event()
        clients = [Client(self.bot, self.address, name) for name in AGENTS]
        tasks = [asyncio.create_task(client.run()) for client in clients]
        await self.over.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def until_connected(self) -> None:
        end = time.monotonic() + 30
        with Remote(self.address, ORGANISER) as remote:
            while len(remote.agents()) < len(AGENTS):
                assert time.monotonic() < end, "the agents do not come"
                time.sleep(0.02)

    def create(self, match_id: str, rounds: int = 6, seed: int | None = None) -> None:
        with Remote(self.address, ORGANISER) as remote:
            remote.create("classic", AGENTS, {"rounds": rounds}, match_id, seed=seed)

    def record(self, match_id: str) -> MatchRecord:
        with Remote(self.address, ORGANISER) as remote:
            return record.read(remote.record(match_id).record)
