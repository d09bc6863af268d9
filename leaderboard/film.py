"""A match as a film: frames that redraw its board, made of public events, for the viewer and for other programs.

Recorded and running matches take the same way: a Film hears events and makes frames of them. A frame is a
happening that people see as one (an attack with its dice, a set with its pay), so it joins the events of one
or a few actions. docs/viewer.md writes the form down.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from conquest.v1.record_pb2 import MatchRecord, MatchResult
from engine.record import Replay, roll_luck
from engine.rules.boards.board import Board
from engine.rules.choices import NO_PLACE
from engine.rules.events import (
    ATTACKED,
    BONUS_PAID,
    BRIBED,
    CAPTURED,
    CLAIMED,
    CONTROLLED,
    DEFENDED,
    DREW,
    ELIMINATED,
    EVENT_NAMES,
    FIRST_ROLLED,
    FORTIFIED,
    HAND_PASSED,
    HAND_TAKEN,
    INCOME,
    LOSSES_CHOSEN,
    LOST,
    MOVED,
    PLACED,
    ROLLED,
    SET_PAID,
    STARTS,
    TRADED,
    TURN_BEGAN,
    Event,
)
from engine.rules.ruleset import Ruleset
from engine.rules.state import ENDINGS, NOBODY
from engine.rules.telling import Teller, dice_of
from engine.rules.variants import find

# Which events go on with the frame of the event before them. Any other begins a frame, so where a frame ends
# never depends on how the events arrived.
JOINS: Final = {
    FIRST_ROLLED: (FIRST_ROLLED,),
    STARTS: (FIRST_ROLLED,),
    INCOME: (TURN_BEGAN,),
    TRADED: (TRADED,),
    SET_PAID: (TRADED,),
    CONTROLLED: (PLACED, LOST, CAPTURED, MOVED, FORTIFIED, CONTROLLED),
    DEFENDED: (ATTACKED,),
    ROLLED: (ATTACKED, DEFENDED),
    LOST: (ROLLED, LOST, CONTROLLED, LOSSES_CHOSEN),
    CAPTURED: (LOST, CONTROLLED),
    ELIMINATED: (CAPTURED, LOST, CONTROLLED),
    HAND_TAKEN: (ELIMINATED, MOVED),
}
AWAITING: Final = (TURN_BEGAN, ATTACKED, DEFENDED)  # the income, or the dice, are still to come
IMPLIED: Final = (DEFENDED, ROLLED)  # not in words: the dice are shown
ARROWS: Final = (ATTACKED, DEFENDED, ROLLED, MOVED, FORTIFIED)  # from a source to a target

Frame = dict[str, Any]


class Position(NamedTuple):
    """Where a film begins: the public board, cards held by each force, and whose turn it is."""

    owners: Sequence[int]
    armies: Sequence[int]
    cards: Sequence[int]
    seat: int = NOBODY
    round: int = 0


class Film:
    """The film of one match so far."""

    def __init__(self, r: Ruleset, match: str, agents: Sequence[str], start: Position | None = None) -> None:
        """`start` is where a film of the rest of a match begins; left out, before anything has happened."""
        size = r.board.size
        start = start or Position([NOBODY] * size, [0] * size, [0] * r.forces)
        self.head = head(r, match, agents) | {
            "start": {
                "owners": list(start.owners),
                "armies": list(start.armies),
                "cards": list(start.cards),
            }
        }
        self.teller = Teller(r)
        self.owners = list(start.owners)
        self.armies = list(start.armies)
        self.cards = list(start.cards)
        self.luck = [0.0] * r.seats
        self.frames: list[Frame] = []
        self.turns: list[dict[str, Any]] = []
        self.result: dict[str, Any] | None = None
        self.open: list[Event] = []  # of the frame that is being made
        self.action: int | None = None
        self.begin_turn(start.seat, start.round)

    def hear(self, events: Sequence[Event], action: int | None = None) -> None:
        """Takes the events that follow; `action` is the number of the one that made them, where that is known."""
        for event in events:
            if not self.joins(event):
                self.close()
            self.open.append(event)
            self.action = action

    def settle(self) -> None:
        """Shows what was heard, but no attack before its dice and no turn before its income, with a decision
        between. To be called between two actions only."""
        if self.open and self.open[-1].kind not in AWAITING:
            self.close()

    def finish(self, result: MatchResult) -> None:
        """Nothing follows any more."""
        self.close()
        self.result = {
            "places": list(result.places),
            "ending": ENDINGS[result.ending],
            "rounds": result.rounds,
        }

    def data(self) -> dict[str, Any]:
        """The whole film, as JSON has it."""
        news = {"frames": self.frames, "turns": self.turns}
        return self.head | news | {"result": self.result, "live": self.result is None}

    def since(self, frame: int) -> dict[str, Any]:
        """The frames from this number on, and the turns that they change, to be put in by their number."""
        first = max(frame - 1, 0)
        running = [turn["frame"] <= first for turn in self.turns].count(True)
        return {"frames": self.frames[frame:], "turns": self.turns[max(running - 1, 0) :]}

    # Frames

    def joins(self, event: Event) -> bool:
        if not self.open or self.open[-1].kind not in JOINS.get(event.kind, ()):
            return False
        # Those who tie roll again, in seats' order too.
        return event.kind != FIRST_ROLLED or event.seat > self.open[-1].seat

    def close(self) -> None:
        if not self.open:
            return
        events, self.open = self.open, []
        if self.is_idle(events[0]):
            events = events[1:]
        if not events:
            return
        if events[0].kind == TURN_BEGAN:
            self.begin_turn(events[0].seat, events[0].amount)
        self.frames.append(self.frame(events))
        self.count()

    def is_idle(self, event: Event) -> bool:
        """Whether no more armies moved in than came with the dice: the frame before showed all there is."""
        return event.kind == MOVED and event.amount == self.armies[event.target]

    def begin_turn(self, seat: int, round: int) -> None:
        turn = {"number": len(self.turns), "frame": len(self.frames), "round": round}
        self.turns.append(turn | {"seat": seat if seat != NOBODY else None})
        self.count()

    def count(self) -> None:
        """Writes down how seats and neutral forces stand after the last turn so far."""
        forces = range(len(self.cards))
        armies = [0 for _ in forces]
        for owner, number in zip(self.owners, self.armies, strict=True):
            if owner != NOBODY:
                armies[owner] += number
        self.turns[-1] |= {
            "territories": [self.owners.count(force) for force in forces],
            "armies": armies,
            "luck": [round(luck, 3) for luck in self.luck],
        }

    def frame(self, events: Sequence[Event]) -> Frame:
        """What these events did; what they did not do is left out."""
        first = events[0]
        made: Frame = {"kind": EVENT_NAMES[first.kind], "text": self.text(events)}
        if self.action is not None:
            made["action"] = self.action
        if first.seat != NOBODY:
            made["seat"] = first.seat
        if first.kind in ARROWS:
            made |= {"source": first.source, "target": first.target}
        for event in events:
            if event.kind == ROLLED:
                made |= self.rolled(event, events)
            elif event.kind == ELIMINATED:
                made["eliminated"] = event.piece
        changed = {place for event in events for place in self.redraw(event)}
        if changed:
            made["changes"] = [[place, self.owners[place], self.armies[place]] for place in sorted(changed)]
        holders = {seat for event in events for seat in self.deal(event)}
        if holders:
            made["cards"] = [[seat, self.cards[seat]] for seat in sorted(holders)]
        return made

    def text(self, events: Sequence[Event]) -> str:
        """All that the dice do not show; that the last army of a captured place was lost needs no words."""
        captured = [event.target for event in events if event.kind == CAPTURED]
        told = [event for event in events if event.kind not in IMPLIED]
        told = [event for event in told if event.kind != LOST or (event.amount and event.target not in captured)]
        return ", ".join(self.teller.words(event) for event in told or events)

    def rolled(self, roll: Event, events: Sequence[Event]) -> Frame:
        """The dice, what they cost, and how lucky that was for the attacker; as much unlucky for the defender."""
        attack, defence = dice_of(roll)
        surplus = roll_luck(roll.piece, roll.amount)
        defender = self.defender(roll, events)
        self.luck[roll.seat] += surplus
        self.luck[defender] -= surplus
        losses = [event.amount for event in events if event.kind == LOST]
        return {"dice": [attack, defence], "losses": losses, "luck": round(surplus, 3)}

    def defender(self, roll: Event, events: Sequence[Event]) -> int:
        """The seat that chose the dice, or would have if there had been a choice."""
        for event in events:
            if event.kind == DEFENDED:
                return event.seat
        owner = self.owners[roll.target]
        return owner if owner < len(self.luck) else 1 - roll.seat

    def redraw(self, event: Event) -> tuple[int, ...]:
        """Does to the board what the event tells; gives the places that it changed."""
        source, target, amount = event.source, event.target, event.amount
        armies = self.armies
        if event.kind == CLAIMED:
            self.owners[target] = event.seat
            armies[target] = amount
        elif event.kind in (PLACED, BONUS_PAID):
            armies[target] += amount
        elif event.kind == LOST and amount:
            armies[target] -= amount
        elif event.kind == CAPTURED:
            self.owners[target] = event.seat
            armies[target] = amount
            armies[source] -= amount
        elif event.kind == CONTROLLED:
            self.owners[target] = event.seat
        elif event.kind == MOVED:  # counts all, also those that came with the dice
            armies[source] -= amount - armies[target]
            armies[target] = amount
        elif event.kind == FORTIFIED:
            armies[source] -= amount
            armies[target] += amount
        else:
            return ()
        return (target,) if source == NO_PLACE else (source, target)

    def deal(self, event: Event) -> tuple[int, ...]:
        """Counts the cards that the event moves; gives the seats whose hands it changed."""
        if event.kind == DREW:
            self.cards[event.seat] += 1
        elif event.kind == TRADED:
            self.cards[event.seat] -= 1
        elif event.kind in (HAND_TAKEN, HAND_PASSED):
            self.cards[event.piece] -= event.amount
            self.cards[event.seat] += event.amount
            return event.seat, event.piece
        elif event.kind == BRIBED:
            self.cards[event.seat] -= 1
            self.cards[event.piece] += 1
            return event.seat, event.piece
        else:
            return ()
        return (event.seat,)


def head(r: Ruleset, match: str, agents: Sequence[str]) -> dict[str, Any]:
    """What a film says before its first frame."""
    return {
        "match": match,
        "variant": r.variant,
        "title": find(r.variant).title,
        "board": r.board.name,
        "rounds": r.rounds,
        "seats": [{"agent": agent} for agent in agents],
        "neutrals": r.forces - r.seats,
        "teams": list(r.teams) if len(set(r.teams)) < r.seats else None,
        "places": places(r.board),
        "regions": [
            {"name": name, "bonus": bonus}
            for name, bonus in zip(r.board.region_names, r.board.region_bonus, strict=True)
        ],
    }


def places(board: Board) -> list[dict[str, Any]]:
    return [
        {"name": name, "short": short, "region": region}
        for name, short, region in zip(board.names, board.shorts, board.region_of, strict=True)
    ]


def film_of(record: MatchRecord) -> dict[str, Any]:
    """The film of a recorded match, which shows all cards."""
    replay = Replay(record)
    film = Film(replay.r, record.match_id, [seat.agent for seat in record.seats])
    s = replay.s
    s.events = []
    while (step := replay.peek()) is not None:
        replay.take(step)
        film.hear(s.events, replay.number - 1)
        s.events = []
    film.hear(s.events, replay.number)
    film.finish(record.result)
    return film.data()
