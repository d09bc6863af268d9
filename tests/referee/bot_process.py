"""A bot in a process of its own: `python -m tests.referee.bot_process BOT ADDRESS TOKEN`."""

import asyncio
import sys

from sdk.client import Client
from sdk.local import load_bot

if __name__ == "__main__":
    bot, address, token = sys.argv[1:]
    raise SystemExit(asyncio.run(Client(load_bot(bot), address, token).run()))
