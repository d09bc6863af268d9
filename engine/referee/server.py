"""The referee on the wire: listening, TLS, health and reflection, start and stop."""

import asyncio
import socket
import ssl
from pathlib import Path
from typing import Final, NamedTuple

import grpc

from conquest.v1 import catalog_pb2, match_pb2, referee_pb2
from engine.address import is_loopback
from engine.referee.auth import Tokens
from engine.referee.host import Referee
from engine.referee.limits import KEEPALIVE_SECONDS, KEEPALIVE_TIMEOUT_SECONDS, MESSAGE_BYTES
from engine.referee.service import handlers

FILES: Final = (referee_pb2.DESCRIPTOR, match_pb2.DESCRIPTOR, catalog_pb2.DESCRIPTOR)


class ListenError(ValueError):
    """The server cannot listen there; says why and what to do."""


class Tls(NamedTuple):
    certificate: Path
    key: Path


def is_served(address: str) -> bool:
    """Whether somebody listens on this Unix socket; one that was left behind may be used again."""
    if not address.startswith("unix:"):
        return False
    with socket.socket(socket.AF_UNIX) as trial:
        return trial.connect_ex(address.removeprefix("unix:").removeprefix("//")) == 0


class Server:
    """A referee on the wire, from start to stop."""

    def __init__(self, referee: Referee, tokens: Tokens) -> None:
        self.referee = referee
        self.tokens = tokens
        self.port = 0

    async def start(self, address: str, tls: Tls | None = None, plain_anywhere: bool = False) -> None:
        """Listens; with port 0 the system chooses one, and `port` tells it."""
        if tls is None and not plain_anywhere and not is_loopback(address):
            raise ListenError(
                f"{address} is not on this machine, and tokens would travel in plain text: "
                "give --tls-certificate and --tls-key, or --plain-text if the network is trusted"
            )
        options = [
            ("grpc.max_receive_message_length", MESSAGE_BYTES),
            ("grpc.so_reuseport", 0),
            ("grpc.keepalive_time_ms", int(KEEPALIVE_SECONDS * 1000)),
            ("grpc.keepalive_timeout_ms", int(KEEPALIVE_TIMEOUT_SECONDS * 1000)),
            ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
            ("grpc.keepalive_permit_without_calls", 1),
        ]
        self.server = grpc.aio.server(options=options)
        self.server.add_generic_rpc_handlers(handlers(self.referee, self.tokens))
        await add_health_and_reflection(self.server)
        try:
            if is_served(address):  # gRPC would take it away from the other
                raise OSError("taken")
            if tls is None:
                self.port = self.server.add_insecure_port(address)
            else:
                self.port = self.server.add_secure_port(address, credentials(tls))
        except (OSError, RuntimeError) as error:
            text = f"cannot listen on {address}: it is taken, or not an address of this machine; name another"
            raise ListenError(text) from error
        await self.server.start()
        self.timekeeper = asyncio.create_task(self.referee.keep_time())

    async def stop(self, why: str, grace: float = 2.0) -> None:
        """Gives up running matches, says goodbye, and stops."""
        self.referee.shut_down(why)
        self.timekeeper.cancel()
        await self.server.stop(grace)


def credentials(tls: Tls) -> grpc.ServerCredentials:
    try:
        # gRPC itself would not say what is wrong with them.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(*tls, password="")
        pair = (tls.key.read_bytes(), tls.certificate.read_bytes())
    except OSError as error:  # SSLError is one
        files = f"{tls.certificate} and {tls.key}"
        text = f"cannot speak TLS with {files}: {error.strerror}; give a certificate and its key, in PEM"
        raise ListenError(text) from error
    return grpc.ssl_server_credentials([pair])


async def add_health_and_reflection(server: grpc.aio.Server) -> None:
    try:
        from grpc_health.v1 import health, health_pb2, health_pb2_grpc
        from grpc_reflection.v1alpha import reflection
    except ModuleNotFoundError as error:
        text = f"a referee needs {error.name}, which is not here; run pip install 'conquest-arena[referee]'"
        raise ListenError(text) from error

    names = [service.full_name for file in FILES for service in file.services_by_name.values()]
    names += [reflection.SERVICE_NAME, health.SERVICE_NAME]
    servicer = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    for name in ("", *names):
        await servicer.set(name, health_pb2.HealthCheckResponse.SERVING)
    reflection.enable_server_reflection(names, server)
