"""Measures the built-in bots: `python -m benchmarks.bots [--matches N] [--variant V] [--save]`.

One bot plays against three of another, in every seat as often; a win is a first place that nobody shares. The
intervals are Wilson's, at 95 %.
"""

import argparse
from collections.abc import Iterator
from functools import partial
from multiprocessing import get_context
from statistics import median
from typing import NamedTuple

from rich.progress import track

from arena.matches import Fixture, play
from benchmarks.sheets import ROOT, Sheet, machine, save, show
from engine import record
from engine.chance import seeded_keys
from engine.rules.variants import VARIANTS
from sdk.local import load_bot

RESULTS = ROOT / "benchmarks/results/bots.md"
SEATS = 4
Z = 1.96
FIRST_SEED = 1


class Pairing(NamedTuple):
    """One bot against a table of another; `aim` is the share of wins it should reach."""

    one: str
    others: str
    aim: float


PAIRINGS = (
    Pairing("cautious", "random", 0.5),
    Pairing("aggressor", "cautious", 0.5),
    Pairing("strategist", "aggressor", 0.4),
    Pairing("strategist", "random", 0.95),
)


class Outcome(NamedTuple):
    won: bool
    rounds: int
    conquest: bool
    bytes: int


def wilson(wins: int, matches: int) -> tuple[float, float]:
    """The interval that holds the true share of wins, 95 times of 100."""
    share = wins / matches
    middle = share + Z * Z / (2 * matches)
    reach = Z * (share * (1 - share) / matches + Z * Z / (4 * matches * matches)) ** 0.5
    return (middle - reach) / (1 + Z * Z / matches), (middle + reach) / (1 + Z * Z / matches)


def outcome(pairing: Pairing, variant: str, number: int) -> Outcome:
    """The match of this number: its seat goes round, its dice are its own."""
    seat = number % SEATS
    entries = [0 if here == seat else 1 for here in range(SEATS)]
    bots = [load_bot(pairing.others if entry else pairing.one) for entry in entries]
    seed = FIRST_SEED + number
    played = play(Fixture(variant, {}, bots, entries, seeded_keys(seed), seed))
    places = played.final.places
    return Outcome(
        won=places[seat] == 1 and places.count(1) == 1,
        rounds=played.final.round,
        conquest=played.final.held.count(0) == SEATS - 1,
        bytes=len(record.write(played.record)),
    )


def measure(variant: str, matches: int, processes: int) -> Iterator[list[str]]:
    with get_context("spawn").Pool(processes) as pool:
        for pairing in PAIRINGS:
            play_one = partial(outcome, pairing, variant)
            name = f"{pairing.one} against three {pairing.others}"
            results = pool.imap_unordered(play_one, range(matches), chunksize=8)
            yield row(pairing, name, list(track(results, name, total=matches)))


def row(pairing: Pairing, name: str, outcomes: list[Outcome]) -> list[str]:
    wins = sum(one.won for one in outcomes)
    low, high = wilson(wins, len(outcomes))
    share = wins / len(outcomes)
    sizes = [one.bytes for one in outcomes]
    return [
        name,
        f"{share:.1%} ({low:.1%}-{high:.1%})",
        f"{pairing.aim:.0%}",
        "met" if share >= pairing.aim else "missed",
        f"{median([one.rounds for one in outcomes]):.0f}",
        f"{sum(one.conquest for one in outcomes) / len(outcomes):.0%}",
        f"{median(sizes):,.0f} ({min(sizes):,}-{max(sizes):,})",
    ]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bots", description="Measures the built-in bots.")
    parser.add_argument("--matches", type=int, default=1000, help="of every pairing (default %(default)s)")
    parser.add_argument("--variant", choices=list(VARIANTS), default="classic", help="default %(default)s")
    parser.add_argument("--processes", type=int, default=2, help="default %(default)s")
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.relative_to(ROOT)} too")
    given = parser.parse_args(arguments)
    if given.matches < 1 or given.processes < 1:
        parser.error("--matches and --processes must be 1 or more")
    head = ["", "wins (95 % interval)", "aim", "", "rounds", "conquests", "bytes of a record"]
    rows = list(measure(given.variant, given.matches, given.processes))
    where = f"{machine()} {given.matches} matches of each pairing, {SEATS} players, seats rotated."
    sheets = [Sheet(f"Wins in {given.variant}", head, rows)]
    show(where, sheets)
    if given.save:
        save(RESULTS, "The built-in bots, measured", where, sheets)


if __name__ == "__main__":
    main()
