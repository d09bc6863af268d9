"""A running match as it happens: one Watch at the referee, a film of it, and any number of readers."""

import asyncio
import logging
import secrets
from typing import Any, Final

import grpc

from conquest.v1.match_pb2 import Match
from conquest.v1.referee_pb2 import WatchResponse
from engine.codec import read_events
from engine.record import RecordError
from engine.rules.ruleset import Ruleset
from engine.rules.variants import ruleset
from leaderboard.film import Film, film_of
from leaderboard.web.referee import Referee
from leaderboard.web.streams import Source, message

log = logging.getLogger(__name__)

TELL_SECONDS: Final = 0.1  # frames of so long are told together
FIRST_WAIT: Final = 0.5  # seconds before a referee that is gone is dialled again; doubled each time
LONGEST_WAIT: Final = 8.0
FULL: Final = 256  # events: a batch of a referee that has as many may end in the middle of an action
GONE: Final = "The referee does not answer. This page goes on as soon as it does."
UNKNOWN: Final = "The referee does not know this match, or not any more."


class AnotherMatch(Exception):
    """The referee was started anew, and plays another match under the same name."""


class WatchedMatch(Source):
    """Readers are told

    - `snapshot`: a film, to begin with or after having fallen behind;
    - `frames`: `{"frames": […], "turns": […]}`, what `Film.since` gives;
    - `notice`: `{"message": …}`, empty once all is well again;
    - `end`: `{"result": …}`, null with a `message` if nobody will know it.
    """

    def __init__(self, referee: Referee, match_id: str) -> None:
        super().__init__()
        self.referee = referee
        self.match_id = match_id
        self.notice = ""
        self.last: bytes | None = None  # the `end`, once it is over
        self.known = asyncio.Event()  # a film is there, or it is over
        self.begin(None)

    def begin(self, film: Film | None) -> None:
        self.film = film
        self.whole: dict[str, Any] | None = None  # the film of the record, if the match was over already
        self.commitment = b""
        self.heard = 0  # events
        self.told = 0  # frames
        self.can_settle = True
        self.joined = b""  # the last snapshot, for the next who asks before there is more
        self.edition = secrets.token_hex(4)  # so that frames of another film are not taken for those of this one

    @property
    def is_over(self) -> bool:
        return self.last is not None

    # What readers get

    def data(self) -> dict[str, Any] | None:
        """The film so far; None if there is none yet."""
        return self.whole or (self.film.data() if self.film is not None else None)

    def snapshot(self, last_id: str) -> bytes:
        self.tell_new()  # what a film has is told, so that nothing comes twice
        begun = b""
        if self.film is not None and last_id.rpartition(".")[0] == self.edition:
            frame = last_id.rpartition(".")[2]
            if frame.isdecimal() and int(frame) <= self.told:
                begun = self.frames(int(frame))
        elif (film := self.data()) is not None:
            begun = self.joined or message("snapshot", film, f"{self.edition}.{self.told}")
            self.joined = begun
        notice = message("notice", {"message": self.notice}) if self.notice else b""
        return begun + notice + (self.last or b"")

    def frames(self, since: int) -> bytes:
        assert self.film is not None
        return message("frames", self.film.since(since), f"{self.edition}.{self.told}")

    # What the referee tells

    async def run(self) -> None:
        """Watches until the match is over."""
        teller = asyncio.create_task(self.tell_frames())
        try:
            wait = FIRST_WAIT
            while not self.is_over:
                heard = self.heard
                await self.listen()
                if not self.is_over:
                    wait = FIRST_WAIT if self.heard > heard else min(2 * wait, LONGEST_WAIT)
                    await asyncio.sleep(wait)
        finally:
            teller.cancel()

    async def listen(self) -> None:
        """One call, as long as it lasts."""
        try:
            async for response in self.referee.watch(self.match_id, self.heard):
                if response.HasField("observation"):  # we were too slow: asked again, it tells what we missed
                    return
                self.take(response)
        except AnotherMatch:
            self.begin(None)
        except grpc.aio.AioRpcError as error:
            if error.code() == grpc.StatusCode.NOT_FOUND:
                await self.look_up()
            else:
                log.warning("match %s: %s %s", self.match_id, error.code().name, error.details())
                self.say(GONE)

    def take(self, response: WatchResponse) -> None:
        self.say("")
        if response.HasField("match"):
            self.meet(response.match)
        if response.HasField("events") and self.film is not None:
            events = read_events(response.events)
            self.heard += len(events)
            self.can_settle = len(events) < FULL
            self.film.hear(events)
        if response.HasField("result") and self.film is not None:
            self.film.finish(response.result)
            self.tell_new()
            self.finish({"result": self.film.result})

    def meet(self, match: Match) -> None:
        """Who plays what. It is told with each call, and is the same unless the referee was started anew."""
        if self.film is not None:
            if match.commitment != self.commitment:
                raise AnotherMatch
            return
        self.begin(Film(ruleset_of(match), match.match_id, list(match.agents)))
        self.commitment = match.commitment
        self.known.set()
        self.tell(self.snapshot(""))

    async def look_up(self) -> None:
        """The match does not run: the referee may still have its record."""
        try:
            record = await self.referee.record(self.match_id)
            self.whole = await asyncio.to_thread(film_of, record)
        except (grpc.aio.AioRpcError, RecordError):
            self.finish({"result": None, "message": UNKNOWN})
        else:
            self.say("")
            self.told = len(self.whole["frames"])
            self.tell(self.snapshot(""))
            self.finish({"result": self.whole["result"]})

    # Telling

    async def tell_frames(self) -> None:
        while True:
            await asyncio.sleep(TELL_SECONDS)
            if self.film is not None and self.can_settle:
                self.film.settle()
            self.tell_new()

    def tell_new(self) -> None:
        if self.film is not None and len(self.film.frames) > self.told:
            since, self.told, self.joined = self.told, len(self.film.frames), b""
            self.tell(self.frames(since))

    def say(self, notice: str) -> None:
        if notice != self.notice:
            self.notice = notice
            self.tell(message("notice", {"message": notice}))

    def finish(self, told: dict[str, Any]) -> None:
        self.last = message("end", told)
        self.tell(self.last)
        self.end()
        self.known.set()


def ruleset_of(match: Match) -> Ruleset:
    options = {option.name: int(option.value) for option in match.options}
    return ruleset(match.variant, len(match.agents), options | {"rounds": match.round_limit})
