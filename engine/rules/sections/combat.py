"""Combat: attacks, the dice of both sides, losses, moving in."""

from typing import ClassVar, Final, cast

from engine.rules.boards.board import Board
from engine.rules.choices import (
    ATTACK,
    DEFEND,
    MOVE_IN,
    ROLL,
    SOURCE_SHIFT,
    STOP_CODE,
    TARGET_SHIFT,
    pack,
)
from engine.rules.events import ATTACKED, CAPTURED, DEFENDED, LOST, MOVED, ROLLED
from engine.rules.odds import attacker_losses
from engine.rules.ruleset import MOST_ARMIES, Ruleset
from engine.rules.section import Section
from engine.rules.state import A_SHIFT, B_SHIFT, C_SHIFT, CHANCE, KIND, SEAT_SHIFT, State, push
from engine.rules.steps import ATTACK_STEP, ATTACKING, DEFEND_STEP, MOVE_IN_STEP, ROLL_STEP, SETTLING_ROLL, SPOILS

ATTACK_DICE: Final = 3
DEFENCE_DICE: Final = 2


class Combat(Section):
    """Attack, defend, roll, move in.

    The steps of a battle carry source and target; a defence also the attacker's dice, a roll the dice of
    both sides (attack * 4 + defence). The attack step stays below until the attacker stops, a territory
    falls, or no attack is left.
    """

    kinds: ClassVar[tuple[int, ...]] = (
        ATTACKING,
        ATTACK_STEP,
        DEFEND_STEP,
        ROLL_STEP,
        SETTLING_ROLL,
        MOVE_IN_STEP,
        SPOILS,
    )

    def __init__(self, board: Board, most: int = MOST_ARMIES) -> None:
        """`most` armies may stand on a territory."""
        self.most = most
        self.neighbours = board.neighbours
        # Prebuilt codes of every border for one, two and three dice, in the order of the neighbours.
        # They are kept as objects: handing them on then costs no boxing when compiled.
        self.codes: list[list[list[object]]] = [
            [
                [pack(ATTACK, place, other, low=1, high=dice) for other in board.neighbours[place]]
                for place in range(board.size)
            ]
            for dice in range(ATTACK_DICE + 1)
        ]
        self.stop_code: object = STOP_CODE
        self.losses: list[list[int]] = [[] for _ in range(4 * (ATTACK_DICE + 1))]
        for attack in range(1, ATTACK_DICE + 1):
            for defence in range(1, DEFENCE_DICE + 1):
                self.losses[attack * 4 + defence] = attacker_losses(attack, defence)
        # Codes that lack only the two places.
        self.roll_codes = [pack(ROLL, 0, 0, high=max(len(losses) - 1, 0)) for losses in self.losses]
        self.defend_code = pack(DEFEND, 0, 0, low=1, high=DEFENCE_DICE)

    def turn(self, r: Ruleset, s: State, seat: int) -> None:
        push(s, ATTACKING, seat)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        step = s.agenda.pop()
        if step & KIND == SETTLING_ROLL:
            places = step >> A_SHIFT & 0xFFFF
            dice, index = step >> B_SHIFT & 0xFFFF, step >> C_SHIFT & 0xFFFF
            self.roll(r, s, places & 127, places >> 7, dice, index)
        elif step & KIND == SPOILS:
            r.share_out(s, step >> A_SHIFT & 15, seat)
        elif self.can_attack(s, seat):
            push(s, ATTACK_STEP, seat)

    def can_attack(self, s: State, seat: int) -> bool:
        owner, armies = s.owner, s.armies
        for place, holder in enumerate(owner):
            if holder == seat and armies[place] > 1:
                for other in self.neighbours[place]:
                    if owner[other] != seat:
                        return True
        return False

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        step = s.agenda[-1]
        kind = step & KIND
        if kind == ATTACK_STEP:
            self.attacks(s, seat, out)
            return
        source = step >> A_SHIFT & 127
        target = step >> B_SHIFT & 127
        dice = step >> C_SHIFT & 0xFFFF
        places = source << SOURCE_SHIFT | target << TARGET_SHIFT
        if kind == ROLL_STEP:
            out.append(self.roll_codes[dice] | places)
        elif kind == DEFEND_STEP:
            out.append(self.defend_code | places)
        else:
            out.append(pack(MOVE_IN, source, target, low=dice, high=min(s.armies[source] - 1 + dice, self.most)))

    def attacks(self, s: State, seat: int, out: list[int]) -> None:
        listed = cast("list[object]", out)
        listed.append(self.stop_code)
        owner, armies = s.owner, s.armies
        for place, holder in enumerate(owner):
            if holder == seat and armies[place] > 1:
                dice = armies[place] - 1
                codes = self.codes[dice if dice < ATTACK_DICE else ATTACK_DICE][place]
                for i, other in enumerate(self.neighbours[place]):
                    if owner[other] != seat:
                        listed.append(codes[i])

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        step = s.agenda[-1]
        kind = step & KIND
        if kind == ATTACK_STEP:
            if code == STOP_CODE:
                s.agenda.pop()
            else:
                self.attack(r, s, code >> SOURCE_SHIFT & 127, code >> TARGET_SHIFT & 127, amount)
            return
        s.agenda.pop()
        source = step >> A_SHIFT & 127
        target = step >> B_SHIFT & 127
        dice = step >> C_SHIFT & 0xFFFF
        if kind == ROLL_STEP:
            if s.events is not None:
                r.tell(s, ROLLED, s.turn, source, target, piece=dice, amount=amount)
            if r.on_roll:
                self.hold(r, s, source, target, dice, amount)
            else:
                self.roll(r, s, source, target, dice, amount)
        elif kind == DEFEND_STEP:
            push(s, ROLL_STEP, CHANCE, source, target, dice * 4 + amount)
            if s.events is not None:
                r.tell(s, DEFENDED, seat, source, target, amount=amount)
        else:
            self.move_in(r, s, source, target, dice, amount)

    def attack(self, r: Ruleset, s: State, source: int, target: int, dice: int) -> None:
        if s.armies[target] > 1:
            push(s, DEFEND_STEP, self.defender(s, target), source, target, dice)
        else:
            push(s, ROLL_STEP, CHANCE, source, target, dice * 4 + 1)
        if s.events is not None:
            r.tell(s, ATTACKED, s.turn, source, target, amount=dice)

    def hold(self, r: Ruleset, s: State, source: int, target: int, dice: int, index: int) -> None:
        """Lets the dice lie until nobody changes them any more."""
        push(s, SETTLING_ROLL, s.turn, source | target << 7, dice, index)
        for section in reversed(r.on_roll):
            section.rolled(r, s)

    def roll(self, r: Ruleset, s: State, source: int, target: int, dice: int, index: int) -> None:
        """Takes the losses off. The steps of the roll are gone: the attack step is on top."""
        attack = dice >> 2
        defence = dice & 3
        attacker_loses = self.losses[dice][index]
        defender_loses = min(attack, defence) - attacker_loses
        s.armies[source] -= attacker_loses
        s.armies[target] -= defender_loses
        if s.events is not None:
            r.tell(s, LOST, s.owner[source], target=source, amount=attacker_loses)
            r.tell(s, LOST, s.owner[target], target=target, amount=defender_loses)
        if s.armies[target] == 0:
            self.capture(r, s, source, target, attack)
        elif s.armies[source] == 1 and not self.can_attack(s, s.turn):
            s.agenda.pop()

    def capture(self, r: Ruleset, s: State, source: int, target: int, dice: int) -> None:
        """The dice of the winning roll move in at once; whether more follow is asked before all else."""
        seat = s.turn
        winner = s.owner[source]
        loser = s.owner[target]
        self.close(s)
        r.own(s, target, winner)
        s.armies[target] = dice
        s.armies[source] -= dice
        if winner == seat:
            s.captures += 1
        if s.events is not None:
            r.tell(s, CAPTURED, winner, source, target, piece=loser, amount=dice)
        if s.held[loser] == 0:
            r.eliminate(s, loser, seat)
            if not s.agenda:
                return
            if loser < s.seats or s.hands[loser]:
                push(s, SPOILS, seat, loser)
        if r.on_capture:
            for section in r.on_capture:
                section.captured(r, s, target, loser)
        if s.armies[source] > 1:
            push(s, MOVE_IN_STEP, seat, source, target, dice)

    def close(self, s: State) -> None:
        """The attack step is done with; whether there is another is seen when all else is settled."""
        s.agenda[-1] = ATTACKING | (s.turn + 1) << SEAT_SHIFT

    def move_in(self, r: Ruleset, s: State, source: int, target: int, dice: int, armies: int) -> None:
        """`armies` counts those that moved in with the dice."""
        s.armies[source] -= armies - dice
        s.armies[target] += armies - dice
        if s.events is not None:
            r.tell(s, MOVED, s.owner[target], source, target, amount=armies)
