"""Answers given beforehand: standing orders and plans."""

from typing import ClassVar

from conquest.v1.referee_pb2 import Action as Sent
from conquest.v1.referee_pb2 import Decision, MatchOrders, PlannedAction, StandingOrders
from engine import record
from engine.codec import read_planned, write_planned
from engine.rules.choices import ATTACK, DEFEND, PLACE, STOP, VERB_SHIFT, Action, pack
from engine.rules.ruleset import Ruleset
from engine.rules.section import Section
from engine.rules.state import State
from tests.referee.table import Player, Table, action, attacker

NONE = 255


def verbs_asked(table: Table) -> set[int]:
    """Plays to the end; which verbs were asked for."""
    asked: set[int] = set()

    def choose(decision: Decision) -> Sent:
        asked.add(decision.options.verbs[-1])
        return attacker(decision)

    table.play(choose)
    return asked


def test_orders_of_the_hello_hold_for_all_matches() -> None:
    table = Table(orders=StandingOrders(defence_dice=2))
    session = table.create()
    assert DEFEND not in verbs_asked(table)
    assert session.ledger.ordered, "what was ordered is written down"
    kept = table.over[0]
    assert kept.record is not None
    record.verify(kept.record)
    replay = record.Replay(kept.record)
    taken = set()
    while (step := replay.peek()) is not None:
        if replay.number in kept.sidecar.ordered:
            taken.add((step.code >> VERB_SHIFT, step.amount))
        replay.take(step)
    assert taken == {(DEFEND, 2)}


def test_without_orders_the_defender_is_asked() -> None:
    table = Table()
    session = table.create()
    assert DEFEND in verbs_asked(table)
    assert not session.ledger.ordered


def test_orders_for_one_match_come_before_those_of_the_hello() -> None:
    table = Table(orders=StandingOrders(defence_dice=2))
    session = table.create()
    for player, seat in zip(table.players, session.seats):
        order = MatchOrders(handle=seat.handle, orders=StandingOrders(defence_dice=1))
        player.desk.receive_orders([order, MatchOrders(handle=99, orders=StandingOrders())])
    table.play()
    replay = record.Replay(table.over[0].record)  # type: ignore[arg-type]
    amounts = set()
    while (step := replay.peek()) is not None:
        if step.code >> VERB_SHIFT == DEFEND:
            amounts.add(step.amount)
        replay.take(step)
    assert amounts == {1}


def planned(verb: int, source: int = NONE, target: int = NONE, amount: int = 0) -> PlannedAction:
    return PlannedAction(verb=verb, source=source, target=target, piece=NONE, card=NONE, amount=amount)


def at_first_place(table: Table) -> tuple[Player, Decision]:
    """Goes on until a seat may place its armies at the start of a turn."""
    while True:
        player, decision = table.asked()
        if decision.observation.round and decision.options.verbs[-1] == PLACE:
            return player, decision
        player.answer(decision)


def test_a_plan_is_taken_while_it_is_legal() -> None:
    table = Table()
    session = table.create()
    player, decision = at_first_place(table)
    target = decision.options.targets[0]
    before = session.tape.actions
    player.send(action(decision, 0, 1, plan=[planned(PLACE, target=target, amount=1), planned(STOP)]))
    assert session.tape.actions == before + 2, "two placed; STOP is not legal while armies are left"
    assert list(session.ledger.ordered) == [before + 1]
    _, next_decision = table.asked()
    assert next_decision.options.verbs[-1] == PLACE


def test_a_plan_ends_at_chance() -> None:
    table = Table()
    session = table.create()
    player, decision = at_first_place(table)
    low, high = decision.options.lows[0], int.from_bytes(decision.options.highs[:2], "little")
    assert low <= high
    player.answer(decision, 0, high)
    same, attack = table.asked()
    assert same is player
    index = next(i for i, verb in enumerate(attack.options.verbs) if verb == ATTACK)
    source, target = attack.options.sources[index], attack.options.targets[index]
    player.send(action(attack, index, 1, plan=[planned(ATTACK, source, target, 1)] * 3))
    assert not session.ledger.ordered, "a roll came in between"


def test_nonsense_in_a_plan_is_dropped() -> None:
    table = Table()
    session = table.create()
    player, decision = at_first_place(table)
    player.send(action(decision, 0, 1, plan=[planned(60, 1, 2, 3), planned(PLACE, target=0, amount=1)]))
    assert not session.ledger.ordered


class Reaction(Section):
    """A window in which every other seat may react to what seat 0 does to seat 1."""

    kinds: ClassVar[tuple[int, ...]] = (30,)

    def options(self, r: Ruleset, s: State, seat: int, out: list[int]) -> None:
        out.extend([pack(STOP), pack(PLACE, target=3, low=1, high=1)])

    def apply(self, r: Ruleset, s: State, seat: int, code: int, amount: int) -> None:
        s.agenda.pop()

    def bystander(self, r: Ruleset, s: State, seat: int) -> bool:
        return seat != 1


def test_bystanders_pass_if_they_said_so() -> None:
    table = Table(orders=StandingOrders(pass_if_not_target=True))
    session = table.create()
    r = session.r
    session.r = Ruleset(r.variant, r.version, r.board, 3, r.settings, (*r.sections, Reaction()))
    s = session.s
    session.pending.clear()
    s.agenda.append(30 | 2 << 7)  # seat 1, the target, is asked last
    s.agenda.append(30 | 3 << 7)  # seat 2, a bystander, first
    session.advance(table.referee.clock.now())
    assert len(session.ledger.ordered) == 1
    assert list(session.pending) == [1]


def test_a_planned_action_is_read_by_value() -> None:
    assert read_planned(planned(ATTACK, 3, 4, 2)) == Action(ATTACK, 3, 4, amount=2)
    assert write_planned(Action(ATTACK, 3, 4, amount=2)) == planned(ATTACK, 3, 4, 2)
