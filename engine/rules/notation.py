"""A short text for positions and actions, for tests, bug reports and people. docs/notation.md is its guide.

    classic 3; A: ala 3; B: kam; rest C 2; hand A: ont wild; at attacking A
    attack ala>kam 3        roll 6 5 2 / 3        draw ont        stop

Seats are letters, places the short names of the board. `write_state` and `read_state` are inverse.
"""

from typing import Final

from engine.rules.boards.board import Board
from engine.rules.cards import hold, kind_of, origin_of, seen_by
from engine.rules.choices import (
    DRAW,
    NO_CARD,
    NO_PLACE,
    ROLL,
    ROLL_FIRST,
    SCHEMAS,
    Action,
    Option,
    index_of,
    unpack,
)
from engine.rules.errors import NotationError, RulesError
from engine.rules.odds import dice_faces, dice_index
from engine.rules.ruleset import Ruleset
from engine.rules.state import ENDINGS, NOBODY, STEP_NAMES, Group, State, push, step_of
from engine.rules.variants import ruleset

COLOURS: Final = ("black", "blue", "gray", "green", "red", "yellow")
LETTERS: Final = "ABCDEF"
WILD: Final = "wild"

_KINDS: Final = {name: kind for kind, name in STEP_NAMES.items()}
_VERBS: Final = {schema.name: schema for schema in SCHEMAS.values()}
_NUMBERS: Final = ("round", "sets", "captures", "bonus", "groups")


def seat_name(seat: int) -> str:
    return LETTERS[seat] if seat >= 0 else "-"


def read_seat(text: str) -> int:
    if text == "-":
        return NOBODY
    if len(text) != 1 or text not in LETTERS:
        raise NotationError(f"'{text}' is no seat: seats are the letters {LETTERS}, or - for none")
    return LETTERS.index(text)


def card_name(board: Board, kind: int) -> str:
    return WILD if kind == board.size else board.shorts[kind]


def read_card(board: Board, text: str) -> int:
    return board.size if text == WILD else board.find(text)


# Positions


def write_state(r: Ruleset, s: State) -> str:
    """The whole position in one line."""
    board = r.board
    settings = [f"{name}={value}" for name, value in r.settings_key]
    clauses = [" ".join([r.variant, str(s.seats), *settings])]
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
            clauses.append(
                f"hand {LETTERS[seat]}: {' '.join([_held(board, seat, c) for c in s.hands[seat]])}"
            )
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
    r = _read_head(clauses[0].split())
    s = r.new()
    s.agenda.clear()
    s.pool = [0] * s.seats
    reader = _Reader(r, s)
    for clause in clauses[1:]:
        try:
            reader.read(clause)
        except (IndexError, RulesError, ValueError) as error:
            raise NotationError(f"cannot read '{clause}': {error}") from None
    reader.finish()
    return r, s


def _read_head(words: list[str]) -> Ruleset:
    if len(words) < 2 or not words[1].isdigit():
        raise NotationError("a position starts with its variant and number of seats, like 'classic 3'")
    options: dict[str, int] = {}
    for word in words[2:]:
        name, _, value = word.partition("=")
        if not value.isdigit():
            raise NotationError(f"'{word}' is no option: write name=number")
        options[name] = int(value)
    return ruleset(words[0], int(words[1]), options)


class _Reader:
    """Takes the clauses of a position one by one."""

    def __init__(self, r: Ruleset, s: State) -> None:
        self.r = r
        self.s = s
        self.dealt = False
        self.at: list[str] = []

    def read(self, clause: str) -> None:
        head, colon, tail = clause.partition(":")
        words = (head if colon else clause).split()
        if colon:
            self.read_list(words, tail)
        else:
            self.read_words(words)

    def read_list(self, words: list[str], tail: str) -> None:
        s, name = self.s, words[0]
        if name == "hand":
            self.read_hand(self.seat(words[1]), tail.split())
        elif name == "deck":
            self.read_deck(tail)
        elif name == "discards":
            s.discards = (tuple(sorted([read_card(self.r.board, word) for word in tail.split()])),)
        elif name == "picks":
            s.picks = tuple([int(word) for word in tail.split()])
        elif name == "places":
            s.places = tuple([int(word) for word in tail.split()])
        elif name == "steps":
            for step in tail.split("/"):
                self.read_step(step.split())
        else:
            self.read_land(self.seat(name), tail.split())

    def read_words(self, words: list[str]) -> None:
        s, name = self.s, words[0]
        if name in _NUMBERS:
            setattr(s, name, int(words[1]))
        elif name == "ending":
            s.ending = ENDINGS.index(words[1])
        elif name == "at":
            self.at = words[1:]
        elif name == "rest":
            armies = int(words[2]) if len(words) > 2 else 1
            for place in range(self.r.board.size):
                if s.owner[place] == NOBODY:
                    self.settle(place, self.seat(words[1]), armies)
        elif name == "first":
            s.first = self.seat(words[1])
        elif name == "turn":
            s.turn = self.seat(words[1])
        elif name == "pool":
            s.pool[self.seat(words[1])] = int(words[2])
        elif name == "fell":
            fell = list(s.fell)
            fell[self.seat(words[1])] = int(words[2])
            s.fell = tuple(fell)
        elif name == "lost":
            s.lost |= 1 << self.seat(words[1])
        else:
            raise NotationError(f"there is no clause '{name}'")

    def seat(self, text: str) -> int:
        seat = read_seat(text)
        if seat >= self.s.seats:
            raise NotationError(f"there is no seat {text} among {self.s.seats}")
        return seat

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
            if position < len(words) and words[position].isdigit():
                armies = int(words[position])
                position += 1
            self.settle(place, seat, armies)

    def read_hand(self, seat: int, words: list[str]) -> None:
        cards: list[int] = []
        for word in words:
            rest, _, seen = word.partition("!")
            name, _, origin = rest.partition("@")
            mask = 1 << seat
            for letter in seen:
                mask |= 1 << self.seat(letter)
            cards.append(hold(read_card(self.r.board, name), int(origin or "0"), mask))
        hands = list(self.s.hands)
        hands[seat] = tuple(sorted(cards))
        self.s.hands = tuple(hands)

    def read_deck(self, tail: str) -> None:
        self.dealt = True
        groups: list[Group] = []
        for part in tail.split("/"):
            words = part.split()
            if words:
                kinds = [read_card(self.r.board, word) for word in words[1:]]
                groups.append(Group(int(words[0]), tuple(sorted(kinds))))
        self.s.decks = (tuple(groups),)

    def read_step(self, words: list[str]) -> None:
        if not words:
            return
        numbers = [int(word) for word in words[2:]] + [0, 0, 0]
        push(self.s, self.kind(words[0]), read_seat(words[1]), numbers[0], numbers[1], numbers[2])

    def kind(self, name: str) -> int:
        if name not in _KINDS:
            raise NotationError(f"there is no step '{name}': {', '.join(_KINDS)}")
        return _KINDS[name]

    def finish(self) -> None:
        """Makes the draw pile and the agenda, where the text leaves them to follow from the rest."""
        s = self.s
        if not self.dealt:
            pile = list(s.decks[0][0].cards)
            for hand in s.hands:
                for card in hand:
                    pile.remove(kind_of(card))
            for kind in s.discards[0]:
                pile.remove(kind)
            s.decks = ((Group(0, tuple(pile)),),) if pile else ((),)
        if self.at:
            s.round = max(1, s.round)
            push(s, _KINDS["next_turn"], NOBODY)
            captures, bonus = s.captures, s.bonus
            self.r.begin_turn(s, self.seat(self.at[1]))
            s.captures, s.bonus = captures, bonus
            kind = self.kind(self.at[0])
            while s.agenda and s.agenda[-1] & 63 != kind:
                s.agenda.pop()
            if not s.agenda:
                raise NotationError(f"a turn of {self.r.variant} has no step '{self.at[0]}'")
            self.r.settle(s)


# Actions


def write_action(r: Ruleset, s: State, code: int, amount: int) -> str:
    """The answer to the step on top, as text."""
    option = unpack(code)
    words = [SCHEMAS[option.verb].name]
    if option.verb == ROLL:
        attack, defence = _dice(s)
        faces = dice_faces(amount, [6] * (attack + defence))
        dice = [str(face) for face in faces]
        return " ".join([*words, *dice[:attack], "/", *dice[attack:]])
    if option.verb == ROLL_FIRST:
        return " ".join([*words, *[str(face) for face in dice_faces(amount, [6] * _rollers(s))]])
    if option.verb == DRAW:
        return f"draw {card_name(r.board, s.decks[option.piece][0].cards[amount])}"
    if option.source != NO_PLACE or option.target != NO_PLACE:
        words.append(_places(r.board, option))
    if option.card != NO_CARD:
        words.append(card_name(r.board, option.card))
    if option.high:
        words.append(str(amount))
    return " ".join(words)


def _places(board: Board, option: Option) -> str:
    if option.source == NO_PLACE:
        return board.shorts[option.target]
    return (
        board.shorts[option.source] + ">" + (board.shorts[option.target] if option.target != NO_PLACE else "")
    )


def _dice(s: State) -> tuple[int, int]:
    dice = step_of(s.agenda[-1]).c
    return dice >> 2, dice & 3


def _rollers(s: State) -> int:
    return step_of(s.agenda[-1]).a.bit_count()


def read_action(r: Ruleset, s: State, text: str) -> tuple[int, int]:
    """The index and amount that the text means at the step on top. An amount left out is the lowest."""
    words = text.replace("/", " ").split()
    if not words or words[0] not in _VERBS:
        raise NotationError(f"'{text}' is no action: it starts with one of {', '.join(_VERBS)}")
    codes: list[int] = []
    r.options(s, r.waiting(s)[0], codes)
    verb = _VERBS[words[0]].verb
    if verb in (ROLL, ROLL_FIRST):
        return 0, dice_index([int(word) for word in words[1:]], [6] * len(words[1:]))
    if verb == DRAW:
        return 0, s.decks[0][0].cards.index(read_card(r.board, words[1]))
    action = _read_parts(r.board, verb, words[1:])
    if not words[-1].isdigit():
        action = action._replace(amount=_lowest(codes, action))
    return index_of(codes, action), action.amount


def _read_parts(board: Board, verb: int, words: list[str]) -> Action:
    schema = SCHEMAS[verb]
    action = Action(verb)
    for word in words:
        source, arrow, target = word.partition(">")
        if word.isdigit():
            action = action._replace(amount=int(word))
        elif arrow:
            action = action._replace(source=board.find(source))
            if target:
                action = action._replace(target=board.find(target))
        elif schema.card:
            action = action._replace(card=read_card(board, word))
        else:
            action = action._replace(target=board.find(word))
    return action


def _lowest(codes: list[int], action: Action) -> int:
    for code in codes:
        option = unpack(code)
        if option[:5] == action[:5]:
            return option.low
    return 0
