"""Dice and odds against tables that were computed elsewhere (data/dice.json)."""

import itertools
import json
import math
import random
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules import odds
from engine.rules.errors import RulesError

TABLES: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "dice.json").read_text())
ROLLS = TABLES["single_roll"]
D6_ROLLS = [row for row in ROLLS if row["attacker_d8"] == row["defender_d8"] == 0]


def sides(dice: int, eights: int) -> list[int]:
    return [6] * (dice - eights) + [8] * eights


def title(row: dict[str, Any]) -> str:
    return f"{row['attacker_dice']}.{row['attacker_d8']}v{row['defender_dice']}.{row['defender_d8']}"


# A roll as a number


@given(st.lists(st.sampled_from([6, 8]), min_size=1, max_size=6), st.data())
def test_index_and_faces_are_inverse(dice: list[int], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, math.prod(dice) - 1))
    faces = odds.dice_faces(index, dice)
    assert odds.dice_index(faces, dice) == index
    drawn = tuple(data.draw(st.integers(1, die)) for die in dice)
    assert odds.dice_faces(odds.dice_index(drawn, dice), dice) == drawn


def test_first_die_is_the_least_significant() -> None:
    assert odds.dice_index((1, 1, 1), (6, 6, 6)) == 0
    assert odds.dice_index((2, 1, 1), (6, 6, 6)) == 1
    assert odds.dice_index((1, 2, 1), (6, 6, 6)) == 6
    assert odds.dice_index((3, 8, 2), (6, 8, 6)) == 2 + 6 * 7 + 48
    assert odds.dice_faces(7775, (6,) * 5) == (6,) * 5


@pytest.mark.parametrize(
    ("faces", "dice"), [((7,), (6,)), ((0,), (6,)), ((1, 1), (6,)), ((1,), (6, 6)), ((9,), (8,))]
)
def test_impossible_faces_are_refused(faces: tuple[int, ...], dice: tuple[int, ...]) -> None:
    with pytest.raises(RulesError):
        odds.dice_index(faces, dice)


@pytest.mark.parametrize("index", [-1, 36, 1000])
def test_a_number_out_of_range_is_refused(index: int) -> None:
    with pytest.raises(RulesError, match=r"outside 0\.\.35"):
        odds.dice_faces(index, (6, 6))


# What a roll costs


@pytest.mark.ruling("T7")
@pytest.mark.ruling("M36")
def test_examples_of_the_rulebook() -> None:
    assert odds.compare((3, 2), (6, 2)) == (2, 0)
    assert odds.compare((6, 4, 4), (5, 5)) == (1, 1)


@pytest.mark.ruling("M36")
@pytest.mark.ruling("R17")
@pytest.mark.parametrize("face", range(1, 9))
def test_a_tie_goes_to_the_defender(face: int) -> None:
    assert odds.compare((face,), (face,)) == (1, 0)
    assert odds.compare((face, face), (face, face)) == (2, 0)
    assert odds.compare((face + 1,), (face,)) == (0, 1)


@pytest.mark.ruling("M36")
def test_order_of_the_dice_and_spare_dice_do_not_matter() -> None:
    for dice in itertools.permutations((6, 5, 1)):
        assert odds.compare(dice, (4, 5)) == odds.compare(dice, (5, 4)) == (0, 2)
        assert odds.compare(dice, (6,)) == (1, 0)
    assert odds.compare((2,), (1, 3)) == (1, 0)


@pytest.mark.ruling("M37")
def test_nobody_loses_more_than_two() -> None:
    for attackers, defenders in itertools.product((1, 2, 3), (1, 2)):
        pairs = min(attackers, defenders)
        table = odds.attacker_losses(attackers, defenders)
        assert set(table) == set(range(pairs + 1))
        assert pairs <= 2


@pytest.mark.ruling("M36")
@pytest.mark.parametrize(("attackers", "defenders"), list(itertools.product((1, 2, 3), (1, 2))))
def test_loss_tables_hold_what_comparing_gives(attackers: int, defenders: int) -> None:
    table = odds.attacker_losses(attackers, defenders)
    assert table is odds.LOSSES[attackers * 3 + defenders]
    dice = (6,) * (attackers + defenders)
    assert len(table) == math.prod(dice)
    for index in range(len(table)):
        faces = odds.dice_faces(index, dice)
        assert (table[index], min(attackers, defenders) - table[index]) == odds.compare(
            faces[:attackers], faces[attackers:]
        )


@pytest.mark.parametrize(("attackers", "defenders"), [(0, 1), (1, 0), (4, 1), (3, 3), (-1, 2)])
def test_no_table_for_other_numbers_of_dice(attackers: int, defenders: int) -> None:
    with pytest.raises(RulesError, match=r"1\.\.3 against 1\.\.2"):
        odds.attacker_losses(attackers, defenders)


# Outcomes of one roll


def test_there_are_45_tables() -> None:
    assert len({title(row) for row in ROLLS}) == len(ROLLS) == 45


@pytest.mark.ruling("T8")
@pytest.mark.parametrize("row", ROLLS, ids=title)
def test_outcomes_are_exact(row: dict[str, Any]) -> None:
    attack = sides(row["attacker_dice"], row["attacker_d8"])
    defence = sides(row["defender_dice"], row["defender_d8"])
    found = odds.outcomes(attack, defence)
    expected = [(o["attacker_loses"], o["defender_loses"], o["count"]) for o in row["outcomes"]]
    assert [tuple(outcome) for outcome in found] == expected
    assert sum(outcome.ways for outcome in found) == row["total"] == math.prod(attack + defence)
    for outcome, o in zip(found, row["outcomes"], strict=True):
        assert Fraction(outcome.ways, row["total"]) == Fraction(o["fraction"])


@pytest.mark.ruling("T8")
@pytest.mark.parametrize("row", D6_ROLLS, ids=title)
def test_expected_losses_of_a_roll(row: dict[str, Any]) -> None:
    lost, killed = odds.expected_losses(row["attacker_dice"], row["defender_dice"])
    assert lost == pytest.approx(row["expected_attacker_loss"], abs=1e-9)
    assert killed == pytest.approx(row["expected_defender_loss"], abs=1e-9)


def test_outcomes_are_cached_whatever_the_order_of_the_dice() -> None:
    assert odds.outcomes([8, 6, 6], [6]) is odds.outcomes((6, 8, 6), (6,))
    assert odds.outcomes([6], [6])[0].attacker_loses == 0


@pytest.mark.parametrize(("attack", "defence"), [([], [6]), ([6], []), ([0], [6])])
def test_a_roll_without_dice_is_refused(attack: list[int], defence: list[int]) -> None:
    with pytest.raises(RulesError):
        odds.outcomes(attack, defence)


# Battles


@pytest.mark.ruling("T8")
@pytest.mark.parametrize(("name", "faces"), [("battle_d6", 6), ("battle_defender_all_d8", 8)])
def test_battles_to_printed_precision(name: str, faces: int) -> None:
    printed = TABLES[name]["win_probability"]
    for attackers, defenders in itertools.product(range(1, 21), repeat=2):
        found = odds.win_probability(attackers, defenders, faces)
        assert found == pytest.approx(printed[attackers - 1][defenders - 1], abs=6e-13)


@pytest.mark.ruling("T8")
def test_battle_losses_to_printed_precision() -> None:
    lost = TABLES["battle_d6"]["expected_attacker_losses"]
    killed = TABLES["battle_d6"]["expected_defender_losses"]
    for attackers, defenders in itertools.product(range(1, 21), repeat=2):
        printed = lost[attackers - 1][defenders - 1], killed[attackers - 1][defenders - 1]
        assert odds.expected_battle_losses(attackers, defenders) == pytest.approx(printed, abs=6e-10)


@pytest.mark.ruling("T8")
@pytest.mark.parametrize("battle", TABLES["battle_d6"]["exact_fractions_1_to_5"])
def test_small_battles_are_exact(battle: str) -> None:
    attackers, defenders = map(int, battle.split(","))
    exact = Fraction(TABLES["battle_d6"]["exact_fractions_1_to_5"][battle])
    assert odds.win_probability(attackers, defenders) == pytest.approx(float(exact), rel=1e-14)


@pytest.mark.ruling("T8")
def test_equal_forces_favour_the_attacker_from_five_up() -> None:
    assert odds.win_probability(4, 4) < 0.5 < odds.win_probability(5, 5)


def test_battles_that_are_over() -> None:
    assert odds.win_probability(3, 0) == 1.0
    assert odds.win_probability(0, 3) == odds.win_probability(-1, 3) == 0.0
    assert odds.expected_battle_losses(0, 3) == odds.expected_battle_losses(3, 0) == (0.0, 0.0)


def test_tables_grow_without_changing_what_they_held() -> None:
    small = [odds.win_probability(a, d) for a in range(1, 17) for d in range(1, 17)]
    odds.win_probability(100, 3)
    odds.expected_battle_losses(2, 250)
    assert [odds.win_probability(a, d) for a in range(1, 17) for d in range(1, 17)] == small


@given(st.integers(1, 400), st.integers(1, 400))
def test_more_armies_never_hurt(attackers: int, defenders: int) -> None:
    here = odds.win_probability(attackers, defenders)
    assert 0.0 <= here <= 1.0
    within = 0.0 if max(attackers, defenders) < odds.LARGEST_TABLE else 0.02
    assert odds.win_probability(attackers + 1, defenders) >= here - within - 1e-12
    assert odds.win_probability(attackers, defenders + 1) <= here + within + 1e-12
    lost, killed = odds.expected_battle_losses(attackers, defenders)
    assert 0.0 <= lost <= attackers
    assert 0.0 <= killed <= defenders


@cache
def reference(side: int, faces: int) -> list[list[tuple[float, float, float]]]:
    """Battles up to `side` armies, worked out from the printed odds of single rolls."""
    law = {}
    for row in ROLLS:
        if row["attacker_d8"] == 0 and row["defender_d8"] == (row["defender_dice"] if faces == 8 else 0):
            law[row["attacker_dice"], row["defender_dice"]] = [
                (o["attacker_loses"], o["defender_loses"], o["count"] / row["total"]) for o in row["outcomes"]
            ]
    table = [[(1.0 if d == 0 else 0.0, 0.0, 0.0) for d in range(side + 1)] for _ in range(side + 1)]
    for a, d in itertools.product(range(1, side + 1), repeat=2):
        after = [(x, y, p, *table[a - x][d - y]) for x, y, p in law[min(a, 3), min(d, 2)]]
        table[a][d] = (
            sum(p * win for _, _, p, win, _, _ in after),
            sum(p * (x + lost) for x, _, p, _, lost, _ in after),
            sum(p * (y + killed) for _, y, p, _, _, killed in after),
        )
    return table


@pytest.mark.parametrize("faces", [6, 8])
def test_large_battles_stay_near_the_exact_odds(faces: int) -> None:
    table = reference(300, faces)
    chooser = random.Random(1)
    for _ in range(2000):
        attackers, defenders = chooser.randint(1, 300), chooser.randint(1, 300)
        win, lost, killed = table[attackers][defenders]
        beyond = max(attackers, defenders) > odds.LARGEST_TABLE
        chance = odds.win_probability(attackers, defenders, faces)
        assert chance == pytest.approx(win, abs=0.02 if beyond else 1e-9)
        losses = odds.expected_battle_losses(attackers, defenders, faces)
        assert losses == pytest.approx((lost, killed), abs=2.0 if beyond else 1e-7)


def test_the_largest_stacks() -> None:
    assert odds.win_probability(20_000, 19_000) == pytest.approx(1.0)
    assert odds.win_probability(19_000, 5) == pytest.approx(1.0)
    assert odds.win_probability(5, 19_000) == pytest.approx(0.0)
    lost, killed = odds.expected_battle_losses(20_000, 10_000)
    assert killed == pytest.approx(10_000)
    assert lost == pytest.approx(10_000 * 7161 / 8391, abs=2)
