"""docs/wire.md says what the code does: its example, its reasons, its steps and its limits."""

import re
from pathlib import Path

from google.protobuf.message import Message

from conquest.v1.error_pb2 import ErrorReason
from conquest.v1.record_pb2 import ConductKind
from conquest.v1.referee_pb2 import Action, Decision, Hello, PlayRequest
from engine import codec
from engine.referee import limits
from engine.referee.service import STATUS
from engine.rules.observe import observe
from engine.rules.positions import read_state
from engine.rules.steps import STEP_NAMES

PAGE = (Path(__file__).parents[1] / "docs/wire.md").read_text(encoding="utf-8")

# docs/time.md tells these.
ON_THE_PAGE_ABOUT_TIME = {
    "SLICE_SECONDS",
    "BEAT_SECONDS",
    "BEAT_SLACK_SECONDS",
    "ROUND_TRIP_WINDOW_SECONDS",
    "ROUND_TRIP_SECONDS",
    "LONGEST_SECONDS",
}


def rows(heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, without its head and without quotes."""
    lines = PAGE.partition(f"# {heading}\n")[2].partition("\n#")[0].splitlines()
    table = [line for line in lines if line.startswith("| ")]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in table[2:]]


def example() -> dict[str, bytes]:
    """The bytes of the page's blocks, by name."""
    blocks = "".join(re.findall(r"^```example\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
    pairs = [line.split(" = ") for line in blocks.splitlines()]
    return {name: bytes.fromhex(column) for name, column in pairs}


def columns(message: Message, prefix: str) -> dict[str, bytes]:
    sent = {f"{prefix}.{field.name}": value for field, value in message.ListFields()}
    return {name: value for name, value in sent.items() if isinstance(value, bytes)}


def test_the_example_is_what_the_codec_writes() -> None:
    (position,) = re.findall(r"^    (classic 3; .*)$", PAGE, re.MULTILINE)
    r, s = read_state(position)
    codes: list[int] = []
    r.options(s, 0, codes)
    decision = Decision(observation=codec.write_observation(observe(r, s, 0)), options=codec.write_options(codes))
    answer = Action(handle=0x1234567800000010, number=7, option=1, amount=3)
    hello = Hello(api_version=1, client="mine", events=True)
    assert example() == {
        **columns(decision.observation, "observation"),
        **columns(decision.options, "options"),
        "action": PlayRequest(actions=[answer]).SerializeToString(),
        "hello": PlayRequest(hello=hello).SerializeToString(),
    }
    numbers = {field.name: value for field, value in decision.observation.ListFields() if isinstance(value, int)}
    assert numbers == {"round": 1, "rounds_left": 99, "groups": 1}


def reason_name(reason: int) -> str:
    return ErrorReason.Name(ErrorReason.ValueType(reason)).removeprefix("ERROR_REASON_")


def test_every_reason_is_told_with_its_status() -> None:
    told = {row[0]: row[1] for row in rows("Reasons")}
    expected = dict.fromkeys(ErrorReason.values()[1:], "Refusal")
    expected |= {reason: status.name for reason, status in STATUS.items()}
    expected[ErrorReason.ERROR_REASON_TOO_LARGE] = "RESOURCE_EXHAUSTED"  # gRPC itself refuses
    assert told == {reason_name(reason): status for reason, status in expected.items()}
    assert all(len(row) == 4 and all(row) for row in rows("Reasons"))


def test_every_kind_of_conduct_is_told() -> None:
    kinds = [name.removeprefix("CONDUCT_KIND_") for name in ConductKind.keys()[1:]]
    assert [row[0] for row in rows("Refusals and conduct")] == kinds


def test_every_step_is_told() -> None:
    assert {int(row[0]): row[1] for row in rows("Steps")} == STEP_NAMES


def test_every_limit_is_told() -> None:
    told = {row[0]: float(row[1]) for row in rows("Limits")}
    set_here = {name: value for name, value in vars(limits).items() if name.isupper()}
    assert told == {name: value for name, value in set_here.items() if name not in ON_THE_PAGE_ABOUT_TIME}
    assert set_here.keys() >= ON_THE_PAGE_ABOUT_TIME


def test_limits_in_the_prose_exist() -> None:
    named = set(re.findall(r"`([A-Z]+_[A-Z_]+)`", PAGE))
    reasons = {row[0] for row in rows("Reasons")}
    kinds = set(ConductKind.keys())
    assert named - reasons - kinds - {row[0] for row in rows("Limits")} == set()
