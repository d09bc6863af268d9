"""Pages, data and downloads of tournaments and matches, from the real server over a store."""

import asyncio
import io
import json
import tomllib
import zipfile
from collections.abc import Iterator

import pytest

from conquest.v1.match_pb2 import MatchSidecar
from engine import record
from engine.rules.variants import VARIANTS, ruleset
from leaderboard.catching_up import catch_up
from leaderboard.report import report
from leaderboard.store import Entrant, Lease, NewBlock, Result, Store, Tokens
from leaderboard.tallies import Tallies
from leaderboard.web.app import create_app
from leaderboard.web.paths import tournament_path
from leaderboard.web.sessions import Identity
from leaderboard.web.streams import Source
from tests.leaderboard import books
from tests.web.serving import Served, served

CONFIG = """
name = "spring/open"  # who pays for it is a secret
time = "60+0.1/5"
seed = 7
[format]
kind = "round_robin"
[[variants]]
name = "classic"
players = 3
options = { rounds = 2 }
[[entrants]]
name = "Ann & <b>Co.</b>"
bot = "cmd:./ann --password hush"
[[entrants]]
name = "Bob"
bot = "/home/bob/bots/mine.py:Mine"
[[entrants]]
name = "random"
bot = "random"
"""
NAME = "spring/open"


@pytest.fixture
def lease(store: Store) -> Lease:
    """A tournament of two blocks: the first is released, of the second one match of three is played."""
    versions = [
        store.add_version("ann", "cmd:./ann", "rust", False, "1").id,
        store.add_version("bob", "mine.py:Mine", "python", False, "1").id,
        store.add_version("random", "random", "python", True, "1").id,
    ]
    names = "Ann & <b>Co.</b>", "Bob", "random"
    entrants = [Entrant(name, version, "active") for name, version in zip(names, versions, strict=True)]
    made = store.create_tournament(NAME, CONFIG, "/home/olga", b"k" * 32, b"c" * 32, entrants, seed=7)
    lease = store.take_lease(made.id, "host:1", 1e6)
    store.set_state(lease, "running")
    store.add_blocks(lease, [named(number) for number in range(2)])
    ids = [one.id for one in store.open_fixtures(made.id)]
    store.next_attempts(lease, ids)
    store.commit(lease, [played(one) for one in ids[:4]])
    return lease


def named(number: int) -> NewBlock:
    block = books.block("x", number)
    name = f"{NAME}/r0-classic-3p-{number:04}"
    fixtures = [one._replace(id=f"{name}-r{one.rotation}") for one in block.fixtures]
    return block._replace(id=name, fixtures=fixtures)


def played(fixture_id: str) -> Result:
    """Seat 1 has timed out, and seat 0 has left a note."""
    sidecar = MatchSidecar()
    sidecar.notes.add(action=5, seat=0, text="all or nothing")
    sidecar.notes.add(action=6, seat=2, text="nobody else's business")
    return books.result(fixture_id)._replace(
        sidecar=sidecar.SerializeToString(), faults=[0, 1, 0], conduct=[(1, 1, "took 7.25 s of 5 s", 40)]
    )


@pytest.fixture
def web(store: Store, lease: Lease) -> Iterator[Served]:
    with served(store) as running:
        yield running


PAGE = "/tournaments/spring%2Fopen"
MATCH = f"{NAME}/r0-classic-3p-0000-r1"


def test_a_tournament_tells_how_it_stands(web: Served) -> None:
    told = web.get(f"/api/v1{PAGE}").json
    assert told["progress"] | {"speed": 0, "seconds_left": 0} == {
        "state": "running",
        "is_over": False,
        "done": 4,
        "open": 2,
        "void": 0,
        "faults": 4,
        "provisional": 1,
        "speed": 0,
        "seconds_left": 0,
    }
    assert [row["matches"] for row in told["standings"]["rows"]] == [4, 4, 4]
    assert [row["provisional"] for row in told["standings"]["rows"]] == [1, 1, 1]
    assert sum(row["score"] for row in told["standings"]["rows"]) == pytest.approx(1.5)
    first = told["standings"]["cross"]["rows"][0]
    assert first[0] is None
    assert first[1]["matches"] == 4
    assert 0 <= first[1]["low"] < first[1]["score"] < first[1]["high"] <= 1
    page = web.get(PAGE).text
    assert "Ann &amp; &lt;b&gt;Co.&lt;/b&gt;" in page
    assert "<b>Co." not in page
    assert "provisional" in page
    of_variant = web.get(f"/api/v1{PAGE}?variant=classic-3p").json["standings"]
    assert of_variant == told["standings"] | {"label": "classic-3p"}


def test_what_is_secret_is_not_told(web: Served, store: Store, lease: Lease) -> None:
    def everything() -> str:
        paths = "", "/matches", "/results.jsonl", "/report.html"
        match = f"/matches/{MATCH.replace('/', '%2F')}"
        pages = [f"{PAGE}{path}" for path in paths] + [
            f"/api/v1{PAGE}",
            match,
            f"/api/v1{match}",
            f"/embed{match}",
        ]
        return "".join(web.get(page).text for page in pages)

    told = everything()
    for secret in (
        "hush",
        "/home",
        "who pays",
        "host:1",
        "worker 1",
        (b"k" * 32).hex(),
        "seed = 7",
        "7.25",
        "all or",
    ):
        assert secret not in told, secret
    assert (b"c" * 32).hex() in told
    store.set_state(lease, "finished")
    told = everything()
    assert (b"k" * 32).hex() in told
    assert "seed = 7" in told


def test_settings_are_told_as_they_are_read(web: Served) -> None:
    settings = tomllib.loads(web.get(f"/api/v1{PAGE}").json["about"]["toml"])
    assert settings["variants"] == [{"name": "classic", "players": 3, "options": {"rounds": 2}}]
    assert [one["bot"] for one in settings["entrants"]] == ["cmd:…", "mine.py:Mine", "random"]


def test_matches_are_listed_and_filtered(web: Served) -> None:
    def listed(query: str) -> list[str]:
        return [one["match"] for one in web.get(f"/api/v1{PAGE}/matches{query}").json["matches"]]

    assert len(listed("")) == 6
    assert listed("?state=open") == [f"{NAME}/r0-classic-3p-0001-r{turn}" for turn in (1, 2)]
    assert len(listed("?entrant=Bob&variant=classic-3p")) == 6
    assert listed("?per_page=4&page=2") == listed("?state=open")
    assert web.get(f"{PAGE}/matches?entrant=Bob&state=done").text.count("<tr>") == 5
    assert "No match fits" in web.get(f"{PAGE}/matches?state=void").text


@pytest.mark.parametrize(
    ("path", "status", "reason", "told"),
    [
        ("/tournaments/sprin", 404, "UNKNOWN_TOURNAMENT", "spring"),
        ("/tournaments/spring%2Fopen?variant=classic", 404, "UNKNOWN_VARIANT", "classic-3p"),
        ("/tournaments/spring%2Fopen?page=9", 404, "BEYOND_THE_END", "1"),
        ("/tournaments/spring%2Fopen/matches?page=3", 404, "BEYOND_THE_END", "1"),
        ("/tournaments/spring%2Fopen/matches?entrant=Bobb", 404, "UNKNOWN_ENTRANT", "Bob"),
        ("/tournaments/spring%2Fopen/matches?state=lost", 400, "BAD_VALUE", "open, done, void"),
        ("/tournaments/spring%2Fopen/matches?page=x", 400, "BAD_VALUE", "page"),
        ("/matches/spring%2Fopen%2Fr9", 404, "UNKNOWN_MATCH", "r9"),
    ],
)
def test_what_cannot_be_is_told(web: Served, path: str, status: int, reason: str, told: str) -> None:
    page, data = web.get(path), web.get(f"/api/v1{path}")
    assert (page.status, data.status) == (status, status)
    assert data.json["error"]["reason"] == reason
    assert told in page.text


def test_pages_that_have_not_changed_are_not_sent_again(web: Served, store: Store, lease: Lease) -> None:
    for path in (PAGE, f"/api/v1{PAGE}", f"{PAGE}/matches", f"/matches/{MATCH}", f"/matches/{MATCH}/film.json"):
        etag = web.get(path).headers["etag"]
        assert web.get(path, {"if-none-match": etag}).status == 304, path
    etag = web.get(PAGE).headers["etag"]
    store.commit(lease, [played(f"{NAME}/r0-classic-3p-0001-r1")])
    assert web.get(PAGE, {"if-none-match": etag}).status == 200


# Matches


def test_a_match_tells_its_seats_and_its_neighbours(web: Served, store: Store) -> None:
    told = web.get(f"/api/v1/matches/{MATCH}").json
    assert [seat["place"] for seat in told["seats"]] == list(books.match()[0].result.places)
    assert [seat["entrant"] for seat in told["seats"]] == ["Bob", "random", "Ann & <b>Co.</b>"]
    assert (told["previous"], told["next"]) == (MATCH[:-1] + "0", MATCH[:-1] + "2")
    assert told["seats"][0]["move"] is None
    catch_up(store)
    told = web.get(f"/api/v1/matches/{MATCH}").json
    assert told["released"]
    assert told["seats"][0]["move"]["mu"] != told["seats"][0]["move"]["mu_before"]
    assert "Expected" in web.get(f"/matches/{MATCH}").text


def test_faults_are_told_in_words_to_their_author_only(web: Served, store: Store) -> None:
    def seen_by(name: str, role: int) -> tuple[list[str | None], list[str]]:
        token = Tokens(store, Identity).create(role, name, "olga")
        cookie = web.app.state.site.sessions.begin(token)
        answer = web.get(f"/api/v1/matches/{MATCH}", {"cookie": f"session={cookie}"})
        assert "no-store" in answer.headers["cache-control"]
        told = answer.json
        return [fault["detail"] for fault in told["conduct"]], [note["text"] for note in told["notes"]]

    everybody = web.get(f"/api/v1/matches/{MATCH}").json
    assert everybody["conduct"] == [{"seat": 1, "kind": "timeout", "action": 40, "detail": None}]
    assert everybody["notes"] == []
    assert seen_by("bob", 1) == ([None], ["all or nothing"])
    assert seen_by("random", 1) == (["took 7.25 s of 5 s"], [])
    assert seen_by("eve", 1) == ([None], [])
    assert seen_by("olga", 2) == (["took 7.25 s of 5 s"], ["all or nothing", "nobody else's business"])
    assert web.get(f"/api/v1/matches/{MATCH}").json == everybody


def test_only_embedded_pages_may_stand_in_frames(web: Served) -> None:
    policy = {path: web.get(path).headers["content-security-policy"] for path in (f"/matches/{MATCH}", PAGE)}
    assert all("frame-ancestors 'none'" in one for one in policy.values())
    assert "frame-ancestors *" in web.get(f"/embed/matches/{MATCH}").headers["content-security-policy"]


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_every_variant_has_its_map(web: Served, variant: str) -> None:
    drawn = web.get(f"/maps/{variant}.json").json
    assert len(drawn["places"]) == ruleset(variant, VARIANTS[variant].players[0]).board.size


def test_a_match_that_was_not_played_has_no_film(web: Served) -> None:
    open_one = f"{NAME}/r0-classic-3p-0001-r2"
    assert "not been played yet" in web.get(f"/matches/{open_one}").text
    for path in ("film.json", "record.cqr"):
        assert web.get(f"/matches/{open_one}/{path}").status == 404
    assert web.get(f"/api/v1/matches/{open_one}/film").json["error"]["reason"] == "NO_RECORD"


def test_a_void_match_says_so(web: Served, store: Store) -> None:
    store.void("olga", MATCH, "the wrong bot played")
    assert "the wrong bot played" in web.get(f"/matches/{MATCH}").text
    assert web.get(f"/api/v1{PAGE}").json["standings"]["rows"][0]["matches"] == 3
    assert web.get(f"/matches/{MATCH}/film.json").status == 200


# Downloads


def test_records_are_verified_as_they_come(web: Served) -> None:
    alone = web.get(f"/matches/{MATCH}/record.cqr")
    assert alone.headers["content-disposition"] == 'attachment; filename="spring_open_r0-classic-3p-0000-r1.cqr"'
    record.verify(record.read(alone.body))
    with zipfile.ZipFile(io.BytesIO(web.get(f"{PAGE}/records.zip").body)) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == [
            *(f"r0-classic-3p-0000-r{turn}.cqr" for turn in range(3)),
            "r0-classic-3p-0001-r0.cqr",
        ]
        assert archive.read(archive.namelist()[1]) == alone.body


def test_results_are_lines_of_json(web: Served) -> None:
    lines = [json.loads(line) for line in web.get(f"{PAGE}/results.jsonl").text.splitlines()]
    assert [one["released"] for one in lines] == [True, True, True, False]
    assert [seat["place"] for seat in lines[0]["seats"]] == list(books.match()[0].result.places)


def test_the_report_of_the_page_is_that_of_the_command(web: Served, store: Store) -> None:
    found = store.tournament(NAME)
    assert web.get(f"{PAGE}/report.html").text == report(store, found, Tallies(store).tables(found))


def test_progress_is_told_as_it_comes(web: Served, store: Store, lease: Lease) -> None:
    messages = web.messages(f"/live{PAGE}")
    assert next(messages).data["done"] == 4
    store.commit(lease, [played(f"{NAME}/r0-classic-3p-0001-r{turn}") for turn in (1, 2)])
    assert next(messages).data["done"] == 6
    store.set_state(lease, "finished")
    assert next(messages).data["is_over"]
    messages.close()


def test_two_who_come_at_once_follow_the_same(store: Store, lease: Lease) -> None:
    """Whoever asks first, nobody is told by something that nobody keeps up."""
    app = create_app(store)

    async def follow() -> list[Source]:
        async with app.router.lifespan_context(app):
            found, hub = store.tournament(NAME), app.state.hub
            return list(await asyncio.gather(hub.follow(found), hub.follow(found)))

    first, second = asyncio.run(follow())
    assert first is second


@pytest.mark.parametrize("path", ["/agents/%00", "/tournaments/%00", "/matches/a%00b", "/agents/?q=%00"])
def test_names_that_no_database_takes_are_refused(web: Served, path: str) -> None:
    assert web.get(path).status == 400


def test_a_name_may_end_like_an_address(web: Served, store: Store) -> None:
    """A tournament of that name is not the matches of another one."""
    for name in (f"{NAME}/matches", f"{NAME}/records.zip"):
        store.create_tournament(name, "", "/home/olga", b"k" * 32, b"c" * 32, [])
        assert f"<h1>{name} " in web.get(tournament_path(name)).text
        assert web.get(f"/api/v1{tournament_path(name)}").json["about"]["name"] == name
        assert web.get(f"/api/v1{tournament_path(name)}/matches").json["tournament"] == name
    assert "<h1>Matches</h1>" in web.get(f"{PAGE}/matches").text
    assert web.get("/tournaments/spring/open").status == 200, "a proxy may have unquoted it"


def test_lists_of_tournaments(web: Served) -> None:
    (only,) = web.get("/api/v1/tournaments").json["tournaments"]
    assert (only["name"], only["matches"], only["released"], only["variants"]) == (NAME, 6, 0.5, ["classic"])
    assert "/tournaments/spring%2Fopen" in web.get("/tournaments/").text
