"""Random matches with their records."""

from collections.abc import Callable
from typing import Final

from conquest.v1.record_pb2 import MatchRecord
from engine import record
from engine.chance import Chance, seeded_keys
from engine.playout import FORFEIT, Overmatch, Policy, Tape, play_out
from engine.rules.ruleset import Ruleset

AGENTS: Final = ("one", "two", "three", "four", "five", "six")


def played(
    r: Ruleset,
    seed: int,
    kind: Callable[[int], Policy] = Overmatch,
    lost_at: int | None = None,
    agents: tuple[str, ...] = AGENTS,
) -> MatchRecord:
    """The record of a random match; with `lost_at` seat B is given up before that action."""
    s, tape, keys = r.new(), Tape(), seeded_keys(seed)
    policies = [kind(seed * 8 + seat) for seat in range(r.seats)]
    chance = Chance(*keys)
    if lost_at is not None:
        play_out(r, s, policies, chance, tape, lost_at)
        tape.fault(1, FORFEIT, "gone")
        r.forfeit(s, 1)
    play_out(r, s, policies, chance, tape)
    return record.make(r, s, tape, agents[: r.seats], keys, f"match-{seed}", seed)
