"""Teams: places that mates share, one hand of cards for a team, a match that ends with the first to fall.

`shares` has the armies of each seat on each place. Who has strictly the most armies controls a place; where
two tie for the most, nobody does.
"""

from typing import ClassVar, cast

from engine.rules.boards.board import Board
from engine.rules.cards import with_hand
from engine.rules.choices import (
    FORTIFY,
    FORTIFY_FROM,
    LOSE,
    MOVE_IN,
    PIECE_SHIFT,
    PLACE,
    STOP_CODE,
    TARGET_SHIFT,
    pack,
)
from engine.rules.events import CAPTURED, HAND_PASSED, LOSSES_CHOSEN, LOST, MOVED
from engine.rules.ruleset import Ruleset
from engine.rules.section import Section
from engine.rules.sections.combat import ATTACK_DICE, Combat
from engine.rules.sections.fortify import FortifyConnected
from engine.rules.sections.income import Deploy
from engine.rules.state import A_SHIFT, B_SHIFT, C_SHIFT, KIND, State, push
from engine.rules.steps import FORTIFY_STEP, LOSE_STEP, MOVE_IN_STEP, PASSING_HAND


class Teams(Section):
    """Seats of a team sit apart and share land, a hand and the result."""

    kinds: ClassVar[tuple[int, ...]] = (PASSING_HAND,)

    def __init__(self, count: int) -> None:
        self.count = count

    def prepare(self, r: Ruleset, s: State) -> None:
        s.shares = ((0,) * s.seats,) * r.board.size

    def turn(self, r: Ruleset, s: State, seat: int) -> None:
        push(s, PASSING_HAND, seat)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        """The last step of a turn: the next of the team takes over its cards."""
        s.agenda.pop()
        following = (seat + self.count) % s.seats
        hand = list(s.hands[seat])
        if hand:
            with_hand(s, seat, [])
            with_hand(s, following, hand)
            r.tell(s, HAND_PASSED, following, piece=seat, amount=len(hand))


class TeamDeploy(Deploy):
    """Armies go wherever one has an army already, whoever controls the place."""

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        base = pack(PLACE, target=0, low=1, high=s.pool[seat])
        for place, shares in enumerate(s.shares):
            if shares[seat] > 0:
                out.append(base + (place << TARGET_SHIFT))


class TeamCombat(Combat):
    """Everybody attacks with armies of its own; all that stand on a place defend it.

    The step of a loss carries the place and how many armies are still to fall there.
    """

    kinds: ClassVar[tuple[int, ...]] = (*Combat.kinds, LOSE_STEP)

    def __init__(self, board: Board, teams: int) -> None:
        super().__init__(board)
        self.count = teams

    def can_attack(self, s: State, seat: int) -> bool:
        return len(self.targets(s, seat)) > 0

    def attacks(self, s: State, seat: int, out: list[int]) -> None:
        out.append(STOP_CODE)
        out.extend(self.targets(s, seat))

    def targets(self, s: State, seat: int) -> list[int]:
        found: list[int] = []
        friendly = friends(s, seat, self.count)
        for place, shares in enumerate(s.shares):
            if shares[seat] > 1:
                codes = self.codes[min(shares[seat] - 1, ATTACK_DICE)][place]
                for i, other in enumerate(self.neighbours[place]):
                    if not friendly[other]:
                        found.append(cast(int, codes[i]))
        return found

    def defender(self, s: State, place: int) -> int:
        """Who controls the place; where several tie for it, the first of them in turn order."""
        return by_rank(s, place)[0]

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        step = s.agenda[-1]
        place = step >> A_SHIFT & 127
        if step & KIND == LOSE_STEP:
            out.append(STOP_CODE)
            for member in members(s.shares[place]):
                most = min(s.shares[place][member], step >> B_SHIFT & 0xFFFF)
                out.append(pack(LOSE, target=place, piece=member, low=1, high=most))
        elif step & KIND == MOVE_IN_STEP:
            dice = step >> C_SHIFT
            out.append(
                pack(MOVE_IN, place, step >> B_SHIFT & 127, low=dice, high=s.shares[place][seat] - 1 + dice)
            )
        else:
            super().options(r, s, seat, out)

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        step = s.agenda[-1]
        if step & KIND != LOSE_STEP:
            super().apply(r, s, seat, code, amount)
            return
        s.agenda.pop()
        place, left = step >> A_SHIFT & 127, step >> B_SHIFT & 0xFFFF
        r.tell(s, LOSSES_CHOSEN, seat, target=place)
        if code != STOP_CODE:
            self.take_off(r, s, place, code >> PIECE_SHIFT & 63, amount)
            left -= amount
        if code == STOP_CODE or left == 0 or len(members(s.shares[place])) == 1:
            self.fall(r, s, place, left)
            self.after_losses(r, s)
        else:
            push(s, LOSE_STEP, seat, place, left)

    def roll(self, r: Ruleset, s: State, source: int, target: int, dice: int, index: int) -> None:
        """The attacker loses armies of its own; who of the defenders loses is asked where it is open."""
        attack, defence = dice >> 2, dice & 3
        attacker_loses = self.losses[dice][index]
        left = min(attack, defence) - attacker_loses
        defender = self.defender(s, target)
        if attacker_loses:
            self.take_off(r, s, source, s.turn, attacker_loses)
        if left < s.armies[target] and left and len(members(s.shares[target])) > 1:
            push(s, LOSE_STEP, defender, target, left)
            return
        self.fall(r, s, target, left)
        if s.armies[target] == 0:
            self.take(r, s, source, target, attack, defender)
        else:
            self.after_losses(r, s)

    def take_off(self, r: Ruleset, s: State, place: int, seat: int, armies: int) -> None:
        r.tell(s, LOST, seat, target=place, amount=armies)
        r.add(s, place, seat, -armies)

    def fall(self, r: Ruleset, s: State, place: int, left: int) -> None:
        """Takes armies off where nobody is asked: the controller's first, then those of whoever has most."""
        for member in by_rank(s, place):
            armies = min(left, s.shares[place][member])
            if armies:
                self.take_off(r, s, place, member, armies)
                left -= armies

    def take(self, r: Ruleset, s: State, source: int, target: int, dice: int, loser: int) -> None:
        """A cleared place is captured; the dice of the winning roll move in at once."""
        seat = s.turn
        self.close(s)
        s.captures += 1
        r.tell(s, CAPTURED, seat, source, target, piece=loser, amount=dice)
        r.add(s, target, seat, dice)
        r.add(s, source, seat, -dice)
        self.end_if_fallen(r, s)
        if not s.agenda:
            return
        for section in r.on_capture:
            section.captured(r, s, target, loser)
        if s.shares[source][seat] > 1:
            push(s, MOVE_IN_STEP, seat, source, target, dice)

    def after_losses(self, r: Ruleset, s: State) -> None:
        """The place has held, and the attack step is on top."""
        self.end_if_fallen(r, s)
        if s.agenda and not self.can_attack(s, s.turn):
            s.agenda.pop()

    def end_if_fallen(self, r: Ruleset, s: State) -> None:
        """The first player without an army has lost the match for its team."""
        for seat in range(s.seats):
            if s.agenda and s.fell[seat] == 0 and r.army_count(s, seat) == 0:
                r.eliminate(s, seat, s.turn)

    def move_in(self, r: Ruleset, s: State, source: int, target: int, dice: int, armies: int) -> None:
        r.tell(s, MOVED, s.turn, source, target, amount=armies)
        r.add(s, source, s.turn, dice - armies)
        r.add(s, target, s.turn, armies - dice)


class TeamFortify(FortifyConnected):
    """Own armies go to any place of the team, along land of the team; one of them stays."""

    def __init__(self, teams: int) -> None:
        self.count = teams

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        s.agenda.pop()
        if self.sources(r, s, seat):
            push(s, FORTIFY_STEP, seat)

    def sources(self, r: Ruleset, s: State, seat: int) -> list[int]:
        """Places with an own army to spare beside land of the team."""
        friendly = friends(s, seat, self.count)
        return [
            place
            for place, shares in enumerate(s.shares)
            if shares[seat] > 1 and any(friendly[other] for other in r.board.neighbours[place])
        ]

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        step = s.agenda[-1]
        if step & KIND == FORTIFY_STEP:
            out.append(STOP_CODE)
            for source in self.sources(r, s, seat):
                out.append(pack(FORTIFY_FROM, source))
            return
        source = step >> A_SHIFT & 127
        for target in self.reach(r, s, seat, source):
            out.append(pack(FORTIFY, source, target, low=1, high=s.shares[source][seat] - 1))

    def reach(self, r: Ruleset, s: State, seat: int, source: int) -> list[int]:
        friendly = friends(s, seat, self.count)
        found = [source]
        for place in found:
            for other in r.board.neighbours[place]:
                if friendly[other] and other not in found:
                    found.append(other)
        return sorted(found[1:])


def friends(s: State, seat: int, teams: int) -> list[bool]:
    """Of each place, whether the seat's team stands there."""
    return [sum(shares[seat % teams :: teams]) > 0 for shares in s.shares]


def members(shares: tuple[int, ...]) -> list[int]:
    """The seats that have armies there."""
    return [seat for seat, armies in enumerate(shares) if armies > 0]


def by_rank(s: State, place: int) -> list[int]:
    """Who has armies there, most first; those who tie in turn order after the attacker."""
    shares = s.shares[place]
    keys = sorted([(-shares[seat], (seat - s.turn) % s.seats) for seat in members(shares)])
    return [(s.turn + distance) % s.seats for _, distance in keys]
