"""Where all choose in secret, all are asked at once, and nobody learns who has chosen."""

from collections.abc import Callable

from conquest.v1.referee_pb2 import Decision
from engine import record
from engine.referee.clock import TimeControl
from engine.referee.session import Session
from tests.referee.table import Player, Table, action


def at_the_choice(bank: float = 1000.0) -> tuple[Table, Session, dict[str, Decision]]:
    """Everybody has been asked for its headquarters."""
    table = Table()
    names = [player.name for player in table.players]
    time = TimeControl(bank, 0.0, 100.0)
    session = table.referee.create("capital", names, {"rounds": 2}, seed=5, time_control=time)
    asked: dict[str, Decision] = {}
    while len(asked) < 3:
        for player in table.players:
            for decision in player.decisions():
                if len(session.pending) == 3:
                    asked[player.name] = decision
                else:
                    player.answer(decision)
    return table, session, asked


def by_name(table: Table) -> Callable[[str], Player]:
    return {player.name: player for player in table.players}.__getitem__


def test_all_are_asked_and_the_match_waits_for_the_last() -> None:
    table, session, asked = at_the_choice()
    player = by_name(table)
    actions = session.tape.actions
    player("c").answer(asked["c"], 1)
    player("a").answer(asked["a"], 2)
    assert session.tape.actions == actions
    assert not session.s.headquarters
    assert all(not one.decisions() for one in table.players)
    player("b").answer(asked["b"], 0)
    assert session.tape.actions >= actions + 3
    assert all(session.s.owner[place] == seat for seat, place in enumerate(session.s.headquarters))


def test_the_order_of_the_answers_does_not_matter() -> None:
    digests = set()
    for order in ("abc", "cba", "bca"):
        table, session, asked = at_the_choice()
        for name in order:
            by_name(table)(name).answer(asked[name], 1)
        digests.add(session.s.digest())
        table.play()
        assert session.record is not None
        record.verify(session.record)
    assert len(digests) == 1


def test_a_decision_that_comes_again_is_the_same_though_others_have_chosen() -> None:
    table, _, asked = at_the_choice()
    player = by_name(table)
    player("a").answer(asked["a"], 2)
    player("b").drop()
    player("b").connect()
    assert player("b").decision().observation == asked["b"].observation


def test_an_answer_is_taken_once() -> None:
    table, session, asked = at_the_choice()
    player = by_name(table)
    player("a").answer(asked["a"], 2)
    player("a").answer(asked["a"], 1)
    player("a").read()
    assert len(player("a").refusals()) == 1
    assert session.given[0] == (2, 0)


def test_who_is_silent_loses_its_own_clock_only() -> None:
    table, session, asked = at_the_choice(bank=5.0)
    player = by_name(table)
    player("a").answer(asked["a"], 2)
    player("c").answer(asked["c"], 2)
    table.wait(6.0)
    assert session.s.headquarters
    assert session.s.lost == 0b010
    assert session.seats[0].bank > 4.9
    table.play()
    assert session.record is not None
    record.verify(session.record)


def test_the_match_can_end_while_others_are_asked() -> None:
    table, session, asked = at_the_choice(bank=5.0)
    by_name(table)("c").answer(asked["c"], 0)
    table.wait(6.0)
    assert session.over
    assert session.record is not None
    assert list(session.record.result.places)[2] == 1
    record.verify(session.record)
    assert all(not player.desk.owed for player in table.players)
    late = by_name(table)("a")
    late.send(action(asked["a"]))
    late.read()
    assert len(late.refusals()) == 1
