"""The benchmark runs, and what it compares with plays the same game."""

import random
import subprocess
import sys
from statistics import mean

import pytest

from benchmarks import bots as bot_bench
from benchmarks import engine as bench
from benchmarks import fairness as fairness_bench
from benchmarks import leaderboard as leaderboard_bench
from benchmarks import pages as pages_bench
from benchmarks import referee as referee_bench
from benchmarks import tight_loop
from benchmarks.sheets import ROOT
from engine.chance import Chance, seeded_keys
from engine.playout import Policy, Uniform, play_out
from engine.rules.variants import ruleset

MATCHES = 20


def loop_results(seats: int, rounds: int, matches: int = MATCHES) -> list[tight_loop.Result]:
    tables = bench.world(ruleset("classic", seats).board)
    return [tight_loop.play(tables, seats, rounds, random.Random(seed)) for seed in range(matches)]


def test_prints_every_table(capsys: pytest.CaptureFixture[str]) -> None:
    bench.main(["--quick", "--rounds", "1", "--seconds", "0.001", "--no-mypyc"])
    shown = capsys.readouterr().out
    parts = (
        "play_out, uniform",
        "driver, overmatch",
        "tight loop",
        "clone()",
        "digest()",
        "pickled",
        "record file",
    )
    for words in parts:
        assert words in shown


def test_bots_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    bot_bench.main(["--matches", "4", "--processes", "1"])
    shown = capsys.readouterr().out
    assert all(f"{pairing.one} against three {pairing.others}" in shown for pairing in bot_bench.PAIRINGS)


def test_referee_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    referee_bench.main(["--quick", "--matches", "2", "--seconds", "0.1"])
    shown = capsys.readouterr().out
    assert all(words in shown for words in ("KB a match", "echo, batches of 64", "in one process"))


def test_neighbours_are_compared() -> None:
    pair = fairness_bench.measure(fairness_bench.TROUBLES[-1], seconds=0.1)
    assert min(pair) > 0
    assert fairness_bench.sheet({"reads nothing": [pair]}).rows[0][0] == "reads nothing"


@pytest.mark.usefixtures("postgresql")  # or a word about it
def test_tournaments_are_measured() -> None:
    """In a process of its own: Ray forks, and this one may have threads."""
    words = ("--quick", "--matches", "4", "--stored", "40", "--fixtures", "8", "80")
    command = [sys.executable, "-m", "benchmarks.tournament", *words]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert all(words in shown for words in ("ratio", "CPU of the driver", "SQLite", "PostgreSQL", "80 fixtures"))


def test_wilson_interval() -> None:
    assert bot_bench.wilson(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert bot_bench.wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_tight_loop_conserves_armies_and_cards(seats: int) -> None:
    for result in loop_results(seats, rounds=12):
        assert sum(result.armies) == result.received - result.killed
        assert min(result.armies) >= 1
        assert set(result.owner) <= set(range(seats))
        assert result.cards == 44
        assert result.rounds == 12 or len(set(result.owner)) == 1


@pytest.mark.parametrize("seats", [3, 6])
def test_tight_loop_plays_the_game_of_the_engine(seats: int) -> None:
    """Uniform matches of both are alike in decisions and in armies left on the board."""
    r = ruleset("classic", seats, {"rounds": 10})
    decisions: list[int] = []
    armies: list[int] = []
    for seed in range(MATCHES * 3):
        s = r.new()
        policies: list[Policy] = [Uniform(seed * 8 + seat) for seat in range(seats)]
        decisions.append(play_out(r, s, policies, Chance(*seeded_keys(seed))))
        armies.append(sum(s.armies))
    results = loop_results(seats, rounds=10, matches=MATCHES * 3)
    assert mean(result.decisions for result in results) == pytest.approx(mean(decisions), rel=0.08)
    assert mean(sum(result.armies) for result in results) == pytest.approx(mean(armies), rel=0.08)


def test_plain_driver_plays_to_the_end() -> None:
    for policy, make in bench.PLAIN_POLICIES.items():
        r = ruleset("classic", 3, {"rounds": 5})
        s = r.new()
        assert bench.drive(r, s, [make(seat) for seat in range(3)], Chance(*seeded_keys(0))) > 100, policy
        assert r.over(s)


def test_ratings_are_compared_with_bare_calls_for_the_same_matches() -> None:
    (measured,) = leaderboard_bench.measure_rounds(1, matches=40)
    assert measured.ours > 0 < measured.bare
    assert [row[0] for row in leaderboard_bench.ratings_sheet([measured]).rows][-2:] == ["ratio", "aim"]


@pytest.mark.usefixtures("postgresql")  # or a word about it
def test_pages_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    pages_bench.main(["--quick", "--matches", "100", "--readers", "2", "--seconds", "0.05"])
    shown = capsys.readouterr().out
    assert all(
        words in shown for words in ("a block a second", "PostgreSQL", *pages_bench.MIX, "all of them, mixed")
    )
