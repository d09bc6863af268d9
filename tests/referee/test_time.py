"""Who is charged how long, and who times out: with a clock that the test moves."""

import asyncio

import pytest

from conquest.v1.match_pb2 import MatchSidecar
from conquest.v1.referee_pb2 import Action, Decision, PlayResponse
from engine.playout import FORFEIT, ILLEGAL, TIMEOUT
from engine.referee.clock import TimeControl
from engine.referee.limits import ILLEGAL_ANSWERS
from tests.referee.table import Player, Table, action, attacker

TIME = TimeControl(2.0, 0.05, 1.0)
THINKING = 0.02


def play_serially(matches: int) -> tuple[list[MatchSidecar], Table]:
    """Agent `a` thinks 20 ms about each decision, one after another; the others answer at once."""
    table = Table()
    for seed in range(matches):
        table.create(seed, TIME, rounds=2)
    slow, *quick = table.players
    open_decisions: list[Decision] = []
    while table.referee.sessions:
        for player in quick:
            player.send(*[attacker(decision) for decision in player.decisions()])
        open_decisions += slow.decisions()
        if open_decisions:
            table.wait(THINKING)
            slow.send(attacker(open_decisions.pop(0)))
        else:
            table.wait(0.01)
    return [one.sidecar for one in table.over], table


def test_a_serial_bot_pays_the_same_for_1_and_for_64_matches() -> None:
    means = []
    for matches in (1, 64):
        sidecars, table = play_serially(matches)
        assert not [one for finished in table.over for one in finished.match.conduct]
        charged = [one.charged_us for sidecar in sidecars for one in sidecar.times if one.seat == 0]
        means.append(sum(charged) / len(charged))
    assert means[0] == pytest.approx(THINKING * 1e6, rel=0.05)
    assert means[1] == pytest.approx(means[0], rel=0.1)


def test_answers_sent_together_share_the_time() -> None:
    table = Table()
    for seed in range(8):
        table.create(seed, TIME, rounds=1)
    player = max(table.players, key=lambda player: len(player.stream.decisions))
    decisions = player.decisions()
    assert len(decisions) > 1
    table.wait(0.4)
    player.send(*[attacker(decision) for decision in decisions])
    for session in table.referee.sessions.values():
        for start in range(0, len(session.ledger.times), 7):
            assert session.ledger.times[start + 5] == pytest.approx(0.4e6 / len(decisions), rel=0.01)


def bank_after(*sent: list[Action]) -> float:
    """Half a second passes before each message; what is left of 10 s."""
    table = Table()
    session = table.create(time=TimeControl(10.0, 0.0, 2.0))
    player, decision = table.asked()
    for actions in sent:
        table.wait(0.5)
        for one in actions:
            one.handle = one.handle or decision.handle
            one.number = one.number or decision.number
            one.amount = one.amount or decision.options.lows[0]
        player.send(*actions)
    assert session.tape.conduct == []
    assert session.tape.actions == 2
    return session.seats[session.agents.index(player.name)].bank


def test_what_is_not_taken_buys_no_time() -> None:
    assert bank_after([Action()]) == pytest.approx(9.5, abs=0.03)
    assert bank_after([Action(option=4000)], [Action()]) == pytest.approx(9.0, abs=0.03), "illegal"
    assert bank_after([Action(handle=1)], [Action()]) == pytest.approx(9.0, abs=0.03), "unknown"
    assert bank_after([Action(number=7)], [Action()]) == pytest.approx(9.0, abs=0.03), "stale"
    assert bank_after([Action() for _ in range(50)]) == pytest.approx(9.5, abs=0.03), "said 50 times"


def test_what_is_not_taken_does_not_put_off_a_timeout() -> None:
    table = Table()
    player, decision = first_asked(table)
    (session,) = table.referee.sessions.values()
    for option in range(3):
        table.wait(0.4)
        player.send(Action(handle=decision.handle, number=decision.number, option=4000 + option), Action(handle=1))
    assert [one.kind for one in session.tape.conduct] == [TIMEOUT]


def test_the_time_of_an_illegal_answer_too_many_is_charged() -> None:
    table = Table()
    session = table.create(time=TimeControl(10.0, 0.0, 2.0))
    player, decision = table.asked()
    table.wait(0.5)
    player.send(*[action(decision, 0, 7)] * (ILLEGAL_ANSWERS + 1))
    assert [one.kind for one in session.tape.conduct] == [ILLEGAL]
    assert session.seats[session.agents.index(player.name)].bank == pytest.approx(9.5, abs=0.03)


def first_asked(table: Table) -> tuple[Player, Decision]:
    table.create(time=TIME)
    return table.asked()


def test_a_silent_agent_times_out_within_twice_the_limit() -> None:
    table = Table()
    player, _ = first_asked(table)
    table.wait(0.95)
    (session,) = table.referee.sessions.values()
    assert session.tape.conduct == []
    table.wait(0.95)
    (fault,) = session.tape.conduct
    assert (fault.kind, session.agents[fault.seat]) == (TIMEOUT, player.name)
    assert f"agent {player.name} gave no answer for 1.0" in fault.detail
    assert "the limit is 1 s" in fault.detail


def test_an_agent_that_reads_nothing_is_charged_like_silence() -> None:
    """Hand-over is when the decision goes to the sender, whether or not the stream drains."""
    table = Table()
    session = table.create(time=TIME)
    table.wait(1.9)
    assert [fault.kind for fault in session.tape.conduct] == [TIMEOUT]


def test_who_answers_all_but_one_times_out_on_that_one() -> None:
    table = Table(players=3)
    for seed in range(6):
        table.create(seed, TIME, rounds=50)
    left: Decision | None = None
    stubborn = table.players[0]
    for _ in range(300):
        for player in table.players:
            decisions = player.decisions()
            if player is stubborn and left is None and len(decisions) > 1:
                left = decisions.pop(0)
            player.send(*[action(decision, len(decision.options.verbs) - 1) for decision in decisions])
        table.wait(0.01)
    assert left is not None
    conduct = [one for session in table.referee.sessions.values() for one in session.tape.conduct]
    conduct += [one for finished in table.over for one in finished.match.conduct]  # type: ignore[misc]
    assert TIMEOUT in [one.kind for one in conduct]
    assert {one.seat for one in conduct} == {0}
    stubborn.send(attacker(left))
    stubborn.read()
    assert "which was answered before or timed out" in stubborn.refusals()[-1].message


def test_seats_that_are_lost_together_are_lost_once() -> None:
    table = Table()
    for seed in range(12):
        table.create(seed, TimeControl(0.5, 0, 1.0))
        table.wait(0.01)
    player = max(table.players, key=lambda player: len(player.stream.decisions))
    player.send(attacker(player.decisions()[-1]))
    passed_over = list(player.desk.overtaken)
    assert len(passed_over) > 1
    table.wait(0.6)
    for pending in passed_over:
        kinds = [one.kind for one in pending.session.tape.conduct if one.seat == pending.seat]
        assert kinds == [TIMEOUT, FORFEIT]


def test_a_decision_behind_a_slow_one_has_its_own_time() -> None:
    """Six decisions wait while the agent thinks 0.9 s about each: none times out."""
    table = Table()
    for seed in range(12):
        table.create(seed, TimeControl(100, 0, 1.0), rounds=1)
    player = max(table.players, key=lambda player: len(player.stream.decisions))
    decisions = player.decisions()
    assert len(decisions) >= 4
    for decision in decisions:
        table.wait(0.9)
        player.send(attacker(decision))
    conduct = [
        one for s in table.referee.sessions.values() for one in s.tape.conduct if s.agents[one.seat] == player.name
    ]
    assert conduct == []


def test_a_stopped_host_costs_nobody_anything() -> None:
    table = Table()
    player, decision = first_asked(table)
    table.wait(0.1)
    table.clock.time += 3.0  # no beat comes: the process was stopped
    player.answer(decision)
    (session,) = table.referee.sessions.values()
    assert session.tape.conduct == []
    assert session.ledger.times[5] == pytest.approx(0.1e6, abs=0.03e6)


def test_a_stopped_host_costs_the_silent_nothing_either() -> None:
    table = Table()
    first_asked(table)
    (session,) = table.referee.sessions.values()
    table.wait(0.5)
    table.clock.time += 3.0
    table.referee.beat()
    table.wait(0.4)
    assert session.tape.conduct == []


def test_an_empty_bank_loses_the_seat() -> None:
    table = Table()
    session = table.create(time=TimeControl(0.5, 0, 10))
    player, _ = table.asked()
    table.wait(0.6)
    kinds = [one.kind for one in session.tape.conduct]
    assert kinds == [TIMEOUT, FORFEIT]
    assert "has used up its bank" in session.tape.conduct[0].detail
    assert session.s.lost == 1 << session.agents.index(player.name)


def test_the_increment_is_paid_for_each_answer() -> None:
    table = Table()
    session = table.create(time=TimeControl(10, 0.5, 1))
    for _ in range(6):
        player, decision = table.asked()
        player.answer(decision)
    assert sum(seat.bank for seat in session.seats) == pytest.approx(30 + 6 * 0.5)


def test_the_third_timeout_loses_the_seat_and_the_others_play_on() -> None:
    table = Table()
    session = table.create(time=TimeControl(100, 0, 1))
    silent = table.players[1]
    while session.s.lost == 0:
        for player in table.players:
            if player is not silent:
                player.send(*[attacker(decision) for decision in player.decisions()])
        table.wait(0.1)
    kinds = [one.kind for one in session.tape.conduct]
    assert kinds == [TIMEOUT, TIMEOUT, TIMEOUT, FORFEIT]
    assert {one.seat for one in session.tape.conduct} == {1}
    table.play()
    assert table.over[0].match.result.places[1] == 3


def test_in_flight_decisions_wait_their_turn_uncharged() -> None:
    table = Table(in_flight=1)
    for seed in range(10):
        table.create(seed, TIME, rounds=1)
    player = max(table.players, key=lambda player: len(player.desk.waiting))
    assert len(player.desk.waiting) >= 2
    for _ in range(3):
        decision = player.decision()
        table.wait(0.5)
        player.send(attacker(decision))
    times = [
        s.ledger.times[:7]
        for s in table.referee.sessions.values()
        if s.ledger.times and s.agents[s.ledger.times[1]] == player.name
    ]
    assert [round(one[5] / 1e6, 1) for one in times] == [0.5, 0.5, 0.5]
    assert sorted(round(one[2] / 1e6, 1) for one in times) == [0.0, 0.5, 1.0]


def test_a_round_trip_is_measured_and_taken_off() -> None:
    table = Table()
    table.create(time=TIME)
    table.wait(0.01)
    player = next(player for player in table.players if player.stream.decisions)
    message = player.read()
    assert message.HasField("ping")
    table.clock.time += 0.004
    player.desk.receive_pong(player.stream, message.ping.nonce + 1)
    assert player.stream.round_trip.lowest == 0, "an answer to no ping is nothing"
    player.desk.receive_pong(player.stream, message.ping.nonce)
    assert player.stream.round_trip.lowest == pytest.approx(0.004, abs=1e-6)
    table.wait(0.05)
    player.answer(message.decisions[0])
    (session,) = table.referee.sessions.values()
    _, _, _, elapsed, allowance, charged, _ = session.ledger.times[:7]
    assert allowance == pytest.approx(4000, abs=2)
    assert charged == elapsed - allowance


def test_gathering_costs_the_agent_nothing() -> None:
    """While it has others to think about, its decisions wait for each other a little, and are handed over then."""
    table = Table()
    for seed in range(16):
        table.create(seed, TIME)
    player = max(table.players, key=lambda player: len(player.desk.owed))
    assert len(player.decisions()) > 2
    seed = 16
    while not player.stream.decisions:
        table.create(seed, TIME)
        seed += 1
    (waiting,) = player.stream.decisions
    player.stream.other.Clear()  # what a match that has started brings with it does not wait
    before, asked = {pending: pending.handed for pending in player.desk.owed}, waiting.handed
    table.clock.time += 0.005
    sent: list[PlayResponse] = []

    async def write(message: PlayResponse) -> None:
        sent.append(message)
        player.stream.end()

    player.stream.wake()
    asyncio.run(player.stream.send_all(write))
    assert [len(message.decisions) for message in sent] == [1]
    assert waiting.handed > asked
    assert {pending: pending.handed for pending in player.desk.owed} == before | {waiting: waiting.handed}


def test_a_pong_that_nobody_asked_for_is_nothing() -> None:
    table = Table(players=3)
    player = table.players[0]
    player.desk.receive_pong(player.stream, 0)
    assert player.stream.round_trip.lowest == 0
    table.wait(0.01)
    nonce = player.read().ping.nonce
    for _ in range(3):
        table.clock.time += 0.001
        player.desk.receive_pong(player.stream, nonce)
    assert len(player.stream.round_trip.samples) == 1
