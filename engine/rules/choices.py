"""The one decision shape: a list of options, answered by one option and one amount.

An option is packed into an int, most significant first: verb 6 bits, source 7, target 7, piece 6,
card 7, low 8, high 20. All ones mean "none". Options are listed in ascending code; that order is part
of a variant's version, because records hold an index into the list.
"""

from typing import Final, NamedTuple

from engine.rules.errors import IllegalAction

NO_PLACE: Final = 127
NO_PIECE: Final = 63
NO_CARD: Final = 127

LOW_SHIFT: Final = 20
CARD_SHIFT: Final = 28
PIECE_SHIFT: Final = 35
TARGET_SHIFT: Final = 41
SOURCE_SHIFT: Final = 48
VERB_SHIFT: Final = 55
HIGH_MASK: Final = 0xFFFFF

# Verbs of the seats. STOP is the lowest, so it always stands first where it is allowed.
STOP: Final = 0
CLAIM: Final = 1
PLACE: Final = 2
TRADE: Final = 3
BONUS: Final = 4
ATTACK: Final = 5
DEFEND: Final = 6
MOVE_IN: Final = 7
FORTIFY_FROM: Final = 8
FORTIFY: Final = 9
HEADQUARTERS: Final = 10
CLAIM_MISSION: Final = 11
REROLL: Final = 12
COMMAND: Final = 13
BRIBE: Final = 14
REINFORCE: Final = 15
PLACE_NEUTRAL: Final = 16
LOSE: Final = 17
# Verbs of chance.
ROLL_FIRST: Final = 56
ROLL: Final = 57
DRAW: Final = 58
ELECT: Final = 59
DEAL: Final = 60
REROLL_DIE: Final = 61
ROLL_DIE: Final = 62

# Streams of chance: `setup` is shared by the rotations of a pairing, so only public chance may use it.
SETUP: Final = 0
COMBAT: Final = 1
CARDS: Final = 2
OTHER: Final = 3
STREAMS: Final = ("setup", "combat", "cards", "other")


class Schema(NamedTuple):
    """What the parts of a verb's options mean; an empty text says that the part is not used."""

    verb: int
    name: str
    source: str
    target: str
    piece: str
    card: str
    amount: str
    stream: int = -1


SCHEMAS: Final = {
    schema.verb: schema
    for schema in (
        Schema(STOP, "stop", "", "", "", "", ""),
        Schema(CLAIM, "claim", "", "the empty territory taken", "", "", "armies put there"),
        Schema(PLACE, "place", "", "the own territory that grows", "", "", "armies put there"),
        Schema(TRADE, "trade", "", "", "", "the next card of the set, in ascending order", ""),
        Schema(BONUS, "bonus", "", "the territory on a traded card", "", "", "armies put there"),
        Schema(ATTACK, "attack", "own territory", "enemy territory", "", "", "dice rolled"),
        Schema(DEFEND, "defend", "the attacking territory", "the attacked territory", "", "", "dice rolled"),
        Schema(MOVE_IN, "move_in", "the attacking territory", "the captured one", "", "", "armies moved"),
        Schema(FORTIFY_FROM, "fortify_from", "the territory armies will leave", "", "", "", ""),
        Schema(FORTIFY, "fortify", "own territory", "own territory", "", "", "armies moved"),
        Schema(HEADQUARTERS, "headquarters", "", "the own territory chosen, in secret", "", "", ""),
        Schema(CLAIM_MISSION, "claim_mission", "", "", "", "the mission fulfilled", ""),
        Schema(REROLL, "reroll", "", "", "which die of the attacker, from 0", "the card shown", ""),
        Schema(COMMAND, "command", "", "", "which die of the attacker, from 0", "", ""),
        Schema(BRIBE, "bribe", "", "", "the neutral force it goes to", "the card given", ""),
        Schema(REINFORCE, "reinforce", "", "", "the ally that receives the armies of a die", "", ""),
        Schema(
            PLACE_NEUTRAL,
            "place_neutral",
            "",
            "its territory that grows",
            "the neutral force",
            "",
            "armies put there",
        ),
        Schema(LOSE, "lose", "", "the attacked territory", "the seat whose armies fall", "", "armies lost"),
        Schema(ROLL_FIRST, "roll_first", "", "", "", "", "index of one die for each seat still tied", SETUP),
        Schema(ROLL, "roll", "the attacker's", "the defender's", "", "", "index of all dice", COMBAT),
        Schema(DRAW, "draw", "", "", "deck", "", "index into the first group of unseen cards", CARDS),
        Schema(ELECT, "elect", "", "", "", "", "the seat that deals", SETUP),
        Schema(DEAL, "deal", "", "", "the force it is dealt to", "", "index into the empty territories", SETUP),
        Schema(REROLL_DIE, "reroll_die", "", "", "which die of the attacker, from 0", "", "face less one", COMBAT),
        Schema(ROLL_DIE, "roll_die", "", "", "the neutral force it is rolled for", "", "face less one", OTHER),
    )
}

# Bits of "none" in all four parts, and the whole code of STOP.
STOP_CODE: Final = 0x7FFFFFF0000000


class Option(NamedTuple):
    """An option with its parts named: for the edges, not for the hot path."""

    verb: int
    source: int
    target: int
    piece: int
    card: int
    low: int
    high: int


class Action(NamedTuple):
    """An answer by value: an option's verb and parts, and the amount."""

    verb: int
    source: int = NO_PLACE
    target: int = NO_PLACE
    piece: int = NO_PIECE
    card: int = NO_CARD
    amount: int = 0


def pack(
    verb: int,
    source: int = NO_PLACE,
    target: int = NO_PLACE,
    piece: int = NO_PIECE,
    card: int = NO_CARD,
    low: int = 0,
    high: int = 0,
) -> int:
    return (
        verb << VERB_SHIFT
        | source << SOURCE_SHIFT
        | target << TARGET_SHIFT
        | piece << PIECE_SHIFT
        | card << CARD_SHIFT
        | low << LOW_SHIFT
        | high
    )


def unpack(code: int) -> Option:
    return Option(
        code >> VERB_SHIFT,
        code >> SOURCE_SHIFT & 127,
        code >> TARGET_SHIFT & 127,
        code >> PIECE_SHIFT & 63,
        code >> CARD_SHIFT & 127,
        code >> LOW_SHIFT & 255,
        code & HIGH_MASK,
    )


def low_of(code: int) -> int:
    return code >> LOW_SHIFT & 255


def high_of(code: int) -> int:
    return code & HIGH_MASK


def index_of(codes: list[int], action: Action) -> int:
    """Where the action stands among the options; raises if it is not allowed."""
    for index, code in enumerate(codes):
        option = unpack(code)
        if option[:5] == action[:5]:
            if option.low <= action.amount <= option.high:
                return index
            raise IllegalAction(f"amount {action.amount} is not between {option.low} and {option.high}")
    name = SCHEMAS[action.verb].name if action.verb in SCHEMAS else f"verb {action.verb}"
    raise IllegalAction(f"{name} is not among the {len(codes)} options of this step")


def stop() -> Action:
    return Action(STOP)


def claim(target: int) -> Action:
    return Action(CLAIM, target=target, amount=1)


def place(target: int, armies: int) -> Action:
    return Action(PLACE, target=target, amount=armies)


def trade(card: int) -> Action:
    return Action(TRADE, card=card)


def bonus(target: int) -> Action:
    return Action(BONUS, target=target, amount=2)


def attack(source: int, target: int, dice: int) -> Action:
    return Action(ATTACK, source, target, amount=dice)


def defend(source: int, target: int, dice: int) -> Action:
    return Action(DEFEND, source, target, amount=dice)


def move_in(source: int, target: int, armies: int) -> Action:
    return Action(MOVE_IN, source, target, amount=armies)


def fortify_from(source: int) -> Action:
    return Action(FORTIFY_FROM, source)


def headquarters(target: int) -> Action:
    return Action(HEADQUARTERS, target=target)


def claim_mission(card: int) -> Action:
    return Action(CLAIM_MISSION, card=card)


def reroll(die: int, card: int) -> Action:
    return Action(REROLL, piece=die, card=card)


def command(die: int) -> Action:
    return Action(COMMAND, piece=die)


def bribe(force: int, card: int) -> Action:
    return Action(BRIBE, piece=force, card=card)


def reinforce(force: int) -> Action:
    return Action(REINFORCE, piece=force)


def place_neutral(force: int, target: int, armies: int) -> Action:
    return Action(PLACE_NEUTRAL, target=target, piece=force, amount=armies)


def lose(target: int, seat: int, armies: int) -> Action:
    return Action(LOSE, target=target, piece=seat, amount=armies)


def fortify(source: int, target: int, armies: int) -> Action:
    return Action(FORTIFY, source, target, amount=armies)
