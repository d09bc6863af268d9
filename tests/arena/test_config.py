"""Tournament files: what is read, what is refused and how, and the page and the template that tell them."""

import math
import re
import tomllib
from pathlib import Path

import pytest

import arena
from arena.config import ConfigError, Entrant, Reader, StopRule, TournamentConfig, parse_config, read_config
from arena.config_keys import FORMATS, TABLES, template
from engine.referee.clock import STANDARD

ROOT = Path(arena.__path__[0]).parent
PAGE = (ROOT / "docs/tournament-file.md").read_text(encoding="utf-8")

GOOD = """
name = "cup"
[format]
kind = "swiss"
rounds = 3
[[variants]]
name = "classic"
players = 3
[[entrants]]
name = "one"
bot = "random"
[[entrants]]
name = "two"
bot = "bots/mine.py:Mine"
[[entrants]]
name = "three"
bot = "cmd:./bot --fast"
"""


def problems(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        parse_config(text, "cup.toml")
    assert str(caught.value).splitlines() == caught.value.problems
    return caught.value.problems


def changed(before: str, after: str) -> list[str]:
    """The problems of the good file with one part changed."""
    assert before in GOOD
    return problems(GOOD.replace(before, after, 1))


def test_a_file_is_read() -> None:
    config = parse_config(GOOD, "cup.toml")
    assert (config.name, config.format.kind, config.format.rounds) == ("cup", "swiss", 3)
    assert [one.bot for one in config.entrants] == ["random", "bots/mine.py:Mine", "cmd:./bot --fast"]
    (variant,) = config.variants
    assert variant == ("classic", 3, {}, "classic-3p")
    assert (config.time, config.isolation, config.seed, config.stop) == (STANDARD, "pooled", None, StopRule())


def test_every_setting_is_read() -> None:
    text = GOOD.replace('name = "cup"', 'name = "cup"\ntime = "5+0/1"\nisolation = "fresh"\nseed = 7')
    text = text.replace(
        'kind = "swiss"\nrounds = 3', 'kind = "gauntlet"\nblocks = 9\ntable_cap = 4\nchampion = "two"'
    )
    text = text.replace("players = 3", 'players = 3\nlabel = "short"\noptions = { rounds = 20 }')
    text += 'absent = [3, 1]\nwithdrawn_after = 4\nauthor = "Ada"\nlanguage = "rust"\n'
    text += "[stop]\nmax_matches = 10\nmax_minutes = 0.5\nhalf_width = 0.1\n"
    config = parse_config(text, "cup.toml")
    assert (str(config.time), config.isolation, config.seed) == ("5+0/1", "fresh", 7)
    assert config.format == ("gauntlet", 1, 9, 4, 1, 1)
    assert config.variants[0] == ("classic", 3, {"rounds": 20}, "short")
    assert config.entrants[2] == Entrant("three", "cmd:./bot --fast", (1, 3), 4, "Ada", "rust")
    assert [config.entrants[2].plays_in(round) for round in range(1, 7)] == [
        False,
        True,
        False,
        True,
        False,
        False,
    ]
    assert config.stop == StopRule(10, 0.5, 0.1)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("rounds = 3", "round = 3", "format.round: unknown key 'round'. Did you mean 'rounds'?"),
        ('name = "cup"', 'nmae = "cup"', "nmae: unknown key 'nmae'. Did you mean 'name'?"),
        ('name = "cup"', 'name = ""', "name: it is empty."),
        ('name = "cup"', 'name = "cup "', "name: 'cup ' is longer than 64 characters or has a space at an end."),
        ('name = "cup"', 'name = "cup"\ntime = "60"', "time: '60' is no time control: write bank+increment/limit"),
        (
            'name = "cup"',
            'name = "cup"\nisolation = "fresher"',
            "isolation: unknown value 'fresher'. Did you mean",
        ),
        ('name = "cup"', 'name = "cup"\nseed = -1', "seed: must be between 0 and 9223372036854775807, not -1."),
        ('name = "cup"', 'name = "cup"\nstop = 3', "stop: must be a table, not 3. Write it like: [stop]"),
        ('"swiss"', '"swis"', "format.kind: unknown value 'swis'. Did you mean 'swiss'?"),
        (
            "rounds = 3",
            "rounds = true",
            "format.rounds: must be a whole number, not True. Write it like: rounds = 1",
        ),
        ("rounds = 3", "rounds = 0", "format.rounds: must be between 1 and 1000, not 0."),
        ("rounds = 3", "", "format.rounds: a swiss needs it. Write it like: rounds = 5"),
        ("rounds = 3", "rounds = 3\nbest_of = 3", "format.best_of: it means nothing in a swiss. Remove it."),
        ('"swiss"', '"round_robin"\nblocks = 4', "format.blocks: it stands instead of rounds. Remove one"),
        ('"swiss"', '"gauntlet"\nchampion = "tow"', "format.champion: unknown entrant 'tow'. Did you mean 'two'?"),
        ('"swiss"', '"gauntlet"', "format.champion: it is missing. Name one of the entrants."),
        ('"swiss"', '"knockout"', "format.rounds: it means nothing in a knockout. Remove it."),
        ('"classic"', '"clasic"', "variants[1].name: unknown variant 'clasic'. Did you mean 'classic'?"),
        (
            '"classic"\nplayers = 3',
            '"classic"\nplayers = 2',
            "variants[1].players: classic is for 3, 4, 5, 6 players",
        ),
        ("players = 3", "players = 4", "variants[1].players: a table of 4 needs 4 entrants, not 3. Add entrants"),
        ("players = 3", 'players = "3"', "variants[1].players: must be a whole number, not '3'."),
        ("players = 3", "", "variants[1].players: it is missing. Add it, like: players = 4"),
        (
            "players = 3",
            "players = 3\noptions = { round = 3 }",
            "variants[1].options: unknown option of classic 'round'",
        ),
        (
            "players = 3",
            "players = 3\noptions = { rounds = 0 }",
            "variants[1].options: option rounds=0 of classic must",
        ),
        (
            "players = 3",
            "players = 3\noptions = { rounds = 1.5 }",
            "variants[1].options.rounds: must be a whole number",
        ),
        (
            "players = 3",
            'players = 3\nlabel = "a b"',
            "variants[1].label: 'a b' may have up to 64 letters, digits, _ and - only.",
        ),
        ('"two"', '"one"', "entrants[2].name: 'one' is entrants[1].name already. Give every entrant"),
        ('"two"', '"t\\u001b[31mwo"', r"entrants[2].name: 't\x1b[31mwo' holds control characters. Remove them."),
        ('"two"', "2", "entrants[2].name: must be a text, not 2."),
        ('"random"', '"randm"', "entrants[1].bot: unknown bot 'randm'. Did you mean 'random'?"),
        (
            '"bots/mine.py:Mine"',
            '"bots/mine:Mine"',
            "entrants[2].bot: 'bots/mine:Mine' is no bot. Write a built-in",
        ),
        ('"cmd:./bot --fast"', '"cmd: "', "entrants[3].bot: 'cmd: ' names no command."),
        ('"cmd:./bot --fast"', "\"cmd:''\"", "entrants[3].bot: \"cmd:''\" names no command."),
        ('"cmd:./bot --fast"', '"cmd:./bot \'un"', 'entrants[3].bot: "cmd:./bot \'un" cannot be read:'),
        (
            '"random"',
            '"random"\nabsent = [0]',
            "entrants[1].absent: rounds are counted from 1; there is no round 0.",
        ),
        ('"random"', '"random"\nabsent = 2', "entrants[1].absent: must be a list of rounds, not 2."),
        ('"random"', '"random"\nauthor = 3', "entrants[1].author: must be a text, not 3."),
        ('"random"', '"random"\nauthor = "a\\u001b"', r"entrants[1].author: 'a\x1b' holds control characters."),
        ('"random"', '"random"\nlanguage = ""', "entrants[1].language: it is empty. Remove it"),
        ('"random"', '"random"\nwithdrawn_after = -1', "entrants[1].withdrawn_after: must be at least 0, not -1."),
    ],
)
def test_a_problem_is_one_line_with_file_key_and_remedy(before: str, after: str, told: str) -> None:
    lines = changed(before, after)
    line = next((line for line in lines if line.startswith(f"cup.toml: {told}")), "")
    assert line, f"no such problem among {lines}"
    assert line.isprintable()
    assert line.endswith((".", "?")) or "like: " in line


def test_all_problems_are_told_together() -> None:
    text = GOOD.replace('"swiss"', '"swis"').replace('"random"', '"randm"').replace("players", "player")
    assert {line.split(": ")[1] for line in problems(text)} == {
        "format.kind",
        "entrants[1].bot",
        "variants[1].player",
        "variants[1].players",
    }


def test_too_few_entrants_and_variants() -> None:
    lines = problems('name = "cup"\nvariants = []\n[[entrants]]\nname = "one"\nbot = "random"')
    assert lines[0].startswith("cup.toml: variants: it is empty.")
    assert lines[1].startswith("cup.toml: entrants: there must be 2 to 1000, not 1. Add or remove [[entrants]]")


def test_a_variant_twice_needs_a_label() -> None:
    again = '[[variants]]\nname = "classic"\nplayers = 3\noptions = { rounds = 9 }\n'
    (line,) = problems(GOOD + again)
    assert line == (
        "cup.toml: variants[2].label: 'classic-3p' is variants[1].label already. Give one of them another label."
    )
    config = parse_config(GOOD + again + 'label = "short"\n', "cup.toml")
    assert [variant.label for variant in config.variants] == ["classic-3p", "short"]


def test_what_is_not_toml_or_not_text(tmp_path: Path) -> None:
    (line,) = problems("name = cup")
    assert line.startswith("cup.toml: it is not TOML: Invalid value (at line 1, column 8)")
    path = tmp_path / "cup.toml"
    path.write_bytes(b'name = "\xff"')
    with pytest.raises(ConfigError, match="it is not text in UTF-8"):
        read_config(path)
    path.write_text(GOOD, encoding="utf-8")
    assert read_config(path) == parse_config(GOOD, "any")


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    "junk", ["", "\x1b", 3, -1, 2.5, math.nan, True, [], [1], ["a"], [{}], {}, {"rounds": []}]
)
def test_no_value_of_any_key_is_too_much_for_the_reader(table: str, junk: object) -> None:
    for key in TABLES[table]:
        data = tomllib.loads(GOOD)
        place = data if not table else data.setdefault(table, {})
        (place[0] if isinstance(place, list) else place)[key.name] = junk
        reader = Reader("cup.toml")
        reader.tournament(data)
        assert all(line.isprintable() for line in reader.problems)


def test_stop_rule_names_the_first_reason() -> None:
    rule = StopRule(100, 5, 0.02)
    assert rule.reason(99, 4.9, 0.021) is None
    assert rule.reason(100, 4, 1) == "100 matches were played"
    assert rule.reason(9, 5, 1) == "5 minutes are over"
    assert rule.reason(9, 4, 0.02) == "every score is known to ±0.02"
    assert StopRule().reason(10**9, 1e9, 0.0) is None


# The template and the page


def test_template_plays_as_it_is() -> None:
    config = parse_config(template(), "template.toml")
    assert config.format.kind == "round_robin"
    bare = re.sub(r"\[format\].*?(?=\[\[variants)", "", template(), flags=re.DOTALL)
    bare = re.sub(r"^(time|isolation|options|absent) = .*$", "", bare, flags=re.MULTILINE)
    assert same_but_options(parse_config(bare, "bare.toml"), config), "what the template says is the default"


def same_but_options(left: TournamentConfig, right: TournamentConfig) -> bool:
    """The template gives the round limit of classic, which is its default too."""
    bare = [tuple(variant._replace(options={}) for variant in config.variants) for config in (left, right)]
    return left._replace(variants=bare[0]) == right._replace(variants=bare[1])


def test_template_shows_every_key_and_all_can_be_used() -> None:
    shown = tomllib.loads(re.sub(r"^# (?=\w+ = )", "", template(), flags=re.MULTILINE))
    assert shown.keys() == {key.name for key in TABLES[""]}
    for name in ("format", "stop"):
        assert shown[name].keys() == {key.name for key in TABLES[name]}
    for name in ("variants", "entrants"):
        assert shown[name][0].keys() == {key.name for key in TABLES[name]}


def test_page_tells_every_key() -> None:
    told = {}
    for table in TABLES:
        heading = f"## `{TABLES_AS_WRITTEN[table]}`" if table else "## The file itself"
        section = PAGE.partition(heading + "\n")[2].partition("\n## ")[0]
        rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|", section, re.MULTILINE)
        told[table] = [(name, kind, default.strip("`")) for name, kind, default in rows]
    assert told == {
        table: [(key.name, key.kind.about, default_of(key.default, key.required)) for key in keys]
        for table, keys in TABLES.items()
    }


TABLES_AS_WRITTEN = {
    "format": "[format]",
    "stop": "[stop]",
    "variants": "[[variants]]",
    "entrants": "[[entrants]]",
}


def default_of(default: object, required: bool) -> str:
    if required:
        return "required"
    return "none" if default in (None, {}, []) else str(default)


def test_page_tells_which_settings_a_format_takes() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ((?:`\w+`(?:, )?)+) \|$", PAGE, re.MULTILINE)
    told = {kind: set(re.findall(r"`(\w+)`", names)) for kind, names in rows}
    assert told == {kind: set(names) - {"kind"} for kind, names in FORMATS.items()}


def test_examples_on_the_page_are_read() -> None:
    examples = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert examples
    for example in examples:
        parse_config(example, "example.toml")
