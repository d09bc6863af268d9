"""The limit: a service that does nothing but send the messages of Play, in batches of a fixed size.

Server and clients build, write, read and parse the same messages as a referee and its bots; only the game is left
out.
"""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from multiprocessing.connection import Connection
from typing import Any

import grpc

from benchmarks.stage import OPTIONS, Worker, tell_cpu
from conquest.v1.referee_pb2 import Action, Decision, PlayRequest, PlayResponse
from engine import codec
from engine.chance import Chance, seeded_keys
from engine.playout import Uniform, play_out
from engine.rules.observe import observe
from engine.rules.variants import ruleset

BATCH = 64
MID_GAME = 500  # actions
METHOD = "/conquest.v1.RefereeService/Play"


def usual_decision() -> Decision:
    """One from the middle of a match."""
    r = ruleset("classic", 4, OPTIONS)
    s = r.new()
    play_out(r, s, [Uniform(seat) for seat in range(4)], Chance(*seeded_keys(1)), most=MID_GAME)
    (seat,) = r.waiting(s)
    codes: list[int] = []
    r.options(s, seat, codes)
    return Decision(
        handle=1 << 60,
        number=MID_GAME,
        observation=codec.write_observation(observe(r, s, seat)),
        options=codec.write_options(codes),
        limit_ms=5000,
        bank_ms=60_000,
    )


class EchoService:
    def __init__(self) -> None:
        self.decision = usual_decision()
        self.decisions = 0

    async def play(self, requests: AsyncIterator[PlayRequest], _context: Any) -> AsyncIterator[PlayResponse]:
        async for request in requests:
            self.decisions += len([action.option for action in request.actions])
            response = PlayResponse()
            for _ in range(BATCH):
                response.decisions.add().CopyFrom(self.decision)
            yield response


async def serve(pipe: Connection) -> None:
    """Tells its port, then, whenever it is asked, decisions so far and seconds of processor."""
    server, service = grpc.aio.server(), EchoService()
    handler = grpc.stream_stream_rpc_method_handler(
        service.play, PlayRequest.FromString, PlayResponse.SerializeToString
    )
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("conquest.v1.RefereeService", {"Play": handler}),)
    )
    pipe.send(server.add_insecure_port("127.0.0.1:0"))
    await server.start()
    while await asyncio.to_thread(pipe.recv):
        pipe.send((service.decisions, time.process_time()))


def run_server(pipe: Connection) -> None:
    asyncio.run(serve(pipe))


async def play(port: int) -> None:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call = channel.stream_stream(METHOD, PlayRequest.SerializeToString, PlayResponse.FromString)()
        await call.write(PlayRequest())
        async for response in call:
            request = PlayRequest()
            for decision in response.decisions:
                request.actions.append(Action(handle=decision.handle, number=decision.number, option=1, amount=1))
            await call.write(request)


def run_client(pipe: Connection, port: int) -> None:
    threading.Thread(target=tell_cpu, args=(pipe,), daemon=True).start()
    asyncio.run(play(port))


def measure(clients: int, warm_up: float, seconds: float) -> tuple[float, float, float]:
    """Decisions a second, and the seconds of processor for one at the server and at the clients."""
    server = Worker(run_server)
    workers = [server]
    try:
        port = server.pipe.recv()
        workers += [Worker(run_client, port) for _ in range(clients)]
        time.sleep(warm_up)
        began, (first, cpu), bots = time.perf_counter(), server.ask(True), asked(workers[1:])
        time.sleep(seconds)
        (last, cpu_then), lasted = server.ask(True), time.perf_counter() - began
        done = last - first
        return done / lasted, (cpu_then - cpu) / done, (asked(workers[1:]) - bots) / done
    finally:
        for worker in reversed(workers):  # the clients first
            worker.stop()


def asked(workers: list[Worker]) -> float:
    used: list[float] = [worker.ask(True) for worker in workers]
    return sum(used)
