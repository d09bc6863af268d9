"""Events in words and as data: everything that a person or a program reads of a match."""

from typing import Any, Final

from engine.rules.choices import NO_CARD, NO_PIECE, NO_PLACE
from engine.rules.events import (
    ALLIED,
    ATTACKED,
    BONUS_PAID,
    BRIBED,
    CAPTURED,
    CLAIMED,
    COMMANDED,
    CONTROLLED,
    DEFENDED,
    DREW,
    ELECTED,
    ELIMINATED,
    EVENT_NAMES,
    FINISHED,
    FIRST_ROLLED,
    FORFEITED,
    FORTIFIED,
    HAND_PASSED,
    HAND_TAKEN,
    HEADQUARTERED,
    INCOME,
    LOSSES_CHOSEN,
    LOST,
    MISSION_CLAIMED,
    MISSION_DEALT,
    MISSION_SHOWN,
    MOVED,
    PLACED,
    REROLLED,
    RESHUFFLED,
    ROLLED,
    SET_PAID,
    STARTS,
    TESTED,
    TRADED,
    TURN_BEGAN,
    UNINVOLVED,
    WASTED,
    Event,
)
from engine.rules.notation import card_name, seat_name
from engine.rules.odds import dice_faces
from engine.rules.ruleset import Ruleset
from engine.rules.state import ENDINGS

# Their piece is another seat, or a neutral force.
OTHER_SEAT: Final = (CAPTURED, ELIMINATED, HAND_TAKEN, BRIBED, ALLIED, TESTED, HAND_PASSED)

WORDS: Final = {
    FIRST_ROLLED: "{seat} rolls {amount}",
    STARTS: "{seat} begins",
    CLAIMED: "{seat} claims {target}",
    TURN_BEGAN: "turn of {seat}, round {amount}",
    INCOME: "{seat} receives {armies}",
    TRADED: "{seat} trades {card}",
    SET_PAID: "{seat} gets {armies} for the set",
    BONUS_PAID: "{armies} more on {target}",
    PLACED: "{armies} on {target}",
    ATTACKED: "{source} attacks {target}",
    DEFENDED: "{seat} defends with {amount}",
    ROLLED: "dice {dice}",
    LOST: "{target} loses {amount}",
    CAPTURED: "{seat} captures {target} from {other} with {armies}",
    MOVED: "{armies} to {target}",
    ELIMINATED: "{seat} eliminates {other}",
    HAND_TAKEN: "{seat} takes {amount} cards of {other}",
    DREW: "{seat} draws {card}",
    RESHUFFLED: "{amount} discards become the pile",
    FORTIFIED: "{armies} from {source} to {target}",
    FORFEITED: "{seat} is lost to the caretaker",
    FINISHED: "the match is over",
    ELECTED: "{seat} deals",
    HEADQUARTERED: "{seat} has its headquarters in {target}",
    MISSION_DEALT: "{seat} is dealt the mission {card}",
    MISSION_CLAIMED: "{seat} shows that it has fulfilled {card}",
    MISSION_SHOWN: "the mission {card} of {seat} lies open",
    REROLLED: "{seat} shows {card} and rolls a die again: {amount}",
    COMMANDED: "the commander of {seat} sets a die to {amount}",
    WASTED: "no room for {armies} of {seat}",
    BRIBED: "{seat} bribes {other} with {card}",
    ALLIED: "{other} sides with {seat}",
    UNINVOLVED: "{seat} sides with nobody",
    TESTED: "the loyalty of {other} is tested: {amount}",
    CONTROLLED: "{target} is controlled by {seat}",
    HAND_PASSED: "{other} hands {amount} cards to {seat}",
    LOSSES_CHOSEN: "{seat} says whose armies fall",
}


def armies(count: int) -> str:
    return "1 army" if count == 1 else f"{count} armies"


def dice_of(event: Event) -> tuple[list[int], list[int]]:
    """The faces of a roll, the attacker's and the defender's."""
    attack, defence = event.piece >> 2, event.piece & 3
    faces = list(dice_faces(event.amount, [6] * (attack + defence)))
    return faces[:attack], faces[attack:]


def dice_words(event: Event) -> str:
    """`6 5 2 / 3`, as the notation writes a roll."""
    attack, defence = dice_of(event)
    return " ".join([*map(str, attack), "/", *map(str, defence)])


class Teller:
    """Tells the events of matches by one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.board = ruleset.board

    def words(self, event: Event) -> str:
        return WORDS[event.kind].format(
            seat=seat_name(event.seat),
            other=seat_name(event.piece) if event.kind in OTHER_SEAT else "",
            source=self.name(event.source),
            target=self.name(event.target),
            card=self.card(event.card),
            amount=event.amount,
            armies=armies(event.amount),
            dice=dice_words(event) if event.kind == ROLLED else "",
        )

    def name(self, place: int) -> str:
        return self.board.names[place] if place != NO_PLACE else ""

    def card(self, kind: int) -> str:
        """A card by the territory or the mission that it shows, also one whose face is hidden."""
        if kind == NO_CARD:
            return "a card"
        if kind > self.board.size:
            return self.ruleset.card_names[kind].replace("_", " ")
        return self.board.names[kind] if kind < self.board.size else "a wild card"

    def data(self, event: Event) -> dict[str, Any]:
        """The event with names for numbers; what it does not have is left out."""
        told: dict[str, Any] = {"event": EVENT_NAMES[event.kind]}
        if event.seat >= 0:
            told["seat"] = event.seat
        for part, place in (("source", event.source), ("target", event.target)):
            if place != NO_PLACE:
                told[part] = self.board.shorts[place]
        if event.card != NO_CARD:
            told["card"] = card_name(self.ruleset, event.card)
        return told | self._amounts(event)

    def _amounts(self, event: Event) -> dict[str, Any]:
        if event.kind == ROLLED:
            attack, defence = dice_of(event)
            return {"attack": attack, "defence": defence}
        if event.kind == FINISHED:
            return {"ending": ENDINGS[event.amount]}
        other = {"other": event.piece} if event.kind in OTHER_SEAT and event.piece != NO_PIECE else {}
        return other | ({"amount": event.amount} if event.amount or event.kind == LOST else {})
