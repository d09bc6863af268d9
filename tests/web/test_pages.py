"""The pages and the API on a real tournament: what they show, and what they make of odd names and bad input."""

import html
import io
import json
import re
import zipfile
from typing import Any
from urllib.parse import quote, unquote

import pytest
from fastapi.routing import APIRoute
from pydantic import TypeAdapter

from engine import record
from leaderboard.web import app
from leaderboard.web.api import PREFIX
from leaderboard.web.paths import agent_path, ladder_path, match_path, tournament_path, with_query
from leaderboard.web.words import interval
from tests.web.conftest import BOB, CUP, DOTS, NAMES, SCRIPT, SECRET, SLASHED
from tests.web.serving import Served

PAGES = (
    *("/", "/ladders/", "/ladders/all", "/ladders/classic@1", "/ladders/family:domination", "/agents/"),
    *("/variants/", "/variants/classic", "/variants/ad2210-classic", "/tournaments/", tournament_path(CUP)),
    *("/about/ratings", "/about/api", "/login", *[agent_path(name) for name in NAMES]),
    *("/ladders/all?q=a&sort=rating&down=true", agent_path(SLASHED) + "?ladder=classic"),
)
DATA = (
    *("/home", "/ladders", "/ladders/all", "/ladders/classic", "/agents", "/variants", "/variants/classic"),
    *("/tournaments", tournament_path(CUP), f"{tournament_path(CUP)}/matches", "/live"),
    *[agent_path(name) for name in NAMES],
)
MOST_BYTES = 150_000
HREF = re.compile(r'(?:href|src|action)="([^"]*)"')


def links(text: str) -> set[str]:
    return {html.unescape(link) for link in HREF.findall(text)}


@pytest.mark.parametrize("path", PAGES)
def test_every_page_opens(web: Served, path: str) -> None:
    answer = web.get(path)
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert len(answer.body) < MOST_BYTES
    assert answer.text.count("<h1>") == 1
    assert SCRIPT not in answer.text, "names are escaped"
    assert " style=" not in answer.text, "the content policy would drop it"
    assert not [one for one in re.findall(r"<script[^>]*>", answer.text) if " src=" not in one]


def test_every_link_of_ours_leads_somewhere(web: Served) -> None:
    """From the first page on, but for files to take away."""
    seen, waiting = set[str](), ["/"]
    while waiting and len(seen) < 250:
        path = waiting.pop()
        seen.add(path)
        answer = web.get(path)
        assert answer.status == 200, path
        if answer.headers["content-type"].startswith("text/html"):
            found = {link.partition("#")[0] for link in links(answer.text)}
            found = {path.partition("?")[0] + link if link.startswith("?") else link for link in found}
            new = found - seen - set(waiting) - {"", "/logout"}
            assert all(link.startswith("/") for link in found - {""}), found
            waiting += [link for link in new if "/records" not in link and "/download" not in link]
    assert len(seen) > 60


@pytest.mark.parametrize("name", NAMES)
def test_agents_may_have_any_name(web: Served, name: str) -> None:
    page = web.get(agent_path(name)).text
    assert f"<h1>{html.escape(name, quote=False)}</h1>" in page.replace("&#34;", '"')
    shown = [link for link in links(web.get("/ladders/all").text) if link == agent_path(name)]
    assert shown, "the ladder links to it"
    assert web.get(f"/api/v1{agent_path(name)}").json["name"] == name


def test_data_are_what_the_document_says(web: Served) -> None:
    """Each answer fits its model, and the document names every path."""
    document = web.get("/api/v1/openapi.json").json
    routes = [route for module in app.DATA for route in module.data.routes if isinstance(route, APIRoute)]
    assert {PREFIX + route.path_format for route in routes} == set(document["paths"])
    for path in DATA:
        answer = web.get(f"/api/v1{path}")
        assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
        plain = unquote(path.partition("?")[0])
        (route, *_) = [one for one in routes if one.path_regex.match(plain)]
        TypeAdapter(route.response_model).validate_json(answer.body, strict=True)


def test_pages_and_data_say_the_same(web: Served) -> None:
    rows = web.get("/api/v1/ladders/all").json["rows"]
    page = web.get("/ladders/all").text
    names = [html.unescape(name) for name in re.findall(r'<th scope="row"[^>]*><a [^>]*>([^<]*)</a>', page)]
    assert names == [row["agent"] for row in rows]
    assert sorted(names) == sorted(NAMES)
    assert all(f">{row['rating']:.1f}<".replace("-", "−") in page for row in rows)
    assert rows == sorted(rows, key=lambda row: -row["rating"])
    ranked = [row for row in rows if row["rank"] is not None]
    assert [row["agent"] for row in rows if row not in ranked] == ["random"]
    assert page.count(">anchor<") == 1
    assert [row["rank"] for row in ranked] == list(range(1, len(NAMES)))
    assert all(1 <= row["rank_low"] <= row["rank_high"] < len(NAMES) for row in ranked)
    assert interval(ranked[0]["rank_low"], ranked[0]["rank_high"]) in page


def test_ladders_are_filtered_sorted_and_paged(web: Served) -> None:
    def agents(**query: object) -> list[str]:
        return [row["agent"] for row in web.get(with_query("/api/v1/ladders/all", query)).json["rows"]]

    everybody = agents()
    assert agents(q="SCRIPT") == [SCRIPT]
    assert agents(author=BOB) == [DOTS]
    assert set(agents(built_in="only")) & {SLASHED, DOTS} == set()
    assert set(agents(built_in="no")) == {SLASHED, DOTS}
    assert agents(min_matches=10**6) == []
    assert agents(sort="rank", down="true") == everybody[::-1]
    assert agents(sort="agent") == sorted(NAMES, key=str.casefold)
    played = {row["agent"]: row["matches"] for row in web.get("/api/v1/ladders/all").json["rows"]}
    most_first = [played[name] for name in agents(sort="matches")]
    assert most_first == sorted(played.values(), reverse=True)
    assert [played[name] for name in agents(sort="matches", down="true")] == most_first[::-1]
    pages = [agents(per_page=2, page=page) for page in (1, 2, 3)]
    assert [name for page in pages for name in page] == everybody
    following = web.get("/api/v1/ladders/all?per_page=2&q=a").json["paging"]["next"]
    assert web.get(following).json["paging"]["page"] == 2


def test_links_of_a_ladder_keep_the_filter(web: Served) -> None:
    page = web.get("/ladders/all?q=a&built_in=only&min_matches=2").text
    sorted_by = {link for link in links(page) if "sort=" in link}
    assert len(sorted_by) >= 7
    assert all("q=a&built_in=only&min_matches=2" in link for link in sorted_by)
    assert 'value="a"' in page


def test_an_agent_tells_why_its_rating_moved(web: Served) -> None:
    data = web.get(f"/api/v1{agent_path(SCRIPT)}").json
    assert data["author"] == "alice"
    assert {one["scope"]["name"] for one in data["standings"]} >= {"all", "classic", "family:domination"}
    moves = data["moves"]
    newer, older = moves[0], moves[1]
    assert older["after"] == pytest.approx(newer["before"])
    assert newer["after"] == pytest.approx(data["history"][-1]["rating"])
    assert 1 <= newer["place"] <= newer["players"] == len(newer["opponents"]) + 1
    assert (
        sum(one["matches"] for one in data["seats"])
        == data["paging"]["total"]
        == sum(one["matches"] for one in data["versions"])
    )
    assert {one["agent"] for one in data["rivals"]} == set(NAMES) - {SCRIPT}
    page = web.get(agent_path(SCRIPT)).text
    assert match_path(newer["match"]) in links(page)
    assert '<path class="line"' in page
    assert "The same as a table" in page


def test_conduct_is_shown_without_its_details(web: Served) -> None:
    page, data = web.get(agent_path(DOTS)), web.get(f"/api/v1{agent_path(DOTS)}")
    assert data.json["conduct"]["crash"] >= 3
    assert {one["detail"] for one in data.json["faults"]} == {None}
    assert ">crash<" in page.text
    assert SECRET not in page.text + data.text


def test_records_to_take_away_have_no_details_of_faults(web: Served) -> None:
    """They can be verified all the same."""
    (match, *_) = [one["match"] for one in web.get(f"/api/v1{agent_path(DOTS)}").json["faults"]]
    alone = web.get(f"{match_path(match)}/record.cqr").body
    told = record.read(alone)
    record.verify(told)
    assert told.conduct
    assert not any(one.detail for one in told.conduct)
    with zipfile.ZipFile(io.BytesIO(web.get(f"{tournament_path(CUP)}/records.zip").body)) as archive:
        files = [archive.read(name) for name in archive.namelist()]
    assert alone in files
    assert not any(one.detail for data in files for one in record.read(data).conduct)


def test_a_variant_is_told_and_drawn(web: Served) -> None:
    page, data = web.get("/variants/classic").text, web.get("/api/v1/variants/classic").json
    assert page.count('class="place') == 42
    assert all(html.escape(rule, quote=False) in page for rule in data["rules"])
    assert [one["name"] for one in data["options"]] == ["rounds"]
    assert sum(len(region["territories"]) for region in data["regions"]) == 42
    assert {row["agent"] for row in data["best"]} == set(NAMES) - {"random"}


def test_the_first_page_tells_what_goes_on(web: Served) -> None:
    data = web.get("/api/v1/home").json
    assert [one["name"] for one in data["tournaments"]] == [CUP]
    assert data["running"] == []
    assert data["luckiest"][0]["lucky"]["luck"] == max(
        player["luck"] for one in data["luckiest"] for player in one["players"]
    )
    changes = [one["lead_changes"] for one in data["closest"]]
    assert changes == sorted(changes, reverse=True)
    assert all(changes)
    page = web.get("/").text
    assert "No match is shown live just now" in page
    assert tournament_path(CUP) in links(page)


def test_feed(web: Served) -> None:
    answer = web.get("/feed.json")
    assert answer.headers["content-type"] == "application/feed+json"
    assert answer.json["version"] == "https://jsonfeed.org/version/1.1"
    (item,) = answer.json["items"]
    assert item["title"] == CUP
    assert item["url"].startswith(web.address)
    assert web.get(item["url"].removeprefix(web.address)).status == 200
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", item["date_published"])
    assert "Won by" in item["content_text"]


# Bad input


@pytest.mark.parametrize(
    ("path", "status", "reason", "said"),
    [
        ("/agents/randm", 404, "UNKNOWN_AGENT", "random"),
        ("/ladders/clasic", 404, "UNKNOWN_LADDER", "classic"),
        ("/ladders/classic@9", 404, "UNKNOWN_LADDER", "classic"),
        ("/variants/oficers", 404, "UNKNOWN_VARIANT", "officers"),
        ("/agents/random?ladder=nowhere", 404, "UNKNOWN_LADDER", "nowhere"),
        ("/ladders/all?page=99", 404, "BEYOND_THE_END", "the last one is 1"),
        ("/agents/random?page=99", 404, "BEYOND_THE_END", "the last one is 1"),
        ("/ladders/all?page=0", 400, "BAD_VALUE", "page"),
        ("/ladders/all?page=two", 400, "BAD_VALUE", "page"),
        ("/ladders/all?sort=beauty", 400, "BAD_VALUE", "sort"),
        ("/ladders/all?built_in=maybe", 400, "BAD_VALUE", "built_in"),
        ("/ladders/all?min_matches=-1", 400, "BAD_VALUE", "min_matches"),
        (f"/ladders/all?q={'x' * 200}", 400, "BAD_VALUE", "q"),
        (f"/agents/{'%00' * 3}", 400, "BAD_VALUE", "character"),
        (f"/agents/{'y' * 5000}", 404, "UNKNOWN_AGENT", "yyy"),
        ("/nowhere", 404, "NO_SUCH_PAGE", "no such page"),
    ],
)
def test_bad_input_is_told(web: Served, path: str, status: int, reason: str, said: str) -> None:
    page, data = web.get(path), web.get(f"/api/v1{path}")
    assert (page.status, data.status) == (status, status)
    assert page.headers["content-type"].startswith("text/html")
    assert said in html.unescape(page.text)
    error = data.json["error"]
    assert error["reason"] == reason
    assert said in json.dumps(error)
    assert "Traceback" not in page.text + data.text
    assert "no-store" in page.headers["cache-control"]


def test_a_name_that_is_close_leads_there(web: Served) -> None:
    page = web.get("/agents/" + quote(SCRIPT.replace("alert", "alrt"), safe=""))
    assert page.status == 404
    assert agent_path(SCRIPT) in links(page.text)
    assert SCRIPT not in page.text


def test_the_last_page_is_one_click_away(web: Served) -> None:
    page = web.get("/ladders/all?page=99&q=a").text
    assert any(link.startswith("/ladders/all?") and "q=a" in link for link in links(page))


def test_per_page_is_capped(web: Served) -> None:
    error: Any = web.get("/api/v1/ladders/all?per_page=100000").json["error"]
    assert error["reason"] == "BAD_VALUE"
    assert "200" in error["message"]


def test_ladder_path_is_what_scopes_are_called() -> None:
    assert ladder_path("family:domination") == "/ladders/family:domination"
    assert ladder_path("classic@1") == "/ladders/classic@1"
