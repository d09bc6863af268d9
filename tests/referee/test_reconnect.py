"""An agent that went away comes back to where it was; meanwhile its bank runs on."""

import pytest

from conquest.v1.error_pb2 import ErrorReason
from engine import record
from engine.playout import DISCONNECT, FORFEIT
from engine.referee.clock import TimeControl
from tests.referee.table import Table, action, attacker

TIME = TimeControl(10.0, 0.0, 1.0)


def test_open_matches_and_decisions_come_again() -> None:
    table = Table()
    session = table.create(time=TIME)
    player, decision = table.asked()
    player.drop()
    table.wait(0.5)
    player.connect()
    message = player.read()
    (started,) = message.started
    assert (started.match_id, started.resumed, started.handle) == (session.match_id, True, decision.handle)
    (again,) = message.decisions
    assert again.number == decision.number
    assert again.observation == decision.observation
    assert again.options == decision.options
    player.answer(again)
    assert session.tape.actions == 2


def test_the_bank_runs_on_and_the_limit_does_not_bite() -> None:
    table = Table()
    session = table.create(time=TIME)
    player, _ = table.asked()
    player.drop()
    table.wait(4.0)
    player.connect()
    (fault,) = session.tape.conduct
    assert fault.kind == DISCONNECT
    assert f"agent {player.name} was disconnected for 4.0 s" in fault.detail
    seat = session.seats[fault.seat]
    assert seat.bank == pytest.approx(6.0, abs=0.1)
    assert session.s.lost == 0


def test_away_longer_than_the_bank_loses_the_seat() -> None:
    table = Table()
    session = table.create(time=TIME)
    player, _ = table.asked()
    player.drop()
    table.wait(10.2)
    assert [one.kind for one in session.tape.conduct] == [DISCONNECT, FORFEIT]
    assert "the seat is lost: reconnect sooner" in session.tape.conduct[0].detail
    for other in table.players:
        if other is not player:
            other.read()
    player.connect()
    assert not player.read().decisions, "the caretaker plays on"


def test_what_waited_for_its_turn_is_lost_too_when_nobody_comes_back() -> None:
    table = Table(in_flight=1)
    for seed in range(10):
        table.create(seed, TIME)
    player = max(table.players, key=lambda player: len(player.desk.waiting))
    asking = [one.session for one in [*player.desk.owed, *player.desk.waiting]]
    assert len(asking) > 1
    player.drop()
    table.wait(10.2)
    assert [session.s.lost for session in asking] == [1 << table.players.index(player)] * len(asking)


def test_who_owes_nothing_pays_nothing_for_being_away() -> None:
    table = Table()
    session = table.create(time=TIME)
    asked, _ = table.asked()
    away = next(player for player in table.players if player is not asked)
    away.drop()
    table.wait(0.5)
    away.connect()
    assert session.tape.conduct == []
    assert session.seats[session.agents.index(away.name)].bank == 10.0


def test_what_is_asked_while_it_is_away_waits_for_it() -> None:
    table = Table()
    session = table.create(time=TIME)
    first, decision = table.asked()
    seat = session.agents.index(first.name)
    second = table.players[(seat + 1) % 3]
    second.drop()
    first.answer(decision)
    table.wait(1.5)
    second.connect()
    assert len(second.read().decisions) == 1
    assert session.seats[session.agents.index(second.name)].bank == pytest.approx(8.5, abs=0.1)


def test_a_second_stream_replaces_the_first() -> None:
    table = Table()
    table.create(time=TIME)
    player, decision = table.asked()
    old = player.stream
    player.connect()
    assert old.closing
    assert old.next_message().goodbye.reason == ErrorReason.ERROR_REASON_REPLACED
    player.desk.disconnect(old)  # its handler ends later
    assert player.desk.stream is player.stream
    (again,) = player.read().decisions
    assert again.number == decision.number
    (session,) = table.referee.sessions.values()
    assert session.tape.conduct == [], "that costs nothing"


def test_a_new_stream_is_no_new_time() -> None:
    table = Table()
    session = table.create(time=TIME)
    player, _ = table.asked()
    for _ in range(4):
        table.wait(0.9)
        player.connect()
    (again,) = player.read().decisions
    player.answer(again)
    assert session.seats[session.agents.index(player.name)].bank == pytest.approx(10.0 - 4 * 0.9, abs=0.1)


def test_an_answer_is_taken_though_its_stream_is_replaced_meanwhile() -> None:
    table = Table()
    session = table.create(time=TIME)
    player, decision = table.asked()
    found = player.desk.find(action(decision))
    assert found is not None
    received = table.referee.clock.now()
    table.wait(0.1)
    player.connect()
    player.desk.answer(found, action(decision), "", 1, received, received)
    assert session.tape.actions == 2


def test_a_result_that_it_missed_is_told_when_it_is_back() -> None:
    table = Table()
    session = table.create(time=TimeControl(1.0, 0, 1.0), rounds=3)
    absent = table.players[0]
    absent.drop()
    others = table.players[1:]
    while table.referee.sessions:
        for player in others:
            player.send(*[attacker(decision) for decision in player.decisions()])
        table.wait(0.05)
    absent.connect()
    (finished,) = absent.read().finished
    assert finished.match_key == session.keys[0]
    assert [one.kind for one in finished.conduct][-1] == FORFEIT
    kept = table.over[0].record
    assert kept is not None
    record.verify(kept)
