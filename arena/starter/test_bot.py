"""Plays the bot: `pytest`, or `python test_bot.py`."""

from pathlib import Path

from arena.matches import play, series
from engine.rules.variants import VARIANTS
from sdk.local import load_bot

BOT = load_bot(f"{Path(__file__).with_name('bot.py')}:MyBot")
RANDOM = load_bot("random")


def test_it_beats_random() -> None:
    """Seats rotate; the seed makes every run the same."""
    wins = 0
    for fixture in series("classic", {}, [BOT, RANDOM, RANDOM], 9, seed=1):
        played = play(fixture)
        assert played.faults == []
        wins += played.final.places[fixture.entries.index(0)] == 1
    assert wins >= 6


def test_it_plays_every_variant() -> None:
    for variant in VARIANTS:
        for fixture in series(variant, {"rounds": 10}, [BOT, RANDOM, RANDOM], 1, seed=1):
            assert play(fixture).faults == []


if __name__ == "__main__":
    test_it_beats_random()
    test_it_plays_every_variant()
    print("It plays every variant and beats random.")
