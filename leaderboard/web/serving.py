"""Serving the pages until told to stop, and the process beside them that keeps the ratings up."""

import asyncio
import contextlib
import logging
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import uvicorn
from fastapi import FastAPI

from leaderboard.web.connection import Connection
from leaderboard.web.hub import Hub

log = logging.getLogger(__name__)

BACKLOG: Final = 512  # connections that wait to be taken
GRACE_SECONDS: Final = 5  # for answers that are being written when the server stops
AGAIN_SECONDS: Final = 5.0  # until a rater that has died is started again
STORE_VARIABLE: Final = "ARENA_STORE"  # everybody may read a command line, and the password in it


class Server(uvicorn.Server):
    """One whose signals are minded by the command."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def listening(host: str, port: int) -> socket.socket:
    """Port 0 lets the system choose; OSError if it cannot be had."""
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    return socket.create_server((host, port), family=family, backlog=BACKLOG)


def configured(app: FastAPI, tls: tuple[Path, Path] | None) -> uvicorn.Config:
    """`tls` are the files of a certificate and its key; OSError if they are no good."""
    config = uvicorn.Config(
        app,
        http=Connection,
        log_config=None,
        log_level=logging.WARNING,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        ssl_certfile=tls[0] if tls else None,
        ssl_keyfile=tls[1] if tls else None,
    )
    config.load()
    return config


async def serve(config: uvicorn.Config, listener: socket.socket, hub: Hub, rated: str = "") -> int:
    """Until it is cancelled: then streams are ended, so that their connections are too.

    `rated` is the address of the store whose ratings are to be kept up.
    """
    server = Server(config)
    running = asyncio.create_task(server.serve(sockets=[listener]))
    rater = asyncio.create_task(keep_rating(rated)) if rated else None
    try:
        await asyncio.shield(running)
    except asyncio.CancelledError:
        await hub.close()
        server.should_exit = True
        await running
    finally:
        if rater is not None:
            rater.cancel()
            await asyncio.wait([rater])
    return 0


async def keep_rating(url: str) -> None:
    """Runs the rater until cancelled; one that dies is started again."""
    environment = os.environ | {STORE_VARIABLE: url}
    while True:
        rater = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "leaderboard.rater"), stdin=asyncio.subprocess.PIPE, env=environment
        )
        try:
            code = await rater.wait()
        except asyncio.CancelledError:
            assert rater.stdin is not None
            rater.stdin.close()  # it ends with that
            await rater.wait()
            raise
        log.warning("the rater has ended with exit code %s; another one is started", code)
        await asyncio.sleep(AGAIN_SECONDS)
