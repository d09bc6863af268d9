"""What an agent is sent says nothing about what its seat cannot know, and comes at the same moments."""

import random

import pytest

from conquest.v1.referee_pb2 import PlayResponse
from engine.referee.desk import write_decision
from engine.referee.session import Pending, Session
from engine.rules.choices import CLAIM_MISSION, DRAW, HEADQUARTERS, TRADE, VERB_SHIFT, low_of
from engine.rules.observe import resample
from engine.rules.state import State
from engine.rules.variants import VARIANTS
from tests.referee.table import Table, action

ROUNDS = 12
FOR_THREE = [name for name, variant in VARIANTS.items() if 3 in variant.players]
SHOWING = (TRADE, DRAW, CLAIM_MISSION, HEADQUARTERS)


def asked_first(session: Session) -> Pending:
    """One of those who are asked now; several are where all choose in secret."""
    return next(iter(session.pending.values()))


def sent(session: Session, pending: Pending) -> bytes:
    """The bytes of a decision as the sender writes them."""
    message = PlayResponse()
    write_decision(message, pending, wants_events=False)
    return message.SerializeToString()


def wild(table: Table, session: Session, rng: random.Random) -> None:
    """Any option, any amount."""
    player, decision = table.asked()
    option = rng.randrange(len(decision.options.verbs))
    low = int.from_bytes(decision.options.lows[2 * option : 2 * option + 2], "little")
    high = int.from_bytes(decision.options.highs[2 * option : 2 * option + 2], "little")
    player.send(action(decision, option, rng.randint(low, high)))


@pytest.mark.parametrize("variant", FOR_THREE)
def test_every_byte_is_the_same_when_the_hidden_is_drawn_anew(variant: str) -> None:
    rng = random.Random(41)
    table = Table()
    names = [player.name for player in table.players]
    session = table.referee.create(variant, names, {"rounds": ROUNDS}, seed=6)
    changed = 0
    while not session.over:
        pending = asked_first(session)
        seat, true = pending.seat, session.s
        before = sent(session, pending)
        for _ in range(3):
            session.s = resample(session.r, true, seat, rng.randrange)
            changed += session.s.hands != true.hands
            assert sent(session, pending) == before
        session.s = true
        wild(table, session, rng)
    assert changed > 100, "there was something to hide"


@pytest.mark.parametrize("variant", FOR_THREE)
def test_an_agent_is_asked_at_the_same_moments(variant: str) -> None:
    """Another seat's answer leads to the same question, or to none, whatever the hidden cards are."""
    rng = random.Random(43)
    table = Table()
    names = [player.name for player in table.players]
    session = table.referee.create(variant, names, {"rounds": ROUNDS}, seed=7)
    compared = 0
    while not session.over:
        actor = asked_first(session).seat
        seat = (actor + 1) % 3
        other = resample(session.r, session.s, seat, rng.randrange)
        for code in common_codes(session, other, actor):
            after = [step_after(session, state, actor, code) for state in (session.s, other)]
            if None in after:
                continue  # a goal that is reached shows what it was
            asked = [one for one in after if one is not None and one[0] == seat]
            assert len(asked) in (0, 2), "asked in one world only"
            if asked:
                assert asked[0] == asked[1]
                compared += 1
        wild(table, session, rng)
    assert compared > 20


def common_codes(session: Session, other: State, actor: int) -> list[int]:
    """Answers that the actor may give in both worlds and that show no card."""
    lists: list[list[int]] = [[], []]
    for state, codes in zip((session.s, other), lists):
        session.r.options(state, actor, codes)
    common = [code for code in lists[0] if code in lists[1] and code >> VERB_SHIFT not in SHOWING]
    return common[:1] + common[-1:]


def step_after(session: Session, state: State, actor: int, code: int) -> tuple[int, list[int]] | None:
    """Who is asked next, and what."""
    r, s = session.r, state.clone()
    r.apply(s, actor, code, low_of(code))
    if r.over(s):
        return None
    waiting = r.asked(s)
    codes: list[int] = []
    r.options(s, waiting, codes)
    return waiting, codes
