"""What a tournament file asks for, told before it starts."""

import math
from collections.abc import Iterator
from itertools import count
from typing import Final

from arena.config import TournamentConfig, VariantEntry
from arena.formats import BlockResult, make_format
from arena.job import COMMAND, Job
from arena.seating import make_block, match_keys
from arena.worker import play_here

TRIAL_MATCHES: Final = 3  # of each variant, to plan by
# What SQLite needs beside records and sidecars: the size of a new store, and by how much it grew with 400 to 6,000
# results of tables of 2 to 6, less the bytes of their records and sidecars, fitted by matches and seats.
EMPTY_BYTES: Final = 192_512
MATCH_BYTES: Final = 930
SEAT_BYTES: Final = 105


def planned(config: TournamentConfig, number: int) -> tuple[int, int]:
    """Matches and rounds of one variant."""
    counts = list(rounds(config, config.variants[number]))
    return sum(counts), len(counts)


def limited(config: TournamentConfig) -> list[tuple[int, int]]:
    """Matches and rounds of each variant, as far as `max_matches` lets them be played."""
    left = math.inf if config.stop.max_matches is None else config.stop.max_matches
    variants = [list(rounds(config, variant)) for variant in config.variants]
    told = [(0, 0)] * len(variants)
    for number in range(max(map(len, variants))):
        for index, counts in enumerate(variants):
            if number < len(counts) and left > 0:
                matches = min(counts[number], left)
                told[index] = told[index][0] + int(matches), number + 1
                left -= matches
    return told


def rounds(config: TournamentConfig, variant: VariantEntry) -> Iterator[int]:
    """The matches of each round, every block won by the entrant named first."""
    made, results = make_format(config, variant), list[BlockResult]()
    for round in count(1):
        pairings = made.pairings(round, results)
        if pairings is None:
            return
        for pairing in pairings:
            first = min(pairing.entrants)
            scores = tuple([float(len(pairing.entrants) * (one == first)) for one in pairing.entrants])
            results.append(BlockResult(round, pairing.number, pairing.entrants, scores))
        yield sum(len(pairing.entrants) for pairing in pairings)


def expected(config: TournamentConfig) -> int:
    """Matches of all variants."""
    return sum(matches for matches, _ in limited(config))


def trial(config: TournamentConfig, number: int) -> tuple[float, float]:
    """Seconds and bytes in the store of a match of one variant; commands are stood in for by a built-in bot."""
    variant = config.variants[number]
    made = make_format(config, variant)
    pairing = next(iter(made.pairings(1, []) or []), None)
    if pairing is None:
        return 0.0, 0.0
    block = make_block(config.name, pairing, variant)
    seconds = size = 0.0
    for fixture in block.fixtures[:TRIAL_MATCHES]:
        bots = [config.entrants[one].bot for one in fixture.seats]
        stand_ins = tuple(["aggressor" if bot.startswith(COMMAND) else bot for bot in bots])
        names = tuple([config.entrants[one].name for one in fixture.seats])
        keys = match_keys(b"trial", fixture.id, block.id)
        job = Job(fixture.id, 0, variant.name, variant.options, names, stand_ins, keys, str(config.time))
        played = play_here(job)
        seconds, size = seconds + played.seconds, size + len(played.record) + len(played.sidecar)
    tried = min(TRIAL_MATCHES, len(block.fixtures))
    return seconds / tried, size / tried + MATCH_BYTES + SEAT_BYTES * variant.players
