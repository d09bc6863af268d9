"""What can go wrong in the rules, as one tree.

RulesError (ValueError)
├── UnknownName      a name that does not exist; the message lists what does
├── BadSetting       an option or a player count outside what the variant allows
├── IllegalAction    an answer that the listed options do not allow
└── NotationError    text that cannot be read as a position, an action or a record
"""

import difflib
from collections.abc import Sequence


class RulesError(ValueError):
    """Wrong use of the rules; nothing was changed."""


class UnknownName(RulesError):
    """No such thing; says what there is, the nearest name first."""

    def __init__(self, what: str, name: str, known: Sequence[str]) -> None:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        super().__init__(f"unknown {what} '{name}'.{hint} Known: {', '.join(known)}.")


class BadSetting(RulesError):
    """An option, or a number of players, that the variant does not allow."""


class IllegalAction(RulesError):
    """An answer that is not among the options of the step."""


class NotationError(RulesError):
    """Text that does not follow the notation."""
