"""The range of packages we allow: `make oldest` plays on its lower end, these tests on what is installed."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.referee import short_match

ROOT = Path(__file__).parent.parent


def test_the_oldest_packages_are_the_lowest_that_are_allowed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["referee"]]
    lowest = dict(re.findall(r"^([\w-]+)>=([\d.]+)", "\n".join(asked), re.MULTILINE))
    assert len(lowest) == len(asked)
    tried = dict(re.findall(r"^([\w-]+)==([\d.]+)$", (ROOT / "requirements/oldest.in").read_text(), re.MULTILINE))
    assert {name: version.removesuffix(".0") for name, version in tried.items()} == lowest


def test_a_match_is_the_same_in_one_process_and_over_tcp(capsys: pytest.CaptureFixture[str]) -> None:
    short_match.main()
    assert "on protobuf" in capsys.readouterr().out
