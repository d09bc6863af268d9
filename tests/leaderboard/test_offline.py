"""The page of a match in one file, as text and in a real browser."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from conquest.v1.record_pb2 import MatchRecord
from engine import record
from engine.playout import Uniform
from engine.rules.variants import ruleset
from leaderboard.film import film_of
from leaderboard.offline import page_of, script
from tests.browser import PHONE, Tabs, is_too_wide, until
from tests.leaderboard.matches import played

NASTY = ("<script>alert(1)</script>", "</script><!--", "{title} ' \" & \u2028")

# Presses the key of a step so many times; of each, the words and the owner and armies of every place.
STEP_THROUGH = """count => Array.from({ length: count }, () => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    const told = ({ dataset }) => `${dataset.owner} ${dataset.armies}`;
    const places = [...document.querySelectorAll(".place")].map(told);
    return [document.querySelector(".now-text").textContent, ...places];
})"""


@pytest.fixture(scope="module")
def kept() -> MatchRecord:
    return played(ruleset("classic", 3, {"rounds": 12}), 8, agents=NASTY)


@pytest.fixture(scope="module")
def film(kept: MatchRecord) -> dict[str, Any]:
    return film_of(kept)


@pytest.fixture(scope="module")
def address(kept: MatchRecord, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("pages") / "match.html"
    path.write_text(page_of(kept), encoding="utf-8")
    return path.as_uri()


def shown(page: Page) -> int:
    """How many frames are shown."""
    return int(page.locator(".viewer").get_attribute("data-at") or -1)


def turn(page: Page) -> int:
    return int(page.locator(".viewer").get_attribute("data-turn") or -1)


def board(page: Page) -> list[tuple[int, int]]:
    """Owner and armies of every place, as the page has them."""
    told = "places => places.map(place => [Number(place.dataset.owner), Number(place.dataset.armies)])"
    return [(owner, armies) for owner, armies in page.locator(".place").evaluate_all(told)]


def final(kept: MatchRecord) -> list[tuple[int, int]]:
    replay = record.Replay(kept)
    while (step := replay.peek()) is not None:
        replay.take(step)
    return list(zip(replay.s.owner, replay.s.armies, strict=True))


def seats_table(page: Page, column: str) -> list[str]:
    return page.locator(f".seats td[data-of={column}]").all_text_contents()


# As text


def test_nothing_in_a_name_gets_out_of_its_place(kept: MatchRecord, film: dict[str, Any]) -> None:
    text = page_of(kept)
    assert text.count("<script") == text.count("</script") == 3
    assert "<!--" not in text
    embedded = re.search(r'id="film">(.*?)</script>', text, re.DOTALL)
    assert embedded is not None
    assert json.loads(embedded[1]) == json.loads(json.dumps(film))


def test_all_modules_are_one() -> None:
    text = script("viewer.js", set())
    assert not re.search(r"^(import|export)\b", text, re.MULTILINE)
    names = re.findall(r"^(?:async )?(?:function|class|const) (\w+)", text, re.MULTILINE)
    assert len(set(names)) == len(names) > 30
    assert "</script" not in text


# In a browser


def test_it_plays_from_the_file_alone(tabs: Tabs, address: str, film: dict[str, Any]) -> None:
    page = tabs.open(f"{address}#at=0")
    assert tabs.requests == [address]
    assert page.locator(".seats .agent").all_text_contents() == list(NASTY)
    assert board(page) == [(-1, 0)] * 42
    page.locator("select").select_option("32")
    page.get_by_role("button", name="Play").click()
    until(page, "document.querySelector('.viewer').dataset.at > 40")
    page.get_by_role("button", name="Pause").click()
    assert 40 < shown(page) < len(film["frames"])


def test_it_steps_through_the_whole_match(
    tabs: Tabs, address: str, kept: MatchRecord, film: dict[str, Any]
) -> None:
    """Every frame by the key of a step; the board is that of the film all along."""
    page = tabs.open(f"{address}#at=0")
    page.wait_for_selector(".place")
    seen = page.evaluate(STEP_THROUGH, len(film["frames"]))
    owners, armies = film["start"]["owners"][:], film["start"]["armies"][:]
    for frame, (text, *places) in zip(film["frames"], seen, strict=True):
        for place, owner, count in frame.get("changes", ()):
            owners[place], armies[place] = owner, count
        assert text == frame["text"]
        assert places == [f"{owner} {count}" for owner, count in zip(owners, armies, strict=True)], text
    assert shown(page) == len(film["frames"])
    assert board(page) == final(kept)
    last = film["turns"][-1]
    assert seats_table(page, "territories") == [str(count) for count in last["territories"]]
    assert seats_table(page, "armies") == [str(count) for count in last["armies"]]
    luck = [float(text.replace("−", "-")) for text in seats_table(page, "luck")]
    assert luck == pytest.approx(last["luck"], abs=0.06)
    places = [int(re.sub(r"\D", "", text)) for text in page.locator(".rank").all_text_contents()]
    assert places == list(kept.result.places)


def test_any_way_to_a_frame_shows_the_same(tabs: Tabs, address: str, film: dict[str, Any]) -> None:
    page = tabs.open(f"{address}#at=150")
    page.wait_for_selector(".place")
    direct = board(page), page.locator(".now").inner_html(), page.locator(".log li").all_text_contents()
    for key in ("ArrowRight", "ArrowLeft", "End", "Home"):
        page.keyboard.press(key)
    page.locator("input[type=range]").evaluate(
        "slider => { slider.value = 149; slider.dispatchEvent(new Event('input')) }"
    )
    assert shown(page) == 149
    page.keyboard.press("ArrowRight")
    assert (board(page), page.locator(".now").inner_html(), page.locator(".log li").all_text_contents()) == direct


def test_keys_and_buttons(tabs: Tabs, address: str, film: dict[str, Any]) -> None:
    page = tabs.open(address)
    page.wait_for_selector(".place")
    first = film["turns"][1]["frame"] + 1
    assert (shown(page), turn(page)) == (first, 1), "it begins where the set-up ends"
    for key, at in (
        ("ArrowRight", first + 1),
        ("ArrowLeft", first),
        ("Shift+ArrowRight", film["turns"][2]["frame"] + 1),
        ("Shift+ArrowLeft", first),
        ("Home", 0),
        ("Shift+ArrowLeft", 0),
        ("End", len(film["frames"])),
        ("Shift+ArrowRight", len(film["frames"])),
    ):
        page.keyboard.press(key)
        assert shown(page) == at, key
    for name, at in (
        ("To the start", 0),
        ("One step on", 1),
        ("One turn on", first),
        ("One step back", first - 1),
        ("One turn back", 0),
        ("To the end", len(film["frames"])),
    ):
        page.get_by_role("button", name=name).click()
        assert shown(page) == at, name
    speed = page.locator("select").input_value()
    page.keyboard.press("+")
    assert float(page.locator("select").input_value()) == 2 * float(speed)
    page.keyboard.press("-")
    assert page.locator("select").input_value() == speed


def test_keys_leave_alone_who_types(tabs: Tabs, address: str) -> None:
    page = tabs.open(f"{address}#turn=3")
    page.wait_for_selector(".place")
    page.evaluate("document.body.append(document.createElement('input'))")
    at = shown(page)
    page.locator("body > input").fill("x")
    page.locator("body > input").press("Home")
    page.keyboard.type("+ -")
    assert (shown(page), page.locator("body > input").input_value()) == (at, "+ -x")
    page.get_by_role("button", name="Play").press("Space")
    assert page.get_by_role("button", name="Pause").is_visible(), "pressed once, not twice"


def test_the_address_keeps_the_moment(tabs: Tabs, address: str, film: dict[str, Any]) -> None:
    page = tabs.open(f"{address}#turn=4")
    page.wait_for_selector(".place")
    assert (shown(page), turn(page)) == (film["turns"][4]["frame"] + 1, 4)
    page.keyboard.press("Shift+ArrowRight")
    until(page, "location.hash === '#turn=5'")
    page.keyboard.press("ArrowRight")
    until(page, f"location.hash === '#at={film['turns'][5]['frame'] + 2}'")
    page.evaluate("location.hash = '#turn=2'")
    until(page, "document.querySelector('.viewer').dataset.turn === '2'")
    for odd in ("#turn=999", "#at=99999999"):
        page.evaluate(f"location.hash = '{odd}'")
        until(page, "document.querySelector('.viewer').dataset.at !== '0'")
    assert shown(page) == len(film["frames"])
    page.evaluate("location.hash = '#something'")
    assert shown(page) == len(film["frames"])


def test_an_action_of_the_record_has_an_address(tabs: Tabs, address: str, film: dict[str, Any]) -> None:
    page = tabs.open(f"{address}#action=200")
    page.wait_for_selector(".place")
    number = next(n for n, frame in enumerate(film["frames"], start=1) if frame["action"] >= 200)
    assert shown(page) == number
    page.evaluate("location.hash = '#action=999999'")
    until(page, f"document.querySelector('.viewer').dataset.at === '{len(film['frames'])}'")


def test_two_viewers_do_not_disturb_each_other(tabs: Tabs, kept: MatchRecord, tmp_path: Path) -> None:
    path = tmp_path / "two.html"
    one = '<div class="viewer" data-film="#film" data-map="#map"></div>'
    path.write_text(page_of(kept).replace(one, 2 * one), encoding="utf-8")
    page = tabs.open(f"{path.as_uri()}#turn=3")
    page.locator(".viewer + .viewer .place").first.wait_for()
    first, second = page.locator(".viewer").all()
    begun = first.get_attribute("data-at")
    page.keyboard.press("End")
    assert [one.get_attribute("data-at") for one in (first, second)] == [begun, begun], (
        "nobody knows which is meant"
    )
    second.get_by_role("button", name="One step on").click()
    page.keyboard.press("ArrowRight")
    assert [one.get_attribute("data-at") for one in (first, second)] == [begun, str(int(begun or 0) + 2)]
    assert page.evaluate("location.hash") == "#turn=3"
    ids = page.locator("[id]").evaluate_all("found => found.map(one => one.id)")
    assert len(set(ids)) == len(ids)


def test_curves_are_clicked_and_pointed_at(tabs: Tabs, address: str, film: dict[str, Any]) -> None:
    page = tabs.open(address)
    chart = page.locator(".curve[data-curve=armies] .chart")
    box = chart.bounding_box()
    assert box is not None
    last = len(film["turns"]) - 1
    middle = box["x"] + 30 + (box["width"] - 46) * 0.5
    page.mouse.click(middle, box["y"] + 50)
    assert turn(page) == pytest.approx(last / 2 + 0.5, abs=1)
    pointed = page.locator(".curve[data-curve=armies] .readout").text_content() or ""
    number = int(re.findall(r"turn (\d+)", pointed)[0])
    assert [int(count) for count in re.findall(r"[A-F] (\d+)", pointed)] == film["turns"][number]["armies"]
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 50)
    page.mouse.up()
    assert shown(page) == len(film["frames"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(tabs: Tabs, address: str, scheme: str) -> None:
    page = tabs.open(f"{address}#turn=5", PHONE, color_scheme=scheme)
    page.wait_for_selector(".place")
    assert not is_too_wide(page)
    page.get_by_role("button", name="Zoom").click()
    page.keyboard.press("ArrowRight")
    assert not is_too_wide(page)


def test_long_names_leave_room_for_the_match(tabs: Tabs, tmp_path: Path) -> None:
    names = ("W" * 3000, "long " * 500, "short")
    path = tmp_path / "match.html"
    path.write_text(page_of(played(ruleset("classic", 3, {"rounds": 1}), 1, agents=names)), encoding="utf-8")
    page = tabs.open(path.as_uri(), PHONE)
    page.wait_for_selector(".place")
    for what in ("header", ".heading", ".seats"):
        box = page.locator(what).bounding_box()
        assert box is not None
        assert box["height"] < PHONE["height"] / 2, what


def test_people_who_do_not_see_it_are_told(tabs: Tabs, address: str, film: dict[str, Any]) -> None:
    page = tabs.open(f"{address}#turn=5")
    page.wait_for_selector(".place")
    number = next(n for n in range(shown(page), len(film["frames"])) if "dice" in film["frames"][n])
    page.evaluate(f"location.hash = '#at={number + 1}'")
    roll = page.locator(".dice")
    roll.wait_for()
    attack, defence = [sorted(faces, reverse=True) for faces in film["frames"][number]["dice"]]
    assert (
        roll.get_attribute("aria-label")
        == f"Dice {' '.join(map(str, attack))} against {' '.join(map(str, defence))}"
    )
    assert page.locator(".now-text").get_attribute("aria-live") == "polite"
    unnamed = "buttons => buttons.filter(one => !one.getAttribute('aria-label') && !one.textContent).length"
    assert page.locator("button").evaluate_all(unnamed) == 0
    assert "step" in (page.locator("input[type=range]").get_attribute("aria-valuetext") or "")


def test_a_long_match_is_scrubbed_smoothly(tabs: Tabs, tmp_path: Path) -> None:
    kept = played(ruleset("classic", 6, {"rounds": 80}), 4, Uniform)
    assert len(film_of(kept)["frames"]) > 4000
    path = tmp_path / "long.html"
    path.write_text(page_of(kept), encoding="utf-8")
    page = tabs.open(path.as_uri())
    page.wait_for_selector(".place")
    took = page.evaluate(
        """() => {
            const slider = document.querySelector("input[type=range]");
            const began = performance.now();
            for (let jump = 0; jump < 100; jump++) {
                slider.value = (jump * 7919) % Number(slider.max);
                slider.dispatchEvent(new Event("input"));
            }
            return (performance.now() - began) / 100;
        }"""
    )
    print(f"{took:.1f} ms for a jump")
    assert took < 50
