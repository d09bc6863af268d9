"""Names, rulesets and actions as short texts, for tests, bug reports and people. docs/notation.md is the guide.

    attack ala>kam 3        roll 6 5 2 / 3        draw ont        stop

Seats are letters, places the short names of the board.
"""

from typing import Final

from engine.rules.boards.board import Board
from engine.rules.choices import (
    BRIBE,
    DEAL,
    DRAW,
    ELECT,
    HIGH_MASK,
    LOSE,
    NO_CARD,
    NO_PIECE,
    NO_PLACE,
    PLACE_NEUTRAL,
    REINFORCE,
    REROLL_DIE,
    ROLL,
    ROLL_DIE,
    ROLL_FIRST,
    SCHEMAS,
    VERB_SHIFT,
    Action,
    Option,
    index_of,
    unpack,
)
from engine.rules.errors import IllegalAction, NotationError
from engine.rules.odds import dice_faces, dice_index
from engine.rules.ruleset import Ruleset
from engine.rules.state import ALL, NOBODY, State, empty_places, step_of
from engine.rules.variants import find, ruleset

LETTERS: Final = "ABCDEF"
OF_A_FORCE: Final = (BRIBE, REINFORCE, PLACE_NEUTRAL, LOSE)  # verbs whose piece is a seat or a neutral force

_VERBS: Final = {schema.name: schema for schema in SCHEMAS.values()}
_MOST: Final = 0xFFFF  # what an argument of a step can hold


def seat_name(seat: int) -> str:
    return "*" if seat == ALL else LETTERS[seat] if seat >= 0 else "-"


def read_seat(text: str) -> int:
    if text in ("-", "*"):
        return NOBODY if text == "-" else ALL
    if len(text) != 1 or text not in LETTERS:
        raise NotationError(f"'{text}' is no seat: seats are the letters {LETTERS}, - for none, * for all")
    return LETTERS.index(text)


def is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def read_number(text: str, low: int = 0, high: int = _MOST) -> int:
    if not is_number(text) or len(text) > 9 or not low <= int(text) <= high:
        raise NotationError(f"'{text}' is no number from {low} to {high}")
    return int(text)


def card_name(r: Ruleset, kind: int) -> str:
    return r.card_names[kind]


def read_card(r: Ruleset, text: str) -> int:
    """The kind of the card; one of a territory may be named as the territory."""
    return r.card_names.index(text) if text in r.card_names else r.board.find(text)


# Rulesets


def write_ruleset(r: Ruleset) -> str:
    """The variant, the number of seats, the rounds, and the options that are not at their default."""
    defaults = {setting.name: setting.default for setting in find(r.variant).settings if setting.name != "rounds"}
    told = [f"{name}={value}" for name, value in r.settings_key if defaults.get(name) != value]
    return " ".join([r.variant, str(r.seats), *told])


def read_ruleset(text: str) -> Ruleset:
    words = text.split()
    if len(words) < 2 or not is_number(words[1]):
        raise NotationError(
            f"'{text}': what is played starts with its variant and number of seats, as 'classic 3'"
        )
    options: dict[str, int] = {}
    for word in words[2:]:
        name, _, value = word.partition("=")
        if not is_number(value):
            raise NotationError(f"'{word}' is no option: write name=number")
        options[name] = read_number(value)
    return ruleset(words[0], read_number(words[1]), options)


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
        cards = s.decks[option.piece][0].cards
        copy = cards[: amount + 1].count(cards[amount])
        return " ".join(["draw", card_name(r, cards[amount]), *([str(copy)] if copy > 1 else [])])
    if option.verb == ELECT:
        return f"elect {seat_name(amount)}"
    if option.verb == DEAL:
        return f"deal {r.board.shorts[empty_places(s)[amount]]}"
    if option.verb in (REROLL_DIE, ROLL_DIE):
        return f"{words[0]} {amount + 1}"
    if option.verb in OF_A_FORCE:
        words.append(seat_name(option.piece))
    elif option.piece != NO_PIECE:
        words.append(f"#{option.piece}")
    if option.source != NO_PLACE or option.target != NO_PLACE:
        words.append(_places(r.board, option))
    if option.card != NO_CARD:
        words.append(card_name(r, option.card))
    if option.high:
        words.append(str(amount))
    return " ".join(words)


def _places(board: Board, option: Option) -> str:
    if option.source == NO_PLACE:
        return board.shorts[option.target]
    return board.shorts[option.source] + ">" + (board.shorts[option.target] if option.target != NO_PLACE else "")


def _dice(s: State) -> tuple[int, int]:
    dice = step_of(s.agenda[-1]).c
    return dice >> 2, dice & 3


def _rollers(s: State) -> int:
    return step_of(s.agenda[-1]).a.bit_count()


def read_action(r: Ruleset, s: State, text: str) -> tuple[int, int]:
    """The index and amount that the text means at the step on top. An amount left out is the lowest."""
    words = text.split()
    if not words or words[0] not in _VERBS:
        raise NotationError(f"'{text}' is no action: it starts with one of {', '.join(_VERBS)}")
    if not s.agenda:
        raise IllegalAction(f"'{text}' comes too late: the match is over")
    codes: list[int] = []
    r.options(s, r.asked(s), codes)
    verb = _VERBS[words[0]].verb
    if SCHEMAS[verb].stream >= 0:
        if codes[0] >> VERB_SHIFT != verb:
            raise IllegalAction(f"{words[0]} is not what is asked now")
        return 0, _read_outcome(r, s, codes[0], words[1:])
    action = _read_parts(r, verb, words[1:])
    if not is_number(words[-1]):
        action = action._replace(amount=_lowest(codes, action))
    return index_of(codes, action), action.amount


def _read_outcome(r: Ruleset, s: State, code: int, words: list[str]) -> int:
    """What chance gave, as its index."""
    option = unpack(code)
    if option.verb == DRAW:
        cards = s.decks[option.piece][0].cards
        copy = read_number(words.pop(), 1) if len(words) > 1 and is_number(words[-1]) else 1
        kind = read_card(r, " ".join(words))
        indices = [index for index, other in enumerate(cards) if other == kind]
        if copy > len(indices):
            raise IllegalAction(f"{card_name(r, kind)} is not {copy} times among the {len(cards)} cards on top")
        return indices[copy - 1]
    if option.verb == ELECT:
        return read_number(str(read_seat(" ".join(words))), 0, option.high)
    if option.verb == DEAL:
        place = r.board.find(" ".join(words))
        if place not in empty_places(s):
            raise IllegalAction(f"{r.board.shorts[place]} is not empty")
        return empty_places(s).index(place)
    if option.verb in (REROLL_DIE, ROLL_DIE):
        return read_number(" ".join(words), 1, option.high + 1) - 1
    dice = _rollers(s)
    if option.verb == ROLL:
        attack, defence = _dice(s)
        dice = attack + defence
        if len(words) != dice + 1 or words[attack] != "/":
            raise NotationError(f"this roll has {attack} dice of the attacker, then /, then {defence}")
        words = words[:attack] + words[attack + 1 :]
    if len(words) != dice:
        raise NotationError(f"this roll has {dice} dice, not {len(words)}")
    return dice_index([read_number(word, 1, 6) for word in words], [6] * dice)


def _read_parts(r: Ruleset, verb: int, words: list[str]) -> Action:
    """An action of a seat: its piece, its places or its card, then its amount."""
    schema, board = SCHEMAS[verb], r.board
    action = Action(verb)
    left = words[:]
    if left and verb in OF_A_FORCE:
        action = action._replace(piece=read_seat(left.pop(0)))
    elif left and left[0].startswith("#"):
        action = action._replace(piece=read_number(left.pop(0)[1:], 0, NO_PIECE))
    if left and is_number(left[-1]):
        action = action._replace(amount=read_number(left.pop(), 0, HIGH_MASK))
    if not left:
        return action
    part = " ".join(left)
    source, arrow, target = part.partition(">")
    if arrow:
        action = action._replace(source=board.find(source))
        return action._replace(target=board.find(target)) if target else action
    if schema.card:
        return action._replace(card=read_card(r, part))
    return action._replace(target=board.find(part))


def _lowest(codes: list[int], action: Action) -> int:
    for code in codes:
        option = unpack(code)
        if option[:5] == action[:5]:
            return option.low
    return 0
