"""The text form of records: what is written reads back, and a wrong line is named."""

import pytest

from conquest.v1.record_pb2 import MatchRecord
from engine import record, record_text
from engine.playout import CRASH, FORFEIT
from engine.record import RecordError
from tests.engine.test_record import TABLES, Faulty, played


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_what_is_written_reads_back(name: str, seats: int) -> None:
    kept = played(name, seats, seed=4)
    assert record_text.read(record_text.write(kept)) == kept


def test_faults_names_and_forks_read_back() -> None:
    kept = played(policies=[Faulty(seed, faults=3 if seed else 2) for seed in range(3)])
    assert {one.kind for one in kept.conduct} == {CRASH, FORFEIT}
    kept.seats[0].agent = 'a "quoted"\nname\u2028, # and more'
    kept.seats[1].house = True
    kept.seeded, kept.seed = False, 0
    kept.forks.add(match_id="older one", action=3, match_key=bytes(32), setup_key=bytes(range(32)))
    kept.seal = record.seal_of(kept)
    assert record_text.read(record_text.write(kept)) == kept


def test_people_may_add_comments_and_leave_out_the_rest() -> None:
    kept = played()
    lines = record_text.write(kept).splitlines()
    short = [line for line in lines if line.split()[0] not in ("version", "engine", "match")]
    read = record_text.read("\n".join(["", "# mine", *short]).replace("\n", "\n\n"))
    assert (read.choices, read.amounts, read.digests) == (kept.choices, kept.amounts, kept.digests)


def text_of(kept: MatchRecord | None = None) -> list[str]:
    return record_text.write(kept or played()).splitlines()


def refusal(lines: list[str]) -> str:
    with pytest.raises(RecordError) as caught:
        record_text.read("\n".join(lines))
    return str(caught.value)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("version 7", "needs version 7"),
        ("match test", "Expecting value"),
        ("match 7", "no text in double quotes"),
        ("keys 12", "the head of a record has lines like"),
        ("keys 12 xy", "hexadecimal"),
        ("seed -1", ""),
        ('seat B "bot"', "the next seat is A"),
        ("weather fine", "the head of a record has lines like"),
        ("A claim ala 1", "claim is not among"),
        ("B roll_first 1 1 1", "it is - who acts here"),
        ('fault A sleep "x"', "a fault is a seat, one of timeout"),
        ('fault F crash "x"', "there is no seat F"),
        ("result 1 2 3 conquest 4", "the match as written comes to 'playing 0'"),
    ],
)
def test_a_bad_line_is_named(line: str, told: str) -> None:
    lines = text_of()[:1] + [line] + ["- roll_first 1 1 1"]
    refused = refusal(lines)
    assert refused.startswith("line ")
    assert told in refused


def test_a_text_out_of_order_is_refused() -> None:
    lines = text_of()
    assert "a record starts with" in refusal(lines[1:])
    assert "cut short" in refusal(lines[:-1])
    assert "nothing comes after the result" in refusal([*lines, "stop"])
    assert "ends where its actions begin" in refusal([*lines[:-1], "seed 5"])
    assert "comes to '2 1 3 round_limit 12'" in refusal([*lines[:-1], "result 1 2 3 round_limit 12"])


def test_a_changed_card_is_left_to_verify() -> None:
    lines = text_of()
    drawn = [line for line in lines if line.startswith("- draw ")]
    other = next(line for line in ("- draw ala", "- draw sia") if line not in drawn)
    last = max(number for number, line in enumerate(lines) if line == drawn[-1])
    lines[last] = other
    with pytest.raises(RecordError, match=f"the record says '{other[2:]}', the key gives '{drawn[-1][2:]}'"):
        record.verify(record_text.read("\n".join(lines)))
