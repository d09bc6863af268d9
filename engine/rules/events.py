"""Events: what an action made happen, for logs, viewers and bots. They never drive the rules.

An event's `audience` is a mask of the seats that may see all of it; `observe.redact` hides the card from
everybody else.
"""

from typing import Final, NamedTuple

from engine.rules.choices import NO_CARD, NO_PIECE, NO_PLACE

EVERYBODY: Final = -1

FIRST_ROLLED: Final = 1
STARTS: Final = 2
CLAIMED: Final = 3
TURN_BEGAN: Final = 4
INCOME: Final = 5
TRADED: Final = 6
SET_PAID: Final = 7
BONUS_PAID: Final = 8
PLACED: Final = 9
ATTACKED: Final = 10
DEFENDED: Final = 11
ROLLED: Final = 12
LOST: Final = 13
CAPTURED: Final = 14
MOVED: Final = 15
ELIMINATED: Final = 16
HAND_TAKEN: Final = 17
DREW: Final = 18
RESHUFFLED: Final = 19
FORTIFIED: Final = 20
FORFEITED: Final = 21
FINISHED: Final = 22
ELECTED: Final = 23
HEADQUARTERED: Final = 24
MISSION_DEALT: Final = 25
MISSION_CLAIMED: Final = 26
MISSION_SHOWN: Final = 27
REROLLED: Final = 28
COMMANDED: Final = 29
WASTED: Final = 30
BRIBED: Final = 31
ALLIED: Final = 32
UNINVOLVED: Final = 33
TESTED: Final = 34
CONTROLLED: Final = 35
HAND_PASSED: Final = 36
LOSSES_CHOSEN: Final = 37

EVENT_NAMES: Final = {
    FIRST_ROLLED: "first_rolled",
    STARTS: "starts",
    CLAIMED: "claimed",
    TURN_BEGAN: "turn_began",
    INCOME: "income",
    TRADED: "traded",
    SET_PAID: "set_paid",
    BONUS_PAID: "bonus_paid",
    PLACED: "placed",
    ATTACKED: "attacked",
    DEFENDED: "defended",
    ROLLED: "rolled",
    LOST: "lost",
    CAPTURED: "captured",
    MOVED: "moved",
    ELIMINATED: "eliminated",
    HAND_TAKEN: "hand_taken",
    DREW: "drew",
    RESHUFFLED: "reshuffled",
    FORTIFIED: "fortified",
    FORFEITED: "forfeited",
    FINISHED: "finished",
    ELECTED: "elected",
    HEADQUARTERED: "headquartered",
    MISSION_DEALT: "mission_dealt",
    MISSION_CLAIMED: "mission_claimed",
    MISSION_SHOWN: "mission_shown",
    REROLLED: "rerolled",
    COMMANDED: "commanded",
    WASTED: "wasted",
    BRIBED: "bribed",
    ALLIED: "allied",
    UNINVOLVED: "uninvolved",
    TESTED: "tested",
    CONTROLLED: "controlled",
    HAND_PASSED: "hand_passed",
    LOSSES_CHOSEN: "losses_chosen",
}


class Event(NamedTuple):
    """`piece` is what the kind says: the other seat of an elimination, the dice counts of a roll.

    CAPTURED counts the armies that came with the dice; MOVED, where it follows, counts these and all that joined.
    """

    kind: int
    seat: int
    source: int = NO_PLACE
    target: int = NO_PLACE
    piece: int = NO_PIECE
    card: int = NO_CARD
    amount: int = 0
    audience: int = EVERYBODY
