"""Missions: cards that tell a seat its goal, dealt in secret."""

from typing import ClassVar

from engine.rules.boards.board import Board
from engine.rules.cards import FACE_UP, draw, hand_of, kind_of, seen_by, with_deck, with_discards, with_hand
from engine.rules.choices import CARD_SHIFT, CLAIM_MISSION, DRAW, STOP_CODE, pack
from engine.rules.decks.missions import Mission, holds
from engine.rules.events import MISSION_CLAIMED, MISSION_DEALT, MISSION_SHOWN
from engine.rules.ruleset import Ruleset
from engine.rules.section import CAPTURE, Deck, Section
from engine.rules.state import (
    A_SHIFT,
    B_SHIFT,
    CHANCE,
    CLAIMS,
    DEFEATED,
    ENTERED,
    GOAL,
    KIND,
    MUSTERED,
    NOBODY,
    WHOLE,
    Group,
    State,
    count,
    push,
)
from engine.rules.steps import (
    CLAIM_MISSION_STEP,
    CLAIMING_MISSION,
    DEAL_MISSION_STEP,
    DEALING_MISSIONS,
    MUSTERING,
)

FIRST_DECK = 1  # that of the territories comes before


class DealtMissions(Section):
    """One card of each rank for everybody, dealt by chance; the rest stays unseen. At the end all lie open."""

    def __init__(self, board: Board, missions: tuple[Mission, ...]) -> None:
        self.missions = missions
        self.first_kind = board.size + 1  # after the territories and the wild card
        ranks = [mission.rank for mission in missions]
        self.ranks = [rank for number, rank in enumerate(ranks) if rank not in ranks[:number]]

    def decks(self, board: Board) -> tuple[Deck, ...]:
        return tuple([Deck(rank, self.names(rank)) for rank in self.ranks])

    def names(self, rank: str) -> tuple[str, ...]:
        return tuple([mission.name for mission in self.missions if mission.rank == rank])

    def mission(self, kind: int) -> Mission:
        return self.missions[kind - self.first_kind]

    def prepare(self, r: Ruleset, s: State) -> None:
        for number, rank in enumerate(self.ranks):
            kinds = [self.first_kind + card for card, one in enumerate(self.missions) if one.rank == rank]
            with_deck(s, FIRST_DECK + number, (Group(s.groups, self.dealt(s, kinds)),))
            s.groups += 1

    def dealt(self, s: State, kinds: list[int]) -> tuple[int, ...]:
        """Those that may come to a seat at all."""
        return tuple(kinds)

    def setup(self, r: Ruleset, s: State) -> None:
        push(s, DEALING_MISSIONS, NOBODY)

    def deal(self, s: State) -> None:
        """Pushes the deal: deck by deck, to the seats in turn from the one that begins."""
        s.agenda.pop()
        for deck in reversed(range(len(self.ranks))):
            for turns in reversed(range(s.seats)):
                push(s, DEAL_MISSION_STEP, CHANCE, (s.first + turns) % s.seats, FIRST_DECK + deck)

    def card(self, s: State) -> int:
        """The one option of a deal."""
        deck = s.agenda[-1] >> B_SHIFT & 15
        return pack(DRAW, piece=deck, high=len(s.decks[deck][0].cards) - 1)

    def take(self, r: Ruleset, s: State, index: int) -> None:
        step = s.agenda.pop()
        seat, deck = step >> A_SHIFT & 15, step >> B_SHIFT & 15
        kind = draw(s, seat, deck, index)
        r.tell(s, MISSION_DEALT, seat, card=kind, audience=1 << seat)

    def held(self, s: State, seat: int) -> list[int]:
        """The kinds of the missions that the seat has not claimed, in ascending order."""
        hands = [s.hands[hand_of(s, FIRST_DECK + deck, seat)] for deck in range(len(self.ranks))]
        return [kind_of(card) for hand in hands for card in hand]

    def show(self, r: Ruleset, s: State, seat: int) -> None:
        """Turns the missions that the seat still has face up."""
        for deck in range(len(self.ranks)):
            number = hand_of(s, FIRST_DECK + deck, seat)
            for card in s.hands[number]:
                if seen_by(card) != FACE_UP:
                    r.tell(s, MISSION_SHOWN, seat, card=kind_of(card))
            with_hand(s, number, [card | FACE_UP for card in s.hands[number]])

    def finished(self, r: Ruleset, s: State) -> None:
        for seat in range(s.seats):
            self.show(r, s, seat)

    def note_capture(self, r: Ruleset, s: State, place: int, loser: int) -> None:
        count(s, ENTERED, s.tally[ENTERED] | 1 << r.board.region_of[place])
        if s.held[loser] == 0:
            count(s, DEFEATED, s.tally[DEFEATED] + 1)


class Missions(DealtMissions):
    """Conditions that are claimed at their own time, one a turn; who has claimed all of its missions wins."""

    kinds: ClassVar[tuple[int, ...]] = (
        DEALING_MISSIONS,
        DEAL_MISSION_STEP,
        CLAIMING_MISSION,
        CLAIM_MISSION_STEP,
        MUSTERING,
    )
    moments: ClassVar[tuple[int, ...]] = (CAPTURE,)
    tallies: ClassVar[bool] = True

    def turn(self, r: Ruleset, s: State, seat: int) -> None:
        regions, sizes = len(r.board.region_size), r.board.region_size
        whole = 0
        for other in range(s.seats):
            for region in range(regions):
                if other != seat and s.regions[other * regions + region] == sizes[region]:
                    whole |= 1 << region
        count(s, WHOLE, whole)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        """Asks at each of the three times while a mission is left and none was claimed this turn.

        Whether there is one to claim does not matter: being asked tells nobody what one holds.
        """
        step = s.agenda[-1]
        if step & KIND == DEALING_MISSIONS:
            self.deal(s)
            return
        s.agenda.pop()
        if step & KIND == MUSTERING:
            count(s, MUSTERED, s.pool[seat])
        elif s.tally[CLAIMS] == 0 and self.held(s, seat):
            push(s, CLAIM_MISSION_STEP, seat, step >> A_SHIFT & 15)

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        step = s.agenda[-1]
        if step & KIND == DEAL_MISSION_STEP:
            out.append(self.card(s))
            return
        out.append(STOP_CODE)
        for kind in self.held(s, seat):
            mission = self.mission(kind)
            if mission.time == step >> A_SHIFT & 15 and holds(r, s, seat, mission.condition):
                out.append(pack(CLAIM_MISSION, card=kind))

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        if s.agenda[-1] & KIND == DEAL_MISSION_STEP:
            self.take(r, s, amount)
            return
        s.agenda.pop()
        if code != STOP_CODE:
            self.claim(r, s, seat, code >> CARD_SHIFT & 127)

    def claim(self, r: Ruleset, s: State, seat: int, kind: int) -> None:
        """The card leaves the game. The last one that is left lies open from then on."""
        deck = FIRST_DECK + self.ranks.index(self.mission(kind).rank)
        with_hand(s, hand_of(s, deck, seat), [])
        with_discards(s, deck, tuple(sorted([*s.discards[deck], kind])))
        count(s, CLAIMS, 1)
        r.tell(s, MISSION_CLAIMED, seat, card=kind)
        left = len(self.held(s, seat))
        if left == 1:
            self.show(r, s, seat)
        elif left == 0:
            r.finish(s, GOAL, seat)

    def captured(self, r: Ruleset, s: State, place: int, loser: int) -> None:
        self.note_capture(r, s, place, loser)

    def progress(self, r: Ruleset, s: State, seat: int) -> int:
        return len(self.ranks) - len(self.held(s, seat))


class ClaimTime(Section):
    """A time of the turn at which a mission may be claimed."""

    def __init__(self, time: int) -> None:
        self.time = time  # as decks.missions.TIMES

    def turn(self, r: Ruleset, s: State, seat: int) -> None:
        push(s, CLAIMING_MISSION, seat, self.time)


class Muster(Section):
    """Counts what was received, when all of it is there and nothing is placed yet."""

    def turn(self, r: Ruleset, s: State, seat: int) -> None:
        push(s, MUSTERING, seat)
