"""One short match in this process and the same over TCP. `make oldest` runs it on the oldest packages allowed."""

import asyncio
from importlib.metadata import version

from arena.matches import Fixture, play
from conquest.v1.record_pb2 import MatchRecord
from engine import record
from engine.chance import seeded_keys
from sdk.local import load_bot
from tests.referee.wire import serving

BOTS = ["strategist", "aggressor", "cautious"]
ROUNDS, SEED = 10, 1


def in_process() -> MatchRecord:
    bots = [load_bot(bot) for bot in BOTS]
    return play(Fixture("classic", {"rounds": ROUNDS}, bots, [0, 1, 2], seeded_keys(SEED), SEED)).record


async def over_tcp() -> MatchRecord:
    async with serving() as wire:
        for bot in BOTS:
            await wire.connect(wire.client(bot, name=bot))
        wire.referee.create("classic", BOTS, {"rounds": ROUNDS}, seed=SEED)
        (over,) = await wire.played(1)
    assert over.record is not None
    return over.record


def main() -> None:
    """Plays both, verifies them, and sees that they are the same match."""
    here, there = in_process(), asyncio.run(over_tcp())
    for made in (here, there):
        record.verify(record.read(record.write(made)))
        assert not made.conduct
    assert record.game_part(here) == record.game_part(there)
    print(f"{here.actions} actions on protobuf {version('protobuf')}, grpcio {version('grpcio')}")


if __name__ == "__main__":
    main()
