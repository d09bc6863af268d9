"""Dice: a roll as one number, what it costs, and the odds of rolls and of whole battles.

A roll is the mixed-radix index of its dice: the attacker's first, the least significant first, each digit
the face less one. Dice have any number of sides; the games use six and eight.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.rules.errors import RulesError

MOST_ATTACK_DICE: Final = 3
MOST_DEFENCE_DICE: Final = 2
D6: Final = 6


def dice_index(faces: Sequence[int], sides: Sequence[int]) -> int:
    """The number of a roll: `faces` of dice that have `sides`."""
    if len(faces) != len(sides):
        raise RulesError(f"{len(faces)} faces given for {len(sides)} dice")
    index, radix = 0, 1
    for die in range(len(sides)):
        if not 1 <= faces[die] <= sides[die]:
            raise RulesError(f"a die with {sides[die]} sides cannot show {faces[die]}")
        index += (faces[die] - 1) * radix
        radix *= sides[die]
    return index


def dice_faces(index: int, sides: Sequence[int]) -> tuple[int, ...]:
    """The faces of roll number `index`."""
    faces: list[int] = []
    rest = index
    for die in sides:
        faces.append(rest % die + 1)
        rest //= die
    if rest != 0:  # also true of a negative index
        raise RulesError(f"roll {index} is outside 0..{math.prod(sides) - 1}")
    return tuple(faces)


def compare(attacker_faces: Sequence[int], defender_faces: Sequence[int]) -> tuple[int, int]:
    """What a roll costs attacker and defender: best against best, then the next; a tie is the defender's."""
    attack, defence = sorted(attacker_faces, reverse=True), sorted(defender_faces, reverse=True)
    pairs = min(len(attack), len(defence))
    lost = 0
    for pair in range(pairs):
        if attack[pair] <= defence[pair]:
            lost += 1
    return lost, pairs - lost


def _best_two(dice: int) -> list[tuple[int, int]]:
    """For every roll of d6: its two highest faces, 0 for a die that is not there."""
    best = [(0, 0)]
    for _ in range(dice):  # each further die is a more significant digit
        best = [
            (face, high) if face > high else (high, max(face, low))
            for face in range(1, D6 + 1)
            for high, low in best
        ]
    return best


def _losses(attackers: int, defenders: int) -> list[int]:
    attack = _best_two(attackers)
    if attackers == 1 or defenders == 1:
        return [int(high <= best) for best, _ in _best_two(defenders) for high, _ in attack]
    return [
        int(high <= best) + int(low <= second) for best, second in _best_two(defenders) for high, low in attack
    ]


# LOSSES[attackers * 3 + defenders][roll]: the attacker's losses of every roll of d6. No dice, no list.
LOSSES: Final[list[list[int]]] = [
    _losses(attackers, defenders) if attackers and defenders else []
    for attackers in range(MOST_ATTACK_DICE + 1)
    for defenders in range(MOST_DEFENCE_DICE + 1)
]


def attacker_losses(attackers: int, defenders: int) -> list[int]:
    """The attacker's losses for every roll of 1..3 d6 against 1..2 d6.

    The defender's are the smaller number of dice less these.
    """
    if not (1 <= attackers <= MOST_ATTACK_DICE and 1 <= defenders <= MOST_DEFENCE_DICE):
        raise RulesError(f"no roll of {attackers} against {defenders} dice: 1..3 against 1..2")
    return LOSSES[attackers * 3 + defenders]


class Outcome(NamedTuple):
    """What a roll may cost, and how many of the equally likely rolls cost that."""

    attacker_loses: int
    defender_loses: int
    ways: int


_outcomes: Final[dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[Outcome, ...]]] = {}


def outcomes(attacker_sides: Sequence[int], defender_sides: Sequence[int]) -> tuple[Outcome, ...]:
    """The outcomes of a roll of such dice, exactly, in ascending loss of the attacker."""
    dice = (tuple(sorted(attacker_sides)), tuple(sorted(defender_sides)))
    if dice not in _outcomes:
        if not dice[0] or not dice[1] or dice[0][0] < 1 or dice[1][0] < 1:
            raise RulesError("a roll needs a die on both sides")
        _outcomes[dice] = _count(dice[0], dice[1])
    return _outcomes[dice]


def _count(attacker_sides: tuple[int, ...], defender_sides: tuple[int, ...]) -> tuple[Outcome, ...]:
    pairs = min(len(attacker_sides), len(defender_sides))
    counts = [0] * (pairs + 1)
    defences = _highest(defender_sides, pairs)
    for attack, ways in _highest(attacker_sides, pairs).items():
        for defence, other_ways in defences.items():
            counts[compare(attack, defence)[0]] += ways * other_ways
    return tuple([Outcome(lost, pairs - lost, counts[lost]) for lost in range(pairs + 1) if counts[lost]])


def _highest(sides: tuple[int, ...], pairs: int) -> dict[tuple[int, ...], int]:
    """The highest faces of a roll, as many as are compared, with the number of rolls that show them."""
    found: dict[tuple[int, ...], int] = {(): 1}
    for die in sides:
        longer: dict[tuple[int, ...], int] = {}
        for faces, ways in found.items():
            for face in range(1, die + 1):
                key = tuple(sorted([*faces, face], reverse=True)[:pairs])
                longer[key] = longer.get(key, 0) + ways
        found = longer
    return found


def expected_losses(attackers: int, defenders: int) -> tuple[float, float]:
    """What one roll of so many d6 costs attacker and defender on average."""
    table = outcomes([D6] * attackers, [D6] * defenders)
    total = D6 ** (attackers + defenders)
    lost = sum([outcome.attacker_loses * outcome.ways for outcome in table])
    killed = sum([outcome.defender_loses * outcome.ways for outcome in table])
    return lost / total, killed / total


# Battles: both sides roll all the dice they may, and the attacker goes on to the end.

LARGEST_TABLE: Final = 256  # armies a side; beyond it the losses are taken as normally distributed
END_EFFECT: Final = 0.4  # armies; the last rolls have fewer dice (fitted at 256 against 256)


class _Battles:
    """Odds and mean losses of every battle of up to `side` armies against up to `side`."""

    def __init__(self, side: int, defender_sides: int) -> None:
        self.side: int = side
        row = side + 1
        self.win: list[float] = [0.0] * (row * row)  # attackers * (side + 1) + defenders
        self.lost: list[float] = [0.0] * (row * row)
        self.killed: list[float] = [0.0] * (row * row)
        for attackers in range(row):
            self.win[attackers * row] = 1.0
        rolls = [_odds(dice // 3, dice % 3, defender_sides) for dice in range(12)]
        for attackers in range(1, row):
            for defenders in range(1, row):
                here = attackers * row + defenders
                win, lost, killed = 0.0, 0.0, 0.0
                for x, y, p in rolls[min(attackers, 3) * 3 + min(defenders, 2)]:
                    then = here - x * row - y
                    win += p * self.win[then]
                    lost += p * (x + self.lost[then])
                    killed += p * (y + self.killed[then])
                self.win[here], self.lost[here], self.killed[here] = win, lost, killed


def _odds(attackers: int, defenders: int, defender_sides: int) -> list[tuple[int, int, float]]:
    if attackers == 0 or defenders == 0:
        return []
    total = D6**attackers * defender_sides**defenders
    table = outcomes([D6] * attackers, [defender_sides] * defenders)
    return [(outcome.attacker_loses, outcome.defender_loses, outcome.ways / total) for outcome in table]


_battles: Final[dict[int, _Battles]] = {}


def _table(armies: int, defender_sides: int) -> _Battles:
    """A table that goes up to so many armies; grown by doubling, replaced as a whole."""
    table = _battles.get(defender_sides)
    if table is None or table.side < armies:
        side = 16
        while side < armies:
            side *= 2
        table = _Battles(side, defender_sides)
        _battles[defender_sides] = table
    return table


def win_probability(attackers: int, defenders: int, defender_sides: int = D6) -> float:
    """The odds that a battle fought to the end is the attacker's.

    `attackers` are the armies free to fight: one less than stand there. Exact up to LARGEST_TABLE armies on
    either side, beyond that within 0.02.
    """
    if defenders <= 0:
        return 1.0
    if attackers <= 0:
        return 0.0
    armies = max(attackers, defenders)
    if armies > LARGEST_TABLE:
        mean, deviation = _bulk(defender_sides)
        rolls = (attackers + defenders) / 2  # each costs two armies, so by then one side is gone
        return _normal((attackers - END_EFFECT - rolls * mean) / (math.sqrt(rolls) * deviation))
    table = _table(armies, defender_sides)
    return table.win[attackers * (table.side + 1) + defenders]


def expected_battle_losses(attackers: int, defenders: int, defender_sides: int = D6) -> tuple[float, float]:
    """What such a battle costs attacker and defender on average.

    Exact as far as win_probability is, beyond that within two armies.
    """
    if attackers <= 0 or defenders <= 0:
        return 0.0, 0.0
    armies = max(attackers, defenders)
    if armies > LARGEST_TABLE:
        mean, deviation = _bulk(defender_sides)
        return (
            _capped(attackers, defenders, mean, deviation),
            _capped(defenders, attackers, 2 - mean, deviation),
        )
    table = _table(armies, defender_sides)
    here = attackers * (table.side + 1) + defenders
    return table.lost[here], table.killed[here]


def _bulk(defender_sides: int) -> tuple[float, float]:
    """Mean and deviation of the attacker's losses in a roll of three dice against two."""
    rolls = _odds(MOST_ATTACK_DICE, MOST_DEFENCE_DICE, defender_sides)
    mean = sum([x * p for x, _, p in rolls])
    return mean, math.sqrt(sum([(x - mean) ** 2 * p for x, _, p in rolls]))


def _capped(own: int, other: int, mean: float, deviation: float) -> float:
    """A side's mean losses up to the end of the other, or of itself; `mean` is what a roll costs it."""
    centre = other * mean / (2 - mean)
    width = deviation * math.sqrt(other / (2 - mean)) / (1 - mean / 2)
    z = (own - centre) / width
    return own - (own - centre) * _normal(z) - width * math.exp(-z * z / 2) / math.sqrt(2 * math.pi)


def _normal(z: float) -> float:
    return 0.5 * math.erfc(-z / math.sqrt(2))
