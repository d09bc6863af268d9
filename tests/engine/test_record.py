"""Records: what was played comes back, and what was changed is found where it was changed."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from google.protobuf.message import DecodeError

from conquest.v1.record_pb2 import Fork, MatchRecord
from engine import record
from engine.chance import Chance, seeded_keys
from engine.playout import CRASH, FORFEIT, BotFault, Caretaker, Overmatch, Policy, Tape, Uniform, play_out
from engine.record import RecordError, Replay
from engine.rules.choices import ROLL, VERB_SHIFT
from engine.rules.ruleset import Ruleset
from engine.rules.state import CHANCE, LAST_SOUND, State
from engine.rules.variants import VARIANTS, ruleset

TABLES = [(name, seats) for name, variant in VARIANTS.items() for seats in variant.players]
KEPT = Path(__file__).parent / "data" / "classic.cqr"
ROUNDS = 12


def played(
    name: str = "classic", seats: int = 3, seed: int = 5, policies: list[Policy] | None = None
) -> MatchRecord:
    r = ruleset(name, seats, {"rounds": ROUNDS})
    s, tape, keys = r.new(), Tape(), seeded_keys(seed)
    play_out(r, s, policies or [Overmatch(seat) for seat in range(seats)], Chance(*keys), tape)
    return record.make(r, s, tape, [f"bot {seat}" for seat in range(seats)], keys, "test", seed)


def copy_of(kept: MatchRecord) -> MatchRecord:
    made = MatchRecord()
    made.CopyFrom(kept)
    return made


def refusal(kept: MatchRecord) -> str:
    with pytest.raises(RecordError) as caught:
        record.verify(kept)
    return str(caught.value)


def walk(kept: MatchRecord) -> tuple[Replay, list[record.Step]]:
    replay, steps = Replay(kept), []
    while (step := replay.peek()) is not None:
        steps.append(step)
        replay.take(step)
    return replay, steps


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_variant_verifies(name: str, seats: int) -> None:
    for seed in range(3):
        record.verify(record.read(record.write(played(name, seats, seed))))


def test_a_file_comes_back_as_it_was() -> None:
    kept = played()
    assert record.read(record.write(kept)) == kept


def test_a_replay_ends_where_the_match_did() -> None:
    kept = played()
    replay, steps = walk(kept)
    assert len(steps) == kept.actions
    assert list(replay.s.places) == list(kept.result.places)
    assert (replay.s.round, replay.s.ending) == (kept.result.rounds, kept.result.ending)


def test_the_same_play_has_the_same_game_part() -> None:
    one, other = played(), played()
    other.match_id, other.engine_version, other.commitment = "another", "9", b"x"
    assert record.game_part(one) == record.game_part(other)
    assert record.game_part(one) != record.game_part(played(seed=6))


def test_a_record_kept_from_before_verifies_in_every_mode() -> None:
    kept = record.read(KEPT.read_bytes())
    record.verify(kept)
    assert kept.digests[-8:].hex() == "2f6932f86e7604aa"


def test_one_changed_byte_of_the_file_is_refused() -> None:
    data = record.write(played())
    rng = random.Random(11)
    for _ in range(200):
        place, bits = rng.randrange(len(data)), rng.randrange(1, 256)
        spoilt = bytearray(data)
        spoilt[place] ^= bits
        with pytest.raises(RecordError):
            record.verify(record.read(bytes(spoilt)))


@pytest.mark.parametrize("length", [0, 3, 4, 10, 200, -1])
def test_a_file_cut_short_is_refused(length: int) -> None:
    with pytest.raises(RecordError, match=r"not a match record|damaged"):
        record.read(record.write(played())[:length])


@pytest.mark.parametrize("data", [b"PK\3\4 zip", b"CQR1", b"CQR1 and no frame", b"\x28\xb5\x2f\xfd"])
def test_a_foreign_file_is_refused(data: bytes) -> None:
    with pytest.raises(RecordError):
        record.read(data)


def test_bytes_after_the_record_are_refused() -> None:
    with pytest.raises(RecordError):
        record.read(record.write(played()) + b"more")


def test_a_record_too_large_is_refused() -> None:
    bomb = record.MAGIC + zstandard.compress(bytes(record.MOST_BYTES + 1))
    with pytest.raises(RecordError, match="larger"):
        record.read(bomb)


def test_a_wrong_die_is_named() -> None:
    kept = played()
    _, steps = walk(kept)
    number, position = next(
        (number, sum(len(varint(one.amount)) for one in steps[:number] if one.seat == CHANCE))
        for number, step in enumerate(steps)
        if step.code >> VERB_SHIFT == ROLL and 0 < step.amount < 127
    )
    spoilt = copy_of(kept)
    column = bytearray(kept.chance)
    column[position] -= 1
    spoilt.chance = bytes(column)
    told = refusal(spoilt)
    assert told.startswith(f"action {number}, ")
    assert "the record says 'roll" in told
    assert "the key gives 'roll" in told


def varint(value: int) -> bytes:
    column = bytearray()
    while value > 127:
        column.append(value & 127 | 128)
        value >>= 7
    column.append(value)
    return bytes(column)


def test_an_illegal_option_is_named() -> None:
    spoilt = played()
    spoilt.choices = bytes([127]) + spoilt.choices[1:]
    assert refusal(spoilt) == "action 1 is illegal: option 127 of 42"


def test_a_changed_choice_is_found_within_its_window() -> None:
    kept = played()
    asked = [number for number, step in enumerate(walk(kept)[1]) if len(step.codes) > 1]
    assert len(asked) == len(kept.choices), "every choice of this match takes one byte"
    rng = random.Random(3)
    for place in rng.sample(range(len(kept.choices)), 100):
        column = bytearray(kept.choices)
        column[place] += 1 if column[place] == 0 else -1
        spoilt = copy_of(kept)
        spoilt.choices = bytes(column)
        first, last = place_told(refusal(spoilt))
        assert first <= asked[place] <= last or asked[place] <= first <= asked[place] | 63


def place_told(text: str) -> tuple[int, int]:
    """The actions that a refusal names: one, or a window."""
    numbers = [int(word.strip(":,")) for word in text.split(":")[0].split() if word.strip(":,").isdigit()]
    return numbers[0], numbers[1] if text.startswith("actions") else numbers[0]


def test_a_changed_digest_names_its_window() -> None:
    spoilt = played()
    spoilt.digests = spoilt.digests[:8] + bytes(8) + spoilt.digests[16:]
    assert refusal(spoilt) == "actions 64 to 127: they, or the position after them, are not the recorded ones"


def test_bytes_left_over_or_missing_are_named() -> None:
    spoilt = played()
    spoilt.amounts += b"\1"
    assert "amounts are left" in refusal(spoilt)
    spoilt = played()
    spoilt.chance = spoilt.chance[:10]
    assert "the column of chance ends before it" in refusal(spoilt)


def test_a_changed_head_is_named() -> None:
    for change, told in (
        ({"variant": "chess"}, "variant 'chess'"),
        ({"rules_version": 7}, "needs version 7 of the rules of classic"),
        ({"seat_count": 4}, "3 agents for 4 seats"),
        ({"seed": 77}, "not those of seed 77"),
        ({"match_key": bytes(32)}, "committed"),
        ({"match_id": "other"}, "committed"),
        ({"setup_key": b""}, "32 bytes"),
        ({"actions": 64}, "in the middle of the match"),
        ({"round_limit": 0}, "head"),
    ):
        spoilt = played()
        for name, value in change.items():
            setattr(spoilt, name, value)
        assert told in refusal(spoilt), change


def test_a_changed_result_is_refused() -> None:
    for name, value in (("ending", 4), ("rounds", 99)):
        spoilt = played()
        setattr(spoilt.result, name, value)
        assert "result" in refusal(spoilt)
    spoilt = played()
    spoilt.result.places[0] += 1
    assert "result" in refusal(spoilt)


class Faulty(Policy):
    """A bot that raises at some of its decisions."""

    def __init__(self, seed: int, faults: int) -> None:
        self.sound = Uniform(seed)
        self.faults = faults
        self.asked = 0

    def choose(self, r: Ruleset, s: State, seat: int, codes: list[int]) -> tuple[int, int]:
        self.asked += 1
        if self.asked % 10 == 0 and self.asked <= 10 * self.faults:
            raise BotFault(CRASH, f"fault {self.asked}")
        return self.sound.choose(r, s, seat, codes)


def test_two_faults_are_noted_and_the_seat_plays_on() -> None:
    kept = played(policies=[Overmatch(0), Faulty(1, faults=2), Overmatch(2)])
    assert [(one.seat, one.kind) for one in kept.conduct] == [(1, CRASH), (1, CRASH)]
    record.verify(kept)


def test_the_third_fault_loses_the_seat() -> None:
    kept = played(policies=[Overmatch(0), Faulty(1, faults=3), Overmatch(2)])
    assert [one.kind for one in kept.conduct] == [CRASH, CRASH, CRASH, FORFEIT]
    record.verify(kept)
    replay, _ = walk(kept)
    assert replay.s.lost == 0b010
    assert replay.s.places[1] > max(replay.s.places[0], replay.s.places[2]) or replay.s.fell != (0, 0, 0)


def test_the_match_ends_when_one_sound_seat_is_left() -> None:
    kept = played(policies=[Overmatch(0), Faulty(1, faults=3), Faulty(2, faults=3)])
    assert kept.result.ending == LAST_SOUND
    assert kept.result.places[0] == 1
    record.verify(kept)


def test_a_forfeit_in_another_window_is_refused() -> None:
    spoilt = played(policies=[Overmatch(0), Faulty(1, faults=3), Overmatch(2)])
    spoilt.conduct[3].action += 64
    assert refusal(spoilt).startswith("action")


def test_a_forked_match_verifies_by_the_keys_of_both_parts() -> None:
    kept = played()
    start = 200
    replay, tape = Replay(kept), Tape()
    while replay.number < start and (step := replay.peek()) is not None:
        tape.note(replay.s, step.seat, step.codes, step.option, step.amount)
        replay.take(step)
    keys = seeded_keys(99)
    play_out(replay.r, replay.s, [Caretaker() for _ in range(3)], Chance(*keys), tape)
    fork = Fork(match_id="test", action=start, match_key=kept.match_key, setup_key=kept.setup_key)
    forked = record.make(replay.r, replay.s, tape, ["a", "b", "c"], keys, "fork", 99, [fork])
    record.verify(forked)
    forked.forks[0].match_key = bytes(32)
    assert "the key gives" in refusal(forked)


def test_a_fork_of_a_fork_keeps_the_keys_of_its_part() -> None:
    kept = played()
    kept.forks.add(match_id="older", action=100, match_key=b"o" * 32, setup_key=b"p" * 32)
    older = ("older", b"o" * 32, b"p" * 32)
    own = ("test", kept.match_key, kept.setup_key)
    for action, parts in {
        0: [],
        50: [(50, *older)],
        100: [(100, *older)],
        150: [(100, *older), (150, *own)],
    }.items():
        told = [(one.action, one.match_id, one.match_key, one.setup_key) for one in record.left_at(kept, action)]
        assert told == parts


def test_a_match_played_in_slices_has_the_same_record() -> None:
    r = ruleset("classic", 3, {"rounds": ROUNDS})
    s, tape, keys = r.new(), Tape(), seeded_keys(5)
    policies: list[Policy] = [Overmatch(seat) for seat in range(3)]
    chance = Chance(*keys)
    while s.agenda:
        play_out(r, s, policies, chance, tape, most=50)
    assert record.make(r, s, tape, [f"bot {seat}" for seat in range(3)], keys, "test", 5) == played()


def resealed(kept: MatchRecord) -> MatchRecord:
    kept.seal = record.seal_of(kept)
    return kept


def test_a_change_beside_the_actions_breaks_the_seal() -> None:
    kept = played(policies=[Overmatch(0), Faulty(1, faults=1), Overmatch(2)])

    def unseeded(one: MatchRecord) -> None:
        one.seeded, one.seed = False, 0

    def renamed(one: MatchRecord) -> None:
        one.seats[0].agent = "another"

    def housed(one: MatchRecord) -> None:
        one.seats[0].house = True

    def blamed(one: MatchRecord) -> None:
        one.conduct[0].seat = 0

    def forgiven(one: MatchRecord) -> None:
        del one.conduct[:]

    for change in (unseeded, renamed, housed, blamed, forgiven):
        spoilt = copy_of(kept)
        change(spoilt)
        assert "the seal is broken" in refusal(spoilt), change
        record.verify(resealed(spoilt))
    with_more = MatchRecord.FromString(kept.SerializeToString() + b"\xf8\x3f\x01")
    assert "the seal is broken" in refusal(with_more)


def test_what_no_match_can_have_is_refused() -> None:
    kept = played()

    def unnamed(one: MatchRecord) -> None:
        del one.seats[:]

    def placeless(one: MatchRecord) -> None:
        del one.result.places[:]

    def strange_conduct(one: MatchRecord) -> None:
        one.conduct.add(action=1, seat=0, kind=99)

    def nobodys_conduct(one: MatchRecord) -> None:
        one.conduct.add(action=1, seat=3, kind=CRASH)

    def forked(action: int, key: bytes) -> Callable[[MatchRecord], object]:
        return lambda one: one.forks.add(action=action, match_key=key, setup_key=bytes(32))

    def optioned(name: str, value: str) -> Callable[[MatchRecord], object]:
        return lambda one: one.options.add(name=name, value=value)

    for change, told in (
        (unnamed, "0 agents for 3 seats"),
        (placeless, "no valid result"),
        (strange_conduct, "conduct"),
        (nobodys_conduct, "conduct"),
        (forked(0, bytes(32)), "forks"),
        (forked(2**32 - 1, bytes(32)), "forks"),
        (forked(5, b""), "keys of a fork"),
        (optioned("rounds", "3"), "its options should be []"),
        (optioned("rounds", "x"), "the head of the record is not valid"),
        (optioned("fog", "1"), "unknown option"),
    ):
        spoilt = copy_of(kept)
        change(spoilt)
        assert told in refusal(resealed(spoilt))
        with pytest.raises(RecordError):
            Replay(spoilt)


def test_a_number_without_end_is_refused_at_once() -> None:
    spoilt = played()
    spoilt.choices = b"\xff" * 5_000_000
    assert refusal(spoilt) == "action 1: the column of choices has no number there"


def test_a_number_written_too_long_is_refused() -> None:
    spoilt = played()
    spoilt.choices = bytes([spoilt.choices[0] | 128, 0]) + spoilt.choices[1:]
    told = refusal(resealed(spoilt))
    assert told == "a number in a column is written longer than need be"


def test_a_lost_seat_answers_like_the_caretaker() -> None:
    kept = played(policies=[Overmatch(0), Faulty(1, faults=3), Overmatch(2)])
    lost = kept.conduct[3].action
    _, steps = walk(kept)
    asked = [number for number, step in enumerate(steps) if len(step.codes) > 1]
    number = next(n for n in asked if n >= lost and steps[n].seat == 1)
    assert steps[number].option == 0
    column = bytearray(kept.choices)
    column[asked.index(number)] = 1
    spoilt = copy_of(kept)
    spoilt.choices = bytes(column)
    assert refusal(spoilt) == f"action {number}: B is lost, and this is not the caretaker's answer"


def test_any_change_of_the_message_is_refused_by_a_record_error() -> None:
    """Bytes of the message are changed at random, not those of the file, which has a checksum of its own."""
    rng = random.Random(17)
    data = played(policies=[Overmatch(0), Faulty(1, faults=3), Overmatch(2)]).SerializeToString()
    for _ in range(400):
        place, value = rng.randrange(len(data)), rng.randrange(256)
        if data[place] == value:
            continue
        try:
            spoilt = MatchRecord.FromString(data[:place] + bytes([value]) + data[place + 1 :])
        except DecodeError:
            continue
        refusal(spoilt)


def test_luck_is_what_the_dice_gave_beyond_the_mean() -> None:
    kept = played()
    luck = record.luck(kept)
    assert sum(luck) == pytest.approx(0, abs=1e-9)
    assert any(luck)
    # Of 7776 rolls of 3 against 2 dice, 2890 cost the defender two, 2275 the attacker two, 2611 one each.
    three_sixes_against_ones = 5 + 6 * 5 + 36 * 5
    assert record.roll_luck(3 << 2 | 2, three_sixes_against_ones) == pytest.approx(2 - 2 * (2890 - 2275) / 7776)


def test_luck_has_no_drift() -> None:
    """Over all rolls of any dice the luck is zero."""
    for attack in (1, 2, 3):
        for defence in (1, 2):
            rolls = range(6 ** (attack + defence))
            assert sum(record.roll_luck(attack << 2 | defence, index) for index in rolls) == pytest.approx(
                0, abs=1e-9
            )
