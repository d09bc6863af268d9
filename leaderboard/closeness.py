"""How close a match was: how often the lead changed hands. It is found by playing the record again."""

from itertools import pairwise

from conquest.v1.record_pb2 import MatchRecord
from engine.record import Replay
from engine.rules.ruleset import Ruleset
from engine.rules.state import State

NOBODY = -1


def lead_changes(record: MatchRecord) -> int:
    """How often, at the beginning of a turn, another seat than before would have won; RecordError for no record.

    Seats are compared as at the round limit; who is level with another does not lead. The winner leads at the end.
    """
    replay = Replay(record)
    leaders: list[int] = []
    turn = 0, NOBODY
    while (step := replay.peek()) is not None:
        now = replay.s.round, replay.s.turn
        if replay.s.round and now != turn:
            leaders.append(leader_of(replay.r, replay.s))
            turn = now
        replay.take(step)
    winners = [seat for seat, place in enumerate(record.result.places) if place == 1]
    leaders += winners if len(winners) == 1 else []
    known = [seat for seat in leaders if seat != NOBODY]
    return sum(one != other for one, other in pairwise(known))


def leader_of(r: Ruleset, s: State) -> int:
    standings = [r.standing(s, seat) for seat in range(s.seats)]
    best = max(standings)
    return standings.index(best) if standings.count(best) == 1 else NOBODY
