"""Events in words."""

from engine.rules.events import DREW, ROLLED, TRADED, Event
from engine.rules.odds import dice_index
from engine.rules.telling import Teller
from engine.rules.variants import ruleset

TELLER = Teller(ruleset("classic", 3))


def test_a_roll_shows_its_dice() -> None:
    roll = Event(ROLLED, 0, 0, 31, piece=3 * 4 + 1, amount=dice_index((6, 5, 2, 4), [6] * 4))
    assert TELLER.words(roll) == "dice 6 5 2 / 4"


def test_a_card_that_is_not_shown_is_a_card() -> None:
    assert TELLER.words(Event(DREW, 1)) == "B draws a card"
    assert TELLER.words(Event(DREW, 1, card=0)) == "B draws Alaska"
    assert TELLER.words(Event(TRADED, 1, card=42)) == "B trades a wild card"
    assert "card" not in TELLER.data(Event(DREW, 1))
