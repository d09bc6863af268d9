"""A client written from the .proto files and docs/wire.md alone: it knows gRPC and conquest.v1, nothing of ours.

`plain_client.py ADDRESS TOKEN` looks around, plays one match to its end, and prints what it saw as JSON.
"""

import hashlib
import json
import struct
import sys
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from conquest.v1 import catalog_pb2, game_pb2, referee_pb2
from conquest.v1.catalog_pb2_grpc import CatalogServiceStub
from conquest.v1.referee_pb2_grpc import RefereeServiceStub

NONE = 255


def words(column: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(column) // 2}H", column)


class Bot:
    """Attacks wherever it has more armies, and puts new ones where enemies are."""

    def __init__(self, catalog: Any, started: referee_pb2.MatchStarted) -> None:
        options = {option.name: int(option.value) for option in started.options}
        request = catalog_pb2.GetBoardRequest(variant=started.variant, options=options)
        self.places = catalog.GetBoard(request).board.places
        self.verbs = {verb.number: verb.name for verb in catalog.ListVerbs(catalog_pb2.ListVerbsRequest()).verbs}
        self.started = started

    def answer(self, decision: referee_pb2.Decision) -> referee_pb2.Action:
        options, seen = decision.options, decision.observation
        best = max(range(len(options.verbs)), key=lambda option: self.worth(options, option, seen))
        action = referee_pb2.Action(handle=decision.handle, number=decision.number, option=best)
        action.amount = words(options.highs)[best]
        if self.verbs[options.verbs[best]] == "attack":
            action.note = f"on to {self.places[options.targets[best]].name}"
        return action

    def worth(self, options: game_pb2.Options, option: int, seen: game_pb2.Observation) -> float:
        """How good an option is; stopping is worth nothing."""
        armies = words(seen.armies)
        source, target = options.sources[option], options.targets[option]
        match self.verbs[options.verbs[option]]:
            case "stop":
                return 0
            case "attack":
                return armies[source] - armies[target] - 0.5
            case "place" | "claim" | "bonus":
                return 1 + self.enemies(target, seen)
            case "fortify" | "fortify_from":
                return -1
            case _:
                return 1

    def enemies(self, place: int, seen: game_pb2.Observation) -> int:
        """How many neighbours of a place belong to somebody else."""
        return sum(seen.owners[other] not in (seen.seat, NONE) for other in self.places[place].neighbours)


class Client:
    """One stream, until the first match is over."""

    def __init__(self, channel: grpc.Channel) -> None:
        self.channel = channel
        self.outbox: SimpleQueue[referee_pb2.PlayRequest | None] = SimpleQueue()
        self.catalog: Any = CatalogServiceStub(channel)  # type: ignore[no-untyped-call]
        self.bots: dict[int, Bot] = {}
        self.saw: dict[str, object] = {"events": 0, "refusals": 0, "answers": 0, "pings": 0}

    def look_around(self) -> None:
        """What anybody may ask without a token."""
        variants = self.catalog.ListVariants(catalog_pb2.ListVariantsRequest()).variants
        self.saw["variants"] = [variant.name for variant in variants]
        health: Any = health_pb2_grpc.HealthStub(self.channel)
        self.saw["serving"] = health.Check(health_pb2.HealthCheckRequest()).status == 1
        reflection: Any = reflection_pb2_grpc.ServerReflectionStub(self.channel)
        asked = reflection_pb2.ServerReflectionRequest(list_services="")
        (told,) = reflection.ServerReflectionInfo(iter([asked]))
        self.saw["services"] = [service.name for service in told.list_services_response.service]

    def play(self, token: str) -> None:
        hello = referee_pb2.Hello(api_version=1, client="plain", events=True)
        self.outbox.put(referee_pb2.PlayRequest(hello=hello))
        referee: Any = RefereeServiceStub(self.channel)  # type: ignore[no-untyped-call]
        call = referee.Play(iter(self.outbox.get, None), metadata=[("authorization", f"Bearer {token}")])
        self.take_all(call)
        self.outbox.put(None)
        for _ in call:
            pass  # the server closes its side

    def take_all(self, responses: Iterator[referee_pb2.PlayResponse]) -> None:
        for response in responses:
            if response.HasField("ping"):
                self.count("pings", 1)
                self.outbox.put(referee_pb2.PlayRequest(pong=referee_pb2.Pong(nonce=response.ping.nonce)))
            if response.HasField("welcome"):
                self.saw["agent"] = response.welcome.agent
            for started in response.started:
                self.bots[started.handle] = Bot(self.catalog, started)
            self.answer(response)
            self.count("refusals", len(response.refusals))
            for finished in response.finished:
                self.finish(finished)
                return

    def answer(self, response: referee_pb2.PlayResponse) -> None:
        actions = [self.bots[decision.handle].answer(decision) for decision in response.decisions]
        self.count("events", sum(len(decision.events.kinds) for decision in response.decisions))
        self.count("answers", len(actions))
        if actions:
            self.outbox.put(referee_pb2.PlayRequest(actions=actions))

    def finish(self, finished: referee_pb2.MatchFinished) -> None:
        started = self.bots[finished.handle].started
        promised = hashlib.sha256(
            f"commit:{started.match_id}:".encode() + finished.match_key + finished.setup_key
        ).digest()
        self.count("events", len(finished.events.kinds))
        self.saw["last_event"] = game_pb2.EventKind.Name(finished.events.kinds[-1])
        self.saw["places"] = list(finished.result.places)
        self.saw["seat"] = started.seat
        self.saw["commitment_kept"] = promised == started.commitment

    def count(self, what: str, how_many: int) -> None:
        self.saw[what] = int(str(self.saw[what])) + how_many


def main(address: str, token: str) -> None:
    with grpc.insecure_channel(address) as channel:
        client = Client(channel)
        client.look_around()
        client.play(token)
    print(json.dumps(client.saw))


if __name__ == "__main__":
    main(*sys.argv[1:])
