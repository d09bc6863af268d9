"""Positions for tests: read one, play actions written as text, look at what is seen.

The five editions play on three boards. `EDITIONS` gives places and cards the same part on each of them, so
that one test can speak for all: `{a}` touches `{b}` and `{c}`, `{c}` touches `{d}`, no others of these touch;
`{x1} {x2} {x3}` are cards of the first symbol, `{y1}..` of the second, `{z1}..` of the third.
"""

from engine.rules.cards import kind_of
from engine.rules.choices import low_of, unpack
from engine.rules.errors import IllegalAction
from engine.rules.events import EVENT_NAMES, Event
from engine.rules.notation import card_name, read_action, read_seat, seat_name, write_action
from engine.rules.positions import read_state
from engine.rules.state import CHANCE, step_of
from engine.rules.steps import STEP_NAMES

_PARTS = ("a", "b", "c", "d", "x1", "x2", "x3", "y1", "y2", "y3", "z1", "z2", "z3")
_CLASSIC = "ala kam alb wus  ven per arg  gre ont que  eus cam nwt"
_AD2210 = "noe pev alb bio  tim ana arg  esa can que  amr mex nun"
_GODSTORM = "egy min cyr car  lig cor dac  rom sic thr  apu dal gra"

EDITIONS = {
    name: dict(zip(_PARTS, places.split(), strict=True))
    for name, places in {
        "classic": _CLASSIC,
        "officers": _CLASSIC,
        "summary": _CLASSIC,
        "ad2210-classic": _AD2210,
        "godstorm-classic": _GODSTORM,
    }.items()
}


class Position:
    def __init__(self, text: str, variant: str = "classic") -> None:
        """`text` leaves the variant out: `3; A: {a} 3; ...`."""
        self.parts = EDITIONS.get(variant, EDITIONS["classic"])
        self.r, self.s = read_state(f"{variant} {text.format(**self.parts)}")
        self.told: list[Event] = []
        self.s.events = self.told

    def play(self, *actions: str) -> "Position":
        """Plays checked actions; each must read back as it was written."""
        for action in actions:
            text = action.format(**self.parts)
            index, amount = read_action(self.r, self.s, text)
            seat = self.r.asked(self.s)
            written = write_action(self.r, self.s, self.codes[index], amount)
            if written != text and not written.startswith(text + " "):
                raise IllegalAction(f"'{text}' was read as '{written}'")
            self.r.play(self.s, seat, index, amount)
        return self

    @property
    def codes(self) -> list[int]:
        codes: list[int] = []
        if self.s.agenda:
            self.r.options(self.s, self.r.asked(self.s), codes)
        return codes

    @property
    def options(self) -> list[str]:
        """The options as text, `low-high` where there is an amount to choose; of chance only how many."""
        return [self._option(code) for code in self.codes]

    def _option(self, code: int) -> str:
        option = unpack(code)
        if self.r.waiting(self.s) == (CHANCE,):
            return f"{write_action(self.r, self.s, code, 0).split()[0]} 1 of {option.high + 1}"
        text = write_action(self.r, self.s, code, option.low)
        return text if option.low == option.high else f"{text}-{option.high}"

    @property
    def step(self) -> str:
        """Who is asked what: `attack A`, `roll -`, or `over`."""
        if not self.s.agenda:
            return "over"
        step = step_of(self.s.agenda[-1])
        return f"{STEP_NAMES[step.kind]} {seat_name(step.seat)}"

    def at(self, place: str) -> str:
        """Owner and armies: `B 3`."""
        number = self.r.board.find(place.format(**self.parts))
        return f"{seat_name(self.s.owner[number])} {self.s.armies[number]}"

    def hand(self, seat: str) -> str:
        return " ".join(card_name(self.r, kind_of(card)) for card in self.s.hands[read_seat(seat)])

    def cards(self, text: str) -> str:
        """Cards in the order in which hands and piles list them."""
        board = self.r.board
        names = [*board.shorts, "wild"]
        return " ".join(sorted(text.format(**self.parts).split(), key=names.index))

    @property
    def pile(self) -> list[str]:
        """The groups of the draw pile, the top one first."""
        return [" ".join(card_name(self.r, kind) for kind in group.cards) for group in self.s.decks[0]]

    def missions(self, seat: str) -> str:
        """What the seat has not claimed."""
        forces = self.r.forces
        hands = [self.s.hands[deck * forces + read_seat(seat)] for deck in range(1, len(self.r.decks))]
        return " ".join(card_name(self.r, kind_of(card)) for hand in hands for card in hand)

    @property
    def discards(self) -> str:
        return " ".join(card_name(self.r, kind) for kind in self.s.discards[0])

    def events(self, kind: str) -> list[Event]:
        return [event for event in self.told if EVENT_NAMES[event.kind] == kind]


def new_match(variant: str, seats: int) -> Position:
    """Before anything has happened."""
    match = Position(str(seats), variant)
    match.s = match.r.new()
    match.s.events = match.told
    return match


def play_first(match: Position, *steps: str) -> Position:
    """Answers by the first option until one of these steps is asked."""
    while match.s.agenda and match.step.split()[0] not in steps:
        code = match.codes[0]
        match.r.play(match.s, match.r.asked(match.s), 0, low_of(code))
    return match


def claim_all(match: Position, *order: str) -> Position:
    """Everybody takes the first empty territory, after `order` has been claimed."""
    match.play(*[f"claim {place}" for place in order])
    while match.step.startswith("claim "):
        match.play(match.options[0])
    return match
