"""`arena replay`: show, verify, export, fork."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.cli import files
from engine.rules.events import ELIMINATED, FINISHED, FORFEITED

ROOT = Path(arena.__path__[0]).parent


def test_show_tells_every_turn(data: Callable[..., Any], match: Path) -> None:
    told = data("replay", "show", match)
    assert told["header"]["variant"] == "classic"
    assert told["header"]["seed"] == 5
    assert [turn["turn"] for turn in told["turns"]] == list(range(13))  # the set-up, and 4 rounds of 3 seats
    assert [turn["round"] for turn in told["turns"][1:]] == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
    assert all(turn["received"] >= 3 for turn in told["turns"][1:])
    assert told["result"]["ending"] == "round_limit"
    assert sum(told["turns"][-1]["territories"]) == len(told["board"]) == 42


def test_show_of_a_turn_lists_its_actions(data: Callable[..., Any], match: Path) -> None:
    setup, first = data("replay", "show", match, "--turn", 0), data("replay", "show", match, "--turn", 1)
    assert setup["moves"][0]["text"].startswith("roll_first ")
    assert setup["moves"][0]["seat"] is None
    assert sum(place["armies"] for place in setup["board"]) == 3 * 35
    assert first["opening"][0]["event"] == "income"
    assert first["moves"][0]["text"].startswith("place ")
    assert first["moves"][0]["action"] == len(setup["moves"])


def test_pages_are_readable(run: Callable[..., Any], match: Path) -> None:
    shown = run("replay", "show", match, "--table").stdout
    for part in (
        "classic, 3 seats, 12 turns, seed 5",
        "captured",
        "A random",
        "North America",
        "Ended by round limit",
    ):
        assert part in shown
    turn = run("replay", "show", match, "--turn", "2", "--table").stdout
    for part in ("Turn 2: ", "place ", "armies on ", "The board after turn 2", "cards"):
        assert part in turn
    assert "The set-up" in run("replay", "show", match, "--turn", "0", "--table").stdout


def test_data_has_what_the_pages_have(data: Callable[..., Any], match: Path) -> None:
    luck = data("replay", "show", match)["result"]["luck"]
    assert len(luck) == 3
    assert abs(sum(luck)) < 0.01
    turn = data("replay", "show", match, "--turn", 3)
    assert [seat["territories"] for seat in turn["seats"]] == turn["territories"]
    assert sum(seat["armies"] for seat in turn["seats"]) == sum(place["armies"] for place in turn["board"])
    assert all({"income", "cards"} <= set(seat) for seat in turn["seats"])


def test_losses_and_captures_tell_their_armies(run: Callable[..., Any], match: Path) -> None:
    events = [event for move in moves(run, match) for event in move["events"]]
    assert {event["amount"] for event in events if event["event"] == "lost"} == {0, 1, 2}
    fallen = next(move for move in moves(run, match) if "captured" in [one["event"] for one in move["events"]])
    page = run("replay", "show", match, "--turn", fallen["turn"], "--table").stdout
    assert re.search(r"captures .* from [A-F] with (1 army|\d+ armies)", " ".join(page.split()))


def test_pages_list_the_faults(run: Callable[..., Any], bot_file: Path, tmp_path: Path) -> None:
    path = tmp_path / "own.cqr"
    bots = ("--bot", "random", "--bot", f"{bot_file}:Crasher", "--bot", "random")
    assert run("play", *bots, "--rounds", 2, "--seed", 2, "--record", path).exit_code == 3
    told = json.loads(run("replay", "show", path).stdout)
    assert [fault["kind"] for fault in told["header"]["faults"]] == ["crash", "crash", "crash", "forfeit"]
    turns = [json.loads(run("replay", "show", path, "--turn", number).stdout) for number in range(7)]
    assert [fault for turn in turns for fault in turn["faults"]] == told["header"]["faults"]
    for more in ((), ("--turn", next(turn["turn"] for turn in turns if turn["faults"]))):
        page = run("replay", "show", path, "--table", *more).stdout
        assert "Faults" in page
        assert "ZeroDivisionError" in page


def test_a_match_that_a_lost_seat_ends_is_told_to_its_end(
    run: Callable[..., Any], bot_file: Path, tmp_path: Path
) -> None:
    path, crasher = tmp_path / "own.cqr", ("--bot", f"{bot_file}:Crasher")
    assert run("play", *crasher, *crasher, "--bot", "random", "--seed", 1, "--record", path).exit_code == 3
    last = files.story(path).turns[-1].events()
    assert [event.kind for event in last[-2:]] == [FORFEITED, FINISHED]


def test_narrow_pages_cut_no_names(run: Callable[..., Any], match: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    for more in ((), ("--turn", "2")):
        assert "…" not in run("replay", "show", match, "--table", *more).stdout


@pytest.mark.parametrize("turn", ["13", "-1"])
def test_there_is_no_such_turn(run: Callable[..., Any], match: Path, turn: str) -> None:
    result = run("replay", "show", match, "--turn", turn)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "turns 1 to 12" in result.stderr


def broken(match: Path, how: str) -> Path:
    """A file beside the record that is not one."""
    path = match.with_name(f"{how}.cqr")
    whole = match.read_bytes()
    contents = {"empty": b"", "foreign": b"PK\3\4 something else", "head": b"CQR1", "truncated": whole[:-40]}
    if how != "missing":
        path.write_bytes(contents[how])
    return path


@pytest.mark.parametrize("how", ["missing", "empty", "foreign", "head", "truncated"])
@pytest.mark.parametrize("words", ["show", "export --to jsonl", "fork --turn 1 --seat A --bot random"])
def test_file_that_is_no_record(run: Callable[..., Any], match: Path, how: str, words: str) -> None:
    path = broken(match, how)
    result = run("replay", *words.split(), path)
    assert (result.exit_code, result.stdout) == (2 if how == "missing" else 1, "")
    assert result.stderr.startswith(f"arena: {path}")
    assert result.stderr.count("\n") == 1


def test_verify_judges_each_file(run: Callable[..., Any], match: Path) -> None:
    result = run("replay", "verify", match, broken(match, "truncated"), broken(match, "missing"))
    told = json.loads(result.stdout)
    assert result.exit_code == 1
    assert [row["ok"] for row in told] == [True, False, False]
    assert told[0]["error"] is None
    assert all(row["error"] for row in told[1:])
    lines = run("replay", "verify", match, broken(match, "foreign"), "--table").stdout.splitlines()
    assert lines[0].startswith(f"{match}: ok")
    assert lines[1].startswith(f"{broken(match, 'foreign')}: ")


def test_verify_of_a_good_record_ends_well(run: Callable[..., Any], match: Path) -> None:
    assert run("replay", "verify", match).exit_code == 0


def test_verify_has_a_line_for_each_argument(run: Callable[..., Any], match: Path) -> None:
    assert len(run("replay", "verify", match, match, "--table").stdout.splitlines()) == 2
    missing = run("replay", "verify", broken(match, "missing"), "--table").stdout
    assert "Name a file that --record wrote." in missing


def test_messages_keep_the_path(run: Callable[..., Any], match: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (match.parent / "sub").mkdir()
    broken(match, "foreign")
    monkeypatch.chdir(match.parent / "sub")
    assert run("replay", "show", "../foreign.cqr").stderr.startswith("arena: ../foreign.cqr: ")


@pytest.mark.parametrize("words", ["export --to text --output", "fork --turn 1 --seat A --bot random --record"])
def test_the_record_that_is_read_is_not_written(run: Callable[..., Any], match: Path, words: str) -> None:
    before = match.read_bytes()
    link = match.with_name("link.cqr")
    link.symlink_to(match)
    for target in (match, link):
        result = run("replay", *words.split(), target, match)
        assert (result.exit_code, match.read_bytes() == before) == (2, True)
        assert "is the record that is read" in result.stderr


def test_export_has_a_line_for_each_action(run: Callable[..., Any], match: Path) -> None:
    lines = [json.loads(line) for line in run("replay", "export", match, "--to", "jsonl").stdout.splitlines()]
    header, *actions, result = lines
    assert header["header"]["actions"] == len(actions)
    assert [row["action"] for row in actions] == list(range(len(actions)))
    assert {"seat", "text", "events", "turn"} <= set(actions[0])
    assert sorted(result["result"]["places"])[0] == 1
    rolls = [event for row in actions for event in row["events"] if event["event"] == "rolled"]
    assert all(1 <= die <= 6 for roll in rolls for die in [*roll["attack"], *roll["defence"]])


def test_export_to_a_file_and_as_text(run: Callable[..., Any], match: Path, tmp_path: Path) -> None:
    target = tmp_path / "match.txt"
    result = run("replay", "export", match, "--to", "text", "--output", target)
    assert (result.exit_code, result.stdout) == (0, "")
    assert target.read_text().startswith("record classic 3 ")
    assert run("replay", "export", match, "--to", "text").stdout == target.read_text()
    assert run("replay", "export", match, "--to", "jsonl", "--output", tmp_path / "no" / "x").exit_code == 2
    assert run("replay", "export", match, "--to", "xml").exit_code == 2
    refused = run("replay", "export", match, "--to", "text", "--output", tmp_path)
    assert f"like {tmp_path / 'match.txt'}." in refused.stderr


def test_the_text_form_is_taken_like_a_record(run: Callable[..., Any], match: Path, tmp_path: Path) -> None:
    target = tmp_path / "match.txt"
    run("replay", "export", match, "--to", "text", "--output", target)
    assert run("replay", "verify", target).exit_code == 0
    assert run("replay", "show", target).stdout == run("replay", "show", match).stdout
    target.write_text(target.read_text().replace("seed 5", "seed 6"))
    wrong = run("replay", "verify", target, "--table")
    assert wrong.exit_code == 1
    assert "the keys are not those of seed 6" in wrong.stdout


def moves(run: Callable[..., Any], path: Path) -> list[dict[str, Any]]:
    lines = run("replay", "export", path, "--to", "jsonl").stdout.splitlines()
    return [json.loads(line) for line in lines[1:-1]]


def test_fork_keeps_what_was_before(run: Callable[..., Any], match: Path, tmp_path: Path) -> None:
    target = tmp_path / "fork.cqr"
    words = ("replay", "fork", match, "--turn", 4, "--seat", "b", "--bot", "cautious", "--seed", 9)
    result = run(*words, "--record", target)
    assert (result.exit_code, result.stderr) == (0, "")
    told = json.loads(result.stdout)
    assert [seat["bot"] for seat in told["seats"]] == ["random", "cautious", "random"]
    before, after = moves(run, match), moves(run, target)
    assert [row for row in before if row["turn"] < 4] == [row for row in after if row["turn"] < 4]
    assert before != after
    verified = run("replay", "verify", target)
    assert verified.exit_code == 0, verified.stdout
    assert (files.load(match).match_id, files.load(target).match_id) == ("seed-5", "fork-seed-9")


def test_fork_dice_are_new(run: Callable[..., Any], match: Path) -> None:
    words = ("replay", "fork", match, "--turn", 2, "--seat", "B", "--bot", "aggressor")
    told = [run(*words, *seed).stdout for seed in (("--seed", 1), ("--seed", 1), ("--seed", 2))]
    assert told[0] == told[1]
    assert told[0] != told[2]


def test_fork_asks_for_bots_of_files(run: Callable[..., Any], bot_file: Path, tmp_path: Path) -> None:
    path, bot = tmp_path / "own.cqr", f"{bot_file}:Honest"
    bots = ("--bot", "random", "--bot", bot, "--bot", "random")
    assert run("play", *bots, "--rounds", 2, "--record", path).exit_code == 0
    words = ("replay", "fork", path, "--turn", 1, "--seat", "A", "--bot", "cautious")
    refused = run(*words)
    assert refused.exit_code == 2
    assert "--bot B=BOT" in refused.stderr
    assert run(*words, "--bot", f"B={bot}").exit_code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--turn 99 --seat A --bot random", "no turn 99"),
        ("--turn 1 --seat Q --bot random", "seats A, B, C"),
        ("--turn 1 --seat A --bot nobody", "unknown bot 'nobody'"),
        ("--turn 1 --seat A --bot random --bot cautious", "two bots"),
        ("--turn 1 --seat A --bot B=random", "no bot for seat A"),
        ("--turn 1 --seat A --bot random --bot B=", "no bot for seat B"),
        ("--turn 1 --seat A --bot random --record missing/x.cqr", "no folder"),
        ("--seat A --bot random", "--turn"),
    ],
)
def test_fork_wrongly_asked_for(run: Callable[..., Any], match: Path, words: str, said: str) -> None:
    result = run("replay", "fork", match, *words.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert said in result.stderr


def test_fork_of_a_seat_that_is_gone(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "long.cqr"
    bots = ("--bot", "aggressor", "--bot", "aggressor", "--bot", "random")
    assert run("play", *bots, "--seed", 1, "--record", path).exit_code == 0
    turns = files.story(path).turns
    number, gone = next(
        (turn.number, event.piece) for turn in turns for event in turn.events() if event.kind == ELIMINATED
    )
    assert number < len(turns) - 1
    words = ("replay", "fork", path, "--bot", "random", "--seat", "ABC"[gone], "--turn")
    refused = run(*words, number + 1)
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert f"seat {'ABC'[gone]} is eliminated by then" in refused.stderr
    assert run(*words, number).exit_code == 0
