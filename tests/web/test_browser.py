"""The pages in a real browser: without a complaint, by keyboard, on a phone, and without scripts."""

import pytest
from playwright.sync_api import Page

from leaderboard.web.paths import agent_path, tournament_path
from tests.browser import PHONE, Tabs, is_too_wide
from tests.web.conftest import CUP, NAMES, SCRIPT, SLASHED
from tests.web.serving import Served

PAGES = (
    *("/", "/ladders/", "/ladders/all", "/agents/", "/variants/", "/variants/ad2210-classic", "/tournaments/"),
    *("/about/ratings", "/about/api", "/login", tournament_path(CUP), *[agent_path(name) for name in NAMES]),
)


@pytest.mark.parametrize("path", PAGES)
def test_no_page_complains_and_all_fit_on_a_phone(web: Served, tabs: Tabs, path: str) -> None:
    for scheme in ("light", "dark"):
        page = tabs.open(web.address + path, PHONE, color_scheme=scheme)
        assert not is_too_wide(page)
        assert page.locator("h1").count() == 1
    assert tabs.complaints == []
    assert [one for one in tabs.requests if not one.startswith((web.address, "data:"))] == []


def test_a_ladder_is_filtered_and_sorted_without_scripts(web: Served, tabs: Tabs) -> None:
    page = tabs.open(f"{web.address}/ladders/all", java_script_enabled=False)
    page.get_by_label("Built in").select_option("no")
    page.get_by_role("button", name="Show").click()
    assert names(page) != []
    assert SCRIPT not in names(page)
    page.get_by_role("link", name="Matches").click()
    assert "built_in=no" in page.url
    assert page.locator("th[aria-sort]").inner_text().startswith("Matches")
    page.get_by_role("link", name="Show all").click()
    assert sorted(names(page)) == sorted(NAMES)


def test_a_search_finds_an_agent(web: Served, tabs: Tabs) -> None:
    page = tabs.open(f"{web.address}/ladders/all")
    page.get_by_label("Search").fill("SCRIPT")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert names(page) == [SCRIPT]
    page.get_by_role("link", name=SCRIPT).click()
    assert page.locator("h1").inner_text() == SCRIPT
    assert tabs.complaints == []


def test_everything_is_reached_by_keyboard(web: Served, tabs: Tabs) -> None:
    page = tabs.open(f"{web.address}/ladders/all")
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to the content"
    assert page.locator(".skip").bounding_box()["x"] >= 0, "it shows"  # type: ignore[index]
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert focused(page) == "Ladders", "the first link of the content"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.add(focused(page))
    assert {"Show", *(name for name in NAMES)} <= seen


def test_odd_names_lead_to_their_pages(web: Served, tabs: Tabs) -> None:
    page = tabs.open(f"{web.address}/ladders/all")
    for name in NAMES:
        page.get_by_role("link", name=name, exact=True).click()
        assert page.locator("h1").inner_text() == " ".join(name.split())
        page.go_back()
    assert tabs.complaints == []


def test_the_history_is_there_as_a_table_too(web: Served, tabs: Tabs) -> None:
    page = tabs.open(web.address + agent_path(SLASHED))
    table = page.get_by_label("Rating history")
    assert not table.is_visible()
    page.get_by_text("The same as a table").click()
    assert table.is_visible()
    assert page.get_by_role("img", name="Rating over time").count() == 1


def test_regions_have_numbers_beside_colours(web: Served, tabs: Tabs) -> None:
    page = tabs.open(f"{web.address}/variants/classic")
    assert page.locator(".map .badge").count() == 42
    shown = page.evaluate(
        "new Set([...document.querySelectorAll('.map .place')].map(p => getComputedStyle(p).fill)).size"
    )
    assert shown == 6
    assert page.locator(".swatch").all_inner_texts() == ["1", "2", "3", "4", "5", "6"]


def names(page: Page) -> list[str]:
    return page.locator("tbody th a").all_inner_texts()


def focused(page: Page) -> str:
    text: str = page.evaluate("document.activeElement.innerText")
    return text.partition("\n")[0].strip()
