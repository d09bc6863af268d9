"""Baseline: what the built-in bots share. One method for each kind of decision; a bot overrides some."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from engine.rules.choices import (
    ATTACK,
    BONUS,
    CARD_SHIFT,
    CLAIM,
    CLAIM_MISSION,
    COMMAND,
    DEFEND,
    FORTIFY,
    FORTIFY_FROM,
    HEADQUARTERS,
    MOVE_IN,
    NO_PIECE,
    PIECE_SHIFT,
    PLACE,
    REROLL,
    STOP,
    TRADE,
    VERB_SHIFT,
    high_of,
    low_of,
)
from sdk.agent import Agent, Answer, Decision
from sdk.bots.board_sense import BoardSense, source_of, target_of

LOW_FACE = 3


class Choice(NamedTuple):
    """An option by its code, and an amount."""

    code: int
    amount: int


# Answers one kind of decision, given the options of one verb; None stops, or does what costs least.
Handler = Callable[[BoardSense, list[int]], Choice | None]


class Baseline(Agent):
    """Answers by verb, so it plays every variant: what it does not know it passes over as cheaply as it can."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.random = Random(seed)
        self.handlers: dict[int, Handler] = {
            CLAIM: self.claim,
            PLACE: self.place,
            TRADE: self.trade,
            BONUS: self.bonus,
            ATTACK: self.attack,
            DEFEND: self.defend,
            MOVE_IN: self.move_in,
            FORTIFY_FROM: self.fortify_from,
            FORTIFY: self.fortify,
            HEADQUARTERS: self.headquarters,
            CLAIM_MISSION: self.claim_mission,
            REROLL: self.reroll,
            COMMAND: self.command,
        }

    def decide(self, decision: Decision) -> Answer:
        codes = decision.codes
        for code in reversed(codes):  # nearly always the first has a verb we know
            verb = code >> VERB_SHIFT
            if verb in self.handlers:
                options = codes if codes[0] >> VERB_SHIFT == verb else of_verb(codes, verb)
                choice = self.handlers[verb](self.look(decision), options)
                return Answer(codes.index(choice.code), choice.amount) if choice else self.pass_over(codes)
        return self.pass_over(codes)

    def look(self, decision: Decision) -> BoardSense:
        return BoardSense(decision)

    def pass_over(self, codes: list[int]) -> Answer:
        """Stops where that is listed; else any option with its lowest amount."""
        index = 0 if codes[0] >> VERB_SHIFT == STOP else self.random.randrange(len(codes))
        return Answer(index, low_of(codes[index]))

    def claim(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """Where most neighbours are own, in regions where others have little."""
        return all_of(max(options, key=lambda code: self.claim_score(sense, target_of(code))))

    def claim_score(self, sense: BoardSense, place: int) -> float:
        own = sum(sense.owner[other] == sense.me for other in sense.neighbours[place])
        region = sense.board.region_of[place]
        return own + 5 * sense.held(region, sense.me) / sense.board.region_size[region] + self.random.random()

    def place(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """Where others outnumber us most: as many as they are more, or all when they are not."""
        most = max(options, key=lambda code: sense.outnumbered(target_of(code)))
        missing = sense.outnumbered(target_of(most))
        return Choice(most, max(low_of(most), min(missing, high_of(most)))) if missing > 0 else all_of(most)

    def trade(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """At once, and the set that costs us least."""
        best = best_set(sense)
        for code in options:
            if best and code >> CARD_SHIFT & 127 == best[len(sense.observation.picks)]:
                return Choice(code, low_of(code))
        return None

    def bonus(self, sense: BoardSense, options: list[int]) -> Choice | None:
        return all_of(max(options, key=lambda code: sense.threat(target_of(code))))

    def attack(self, sense: BoardSense, options: list[int]) -> Choice | None:
        return None

    def defend(self, sense: BoardSense, options: list[int]) -> Choice | None:
        return all_of(options[0])  # the second die never does harm

    def move_in(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """Everything, unless the captured place has no enemies left beside it."""
        code = options[0]
        return all_of(code) if sense.is_front(target_of(code)) else Choice(code, low_of(code))

    def headquarters(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """Where most armies stand, and fewest beside it."""
        return all_of(min(options, key=lambda code: sense.outnumbered(target_of(code))))

    def claim_mission(self, sense: BoardSense, options: list[int]) -> Choice | None:
        return all_of(options[-1])  # the hardest: an easy one can be claimed again

    def reroll(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """The lowest die, if it is low and the roll costs us more than it costs the other."""
        faces = sense.attack_faces()
        lowest = min(options, key=lambda code: faces[code >> PIECE_SHIFT & NO_PIECE])
        low = faces[lowest >> PIECE_SHIFT & NO_PIECE] <= LOW_FACE
        return all_of(lowest) if low and sense.roll_costs_us() else None

    def command(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """The lowest die, if the roll costs us something."""
        faces = sense.attack_faces()
        lowest = min(options, key=lambda code: faces[code >> PIECE_SHIFT & NO_PIECE])
        return all_of(lowest) if sense.roll_costs_us() else None

    def fortify_from(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """The largest army that no enemy stands beside."""
        idle = [code for code in options if not sense.is_front(source_of(code))]
        return all_of(max(idle, key=lambda code: sense.armies[source_of(code)])) if idle else None

    def fortify(self, sense: BoardSense, options: list[int]) -> Choice | None:
        """The largest idle army goes to the front, or one step nearer to it."""
        steps = sense.steps_to_front()
        useful = [code for code in options if steps[target_of(code)] < steps[source_of(code)]]
        if not useful:
            return None
        return all_of(
            max(
                useful,
                key=lambda code: (high_of(code), -steps[target_of(code)], sense.threat(target_of(code))),
            )
        )


def of_verb(codes: list[int], verb: int) -> list[int]:
    return [code for code in codes if code >> VERB_SHIFT == verb]


def all_of(code: int) -> Choice:
    """The option with its highest amount."""
    return Choice(code, high_of(code))


def best_set(sense: BoardSense) -> tuple[int, ...]:
    """The set of three kinds that goes on from what is picked: fewest wild cards, then most own places."""
    owner, wild = sense.owner, sense.board.size

    def rank(kinds: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        own = sum([kind < wild and owner[kind] == sense.me for kind in kinds])
        return -kinds.count(wild), own, kinds

    return max(sense.observation.sets_in_hand(), key=rank, default=())
