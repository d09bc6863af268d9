"""Positions as short texts: `write_state` and `read_state` are inverse. docs/notation.md is the guide.

classic 3; A: ala 3; B: kam; rest C 2; hand A: ont wild; at attacking A
"""

from typing import Final

from engine.rules.cards import (
    FACE_UP,
    hand_of,
    hold,
    kind_of,
    origin_of,
    seen_by,
    with_deck,
    with_discards,
    with_hand,
)
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
from engine.rules.state import ENDINGS, KIND, NOBODY, Group, State, push, step_of, strength
from engine.rules.steps import (
    AUTOMATIC,
    CHOOSING_HEADQUARTERS,
    CLAIMING,
    DEALING,
    DEALING_MISSIONS,
    ELECTING,
    FIRST_STEP,
    HEADQUARTERS_STEP,
    NEXT_TURN,
    ROLLING_FIRST,
    SETUP_PLACING,
    STEP_NAMES,
)

_KINDS: Final = {name: kind for kind, name in STEP_NAMES.items()}
_NUMBERS: Final = ("round", "sets", "captures", "bonus", "groups")
_SPECIAL: Final = ("choices", "headquarters", "alliances", "tally")
_CLAUSES: Final = (*_NUMBERS, "first", "turn", "pool", "fell", "lost", "rest", "ending", "at")
_LISTS: Final = ("hand", "deck", "discards", "picks", "places", "steps", *_SPECIAL)
_SEATLESS: Final = (
    *range(FIRST_STEP, AUTOMATIC),  # those of chance
    CLAIMING,
    SETUP_PLACING,
    NEXT_TURN,
    ROLLING_FIRST,
    HEADQUARTERS_STEP,
    CHOOSING_HEADQUARTERS,
    DEALING,
    DEALING_MISSIONS,
    ELECTING,
)
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
    for force in range(r.forces):
        own = [f"{board.shorts[p]} {strength(s, p, force)}" for p in range(board.size) if strength(s, p, force)]
        if own:
            clauses.append(f"{LETTERS[force]}: {' '.join(own)}")
    for force in range(r.forces):
        if s.hands[force]:
            clauses.append(f"hand {LETTERS[force]}: {_hand(r, s, 0, force)}")
        if s.pool[force]:
            clauses.append(f"pool {LETTERS[force]} {s.pool[force]}")
        if force < s.seats and s.fell[force]:
            clauses.append(f"fell {LETTERS[force]} {s.fell[force]}")
        if s.lost >> force & 1:
            clauses.append(f"lost {LETTERS[force]}")
    for number, deck in enumerate(s.decks):
        name = f" {r.decks[number].name}" if number else ""
        if number:
            held = [force for force in range(r.forces) if s.hands[hand_of(s, number, force)]]
            clauses += [f"hand {LETTERS[force]}{name}: {_hand(r, s, number, force)}" for force in held]
        groups = [f"{g.origin} {_cards(r, g.cards)}" for g in deck]
        clauses.append(f"deck{name}: {' / '.join(groups)}")
        if s.discards[number]:
            clauses.append(f"discards{name}: {_cards(r, s.discards[number])}")
    clauses += _special(r, s)
    if s.picks:
        clauses.append(f"picks: {' '.join([str(position) for position in s.picks])}")
    if s.places:
        clauses.append(f"places: {' '.join([str(place) for place in s.places])}")
        clauses.append(f"ending {ENDINGS[s.ending]}")
    clauses.append(f"steps: {' / '.join([_step(packed) for packed in s.agenda])}")
    return "; ".join(clauses)


def _special(r: Ruleset, s: State) -> list[str]:
    """What few variants have."""
    clauses: list[str] = []
    if s.choices:
        clauses.append(f"choices: {' '.join([str(one) if one >= 0 else '-' for one in s.choices])}")
    if s.headquarters:
        clauses.append(f"headquarters: {' '.join([r.board.shorts[place] for place in s.headquarters])}")
    if s.alliances:
        clauses.append(f"alliances: {' '.join([seat_name(seat) for seat in s.alliances])}")
    if any(s.tally):
        clauses.append(f"tally: {' '.join([str(number) for number in s.tally])}")
    return clauses


def _cards(r: Ruleset, kinds: tuple[int, ...]) -> str:
    return " ".join([card_name(r, kind) for kind in kinds])


def _hand(r: Ruleset, s: State, deck: int, force: int) -> str:
    return " ".join([_held(r, deck, force, card) for card in s.hands[hand_of(s, deck, force)]])


def _held(r: Ruleset, deck: int, seat: int, card: int) -> str:
    """A held card: `@` its group of origin, if not its deck's first; `!` who has seen it beside its holder."""
    text = card_name(r, kind_of(card))
    if origin_of(card) != deck:
        text += f"@{origin_of(card)}"
    if seen_by(card) == FACE_UP:
        return f"{text}!*"
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
    s.pool = [0] * r.forces
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
        self.dealt = [False] * len(s.decks)
        self.counted = s.tally
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
        owned = 2 if name == "hand" else 1
        if not owned <= len(words) <= owned + (name in ("hand", "deck", "discards")):
            raise NotationError(f"a list belongs to a seat, or is one of {', '.join(_LISTS)}")
        deck = self.deck(words[owned]) if len(words) > owned else 0
        if name == "hand":
            self.read_hand(deck, self.force(words[1]), tail.split())
        elif name == "deck":
            self.read_deck(deck, tail)
        elif name == "discards":
            with_discards(s, deck, self.kinds(tail.split()))
        elif name in _SPECIAL:
            self.read_special(name, tail.split())
        elif name == "picks":
            s.picks = tuple([read_number(word) for word in tail.split()])
        elif name == "places":
            s.places = tuple([read_number(word, 1, s.seats) for word in tail.split()])
        elif name == "steps":
            for step in tail.split("/"):
                self.read_step(step.split())
        else:
            self.read_land(self.force(name), tail.split())

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
            self.read_rest(self.force(first), read_number(second, 1, MOST_ARMIES) if second else 1)
        elif name == "first":
            s.first = self.seat(first)
        elif name == "turn":
            s.turn = self.seat(first)
        elif name == "pool":
            s.pool[self.force(first)] = read_number(second, 0, MOST_ARMIES)
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

    def force(self, text: str) -> int:
        """A seat or a neutral force."""
        force = read_seat(text)
        if not 0 <= force < self.r.forces:
            raise NotationError(f"there is no seat {text} among {self.s.seats}")
        return force

    def deck(self, name: str) -> int:
        names = [deck.name for deck in self.r.decks]
        if name not in names:
            raise NotationError(f"{self.r.variant} has no deck '{name}': {', '.join(names)}")
        return names.index(name)

    def read_special(self, name: str, words: list[str]) -> None:
        s, r = self.s, self.r
        lengths = {"choices": s.seats, "headquarters": s.seats, "alliances": r.forces - s.seats}
        if len(words) != lengths.get(name, len(s.tally)):
            raise NotationError(f"{name} has {lengths.get(name, len(s.tally))} entries here")
        if name == "choices":
            s.choices = tuple([-1 if word == "-" else read_number(word) for word in words])
        elif name == "headquarters":
            s.headquarters = tuple([r.board.find(word) for word in words])
        elif name == "alliances":
            s.alliances = tuple([NOBODY if word == "-" else self.seat(word) for word in words])
        else:
            s.tally = self.counted = tuple([read_number(word) for word in words])

    def kinds(self, words: list[str]) -> tuple[int, ...]:
        return tuple(sorted([read_card(self.r, word) for word in words]))

    def settle(self, place: int, seat: int, armies: int) -> None:
        s, r = self.s, self.r
        if s.armies[place] and not (s.shares and self.shared(place, seat)):
            raise NotationError(f"{r.board.shorts[place]} is given twice")
        if not s.shares:
            r.own(s, place, seat)
        r.add(s, place, seat, armies)

    def shared(self, place: int, seat: int) -> bool:
        """Whether only mates of the seat have armies there, and not yet itself."""
        teams, shares = self.r.teams, self.s.shares[place]
        own = [other for other, armies in enumerate(shares) if armies]
        return seat not in own and all(teams[other] == teams[seat] for other in own)

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
            if self.s.armies[place] == 0:
                self.settle(place, seat, armies)

    def read_hand(self, deck: int, force: int, words: list[str]) -> None:
        cards: list[int] = []
        for word in words:
            rest, _, seen = word.partition("!")
            name, at, origin = rest.partition("@")
            mask = 1 << force if force < self.s.seats else 0
            if seen == "*":
                mask, seen = FACE_UP, ""
            for letter in seen:
                mask |= 1 << self.seat(letter)
            group = read_number(origin, 0, _MOST_ORIGIN) if at else deck
            cards.append(hold(read_card(self.r, name), group, mask))
        with_hand(self.s, hand_of(self.s, deck, force), cards)

    def read_deck(self, deck: int, tail: str) -> None:
        self.dealt[deck] = True
        groups: list[Group] = []
        for part in tail.split("/"):
            words = part.split()
            if len(words) == 1:
                raise NotationError("a group is its number and its cards")
            if words:
                groups.append(Group(read_number(words[0], 0, _MOST_ORIGIN), self.kinds(words[1:])))
        if len({group.origin for group in groups}) < len(groups):
            raise NotationError("every group has a number of its own")
        with_deck(self.s, deck, tuple(groups))

    def read_step(self, words: list[str]) -> None:
        if not words:
            return
        kind = self.kind(words[0])
        if len(words) < 2 or len(words) > 5:
            raise NotationError("a step is its name, a seat or -, and up to three numbers")
        fixed = "*" if kind == HEADQUARTERS_STEP else "-"
        if kind in _SEATLESS and words[1] != fixed:
            raise NotationError(f"no seat takes the step '{words[0]}': write {fixed} for it")
        seat = read_seat(fixed) if kind in _SEATLESS else self.seat(words[1])
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
        for deck in range(len(s.decks)):
            rest = self.pile(deck)
            if not self.dealt[deck]:
                with_deck(s, deck, (Group(deck, tuple(rest)),) if rest else ())
        origins = [group.origin for deck in s.decks for group in deck]
        origins += [origin_of(card) for hand in s.hands for card in hand]
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

    def pile(self, deck: int) -> list[int]:
        """The cards that the text does not name; no card is there more often than the deck has it."""
        s, forces = self.s, self.r.forces
        rest = [kind for group in self.r.new().decks[deck] for kind in group.cards]
        hands = s.hands[deck * forces : (deck + 1) * forces]
        named = [kind_of(card) for hand in hands for card in hand] + list(s.discards[deck])
        if self.dealt[deck]:
            named += [kind for group in s.decks[deck] for kind in group.cards]
        if deck == 0:
            named += s.headquarters  # their cards lie beside the board
        for kind in named:
            if kind not in rest:
                raise NotationError(f"card {card_name(self.r, kind)} is given too often")
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
        if any(self.counted):
            s.tally = self.counted
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
                seat = r.asked(s)
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
