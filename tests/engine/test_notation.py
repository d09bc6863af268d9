"""The text of positions and actions: what is written reads back, and other text is refused in plain words."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chance import Chance, seeded_keys
from engine.playout import Overmatch, Policy, Uniform, play_out
from engine.rules.choices import DRAW, HIGH_MASK, LOW_SHIFT, SCHEMAS, VERB_SHIFT
from engine.rules.errors import IllegalAction, NotationError, RulesError, UnknownName
from engine.rules.notation import read_action, write_action
from engine.rules.positions import read_state, write_state
from engine.rules.ruleset import Ruleset
from engine.rules.state import AUDIENCE, ENDINGS, State
from engine.rules.steps import STEP_NAMES
from engine.rules.variants import VARIANTS, ruleset

GUIDE = Path(__file__).parents[2] / "docs" / "notation.md"
PLAYED = [
    (name, seats, wild)
    for name, variant in VARIANTS.items()
    for seats in sorted({2, 3, 4, 5} & {*variant.players})
    for wild in (True, False)
]
WAR = "classic 3; A: ala 4; B: kam 2; rest C 2; hand A: ont wild; at attacking A"


def codes_of(r: Ruleset, s: State) -> list[int]:
    codes: list[int] = []
    r.options(s, r.asked(s), codes)
    return codes


def fields(s: State) -> list[object]:
    return [getattr(s, name) for name in AUDIENCE]


# What is written reads back


@pytest.mark.parametrize(("name", "seats", "wild"), PLAYED)
def test_written_text_reads_back(name: str, seats: int, wild: bool) -> None:
    """Along random play of every variant, and at its end."""
    r = ruleset(name, seats, {"rounds": 10})
    policies: list[Policy] = [(Uniform if wild else Overmatch)(seat + 1) for seat in range(seats)]
    chance = Chance(*seeded_keys(seats))
    rng = random.Random(seats)
    s = r.new()
    while s.agenda:
        check_position(r, s)
        check_actions(r, s, rng)
        play_out(r, s, policies, chance, None, rng.randint(1, 9))
    check_position(r, s)


def check_position(r: Ruleset, s: State) -> None:
    text = write_state(r, s)
    rules, read = read_state(text)
    assert rules is r
    assert fields(read) == fields(s), text
    assert read.digest() == s.digest()


def check_actions(r: Ruleset, s: State, rng: random.Random) -> None:
    """Every option, with its lowest, its highest and some other amount."""
    for index, code in enumerate(codes_of(r, s)):
        low, high = code >> LOW_SHIFT & 255, code & HIGH_MASK
        for amount in {low, high, rng.randint(low, high)}:
            text = write_action(r, s, code, amount)
            read = read_action(r, s, text)
            if code >> VERB_SHIFT == DRAW:  # the wild cards of a pile are alike
                assert write_action(r, s, code, read[1]) == text
            else:
                assert read == (index, amount), text


def test_text_leaves_out_what_follows() -> None:
    r, s = read_state(WAR)
    assert (s.round, s.turn, s.armies[r.board.find("ont")], s.held) == (1, 0, 2, [1, 1, 40])
    assert len(s.decks[0][0].cards) == 42
    assert [read_state(f"classic 3; {text}")[1].groups for text in ("groups 0", "hand A: ala@4")] == [1, 5]
    assert [write_action(r, s, code, code & HIGH_MASK) for code in codes_of(r, s)] == [
        "stop",
        "attack ala>nwt 3",
        "attack ala>alb 3",
        "attack ala>kam 3",
    ]
    assert read_action(r, s, "attack ala>kam") == (3, 1)
    assert read_action(r, s, "attack Alaska > Northwest Territory 2") == (1, 2)


def examples(language: str) -> list[str]:
    """The lines of the guide's fenced blocks of that language."""
    blocks = GUIDE.read_text(encoding="utf-8").split("```")[1::2]
    chosen = [block for block in blocks if block.startswith(language + "\n")]
    return [line for block in chosen for line in block.splitlines()[1:]]


@pytest.mark.parametrize("text", examples("position"))
def test_positions_of_the_guide(text: str) -> None:
    r, s = read_state(text)
    check_position(r, s)


def test_actions_of_the_guide() -> None:
    """Each line is played on the position so far; `=>` says what is seen in it."""
    lines = examples("play")
    r, s = read_state(lines[0].removeprefix("position "))
    for line in lines[1:]:
        if line.startswith("=> "):
            assert f"; {line.removeprefix('=> ')};" in write_state(r, s)
        else:
            index, amount = read_action(r, s, line)
            assert write_action(r, s, codes_of(r, s)[index], amount) == line
            r.play(s, r.asked(s), index, amount)


# Other text is refused


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty text is no position"),
        ("classic", "starts with its variant and number of seats"),
        ("classic three", "starts with its variant and number of seats"),
        ("classic 3 rounds", "'rounds' is no option"),
        ("classic 3; A: atlantis 3", "cannot read 'A: atlantis 3': unknown place on board classic"),
        ("classic 3; D: ala", "there is no seat D among 3"),
        ("classic 3; -: ala", "there is no seat - among 3"),
        ("classic 3; X: ala", "'X' is no seat"),
        ("classic 3; : ala", "a list belongs to a seat, or is one of hand, deck"),
        ("classic 3; A: ala; B: ala", "ala is given twice"),
        ("classic 3; A: ala 0", "'0' is no number from 1 to 20000"),
        ("classic 3; A: ala 20001", "'20001' is no number from 1 to 20000"),
        ("classic 3; round 2²", "'2²' is no number"),
        ("classic 3; round", "'' is no number"),
        ("classic 3; round 101", "round 101 is past the last, 100"),
        ("classic 3; round 1 2", "too many words after 'round'"),
        ("classic 3; weather mild", "there is no clause 'weather': round, sets"),
        ("classic 3; hand A: ala ala", "card ala is given too often"),
        ("classic 3; hand A: wild wild; discards: wild", "card wild is given too often"),
        ("classic 3; hand: ala", "a list belongs to a seat"),
        ("classic 3; hand A: ala@99999", "'99999' is no number from 0 to 16383"),
        ("classic 3; hand A: ala!D", "there is no seat D among 3"),
        ("classic 3; deck: 0", "a group is its number and its cards"),
        ("classic 3; deck: 0 ala / 0 kam", "every group has a number of its own"),
        ("classic 3; ending soon", "'soon' is no ending: playing, conquest"),
        ("classic 3; places: 1 2", "places are given for every seat"),
        ("classic 3; fell A 1; fell B 2; fell C 3", "no seat is left in play"),
        ("classic 3; steps: dance A", "classic has no step 'dance': rolling_first"),
        ("classic 3; steps: fortify_to A 1", "classic has no step 'fortify_to'"),
        ("classic 3; steps: roll A", "no seat takes the step 'roll': write - for it"),
        ("classic 3; steps: attack", "a step is its name, a seat or -"),
        ("classic 3; steps: attack -", "there is no seat - among 3"),
        ("classic 3; steps: attack A 65536", "'65536' is no number from 0 to 65535"),
        ("classic 3; steps: roll - 0 1 0", "the step on top does not fit the position"),
        ("classic 3; steps: draw -; deck:", "the step on top does not fit the position"),
        ("classic 3; rest A; steps: attack A; at attacking A", "give the steps or 'at', not both"),
        ("classic 3; at attacking", "'' is no seat"),
        ("classic 3; at roll A", "no turn of classic starts with the step 'roll'"),
        (
            "classic 3; rest A; hand A: ala; picks: 3; steps: trade A",
            "picks are one or two ascending positions",
        ),
    ],
)
def test_bad_position_is_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_state(text)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["chess 2", "classic 9", "classic 3 rounds=0", "classic 3 fog=1"])
def test_bad_variant_is_refused_as_anywhere(text: str) -> None:
    with pytest.raises(RulesError, match=r"classic|Known"):
        read_state(text)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", NotationError, "'' is no action: it starts with one of stop, claim"),
        ("surrender", NotationError, "'surrender' is no action"),
        ("roll 6 / 5", IllegalAction, "roll is not what is asked now"),
        ("draw ont", IllegalAction, "draw is not what is asked now"),
        ("stop 1", IllegalAction, "amount 1 is not between 0 and 0"),
        ("stop ala", IllegalAction, "stop is not among the 4 options"),
        ("attack ala>kam 4", IllegalAction, "amount 4 is not between 1 and 3"),
        ("attack ala>kam 3 2", UnknownName, "unknown place on board classic 'kam 3'"),
        ("attack ala>kam -1", UnknownName, "unknown place"),
        ("attack ala>kam 9999999", NotationError, "'9999999' is no number"),
        ("attack kam>ala 1", IllegalAction, "attack is not among the 4 options"),
        ("trade ont", IllegalAction, "trade is not among the 4 options"),
    ],
)
def test_bad_action_is_refused(text: str, error: type[RulesError], message: str) -> None:
    r, s = read_state(WAR)
    with pytest.raises(error) as caught:
        read_action(r, s, text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("roll", "this roll has 2 dice of the attacker, then /, then 1"),
        ("roll 6 5 1", "this roll has 2 dice of the attacker"),
        ("roll 6 / 5 1", "this roll has 2 dice of the attacker"),
        ("roll 6 0 / 1", "'0' is no number from 1 to 6"),
        ("roll 6 x / 1", "'x' is no number from 1 to 6"),
        ("stop", "stop is not among the 1 options"),
    ],
)
def test_bad_dice_are_refused(text: str, message: str) -> None:
    r, s = read_state(WAR.replace("kam 2", "kam 1"))
    r.play(s, 0, *read_action(r, s, "attack ala>kam 2"))
    with pytest.raises(RulesError) as caught:
        read_action(r, s, text)
    assert message in str(caught.value)


def test_bad_draw_is_refused() -> None:
    r, s = read_state("classic 3; rest A; discards: ala; steps: draw -")
    assert read_action(r, s, "draw nwt") == (0, 0)
    for text in ("draw", "draw ala", "draw ala nwt", "draw 1"):
        with pytest.raises(RulesError):
            read_action(r, s, text)


def test_no_action_after_the_end() -> None:
    r, s = read_state("classic 3; rest A; places: 1 2 2; ending conquest")
    with pytest.raises(IllegalAction, match="the match is over"):
        read_action(r, s, "stop")


MARKS = "A B F A: B: C: - -: : ; ; ; / > 0 1 3 99 65536 -1 ² @ ! ala kam nwt wild alaska>kam rounds=5"
CLAUSES = "rest at first turn pool fell lost ending round sets captures bonus groups"
LISTS = ["hand A:", "deck:", "discards:", "picks:", "places:", "steps:"]
NAMES = [*STEP_NAMES.values(), *ENDINGS, *[schema.name for schema in SCHEMAS.values()]]
WORDS = st.sampled_from(["classic 3", "9" * 5000, *MARKS.split(), *CLAUSES.split(), *LISTS, *NAMES])
PHRASES = st.lists(WORDS | st.text(max_size=4), max_size=16).map(" ".join)


@given(text=st.text() | PHRASES | PHRASES.map("classic 3; rest C 2; ".__add__))
def test_any_text_is_read_or_refused_as_position(text: str) -> None:
    try:
        r, s = read_state(text)
    except RulesError:
        return
    check_position(r, s)


@given(text=st.text() | PHRASES)
def test_any_text_is_read_or_refused_as_action(text: str) -> None:
    for position in (WAR, "classic 3; rest A; steps: draw -", "classic 3; rest A; steps: first - 7"):
        r, s = read_state(position)
        try:
            index, amount = read_action(r, s, text)
        except RulesError:
            continue
        r.play(s, r.asked(s), index, amount)
