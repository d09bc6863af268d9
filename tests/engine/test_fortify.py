"""The free move."""

import pytest

from engine.rules.errors import RulesError
from tests.engine.positions import EDITIONS, Position

EVERY = pytest.mark.parametrize("variant", EDITIONS)
NEIGHBOURS_ONLY = ("classic", "summary", "ad2210-classic", "godstorm-classic")


@pytest.mark.ruling("M42")
@pytest.mark.ruling("M43")
@pytest.mark.parametrize("variant", NEIGHBOURS_ONLY)
def test_to_a_neighbour_only(variant: str) -> None:
    p = Position("3; A: {a} 4 {c} {d}; B: {b} 2; rest C; at fortifying A", variant)
    assert p.options == ["stop", "fortify {a}>{c} 1-3".format(**p.parts)]
    with pytest.raises(RulesError):
        p.play("fortify {a}>{d} 1")
    p.play("fortify {a}>{c} 2")
    assert (p.at("{a}"), p.at("{c}")) == ("A 2", "A 3")
    assert p.step == "place B"  # one move, and the turn is over


@pytest.mark.ruling("M42")
@pytest.mark.ruling("M43")
def test_officers_move_along_connected_land() -> None:
    p = Position("3; A: ala 4 alb wus arg; B: kam 2; rest C; at fortifying A", "officers")
    assert p.options == ["stop", "fortify_from ala>"]
    p.play("fortify_from ala>")
    assert p.options == ["fortify ala>alb 1-3", "fortify ala>wus 1-3"]  # Argentina is cut off
    p.play("fortify ala>wus 3")
    assert (p.at("ala"), p.at("alb"), p.at("wus")) == ("A 1", "A 1", "A 4")
    assert p.step == "place B"


@pytest.mark.ruling("M43")
def test_path_of_the_manual() -> None:
    p = Position("3; A: ido 3 sia ind afg ukr; B: kam; rest C; at fortifying A", "officers")
    p.play("fortify_from ido>", "fortify ido>ukr 2")
    assert p.at("ukr") == "A 3"
    cut = Position("3; A: ido 3 sia ind ukr; B: afg; rest C; at fortifying A", "officers")
    assert cut.play("fortify_from ido>").options == ["fortify ido>ind 1-2", "fortify ido>sia 1-2"]


@pytest.mark.ruling("M44")
@EVERY
@pytest.mark.parametrize("armies", [2, 3, 9])
def test_one_stays_behind(variant: str, armies: int) -> None:
    p = Position(f"3; A: {{a}} {armies} {{c}}; B: {{b}}; rest C; at fortifying A", variant)
    if variant == "officers":
        p.play("fortify_from {a}>")
    with pytest.raises(RulesError):
        p.play(f"fortify {{a}}>{{c}} {armies}")
    p.play(f"fortify {{a}}>{{c}} {armies - 1}")
    assert (p.at("{a}"), p.at("{c}")) == ("A 1", f"A {armies}")


@pytest.mark.ruling("M45")
@EVERY
def test_needs_no_attack_first(variant: str) -> None:
    p = Position("3; A: {a} 4 {c}; B: {b}; rest C; at counting_income A", variant)
    p.play("place {a} 3", "stop")
    assert p.s.captures == 0
    assert p.step == "fortify A"


@pytest.mark.ruling("M42")
@EVERY
def test_may_be_left_out(variant: str) -> None:
    p = Position("3; A: {a} 4 {c}; B: {b} 2; rest C; at fortifying A", variant)
    assert p.play("stop").step == "place B"
    assert p.at("{a}") == "A 4"


@EVERY
@pytest.mark.parametrize("land", ["{a} 4 {d} 4", "{a} {c} {d}"])
def test_is_not_asked_where_nothing_can_move(variant: str, land: str) -> None:
    """No own neighbour, or no army to spare: everybody sees it."""
    assert Position(f"3; A: {land}; B: {{b}} 2; rest C; at fortifying A", variant).step == "place B"
