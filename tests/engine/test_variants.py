"""The variants by name, their errors, the order of options, counts of positions."""

import json
import tomllib
from importlib import resources
from pathlib import Path

import pytest

from engine.record import ENGINE_VERSION
from engine.rules.choices import SCHEMAS, unpack
from engine.rules.errors import BadSetting, RulesError, UnknownName
from engine.rules.odds import dice_faces
from engine.rules.positions import read_state
from engine.rules.state import CHANCE, COLOURS, strength
from engine.rules.variants import VARIANTS, ruleset
from tests.engine.positions import EDITIONS, Position, new_match

CLASSIC_OF_2210 = """
ala nwt gre alb ont que wus eus cam  ven per bra arg  ice gbr sca neu weu seu ukr  naf egy eaf con saf mad
mid afg ura sib yak kam irk mon jpn chi ind sia  ido ngu wau eau
"""


# Names


@pytest.mark.ruling("M1")
@pytest.mark.parametrize(
    ("variant", "players"),
    [("classic", (2, 3, 4, 5, 6)), ("officers", (3, 4, 5, 6)), ("summary", (3, 4, 5, 6))]
    + [("ad2210-classic", (2, 3, 4, 5)), ("godstorm-classic", (2, 3, 4, 5))]
    + [("neutral-passive", (2,)), ("neutral-active", (2,)), ("team", (4, 6))],
)
def test_players(variant: str, players: tuple[int, ...]) -> None:
    assert VARIANTS[variant].players == players
    for count in (1, 7):
        with pytest.raises(BadSetting, match=f"not for {count}"):
            ruleset(variant, count)


def test_unknown_variant_lists_what_exists() -> None:
    with pytest.raises(UnknownName) as error:
        ruleset("clasic", 3)
    assert "Did you mean 'classic'?" in str(error.value)
    assert all(name in str(error.value) for name in VARIANTS)


def test_unknown_option_lists_what_exists() -> None:
    with pytest.raises(UnknownName, match=r"unknown option of ad2210-classic 'round'.*rounds, disputed_border"):
        ruleset("ad2210-classic", 3, {"round": 3})


@pytest.mark.parametrize("rounds", [0, 1001, -1])
def test_option_out_of_range(rounds: int) -> None:
    with pytest.raises(BadSetting, match=f"rounds={rounds} of classic must be between 1 and 1000"):
        ruleset("classic", 3, {"rounds": rounds})


def test_wrong_number_of_players_names_the_right_ones() -> None:
    with pytest.raises(BadSetting, match="officers is for 3, 4, 5, 6 players, not for 9"):
        ruleset("officers", 9)


@pytest.mark.ruling("R64")
def test_summary_for_two_names_classic() -> None:
    with pytest.raises(BadSetting, match=r"summary is for 3, 4, 5, 6 players.*'classic'"):
        ruleset("summary", 2)


@pytest.mark.ruling("R57")
def test_colours_follow_the_seats() -> None:
    assert COLOURS == ("black", "blue", "gray", "green", "red", "yellow")


@pytest.mark.ruling("R62")
def test_no_verb_lets_seats_talk() -> None:
    names = (
        "stop claim place trade bonus attack defend move_in fortify_from fortify headquarters claim_mission"
        " reroll command bribe reinforce place_neutral lose roll_first roll draw elect deal reroll_die roll_die"
    )
    assert [schema.name for schema in SCHEMAS.values()] == names.split()


@pytest.mark.ruling("M3")
@pytest.mark.ruling("R65")
def test_2210_takes_the_symbols_of_the_classic_lands() -> None:
    classic, ad2210 = ruleset("classic", 3).board, ruleset("ad2210-classic", 3).board
    equivalents = [classic.find(place) for place in CLASSIC_OF_2210.split()]
    assert ad2210.symbols == [classic.symbols[place] for place in equivalents]
    data = json.loads((resources.files("engine.rules.boards") / "ad2210.json").read_text())
    assert "reconstructed" in json.dumps(data["provenance"])


def test_disputed_border_is_an_option() -> None:
    text = "A: esa 2; rest B; at attacking A"
    assert "attack esa>can 1" in Position(f"3; {text}", "ad2210-classic").options
    assert "attack esa>can 1" not in Position(f"3 disputed_border=0; {text}", "ad2210-classic").options


# The order of options is part of a variant's version: records hold an index.

ORDERS = {
    "place": ("3; A: kam ala; rest B; at counting_income A", ["place ala 1-3", "place kam 1-3"]),
    "trade": (
        "3; A: ala; rest B; hand A: wild kam ont que; at trading A",
        ["stop", "trade ont", "trade que"],
    ),
    "trade two wilds": ("3; A: ala; rest B; hand A: wild wild ont; at trading A", ["stop", "trade ont"]),
    "forced trade": (
        "3; A: ala; rest B; hand A: gre wild kam ont que; at trading A",
        ["trade gre", "trade ont", "trade que"],
    ),
    "bonus": (
        "3; A: gre que; rest B; steps: next_turn - / bonus A 3 6 0",
        ["bonus gre 2", "bonus que 2"],
    ),
    "attack": (
        "3; A: kam 3 ala 2; rest B; at attacking A",
        ["stop", "attack ala>nwt 1", "attack ala>alb 1"]
        + ["attack kam>yak 1-2", "attack kam>irk 1-2", "attack kam>mon 1-2", "attack kam>jpn 1-2"],
    ),
    "defend": (
        "3; A: kam 3; B: ala 2; rest C; steps: next_turn - / attack A / defend B 29 0 2",
        ["defend kam>ala 1-2"],
    ),
    "move in": (
        "3; A: kam 3 ala 2; rest C; steps: next_turn - / attacking A / move_in A 29 0 2",
        ["move_in kam>ala 2-4"],
    ),
    "fortify": (
        "3; A: kam 3 ala 2 nwt; rest C; at fortifying A",
        ["stop", "fortify ala>nwt 1", "fortify ala>kam 1", "fortify kam>ala 1-2"],
    ),
    "roll": ("3; A: kam 3; B: ala; rest C; steps: attack A / roll - 29 0 9", ["roll 1 of 216"]),
    "draw": ("3; A: kam; rest C; deck: 0 ala kam wild wild; captures 1; at drawing A", ["draw 1 of 4"]),
}


@pytest.mark.parametrize("name", list(ORDERS))
def test_order_of_options(name: str) -> None:
    text, options = ORDERS[name]
    p = Position(text)
    assert p.options == options
    assert p.codes == sorted(p.codes)


def test_order_of_claims() -> None:
    match = new_match("classic", 3).play("roll_first 6 1 1", "claim nwt", "claim ala")
    assert match.options == [f"claim {short} 1" for short in match.r.board.shorts[2:]]


def test_order_of_connected_moves() -> None:
    p = Position("3; A: kam 3 ala 2 nwt; rest C; at fortifying A", "officers")
    assert p.options == ["stop", "fortify_from ala>", "fortify_from kam>"]
    assert p.play("fortify_from kam>").options == ["fortify kam>ala 1-2", "fortify kam>nwt 1-2"]


def test_packed_codes() -> None:
    p = Position("3; A: kam 3 ala 2; rest B; at attacking A")
    assert [f"{code:x}" for code in p.codes[:4]] == CODES
    assert tuple(unpack(p.codes[3])) == (5, 29, 28, 63, 127, 1, 2)


CODES = ["7ffffff0000000", "28003fff0100001", "28007fff0100001", "29d39fff0100002"]


# Counts of positions: everything that can follow in so many answers, dice and cards included.


def following(p: Position, answers: int) -> list[int]:
    """How many different positions there are after 1, 2... answers."""
    counts: list[int] = []
    front = [p.s]
    for _ in range(answers):
        found = {}
        for s in front:
            seats = p.r.waiting(s)
            if not seats:
                continue
            codes: list[int] = []
            p.r.options(s, seats[0], codes)
            for code in codes:
                option = unpack(code)
                for amount in range(option.low, option.high + 1):
                    after = s.clone()
                    p.r.apply(after, seats[0], code, amount)
                    found[after.digest()] = after
        front = list(found.values())
        counts.append(len(front))
    return counts


COUNTS: list[tuple[str, str, list[int]]] = [
    ("classic", "3; A: ala 3; B: kam 2; rest C; at attacking A", [7, 12, 39, 1172]),
    ("classic", "3; A: ala 3 alb 2; B: kam; rest C; at counting_income A", [6, 31, 90]),
    (
        "classic",
        "3; A: ala 5; B: kam; rest C; hand A: gre ont que; hand B: ven per arg; at attacking A",
        [10, 12, 26, 107],
    ),
    (
        "officers",
        "3; A: ala 5; B: kam; rest C; hand A: gre ont; hand B: ven per arg; at attacking A",
        [10, 12, 26, 103],
    ),
    ("classic", "3; A: ala 4 alb wus; B: kam; rest C; at fortifying A", [4, 12, 72]),
    ("officers", "3; A: ala 4 alb wus; B: kam; rest C; at fortifying A", [2, 9, 36]),
    ("summary", "3; A: ala 3 gre; B: kam; rest C; hand A: gre ont que eus wild; at trading A", [3, 6, 7, 56]),
    ("ad2210-classic", "3; A: jpn 3; B: kha 2; C: pev; rest B; at attacking A", [5, 1207]),
    ("godstorm-classic", "3; A: cor 3; B: rom 2; rest C; captures 1; at attacking A", [3, 47, 134, 569]),
]


@pytest.mark.parametrize(("variant", "text", "counts"), COUNTS)
def test_counts_of_positions(variant: str, text: str, counts: list[int]) -> None:
    assert following(Position(text, variant), len(counts)) == counts


def test_dice_are_numbered_attacker_first() -> None:
    p = Position("3; A: ala 4; B: kam; rest C 2; at attacking A").play("attack ala>kam 3")
    assert p.r.waiting(p.s) == (CHANCE,)
    assert dice_faces(5 + 6 * 4 + 36 * 1 + 216 * 2, [6] * 4) == (6, 5, 2, 3)
    p.play("roll 6 5 2 / 3")
    assert p.events("rolled")[0].amount == 5 + 6 * 4 + 36 * 1 + 216 * 2


# Asking


@pytest.mark.parametrize("variant", EDITIONS)
def test_a_refused_answer_changes_nothing(variant: str) -> None:
    p = Position("3; A: {a} 4; B: {b}; rest C 2; at attacking A", variant)
    before = p.s.digest()
    for seat, index, amount in ((1, 0, 0), (0, 99, 1), (0, -1, 1), (0, 1, 4), (0, 1, 0)):
        with pytest.raises(RulesError):
            p.r.play(p.s, seat, index, amount)
    assert p.s.digest() == before


def test_strength_is_what_a_seat_may_use() -> None:
    _, s = read_state("classic 3; A: ala 3; B: kam 2; rest C; at attacking A")
    assert [strength(s, place, 0) for place in (0, 1)] == [3, 0]


def test_the_engine_tells_the_version_of_the_project() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert project["version"] == ENGINE_VERSION
