"""Territory cards: drawing them, trading sets for armies, the hand of an eliminated seat."""

from typing import ClassVar, Final

from engine.rules.boards.board import Board
from engine.rules.cards import draw, kind_of, put_under, with_deck, with_discards, with_hand
from engine.rules.choices import BONUS, CARD_SHIFT, DRAW, STOP_CODE, TARGET_SHIFT, TRADE, pack
from engine.rules.events import BONUS_PAID, DREW, HAND_TAKEN, RESHUFFLED, SET_PAID, TRADED
from engine.rules.ruleset import MOST_ARMIES, Ruleset
from engine.rules.section import Deck, Section
from engine.rules.state import A_SHIFT, B_SHIFT, C_SHIFT, CHANCE, KIND, Group, State, push
from engine.rules.steps import (
    BONUS_STEP,
    DEPLOYING,
    DRAW_STEP,
    DRAWING,
    TRADE_DOWN_STEP,
    TRADE_STEP,
    TRADING,
    TRADING_DOWN,
)

TERRITORY_DECK: Final = 0
WILD_SYMBOL: Final = 3
WILDS: Final = 2
SET: Final = 3  # cards that are traded together
FORCED_AT_START: Final = 5
STOP_TRADING_AT: Final = 4

# Where traded cards go.
BOTTOM: Final = 0
DISCARD: Final = 1


# What a set is worth.
RISING: Final = 0  # by how many were traded before: 4 6 8 10 12 15, then 5 more each time
BY_ONE: Final = 1  # one more each time, from 4
FIXED: Final = 2  # by its symbols, whatever was traded before
FIXED_VALUES: Final = (4, 6, 8)  # three of the first symbol, of the second, of the third
ONE_OF_EACH: Final = 10


def fixed_value(symbols: list[int]) -> int:
    """A wild card stands for what makes most of the set."""
    plain = [symbol for symbol in symbols if symbol != WILD_SYMBOL]
    if len(set(plain)) == len(plain):
        return ONE_OF_EACH
    return FIXED_VALUES[plain[0]]


class TerritoryDeck(Section):
    """One card for each territory and two wild cards; the wild kind is numbered after the last territory."""

    def decks(self, board: Board) -> tuple[Deck, ...]:
        return (Deck("territories", (*board.shorts, "wild")),)

    def prepare(self, r: Ruleset, s: State) -> None:
        kinds = [*range(r.board.size), *[r.board.size] * WILDS]
        with_deck(s, TERRITORY_DECK, (Group(s.groups, tuple(kinds)),))
        s.groups += 1


class Trading(Section):
    """Sets of three: what they are, what they pay, when they must be traded, where the cards go."""

    kinds: ClassVar[tuple[int, ...]] = (TRADING, TRADE_STEP, TRADING_DOWN, TRADE_DOWN_STEP, BONUS_STEP)

    def __init__(
        self,
        board: Board,
        territory_bonus: int,
        forced_after_elimination: int,
        traded_to: int,
        values: int = RISING,
        most: int = MOST_ARMIES,
    ) -> None:
        """`most` armies may stand on a territory."""
        self.symbols = [*board.symbols, WILD_SYMBOL]
        self.wild = board.size
        self.territory_bonus = territory_bonus
        self.forced_after_elimination = forced_after_elimination
        self.traded_to = traded_to
        self.values = values
        self.most = most

    def value(self, sets: int, symbols: list[int]) -> int:
        """Armies for a set of these symbols when so many have been traded in by anybody."""
        if self.values == BY_ONE:
            return 4 + sets
        if self.values == FIXED:
            return fixed_value(symbols)
        return (4, 6, 8, 10, 12, 15)[sets] if sets < 6 else 5 * (sets - 2)

    def turn(self, r: Ruleset, s: State, seat: int) -> None:
        push(s, TRADING, seat)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        """Asks for a trade while there may be a set, or while the hand must shrink after an elimination.

        Only the number of cards decides: being asked tells the others nothing about their faces.
        """
        cards = len(s.hands[seat])
        if s.agenda[-1] & KIND == TRADING:
            if cards >= SET:
                push(s, TRADE_STEP, seat)
            else:
                s.agenda.pop()
        elif cards > STOP_TRADING_AT:
            push(s, TRADE_DOWN_STEP, seat)
        else:
            s.agenda.pop()

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        step = s.agenda[-1]
        if step & KIND == BONUS_STEP:
            for place in self.bonus_places(step):
                out.append(pack(BONUS, target=place, low=self.territory_bonus, high=self.territory_bonus))
            return
        optional = step & KIND == TRADE_STEP and len(s.hands[seat]) < FORCED_AT_START
        if optional and not s.picks:
            out.append(STOP_CODE)
        for kind in self.next_picks(s, seat):
            out.append(pack(TRADE, card=kind))

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        step = s.agenda[-1]
        if step & KIND == BONUS_STEP:
            s.agenda.pop()
            self.pay_bonus(r, s, seat, code >> TARGET_SHIFT & 127)
        elif code == STOP_CODE:
            s.agenda.pop()
            s.agenda.pop()
        else:
            self.pick(s, seat, code >> CARD_SHIFT & 127)
            if len(s.picks) == SET:
                s.agenda.pop()
                self.trade(r, s, seat, step & KIND == TRADE_DOWN_STEP)

    def next_picks(self, s: State, seat: int) -> list[int]:
        """Kinds of card that, after those picked, can still make a set, in ascending order."""
        hand = s.hands[seat]
        kinds: list[int] = []
        start = s.picks[-1] + 1 if s.picks else 0
        for position in range(start, len(hand)):
            kind = kind_of(hand[position])
            if kind not in kinds and self.completes(hand, (*s.picks, position)):
                kinds.append(kind)
        return kinds

    def completes(self, hand: tuple[int, ...], picks: tuple[int, ...]) -> bool:
        """Whether these positions are a set, or later ones can be added to make one."""
        if len(picks) == SET:
            return self.is_set([self.symbols[kind_of(hand[position])] for position in picks])
        later = range(picks[-1] + 1, len(hand))
        return any(self.completes(hand, (*picks, position)) for position in later)

    def is_set(self, symbols: list[int]) -> bool:
        return WILD_SYMBOL in symbols or len(set(symbols)) != 2

    def pick(self, s: State, seat: int, kind: int) -> None:
        hand = s.hands[seat]
        position = s.picks[-1] + 1 if s.picks else 0
        while kind_of(hand[position]) != kind:
            position += 1
        s.picks = (*s.picks, position)

    def trade(self, r: Ruleset, s: State, seat: int, mid_turn: bool) -> None:
        """Pays the picked set; armies of a trade in mid-turn are placed at once."""
        hand = s.hands[seat]
        kinds = [kind_of(hand[position]) for position in s.picks]
        with_hand(s, seat, [hand[position] for position in range(len(hand)) if position not in s.picks])
        s.picks = ()
        if self.traded_to == BOTTOM:
            put_under(s, TERRITORY_DECK, kinds)
        else:
            with_discards(s, TERRITORY_DECK, tuple(sorted([*s.discards[TERRITORY_DECK], *kinds])))
        armies = r.receive(s, seat, self.value(s.sets, [self.symbols[kind] for kind in kinds]))
        s.sets += 1
        s.pool[seat] += armies
        for kind in kinds:
            r.tell(s, TRADED, seat, card=kind)
        r.tell(s, SET_PAID, seat, amount=armies)
        if mid_turn:
            push(s, DEPLOYING, seat)
        own = [kind for kind in kinds if kind != self.wild and s.owner[kind] == seat]
        if self.territory_bonus and not s.bonus and own:
            if len(own) == 1:
                self.pay_bonus(r, s, seat, own[0])
            else:
                push(s, BONUS_STEP, seat, own[0] + 1, own[1] + 1, own[2] + 1 if len(own) > 2 else 0)

    def bonus_places(self, step: int) -> list[int]:
        places = [step >> A_SHIFT & 0xFFFF, step >> B_SHIFT & 0xFFFF, step >> C_SHIFT & 0xFFFF]
        return [place - 1 for place in places if place]

    def pay_bonus(self, r: Ruleset, s: State, seat: int, place: int) -> None:
        armies = min(r.receive(s, seat, self.territory_bonus), self.most - s.armies[place])
        s.armies[place] += armies
        s.bonus = self.territory_bonus
        r.tell(s, BONUS_PAID, seat, target=place, amount=armies)

    def eliminated(self, r: Ruleset, s: State, seat: int, by: int) -> None:
        """The hand goes to who took the last territory, and may have to be traded down."""
        taken = s.hands[seat]
        with_hand(s, seat, [])
        with_hand(s, by, [*s.hands[by], *[card | 1 << by for card in taken]])
        r.tell(s, HAND_TAKEN, by, piece=seat, amount=len(taken))
        if len(s.hands[by]) >= self.forced_after_elimination:
            push(s, TRADING_DOWN, by)


class CardDraw(Section):
    """One card for a turn with a capture. An empty pile is made anew from the discards."""

    kinds: ClassVar[tuple[int, ...]] = (DRAWING, DRAW_STEP)

    def turn(self, r: Ruleset, s: State, seat: int) -> None:
        push(s, DRAWING, seat)

    def enter(self, r: Ruleset, s: State, seat: int) -> None:
        s.agenda.pop()
        if s.captures == 0:
            return
        discards = s.discards[TERRITORY_DECK]
        if not s.decks[TERRITORY_DECK] and discards:
            put_under(s, TERRITORY_DECK, list(discards))
            with_discards(s, TERRITORY_DECK, ())
            r.tell(s, RESHUFFLED, seat, amount=len(discards))
        if s.decks[TERRITORY_DECK]:
            push(s, DRAW_STEP, CHANCE)

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        group = s.decks[TERRITORY_DECK][0]
        out.append(pack(DRAW, piece=TERRITORY_DECK, high=len(group.cards) - 1))

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        s.agenda.pop()
        seen = r.knowers(s.turn)
        kind = draw(s, s.turn, TERRITORY_DECK, amount, seen)
        r.tell(s, DREW, s.turn, card=kind, audience=seen)
