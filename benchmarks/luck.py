"""Measures what dice luck is worth to the refit: `python -m benchmarks.luck [--blocks N] [--variant V] [--save]`.

Real matches of bots that are near to each other, and of the built-in ones, which are far apart, are refitted with
and without taking dice luck off. What becomes narrower is each agent's interval of strength.
"""

import argparse
import random
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from multiprocessing import get_context
from statistics import mean
from typing import Final, NamedTuple

from rich.progress import track

from arena.matches import Fixture, play
from benchmarks.sheets import ROOT, Sheet, machine, save, show
from engine.chance import seeded_keys
from engine.rules.variants import VARIANTS
from leaderboard.plackett_luce import Floats, Placing
from leaderboard.refit import Match, Sample, luck_effect, resample, without_luck
from sdk.bots import BOTS
from sdk.bots.aggressor import Aggressor
from sdk.bots.baseline import Choice
from sdk.bots.board_sense import BoardSense
from sdk.local import BotSpec

RESULTS = ROOT / "benchmarks/results/luck.md"
SEATS: Final = 4
AGAIN: Final = 20  # times the blocks are drawn anew, for the spread of the figures
REPLICATES: Final = 100  # of each of these; of the matches themselves as many as a refit has
ALL_REPLICATES: Final = 200
Z: Final = 1.645
AIM: Final = 0.1


class Careful(Aggressor):
    """An aggressor that wants better odds."""

    least_odds = 0.65

    def attack(self, sense: BoardSense, options: list[int]) -> Choice | None:
        good = [code for code in options if sense.odds(code) >= self.least_odds]
        return super().attack(sense, good) if good else None


def careful(least_odds: float) -> BotSpec:
    name = f"odds of {least_odds:.0%}"
    return BotSpec(name, type(name, (Careful,), {"least_odds": least_odds}), False)


FIELDS: Final = {
    "aggressors that attack at different odds": [careful(odds) for odds in (0.65, 0.7, 0.75, 0.8, 0.85, 0.9)],
    "the built-in bots": [BotSpec(name, agent, True) for name, agent in BOTS.items()],
}

WHAT_IT_SHOWS: Final = """\
The dice luck of a seat is what its battle rolls brought above their exact expectation, in armies. Its mean is
0, whoever plays: over very many matches it makes nobody better. Over those that were played it does, and a
refit takes that off again: it looks at how strengths go with mean luck from replicate to replicate, and takes
off what the luck of the real matches explains. What is left varies less, so the intervals are narrower, and the
same matches tell more: intervals that are narrower by a share s are those of 1 / (1 - s)² times as many
matches.

How much that is depends on how much the dice decide. A match of classic has some 400 battle rolls, most of them
late, when whoever has more wins anyway: their sum explains about 3 % of where bots that are near to each other
end, and so the intervals become narrower by 1 to 2 %. Where one bot nearly always wins, luck decides nothing."""


def block(field: str, variant: str, number: int) -> list[Match]:
    """A table of this number, in all rotations: bots, set-up and dice follow from the number."""
    bots = FIELDS[field]
    table = random.Random(number).sample(range(len(bots)), SEATS)
    setup = seeded_keys(number * SEATS)[1]
    return [match(bots, table[turn:] + table[:turn], variant, setup, number, turn) for turn in range(SEATS)]


def match(bots: Sequence[BotSpec], sat: list[int], variant: str, setup: bytes, number: int, turn: int) -> Match:
    seed = number * SEATS + turn
    keys = seeded_keys(seed)[0], setup
    played = play(Fixture(variant, {}, [bots[one] for one in sat], sat, keys, seed))
    return Match(Placing(sat, list(played.final.places)), played.luck, number)


class Figures(NamedTuple):
    """Means over all agents."""

    width: float  # of the interval of strength, 90 %
    without: float  # the same with luck taken off

    @property
    def narrower(self) -> float:
        return 1 - self.without / self.width


def figures(sample: Sample) -> Figures:
    return Figures(width(sample.strengths.replicates), width(without_luck(sample).replicates))


def width(replicates: Floats) -> float:
    return 2 * Z * float(replicates.std(axis=0).mean())


def again(matches: list[Match], agents: int, below: random.Random) -> float:
    """How much narrower, if other blocks of the kind had been played: drawn from these, with repetition."""
    blocks = [list(mine) for _, mine in groupby(matches, key=lambda one: one.block)]
    drawn = [
        one._replace(block=number)
        for number, mine in enumerate(below.choices(blocks, k=len(blocks)))
        for one in mine
    ]
    return figures(resample(drawn, agents, REPLICATES)).narrower


def measure(field: str, matches: list[Match]) -> list[str]:
    agents = len(FIELDS[field])
    sample = resample(matches, agents, ALL_REPLICATES)
    found, below = figures(sample), random.Random(1)
    others = sorted([again(matches, agents, below) for _ in track(range(AGAIN), "other blocks")])
    return [
        field,
        f"{len(matches):,}",
        f"{mean([abs(luck) for match in matches for luck in match.luck]):.1f}",
        f"{luck_effect(sample):.3f}",
        f"{found.width:.3f}",
        f"{found.without:.3f}",
        f"{found.narrower:.1%} ({others[1]:.1%} to {others[-2]:.1%})",
        f"{1 / (1 - found.narrower) ** 2:.2f}",
        "met" if found.narrower >= AIM else "missed",
    ]


def played(field: str, variant: str, blocks: int, processes: int) -> list[Match]:
    one: Callable[[int], list[Match]] = partial(block, field, variant)
    with get_context("spawn").Pool(processes) as pool:
        found = track(pool.imap(one, range(blocks), chunksize=2), field, total=blocks)
        return [match for matches in found for match in matches]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.luck", description="Measures what luck is worth.")
    parser.add_argument("--blocks", type=int, default=500, help=f"of {SEATS} matches (default %(default)s)")
    parser.add_argument("--variant", choices=list(VARIANTS), default="classic", help="default %(default)s")
    parser.add_argument("--processes", type=int, default=2, help="default %(default)s")
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS.relative_to(ROOT)} too")
    given = parser.parse_args(arguments)
    if given.blocks < 10 or given.processes < 1:
        parser.error("--blocks must be 10 or more, --processes 1 or more")
    head = [
        "",
        "matches",
        "luck, armies",
        "strength of one",
        "width",
        "luck off",
        "narrower",
        "as matches",
        "10 %",
    ]
    rows = [measure(field, played(field, given.variant, given.blocks, given.processes)) for field in FIELDS]
    where = (
        f"{machine()} {given.variant}, {SEATS} players, all rotations; {ALL_REPLICATES} replicates. Luck: the "
        f"mean of its size in a match. In brackets: 18 of {AGAIN} draws of other blocks.\n\n{WHAT_IT_SHOWS}"
    )
    sheets = [Sheet("Intervals of strength, 90 %", head, rows)]
    show(where, sheets)
    if given.save:
        save(RESULTS, "What dice luck is worth, measured", where, sheets)


if __name__ == "__main__":
    main()
