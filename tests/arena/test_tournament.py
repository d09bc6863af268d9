"""`arena tournament` and `arena compare`: from a file to a table, in this process and on Ray."""

import json
import signal
import sqlite3
import sys
import time
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from arena import tournaments
from arena.cli.tournament_view import picture
from arena.config import parse_config
from arena.config_keys import template
from arena.run import Snapshot
from engine import record
from leaderboard.standings import Standing
from leaderboard.store import open_store
from tests.arena.conftest import SLOW_BOT, Popen, Run

FILE = """
name = "open"
[format]
rounds = {rounds}
[[variants]]
name = "classic"
players = 3
options = {{ rounds = {length} }}
[[entrants]]
name = "A"
bot = "aggressor"
[[entrants]]
name = "B"
bot = "random"
[[entrants]]
name = "C"
bot = "{bot}"
"""


@pytest.fixture
def db(tmp_path: Path) -> str:
    return str(tmp_path / "arena.db")


def write(folder: Path, rounds: int = 2, length: int = 3, bot: str = "random") -> Path:
    path = folder / "open.toml"
    path.write_text(FILE.format(rounds=rounds, length=length, bot=bot))
    return path


def test_from_a_file_to_a_table(run: Run, tmp_path: Path, db: str) -> None:
    file = write(tmp_path)
    played = run("tournament", "run", file, "--workers", 0, "--store", db)
    assert played.exit_code == 0, played.stderr
    told = json.loads(played.stdout)
    assert (told["state"], told["progress"]["done"]) == ("finished", 6)
    assert sum(row["matches"] for row in told["standings"]) == 18
    assert json.loads(run("tournament", "show", "open", "--store", db).stdout) == told
    assert json.loads(run("tournament", "list", "--store", db).stdout)[0]["name"] == "open"
    assert json.loads(run("tournament", "watch", "open", "--store", db).stdout) == told
    for words in (("show", "open"), ("list",)):
        assert "open" in run("tournament", *words, "--store", db, "--table").stdout
    assert run("store", "check", "--all", "--store", db).exit_code == 0
    again = run("tournament", "run", file, "--workers", 0, "--store", db)
    assert (again.exit_code, "already" in again.stderr) == (1, True)
    over = run("tournament", "resume", "open", "--store", db)
    assert (over.exit_code, "finished" in over.stderr) == (2, True)


TWO_VARIANTS = """
name = "open"
[format]
{format}
[[variants]]
name = "classic"
players = 3
options = {{ rounds = 3 }}
[[variants]]
name = "classic"
players = 3
label = "short"
options = {{ rounds = 2 }}
"""


@pytest.mark.parametrize(
    ("format", "first", "last"),
    [('kind = "knockout"', "winner", "out in round 1"), ('kind = "swiss"\nrounds = 2', "point", "point")],
)
def test_every_variant_has_its_table(
    run: Run, tmp_path: Path, db: str, format: str, first: str, last: str
) -> None:
    file = tmp_path / "open.toml"
    bots = [f'[[entrants]]\nname = "{name}"\nbot = "aggressor"\n' for name in "ABCDE"]
    file.write_text(TWO_VARIANTS.format(format=format) + "".join(bots))
    told = json.loads(run("tournament", "run", file, "--workers", 0, "--store", db).stdout)
    variants = told["variants"]
    assert [one["variant"] for one in variants] == ["classic-3p", "short"]
    for one in variants:
        rows = one["standings"]
        assert (first in rows[0]["outcome"], last in rows[-1]["outcome"]) == (True, True)
    for name in "ABCDE":
        counts = [row["matches"] for one in variants for row in one["standings"] if row["entrant"] == name]
        assert sum(counts) == next(row["matches"] for row in told["standings"] if row["entrant"] == name)
    shown = run("tournament", "show", "open", "--store", db, "--table").stdout
    for words in ("open: finished", "classic-3p", "short", "outcome", first):
        assert words in shown


def test_the_points_of_a_swiss_are_those_of_whole_rounds(run: Run, tmp_path: Path, db: str) -> None:
    def points() -> float:
        told = json.loads(run("tournament", "show", "open", "--store", db).stdout)
        return sum(float(row["outcome"].split()[0]) for row in told["variants"][0]["standings"])

    file = write(tmp_path)
    file.write_text(file.read_text().replace("rounds = 2", 'kind = "swiss"\nrounds = 2', 1))
    run("tournament", "run", file, "--workers", 0, "--store", db)
    assert points() == 9.0
    with sqlite3.connect(db) as connection:  # as if it were not over
        connection.execute("UPDATE fixtures SET state = 'open' WHERE id = 'open/r2-classic-3p-0001-r0'")
    assert points() == 4.5


def test_matches_and_their_records(run: Run, tmp_path: Path, db: str) -> None:
    run("tournament", "run", write(tmp_path), "--workers", 0, "--store", db)
    rows = json.loads(run("tournament", "matches", "open", "--store", db).stdout)
    assert len(rows) == 6
    assert all(sorted(row["entrants"]) == ["A", "B", "C"] and 1 in row["places"] for row in rows)
    assert json.loads(run("tournament", "matches", "open", "--entrant", "B", "--store", db).stdout) == rows
    nobody = run("tournament", "matches", "open", "--entrant", "b", "--store", db)
    assert (nobody.exit_code, "Known: A, B, C" in nobody.stderr) == (2, True)
    match, file = rows[2]["match"], tmp_path / "match.cqr"
    assert match in run("tournament", "matches", "open", "--table", "--store", db).stdout
    assert run("tournament", "record", match, file, "--store", db).exit_code == 0
    assert list(record.read(file.read_bytes()).result.places) == rows[2]["places"]
    unknown = run("tournament", "record", "open/none", tmp_path / "none.cqr", "--store", db)
    assert (unknown.exit_code, "open/none" in unknown.stderr, (tmp_path / "none.cqr").exists()) == (1, True, False)


def test_a_file_that_begins_with_a_byte_order_mark(run: Run, tmp_path: Path, db: str) -> None:
    file = write(tmp_path, rounds=1)
    file.write_text(file.read_text(), encoding="utf-8-sig")
    assert run("tournament", "run", file, "--workers", 0, "--store", db).exit_code == 0


def test_commands_start_in_the_folder_of_the_file(run: Run, tmp_path: Path, db: str) -> None:
    bot = tmp_path / "bot.sh"
    bot.write_text(f"#!/bin/sh\nexec {sys.executable} -m arena bot run random\n")
    bot.chmod(0o755)
    played = run("tournament", "run", write(tmp_path, bot="cmd:./bot.sh"), "--workers", 0, "--store", db)
    progress = json.loads(played.stdout)["progress"]
    assert (progress["done"], progress["void"], progress["faults"]) == (6, 0, 0)


def test_bots_that_changed_are_not_gone_on_with(run: Run, tmp_path: Path, db: str) -> None:
    bot, command = tmp_path / "slow.py", tmp_path / "bot.sh"
    bot.write_text(SLOW_BOT)
    command.write_text("exit 1")
    text = write(tmp_path, bot="slow.py:Slow").read_text() + '[[entrants]]\nname = "D"\nbot = "cmd:./bot.sh"\n'
    with open_store(db) as store:
        tournaments.create(store, parse_config(text, "open.toml"), text, tmp_path)
    bot.write_text(SLOW_BOT + "# faster\n")
    command.write_text("exit 2")
    result = run("tournament", "resume", "open", "--store", db, "--workers", 0)
    assert (result.exit_code, "began with: C, D." in result.stderr) == (2, True)


def test_a_name_that_is_taken_leaves_nothing_behind(run: Run, tmp_path: Path, db: str) -> None:
    file = write(tmp_path)
    assert run("tournament", "run", file, "--workers", 0, "--store", db).exit_code == 0
    file.write_text(file.read_text().replace('"C"', '"Z"'))
    assert run("tournament", "run", file, "--workers", 0, "--store", db).exit_code == 1
    with sqlite3.connect(db) as connection:
        assert connection.execute("SELECT name FROM agents ORDER BY name").fetchall() == [("A",), ("B",), ("C",)]


def test_a_dead_cluster(run: Run, tmp_path: Path, db: str) -> None:
    result = run("tournament", "run", write(tmp_path), "--ray-address", "127.0.0.1:1", "--store", db)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "no cluster answers at 127.0.0.1:1" in result.stderr
    assert f"arena tournament resume open --store {db}" in result.stderr


def test_a_driver_that_is_gone(run: Run, tmp_path: Path, db: str) -> None:
    text = write(tmp_path).read_text()
    with open_store(db) as store:
        made = tournaments.create(store, parse_config(text, "open.toml"), text, tmp_path)
        store.set_state(store.take_lease(made.id, "dead", -1.0), "running")
    watched = run("tournament", "watch", "open", "--store", db)
    assert (watched.exit_code, "arena tournament resume open" in watched.stderr) == (1, True)
    assert "its driver is gone" in run("tournament", "list", "--store", db, "--table").stdout


def test_the_template_runs_as_it_is(run: Run, tmp_path: Path, db: str) -> None:
    file = tmp_path / "mine.toml"
    assert run("tournament", "init", file).exit_code == 0
    assert file.read_text() == template()
    assert run("tournament", "init", file).exit_code == 2
    plan = json.loads(run("tournament", "plan", file, "--workers", 2).stdout)
    assert plan["total"]["matches"] == 4
    assert "classic-4p" in run("tournament", "plan", file, "--table").stdout
    assert run("tournament", "run", file, "--workers", 0, "--store", db).exit_code == 0


def test_a_plan_tells_the_room_on_the_disk(run: Run, tmp_path: Path, db: str) -> None:
    file = write(tmp_path, rounds=20)
    total = json.loads(run("tournament", "plan", file).stdout)["total"]
    run("tournament", "run", file, "--workers", 0, "--store", db)
    assert total["matches"] == 60
    assert total["bytes"] == pytest.approx(Path(db).stat().st_size, rel=0.2)


def test_a_plan_ends_at_the_most_matches(run: Run, tmp_path: Path) -> None:
    """Rounds of both variants take turns: 3 and 3 matches, 3 and 1."""
    file = write(tmp_path, rounds=20)
    other = '[[variants]]\nname = "classic"\nplayers = 3\nlabel = "other"\n'
    file.write_text(f"{file.read_text()}{other}[stop]\nmax_matches = 10\n")
    plan = json.loads(run("tournament", "plan", file).stdout)
    assert [(row["matches"], row["rounds"]) for row in plan["variants"]] == [(6, 2), (4, 2)]
    assert plan["total"]["matches"] == 10


def test_on_ray_with_a_process_bot(run: Run, launch: Popen, tmp_path: Path, db: str) -> None:
    file = write(tmp_path, rounds=4, bot=f"cmd:{sys.executable} -m arena bot run random")
    driver = launch("tournament", "run", file, "--workers", 2, "--store", db)
    out, errors = driver.communicate(timeout=120)
    assert driver.returncode == 0, errors
    told = json.loads(out)
    assert (told["progress"]["done"], told["progress"]["void"], told["progress"]["faults"]) == (12, 0, 0)
    assert run("store", "check", "--all", "--store", db).exit_code == 0


def until(holds: Any, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def played(db: str) -> int:
    try:
        with open_store(db, create=False) as store:
            return store.progress(store.tournament("open").id).done
    except Exception:  # not yet there
        return 0


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_stopped_and_resumed(
    run: Run, launch: Popen, tmp_path: Path, db: str, how: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow.py").write_text(SLOW_BOT)
    file = write(tmp_path, rounds=20, bot="slow.py:Slow")
    monkeypatch.setenv("SLOW_BOT_SECONDS", "0.3")
    driver = launch("tournament", "run", file, "--workers", 0, "--store", db)
    until(lambda: played(db) > 3)
    driver.send_signal(how)
    _, errors = driver.communicate(timeout=60)
    if how != signal.SIGKILL:
        assert driver.returncode == 130
        assert "arena tournament resume open" in errors
    else:
        held = run("tournament", "resume", "open", "--store", db, "--workers", 0)
        assert (held.exit_code, "is driven by" in held.stderr) == (1, True)
        with sqlite3.connect(db) as connection:  # half a minute later
            connection.execute("UPDATE tournaments SET until = 0")
    monkeypatch.delenv("SLOW_BOT_SECONDS")
    resumed = run("tournament", "resume", "open", "--store", db, "--workers", 0)
    assert resumed.exit_code == 0, resumed.stderr
    assert json.loads(resumed.stdout)["progress"]["done"] == 60
    assert run("store", "check", "--all", "--store", db).exit_code == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('nmae = "x"', "Did you mean"),
        ('name = "x"', "variants"),
        (FILE.format(rounds=1, length=3, bot="random") + "absent = [1]\n", "classic-3p has no table"),
        (FILE.format(rounds=1, length=3, bot="random").replace('"open"', '"-open"'), "dash"),
        ("name = ", "TOML"),
        (FILE.format(rounds=1, length=3, bot="gone.py:Bot"), "gone.py"),
        (FILE.format(rounds=1, length=3, bot="agressor"), "aggressor"),
        (FILE.format(rounds=1, length=3, bot="random").replace("players = 3", "players = 4"), "entrants"),
    ],
)
def test_bad_files(run: Run, tmp_path: Path, db: str, text: str, told: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    for words in (("plan", file), ("run", file, "--store", db, "--workers", 0)):
        result = run("tournament", *words)
        assert (result.exit_code, result.stdout) == (2, "")
        assert told in result.stderr
    assert not Path(db).exists()


def test_every_problem_of_a_file_has_its_line(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(FILE.format(rounds=0, length=3, bot="random").replace("players = 3", "players = 4"))
    lines = run("tournament", "plan", file).stderr.splitlines()
    assert [line.split(": ")[:3] for line in lines] == [
        ["arena", str(file), "variants[1].players"],
        ["arena", str(file), "format.rounds"],
    ]


def test_bad_names(run: Run, tmp_path: Path, db: str) -> None:
    missing = run("tournament", "list", "--store", db)
    assert (missing.exit_code, "arena.db" in missing.stderr, Path(db).exists()) == (1, True, False)
    run("tournament", "run", write(tmp_path), "--workers", 0, "--store", db)
    for words in ("show", "resume", "pause", "cancel", "watch"):
        result = run("tournament", words, "opne", "--store", db)
        assert (result.exit_code, "open" in result.stderr) == (1, True)
    finished = run("tournament", "pause", "open", "--store", db)
    assert (finished.exit_code, "finished" in finished.stderr) == (1, True)


def test_the_live_view() -> None:
    standings = [Standing(0, 4, 0.75, 3, 0), Standing(1, 4, 0.25, 1, 2)]
    snapshot = Snapshot(2, 40, 60, 1, 0, 10.0, standings, ["worker-1 is lost"])
    console = Console(file=StringIO(), width=100)
    console.print(picture("cup", ["<b>", "B"], snapshot, expected=141))
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    for words in ("cup: 40 of 141 matches, 10.0 a second, 10 s left", "<b>", "0.750", "worker-1 is lost"):
        assert words in shown


# Comparing


def test_the_better_bot_is_found(run: Run) -> None:
    words = ("compare", "aggressor", "random", "--option", "rounds=15", "--workers", 0)
    better = run(*words, "--d1", 0.3)
    told = json.loads(better.stdout)
    assert (better.exit_code, told["decision"]) == (0, "better")
    assert told["low"] > 0
    worse = run("compare", "random", "aggressor", "--option", "rounds=15", "--workers", 0, "--d1", 0.3, "--table")
    assert (worse.exit_code, "not better" in worse.stdout) == (1, True)


def test_a_comparison_ends_at_its_limit(run: Run) -> None:
    words = ("compare", "random", "random", "--option", "rounds=2", "--workers", 0, "--most-blocks", 2)
    told = run(*words)
    assert (told.exit_code, json.loads(told.stdout)["blocks"]) == (1, 2)


def test_a_comparison_tells_the_faults(run: Run, bot_file: Path) -> None:
    words = ("--option", "rounds=3", "--workers", 0, "--most-blocks", 1)
    told = json.loads(run("compare", f"{bot_file}:Crasher", "random", *words).stdout)
    (fault,) = told["faults"]
    assert (fault["bot"], fault["kind"], fault["count"] > 6) == ("A", "crash", True)
    assert "too clever" in fault["first"]
    shown = run("compare", "random", "cmd:./no-such-bot", *words, "--table").stderr
    assert "B, disconnect: bot cmd:./no-such-bot cannot be started" in shown
    assert "(the first of 6)" in shown


def test_a_comparison_tells_why_blocks_were_left_out(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(spec: str) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr("arena.worker.load_bot", fail)
    words = ("compare", "random", "random", "--workers", 0, "--most-blocks", 2)
    told = json.loads(run(*words).stdout)
    assert (told["blocks"], told["dropped"], told["why_dropped"]) == (0, 2, "OSError: the disk is gone")
    assert "left out. The first: OSError: the disk is gone" in run(*words, "--table").stderr


@pytest.mark.parametrize(
    "words",
    [
        ("nobody", "random"),
        ("random", "cmd:"),
        ("random", "cmd:./bot 'un"),
        ("random", "random", "--players", 2),
        ("random", "random", "--d0", 0.5),
    ],
)
def test_bad_comparisons(run: Run, words: tuple[object, ...]) -> None:
    result = run("compare", *words, "--workers", 0)
    assert (result.exit_code, result.stdout) == (2, "")
