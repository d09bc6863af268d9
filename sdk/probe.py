"""Probe: the client that the conformance check plays a bot with, in a thread of its own."""

import asyncio
import contextlib
import threading
import time
from typing import Final

import grpc

from conquest.v1.referee_pb2 import Action, MatchStarted, PlayRequest, PlayResponse
from conquest.v1.referee_pb2 import Decision as Asked
from engine.playout import BotFault
from engine.rules.choices import VERB_SHIFT
from sdk.agent import Decision, MatchInfo
from sdk.client import ENDED, Client, PlayCall
from sdk.local import BotLoadError, BotSpec
from sdk.player import Player

SETTLE_SECONDS: Final = 0.2


class Dropped(Exception):
    """The check cuts the stream."""


class Probe(Client):
    """A client that notes what its bot is asked, and lets things go wrong when told to."""

    def __init__(self, bot: BotSpec, address: str, token: str) -> None:
        super().__init__(bot, address, token)
        self.tested = bot
        self.agent = ""  # its name on the referee
        self.streams = 0
        self.asked: dict[str, set[int]] = {}  # verbs by variant
        self.matches: dict[int, MatchInfo] = {}
        self.refusals: set[int] = set()
        self.broken: list[str] = []  # what the bot did wrong when it was asked beside a leader
        self.mishap = ""  # what is to go wrong in the first round
        self.held: list[Asked] = []  # to be answered too late: when something else is asked
        self.thinks_since = 0.0

    async def play(self, channel: grpc.aio.Channel) -> int | None:
        with contextlib.suppress(Dropped):
            return await super().play(channel)
        return None

    async def take(self, message: PlayResponse, call: PlayCall) -> None:
        if message.HasField("welcome"):
            self.agent = message.welcome.agent
            self.streams += 1
        self.refusals |= {refusal.reason for refusal in message.refusals}
        await super().take(message, call)

    def start(self, started: MatchStarted) -> None:
        super().start(started)
        r = self.seats[started.handle].ruleset
        agents = tuple(started.agents)
        self.matches[started.handle] = MatchInfo(started.match_id, r, started.seat, agents)

    async def answer_all(self, asked: list[Asked], call: PlayCall) -> None:
        if self.mishap and asked[0].observation.round >= 1:
            mishap, self.mishap = self.mishap, ""
            await self.go_wrong(mishap, asked[0], call)
            if mishap == "late":
                self.held = asked
                return
        held, self.held = self.held, []
        await super().answer_all([*held, *asked], call)
        self.thinks_since = 0.0

    async def go_wrong(self, mishap: str, asked: Asked, call: PlayCall) -> None:
        if mishap == "illegal":
            wrong = Action(handle=asked.handle, number=asked.number, option=10_000)
            await call.write(PlayRequest(actions=[wrong]))
        elif mishap == "raise":
            self.seats[asked.handle].broken = "the check told the bot to fail"
        elif mishap == "restart":
            self.seats.clear()
            raise Dropped
        elif mishap == "drop":
            raise Dropped

    def read(self, asked: Asked) -> tuple[Player, Decision]:
        self.thinks_since = time.monotonic()
        player, decision = super().read(asked)
        verbs = {code >> VERB_SHIFT for code in decision.codes}
        known = self.asked.setdefault(decision.ruleset.variant, set())
        if self.bot is not self.tested and verbs - known:
            self.ask_beside(asked)
        known |= verbs
        return player, decision

    def ask_beside(self, asked: Asked) -> None:
        """Asks a new bot what the leader is asked, as if it had been started in the middle of the match."""
        _, decision = super().read(asked)
        try:
            player = Player(self.tested.name, self.tested.new(1))
            player.start(self.matches[asked.handle])
            player.decide(decision)
        except (BotFault, BotLoadError) as fault:
            self.broken.append(str(fault))

    def thinks_for(self) -> float:
        """Seconds since it was asked what it has not answered yet."""
        since = self.thinks_since
        return time.monotonic() - since if since else 0.0


class Running:
    """A client in a thread of its own, so that a bot which never answers stops nothing but itself."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.code: int | None = None
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self.run, name=f"client of {client.bot.name}", daemon=True)
        self.thread.start()
        self.ready.wait()

    def run(self) -> None:
        self.code = asyncio.run(self.main())

    async def main(self) -> int:
        self.loop, self.task = asyncio.get_running_loop(), asyncio.current_task()
        self.ready.set()
        try:
            return await self.client.run()
        except asyncio.CancelledError:
            return ENDED
        finally:
            await asyncio.sleep(SETTLE_SECONDS)  # gRPC still has to say that the stream is closed

    def stop(self) -> None:
        if self.task is not None and self.thread.is_alive():
            self.loop.call_soon_threadsafe(self.task.cancel)
            self.thread.join(timeout=1.0)
