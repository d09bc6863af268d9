"""`arena play`: matches, series, records, and everything that can be given wrongly."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.matches import series
from engine.rules.state import COLOURS
from engine.rules.variants import VARIANTS
from sdk.local import load_bot

THREE = ("play", "--bot", "random", "--bot", "aggressor", "--bot", "random")
SHORT = (*THREE, "--rounds", "2")


def test_one_match_tells_who_came_where(data: Callable[..., Any]) -> None:
    told = data(*SHORT, "--seed", 1)
    assert [seat["bot"] for seat in told["seats"]] == ["random", "aggressor", "random"]
    assert [seat["colour"] for seat in told["seats"]] == list(COLOURS[:3])
    assert min(seat["place"] for seat in told["seats"]) == 1
    assert (told["rounds"], told["ending"], told["record"]) == (2, "round_limit", None)
    assert all(isinstance(seat["luck"], float) for seat in told["seats"])


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_is_played(data: Callable[..., Any], variant: str) -> None:
    assert data(*SHORT, "--variant", variant)["variant"] == variant


def test_a_seed_gives_the_same_record(run: Callable[..., Any], tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one.cqr", "two.cqr", "other.cqr")]
    for path, seed in zip(paths, (7, 7, 8), strict=True):
        assert run(*SHORT, "--seed", seed, "--record", path).exit_code == 0
    one, two, other = [path.read_bytes() for path in paths]
    assert one == two
    assert one != other


def test_without_a_seed_dice_differ(run: Callable[..., Any], tmp_path: Path) -> None:
    for name in ("one", "two"):
        run(*SHORT, "--record", tmp_path / name)
    assert (tmp_path / "one").read_bytes() != (tmp_path / "two").read_bytes()


def test_table_of_one_match(run: Callable[..., Any], tmp_path: Path) -> None:
    shown = run(*SHORT, "--table", "--record", tmp_path / "m.cqr").stdout
    for part in ("place", "luck", "A black", "B blue", "aggressor", "round limit in round 2", "Record: "):
        assert part in shown


def test_options_and_rounds(data: Callable[..., Any]) -> None:
    assert data(*THREE, "--option", "rounds=1")["rounds"] == 1
    words = (*SHORT, "--variant", "ad2210-classic", "--option", "disputed_border=0")
    assert data(*words)["options"] == {"disputed_border": 0, "rounds": 2}


def test_series_rotates_seats_and_counts_places(data: Callable[..., Any]) -> None:
    told = data(*SHORT, "--matches", 6, "--seed", 1)
    assert told["matches"] == 6
    assert [bot["bot"] for bot in told["bots"]] == ["random (1)", "aggressor", "random (2)"]
    assert all(sum(bot["places"].values()) == 6 for bot in told["bots"])
    assert sum(bot["wins"] for bot in told["bots"]) <= 6


def test_series_writes_a_folder_of_records(run: Callable[..., Any], tmp_path: Path) -> None:
    folder = tmp_path / "new" / "records"
    assert run(*SHORT, "--matches", 3, "--record", folder).exit_code == 0
    paths = sorted(folder.iterdir())
    assert [path.name for path in paths] == ["0001.cqr", "0002.cqr", "0003.cqr"]
    result = run("replay", "verify", *paths)
    assert result.exit_code == 0
    seats = [json.loads(run("replay", "show", path).stdout)["header"]["seats"] for path in paths]
    assert [[seat["bot"] for seat in row].index("aggressor") for row in seats] == [1, 0, 2]


def test_series_are_made_one_by_one() -> None:
    entries = [load_bot("random")] * 3
    fixtures = series("classic", {}, entries, 10**9, None)
    first, *others = [next(fixtures) for _ in range(4)]
    assert [first.keys[1] == other.keys[1] for other in others] == [True, True, False]
    assert len({fixture.keys[0] for fixture in (first, *others)}) == 4


def test_series_table(run: Callable[..., Any]) -> None:
    shown = run(*SHORT, "--matches", 3, "--table").stdout
    for part in ("3 matches, seats rotated", "mean place", "#3", "aggressor", "matches/s"):
        assert part in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--variant", "clasic"], "Did you mean 'classic'? Known: classic, officers"),
        (["--bot", "randm"], "Did you mean 'random'?"),
        (["--bot", "random"] * 4, "3, 4, 5, 6 players, not for 7"),
        (["--option", "rounds"], "name=number"),
        (["--option", "rounds=many"], "name=number"),
        (["--option", "=3"], "name=number"),
        (["--option", "rounds=" + "9" * 5000], "name=number"),
        (["--option", "rounds=٣"], "name=number"),
        (["--seed", str(2**63 - 2), "--matches", "3"], f"take {2**63 - 3} at most"),
        (["--option", "rounds=3", "--option", "rounds=4"], "given twice"),
        (["--option", "rounds=0"], "between 1 and 1000"),
        (["--option", "turns=3"], "Known: rounds"),
        (["--rounds", "5000"], "between 1 and 1000"),
        (["--rounds", "5", "--option", "rounds=6"], "differ"),
        (["--seed", "-1"], "--seed"),
        (["--matches", "0"], "--matches"),
        (["--bot", "nowhere.py:Bot"], "nowhere.py does not exist"),
        (["--bot", "nowhere.py"], "path/file.py:Class"),
    ],
)
def test_wrong_use_is_one_line(run: Callable[..., Any], words: list[str], said: str) -> None:
    result = run(*THREE, *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("arena: ")
    assert result.stderr.count("\n") == 1
    assert said in result.stderr


def test_record_path_is_checked_before_playing(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.matches.play", lambda *_: pytest.fail("it played"))
    (tmp_path / "file").write_text("mine")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "to_pipe").symlink_to(tmp_path / "pipe")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "0007.cqr").write_text("mine")
    for target, more in (
        (tmp_path, ()),
        (tmp_path / "missing" / "m.cqr", ()),
        (tmp_path / "file" / "m.cqr", ()),
        (f"{tmp_path}/new/", ()),
        (tmp_path / "loop", ()),
        (tmp_path / "pipe", ()),
        (tmp_path / "to_pipe", ()),
        (tmp_path / "full", ("--matches", 2)),
        (tmp_path / "file", ("--matches", 2)),
        (tmp_path / "file" / "folder", ("--matches", 2)),
    ):
        result = run(*SHORT, "--record", target, *more)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert str(target) in result.stderr
    assert (tmp_path / "file").read_text() == (tmp_path / "full" / "0007.cqr").read_text() == "mine"
    assert (tmp_path / "pipe").is_fifo()
    assert not (tmp_path / "new").exists()


def test_record_is_written_through_a_link(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    link, file = tmp_path / "link.cqr", tmp_path / "far" / "match.cqr"
    link.symlink_to(file)
    for _ in range(2):
        assert run(*SHORT, "--record", link).exit_code == 0
        assert link.is_symlink()
        assert file.read_bytes().startswith(b"CQR1")


def test_read_only_file_is_left_alone(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "m.cqr").write_text("mine")
    monkeypatch.setattr("os.access", lambda _, mode: mode != os.W_OK)  # root may write everything
    result = run(*SHORT, "--record", tmp_path / "m.cqr")
    assert (result.exit_code, (tmp_path / "m.cqr").read_text()) == (2, "mine")
    assert "is read-only" in result.stderr


@pytest.mark.parametrize(
    ("source", "name", "said"),
    [
        ("import nothing_of_that_name", "Bot", "does not import: ModuleNotFoundError"),
        ("def broken(:", "Bot", "does not import: SyntaxError"),
        ("import sys; sys.exit(0)", "Bot", "does not import: SystemExit"),
        ("class Bot: pass", "Bot", "not name a subclass"),
        ("from sdk.agent import Agent\nclass Mine(Agent): pass", "Bot", "Bots in that file: Mine."),
    ],
)
def test_bot_file_that_cannot_be_used_plays_nothing(
    run: Callable[..., Any], tmp_path: Path, source: str, name: str, said: str
) -> None:
    path = tmp_path / "bot.py"
    path.write_text(source)
    result = run(*SHORT, "--bot", f"{path}:{name}", "--record", tmp_path / "m.cqr")
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "m.cqr").exists()


def test_bot_that_cannot_be_made_plays_nothing(run: Callable[..., Any], bot_file: Path) -> None:
    result = run(*SHORT, "--bot", f"{bot_file}:Stillborn")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "OSError: no model file" in result.stderr
    assert f"{bot_file.name}:" in result.stderr


def test_bot_of_a_file_plays(run: Callable[..., Any], bot_file: Path) -> None:
    result = run(*SHORT, "--bot", f"{bot_file}:Honest")
    assert (result.exit_code, result.stderr) == (0, "")


def test_bot_that_raises_is_named_and_the_record_kept(
    run: Callable[..., Any], bot_file: Path, tmp_path: Path
) -> None:
    record = tmp_path / "m.cqr"
    result = run(*SHORT, "--bot", f"{bot_file}:Crasher", "--record", record)
    line = bot_file.read_text().splitlines().index('            raise ZeroDivisionError("too clever")') + 1
    assert result.exit_code == 3
    assert result.stderr.count("\n") == 1
    what = "raised ZeroDivisionError: too clever"
    for part in (f"bot {bot_file.name}:Crasher", "seat D", what, f"{bot_file.name}:{line}"):
        assert part in result.stderr
    told = json.loads(result.stdout)
    assert told["seats"][3]["place"] == 4
    assert len(told["faults"]) == 3
    assert run("replay", "verify", record).exit_code == 0
    assert "Traceback" in run(*SHORT, "--bot", f"{bot_file}:Crasher", "-v").stderr


def test_bot_that_cannot_be_made_later_loses_only_its_seat(run: Callable[..., Any], bot_file: Path) -> None:
    result = run(*SHORT, "--bot", f"{bot_file}:Late", "--matches", 2)
    assert result.exit_code == 3
    told = json.loads(result.stdout)
    assert (told["matches"], told["bots"][3]["places"]["4"]) == (2, 2)
    (fault,) = told["faults"]
    assert (fault["kind"], fault["count"]) == ("crash", 6)
    assert "cannot be made: OSError: no model file (some_bots.py:" in fault["first"]
    assert result.stderr.splitlines()[:2] == ["made", "made"]  # and not among the results
    assert result.stderr.splitlines()[-1].endswith("(the first of 6)")


def test_tables_count_the_faults(run: Callable[..., Any], bot_file: Path) -> None:
    for more in ((), ("--matches", 2)):
        shown = run(*SHORT, "--bot", f"{bot_file}:Cheat", "--table", *more).stdout
        row = next(line for line in shown.splitlines() if "Cheat" in line)
        assert row.split()[-1] == ("6" if more else "3")


def test_bot_that_cheats_is_named(run: Callable[..., Any], bot_file: Path) -> None:
    result = run(*SHORT, "--bot", f"{bot_file}:Cheat", "--matches", 2)
    assert result.exit_code == 3
    assert "illegal" in result.stderr
    assert "999" in result.stderr


CHATTY = """
from sdk.agent import Agent, Answer

print("hello")

class Bot(Agent):
    def decide(self, decision):
        print("hm")
        return Answer(0, decision.options[0].low)
"""


def test_names_are_shown_as_they_are(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "[bold]bot.py"
    path.write_text(CHATTY)
    record = tmp_path / "[red]m.cqr"
    shown = run(*SHORT, "--bot", f"{path}:Bot", "--table", "--record", record).stdout
    assert "[bold]bot.py:Bot" in shown
    assert "[red]m.cqr" in "".join(shown.split())


def test_what_a_bot_prints_stays_out_of_the_result(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "chatty.py"
    path.write_text(CHATTY)
    result = run(*SHORT, "--bot", f"{path}:Bot")
    assert json.loads(result.stdout)["seats"][3]["bot"] == "chatty.py:Bot"
    assert result.stderr.startswith("hello\nhm\n")
