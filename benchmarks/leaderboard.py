"""Measures the leaderboard: `python -m benchmarks.leaderboard [--quick] [--save]`.

The same matches are rated by catching up, with all that is read and written, and by bare calls of `trueskill`;
every round does both, one after the other. Both count the time of the processor, which is all that the library
needs. The medians of all rounds are shown with the least and the greatest value. A refit is measured with reading
its matches and writing its strengths.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager
from statistics import median
from typing import Final, NamedTuple

import trueskill

from benchmarks.filled_store import fill
from benchmarks.sheets import ROOT, Sheet, machine, save, show, spread
from benchmarks.tournament import postgresql, sqlite
from leaderboard.catching_up import catch_up, rebuild
from leaderboard.ratings import BETA, DRAW_PROBABILITIES, MU, SIGMA, TAU
from leaderboard.refit import REPLICATES
from leaderboard.refitting import refit_scope
from leaderboard.released import NOTHING, Match, next_batch
from leaderboard.scopes import EVERYTHING, known_scopes
from leaderboard.store import Store, open_store

RESULTS = ROOT / "benchmarks/results/leaderboard.md"
AGENTS: Final = 200
AIM: Final = 0.9
REFIT_AIM: Final = 60.0  # seconds
PLACES: Final[dict[str, Callable[[], AbstractContextManager[str]]]] = {"SQLite": sqlite, "PostgreSQL": postgresql}


class Round(NamedTuple):
    """Ratings a second; a match is rated in several scopes."""

    ours: float
    bare: float

    @property
    def ratio(self) -> float:
        return self.ours / self.bare


class Refitted(NamedTuple):
    seconds: float
    cpu: float


def released(store: Store) -> list[Match]:
    """All that is to be rated."""
    found: list[Match] = []
    mark = NOTHING
    while True:
        with store.snapshot() as connection:
            batch = next_batch(connection, mark)
        if batch.release_seq == mark.release_seq:
            return found
        found += batch.matches
        mark = mark._replace(release_seq=batch.release_seq)


def rate_bare(matches: list[Match]) -> float:
    """Seconds."""
    draws = DRAW_PROBABILITIES.items()
    environments = {won_by: trueskill.TrueSkill(MU, SIGMA, BETA, TAU, draw) for won_by, draw in draws}
    beliefs: dict[tuple[str, int], trueskill.Rating] = defaultdict(lambda: trueskill.Rating(MU, SIGMA))
    work = [
        (
            environments[match.won_by],
            [(scope.name, side.seats[0].version_id) for side in match.sides],
            [side.place for side in match.sides],
        )
        for match in matches
        for scope in match.scopes
    ]
    began = time.process_time()
    for environment, keys, places in work:
        after = environment.rate([(beliefs[key],) for key in keys], places)
        for key, (belief,) in zip(keys, after, strict=True):
            beliefs[key] = belief
    return time.process_time() - began


def measure_ratings(store: Store, matches: list[Match]) -> Round:
    count = sum(len(match.scopes) for match in matches)
    began = time.process_time()
    assert rebuild(store) == len(matches)
    ours = time.process_time() - began
    return Round(count / ours, count / rate_bare(matches))


def measure_rounds(rounds: int, matches: int) -> list[Round]:
    with sqlite() as url, open_store(url) as store:
        fill(store, AGENTS, matches)
        due = released(store)
        found = []
        for number in range(rounds):
            found.append(measure_ratings(store, due))
            print(f"round {number + 1} of {rounds}", flush=True)
        return found


def measure_rebuild(place: Callable[[], AbstractContextManager[str]], matches: int) -> float:
    """Seconds by the clock, with everything that a rater does."""
    with place() as url, open_store(url) as store:
        fill(store, AGENTS, matches)
        catch_up(store)
        began = time.perf_counter()
        rebuild(store)
        return time.perf_counter() - began


def measure_refit(matches: int) -> Refitted:
    with sqlite() as url, open_store(url) as store:
        fill(store, AGENTS, matches)
        catch_up(store)
        everything = next(one for one in known_scopes(store) if one.scope == EVERYTHING)
        began, cpu = time.perf_counter(), time.process_time()
        assert refit_scope(store, everything.id)
        return Refitted(time.perf_counter() - began, time.process_time() - cpu)


def ratings_sheet(rounds: list[Round]) -> Sheet:
    ratio = [one.ratio for one in rounds]
    rows = [
        ["bare calls of trueskill, a second", spread([one.bare for one in rounds])],
        ["ratings by catching up, a second", spread([one.ours for one in rounds])],
        ["ratio", spread(ratio, ".3f")],
        ["aim", f"{AIM} {'met' if median(ratio) >= AIM else 'missed'}"],
    ]
    return Sheet("Ratings", ["", "measured"], rows)


def rebuild_sheet(matches: int, seconds: dict[str, float]) -> Sheet:
    rows = [[name, f"{value:,.1f}", f"{matches / value:,.0f}"] for name, value in seconds.items()]
    return Sheet(f"Rebuild of {matches:,} matches in three scopes each", ["", "seconds", "matches a second"], rows)


def refit_sheet(matches: int, refitted: Refitted) -> Sheet:
    rows = [
        ["seconds", f"{refitted.seconds:.1f}"],
        ["seconds of the processor", f"{refitted.cpu:.1f}"],
        ["aim", f"{REFIT_AIM:.0f} s {'met' if refitted.seconds < REFIT_AIM else 'missed'}"],
    ]
    return Sheet(f"Refit of {matches:,} matches, {REPLICATES} replicates", ["", "measured"], rows)


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Measure ratings and pages.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--matches", type=int, default=2_000, help="to compare with bare calls")
    parser.add_argument("--rebuilt", type=int, default=100_000, help="matches, to make all ratings anew")
    parser.add_argument("--refitted", type=int, default=10_000, help="matches, to look at together")
    parser.add_argument("--quick", action="store_true", help="one small round, for a first look")
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.relative_to(ROOT)}")
    told = parser.parse_args(argv)
    rounds, matches, rebuilt, refitted = told.rounds, told.matches, told.rebuilt, told.refitted
    if told.quick:
        rounds, matches, rebuilt, refitted = 1, min(matches, 200), min(rebuilt, 200), min(refitted, 200)
    rated = measure_rounds(rounds, matches)
    seconds = {name: measure_rebuild(place, rebuilt) for name, place in PLACES.items()}
    where = f"{machine()} {AGENTS} agents at tables of 4; {rounds} rounds, median (least-greatest)."
    refit = refit_sheet(refitted, measure_refit(refitted))
    sheets = [ratings_sheet(rated), rebuild_sheet(rebuilt, seconds), refit]
    show(where, sheets)
    if told.save:
        save(RESULTS, "The leaderboard, measured", where, sheets)


if __name__ == "__main__":
    main()
