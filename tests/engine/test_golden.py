"""Golden playthroughs: golden/<variant>.txt is played again and must come out letter by letter.

A line `> position` or `> start` begins a scene, with the seed of its dice and bots and the number of actions;
what follows was written by the engine. `ARENA_GOLDEN=write` writes the files anew: read the difference
before you keep it.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.chance import Chance, seeded_keys
from engine.playout import STREAM_OF, Overmatch
from engine.rules.choices import DEAL, HIGH_MASK, NO_CARD, NO_PIECE, NO_PLACE, VERB_SHIFT
from engine.rules.events import (
    ALLIED,
    BONUS_PAID,
    BRIBED,
    CAPTURED,
    CONTROLLED,
    DREW,
    ELECTED,
    ELIMINATED,
    EVENT_NAMES,
    FINISHED,
    FIRST_ROLLED,
    HAND_PASSED,
    HAND_TAKEN,
    HEADQUARTERED,
    INCOME,
    LOST,
    MISSION_CLAIMED,
    MISSION_DEALT,
    MISSION_SHOWN,
    RESHUFFLED,
    SET_PAID,
    STARTS,
    TESTED,
    TURN_BEGAN,
    UNINVOLVED,
    WASTED,
    Event,
)
from engine.rules.notation import card_name, seat_name, write_action
from engine.rules.positions import read_state, write_state
from engine.rules.ruleset import Ruleset
from engine.rules.state import CHANCE, ENDINGS, NOBODY, State
from engine.rules.variants import VARIANTS, ruleset

FOLDER = Path(__file__).parent / "golden"
# Other events only say again what the action said.
SHOWN = {
    *(BONUS_PAID, CAPTURED, DREW, ELIMINATED, FINISHED, FIRST_ROLLED, HAND_TAKEN, INCOME, LOST),
    *(RESHUFFLED, SET_PAID, STARTS, TURN_BEGAN),
    *(ELECTED, HEADQUARTERED, MISSION_CLAIMED, MISSION_DEALT, MISSION_SHOWN, WASTED),
    *(ALLIED, BRIBED, CONTROLLED, HAND_PASSED, TESTED, UNINVOLVED),
}


def event_text(r: Ruleset, event: Event) -> str:
    words = [EVENT_NAMES[event.kind]]
    if event.kind == FINISHED:
        return f"finished {ENDINGS[event.amount]}"
    words.append(seat_name(event.seat))
    words += [r.board.shorts[place] for place in (event.source, event.target) if place != NO_PLACE]
    if event.piece != NO_PIECE:
        words.append(seat_name(event.piece))
    if event.card != NO_CARD:
        words.append(card_name(r, event.card))
    if event.amount:
        words.append(str(event.amount))
    return " ".join(words)


def scene(r: Ruleset, s: State, seed: int, most: int) -> Iterator[str]:
    """One line for each action: who, what, and what came of it. Set-up goes in lines of one round."""
    events: list[Event] = []
    s.events = events
    chance = Chance(*seeded_keys(seed))
    bots = [Overmatch(seed * 8 + seat) for seat in range(s.seats)]
    codes: list[int] = []
    round_of_setup: list[str] = []
    for _ in range(most):
        if not s.agenda:
            break
        seat = r.asked(s)
        r.options(s, seat, codes)
        if seat == CHANCE:
            index, amount = 0, chance.roll(STREAM_OF[codes[0] >> VERB_SHIFT], (codes[0] & HIGH_MASK) + 1)
        else:
            index, amount = bots[seat].choose(r, s, seat, codes)
        action = f"{seat_name(seat)} {write_action(r, s, codes[index], amount)}"
        dealing = codes[0] >> VERB_SHIFT == DEAL
        in_setup = s.round == 0 and (seat != CHANCE or dealing)
        r.play(s, seat, index, amount)
        told = ", ".join(event_text(r, event) for event in events if event.kind in SHOWN)
        events.clear()
        if in_setup:
            round_of_setup.append(action)
        all_claimed = " claim " in action and NOBODY not in s.owner  # the last one without being asked
        all_round = len(round_of_setup) == 14 if dealing else (seat + 1) % s.seats == s.first == s.turn
        if round_of_setup and (all_round or told or all_claimed):
            yield ", ".join(round_of_setup)
            round_of_setup.clear()
        if not in_setup:
            yield f"{action:<22} {told}".rstrip()
        elif told:
            yield f"{'':<22} {told}"
    if s.places:
        yield f"places {' '.join(str(place) for place in s.places)}"
    yield f"= {write_state(r, s)}".rstrip()


def playthrough(variant: str, script: str) -> str:
    """The file again, made from its lines that begin with `>` or `#`."""
    lines: list[str] = []
    for line in script.splitlines():
        if line.startswith("#"):
            lines.append(line)
        elif line.startswith("> "):
            text, _, setting = line[2:].rpartition(" | ")
            seed, most = (int(word) for word in setting.split()[1::2])
            if text.startswith("start "):
                r = ruleset(variant, int(text.split()[1]))
                s = r.new()
            else:
                r, s = read_state(f"{variant} {text}")
            lines += ["", line, *scene(r, s, seed, most)]
    return "\n".join(lines) + "\n"


def test_every_variant_has_a_playthrough() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(VARIANTS)


@pytest.mark.parametrize("variant", VARIANTS)
def test_playthrough(variant: str) -> None:
    path = FOLDER / f"{variant}.txt"
    written = path.read_text(encoding="utf-8")
    played = playthrough(variant, written)
    if os.environ.get("ARENA_GOLDEN") == "write":
        path.write_text(played, encoding="utf-8")
    else:
        assert played == written
