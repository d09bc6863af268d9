"""What every answer carries: headers and tags; who is refused, and what happens when a store is not well."""

import asyncio
import difflib
import gzip
import json
import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from leaderboard.catching_up import catch_up
from leaderboard.refitting import refit_all
from leaderboard.store import Store, import_store, open_store
from leaderboard.store.tournaments import ABANDONED
from leaderboard.web.cache import AT_ONCE, Cache, Page
from leaderboard.web.limits import Buckets, client_of
from leaderboard.web.paths import agent_path, match_path, tournament_path
from leaderboard.web.problems import MOST_COMPARED, unknown
from tests.leaderboard.books import Clock
from tests.leaderboard.postgresql import PostgreSQL
from tests.leaderboard.seasons import Season
from tests.web.conftest import CUP, SCRIPT
from tests.web.serving import EAGER, Served, served

LISTS = ("/", "/ladders/", "/ladders/all", "/agents/", "/tournaments/", "/variants/", "/feed.json", "/api/v1/home")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "arena.db")) as opened:
        yield opened


@pytest.fixture
def mine(store: Store) -> Iterator[Served]:
    """The pages of a store that the test may change."""
    with served(store) as running:
        yield running


@pytest.mark.parametrize(
    "path", ["/", "/agents/nobody", "/api/v1/home", "/static/arena.css", "/robots.txt", "/nowhere"]
)
def test_every_answer_is_safe_to_show(web: Served, path: str) -> None:
    headers = web.get(path).headers
    policy = dict(one.strip().split(" ", 1) for one in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert "uvicorn" not in headers.get("server", "")


def test_only_what_is_meant_for_frames_may_be_framed(web: Served) -> None:
    match = web.get(f"/api/v1{agent_path(SCRIPT)}").json["moves"][0]["match"]
    framed = web.get("/embed" + f"/matches/{match}")
    assert framed.status == 200
    assert framed.headers["content-security-policy"].endswith("frame-ancestors *")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_there_is_nothing_to_change(web: Served, method: str) -> None:
    answer = web.get("/api/v1/ladders", method=method)
    assert answer.status == 405
    assert answer.json["error"]["reason"] == "READ_ONLY"
    assert answer.headers["allow"] == "GET, HEAD"


def test_a_head_is_the_head_of_the_page(web: Served) -> None:
    page, head = web.get("/ladders/all"), web.get("/ladders/all", method="HEAD")
    assert head.body == b""
    assert {**head.headers, "date": ""} == {**page.headers, "date": ""}


def test_pages_are_packed_for_those_who_can_unpack(web: Served) -> None:
    plain = web.get("/ladders/all")
    packed = web.get("/ladders/all", {"accept-encoding": "br, gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) * 3 < len(plain.body)
    assert "Accept-Encoding" in packed.headers["vary"]


def test_files_of_ours_are_kept_for_ever_under_their_digest(web: Served) -> None:
    page = web.get("/").text
    start = page.index("/static/arena.css?v=")
    named = web.get(page[start : page.index('"', start)])
    plain = web.get("/static/arena.css")
    assert "immutable" in named.headers["cache-control"]
    assert plain.headers["cache-control"] == "no-cache"
    assert web.get("/static/arena.css", {"if-none-match": plain.headers["etag"]}).status == 304
    assert web.get("/static/../app.py").status == 404
    assert web.get("/static/%2e%2e%2fapp.py").status == 404


# Tags


@pytest.mark.parametrize("path", ["/", "/ladders/all", "/agents/random", "/api/v1/ladders/all", "/feed.json"])
def test_what_has_not_changed_is_told_in_a_line(web: Served, path: str) -> None:
    first = web.get(path)
    assert first.headers["cache-control"] == "no-cache"
    for told in (first.headers["etag"], f'"other", {first.headers["etag"]}', first.headers["etag"][2:]):
        again = web.get(path, {"if-none-match": told})
        assert (again.status, again.body) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
    assert web.get(path, {"if-none-match": '"other"'}).status == 200


def test_a_page_changes_with_what_it_shows(store: Store, mine: Served) -> None:
    season = Season(store, "cup", ["random", "ann", "bob"], random.Random(1))
    ladder, cups = mine.get("/ladders/all"), mine.get("/tournaments/")
    season.play_blocks(1)
    assert mine.get("/tournaments/").headers["etag"] != cups.headers["etag"]
    assert mine.get("/ladders/all").headers["etag"] == ladder.headers["etag"], "nothing was rated yet"
    catch_up(store)
    rated = mine.get("/ladders/all", {"if-none-match": ladder.headers["etag"]})
    assert rated.status == 200
    assert "ann" in rated.text
    store.void("olga", season.done[0], "why not")
    catch_up(store)
    assert mine.get("/ladders/all").headers["etag"] != rated.headers["etag"]


def test_another_store_at_the_same_address_is_another(tmp_path: Path) -> None:
    """Who looked at the one before has its pages in the browser, and the same tags would keep them there."""
    clock, tags = Clock(), list[list[str]]()
    for number in range(2):
        clock.time += 60
        with open_store(str(tmp_path / f"{number}.db"), now=clock) as store, served(store) as running:
            Season(store, "cup", ["random", "ann", "bob"], random.Random(number)).play_blocks(1)
            catch_up(store)
            paths = ("/tournaments/cup", "/ladders/all", "/tournaments/")
            tags.append([running.get(path).headers["etag"] for path in paths])
    assert not set(tags[0]) & set(tags[1])


def test_a_film_is_told_by_what_it_shows(web: Served) -> None:
    first, second = web.get(f"/api/v1{tournament_path(CUP)}/matches").json["matches"][1:3]
    films = [web.get(f"{match_path(one['match'])}/film.json") for one in (first, second)]
    assert films[0].headers["etag"] != films[1].headers["etag"]
    known = {"if-none-match": films[0].headers["etag"]}
    assert web.get(f"{match_path(first['match'])}/film.json", known).status == 304
    assert web.get(f"{match_path(second['match'])}/film.json", known).status == 200


def test_lists_tell_of_a_driver_that_has_died(tmp_path: Path) -> None:
    clock = Clock()
    with open_store(str(tmp_path / "arena.db"), now=clock) as store, served(store) as running:
        season = Season(store, "cup", ["random", "ann", "bob"], random.Random(1))
        store.set_state(season.lease, "running")
        assert running.get("/api/v1/tournaments").json["tournaments"][0]["state"] == "running"
        clock.time += 2e9
        assert running.get("/api/v1/tournaments").json["tournaments"][0]["state"] == ABANDONED


def test_tags_differ_by_address(web: Served) -> None:
    assert web.get("/ladders/all").headers["etag"] != web.get("/ladders/all?sort=rating").headers["etag"]


def test_a_page_is_made_once_however_many_ask() -> None:
    async def ask() -> list[int]:
        cache, made = Cache(10_000, 0.0, Clock()), list[int]()

        async def make() -> Page:
            made.append(1)
            await asyncio.sleep(0.01)
            return Page.of("tag", b"body")

        pages = await asyncio.gather(*(cache.get("/", "tag", make) for _ in range(50)))
        pages.append(await cache.get("/", "tag", make))
        assert {page.body for page in pages} == {b"body"}
        return made

    assert asyncio.run(ask()) == [1]


def test_who_goes_away_takes_nothing_from_the_others() -> None:
    async def ask() -> bytes:
        cache, go = Cache(10_000, 0.0, Clock()), asyncio.Event()

        async def make() -> Page:
            await go.wait()
            return Page.of("tag", b"body")

        first = asyncio.create_task(cache.get("/", "tag", make))
        second = asyncio.create_task(cache.get("/", "tag", make))
        await asyncio.sleep(0)
        first.cancel()
        go.set()
        return (await second).body

    assert asyncio.run(ask()) == b"body"


def test_what_cannot_be_made_is_not_kept() -> None:
    async def ask() -> bytes:
        cache = Cache(10_000, 0.0, Clock())

        async def fail() -> Page:
            raise ZeroDivisionError

        async def make() -> Page:
            return Page.of("tag", b"body")

        with pytest.raises(ZeroDivisionError):
            await cache.get("/", "tag", fail)
        return (await cache.get("/", "tag", make)).body

    assert asyncio.run(ask()) == b"body"


def test_pages_that_are_waited_for_do_not_keep_others_from_being_made_anew() -> None:
    async def ask() -> list[bytes]:
        cache, never = Cache(1_000_000, 10.0, Clock()), asyncio.Event()

        async def wait() -> Page:
            await never.wait()
            return Page.of("1", b"late")

        async def make(tag: str) -> Page:
            return Page.of(tag, tag.encode())

        await cache.get("/", "1", lambda: make("1"))
        waiting = [asyncio.create_task(cache.get(f"/{number}", "1", wait)) for number in range(8)]
        await asyncio.sleep(0)
        found = [await cache.get("/", "2", lambda: make("2"))]
        for _ in range(4):
            await asyncio.sleep(0)
        found.append(await cache.get("/", "2", lambda: make("3")))
        never.set()
        await asyncio.gather(*waiting)
        return [page.body for page in found]

    assert asyncio.run(ask()) == [b"1", b"2"]


def test_a_page_that_was_right_a_moment_ago_is_given_while_it_is_made_anew() -> None:
    async def ask() -> list[bytes]:
        clock, go = Clock(), asyncio.Event()
        cache = Cache(10_000, 10.0, clock)

        async def first() -> Page:
            return Page.of("1", b"first")

        async def second() -> Page:
            await go.wait()
            return Page.of("2", b"second")

        found = [await cache.get("/", "1", first)]
        clock.time += 9
        found.append(await cache.get("/", "1", first))  # right until now
        clock.time += 9
        found += [await cache.get("/", "2", second), await cache.get("/", "2", second)]
        go.set()
        while cache.made:
            await asyncio.sleep(0)
        found.append(await cache.get("/", "2", second))
        clock.time += 11
        found.append(await cache.get("/", "1", first))  # too old: waited for
        return [page.body for page in found]

    assert asyncio.run(ask()) == [b"first"] * 4 + [b"second", b"first"]


def test_readers_who_do_not_wait_are_not_waited_for_by_others() -> None:
    """However many pages there are newer ones of, a few are made at once."""

    async def ask() -> int:
        clock, never = Clock(), asyncio.Event()
        cache = Cache(1_000_000, 10.0, clock)

        async def first() -> Page:
            return Page.of("1", b"first")

        async def second() -> Page:
            await never.wait()
            return Page.of("2", b"second")

        for number in range(50):
            await cache.get(str(number), "1", first)
        for number in range(50):
            assert (await cache.get(str(number), "2", second)).body == b"first"
        making = len(cache.made)
        never.set()
        await asyncio.gather(*cache.made.values())
        return making

    assert asyncio.run(ask()) == AT_ONCE


def test_the_cache_has_a_size() -> None:
    async def fill() -> Cache:
        cache = Cache(20_000, 0.0, Clock())

        async def make() -> Page:
            return Page.of("tag", b"x" * 400)

        for number in range(100):
            await cache.get(str(number), "tag", make)
            await cache.get("0", "tag", make)
        return cache

    cache = asyncio.run(fill())
    assert cache.bytes == sum(kept.page.size for kept in cache.pages.values()) <= 20_000
    assert "0" in cache.pages, "what is asked for stays"
    assert len(cache.pages) < 30


# Too much


def test_a_bucket_fills_up_again() -> None:
    clock = Clock()
    buckets = Buckets(rate=2, burst=3, most=100, clock=clock)
    assert [buckets.wait("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert buckets.wait("b") == 0
    clock.time += 0.5
    assert [buckets.wait("a"), buckets.wait("a")] == [0, 0.5]
    clock.time += 1000
    assert [buckets.wait("a") for _ in range(4)] == [0, 0, 0, 0.5]


def test_buckets_of_many_clients_take_little_room() -> None:
    buckets = Buckets(rate=1, burst=1, most=50, clock=Clock())
    for number in range(1000):
        buckets.wait(str(number))
    assert len(buckets.buckets) == 50


def test_an_address_of_ipv6_stands_for_its_network() -> None:
    assert client_of("2001:db8::1") == client_of("2001:db8::ffff") != client_of("2001:db8:0:1::1")
    assert client_of("192.0.2.1") != client_of("192.0.2.2")
    assert client_of("") == ""


def test_who_asks_too_often_is_told_how_long_to_wait(cup: Path) -> None:
    clock = Clock()
    with open_store(str(cup)) as store, served(store, EAGER._replace(rate=0.2, burst=3, clock=clock)) as mine:
        statuses = [mine.get("/").status for _ in range(4)]
        refused = mine.get("/api/v1/home")
        assert statuses == [200, 200, 200, 429]
        assert (refused.status, refused.headers["retry-after"]) == (429, "5")
        assert refused.json["error"]["reason"] == "TOO_MANY_REQUESTS"
        assert "default-src 'none'" in refused.headers["content-security-policy"]
        clock.time += 5
        assert mine.get("/").status == 200


# Stores that are not well


@pytest.mark.parametrize("path", LISTS)
def test_an_empty_store_has_pages(mine: Served, path: str) -> None:
    answer = mine.get(path)
    assert answer.status == 200
    if path == "/agents/":
        assert "There are no agents yet" in answer.text


@pytest.mark.parametrize(
    "change", ["UPDATE alembic_version SET version_num = '9999'", "DROP TABLE alembic_version"]
)
def test_a_store_that_is_being_changed(store: Store, mine: Served, change: str) -> None:
    assert mine.get("/ladders/all").status == 200
    with store.writing() as connection:
        connection.execute(text(change))
    for path in LISTS:
        answer = mine.get(path)
        assert (answer.status, answer.headers["retry-after"]) == (503, "10")
        assert "brought up to date" in answer.text
        assert "no-store" in answer.headers["cache-control"]
    assert mine.get("/api/v1/home").json["error"]["reason"] == "STORE_CHANGING"
    assert mine.get("/static/arena.css").status == 200


def test_a_table_that_is_missing(store: Store, mine: Served) -> None:
    """A migration that goes on while a page is made."""
    with store.writing() as connection:
        connection.execute(text("ALTER TABLE scopes RENAME TO scopes_old"))
    assert mine.get("/ladders/all").status == 503
    with store.writing() as connection:
        connection.execute(text("ALTER TABLE scopes_old RENAME TO scopes"))
    assert mine.get("/ladders/all").status == 200


def test_a_database_that_is_gone_and_comes_back(postgresql: PostgreSQL) -> None:
    with open_store(postgresql.new()) as store, served(store) as mine:
        assert mine.get("/ladders/all").status == 200
        postgresql.stop()
        page, data = mine.get("/ladders/all"), mine.get("/api/v1/ladders/all")
        postgresql.start()
        assert (page.status, data.status) == (503, 503)
        assert "The store cannot be read just now." in page.text
        assert data.json["error"]["reason"] == "STORE_UNREACHABLE"
        assert mine.get("/ladders/all").status == 200


def test_postgresql_gives_the_same_answers(cup: Path, web: Served, postgresql: PostgreSQL, tmp_path: Path) -> None:
    url, export = postgresql.new(), tmp_path / "cup.jsonl"
    with open_store(str(cup)) as store:
        store.export(export)
    import_store(export, url)
    with open_store(url) as store, served(store) as other:
        catch_up(store)
        refit_all(store)
        for path in (
            "home",
            "ladders",
            "ladders/all?sort=wins",
            "agents",
            agent_path(SCRIPT)[1:],
            "variants/classic",
        ):
            answers = [one.get(f"/api/v1/{path}").body for one in (other, web)]
            assert rounded(answers[0]) == rounded(answers[1])


def rounded(body: bytes) -> Any:
    """Databases differ in the last digits of means."""
    return json.loads(body, parse_float=lambda text: round(float(text), 9))


def test_a_fault_of_ours_shows_no_trace(
    mine: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("leaderboard.web.ladder_pages.ladder_list", lambda _store: 1 // 0)
    page, data = mine.get("/ladders/"), mine.get("/api/v1/ladders")
    assert (page.status, data.status) == (500, 500)
    assert "ZeroDivisionError" not in page.text + data.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "ZeroDivisionError" in caplog.text
    assert mine.get("/").status == 200


def test_thousands_of_agents(store: Store, mine: Served) -> None:
    season = Season(store, "cup", [f"bot {number:04}" for number in range(2000)], random.Random(2))
    season.play_blocks(300, players=5)
    catch_up(store)
    listed = mine.get("/api/v1/agents?per_page=200&page=10").json
    assert (len(listed["agents"]), listed["paging"]["total"], listed["paging"]["next"]) == (200, 2000, None)
    ladder = mine.get("/ladders/all")
    assert len(ladder.body) < 150_000
    assert mine.get("/ladders/all?q=bot+0001").status == 200


def test_readers_at_once_get_what_they_asked_for(web: Served) -> None:
    wrong: list[str] = []

    def read(number: int) -> None:
        for sort in ("rating", "wins", "agent", "matches"):
            path = f"/api/v1/ladders/all?sort={sort}&min_matches={number % 3}"
            if web.get(path).json["filter"]["sort"] != sort:
                wrong.append(path)

    threads = [threading.Thread(target=read, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


# Problems


def test_names_that_are_close_are_found_among_thousands_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    known = [f"agent-{number:05}-{'x' * 80}" for number in range(20_000)]
    compared = list[int]()
    close = difflib.get_close_matches

    def counted(name: str, among: list[str], n: int, cutoff: float) -> list[str]:
        compared.append(len(among))
        return close(name, among, n, cutoff)

    monkeypatch.setattr(difflib, "get_close_matches", counted)
    for number in (0, 7_000, 19_999):
        assert known[number] in unknown("agent", known[number] + "y", known, str).details["close"]
    assert "Zoe" in unknown("agent", "zOE", ["Zoe", *known], str).details["close"]
    assert max(compared) <= MOST_COMPARED
