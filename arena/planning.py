"""What a tournament file asks for, told before it starts."""

from typing import Final

from arena.config import TournamentConfig
from arena.formats import BlockResult, make_format
from arena.job import COMMAND, Job
from arena.seating import make_block, match_keys
from arena.worker import play_here

TRIAL_MATCHES: Final = 3  # of each variant, to plan by


def planned(config: TournamentConfig, number: int) -> tuple[int, int]:
    """Matches and rounds of one variant, each block won by the entrant named first."""
    variant = config.variants[number]
    made, results, matches, round = make_format(config, variant), list[BlockResult](), 0, 0
    while (pairings := made.pairings(round + 1, results)) is not None:
        round += 1
        for pairing in pairings:
            matches += len(pairing.entrants)
            first = min(pairing.entrants)
            scores = tuple([float(len(pairing.entrants) * (one == first)) for one in pairing.entrants])
            results.append(BlockResult(round, pairing.number, pairing.entrants, scores))
    return matches, round


def expected(config: TournamentConfig) -> int:
    """Matches of all variants."""
    return sum(planned(config, number)[0] for number in range(len(config.variants)))


def trial(config: TournamentConfig, number: int) -> tuple[float, float]:
    """Seconds and bytes of a match of one variant; commands are stood in for by a built-in bot."""
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
        seconds, size = seconds + played.seconds, size + len(played.record)
    count = min(TRIAL_MATCHES, len(block.fixtures))
    return seconds / count, size / count
