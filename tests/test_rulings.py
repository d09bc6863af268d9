"""Every ruling that docs/rulings calls pinned is marked on a test, and every mark is a ruling written there.

A row of those pages starts with `| number | state |`; the state is `pinned`, `cosmetic` or `later`.
"""

import ast
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROW = re.compile(r"^\| ([A-Z0-9]+(?:-\d+)?[a-z]?) \| (pinned|cosmetic|later) \|", re.MULTILINE)


def written() -> dict[str, str]:
    """The state of every numbered ruling."""
    rows = [
        row
        for page in sorted((ROOT / "docs/rulings").glob("*.md"))
        for row in ROW.findall(page.read_text("utf-8"))
    ]
    twice = [number for number, count in Counter(number for number, _ in rows).items() if count > 1]
    assert twice == []
    return dict(rows)


def marked() -> dict[str, list[str]]:
    """The tests that carry the mark of each ruling."""
    tests: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for mark in node.decorator_list:
                    for number in numbers_of(mark):
                        tests.setdefault(number, []).append(f"{path.relative_to(ROOT).as_posix()}::{node.name}")
    return tests


def numbers_of(mark: ast.expr) -> list[str]:
    if not isinstance(mark, ast.Call) or ast.unparse(mark.func) != "pytest.mark.ruling":
        return []
    return [
        number.value for number in mark.args if isinstance(number, ast.Constant) and isinstance(number.value, str)
    ]


def test_every_pinned_ruling_has_a_test() -> None:
    tests = marked()
    assert [number for number, state in written().items() if state == "pinned" and number not in tests] == []


def test_every_mark_is_written_down_as_pinned() -> None:
    states = written()
    assert {number: where for number, where in marked().items() if states.get(number) != "pinned"} == {}


def test_classic_rows_are_all_there() -> None:
    lettered = ["R15a", "R15b", "R15c", "R15d", "R15e", "R19a", "R19b", "R26a", "R26b", "R26c", "R26d", "R31a"]
    rulings = [f"R{number}" for number in range(1, 67)]
    expected = [
        *[f"M{row}" for row in (*range(1, 70), *range(71, 92))],
        *rulings,
        *lettered,
        *[f"T{fact}" for fact in range(1, 9)],
    ]
    assert [number for number in expected if number not in written()] == []
