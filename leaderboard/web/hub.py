"""All that is told as it happens: one poll of the book and one Watch a match, however many readers listen."""

import asyncio
import logging
from functools import partial
from http import HTTPStatus
from typing import Final

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request

from leaderboard.store import StoreError, Tournament
from leaderboard.tallies import Tallies
from leaderboard.web import tournament_data
from leaderboard.web.limits import client_of
from leaderboard.web.problems import Problem
from leaderboard.web.referee import Dial, Referee, RunningMatch
from leaderboard.web.site import Site
from leaderboard.web.streams import EventStream, Reader, Seats, Source, message
from leaderboard.web.watched import WatchedMatch

log = logging.getLogger(__name__)

POLL_SECONDS: Final = 1.0
UNHEARD_SECONDS: Final = 10.0  # after which what nobody listens to is left
MOST_READERS: Final = 1000
MOST_OF_ONE: Final = 20  # streams of one client
MOST_WATCHED: Final = 64  # matches at once


class FollowedTournament(Source):
    """Readers are told `progress`, which is `tournament_data.Progress`."""

    def __init__(self, found: Tournament, progress: tournament_data.Progress) -> None:
        super().__init__()
        self.found = found
        self.progress = progress

    def snapshot(self, last_id: str) -> bytes:
        return message("progress", self.progress.model_dump())

    def take(self, progress: tournament_data.Progress) -> None:
        if progress != self.progress:
            self.progress = progress
            self.tell(self.snapshot(""))


class Hub:
    """Used on one event loop."""

    def __init__(self, site: Site, tallies: Tallies, dial: Dial | None) -> None:
        self.site = site
        self.tallies = tallies
        self.referee = Referee(dial) if dial else None
        self.seats = Seats(MOST_READERS, MOST_OF_ONE)
        self.tournaments: dict[str, FollowedTournament] = {}
        self.matches: dict[str, WatchedMatch] = {}
        self.watches: dict[str, asyncio.Task[None]] = {}
        self.keeper: asyncio.Task[None] | None = None
        self.is_closed = False

    async def running(self) -> list[RunningMatch]:
        """The matches that can be watched, the newest first."""
        return await self.referee.running() if self.referee else []

    async def follow(self, found: Tournament) -> Source:
        """A tournament as it goes on."""
        if found.name not in self.tournaments:
            progress = await self.progress(found)  # somebody else may have come meanwhile
            self.tournaments.setdefault(found.name, FollowedTournament(found, progress))
        self.keep()
        return self.tournaments[found.name]

    def watch(self, match_id: str) -> WatchedMatch:
        """A match as it is played; Problem if it cannot be watched."""
        if self.referee is None:
            raise Problem(HTTPStatus.NOT_FOUND, "NOT_LIVE", "No referee is watched here, so no match is live.")
        if match_id not in self.matches:
            if len(self.matches) >= MOST_WATCHED:
                text = "Too many matches are watched just now. Try again in a moment."
                raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "TOO_MANY_WATCHED", text, 10)
            watched = self.matches[match_id] = WatchedMatch(self.referee, match_id)
            self.watches[match_id] = asyncio.create_task(watched.run())
        self.keep()
        return self.matches[match_id]

    def stream(self, request: Request, source: Source) -> EventStream:
        client = client_of(request.client.host if request.client else "")
        return EventStream(source, Reader(client, request.headers.get("last-event-id", "")), self.seats)

    async def progress(self, found: Tournament) -> tournament_data.Progress:
        return await self.site.in_thread(partial(self._progress, found.name))

    def _progress(self, name: str) -> tournament_data.Progress:
        found = self.site.store.tournament(name)
        return tournament_data.progress(self.site.store, found, self.tallies.tables(found))

    # While somebody listens

    def keep(self) -> None:
        if self.is_closed:
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "CLOSING", "The server is being stopped.", 10)
        if self.keeper is None or self.keeper.done():
            self.keeper = asyncio.create_task(self._keep())

    async def _keep(self) -> None:
        while self.tournaments or self.matches:
            await asyncio.sleep(POLL_SECONDS)
            self.leave_unheard()
            for one in list(self.tournaments.values()):
                try:
                    one.take(await self.progress(one.found))
                except (StoreError, SQLAlchemyError) as error:  # told again when the store is back
                    log.warning("%s", error)

    def leave_unheard(self) -> None:
        for name, followed in list(self.tournaments.items()):
            if followed.unheard() > UNHEARD_SECONDS:
                del self.tournaments[name]
        for match_id, watched in list(self.matches.items()):
            if watched.unheard() > UNHEARD_SECONDS:
                self.watches.pop(match_id).cancel()
                del self.matches[match_id]

    async def close(self) -> None:
        """Ends all streams: readers dial again, and find the next server."""
        self.is_closed = True
        for source in (*self.tournaments.values(), *self.matches.values()):
            source.end()
        tasks = [*self.watches.values(), *([self.keeper] if self.keeper else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.referee:
            await self.referee.close()
