"""Every way to answer wrongly has its own result, and harms nobody else."""

import asyncio

import pytest

from conquest.v1.error_pb2 import ErrorReason
from conquest.v1.record_pb2 import ConductKind
from conquest.v1.referee_pb2 import Action, AgentFault
from engine import record
from engine.playout import CRASH, FORFEIT, ILLEGAL
from engine.referee.clock import TimeControl
from engine.referee.limits import ILLEGAL_ANSWERS, NOTE_BYTES, SURPLUS_ANSWERS
from tests.referee.table import Table, action


def test_an_illegal_answer_is_refused_and_may_be_given_again() -> None:
    table = Table()
    session = table.create()
    player, decision = table.asked()
    player.send(action(decision, 0, 7))
    player.send(Action(handle=decision.handle, number=decision.number, option=4000, amount=1))
    assert session.tape.actions == 1, "only the roll for the first turn"
    player.read()
    first, second = player.refusals()
    assert {first.reason, second.reason} == {ErrorReason.ERROR_REASON_ILLEGAL}
    assert first.message == f"agent {player.name} chose amount 7; its option takes 1 to 1: choose again"
    assert second.message == f"agent {player.name} chose option 4000; there were 42, counted from 0: choose again"
    player.answer(decision)
    assert session.tape.actions == 2
    assert session.tape.conduct == []


def test_too_many_illegal_answers_are_a_fault() -> None:
    table = Table()
    session = table.create()
    player, decision = table.asked()
    for _ in range(ILLEGAL_ANSWERS + 1):
        player.send(action(decision, 0, 7))
    (fault,) = session.tape.conduct
    assert (fault.kind, session.agents[fault.seat]) == (ILLEGAL, player.name)
    assert session.tape.actions == 2, "the caretaker answered"


def test_a_repeated_answer_is_ignored_and_counted() -> None:
    table = Table()
    session = table.create()
    player, decision = table.asked()
    player.answer(decision)
    taken = session.tape.actions
    player.answer(decision)
    assert session.tape.actions == taken
    assert player.stream.surplus == 1
    player.read()
    assert [one.reason for one in player.refusals()] == [ErrorReason.ERROR_REASON_STALE]


def test_two_answers_to_one_decision_in_one_message() -> None:
    table = Table()
    session = table.create()
    player, decision = table.asked()
    player.send(action(decision, 3), action(decision, 4))
    assert session.tape.actions == 2
    assert player.stream.surplus == 1
    assert session.tape.choices == bytes([3])


def test_a_number_from_the_future_is_stale_too() -> None:
    table = Table()
    session = table.create()
    player, decision = table.asked()
    decision.number += 1
    player.answer(decision)
    assert session.tape.actions == 1


def test_a_token_opens_its_own_seats_only() -> None:
    table = Table()
    session = table.create()
    player, decision = table.asked()
    other = next(one for one in table.players if one is not player)
    other.answer(decision)
    assert session.tape.actions == 1
    other.read()
    (refusal,) = other.refusals()
    assert refusal.reason == ErrorReason.ERROR_REASON_UNKNOWN_HANDLE
    assert f"agent {other.name} answered for match handle" in refusal.message
    decision.handle ^= 1  # another seat of the same match
    player.answer(decision)
    assert session.tape.actions == 1


def test_an_answer_of_an_earlier_epoch_is_unknown() -> None:
    table = Table()
    table.create()
    player, decision = table.asked()
    decision.handle ^= 1 << 40
    player.answer(decision)
    player.read()
    assert [one.reason for one in player.refusals()] == [ErrorReason.ERROR_REASON_UNKNOWN_HANDLE]


def test_far_too_many_answers_end_the_stream() -> None:
    table = Table()
    player = table.players[0]
    strange = Action(handle=1, number=1)
    player.send(*[strange] * SURPLUS_ANSWERS)
    assert asyncio.run(player.desk.receive(player.stream, [strange] * 1000)) is False
    assert len(player.stream.other.refusals) == SURPLUS_ANSWERS, "the rest is not even refused"


def crash(decision_action: Action, detail: str = "it broke") -> Action:
    decision_action.fault.CopyFrom(AgentFault(kind=ConductKind.CONDUCT_KIND_CRASH, detail=detail))
    return decision_action


def test_a_told_crash_costs_that_decision_and_the_third_the_seat() -> None:
    table = Table()
    session = table.create()
    told = 0
    while told < 3:
        player, decision = table.asked()
        if player is table.players[2]:
            player.send(crash(action(decision), "x" * 1000))
            told += 1
        else:
            player.answer(decision)
    assert [one.kind for one in session.tape.conduct] == [CRASH, CRASH, CRASH, FORFEIT]
    assert len(session.tape.conduct[0].detail) == 300
    assert session.s.lost == 0b100
    table.play()
    kept = table.over[0].record
    assert kept is not None
    record.verify(kept)
    assert kept.result.places[2] == 3


def test_what_a_bot_tells_cannot_speak_to_a_terminal() -> None:
    table = Table()
    session = table.create()
    player, decision = table.asked()
    player.send(crash(action(decision), "it\nbroke \x1b[2J\u202e\x00"))
    assert [one.detail for one in session.tape.conduct] == ["it broke ?[2J??"]


def test_the_match_ends_when_one_sound_agent_is_left() -> None:
    table = Table()
    table.create()
    while table.referee.sessions:
        player, decision = table.asked()
        player.send(action(decision) if player is table.players[0] else crash(action(decision)))
    assert table.over[0].match.result.places[0] == 1


def test_agents_learn_the_result_the_keys_and_their_own_conduct() -> None:
    table = Table()
    session = table.create()
    player, decision = table.asked()
    player.send(crash(action(decision)))
    table.play()
    for one in table.players:
        one.read()
        (finished,) = one.finished()
        assert (finished.match_key, finished.setup_key) == session.keys
        assert sorted(finished.result.places) == [1, 2, 3]
        assert len(finished.conduct) == (1 if one is player else 0)


def test_notes_are_kept_beside_the_record_and_cut() -> None:
    table = Table()
    table.create()
    player, decision = table.asked()
    player.send(action(decision, 0, None, note="é" * 300, thinking_us=1234))
    (session,) = table.referee.sessions.values()
    ((number, seat, text),) = session.ledger.notes
    assert (number, session.agents[seat]) == (1, player.name)
    assert text == "é" * (NOTE_BYTES // 2)
    assert session.ledger.times[6] == 1234


def test_a_match_is_given_up_without_cost() -> None:
    table = Table()
    session = table.create()
    session.abort("the host is going away")
    assert table.over[0].record is None
    assert not table.referee.sessions
    for player in table.players:
        assert [one.message for one in player.read().aborted] == ["the host is going away"]
        assert not player.desk.owed


def test_a_fault_of_ours_ends_that_match_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    broken, sound = table.create(1, TimeControl(100, 0, 1)), table.create(2, TimeControl(100, 0, 1))

    def fail(now: float) -> None:
        raise RuntimeError("ours")

    monkeypatch.setattr(broken, "advance", fail)
    table.wait(2.1)
    assert broken.aborted == "the referee failed in this match"
    assert sound.tape.conduct, "its time still runs"
    assert list(table.referee.sessions.values()) == [sound]
    table.play()
