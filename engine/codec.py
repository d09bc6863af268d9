"""Engine to wire and wire to engine: nothing else touches both."""

from conquest.v1.game_pb2 import Events, Observation, Options
from conquest.v1.referee_pb2 import PlannedAction
from engine.rules import columns
from engine.rules.choices import NO_CARD, NO_PIECE, NO_PLACE, Action
from engine.rules.columns import NONE
from engine.rules.events import Event
from engine.rules.observe import Observation as Seen
from engine.rules.ruleset import Ruleset


def fill_observation(sent: Observation, o: Seen) -> None:
    """Writes into a message that is there already: making one and copying it takes twice as long.

    What is mostly zero or empty, and so not sent, is not set either.
    """
    sent.seat = o.seat & NONE
    sent.turn = o.turn
    if o.first:
        sent.first = o.first
    sent.round = o.round
    sent.rounds_left = o.rounds_left
    sent.agenda = columns.steps(o.agenda)
    sent.owners = columns.seats(o.owner)
    sent.armies = columns.words(o.armies)
    sent.pool = columns.words(o.pool)
    sent.fell = bytes(o.fell)
    if o.lost:
        sent.lost = o.lost
    sent.hand_sizes = columns.sizes(o.hands)
    sent.hands = columns.held_cards(o.hands)
    sent.pile_sizes = columns.sizes(o.piles)
    sent.piles = columns.piles(o.piles)
    sent.unseen_sizes, sent.unseen = columns.groups(o.pools)
    sent.discard_sizes = columns.sizes(o.discards)
    sent.discards = columns.joined(o.discards)
    sent.groups = o.groups
    if o.picks:
        sent.picks = bytes(o.picks)
    if o.sets:
        sent.sets = o.sets
    if o.captures:
        sent.captures = o.captures
    if o.bonus:
        sent.bonus = o.bonus
    if o.places:
        sent.places = bytes(o.places)
    if o.ending:
        sent.ending = o.ending
    if o.choices:
        sent.choices = columns.seats(o.choices)
    if o.headquarters:
        sent.headquarters = columns.seats(o.headquarters)
    if o.shares:
        sent.shares = columns.words([armies for place in o.shares for armies in place])
    if o.alliances:
        sent.alliances = columns.seats(o.alliances)
    if o.tally:
        sent.tally = columns.words(o.tally)


def write_observation(o: Seen) -> Observation:
    sent = Observation()
    fill_observation(sent, o)
    return sent


def read_observation(r: Ruleset, sent: Observation) -> Seen:
    """What was sent, with the counters that follow from it."""
    owner = columns.read_seats(sent.owners)
    fell = tuple(sent.fell)
    held, regions = counters(r, owner)
    return Seen(
        variant=r.variant,
        settings=r.settings_key,
        seat=sent.seat if sent.seat != NONE else -1,
        seats=len(fell),
        turn=sent.turn,
        first=sent.first,
        round=sent.round,
        rounds_left=sent.rounds_left,
        agenda=columns.read_steps(sent.agenda),
        owner=owner,
        armies=columns.read_words(sent.armies),
        held=held,
        regions=regions,
        pool=columns.read_words(sent.pool),
        fell=fell,
        lost=sent.lost,
        hands=columns.read_held_cards(sent.hand_sizes, sent.hands),
        piles=read_piles(sent.pile_sizes, sent.piles),
        pools=columns.read_groups(sent.unseen_sizes, sent.unseen),
        discards=read_parts(sent.discard_sizes, sent.discards),
        groups=sent.groups,
        picks=tuple(sent.picks),
        sets=sent.sets,
        captures=sent.captures,
        bonus=sent.bonus,
        places=tuple(sent.places),
        ending=sent.ending,
        choices=columns.read_seats(sent.choices),
        headquarters=columns.read_seats(sent.headquarters),
        shares=read_shares(sent.shares, len(fell)),
        alliances=columns.read_seats(sent.alliances),
        tally=columns.read_words(sent.tally),
    )


def counters(r: Ruleset, owner: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """How many places each force holds, in all and in every region."""
    count = len(r.board.region_bonus)
    held, regions = [0] * r.forces, [0] * (r.forces * count)
    for place, seat in enumerate(owner):
        if seat >= 0:
            held[seat] += 1
            regions[seat * count + r.board.region_of[place]] += 1
    return tuple(held), tuple(regions)


def read_shares(column: bytes, seats: int) -> tuple[tuple[int, ...], ...]:
    """The armies of each seat on each place; nothing where places are not shared."""
    armies = columns.read_words(column)
    return tuple([armies[start : start + seats] for start in range(0, len(armies), seats)])


def read_piles(sizes: bytes, column: bytes) -> tuple[tuple[tuple[int, int], ...], ...]:
    numbers = columns.read_words(column)
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    piles: list[tuple[tuple[int, int], ...]] = []
    for size in sizes:
        piles.append(tuple(pairs[:size]))
        del pairs[:size]
    return tuple(piles)


def read_parts(sizes: bytes, column: bytes) -> tuple[tuple[int, ...], ...]:
    parts: list[tuple[int, ...]] = []
    start = 0
    for size in sizes:
        parts.append(tuple(column[start : start + size]))
        start += size
    return tuple(parts)


def fill_options(sent: Options, codes: list[int]) -> None:
    (
        sent.verbs,
        sent.sources,
        sent.targets,
        sent.pieces,
        sent.cards,
        sent.lows,
        sent.highs,
    ) = columns.option_columns(codes)


def write_options(codes: list[int]) -> Options:
    sent = Options()
    fill_options(sent, codes)
    return sent


def read_options(sent: Options) -> list[int]:
    return columns.read_options(
        sent.verbs, sent.sources, sent.targets, sent.pieces, sent.cards, sent.lows, sent.highs
    )


def write_events(events: list[Event], first: int) -> Events:
    """Events that were redacted for whoever reads them; `first` is the number of the first in the match."""
    kinds, seats, sources, targets, pieces, cards, amounts = columns.event_columns(events)
    return Events(
        first=first,
        kinds=kinds,
        seats=seats,
        sources=sources,
        targets=targets,
        pieces=pieces,
        cards=cards,
        amounts=amounts,
    )


def read_events(sent: Events) -> list[Event]:
    return columns.read_events(
        sent.kinds, sent.seats, sent.sources, sent.targets, sent.pieces, sent.cards, sent.amounts
    )


def write_planned(action: Action) -> PlannedAction:
    """An action by value, for a plan."""
    return PlannedAction(
        verb=action.verb,
        source=action.source if action.source != NO_PLACE else NONE,
        target=action.target if action.target != NO_PLACE else NONE,
        piece=action.piece if action.piece != NO_PIECE else NONE,
        card=action.card if action.card != NO_CARD else NONE,
        amount=action.amount,
    )


def read_planned(sent: PlannedAction) -> Action:
    """A number out of range is one that no option has."""
    return Action(
        sent.verb,
        sent.source if sent.source != NONE else NO_PLACE,
        sent.target if sent.target != NONE else NO_PLACE,
        sent.piece if sent.piece != NONE else NO_PIECE,
        sent.card if sent.card != NONE else NO_CARD,
        sent.amount,
    )
