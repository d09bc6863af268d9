"""Nobody foresees dice by having seen the other rotations of a block; if they were shared, anybody could."""

from functools import cache

from engine.chance import match_key, setup_key
from engine.rules.events import ROLLED, STARTS, Event
from engine.rules.odds import attacker_losses
from tests.referee.table import Table, attacker

KEY = b"tournament key of this test....."
Roll = tuple[int, int]  # the dice of both sides, and the index of their faces


def rotations(block: str, shared: bool) -> list[list[Event]]:
    """The public events of the three matches of a block, seats rotated."""
    told: list[list[Event]] = []
    for rotation in range(3):
        table = Table()
        fixture = block if shared else f"{block}/{rotation}"
        keys = match_key(KEY, fixture), setup_key(KEY, block)
        names = [table.players[(seat + rotation) % 3].name for seat in range(3)]
        session = table.referee.create("classic", names, {"rounds": 8}, keys=keys)
        table.play(attacker)
        told.append(session.history())
    return told


def rolls(events: list[Event]) -> list[Roll]:
    return [(event.piece, event.amount) for event in events if event.kind == ROLLED]


def foreseen(blocks: int, shared: bool) -> tuple[int, float, float]:
    """How often the agent is right, how often it would be by chance, and the deviation of that.

    Its best guess for what the attacker loses in the n-th roll of a match is what the n-th roll with the same dice
    cost in an earlier rotation.
    """
    right, mean, variance = 0, 0.0, 0.0
    for block in range(blocks):
        seen: dict[tuple[int, int], int] = {}
        for events in rotations(f"block {block}", shared):
            costs = [(number, dice, cost(dice, index)) for number, (dice, index) in enumerate(rolls(events))]
            for number, dice, lost in costs:
                if (number, dice) in seen:
                    guess = seen[number, dice]
                    share = share_of(dice, guess)
                    right += guess == lost
                    mean += share
                    variance += share * (1 - share)
            for number, dice, lost in costs:
                seen[number, dice] = lost
    return right, mean, variance**0.5


def cost(dice: int, index: int) -> int:
    return attacker_losses(dice >> 2, dice & 3)[index]


@cache
def share_of(dice: int, lost: int) -> float:
    table = attacker_losses(dice >> 2, dice & 3)
    return table.count(lost) / len(table)


def test_nobody_foresees_dice_by_playing_all_rotations() -> None:
    right, mean, deviation = foreseen(blocks=10, shared=False)
    assert mean > 50
    assert abs(right - mean) < 4 * deviation


def test_shared_dice_would_be_foreseen() -> None:
    """The test above has teeth: with one key for all rotations the same agent is right every time."""
    right, mean, deviation = foreseen(blocks=3, shared=True)
    assert right > mean + 5 * deviation


def test_the_rotations_of_a_block_start_alike() -> None:
    first = [
        next(event.seat for event in told if event.kind == STARTS) for told in rotations("block", shared=False)
    ]
    assert len(set(first)) == 1
