"""Logging in: what an author sees, what nobody else does, and how long it lasts."""

import http.client
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from starlette.requests import Request

from engine.referee.auth import Role
from leaderboard.store import Store, Tokens, open_store
from leaderboard.web.login import is_private
from leaderboard.web.paths import agent_path, match_path
from tests.leaderboard.books import Clock
from tests.web.conftest import ALICE, BOB, DOTS, LOG, NOTE, SECRET, SLASHED
from tests.web.serving import EAGER, Answer, Served, served

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture
def store(cup: Path, tmp_path: Path) -> Iterator[Store]:
    """A copy, with tokens of its own."""
    with open_store(str(cup)) as played:
        played.backup(tmp_path / "copy.db")
    with open_store(str(tmp_path / "copy.db")) as copy:
        yield copy


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def mine(store: Store, clock: Clock) -> Iterator[Served]:
    with served(store, EAGER._replace(clock=clock)) as running:
        yield running


def token(store: Store, name: str, role: Role = Role.AUTHOR) -> str:
    return Tokens(store, lambda name, role: None).create(role, name, "test")


def post(mine: Served, path: str, fields: dict[str, str], headers: dict[str, str] | None = None) -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", mine.port, timeout=30)
    form = {"content-type": "application/x-www-form-urlencoded"}
    connection.request("POST", path, urlencode(fields), form | (headers or {}))
    response = connection.getresponse()
    answer = Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
    connection.close()
    return answer


def log_in(mine: Served, given: str) -> dict[str, str]:
    """The header that a browser sends from then on."""
    answer = post(mine, "/login", {"token": given})
    assert (answer.status, answer.headers["location"]) == (303, "/")
    return {"cookie": answer.headers["set-cookie"].partition(";")[0]}


def test_the_cookie_is_for_this_server_alone(mine: Served, store: Store) -> None:
    answer = post(mine, "/login", {"token": token(store, ALICE)})
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict", "Path=/", "Max-Age=43200"} <= set(cookie.split("; "))
    assert "Secure" not in cookie, "it came without TLS, from this machine"
    proxied = post(mine, "/login", {"token": token(store, ALICE)}, {"x-forwarded-proto": "https"})
    assert "Secure" in proxied.headers["set-cookie"].split("; ")


def test_an_author_sees_what_is_behind_the_faults_of_its_agents(mine: Served, store: Store) -> None:
    bob, alice = log_in(mine, token(store, BOB)), log_in(mine, token(store, ALICE))
    page, others = mine.get(agent_path(DOTS), bob), mine.get(agent_path(DOTS), alice)
    assert SECRET in page.text
    assert SECRET not in others.text + mine.get(agent_path(DOTS)).text
    assert "Bob &lt;b&gt;" in page.text
    data = mine.get(f"/api/v1{agent_path(DOTS)}", bob).json
    assert data["is_owner"]
    assert any(SECRET in one["detail"] for one in data["faults"])


def test_notes_and_logs_are_for_the_author_of_the_seat(mine: Served, store: Store) -> None:
    match = mine.get(f"/api/v1{agent_path(SLASHED)}").json["moves"][0]["match"]
    author = log_in(mine, token(store, ALICE))
    organiser = log_in(mine, token(store, "olga", Role.ORGANISER))
    by_name = log_in(mine, token(store, SLASHED))
    stranger = log_in(mine, token(store, "mallory"))
    for headers, is_told in ((author, True), (organiser, True), (by_name, True), (stranger, False), ({}, False)):
        text = mine.get(match_path(match), headers).text
        assert ("stderr of &lt;b&gt;the bot&lt;/b&gt;" in text, "I am thinking of &lt;/script&gt;" in text) == (
            is_told,
            is_told,
        )
        assert LOG not in text
        assert NOTE not in text


def test_pages_of_an_author_are_never_kept(mine: Served, store: Store) -> None:
    bob, path = log_in(mine, token(store, BOB)), agent_path(DOTS)
    before = mine.get(path)
    page = mine.get(path, bob | {"if-none-match": before.headers["etag"]})
    assert page.status == 200
    assert page.headers["cache-control"] == "private, no-store"
    assert page.headers["vary"] == "Cookie"
    assert "etag" not in page.headers
    assert mine.get(path).body == before.body
    assert "Cookie" in before.headers["vary"]


def test_log_out(mine: Served, store: Store) -> None:
    bob = log_in(mine, token(store, BOB))
    assert "Log out" in mine.get("/", bob).text
    answer = post(mine, "/logout", {}, bob)
    assert answer.status == 303
    assert 'session=""' in answer.headers["set-cookie"]
    assert "Log in" in mine.get("/", bob).text


def test_a_session_ends_with_its_time(mine: Served, store: Store, clock: Clock) -> None:
    bob = log_in(mine, token(store, BOB))
    clock.time += EAGER.session_seconds - 1
    assert "Log out" in mine.get("/", bob).text
    clock.time += 1
    assert "Log out" not in mine.get("/", bob).text


def test_a_session_ends_with_its_token(mine: Served, store: Store) -> None:
    bob = log_in(mine, token(store, BOB))
    Tokens(store, lambda name, role: None).revoke(BOB, "test")
    assert "Log out" not in mine.get("/", bob).text
    assert SECRET not in mine.get(agent_path(DOTS), bob).text


@pytest.mark.parametrize("given", ["", "nobody's", "x" * 3000, "\0", "ü"])
def test_a_wrong_token_opens_nothing(mine: Served, given: str) -> None:
    answer = post(mine, "/login", {"token": given})
    assert answer.status == 403
    assert "set-cookie" not in answer.headers
    assert "Nobody has that token" in answer.text


def test_cookies_that_we_have_not_given_are_nobodys(mine: Served) -> None:
    assert "Log in" in mine.get("/", {"cookie": "session=made-up"}).text
    assert mine.get("/", {"cookie": "session=" + "x" * 4000}).status == 200


def test_a_form_is_not_long(mine: Served) -> None:
    assert post(mine, "/login", {"token": "x" * 10_000}).status == 413


def test_forms_of_other_sites_are_refused(mine: Served, store: Store) -> None:
    given = {"token": token(store, BOB)}
    here = {"origin": mine.address, "sec-fetch-site": "same-origin"}
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}):
        answer = post(mine, "/login", given, headers)
        assert (answer.status, "set-cookie" in answer.headers) == (403, False)
        assert post(mine, "/logout", {}, headers).status == 403
    assert post(mine, "/login", given, here).status == 303


def test_attempts_are_limited(mine: Served, store: Store, clock: Clock) -> None:
    tries = [post(mine, "/login", {"token": "guess"}).status for _ in range(6)]
    assert tries == [403] * 5 + [429]
    good = {"token": token(store, BOB)}
    assert post(mine, "/login", good).headers["retry-after"] == "10"
    clock.time += 10
    assert post(mine, "/login", good).status == 303


@pytest.mark.parametrize(
    ("scheme", "host", "is_safe"),
    [
        ("http", "127.0.0.1", True),
        ("http", "::1", True),
        ("http", "192.0.2.7", False),
        ("https", "192.0.2.7", True),
        ("http", "somewhere", False),
    ],
)
def test_tokens_are_taken_where_nobody_reads_along(scheme: str, host: str, is_safe: bool) -> None:
    headers = [(b"host", b"arena.example")]
    scope = {"type": "http", "scheme": scheme, "client": (host, 1), "path": "/login", "headers": headers}
    assert is_private(Request(scope)) == is_safe
