"""Tournaments and their reports in a real browser."""

from pathlib import Path

import pytest

from arena import tournaments
from leaderboard.report import report
from leaderboard.store import Store, open_store
from leaderboard.tallies import Tallies
from tests.browser import PHONE, Tabs, is_too_wide, until
from tests.web.serving import Served


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tournaments_fit_on_a_phone(web: Served, tabs: Tabs, scheme: str) -> None:
    (cup,) = web.get("/api/v1/tournaments").json["tournaments"]
    page = tabs.open(f"{web.address}/tournaments/", PHONE, color_scheme=scheme)
    for link in (f"text={cup['name']}", "text=All matches", "button:has-text('Show'):not(.plain)", "tbody th a"):
        if page.query_selector("select[name=state]"):
            page.select_option("select[name=state]", "done")
        with page.expect_navigation():
            page.click(link)
        assert not is_too_wide(page)
    until(page, "Number(document.querySelector('.viewer').dataset.frames ?? 0) > 0")
    assert not is_too_wide(page)


def test_wide_tables_can_be_scrolled_with_the_keyboard(web: Served, tabs: Tabs) -> None:
    (cup,) = web.get("/api/v1/tournaments").json["tournaments"]
    page = tabs.open(f"{web.address}/tournaments/", PHONE)
    with page.expect_navigation():
        page.click(f"text={cup['name']}")
    for table in page.query_selector_all(".scroll"):
        assert table.get_attribute("aria-label")
        table.focus()
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.classList.contains('scroll')")


def test_a_report_opens_without_a_network(cup: Path, tabs: Tabs, tmp_path: Path) -> None:
    with open_store(str(cup)) as store:
        file = tmp_path / "report.html"
        file.write_text(drawn(store, 2), encoding="utf-8")
    page = tabs.open(file.as_uri(), PHONE)
    assert not is_too_wide(page)
    until(page, "[...document.querySelectorAll('.viewer')].every((one) => Number(one.dataset.frames) > 0)")
    assert page.locator(".viewer").count() == 2
    first, second = (page.locator(".viewer").nth(number) for number in range(2))
    before = first.get_attribute("data-at"), second.get_attribute("data-at")
    second.locator("button").first.focus()
    page.keyboard.press("End")
    assert first.get_attribute("data-at") == before[0], "keys are for the one that has the focus"
    assert second.get_attribute("data-at") == second.get_attribute("data-frames")
    assert tabs.requests == [file.as_uri()]


def drawn(store: Store, films: int) -> str:
    (found,) = store.tournaments()
    return report(store, found, Tallies(store, tournaments.outcomes).tables(found), films)
