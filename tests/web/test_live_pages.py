"""Running matches in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from leaderboard.store import open_store
from tests.browser import PHONE, Tabs, is_too_wide, until
from tests.web.referees import Games
from tests.web.serving import served


@pytest.fixture
def games() -> Iterator[Games]:
    with Games() as running:
        yield running


def test_a_running_match_moves(games: Games, tmp_path: Path, tabs: Tabs) -> None:
    with open_store(str(tmp_path / "arena.db")) as store, served(store, dial=games.dial) as web:
        games.create("cup/1", rounds=12)
        page = tabs.open(f"{web.address}/live/matches/cup%2F1", PHONE)
        frames = "Number(document.querySelector('.viewer').dataset.frames ?? 0)"
        until(page, f"{frames} > 0")
        seen = page.evaluate(frames)
        until(page, f"{frames} > {seen + 20}")
        assert not is_too_wide(page)
        until(page, "document.querySelector('.live-badge').hidden", 60)
        rounds = games.record("cup/1").result.rounds
        until(page, f"document.querySelector('.viewer .title').textContent.includes('round {rounds} ')", 60)


def test_a_page_comes_back_when_the_referee_does(games: Games, tmp_path: Path, tabs: Tabs) -> None:
    with open_store(str(tmp_path / "arena.db")) as store, served(store, dial=games.dial) as web:
        games.create("m", rounds=200)
        page = tabs.open(f"{web.address}/live/matches/m")
        until(page, "Boolean(document.querySelector('.viewer .notice'))")
        games.stop()
        until(page, "document.querySelector('.viewer .notice').textContent.includes('does not answer')", 30)
        games.start()
        games.until_connected()
        games.create("m", rounds=4)
        until(page, "document.querySelector('.live-badge').hidden", 60)
        assert page.inner_text(".viewer .notice") == ""
