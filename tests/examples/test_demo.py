"""The tournament that `make run` plays."""

from pathlib import Path

from arena.config import read_config
from arena.job import COMMAND
from engine.rules.variants import VARIANTS
from sdk.bots import BOTS

ROOT = Path(__file__).parent.parent.parent


def test_it_has_every_variant_and_every_bot() -> None:
    config = read_config(ROOT / "examples/demo.toml")
    assert {variant.name for variant in config.variants} == set(VARIANTS)
    bots = [entrant.bot for entrant in config.entrants]
    assert {bot for bot in bots if not bot.startswith(COMMAND)} == set(BOTS)
    assert [bot for bot in bots if bot.startswith(COMMAND)] == ["cmd:arena bot run cautious"]


def test_make_plays_it_into_a_new_store() -> None:
    """It can be run again, and finds its command on the path."""
    recipe = (ROOT / "Makefile").read_text().partition("\nrun:")[2].partition("\n\n")[0]
    for part in ("rm -f $(DEMO_STORE)", 'PATH="$(CURDIR)/$(BIN)', "tournament run --table examples/demo.toml"):
        assert part in recipe
