"""Before the first turn: who begins, claiming territories, placing the starting armies."""

from typing import ClassVar, cast

from engine.rules.choices import CLAIM, NO_PLACE, PLACE, ROLL_FIRST, TARGET_SHIFT, pack
from engine.rules.events import CLAIMED, FIRST_ROLLED, PLACED, STARTS
from engine.rules.odds import dice_faces
from engine.rules.ruleset import Ruleset
from engine.rules.section import Section
from engine.rules.state import A_SHIFT, CHANCE, NOBODY, State, push
from engine.rules.steps import CLAIM_STEP, CLAIMING, FIRST_STEP, ROLLING_FIRST, SETUP_PLACE_STEP, SETUP_PLACING


class HighestDie(Section):
    """The seat with the highest die begins; those who tie for it roll again."""

    kinds: ClassVar[tuple[int, ...]] = (ROLLING_FIRST, FIRST_STEP)

    def setup(self, r: Ruleset, s: State) -> None:
        push(s, ROLLING_FIRST, CHANCE)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        s.agenda.pop()
        push(s, FIRST_STEP, CHANCE, (1 << s.seats) - 1)

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        out.append(pack(ROLL_FIRST, high=6 ** len(self.tied(s)) - 1))

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        tied = self.tied(s)
        dice = dice_faces(amount, [6] * len(tied))
        for roller, face in zip(tied, dice, strict=True):
            r.tell(s, FIRST_ROLLED, roller, amount=face)
        best = [roller for roller, face in zip(tied, dice, strict=True) if face == max(dice)]
        s.agenda.pop()
        if len(best) > 1:
            push(s, FIRST_STEP, CHANCE, sum(1 << roller for roller in best))
            return
        s.first = s.turn = best[0]
        r.tell(s, STARTS, best[0])

    def tied(self, s: State) -> list[int]:
        mask = s.agenda[-1] >> A_SHIFT & 0xFFFF
        return [seat for seat in range(s.seats) if mask >> seat & 1]


class Claiming(Section):
    """In turn everybody puts one army on an empty territory until all are taken."""

    kinds: ClassVar[tuple[int, ...]] = (CLAIMING, CLAIM_STEP)

    def __init__(self, armies: dict[int, int]) -> None:
        self.armies = armies  # starting armies by number of players
        self.codes: list[object] = [pack(CLAIM, target=place, low=1, high=1) for place in range(NO_PLACE)]

    def prepare(self, r: Ruleset, s: State) -> None:
        for seat in range(s.seats):
            s.pool[seat] = self.armies[s.seats]

    def setup(self, r: Ruleset, s: State) -> None:
        push(s, CLAIMING, NOBODY)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        empty = [place for place in range(r.board.size) if s.owner[place] == NOBODY]
        if len(empty) > 1:
            push(s, CLAIM_STEP, s.turn)
            return
        s.agenda.pop()
        if empty:
            self.claim(r, s, s.turn, empty[0])

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        codes = self.codes
        listed = cast("list[object]", out)
        for place, holder in enumerate(s.owner):
            if holder == NOBODY:
                listed.append(codes[place])

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        s.agenda.pop()
        self.claim(r, s, seat, code >> TARGET_SHIFT & 127)

    def claim(self, r: Ruleset, s: State, seat: int, place: int) -> None:
        r.own(s, place, seat)
        r.add(s, place, seat, 1)
        s.pool[seat] -= 1
        s.turn = (seat + 1) % s.seats
        r.tell(s, CLAIMED, seat, target=place, amount=1)


class SetupPlacing(Section):
    """The rest of the starting armies, one at a time in turn, going on where claiming stopped."""

    kinds: ClassVar[tuple[int, ...]] = (SETUP_PLACING, SETUP_PLACE_STEP)

    def __init__(self) -> None:
        self.codes: list[object] = [pack(PLACE, target=place, low=1, high=1) for place in range(NO_PLACE)]

    def setup(self, r: Ruleset, s: State) -> None:
        push(s, SETUP_PLACING, NOBODY)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        for turns in range(s.seats):
            placer = (s.turn + turns) % s.seats
            if s.pool[placer] > 0:
                push(s, SETUP_PLACE_STEP, placer)
                return
        s.agenda.pop()
        s.turn = s.first

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        codes = self.codes
        listed = cast("list[object]", out)
        for place, holder in enumerate(s.owner):
            if holder == seat:
                listed.append(codes[place])

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        s.agenda.pop()
        place = code >> TARGET_SHIFT & 127
        r.add(s, place, seat, 1)
        s.pool[seat] -= 1
        s.turn = (seat + 1) % s.seats
        r.tell(s, PLACED, seat, target=place, amount=1)
