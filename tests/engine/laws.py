"""The laws that every position of every variant obeys, checked along random play."""

import pickle
import random
from collections import Counter

from engine.chance import Chance, seeded_keys
from engine.playout import Overmatch, Policy, Uniform, play_out
from engine.rules.cards import kind_of, seen_by
from engine.rules.choices import BRIBE, CLAIM_MISSION, DRAW, HEADQUARTERS, ROLL_FIRST, SCHEMAS, TRADE, unpack
from engine.rules.errors import IllegalAction
from engine.rules.events import BONUS_PAID, INCOME, LOST, SET_PAID, WASTED, Event
from engine.rules.observe import imagine, observe, redact, resample
from engine.rules.ruleset import MOST_ARMIES, Ruleset
from engine.rules.state import AUDIENCE, CHANCE, NOBODY, State

SHOWING = (DRAW, TRADE, HEADQUARTERS, CLAIM_MISSION)  # verbs that may show what was hidden
SLICE = 50  # actions between two looks; the deep laws are checked at one look in `deep_every`
MUTABLE = ("agenda", "owner", "armies", "held", "regions", "pool")


def codes_of(r: Ruleset, s: State, seat: int) -> list[int]:
    codes: list[int] = []
    r.options(s, seat, codes)
    return codes


def fields(s: State) -> tuple[object, ...]:
    return tuple(getattr(s, name) for name in AUDIENCE)


def play_under_laws(r: Ruleset, seed: int, wild: bool, deep_every: int) -> State:
    """Plays one match by random policies, wild or to conquest, looking at the laws every few actions."""
    s = r.new()
    s.events = []
    policies: list[Policy] = [(Uniform if wild else Overmatch)(seed * 8 + seat) for seat in range(r.seats)]
    chance = Chance(*seeded_keys(seed))
    rng = random.Random(seed)
    armies = army_sum(s)
    looks = 0
    while not r.over(s):
        play_out(r, s, policies, chance, None, SLICE)
        armies += growth(s.events)
        s.events.clear()
        assert army_sum(s) == armies, "armies come and go by named events only"
        check_cheap(r, s)
        if looks % deep_every == seed % deep_every and not r.over(s):
            check_deep(r, s, rng)
        looks += 1
    check_result(r, s)
    return s


def army_sum(s: State) -> int:
    return sum(s.armies) + sum(s.pool)


def growth(events: list[Event]) -> int:
    gained = sum(event.amount for event in events if event.kind in (INCOME, SET_PAID, BONUS_PAID))
    return gained - sum(event.amount for event in events if event.kind in (LOST, WASTED))


def check_cheap(r: Ruleset, s: State) -> None:
    board = r.board
    held = Counter(s.owner)
    assert s.held == [held[force] for force in range(r.forces)]
    inside = Counter(zip(s.owner, board.region_of))
    regions = len(board.region_bonus)
    assert s.regions == [inside[force, region] for force in range(r.forces) for region in range(regions)]
    assert all(
        (s.armies[place] > 0) == (s.owner[place] != NOBODY or tied(s, place)) for place in range(board.size)
    )
    assert all(s.held[seat] == 0 for seat in range(s.seats) if s.fell[seat])
    assert s.round == 0 or 0 not in s.armies
    assert all(r.army_count(s, seat) + s.pool[seat] <= MOST_ARMIES for seat in range(s.seats))
    check_shares(r, s)
    check_cards(r, s)


def tied(s: State, place: int) -> bool:
    """Whether mates who share a place have equally many armies there, so that nobody controls it."""
    shares = s.shares[place] if s.shares else (0,)
    return max(shares) > 0 and shares.count(max(shares)) > 1


def check_shares(r: Ruleset, s: State) -> None:
    """Only mates share a place, and strictly the most armies control it."""
    for place, shares in enumerate(s.shares):
        assert sum(shares) == s.armies[place]
        assert min(shares) >= 0
        there = {r.teams[seat] for seat, armies in enumerate(shares) if armies}
        assert len(there) <= 1
        if s.owner[place] != NOBODY:
            assert [seat for seat, armies in enumerate(shares) if armies == max(shares)] == [s.owner[place]]


def check_cards(r: Ruleset, s: State) -> None:
    for deck in range(len(r.decks)):
        hands = s.hands[deck * r.forces : (deck + 1) * r.forces]
        kinds = [kind_of(card) for hand in hands for card in hand]
        kinds += [kind for group in s.decks[deck] for kind in group.cards]
        kinds += [*s.discards[deck], *(s.headquarters if deck == 0 else ())]
        assert sorted(kinds) == all_cards(r, deck), "no card is lost or made"
    for number, hand in enumerate(s.hands):
        holder = number % r.forces
        assert holder >= s.seats or all(seen_by(card) >> holder & 1 for card in hand), "a holder knows its cards"
        assert list(hand) == sorted(hand)
    origins = [group.origin for deck in s.decks for group in deck]
    assert len(set(origins)) == len(origins)
    assert all(group.cards for deck in s.decks for group in deck)


def all_cards(r: Ruleset, deck: int) -> list[int]:
    """The kinds of a deck as often as it has them."""
    return sorted(kind for group in r.new().decks[deck] for kind in group.cards)


def check_deep(r: Ruleset, s: State, rng: random.Random) -> None:
    check_options(r, s)
    check_clone(r, s)
    for seat in range(NOBODY, s.seats):
        check_secrecy(r, s, seat, rng)


def check_options(r: Ruleset, s: State) -> None:
    """Every listed option applies at both ends of its amounts; everything else raises and changes nothing."""
    seat = r.asked(s)
    codes = codes_of(r, s, seat)
    assert codes, "somebody is asked, so there is an option"
    assert codes == sorted(set(codes)), "options stand in ascending code, each once"
    for index, code in enumerate(codes):
        option = unpack(code)
        assert option.verb in SCHEMAS
        assert (seat == CHANCE) == (SCHEMAS[option.verb].stream >= 0)
        for amount in {option.low, option.high}:
            after = s.clone()
            after.events = []
            r.play(after, seat, index, amount)
            assert after.digest() != s.digest() or option.verb == ROLL_FIRST, "but for a tie again"
            assert army_sum(after) == army_sum(s) + growth(after.events)
            check_cheap(r, after)
        refused(r, s, seat, index, option.low - 1)
        refused(r, s, seat, index, option.high + 1)
    refused(r, s, seat, -1, 0)
    refused(r, s, seat, len(codes), 0)
    for other in range(CHANCE, s.seats):
        if other not in r.waiting(s):
            refused(r, s, other, 0, unpack(codes[0]).low)


def refused(r: Ruleset, s: State, seat: int, index: int, amount: int) -> None:
    before = s.digest()
    try:
        r.play(s, seat, index, amount)
    except IllegalAction:
        assert s.digest() == before
        return
    raise AssertionError(f"seat {seat}, option {index}, amount {amount} was taken")


def check_clone(r: Ruleset, s: State) -> None:
    twin = s.clone()
    assert fields(twin) == fields(s)
    assert all(getattr(twin, name) is not getattr(s, name) for name in MUTABLE)
    assert all(isinstance(getattr(s, name), int | tuple) for name in AUDIENCE if name not in MUTABLE)
    assert fields(pickle.loads(pickle.dumps(s))) == fields(s)


def check_secrecy(r: Ruleset, s: State, seat: int, rng: random.Random) -> None:
    """What the seat cannot know is drawn anew: it sees and may do the same as before."""
    seen = observe(r, s, seat)
    other = resample(r, s, seat, rng.randrange)
    assert observe(r, other, seat) == seen
    assert observe(r, imagine(seen, rng.randrange), seat) == seen
    check_cards(r, other)
    if seat in r.waiting(s):
        assert codes_of(r, other, seat) == codes_of(r, s, seat)
        told: list[list[Event]] = []
        for position in (s, other):
            after = position.clone()
            after.events = []
            code = codes_of(r, after, seat)[0]
            r.apply(after, seat, code, unpack(code).low)
            told.append([redact(event, seat) for event in after.events])
        assert told[0] == told[1] or r.over(after), "what the seat's own answer tells it is the same"
    else:
        check_bystander(r, s, other, seat)


def check_bystander(r: Ruleset, s: State, other: State, seat: int) -> None:
    """Whatever somebody else does in both positions, unless it shows a secret, looks the same to the seat."""
    waiting = r.asked(s)
    if r.asked(other) != waiting:
        assert len(r.waiting(s)) + len(r.waiting(other)) > 2, "somebody has chosen in secret"
        return
    both = [code for code in codes_of(r, s, waiting) if code in codes_of(r, other, waiting)]
    for code in both[:1] + both[-1:]:
        if unpack(code).verb not in SHOWING and not gives_wild(r, code):
            after = [s.clone(), other.clone()]
            for position in after:
                r.apply(position, waiting, code, unpack(code).low)
            if not any(r.over(position) for position in after):  # a goal that is reached shows what it was
                assert observe(r, after[0], seat) == observe(r, after[1], seat)


def gives_wild(r: Ruleset, code: int) -> bool:
    """Of the two wild cards that a seat may hold, the others see by its origin which one it gives away."""
    return unpack(code).verb == BRIBE and unpack(code).card == r.board.size


def check_result(r: Ruleset, s: State) -> None:
    assert r.waiting(s) == ()
    assert len(s.places) == s.seats
    assert min(s.places) == 1
    ranks = Counter(s.places)
    assert all(1 + sum(1 for other in s.places if other < place) == place for place in ranks)
    assert s.round <= r.rounds
