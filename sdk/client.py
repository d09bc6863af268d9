"""Client: plays all matches of an agent over one stream of a referee, and comes back when the stream is lost.

Decisions are answered one after another in the order in which they came. Answers leave together, but none waits
longer than FLUSH_SECONDS of thinking.
"""

import asyncio
import logging
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import grpc

from conquest.v1.error_pb2 import ErrorReason
from conquest.v1.record_pb2 import ConductKind
from conquest.v1.referee_pb2 import (
    Action,
    Hello,
    MatchFinished,
    MatchStarted,
    PlayRequest,
    PlayResponse,
    StandingOrders,
    Welcome,
)
from conquest.v1.referee_pb2 import Decision as Asked
from engine import codec
from engine.address import is_loopback
from engine.playout import BotFault
from engine.rules.choices import Action as Planned
from engine.rules.ruleset import Ruleset
from engine.rules.state import ENDINGS
from engine.rules.variants import ruleset
from sdk.agent import Answer, Decision, MatchEnd, MatchInfo
from sdk.local import BotLoadError, BotSpec
from sdk.player import Player, decides_in_batches, hears_events, told

log = logging.getLogger(__name__)

API_VERSION: Final = 1
METHOD: Final = "/conquest.v1.RefereeService/Play"
FLUSH_SECONDS: Final = 0.005
FIRST_WAIT, LONGEST_WAIT = 0.1, 10.0
NOTE_BYTES: Final = 200
MOST_NUMBER: Final = 2**32 - 1
REASON_KEY: Final = "conquest-reason"

# Exit codes of a client, as of the commands.
ENDED, FAILED, WRONG_USE, REPLACED = 0, 1, 2, 4
FINAL_STATUS: Final = (
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.UNIMPLEMENTED,
)

PlayCall = grpc.aio.StreamStreamCall[PlayRequest, PlayResponse]


class Wishes(NamedTuple):
    """What a client asks for in its Hello."""

    matches_at_once: int = 0
    in_flight: int = 0
    defence_dice: int = 0
    pass_if_not_target: bool = False


NO_WISHES: Final = Wishes()


class Seat:
    """A seat in a match, with the agent that plays it."""

    def __init__(self, player: Player | None, r: Ruleset, broken: str = "") -> None:
        self.player = player
        self.ruleset = r
        self.broken = broken  # why there is no sound player; told with the next decision


class Client:
    """A bot on a referee. `run` gives an exit code when there is nothing more to do."""

    def __init__(
        self,
        bot: BotSpec,
        address: str,
        token: str,
        wishes: Wishes = NO_WISHES,
        authority: Path | None = None,
        plain: bool | None = None,
        patience: float = 60.0,
    ) -> None:
        """`authority` is a file of certificates to trust; `plain` speaks without TLS, the default on loopback."""
        self.bot = bot
        self.address = address
        self.token = token
        self.wishes = wishes
        self.authority = authority
        self.plain = is_loopback(address) if plain is None else plain
        self.patience = patience  # seconds without a referee before it gives up
        self.epoch = 0  # which start of the referee the seats are of
        self.seats: dict[int, Seat] = {}
        self.finished = 0
        self.faults = 0
        self.lapse = ""  # the last thing that the bot did wrong and that cost it nothing
        self.answered = 0
        self.heard = 0.0  # when the referee last said something

    # The stream

    async def run(self) -> int:
        """Plays until it is told to leave for good; reconnects with back-off while there is hope."""
        wait, lost = FIRST_WAIT, time.monotonic()
        while True:
            try:
                async with self.channel() as channel:
                    code = await self.play(channel)
            except grpc.aio.AioRpcError as error:
                code = self.judge(error)
            if code is not None:
                return code
            if self.heard > lost:
                wait, lost = FIRST_WAIT, time.monotonic()
            if time.monotonic() - lost > self.patience:
                log.error("no referee at %s for %.0f s; giving up", self.address, self.patience)
                return FAILED
            await asyncio.sleep(wait * random.uniform(0.5, 1.0))
            wait = min(wait * 2, LONGEST_WAIT)

    def channel(self) -> grpc.aio.Channel:
        options = [("grpc.max_receive_message_length", -1), ("grpc.keepalive_time_ms", 20_000)]
        if self.plain:
            return grpc.aio.insecure_channel(self.address, options=options)
        trusted = self.authority.read_bytes() if self.authority is not None else None
        return grpc.aio.secure_channel(self.address, grpc.ssl_channel_credentials(trusted), options=options)

    def judge(self, error: grpc.aio.AioRpcError) -> int | None:
        """The exit code that the error means; None to try again."""
        reason = dict(error.trailing_metadata() or ()).get(REASON_KEY, "")
        if reason == "REPLACED":
            log.error("%s", error.details())
            return REPLACED
        if error.code() in FINAL_STATUS:
            log.error("%s", error.details())
            return WRONG_USE
        log.warning("no stream to %s (%s); trying again", self.address, error.details())
        return None

    async def play(self, channel: grpc.aio.Channel) -> int | None:
        """One stream, from hello to its end."""
        open_stream: Any = channel.stream_stream(
            METHOD, request_serializer=PlayRequest.SerializeToString, response_deserializer=PlayResponse.FromString
        )
        call: PlayCall = open_stream(metadata=(("authorization", f"Bearer {self.token}"),))
        await call.write(PlayRequest(hello=self.hello()))
        async for message in call:
            await self.take(message, call)
            if message.HasField("goodbye"):
                return self.farewell(message)
        return None

    def hello(self) -> Hello:
        wishes = self.wishes
        return Hello(
            api_version=API_VERSION,
            client=f"conquest-arena sdk, {self.bot.name}",
            matches_at_once=wishes.matches_at_once,
            in_flight=wishes.in_flight,
            events=hears_events(self.bot.agent),
            orders=StandingOrders(defence_dice=wishes.defence_dice, pass_if_not_target=wishes.pass_if_not_target),
        )

    def farewell(self, message: PlayResponse) -> int | None:
        if message.goodbye.reason == ErrorReason.ERROR_REASON_SHUTDOWN:
            log.warning("%s; trying again", message.goodbye.message)
            return None  # it may come back
        log.error("%s", message.goodbye.message)
        return REPLACED if message.goodbye.reason == ErrorReason.ERROR_REASON_REPLACED else FAILED

    async def take(self, message: PlayResponse, call: PlayCall) -> None:
        """The parts of a message in the order of their numbers; but a ping is answered first."""
        self.heard = time.monotonic()
        if message.HasField("ping"):
            await call.write(PlayRequest(pong={"nonce": message.ping.nonce}))
        if message.HasField("welcome"):
            self.enter(message.welcome)
        for started in message.started:
            self.start(started)
        if message.decisions:
            await self.answer_all(list(message.decisions), call)
        for refusal in message.refusals:
            log.warning("refused: %s", refusal.message)
        for finished in message.finished:
            self.finish(finished)
        for aborted in message.aborted:
            self.seats.pop(aborted.handle, None)
            log.info("a match was given up: %s", aborted.message)

    def enter(self, welcome: Welcome) -> None:
        log.info("connected to %s as %s", welcome.server, welcome.agent)
        if welcome.epoch != self.epoch:
            self.seats.clear()  # the referee was started anew: it knows nothing of its old matches
        self.epoch = welcome.epoch

    # Matches

    def start(self, started: MatchStarted) -> None:
        if started.handle in self.seats:
            return  # it goes on after a reconnect, and its agent knows
        options = {option.name: int(option.value) for option in started.options}
        r = ruleset(started.variant, len(started.agents), {**options, "rounds": started.round_limit})
        if r.version != started.rules_version:
            log.error(
                "%s has version %d of its rules there and %d here: install the same version of conquest-arena",
                *(started.variant, started.rules_version, r.version),
            )
        try:
            player = Player(self.bot.name, self.bot.new(started.agent_seed))
            seat = Seat(player, r)
            player.start(MatchInfo(started.match_id, r, started.seat, tuple(started.agents)))
        except (BotLoadError, BotFault) as error:
            seat = Seat(None if isinstance(error, BotLoadError) else player, r, str(error))
        self.seats[started.handle] = seat

    def finish(self, finished: MatchFinished) -> None:
        self.finished += 1
        seat = self.seats.pop(finished.handle, None)
        if seat is None or seat.player is None:
            return
        try:
            seat.player.hear(codec.read_events(finished.events))
            seat.player.end(MatchEnd(tuple(finished.result.places), ENDINGS[finished.result.ending]))
        except BotFault as fault:
            self.overlook(fault.detail)

    def overlook(self, what: str) -> None:
        """The bot did something wrong that costs it nothing."""
        self.lapse = what
        log.error("%s", what)

    # Decisions

    async def answer_all(self, asked: list[Asked], call: PlayCall) -> None:
        ready = PlayRequest()
        if decides_in_batches(self.bot.agent):
            self.answer_together(asked, ready)
            asked = []
        flushed = time.perf_counter()
        for one in asked:
            self.answer(one, ready)
            if time.perf_counter() - flushed > FLUSH_SECONDS:
                await call.write(ready)
                ready = PlayRequest()
                flushed = time.perf_counter()
        if ready.actions:
            await call.write(ready)

    def answer(self, asked: Asked, ready: PlayRequest) -> None:
        began = time.perf_counter()
        try:
            player, decision = self.read(asked)
        except BotFault as fault:
            self.report(asked, fault, ready)
        else:
            self.decide(asked, player, decision, ready, began)

    def decide(self, asked: Asked, player: Player, decision: Decision, ready: PlayRequest, began: float) -> None:
        try:
            answer = player.decide(decision)
        except BotFault as fault:
            self.report(asked, fault, ready)
        else:
            self.send(asked, answer, int((time.perf_counter() - began) * 1e6), ready)

    def answer_together(self, asked: list[Asked], ready: PlayRequest) -> None:
        """Hands all decisions to the agent at once; if that fails, it is asked one by one."""
        began = time.perf_counter()
        read: list[tuple[Asked, Player, Decision]] = []
        for one in asked:
            try:
                read.append((one, *self.read(one)))
            except BotFault as fault:
                self.report(one, fault, ready)
        if not read:
            return
        try:
            answers: list[Any] = list(
                self.bot.agent.decide_batch([(player.agent, decision) for _, player, decision in read])
            )
            checked = [
                player.checked(decision.codes, answer)
                for (_, player, decision), answer in zip(read, answers, strict=True)
            ]
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            self.overlook(f"decide_batch failed, so each is asked alone: {told(error, self.bot.agent)}")
            for one, player, decision in read:
                self.decide(one, player, decision, ready, time.perf_counter())
            return
        thinking = int((time.perf_counter() - began) * 1e6 / len(asked))
        for (one, _, _), answer in zip(read, checked, strict=True):
            self.send(one, answer, thinking, ready)

    def send(self, asked: Asked, answer: Answer, thinking_us: int, ready: PlayRequest) -> None:
        self.answered += 1
        fill(ready.actions.add(handle=asked.handle, number=asked.number, thinking_us=thinking_us), answer)

    def read(self, asked: Asked) -> tuple[Player, Decision]:
        seat = self.seats[asked.handle]
        broken, seat.broken = seat.broken, seat.broken if seat.player is None else ""
        if broken or seat.player is None:
            raise BotFault(ConductKind.CONDUCT_KIND_CRASH, broken)
        if asked.HasField("events"):
            seat.player.hear(codec.read_events(asked.events))
        r, sent = seat.ruleset, asked.observation
        codes = codec.read_options(asked.options)
        decision = Decision(
            r, lambda: codec.read_observation(r, sent), codes, asked.bank_ms / 1000, asked.limit_ms / 1000
        )
        return seat.player, decision

    def report(self, asked: Asked, fault: BotFault, ready: PlayRequest) -> None:
        """The decision is forfeited, and the referee learns why; the process goes on."""
        self.faults += 1
        self.answered += 1
        log.error("%s", fault.detail)
        action = ready.actions.add(handle=asked.handle, number=asked.number)
        action.fault.kind = fault.kind  # type: ignore[assignment]
        action.fault.detail = fault.detail


def fill(action: Action, answer: Answer) -> None:
    action.option = answer.option
    action.amount = answer.amount
    if answer.note:
        action.note = answer.note.encode(errors="replace")[:NOTE_BYTES].decode(errors="ignore")
    if answer.plan:
        add_plan(action, answer.plan)


def add_plan(action: Action, plan: Sequence[Planned]) -> None:
    for one in plan:
        if min(one) < 0 or max(one) > MOST_NUMBER:
            return  # no option has such a part: the plan would end there
        action.plan.append(codec.write_planned(one))
