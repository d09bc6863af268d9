"""The built-in bots by name, the weakest first."""

from typing import Final

from sdk.agent import Agent
from sdk.bots.aggressor import Aggressor
from sdk.bots.cautious import Cautious
from sdk.bots.envoy import Envoy
from sdk.bots.random_bot import RandomBot
from sdk.bots.strategist import Strategist

BOTS: Final[dict[str, type[Agent]]] = {
    "random": RandomBot,
    "cautious": Cautious,
    "aggressor": Aggressor,
    "strategist": Strategist,
    "envoy": Envoy,
}
