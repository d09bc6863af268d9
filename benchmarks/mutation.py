"""Do the tests of the rulings have teeth? Breaks the rules one by one and looks who notices.

    python -m benchmarks.mutation [--write]

Every mutant changes one place of engine/rules in a copy and runs only the tests that are marked with the
ruling it breaks, interpreted. One that nobody notices has survived. `--write` keeps the table in
docs/mutation.md.
A mutant whose text is no longer in the sources stops the run: rewrite it.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import NamedTuple

from benchmarks.mutants_of_two_and_teams import ROWS
from tests.test_rulings import marked

ROOT = Path(__file__).parent.parent
WORKERS = 2
RULES = "engine/rules/"
SECTIONS = RULES + "sections/"
SETUP, INCOME, CARDS = SECTIONS + "setup.py", SECTIONS + "income.py", SECTIONS + "cards.py"
COMBAT, FORTIFY, TURNS = SECTIONS + "combat.py", SECTIONS + "fortify.py", SECTIONS + "turns.py"
VARIANTS, CONTENTS, RULESET = (
    "engine/rules/variants.py",
    "engine/rules/contents.py",
    "engine/rules/ruleset.py",
)
PILE, ODDS = "engine/rules/cards.py", "engine/rules/odds.py"


class Mutant(NamedTuple):
    ruling: str
    path: str
    old: str
    new: str
    nth: int = 0  # which occurrence of `old`


MUTANTS = (
    Mutant("M1", VARIANTS, "(2, 3, 4, 5),", "(2, 3, 4, 5, 6),", 0),
    Mutant("M1", VARIANTS, "(2, 3, 4, 5),", "(2, 3, 4, 5, 6),", 1),
    Mutant("M2", CARDS, "WILDS: Final = 2", "WILDS: Final = 1"),
    Mutant("M5", VARIANTS, '"ad2210",\n            "land"', '"classic",\n            "land"'),
    Mutant("M6", "engine/rules/boards/classic.json", '"bonus": 7', '"bonus": 6'),
    Mutant("M8", CONTENTS, "5: 25", "5: 26"),
    Mutant("M8", CONTENTS, "6: 20", "6: 25"),
    Mutant("M9", SETUP, "face == max(dice)", "face == min(dice)"),
    Mutant("M10", SETUP, "s.turn = (seat + 1) % s.seats", "s.turn = (seat - 1) % s.seats"),
    Mutant("M10", SETUP, "if holder == NOBODY:", "if holder != seat:"),
    Mutant("M11", SETUP, "pack(PLACE, target=place, low=1, high=1)", "pack(PLACE, target=place, low=1, high=2)"),
    Mutant("M12", TURNS, "following = s.first", "following = 0"),
    Mutant(
        "M12",
        CONTENTS,
        "        *claimed_land(table),\n        HighestDie(),\n",
        "        *claimed_land(table),\n",
    ),
    Mutant("M13", CARDS, "*[r.board.size] * WILDS", "*[r.board.size - 1] * WILDS"),
    Mutant(
        "R4",
        SETUP,
        "        s.agenda.pop()\n        if empty:\n",
        "        s.agenda.pop()\n        s.turn = s.first\n        if empty:\n",
    ),
    Mutant("R4", SETUP, "placer = (s.turn + turns)", "placer = (s.first + turns)"),
    Mutant("R5", SETUP, "for turns in range(s.seats):", "for turns in range(1):"),
    Mutant("R6", SETUP, "sum(1 << roller for roller in best)", "(1 << s.seats) - 1"),
    Mutant("R6", SETUP, "if len(best) > 1:", "if len(best) > s.seats:"),
    Mutant("M14", INCOME, "max(3, s.held[seat] // 3)", "max(3, (s.held[seat] + 1) // 3)"),
    Mutant("M14", INCOME, "max(3, s.held[seat] // 3)", "s.held[seat] // 3"),
    Mutant("M15", INCOME, "return r.region_income(s, seat)", "return 0"),
    Mutant("M15", RULESET, "armies += board.region_bonus[region]", "armies = board.region_bonus[region]"),
    Mutant(
        "M16",
        INCOME,
        "        s.pool[seat] += armies\n",
        "        s.pool[seat] += armies if s.round > 1 else 0\n",
    ),
    Mutant(
        "R1",
        INCOME,
        "        s.pool[seat] += armies\n",
        "        s.pool[seat] += armies if s.round > 1 else 0\n",
    ),
    Mutant("M17", INCOME, "if holder == seat:", "if holder >= 0:"),
    Mutant("R3", INCOME, "        if left == 0:", "        if left >= 0:"),
    Mutant(
        "R2",
        COMBAT,
        "        s.captures += 1\n",
        "        s.captures += 1\n        s.pool[seat] += r.region_income(s, seat)\n",
    ),
    Mutant(
        "M18",
        CONTENTS,
        "        Trading(table.board, 2, 6, BOTTOM, values, table.most),\n",
        "        Deploy(),\n        Trading(table.board, 2, 6, BOTTOM, values, table.most),\n",
    ),
    Mutant("M19", CARDS, "len(set(symbols)) != 2", "len(set(symbols)) == 3"),
    Mutant("M19", CARDS, "len(set(symbols)) != 2", "True"),
    Mutant("R7", CARDS, "WILD_SYMBOL in symbols or", "symbols.count(WILD_SYMBOL) == 1 or"),
    Mutant("M20", CARDS, "5 * (sets - 2)", "5 * (sets - 3)"),
    Mutant("T1", CARDS, "(4, 6, 8, 10, 12, 15)", "(4, 6, 8, 10, 12, 14)"),
    Mutant("R8", CARDS, "if sets < 6 else", "if sets < 4 else"),
    Mutant(
        "R9",
        CARDS,
        "armies = r.receive(s, seat, self.value(s.sets, [",
        "armies = r.receive(s, seat, kinds.count(self.wild) + self.value(s.sets, [",
    ),
    Mutant("M21", CARDS, "        if optional and not s.picks:", "        if optional and s.picks:"),
    Mutant("M22", CARDS, "FORCED_AT_START: Final = 5", "FORCED_AT_START: Final = 6"),
    Mutant(
        "R15e",
        CARDS,
        "        s.picks = ()\n",
        "        s.picks = ()\n        if not mid_turn:\n            s.agenda.pop()\n",
    ),
    Mutant("M23", CONTENTS, "2, 6, BOTTOM", "2, 7, BOTTOM"),
    Mutant("M23", CONTENTS, "forced_after_elimination=5", "forced_after_elimination=6"),
    Mutant("R10", CONTENTS, "forced_after_elimination=6", "forced_after_elimination=7"),
    Mutant("R12", CONTENTS, "2, 6, BOTTOM", "2, 5, BOTTOM"),
    Mutant("M25", CARDS, ">= self.forced_after_elimination", ">= 5"),
    Mutant("M24", CARDS, "STOP_TRADING_AT: Final = 4", "STOP_TRADING_AT: Final = 3"),
    Mutant("M24", CARDS, "STOP_TRADING_AT: Final = 4", "STOP_TRADING_AT: Final = 5"),
    Mutant("R11", CONTENTS, "forced_after_elimination=5", "forced_after_elimination=9"),
    Mutant(
        "M26",
        CARDS,
        "        r.tell(s, DREW,",
        "        if len(s.hands[s.turn]) > 5:\n            push(s, TRADING_DOWN, s.turn)\n        r.tell(s, DREW,",
    ),
    Mutant("M27", CONTENTS, "2, 6, BOTTOM", "3, 6, BOTTOM"),
    Mutant("M27", CONTENTS, "territory_bonus=0", "territory_bonus=2"),
    Mutant("R15a", CARDS, "and not s.bonus and own", "and own"),
    Mutant("R15a", CARDS, "and not s.bonus and own", "and (mid_turn or not s.bonus) and own"),
    Mutant("R15a", RULESET, "        s.bonus = 0\n", ""),
    Mutant("R15b", CARDS, "            if len(own) == 1:", "            if own:"),
    Mutant("R15b", CARDS, "s.owner[kind] == seat]", "s.owner[kind] == seat and not mid_turn]"),
    Mutant("R15c", CARDS, "        if mid_turn:\n            push(s, DEPLOYING, seat)\n", ""),
    Mutant("R15d", CARDS, "len(set(symbols)) != 2", "len(set(symbols)) == 1"),
    Mutant("M28", CONTENTS, "2, 6, BOTTOM", "2, 6, DISCARD"),
    Mutant("M28", CONTENTS, "traded_to=DISCARD", "traded_to=BOTTOM", 0),
    Mutant("R13", CONTENTS, "traded_to=DISCARD", "traded_to=BOTTOM", 5),
    Mutant(
        "R15",
        PILE,
        "(*s.decks[deck], Group(s.groups, tuple(sorted(cards))))",
        "(Group(s.groups, tuple(sorted(cards))), *s.decks[deck])",
    ),
    Mutant("R15", CARDS, "if not s.decks[TERRITORY_DECK] and discards:", "if discards:"),
    Mutant("R15", CARDS, "            with_discards(s, TERRITORY_DECK, ())\n", ""),
    Mutant("M29", CARDS, "        if s.captures == 0:", "        if s.captures < 0:"),
    Mutant(
        "M29",
        CARDS,
        "            push(s, DRAW_STEP, CHANCE)",
        "            for _ in range(s.captures):\n                push(s, DRAW_STEP, CHANCE)",
    ),
    Mutant(
        "M30",
        CONTENTS,
        "        FortifyConnected(),\n        CardDraw(),",
        "        CardDraw(),\n        FortifyConnected(),",
    ),
    Mutant(
        "R14",
        CONTENTS,
        "        CardDraw(),\n        FortifyAdjacent(),",
        "        FortifyAdjacent(),\n        CardDraw(),",
    ),
    Mutant(
        "M31",
        COMBAT,
        "if owner[other] != seat:\n                        listed",
        "if True:\n                        listed",
    ),
    Mutant(
        "M31",
        "engine/rules/boards/classic.json",
        '"a": "alaska", "b": "kamchatka"',
        '"a": "alaska", "b": "japan"',
    ),
    Mutant("M32", COMBAT, "armies[place] > 1:\n                dice", "armies[place] > 0:\n                dice"),
    Mutant("M33", COMBAT, "dice = armies[place] - 1", "dice = armies[place]"),
    Mutant("M33", COMBAT, "dice < ATTACK_DICE else ATTACK_DICE", "dice < 2 else 2"),
    Mutant("M34", COMBAT, "if s.armies[target] > 1:", "if s.armies[target] > 2:"),
    Mutant("M34", COMBAT, "low=1, high=DEFENCE_DICE", "low=2, high=DEFENCE_DICE"),
    Mutant("M35", COMBAT, "dice * 4 + amount)", "dice * 4 + 2)"),
    Mutant(
        "R16",
        COMBAT,
        "push(s, DEFEND_STEP, self.defender(s, target), source, target, dice)",
        "push(s, ROLL_STEP, CHANCE, source, target, dice * 4 + 2)",
    ),
    Mutant("M36", ODDS, "int(high <= best) + int(low <= second)", "int(high < best) + int(low <= second)"),
    Mutant("R17", ODDS, "[int(high <= best) for", "[int(high < best) for"),
    Mutant("M37", COMBAT, "min(attack, defence) - attacker_loses", "attack - attacker_loses"),
    Mutant(
        "M38",
        COMBAT,
        "        elif s.armies[source] == 1 and not self.can_attack(s, s.turn):",
        "        else:",
    ),
    Mutant("R19a", COMBAT, "        listed.append(self.stop_code)\n", ""),
    Mutant("R19a", COMBAT, "pack(MOVE_IN, source, target, low=dice,", "pack(MOVE_IN, source, target, low=1,"),
    Mutant(
        "M39",
        COMBAT,
        "        s.armies[target] = dice\n        s.armies[source] -= dice",
        "        s.armies[target] = 1\n        s.armies[source] -= 1",
    ),
    Mutant("M40", COMBAT, "min(s.armies[source] - 1 + dice", "min(s.armies[source] + dice"),
    Mutant(
        "R18",
        COMBAT,
        "self.capture(r, s, source, target, attack)",
        "self.capture(r, s, source, target, min(attack, 2))",
    ),
    Mutant(
        "M41",
        CARDS,
        "[*s.hands[by], *[card | 1 << by for card in taken]]",
        "[*s.hands[by], *[card | 1 << by for card in taken[1:]]]",
    ),
    Mutant(
        "R19",
        COMBAT,
        "            push(s, MOVE_IN_STEP, seat, source, target, dice)\n",
        "            push(s, MOVE_IN_STEP, seat, source, target, dice)\n"
        "            s.agenda[-2:] = s.agenda[:-3:-1]\n",
    ),
    Mutant("R19", COMBAT, "push(s, SPOILS, seat, loser)", "r.share_out(s, loser, seat)"),
    Mutant("M19", CARDS, "            if cards >= SET:", "            if self.next_picks(s, seat):"),
    Mutant(
        "R19b",
        "engine/rules/boards/board.py",
        "for border in self.borders:",
        "for border in [*self.borders, *self.blocked]:",
    ),
    Mutant(
        "M42",
        FORTIFY,
        "        s.agenda.pop()\n        if code != STOP_CODE:\n",
        "        if code == STOP_CODE:\n            s.agenda.pop()\n        else:\n",
    ),
    Mutant("M43", CONTENTS, "        FortifyConnected(),", "        FortifyAdjacent(),"),
    Mutant("M43", FORTIFY, "if s.owner[other] == seat and other not in found:", "if other not in found:"),
    Mutant("M44", FORTIFY, "min(armies[source] - 1,", "min(armies[source],"),
    Mutant("M44", FORTIFY, "high=s.armies[source] - 1", "high=s.armies[source]"),
    Mutant("M45", FORTIFY, "if can_fortify(r, s, seat):", "if s.captures and can_fortify(r, s, seat):", 0),
    Mutant("M45", FORTIFY, "if can_fortify(r, s, seat):", "if s.captures and can_fortify(r, s, seat):", 1),
    Mutant("M46", RULESET, "        if len(sound) > 1:", "        if len(sound) > 2:"),
    Mutant("R66", COMBAT, "            if not s.agenda:\n                return\n", ""),
    Mutant("R57", "engine/rules/state.py", '"black", "blue", "gray"', '"black", "gray", "blue"'),
    Mutant(
        "R62",
        "engine/rules/choices.py",
        '        Schema(DEFEND, "defend",',
        '        Schema(10, "say", "", "", "", "", ""),\n        Schema(DEFEND, "defend",',
    ),
    Mutant("R64", VARIANTS, "            \" Two players play 'classic'.\",\n", ""),
    Mutant("R65", "engine/rules/boards/ad2210.json", '"symbol": "mod-1"', '"symbol": "mod-3"'),
    Mutant("T2", INCOME, "max(3, s.held[seat] // 3)", "max(3, min(12, s.held[seat] // 3))"),
    Mutant("T6", SETUP, "        if len(empty) > 1:", "        if len(empty) > 2:"),
    *[Mutant(*row) for row in ROWS],
)


def mutate(text: str, mutant: Mutant) -> str:
    parts = text.split(mutant.old)
    if len(parts) < mutant.nth + 2:
        raise SystemExit(f"{mutant.path} has no text number {mutant.nth} '{mutant.old}' (for {mutant.ruling})")
    here = mutant.nth + 1
    return mutant.old.join(parts[:here]) + mutant.new + mutant.old.join(parts[here:])


def copy_sources(folder: Path) -> None:
    for part in ("engine", "tests", "docs"):
        shutil.copytree(
            ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd", "*.c")
        )
    shutil.copy(ROOT / "pyproject.toml", folder)


def run_tests(folder: Path, tests: list[str]) -> bool:
    """Whether all of them pass."""
    environment = {
        **os.environ,
        "ARENA_INTERPRETED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(folder),
    }
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=120, check=False)
    if run.returncode not in (0, 1):  # 2: the mutant cannot even be imported, which shows nothing
        raise SystemExit(f"pytest ended with {run.returncode}:\n{run.stdout.decode()[-2000:]}")
    return run.returncode == 0


def tests_of(ruling: str, marks: dict[str, list[str]]) -> list[str]:
    if ruling not in marks:
        raise SystemExit(f"no test is marked {ruling}")
    return marks[ruling]


def survives(mutant: Mutant, marks: dict[str, list[str]], folders: Queue[Path]) -> bool:
    folder = folders.get()
    source = folder / mutant.path
    before = source.read_text(encoding="utf-8")
    try:
        source.write_text(mutate(before, mutant), encoding="utf-8")
        return run_tests(folder, tests_of(mutant.ruling, marks))
    finally:
        source.write_text(before, encoding="utf-8")
        folders.put(folder)


def table(results: list[tuple[Mutant, bool]]) -> str:
    killed = len([1 for _, alive in results if not alive])
    rulings = len({mutant.ruling for mutant, _ in results})
    lines = [
        "# Mutation run",
        "",
        f"{len(results)} mutants for {rulings} rulings: {killed} killed, {len(results) - killed} survived.",
        "Each runs against the tests marked with its ruling only. Made by",
        "`python -m benchmarks.mutation --write`.",
        "",
        "| ruling | where | change | result |",
        "|---|---|---|---|",
    ]
    for mutant, alive in results:
        where = mutant.path.removeprefix("engine/rules/")
        change = f"{in_line(mutant.old)} → {in_line(mutant.new)}"
        lines.append(f"| {mutant.ruling} | {where} | {change} | {'**survived**' if alive else 'killed'} |")
    return "\n".join(lines) + "\n"


def in_line(code: str) -> str:
    text = " ".join(code.split())
    return f"`{text if len(text) <= 70 else text[:67] + '...'}`" if text else "nothing"


def main() -> int:
    for mutant in MUTANTS:
        mutate((ROOT / mutant.path).read_text(encoding="utf-8"), mutant)
    marks = marked()
    with tempfile.TemporaryDirectory() as base:
        folders: Queue[Path] = Queue()
        for number in range(WORKERS):
            folder = Path(base) / str(number)
            copy_sources(folder)
            folders.put(folder)
        every = [test for ruling in {mutant.ruling for mutant in MUTANTS} for test in tests_of(ruling, marks)]
        if not run_tests(folder, sorted(set(every))):
            raise SystemExit("the tests fail without a mutation")
        with ThreadPoolExecutor(WORKERS) as pool:
            alive = list(pool.map(lambda mutant: survives(mutant, marks, folders), MUTANTS))
    results = list(zip(MUTANTS, alive, strict=True))
    text = table(results)
    sys.stdout.write(text)
    if "--write" in sys.argv[1:]:
        (ROOT / "docs/mutation.md").write_text(text, encoding="utf-8")
    return 1 if any(alive) else 0


if __name__ == "__main__":
    raise SystemExit(main())
