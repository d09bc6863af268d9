"""`arena variants`."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.rules.variants import VARIANTS


def test_list_names_every_variant(data: Callable[..., Any], run: Callable[..., Any]) -> None:
    assert [row["name"] for row in data("variants")] == list(VARIANTS)
    shown = run("variants", "--table").stdout
    assert all(name in shown for name in VARIANTS)


@pytest.mark.parametrize("name", VARIANTS)
def test_show_tells_rules_options_and_board(data: Callable[..., Any], name: str) -> None:
    told = data("variants", "show", name)
    variant = VARIANTS[name]
    assert told["players"] == list(variant.players)
    assert [option["name"] for option in told["options"]] == [setting.name for setting in variant.settings]
    assert all(len(words) > 20 for words in told["sections"])
    assert sum(len(region["territories"]) for region in told["regions"]) >= 42


def test_sections_tell_their_numbers(data: Callable[..., Any]) -> None:
    classic = " ".join(data("variants", "show", "classic")["sections"])
    officers = " ".join(data("variants", "show", "officers")["sections"])
    assert "4, 6, 8, 10, 12, 15" in classic
    assert "35 with 3 players" in classic
    assert "6 or more after an elimination" in classic
    assert "brings 2 armies" in classic
    assert "With 2 players: Starting armies: 40 for each player" in classic
    assert "brings 2 armies" not in officers
    assert "to the discards" in officers
    assert officers.index("highest begins placing") < officers.index("highest takes the first turn")
    assert "highest begins;" in classic
    assert "6 players" not in " ".join(data("variants", "show", "ad2210-classic")["sections"])


def test_rules_stand_on_the_left(run: Callable[..., Any]) -> None:
    lines = run("variants", "show", "classic", "--table").stdout.splitlines()
    starts = {line.find(word) for line in lines for word in ("Everybody rolls", "Fortify: one") if word in line}
    assert len(starts) == 1


def test_borders_are_listed_when_asked_for(run: Callable[..., Any]) -> None:
    assert "Borders" not in run("variants", "show", "classic", "--table").stdout
    shown = run("variants", "show", "classic", "--table", "-v").stdout
    row = next(line for line in shown.partition("Borders")[2].splitlines() if "(kam)" in line)
    assert "Alaska" in row


def test_table_of_one_variant(run: Callable[..., Any]) -> None:
    shown = run("variants", "show", "ad2210-classic", "--table").stdout
    for part in ("2210 Classic", "2-5 players", "disputed_border", "Rules, section by section", "Board:"):
        assert part in shown


def test_unknown_variant_lists_what_exists(run: Callable[..., Any]) -> None:
    result = run("variants", "show", "chess")
    assert (result.exit_code, result.stdout) == (2, "")
    assert all(name in result.stderr for name in VARIANTS)


def test_two_players_and_teams_are_told(data: Callable[..., Any]) -> None:
    godstorm = " ".join(data("variants", "show", "godstorm-classic")["sections"])
    assert "30 for each player and 30 for each neutral force" in godstorm
    active = " ".join(data("variants", "show", "neutral-active")["sections"])
    assert "With 2 players" not in active
    assert "one of each of 4 neutral forces" in active
    team = " ".join(data("variants", "show", "team")["sections"])
    assert "30 with 4 players, 20 with 6 players" in team
    assert "elimination" not in team
