"""Combat: targets, dice, losses, moving in."""

import pytest

from engine.rules.errors import RulesError
from tests.engine.positions import EDITIONS, Position

EVERY = pytest.mark.parametrize("variant", EDITIONS)
FRONT = "3; A: {a} %d; B: {b} %d; rest C 2; at attacking A"


# Targets


@pytest.mark.ruling("M31")
@EVERY
def test_targets_are_enemy_neighbours(variant: str) -> None:
    p = Position("3; A: {a} 4 {c}; rest B; at attacking A", variant)
    board = p.r.board
    around = [board.shorts[place] for place in board.neighbours[board.find(p.parts["a"])]]
    assert p.options == ["stop", *[f"attack {p.parts['a']}>{to} 1-3" for to in around if to != p.parts["c"]]]
    with pytest.raises(RulesError):
        p.play("attack {a}>{c} 1")  # own land
    with pytest.raises(RulesError):
        p.play("attack {a}>{d} 1")  # two steps away


@pytest.mark.ruling("M31")
@pytest.mark.parametrize(
    ("variant", "source", "targets"),
    [
        ("classic", "gre", "nwt ont que ice"),
        ("classic", "naf", "bra weu seu egy eaf con"),
        ("classic", "ala", "nwt alb kam"),
        ("officers", "bra", "ven per arg naf"),
        ("summary", "gre", "nwt ont que ice"),
        ("ad2210-classic", "esa", "nun can que ice"),
        ("ad2210-classic", "noe", "nun alb pev"),
        ("godstorm-classic", "var", "thu gal rus"),
        ("godstorm-classic", "ori", "ibe atl pos"),
    ],
)
def test_examples_of_the_rulebooks(variant: str, source: str, targets: str) -> None:
    p = Position(f"3; A: {source} 4; rest B; at attacking A", variant)
    assert p.options[1:] == [f"attack {source}>{target} 1-3" for target in targets.split()]


@pytest.mark.ruling("R19b")
@pytest.mark.parametrize(
    ("here", "there"), ["ale lig".split(), "ale dac".split(), "gal rus".split(), "par cim".split()]
)
def test_mountains_block_attacks_and_moves(here: str, there: str) -> None:
    for one, other in ((here, there), (there, here)):
        attack = Position(f"3; A: {one} 4; rest B; at attacking A", "godstorm-classic")
        assert f"attack {one}>{other} 1-3" not in attack.options
        move = Position(f"3; A: {one} 4 {other} 4; rest B; at fortifying A", "godstorm-classic")
        assert move.step != "fortify A"


@pytest.mark.ruling("M32")
@EVERY
def test_one_army_cannot_attack(variant: str) -> None:
    p = Position("3; A: {a} 1 {d} 2; B: {b}; rest C; at attacking A", variant)
    assert all(option.startswith(f"attack {p.parts['d']}>") for option in p.options[1:])
    assert len(p.options) > 1


def test_attack_is_not_asked_where_none_is_possible() -> None:
    assert Position("3; A: ala; B: kam 2; rest C; at attacking A").step == "place B"


# Dice


@pytest.mark.ruling("M33")
@EVERY
@pytest.mark.parametrize(("armies", "dice"), [(2, "1"), (3, "1-2"), (4, "1-3"), (5, "1-3"), (30, "1-3")])
def test_attack_dice(variant: str, armies: int, dice: str) -> None:
    p = Position(FRONT % (armies, 1), variant)
    assert "attack {a}>{b} ".format(**p.parts) + dice in p.options


@pytest.mark.ruling("M33")
def test_more_dice_than_armies_to_spare_are_refused() -> None:
    with pytest.raises(RulesError, match="amount 3 is not between 1 and 2"):
        Position(FRONT % (3, 1)).play("attack ala>kam 3")


@pytest.mark.ruling("M34")
@pytest.mark.ruling("M35")
@pytest.mark.ruling("R16")
@EVERY
def test_attacker_states_dice_then_defender_chooses(variant: str) -> None:
    p = Position(FRONT % (4, 2), variant).play("attack {a}>{b} 2")
    assert p.step == "defend B"
    assert p.options == ["defend {a}>{b} 1-2".format(**p.parts)]
    p.play("defend {a}>{b} 1")
    assert p.step == "roll -"
    assert p.options == ["roll 1 of 216"]  # two dice against one


@pytest.mark.ruling("M34")
@EVERY
@pytest.mark.parametrize(("armies", "asked"), [(1, "roll -"), (2, "defend B"), (3, "defend B")])
def test_defender_is_asked_only_with_two_armies(variant: str, armies: int, asked: str) -> None:
    assert Position(FRONT % (4, armies), variant).play("attack {a}>{b} 3").step == asked


@pytest.mark.ruling("M34")
def test_defender_has_two_dice_at_most() -> None:
    p = Position(FRONT % (4, 9)).play("attack ala>kam 3")
    with pytest.raises(RulesError, match="amount 3 is not between 1 and 2"):
        p.play("defend ala>kam 3")


@pytest.mark.ruling("M36")
@pytest.mark.ruling("M37")
@pytest.mark.ruling("R17")
@EVERY
@pytest.mark.parametrize(
    ("roll", "attacker", "defender"),
    [
        ("6 / 5", 9, 8),
        ("5 / 5", 8, 9),  # a tie is the defender's
        ("5 / 6", 8, 9),
        ("1 6 / 5", 9, 8),  # dice count in any order
        ("6 5 2 / 3", 9, 8),  # spare dice do not count
        ("3 / 6 1", 8, 9),
        ("3 2 / 6 2", 7, 9),
        ("6 4 4 / 5 5", 8, 8),
        ("4 6 5 / 4 5", 9, 7),
        ("6 6 6 / 6 6", 7, 9),  # never more than two
        ("6 6 6 / 1 1", 9, 7),
    ],
)
def test_losses(variant: str, roll: str, attacker: int, defender: int) -> None:
    attack, defence = (len(side.split()) for side in roll.split("/"))
    p = Position(FRONT % (9, 9), variant)
    p.play(f"attack {{a}}>{{b}} {attack}", f"defend {{a}}>{{b}} {defence}", f"roll {roll}")
    assert p.at("{a}") == f"A {attacker}"
    assert p.at("{b}") == f"B {defender}"


@pytest.mark.ruling("M38")
@pytest.mark.ruling("R19a")
@EVERY
def test_target_and_source_change_freely_and_nobody_must_go_on(variant: str) -> None:
    p = Position("3; A: {a} 5 {d} 5; B: {b} 5 {c} 5; rest C 2; at attacking A", variant)
    p.play("attack {a}>{b} 1", "defend {a}>{b} 1", "roll 6 / 1")
    p.play("attack {a}>{c} 1", "defend {a}>{c} 1", "roll 6 / 1")
    p.play("attack {d}>{c} 1", "defend {d}>{c} 1", "roll 6 / 1")
    assert (p.at("{b}"), p.at("{c}")) == ("B 4", "B 3")
    assert p.options[0] == "stop"
    p.play("stop")
    assert p.step == "place B"


@pytest.mark.ruling("R19a")
@EVERY
def test_no_stopping_between_capture_and_moving_in(variant: str) -> None:
    p = Position(FRONT % (6, 1), variant).play("attack {a}>{b} 2", "roll 6 6 / 1")
    assert p.options == ["move_in {a}>{b} 2-5".format(**p.parts)]
    with pytest.raises(RulesError):
        p.play("stop")


def test_attacking_ends_by_itself_when_no_attack_is_left() -> None:
    p = Position("3; A: ala 2; B: kam 2; rest C 2; at attacking A")
    assert p.play("attack ala>kam 1", "defend ala>kam 1", "roll 1 / 6").step == "place B"


def test_attacking_goes_on_elsewhere_when_one_source_is_spent() -> None:
    p = Position("3; A: ala 2 arg 2; B: kam 2; rest C 2; at attacking A")
    p.play("attack ala>kam 1", "defend ala>kam 1", "roll 1 / 6")
    assert p.options == ["stop", "attack arg>per 1", "attack arg>bra 1"]


# Moving in


@pytest.mark.ruling("M39")
@pytest.mark.ruling("M40")
@pytest.mark.ruling("R18")
@EVERY
@pytest.mark.parametrize(
    ("armies", "dice", "choice"), [(9, 3, "3-8"), (9, 2, "2-8"), (9, 1, "1-8"), (5, 3, "3-4"), (3, 1, "1-2")]
)
def test_moving_in_from_the_dice_to_all_but_one(variant: str, armies: int, dice: int, choice: str) -> None:
    p = Position(FRONT % (armies, 1), variant)
    p.play(f"attack {{a}}>{{b}} {dice}", f"roll {'6 ' * dice}/ 1")
    assert p.options == [f"move_in {{a}}>{{b}} {choice}".format(**p.parts)]
    most = int(choice[-1])
    p.play(f"move_in {{a}}>{{b}} {most}")
    assert (p.at("{a}"), p.at("{b}")) == ("A 1", f"A {most}")


@pytest.mark.ruling("M39")
@EVERY
def test_the_last_roll_counts_not_an_earlier_one(variant: str) -> None:
    p = Position(FRONT % (9, 2), variant)
    p.play("attack {a}>{b} 3", "defend {a}>{b} 1", "roll 6 6 6 / 1", "attack {a}>{b} 1", "roll 6 / 1")
    assert p.options == ["move_in {a}>{b} 1-8".format(**p.parts)]
    p.play("move_in {a}>{b} 1")
    assert (p.at("{a}"), p.at("{b}")) == ("A 8", "A 1")


@pytest.mark.ruling("M40")
def test_moving_in_is_not_asked_when_only_one_stays() -> None:
    p = Position(FRONT % (4, 1)).play("attack ala>kam 3", "roll 6 6 6 / 1")
    assert (p.at("ala"), p.at("kam")) == ("A 1", "A 3")
    assert p.step == "attack A"


@pytest.mark.ruling("M29")
@pytest.mark.ruling("M41")
def test_capture_is_told_and_counted() -> None:
    p = Position(FRONT % (4, 1)).play("attack ala>kam 3", "roll 6 6 6 / 1")
    (captured,) = p.events("captured")
    assert (captured.seat, captured.piece, captured.amount) == (0, 1, 3)
    assert p.s.captures == 1
    assert p.s.held == [2, 0, 40]
    (eliminated,) = p.events("eliminated")
    assert (eliminated.seat, eliminated.piece) == (0, 1)
