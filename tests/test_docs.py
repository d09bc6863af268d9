"""The pages: links lead somewhere, commands exist, examples run, nothing names a machine or a registry."""

import ast
import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from arena.cli import main as arena
from engine.chance import Chance, seeded_keys
from engine.playout import Caretaker, Policy, play_out
from engine.rules.boards.board import load
from engine.rules.observe import observe
from engine.rules.ruleset import Ruleset
from engine.rules.state import AUDIENCE, State
from engine.rules.variants import VARIANTS, ruleset
from sdk.agent import Agent, Decision

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("examples/*/*.md"), *(ROOT / "docs").rglob("*.md")])
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
COMMAND = re.compile(r"^arena [^\n]*|`(arena [^`]*)`", re.MULTILINE)
TARGET = re.compile(r"`make ([a-z-]+)|^make ([a-z-]+)", re.MULTILINE)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def anchors(path: Path) -> set[str]:
    """The headings of a page as the ends of links."""
    prose = FENCE.sub("", text_of(path))
    words = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in HEADING.findall(prose)]
    return {heading.strip().replace(" ", "-") for heading in words}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for link in LINK.findall(FENCE.sub("", text_of(page))):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_machine_and_no_registry_is_named(page: Path) -> None:
    """Paths of whoever wrote it, and hosts that packages come from, are no business of the reader."""
    machine = re.compile(r"(?<![\w.])/(?:home|root|tmp|work|opt|usr|mnt|Users)/|[A-Z]:\\|\bfile://")
    host = re.compile(r"\b(?:pypi\.org|pythonhosted|artifactory|index-url|localhost|\d+\.\d+\.\d+\.\d+)\b")
    assert [found for found in (machine.search(text_of(page)), host.search(text_of(page))) if found] == []


def test_every_page_is_reached_from_the_readme() -> None:
    """A link to a folder reaches all pages in it."""
    reached, waiting = set[Path](), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or not page.exists():
            continue
        reached.add(page)
        if page.is_dir():
            waiting += page.glob("*.md")
        elif page.suffix == ".md":
            links = [link.partition("#")[0] for link in LINK.findall(text_of(page)) if "://" not in link]
            waiting += [(page.parent / link).resolve() for link in links if link]
    assert [name_of(page) for page in PAGES if page not in reached] == []


# Commands


def commands() -> Iterator[str]:
    for page in PAGES:
        for found in COMMAND.finditer(text_of(page)):
            yield found[1] or found[0]


@pytest.mark.parametrize("line", sorted(set(commands())))
def test_commands_exist(line: str) -> None:
    """Names of commands and of their options, in the prose as in the examples."""
    command: click.Command = arena
    context = click.Context(arena, info_name="arena")
    words = line.split("#")[0].split()[1:]
    while words and isinstance(command, click.Group) and not words[0].startswith("-"):
        found = command.get_command(context, words.pop(0))
        assert found is not None
        command = found
    known = {option for parameter in command.get_params(context) for option in parameter.opts}
    assert {word for word in words if word.startswith("-")} <= known


def test_make_targets_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    named = {one or other for page in PAGES for one, other in TARGET.findall(text_of(page))}
    assert named - targets == set()
    assert {"run", "test"} <= named


# The readme's example, table and picture


class Shown(Policy):
    """Shows an agent what its seat may know."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    def choose(self, r: Ruleset, s: State, seat: int, codes: list[int]) -> tuple[int, int]:
        option, amount, _, _ = self.agent.decide(Decision(r, lambda: observe(r, s, seat), codes))
        assert 0 <= option < len(codes)
        return option, amount


def test_bot_of_the_readme_wins_against_nobody(tmp_path: Path) -> None:
    (source,) = [code for language, code in FENCE.findall(README) if language == "python"]
    body = next(node for node in ast.parse(source).body if isinstance(node, ast.ClassDef))
    assert body.end_lineno is not None
    assert body.end_lineno - body.lineno < 10, "ten lines were promised"
    file = tmp_path / "bully.py"
    file.write_text(source)
    bully = runpy.run_path(str(file))["Bully"]
    r = ruleset("classic", 3)
    s = r.new()
    play_out(r, s, [Shown(bully(1)), Caretaker(), Caretaker()], Chance(*seeded_keys(1)))
    assert s.places[0] == 1


def test_readme_lists_the_variants() -> None:
    told = dict(re.findall(r"^\| `([\w-]+)` \| ([\d-]+) \|", README, re.MULTILINE))
    assert told == {one.name: f"{one.players[0]}-{one.players[-1]}" for one in VARIANTS.values()}


def test_picture_is_drawn_from_the_board() -> None:
    draw = runpy.run_path(str(ROOT / "docs/img/draw_board.py"))["draw"]
    assert draw(load("classic", "land")) == text_of(ROOT / "docs/img/classic.svg")


# Pages that repeat what the code says


def test_architecture_tells_who_may_know_each_field() -> None:
    page = text_of(ROOT / "docs/architecture.md").partition("## State")[2].partition("## Observations")[0]
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    assert {field for row in rows for field in re.findall(r"`(\w+)`", row)} == set(AUDIENCE)


def test_dependencies_are_explained() -> None:
    """Every package of pyproject.toml has its row in the decision, and no other has."""
    project = text_of(ROOT / "pyproject.toml").partition("[project.scripts]")[0]
    asked = set(re.findall(r'"([a-z][a-z0-9_-]*)(?:\[\w+\])?[><=]', project)) - {"python"}
    page = text_of(ROOT / "docs/decisions/0006-dependencies.md")
    rows = [line.split("|")[2] for line in page.splitlines() if line.startswith("| ")]
    told = {package for row in rows for package in re.findall(r"`([\w-]+)`", row)}
    assert told == asked


def test_decisions_are_numbered_and_have_three_parts() -> None:
    pages = sorted((ROOT / "docs/decisions").glob("*.md"))
    for number, page in enumerate(pages, 1):
        assert page.name.startswith(f"{number:04}-")
        assert text_of(page).startswith(f"# {number}. ")
        assert re.findall(r"^## (.*)$", text_of(page), re.MULTILINE) == [
            "Context",
            "Decision",
            "Consequences",
        ]


def test_record_page_names_every_field() -> None:
    message = text_of(ROOT / "proto/conquest/v1/record.proto").partition("message MatchRecord {")[2]
    fields = set(re.findall(r"^  (?:repeated )?\w+ (\w+) = \d+;", message.partition("\n}")[0], re.MULTILINE))
    page = text_of(ROOT / "docs/records.md")
    assert {field for field in fields - {"conduct", "result"} if f"`{field}`" not in page} == set()


def test_changelog_has_this_version() -> None:
    (version,) = re.findall(r'^version = "(.*)"$', text_of(ROOT / "pyproject.toml"), re.MULTILINE)
    headings = re.findall(r"^## \[(.*?)\]", text_of(ROOT / "CHANGELOG.md"), re.MULTILINE)
    assert headings[:2] == ["Unreleased", version]
