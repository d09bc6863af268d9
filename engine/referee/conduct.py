"""What agents did wrong, in words: who, what, the limit, the measured value, the remedy."""

from engine.referee.clock import TimeControl
from engine.referee.limits import FAULT_CHARACTERS


def timed_out(agent: str, seconds: float, limit: float) -> str:
    return (
        f"agent {agent} gave no answer for {seconds:.2f} s, the limit is {limit:g} s; "
        "the caretaker answered: think shorter, or answer the oldest decision first"
    )


def bank_empty(agent: str, seconds: float, time: TimeControl) -> str:
    return (
        f"agent {agent} has used up its bank with {seconds:.2f} s for one answer (time control {time}); "
        "the seat is lost: think shorter"
    )


def away_too_long(agent: str, seconds: float, time: TimeControl) -> str:
    return (
        f"agent {agent} was disconnected for {seconds:.1f} s while it owed an answer, longer than its bank lasted "
        f"(time control {time}); the seat is lost: reconnect sooner"
    )


def came_back(agent: str, seconds: float) -> str:
    return f"agent {agent} was disconnected for {seconds:.1f} s while it owed an answer; its bank ran on"


def illegal_option(agent: str, option: int, options: int) -> str:
    return f"agent {agent} chose option {option}; there were {options}, counted from 0: choose again"


def illegal_amount(agent: str, amount: int, low: int, high: int) -> str:
    return f"agent {agent} chose amount {amount}; its option takes {low} to {high}: choose again"


def too_often_illegal(agent: str, answers: int) -> str:
    return f"agent {agent} answered one decision illegally {answers} times; the caretaker answered"


def stale(agent: str, number: int) -> str:
    return f"agent {agent} answered decision {number}, which was answered before or timed out; it is ignored"


def unknown_handle(agent: str, handle: int) -> str:
    return f"agent {agent} answered for match handle {handle:#x}, in which it has no seat or which is over"


def faults(count: int) -> str:
    return f"{count} faults; the caretaker plays on"


def in_one_line(told: str) -> str:
    """What an agent told about itself, as every terminal and log takes it."""
    line = " ".join(told[:FAULT_CHARACTERS].split())
    return "".join(sign if sign.isprintable() else "?" for sign in line)
