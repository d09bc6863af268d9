"""What runs is told as it happens: matches of a real referee, watched through the real server."""

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.record import Replay
from leaderboard.store import open_store
from leaderboard.web import connection, hub
from tests.web.referees import Games
from tests.web.serving import Message, Served, served


@pytest.fixture
def games() -> Iterator[Games]:
    with Games() as running:
        yield running


@pytest.fixture
def web(games: Games, tmp_path: Path) -> Iterator[Served]:
    with open_store(f"{tmp_path / 'arena.db'}") as store, served(store, dial=games.dial) as running:
        yield running


class Board:
    """A board that is redrawn as a viewer does it."""

    def __init__(self) -> None:
        self.frames: list[dict[str, Any]] = []
        self.kinds: list[str] = []
        self.result: dict[str, Any] | None = None
        self.notices: list[str] = []

    def take(self, message: Message) -> None:
        self.kinds.append(message.kind)
        if message.kind == "snapshot":
            self.start = message.data["start"]
            self.frames = list(message.data["frames"])
        elif message.kind == "frames":
            self.frames += message.data["frames"]
        elif message.kind == "notice":
            self.notices.append(message.data["message"])
        elif message.kind == "end":
            self.result = message.data["result"]

    def position(self) -> tuple[list[int], list[int]]:
        owners, armies = list(self.start["owners"]), list(self.start["armies"])
        for frame in self.frames:
            for place, owner, count in frame.get("changes", []):
                owners[place], armies[place] = owner, count
        return owners, armies


def final(games: Games, match_id: str) -> tuple[list[int], list[int]]:
    replay = Replay(games.record(match_id))
    while (step := replay.peek()) is not None:
        replay.take(step)
    return list(replay.s.owner), list(replay.s.armies)


def watched(web: Served, match_id: str) -> Board:
    board = Board()
    for message in web.messages(f"/live/matches/{match_id}/events"):
        board.take(message)
    return board


def test_messages_redraw_the_board_of_the_record(games: Games, web: Served) -> None:
    games.create("cup/1")
    board = watched(web, "cup/1")
    assert board.kinds.count("frames") > 3, "the match was told in pieces"
    assert board.kinds[-1] == "end"
    assert board.result is not None
    assert board.result["places"] == list(games.record("cup/1").result.places)
    assert board.position() == final(games, "cup/1")


def test_many_readers_are_told_by_one_watch(games: Games, web: Served) -> None:
    games.create("m", rounds=8)
    boards = [Board() for _ in range(8)]

    def read(number: int) -> None:
        time.sleep(0.05 * number)  # they come one after the other, in the middle of the match
        boards[number] = watched(web, "m")

    readers = [threading.Thread(target=read, args=(number,)) for number in range(len(boards))]
    for reader in readers:
        reader.start()
    time.sleep(0.5)
    assert len(games.referee.referee.sessions["m"].watchers) == 1
    for reader in readers:
        reader.join(60)
    assert {str(board.position()) for board in boards} == {str(final(games, "m"))}


def test_a_reader_that_stops_reading_is_dropped_and_hurts_nobody(
    games: Games, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "STUCK_SECONDS", 0.5)
    with open_store(f"{tmp_path / 'arena.db'}") as store, served(store, dial=games.dial, send_bytes=2048) as web:
        games.create("m", rounds=12)
        stuck = socket.socket()
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        stuck.connect(("127.0.0.1", web.port))
        stuck.sendall(b"GET /live/matches/m/events HTTP/1.1\r\nHost: here\r\n\r\n")
        until(lambda: web.app.state.hub.seats.taken.total() == 1)
        board = watched(web, "m")
        assert board.position() == final(games, "m")
        until(lambda: web.app.state.hub.seats.taken.total() == 0)
        stuck.close()


def test_a_referee_that_is_gone_is_told_and_dialled_again(games: Games, web: Served) -> None:
    games.create("m", rounds=50)
    board = Board()
    messages = web.messages("/live/matches/m/events")
    for message in messages:
        board.take(message)
        if len(board.frames) > 150:
            break
    games.stop()
    for message in messages:
        board.take(message)
        if message.kind == "notice":
            break
    assert "does not answer" in board.notices[-1]
    games.start()
    games.until_connected()
    games.create("m", rounds=3)  # another match of the same name
    for message in messages:
        board.take(message)
    assert board.kinds[-1] == "end"
    assert board.notices[-1] == ""
    assert board.position() == final(games, "m")


def test_who_comes_back_goes_on_where_it_was(games: Games, web: Served) -> None:
    games.create("m", rounds=8)
    path, board, last = "/live/matches/m/events", Board(), ""
    messages = web.messages(path)
    for message in messages:
        board.take(message)
        last = message.id or last
        if message.kind == "frames":
            break
    messages.close()
    for message in web.messages(path, last_id=last):
        board.take(message)
    assert board.kinds.count("snapshot") == 1
    assert board.position() == final(games, "m")
    for message in web.messages(path, last_id="another.7"):
        board.take(message)
    assert board.kinds.count("snapshot") == 2
    assert board.position() == final(games, "m")


def test_a_match_that_is_over_is_shown_from_its_record(games: Games, web: Served) -> None:
    games.create("m", rounds=2)
    until(lambda: not games.referee.referee.sessions)
    page = web.get("/live/matches/m")
    assert (page.status, "/live/matches/m/events" in page.text) == (200, True)
    board = watched(web, "m")
    assert board.kinds == ["snapshot", "end"]
    assert board.position() == final(games, "m")


def test_an_unknown_match_is_told_with_those_that_run(games: Games, web: Served) -> None:
    games.create("final-match", rounds=50)
    page = web.get("/live/matches/final-mtach")
    assert page.status == 404
    assert "/live/matches/final-match" in page.text
    (told,) = list(web.messages("/live/matches/nobody/events"))
    assert told.kind == "end"
    assert told.data["result"] is None


def test_running_matches_are_listed(games: Games, web: Served) -> None:
    games.create("m", rounds=50)
    (listed,) = web.get("/api/v1/live").json["matches"]
    assert (listed["match_id"], listed["agents"], listed["round_limit"]) == ("m", ["ann", "bob", "cat"], 50)


def test_pages_go_on_without_the_referee(games: Games, web: Served) -> None:
    games.stop()
    assert web.get("/api/v1/live").json == {"matches": []}
    page = web.get("/live/matches/m")
    assert page.status == 200
    assert "does not answer" in page.text


def test_readers_are_counted(games: Games, web: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    games.create("m", rounds=50)
    web.app.state.hub.seats.most_of_one = 2
    open_ones = [web.messages("/live/matches/m/events") for _ in range(2)]
    for messages in open_ones:
        next(messages)
    refused = web.get("/live/matches/m/events")
    assert (refused.status, refused.headers["retry-after"]) == (429, "60")
    open_ones[0].close()
    until(lambda: web.app.state.hub.seats.taken.total() == 1)
    next(web.messages("/live/matches/m/events"))


def test_nobody_listens_so_nothing_is_watched(games: Games, web: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "UNHEARD_SECONDS", 0.1)
    monkeypatch.setattr(hub, "POLL_SECONDS", 0.05)
    games.create("m", rounds=200)
    messages = web.messages("/live/matches/m/events")
    next(messages)
    session = games.referee.referee.sessions["m"]
    assert len(session.watchers) == 1
    messages.close()
    until(lambda: not session.watchers)
    until(lambda: web.app.state.hub.keeper.done())


def test_streams_end_when_the_server_is_stopped(games: Games, tmp_path: Path) -> None:
    with open_store(f"{tmp_path / 'arena.db'}") as store:
        with served(store, dial=games.dial) as web:
            games.create("m", rounds=200)
            messages = web.messages("/live/matches/m/events")
            next(messages)
        assert [message.kind for message in messages if message.kind != "frames"] == []


def test_without_a_referee_nothing_is_live(tmp_path: Path) -> None:
    with open_store(f"{tmp_path / 'arena.db'}") as store, served(store) as web:
        assert web.get("/live/matches/m").status == 404
        assert web.get("/api/v1/live").json == {"matches": []}


def until(holds: Any, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"not in {seconds} s"
        time.sleep(0.02)
