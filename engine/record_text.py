"""A record as text, one action a line, and back. docs/notation.md has the form.

Reading plays the match, so the result and the digests are those of the text; `verify` judges its dice.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Final

from conquest.v1.record_pb2 import MatchRecord
from engine.playout import CONDUCT_NAMES, FORFEIT, Conduct, Tape
from engine.record import RecordError, Replay, check_version, make, seal_of
from engine.rules.errors import NotationError
from engine.rules.notation import (
    read_action,
    read_number,
    read_ruleset,
    read_seat,
    seat_name,
    write_action,
    write_ruleset,
)
from engine.rules.ruleset import Ruleset
from engine.rules.state import ENDINGS, State

FIRST_WORD: Final = "record"
_HEAD: Final = (
    "version 1",
    'match "name"',
    'engine "0.1.0"',
    "keys <hex> <hex>",
    "seed 7",
    'fork 64 <hex> <hex> "name"',
    'seat A "bot"',
    'house A "bot"',
)


def write(record: MatchRecord) -> str:
    return "".join([f"{line}\n" for line in _lines(record)])


def _lines(record: MatchRecord) -> Iterator[str]:
    replay = Replay(record)
    yield f"{FIRST_WORD} {write_ruleset(replay.r)}"
    yield f"version {record.rules_version}"
    yield f"match {_quoted(record.match_id)}"
    yield f"engine {_quoted(record.engine_version)}"
    yield f"keys {record.match_key.hex()} {record.setup_key.hex()}"
    if record.seeded:
        yield f"seed {record.seed}"
    for fork in record.forks:
        yield f"fork {fork.action} {fork.match_key.hex()} {fork.setup_key.hex()} {_quoted(fork.match_id)}"
    for number, seat in enumerate(record.seats):
        yield f"{'house' if seat.house else 'seat'} {seat_name(number)} {_quoted(seat.agent)}"
    yield from _moves(record, replay)
    yield f"result {_result(record.result.places, record.result.ending, record.result.rounds)}"


def _moves(record: MatchRecord, replay: Replay) -> Iterator[str]:
    s = replay.s
    faults = list(record.conduct)
    turn = (s.round, s.turn)
    while True:
        step = replay.peek()
        while faults and faults[0].action <= replay.number:
            fault = faults.pop(0)
            yield f"fault {seat_name(fault.seat)} {CONDUCT_NAMES[fault.kind]} {_quoted(fault.detail)}"
        if step is None:
            return
        if s.round and turn != (s.round, s.turn):
            turn = (s.round, s.turn)
            yield f"# round {s.round}, {seat_name(s.turn)}"
        yield f"{seat_name(step.seat)} {write_action(replay.r, s, step.code, step.amount)}"
        replay.take(step)


def read(text: str) -> MatchRecord:
    """The record of the text; RecordError names the line that cannot be read or played."""
    reader = _Reader()
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip()
        if line and not line.startswith("#"):
            try:
                reader.read(line)
            except ValueError as error:  # every RulesError is one
                raise RecordError(f"line {number}, '{line[:60]}': {error}") from None
    return reader.record()


class _Reader:
    """Takes the lines one by one: first the head, then the actions, then the result."""

    def __init__(self) -> None:
        self.given = MatchRecord()  # what the head says
        self.ruleset: Ruleset | None = None
        self.state: State | None = None  # from the end of the head on
        self.tape = Tape()
        self.ended = False

    def read(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if self.ruleset is None:
            if word != FIRST_WORD:
                raise NotationError(f"a record starts with a line like '{FIRST_WORD} classic 3'")
            self.ruleset = read_ruleset(rest)
            self.given.rules_version = self.ruleset.version
        elif self.ended:
            raise NotationError("nothing comes after the result")
        elif len(word) == 1:
            self.read_action(*self.playing(), word, rest)
        elif word == "fault":
            self.read_fault(*self.playing(), rest.split(" ", 2))
        elif word == "result":
            self.read_result(*self.playing(), rest.split())
        elif self.state is not None:
            raise NotationError("the head of a record ends where its actions begin")
        else:
            self.read_head(word, rest)

    def read_head(self, word: str, rest: str) -> None:
        given = self.given
        match word, rest.split(" ", 3):
            case "version", [number]:
                given.rules_version = read_number(number)
            case "match", _:
                given.match_id = _unquoted(rest)
            case "engine", _:
                given.engine_version = _unquoted(rest)
            case "keys", [match_key, setup_key]:
                given.match_key, given.setup_key = bytes.fromhex(match_key), bytes.fromhex(setup_key)
            case "seed", [number]:
                given.seeded, given.seed = True, int(number)
            case "fork", [number, match_key, setup_key, name]:
                fork = given.forks.add(match_id=_unquoted(name), action=int(number))
                fork.match_key, fork.setup_key = bytes.fromhex(match_key), bytes.fromhex(setup_key)
            case (("seat" | "house"), [letter, *_]):
                if read_seat(letter) != len(given.seats):
                    raise NotationError(f"the next seat is {seat_name(len(given.seats))}")
                given.seats.add(agent=_unquoted(rest[2:]), house=word == "house")
            case _:
                raise NotationError(f"the head of a record has lines like {', '.join(_HEAD)}")

    def playing(self) -> tuple[Ruleset, State]:
        """The position so far. Its first use ends the head."""
        assert self.ruleset is not None
        if self.state is None:
            check_version(self.ruleset.variant, self.given.rules_version)
            self.state = self.ruleset.new()
        return self.ruleset, self.state

    def read_action(self, r: Ruleset, s: State, seat: str, text: str) -> None:
        index, amount = read_action(r, s, text)
        waiting = r.asked(s)
        if read_seat(seat) != waiting:
            raise NotationError(f"it is {seat_name(waiting)} who acts here")
        codes: list[int] = []
        r.options(s, waiting, codes)
        self.tape.note(s, waiting, codes, index, amount)
        r.apply(s, waiting, codes[index], amount)

    def read_fault(self, r: Ruleset, s: State, words: list[str]) -> None:
        if len(words) != 3 or words[1] not in CONDUCT_NAMES[1:]:
            raise NotationError(f"a fault is a seat, one of {', '.join(CONDUCT_NAMES[1:])}, and a text in quotes")
        seat, kind = read_seat(words[0]), CONDUCT_NAMES.index(words[1])
        if not 0 <= seat < r.seats:
            raise NotationError(f"there is no seat {words[0]}")
        self.tape.conduct.append(Conduct(self.tape.actions, seat, kind, _unquoted(words[2])))
        if kind == FORFEIT and s.agenda:
            r.forfeit(s, seat)

    def read_result(self, r: Ruleset, s: State, words: list[str]) -> None:
        came = _result(s.places, s.ending, s.round)
        if words != came.split():
            raise NotationError(f"the match as written comes to '{came}'")
        self.ended = True

    def record(self) -> MatchRecord:
        if not self.ended:
            raise RecordError("the text is cut short: a record ends with its result")
        r, s = self.playing()
        self.tape.seal(s)
        given = self.given
        agents = [seat.agent for seat in given.seats]
        keys = given.match_key, given.setup_key
        seed = given.seed if given.seeded else None
        made = make(r, s, self.tape, agents, keys, given.match_id, seed, given.forks)
        made.engine_version = given.engine_version
        for seat, told in zip(made.seats, given.seats):
            seat.house = told.house
        made.seal = seal_of(made)
        return made


def _result(places: Sequence[int], ending: int, rounds: int) -> str:
    return " ".join([*[str(place) for place in places], ENDINGS[ending], str(rounds)])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _unquoted(text: str) -> str:
    found = json.loads(text)
    if not isinstance(found, str):
        raise NotationError(f"{text} is no text in double quotes")
    return found
