"""Films of random matches: after every frame the board is the one that the rules say."""

import gzip
import json
from typing import Any, NamedTuple

import pytest

from conquest.v1.record_pb2 import MatchRecord
from engine import record
from engine.codec import read_events, read_observation, write_events, write_observation
from engine.playout import Overmatch, Policy, Uniform, caretaker_answer
from engine.record import Replay
from engine.rules.choices import MOVE_IN, ROLL, TARGET_SHIFT, VERB_SHIFT
from engine.rules.events import TURN_BEGAN, Event
from engine.rules.observe import observe, redact
from engine.rules.ruleset import Ruleset
from engine.rules.state import NOBODY, State, step_of
from engine.rules.variants import VARIANTS, ruleset
from leaderboard.film import AWAITING, Film, Position, film_of
from tests.leaderboard.matches import AGENTS, played

TABLES = [(name, seats) for name, variant in VARIANTS.items() for seats in variant.players]


class Look(NamedTuple):
    """The position after an action."""

    owners: list[int]
    armies: list[int]
    cards: list[int]
    luck: list[float]
    events: list[Event]


def looks(kept: MatchRecord) -> list[Look]:
    """The position after every action, as the rules have it."""
    replay = Replay(kept)
    s, seen, luck = replay.s, [], [0.0] * replay.r.seats
    s.events = []
    while (step := replay.peek()) is not None:
        if step.code >> VERB_SHIFT == ROLL:
            surplus = record.roll_luck(step_of(s.agenda[-1]).c, step.amount)
            luck[s.turn] += surplus
            luck[replay.r.defender(s, step.code >> TARGET_SHIFT & 127)] -= surplus
        replay.take(step)
        seen.append(look(s, luck))
        s.events = []
    return seen


def look(s: State, luck: list[float]) -> Look:
    cards = [len(hand) for hand in s.hands[: len(s.held)]]
    return Look(s.owner[:], s.armies[:], cards, luck[:], list(s.events or []))


class Board:
    """Redraws a film as a viewer does."""

    def __init__(self, film: dict[str, Any]) -> None:
        self.owners: list[int] = film["start"]["owners"][:]
        self.armies: list[int] = film["start"]["armies"][:]
        self.cards: list[int] = film["start"]["cards"][:]

    def show(self, frame: dict[str, Any]) -> None:
        for place, owner, armies in frame.get("changes", ()):
            self.owners[place], self.armies[place] = owner, armies
        for seat, count in frame.get("cards", ()):
            self.cards[seat] = count

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Look) and (self.owners, self.armies, self.cards) == other[:3]


def check_frames(kept: MatchRecord) -> dict[str, Any]:
    film, seen = film_of(kept), looks(kept)
    board = Board(film)
    for number, frame in enumerate(film["frames"]):
        board.show(frame)
        assert ("dice" in frame) <= ({"source", "target", "losses", "luck"} <= set(frame))
        assert frame["text"]
        assert "seat" in frame or frame["kind"] == "finished"
        following = film["frames"][number + 1 :]
        if not following or following[0]["action"] > frame["action"]:
            assert board == seen[min(frame["action"], len(seen) - 1)], number
        for place, owner, armies in frame.get("changes", ()):
            assert (owner, armies) == (board.owners[place], board.armies[place])
    assert board == seen[-1]
    check_curves(film, seen)
    for gained, exact in zip(film["turns"][-1]["luck"], record.luck(kept), strict=True):
        assert gained == pytest.approx(exact, abs=0.001)
    return film


def check_curves(film: dict[str, Any], seen: list[Look]) -> None:
    """Every turn tells how the seats stood when the next one began."""
    turns = film["turns"]
    assert [turn["number"] for turn in turns] == list(range(len(turns)))
    begins = [
        (action, event) for action, one in enumerate(seen) for event in one.events if event.kind == TURN_BEGAN
    ]
    assert [(turn["seat"], turn["round"]) for turn in turns[1:]] == [(e.seat, e.amount) for _, e in begins]
    for turn, (action, _) in zip(turns, [*begins, (len(seen) - 1, None)], strict=True):
        after = seen[action]
        seats = range(len(after.cards))
        assert turn["territories"] == [after.owners.count(seat) for seat in seats]
        held = list(zip(after.owners, after.armies, strict=True))
        assert turn["armies"] == [sum(number for owner, number in held if owner == seat) for seat in seats]
        assert turn["luck"] == pytest.approx(after.luck, abs=0.001)


@pytest.mark.parametrize(("name", "seats"), TABLES)
@pytest.mark.parametrize(("kind", "rounds"), [(Uniform, 6), (Overmatch, 100)])
def test_after_every_frame_the_board_is_that_of_the_rules(
    name: str, seats: int, kind: type[Policy], rounds: int
) -> None:
    r = ruleset(name, seats, {"rounds": rounds})
    for seed in range(2):
        film = check_frames(played(r, seed, kind))
        assert film["result"]["places"]
        assert not film["live"]


@pytest.mark.parametrize("action", range(200, 212))
def test_a_seat_may_be_lost_on_the_way(action: int) -> None:
    """Also between an attack and its dice."""
    kept = played(ruleset("classic", 3, {"rounds": 4}), 1, lost_at=action)
    assert "forfeited" in [frame["kind"] for frame in check_frames(kept)["frames"]]


class Creeping(Policy):
    """Wins as others do, and moves in with as few as it may."""

    def __init__(self, seed: int) -> None:
        self.other = Overmatch(seed)

    def choose(self, r: Ruleset, s: State, seat: int, codes: list[int]) -> tuple[int, int]:
        if codes[0] >> VERB_SHIFT == MOVE_IN:
            return caretaker_answer(codes)
        return self.other.choose(r, s, seat, codes)


def test_a_hand_is_taken_also_where_nobody_moved_in() -> None:
    kept = played(ruleset("classic", 5), 4, Creeping)
    frames = check_frames(kept)["frames"]
    assert "moved" not in [frame["kind"] for frame in frames]
    assert "hand_taken" in [frame["kind"] for frame in frames]


def public_events(kept: MatchRecord) -> list[list[Event]]:
    """What watchers are told of every action."""
    return [[redact(event, NOBODY) for event in one.events] for one in looks(kept)]


def without(frame: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in frame.items() if name not in names}


@pytest.mark.parametrize(("name", "seats"), TABLES)
@pytest.mark.parametrize("at_once", [1, 7])
def test_a_running_match_makes_the_frames_of_its_record(name: str, seats: int, at_once: int) -> None:
    """However the events arrive, as they cross the wire; only cards that watchers may not see are missing."""
    r = ruleset(name, seats, {"rounds": 8})
    kept = played(r, 5)
    live, told = Film(r, kept.match_id, AGENTS[:seats]), public_events(kept)
    news: list[dict[str, Any]] = []
    turns: dict[int, dict[str, Any]] = {}
    for first in range(0, len(told), at_once):
        events = [event for action in told[first : first + at_once] for event in action]
        live.hear(read_events(write_events(events, 0)))
        live.settle()
        for turn in live.since(len(news))["turns"]:
            turns[turn["number"]] = dict(turn)
        news += live.since(len(news))["frames"]
    live.finish(kept.result)
    news += live.since(len(news))["frames"]
    film = film_of(kept)
    for shown, recorded in zip(news, film["frames"], strict=True):
        assert without(shown, "text") == without(recorded, "action", "text")
        if shown["kind"] in ("drew", "bribed"):
            assert shown["text"].endswith((" draws a card", " with a card"))
        else:
            assert shown["text"] == recorded["text"]
    assert list(turns.values()) == live.turns == film["turns"]
    assert live.data()["result"] == film["result"]


def test_a_film_may_begin_in_the_middle() -> None:
    """Between any two actions, from what everybody sees."""
    r = ruleset("classic", 4, {"rounds": 20})
    kept = played(r, 5)
    told, seen = public_events(kept), looks(kept)
    replay = Replay(kept)
    for action in range(len(told) - 1):
        step = replay.peek()
        assert step is not None
        replay.take(step)
        if action % 100 == 0:
            public = read_observation(r, write_observation(observe(r, replay.s, NOBODY)))
            cards = [len(hand) for hand in public.hands[: r.forces]]
            start = Position(public.owner, public.armies, cards, public.turn, public.round)
            film = Film(r, "match", AGENTS[:4], start)
            for events in told[action + 1 :]:
                film.hear(events)
            film.finish(kept.result)
            board = Board(film.head)
            for frame in film.frames:
                board.show(frame)
            assert board == seen[-1]
            assert film.turns[0]["seat"] == replay.s.turn


def test_an_attack_waits_for_its_dice() -> None:
    r = ruleset("classic", 3)
    kept = played(r, 2)
    film, shown = Film(r, "match", AGENTS[:3]), 0
    for events in public_events(kept):
        film.hear(events)
        film.settle()
        if events and events[-1].kind in AWAITING:
            assert len(film.frames) == shown
        shown = len(film.frames)
    assert all("dice" in frame for frame in film.frames if frame["kind"] == "attacked")


def test_a_recorded_match_shows_the_cards() -> None:
    film = film_of(played(ruleset("classic", 3), 2))
    drawn = [frame["text"] for frame in film["frames"] if frame["kind"] == "drew"]
    assert drawn
    assert not any(text.endswith("draws a card") for text in drawn)


def test_a_film_is_small() -> None:
    """A hundred turns of six seats, as they cross the net."""
    r = ruleset("classic", 6, {"rounds": 17})
    film = film_of(played(r, 4, Uniform))
    assert len(film["turns"]) > 100
    text = json.dumps(film, separators=(",", ":")).encode()
    print(len(film["turns"]), len(film["frames"]), len(text), len(gzip.compress(text)))
    assert len(gzip.compress(text)) < 30_000
