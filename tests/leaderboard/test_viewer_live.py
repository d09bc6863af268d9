"""The viewer of a match that runs: served as modules under our content policy, fed by server-sent events."""

import json
import queue
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Page

from engine.rules.observe import redact
from engine.rules.ruleset import Ruleset
from engine.rules.state import NOBODY
from engine.rules.variants import ruleset
from leaderboard.film import Film
from leaderboard.maps import map_of
from leaderboard.offline import static
from leaderboard.web.headers import POLICY
from tests.browser import Tabs, until
from tests.leaderboard.matches import AGENTS, played
from tests.leaderboard.test_film import looks

PAGE = """<!doctype html><html lang="en"><title>Live</title>
<link rel="stylesheet" href="/seats.css"><link rel="stylesheet" href="/viewer.css">
<link rel="icon" href="data:,">
<div class="viewer" data-map="/map" data-live="/live" data-embed="/embed/1"></div>
<script type="module" src="/viewer.js"></script>"""
TYPES = {"js": "text/javascript", "css": "text/css"}


class Served(ThreadingHTTPServer):
    """A page with a viewer, and messages that the test puts in."""

    daemon_threads = True

    def __init__(self, board_map: Any) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.board_map = board_map
        self.messages: queue.Queue[tuple[str, Any] | None] = queue.Queue()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def say(self, name: str, data: Any) -> None:
        self.messages.put((name, json.loads(json.dumps(data))))


class Answer(BaseHTTPRequestHandler):
    server: Served

    def do_GET(self) -> None:
        path = self.path[1:]
        if path == "live":
            self.stream()
        elif path == "map":
            self.answer(json.dumps(self.server.board_map), "application/json")
        elif path == "":
            self.answer(PAGE, "text/html; charset=utf-8")
        else:
            self.answer(static(path), TYPES[path.rpartition(".")[2]])

    def answer(self, text: str, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-security-policy", f"{POLICY}'none'")
        self.end_headers()
        self.wfile.write(text.encode())

    def stream(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        while (message := self.server.messages.get()) is not None:
            name, data = message
            self.wfile.write(f"event: {name}\ndata: {json.dumps(data)}\n\n".encode())
            self.wfile.flush()

    def log_message(self, *_: object) -> None:
        pass


class Running:
    """A match that the test lets happen, action by action."""

    def __init__(self, r: Ruleset) -> None:
        self.record = played(r, 5)
        self.events = [[redact(event, NOBODY) for event in one.events] for one in looks(self.record)]
        self.film = Film(r, "match", AGENTS[: r.seats])
        self.played = 0

    def play(self, actions: int | None = None) -> dict[str, Any]:
        """What is new after so many actions, or after all."""
        known = len(self.film.frames)
        end = len(self.events) if actions is None else self.played + actions
        for events in self.events[self.played : end]:
            self.film.hear(events)
            self.film.settle()
        self.played = end
        return self.film.since(known)


@pytest.fixture
def running() -> Running:
    return Running(ruleset("classic", 4, {"rounds": 10}))


@pytest.fixture
def served() -> Iterator[Served]:
    server = Served(map_of(ruleset("classic", 4).board))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.messages.put(None)
    server.shutdown()
    thread.join()
    server.server_close()


def at(page: Page, frames: int) -> None:
    until(page, f"document.querySelector('.viewer').dataset.at === '{frames}'")


def board(page: Page) -> list[list[int]]:
    told = "places => places.map(({ dataset }) => [Number(dataset.owner), Number(dataset.armies)])"
    found: list[list[int]] = page.locator(".place").evaluate_all(told)
    return found


def now(film: Film) -> list[list[int]]:
    return [list(place) for place in zip(film.owners, film.armies, strict=True)]


def test_it_follows_a_match_to_its_end(tabs: Tabs, served: Served, running: Running) -> None:
    running.play(200)
    page = tabs.open(served.address)
    served.say("snapshot", running.film.data())
    at(page, len(running.film.frames))
    assert page.locator(".live-badge").is_visible()
    for actions in (1, 7, 120):
        served.say("frames", running.play(actions))
        at(page, len(running.film.frames))
        assert board(page) == now(running.film)
    served.say("notice", {"message": "The referee is away."})
    page.get_by_text("The referee is away.").wait_for()
    served.say("frames", running.play())
    running.film.finish(running.record.result)
    served.say("frames", running.film.since(len(running.film.frames) - 1) | {"frames": []})
    served.say("end", {"result": running.film.result})
    page.locator(".rank", has_text="1st").wait_for()
    assert board(page) == now(running.film)
    assert not page.locator(".live-badge").is_visible()
    assert page.get_by_text("The referee is away.").count() == 0


def test_who_looks_back_is_left_in_peace(tabs: Tabs, served: Served, running: Running) -> None:
    running.play(300)
    page = tabs.open(served.address)
    served.say("snapshot", running.film.data())
    head = len(running.film.frames)
    at(page, head)
    live = page.get_by_role("button", name="Jump to live")
    assert not live.is_visible()
    page.keyboard.press("ArrowLeft")
    served.say("frames", running.play(50))
    until(page, f"document.querySelector('.viewer').dataset.frames === '{len(running.film.frames)}'")
    at(page, head - 1)
    running.play(30)
    served.say("snapshot", running.film.data())
    until(page, f"document.querySelector('.viewer').dataset.frames === '{len(running.film.frames)}'")
    at(page, head - 1)
    live.click()
    at(page, len(running.film.frames))
    served.say("frames", running.play(50))
    at(page, len(running.film.frames))
    assert board(page) == now(running.film)


def test_a_match_that_is_given_up_has_no_places(tabs: Tabs, served: Served, running: Running) -> None:
    running.play(300)
    page = tabs.open(served.address)
    served.say("snapshot", running.film.data())
    served.say("end", {"result": None, "message": "The referee gave it up."})
    page.get_by_text("The referee gave it up.").wait_for()
    assert page.locator(".title").text_content() == "The match was given up"


def test_links_are_copied(tabs: Tabs, served: Served, running: Running) -> None:
    running.play(250)
    page = tabs.open(served.address, permissions=["clipboard-read", "clipboard-write"])
    served.say("snapshot", running.film.data())
    at(page, len(running.film.frames))
    page.keyboard.press("ArrowLeft")
    begins = (served.address, f'<iframe src="{served.address}embed/1')
    for button, begin in zip(page.locator(".share button").all(), begins, strict=True):
        button.click()
        button.filter(has_text="Copied").wait_for()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith(begin)
        assert f"#at={len(running.film.frames) - 1}" in copied
