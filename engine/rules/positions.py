"""Positions as short texts: `write_state` and `read_state` are inverse. docs/notation.md is the guide.

classic 3; A: ala 3; B: kam; rest C 2; hand A: ont wild; at attacking A
"""

from typing import Final

from engine.rules.boards.board import Board
from engine.rules.cards import hold, kind_of, origin_of, seen_by
from engine.rules.choices import low_of
from engine.rules.errors import NotationError, RulesError
from engine.rules.notation import (
    LETTERS,
    card_name,
    is_number,
    read_card,
    read_number,
    read_ruleset,
    read_seat,
    seat_name,
    write_ruleset,
)
from engine.rules.ruleset import MOST_ARMIES, Ruleset
from engine.rules.state import (
    CLAIMING,
    DRAW_STEP,
    ENDINGS,
    FIRST_STEP,
    KIND,
    NEXT_TURN,
    NOBODY,
    ROLL_STEP,
    ROLLING_FIRST,
    SETUP_PLACING,
    STEP_NAMES,
    Group,
    State,
    push,
    step_of,
)

_KINDS: Final = {name: kind for kind, name in STEP_NAMES.items()}
_NUMBERS: Final = ("round", "sets", "captures", "bonus", "groups")
_CLAUSES: Final = (*_NUMBERS, "first", "turn", "pool", "fell", "lost", "rest", "ending", "at")
_LISTS: Final = ("hand", "deck", "discards", "picks", "places", "steps")
_SEATLESS: Final = (FIRST_STEP, ROLL_STEP, DRAW_STEP, CLAIMING, SETUP_PLACING, NEXT_TURN, ROLLING_FIRST)
_MOST_ORIGIN: Final = 0x3FFF


def write_state(r: Ruleset, s: State) -> str:
    """The whole position in one line."""
    board = r.board
    clauses = [write_ruleset(r)]
    clauses.append(f"first {seat_name(s.first)}")
    clauses.append(f"turn {seat_name(s.turn)}")
    for name in _NUMBERS:
        if getattr(s, name):
            clauses.append(f"{name} {getattr(s, name)}")
    for seat in range(s.seats):
        own = [f"{board.shorts[p]} {s.armies[p]}" for p in range(board.size) if s.owner[p] == seat]
        if own:
            clauses.append(f"{LETTERS[seat]}: {' '.join(own)}")
    for seat in range(s.seats):
        if s.hands[seat]:
            clauses.append(f"hand {LETTERS[seat]}: {' '.join([_held(board, seat, c) for c in s.hands[seat]])}")
        if s.pool[seat]:
            clauses.append(f"pool {LETTERS[seat]} {s.pool[seat]}")
        if s.fell[seat]:
            clauses.append(f"fell {LETTERS[seat]} {s.fell[seat]}")
        if s.lost >> seat & 1:
            clauses.append(f"lost {LETTERS[seat]}")
    for deck in s.decks:
        groups = [f"{g.origin} {' '.join([card_name(board, kind) for kind in g.cards])}" for g in deck]
        clauses.append(f"deck: {' / '.join(groups)}")
    for pile in s.discards:
        if pile:
            clauses.append(f"discards: {' '.join([card_name(board, kind) for kind in pile])}")
    if s.picks:
        clauses.append(f"picks: {' '.join([str(position) for position in s.picks])}")
    if s.places:
        clauses.append(f"places: {' '.join([str(place) for place in s.places])}")
        clauses.append(f"ending {ENDINGS[s.ending]}")
    clauses.append(f"steps: {' / '.join([_step(packed) for packed in s.agenda])}")
    return "; ".join(clauses)


def _held(board: Board, seat: int, card: int) -> str:
    """A held card: `@` its group of origin, if not the first; `!` who has seen it beside its holder."""
    text = card_name(board, kind_of(card))
    if origin_of(card):
        text += f"@{origin_of(card)}"
    others = [LETTERS[other] for other in range(len(LETTERS)) if seen_by(card) & ~(1 << seat) & 1 << other]
    return f"{text}!{''.join(others)}" if others else text


def _step(packed: int) -> str:
    step = step_of(packed)
    return " ".join([STEP_NAMES[step.kind], seat_name(step.seat), str(step.a), str(step.b), str(step.c)])


def read_state(text: str) -> tuple[Ruleset, State]:
    """The ruleset and the position that the text describes.

    Left out: armies count 1, places belong to nobody, cards that nobody holds are the draw pile.
    `rest C 2` gives all other places to a seat; `at attacking A` stands for the steps of that seat's turn
    from there on.
    """
    clauses = [clause.strip() for clause in text.replace("\n", ";").split(";") if clause.strip()]
    if not clauses:
        raise NotationError("an empty text is no position")
    r = read_ruleset(clauses[0])
    s = r.new()
    s.agenda.clear()
    s.pool = [0] * s.seats
    reader = _Reader(r, s)
    for clause in clauses[1:]:
        try:
            reader.read(clause)
        except RulesError as error:
            raise NotationError(f"cannot read '{clause}': {error}") from None
    reader.finish()
    return r, s


class _Reader:
    """Takes the clauses of a position one by one."""

    def __init__(self, r: Ruleset, s: State) -> None:
        self.r = r
        self.s = s
        self.dealt = False
        self.at: tuple[int, int] | None = None  # kind of step and seat

    def read(self, clause: str) -> None:
        head, colon, tail = clause.partition(":")
        words = head.split()
        if colon:
            self.read_list(words, tail)
        else:
            self.read_words(words)

    def read_list(self, words: list[str], tail: str) -> None:
        s, name = self.s, words[0] if words else ""
        if len(words) != (2 if name == "hand" else 1):
            raise NotationError(f"a list belongs to a seat, or is one of {', '.join(_LISTS)}")
        if name == "hand":
            self.read_hand(self.seat(words[1]), tail.split())
        elif name == "deck":
            self.read_deck(tail)
        elif name == "discards":
            s.discards = (self.kinds(tail.split()),)
        elif name == "picks":
            s.picks = tuple([read_number(word) for word in tail.split()])
        elif name == "places":
            s.places = tuple([read_number(word, 1, s.seats) for word in tail.split()])
        elif name == "steps":
            for step in tail.split("/"):
                self.read_step(step.split())
        else:
            self.read_land(self.seat(name), tail.split())

    def read_words(self, words: list[str]) -> None:
        s, name = self.s, words[0]
        if name not in _CLAUSES:
            raise NotationError(f"there is no clause '{name}': {', '.join([*_CLAUSES, *_LISTS])}")
        first = words[1] if len(words) > 1 else ""
        second = words[2] if len(words) > 2 else ""
        if len(words) > (3 if name in ("pool", "fell", "rest", "at") else 2):
            raise NotationError(f"too many words after '{name}'")
        if name in _NUMBERS:
            setattr(s, name, read_number(first))
        elif name == "ending":
            if first not in ENDINGS:
                raise NotationError(f"'{first}' is no ending: {', '.join(ENDINGS)}")
            s.ending = ENDINGS.index(first)
        elif name == "at":
            self.at = (self.kind(first), self.seat(second))
        elif name == "rest":
            self.read_rest(self.seat(first), read_number(second, 1, MOST_ARMIES) if second else 1)
        elif name == "first":
            s.first = self.seat(first)
        elif name == "turn":
            s.turn = self.seat(first)
        elif name == "pool":
            s.pool[self.seat(first)] = read_number(second, 0, MOST_ARMIES)
        elif name == "fell":
            fell = list(s.fell)
            fell[self.seat(first)] = read_number(second, 0, s.seats)
            s.fell = tuple(fell)
        else:
            s.lost |= 1 << self.seat(first)

    def seat(self, text: str) -> int:
        """A seat of this match, not the dash."""
        seat = read_seat(text)
        if not 0 <= seat < self.s.seats:
            raise NotationError(f"there is no seat {text} among {self.s.seats}")
        return seat

    def kinds(self, words: list[str]) -> tuple[int, ...]:
        return tuple(sorted([read_card(self.r.board, word) for word in words]))

    def settle(self, place: int, seat: int, armies: int) -> None:
        if self.s.owner[place] != NOBODY:
            raise NotationError(f"{self.r.board.shorts[place]} is given twice")
        self.r.own(self.s, place, seat)
        self.s.armies[place] = armies

    def read_land(self, seat: int, words: list[str]) -> None:
        position = 0
        while position < len(words):
            place = self.r.board.find(words[position])
            position += 1
            armies = 1
            if position < len(words) and is_number(words[position]):
                armies = read_number(words[position], 1, MOST_ARMIES)
                position += 1
            self.settle(place, seat, armies)

    def read_rest(self, seat: int, armies: int) -> None:
        for place in range(self.r.board.size):
            if self.s.owner[place] == NOBODY:
                self.settle(place, seat, armies)

    def read_hand(self, seat: int, words: list[str]) -> None:
        cards: list[int] = []
        for word in words:
            rest, _, seen = word.partition("!")
            name, at, origin = rest.partition("@")
            mask = 1 << seat
            for letter in seen:
                mask |= 1 << self.seat(letter)
            group = read_number(origin, 0, _MOST_ORIGIN) if at else 0
            cards.append(hold(read_card(self.r.board, name), group, mask))
        hands = list(self.s.hands)
        hands[seat] = tuple(sorted(cards))
        self.s.hands = tuple(hands)

    def read_deck(self, tail: str) -> None:
        self.dealt = True
        groups: list[Group] = []
        for part in tail.split("/"):
            words = part.split()
            if len(words) == 1:
                raise NotationError("a group is its number and its cards")
            if words:
                groups.append(Group(read_number(words[0], 0, _MOST_ORIGIN), self.kinds(words[1:])))
        if len({group.origin for group in groups}) < len(groups):
            raise NotationError("every group has a number of its own")
        self.s.decks = (tuple(groups),)

    def read_step(self, words: list[str]) -> None:
        if not words:
            return
        kind = self.kind(words[0])
        if len(words) < 2 or len(words) > 5:
            raise NotationError("a step is its name, a seat or -, and up to three numbers")
        if kind in _SEATLESS and words[1] != "-":
            raise NotationError(f"no seat takes the step '{words[0]}': write - for it")
        seat = NOBODY if kind in _SEATLESS else self.seat(words[1])
        numbers = [read_number(word) for word in words[2:]] + [0, 0, 0]
        push(self.s, kind, seat, numbers[0], numbers[1], numbers[2])

    def kind(self, name: str) -> int:
        """The kind of step of that name, if this variant has it."""
        known = [STEP_NAMES[kind] for section in self.r.sections for kind in section.kinds]
        if name not in known:
            raise NotationError(f"{self.r.variant} has no step '{name}': {', '.join(known)}")
        return _KINDS[name]

    def finish(self) -> None:
        """Makes the draw pile and the agenda, where the text leaves them to follow from the rest."""
        s = self.s
        self.check()
        rest = self.pile()
        if not self.dealt:
            s.decks = ((Group(0, tuple(rest)),),) if rest else ((),)
        origins = [group.origin for group in s.decks[0]] + [origin_of(c) for hand in s.hands for c in hand]
        s.groups = max([s.groups, 1, *[origin + 1 for origin in origins]])
        if self.at is not None:
            self.begin_at(self.at[0], self.at[1])
        if s.agenda:
            self.try_step()

    def check(self) -> None:
        s = self.s
        if 0 not in s.fell:
            raise NotationError("no seat is left in play")
        if s.round > self.r.rounds:
            raise NotationError(f"round {s.round} is past the last, {self.r.rounds}")
        if s.places and (len(s.places) != s.seats or s.agenda or self.at is not None):
            raise NotationError("places are given for every seat of a match that is over")

    def pile(self) -> list[int]:
        """The cards that the text does not name; no card is there more often than the deck has it."""
        deck = self.r.new().decks[0]
        rest = [kind for group in deck for kind in group.cards]
        named = [kind_of(card) for hand in self.s.hands for card in hand] + list(self.s.discards[0])
        if self.dealt:
            named += [kind for group in self.s.decks[0] for kind in group.cards]
        for kind in named:
            if kind not in rest:
                raise NotationError(f"card {card_name(self.r.board, kind)} is given too often")
            rest.remove(kind)
        return rest

    def begin_at(self, kind: int, seat: int) -> None:
        """Pushes the turn of the seat and drops what comes before the step."""
        s = self.s
        if s.agenda:
            raise NotationError("give the steps or 'at', not both")
        s.round = max(1, s.round)
        push(s, NEXT_TURN, NOBODY)
        captures, bonus = s.captures, s.bonus
        self.r.begin_turn(s, seat)
        s.captures, s.bonus = captures, bonus
        while s.agenda and s.agenda[-1] & KIND != kind:
            s.agenda.pop()
        if not s.agenda:
            raise NotationError(f"no turn of {self.r.variant} starts with the step '{STEP_NAMES[kind]}'")

    def try_step(self) -> None:
        """Takes automatic steps, then the first answer on a copy: steps that do not fit are refused here."""
        r, s = self.r, self.s
        codes: list[int] = []
        try:
            r.settle(s)
            if s.agenda:
                seat = r.waiting(s)[0]
                self.check_picks(seat)
                r.options(s, seat, codes)
                r.apply(s.clone(), seat, codes[0], low_of(codes[0]))
        except (ArithmeticError, LookupError, TypeError, ValueError, NotImplementedError) as error:
            raise NotationError(f"the step on top does not fit the position: {error}") from None

    def check_picks(self, seat: int) -> None:
        picks = list(self.s.picks)
        hand = self.s.hands[seat] if seat >= 0 else ()
        if picks and (picks != sorted(set(picks)) or len(picks) > 2 or picks[-1] >= len(hand)):
            raise NotationError("picks are one or two ascending positions in the hand of who is asked")
