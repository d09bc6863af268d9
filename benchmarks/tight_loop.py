"""The classic game as one plain loop: what it costs without sections, agenda, events and one decision shape.

A yardstick for benchmarks/engine.py, not an engine: it cannot stop, resume, clone, record or hide anything.
It lists the same options as the engine and takes any of them, and any amount, with equal chance. Only what
cannot be told apart from outside is simpler: cards are shuffled and drawn in order instead of being chosen
out of groups, and the arena's limit of 20,000 armies, out of reach in a short match, is left out.
It imports nothing of ours, so that mypyc can compile it alone.
"""

import random
from itertools import combinations, product
from typing import Final, NamedTuple

STARTING_ARMIES: Final = {3: 35, 4: 30, 5: 25, 6: 20}
SET_VALUES: Final = (4, 6, 8, 10, 12, 15)
WILD_SYMBOL: Final = 3
STOP: Final = -1
WIDTH: Final = 128  # a border is source * WIDTH + target


class World(NamedTuple):
    """The tables of a board."""

    neighbours: list[list[int]]
    region_of: list[int]
    region_size: list[int]
    region_bonus: list[int]
    symbols: list[int]


class Result(NamedTuple):
    """`decisions` counts as the engine does: a seat answered and had two or more answers."""

    decisions: int
    rounds: int
    owner: list[int]
    armies: list[int]
    received: int
    killed: int
    cards: int  # in hands and in the pile


def _losses(attack: int, defence: int) -> list[int]:
    """What the attacker loses, for every roll."""
    losses: list[int] = []
    for roll in product(range(6), repeat=attack + defence):
        pairs = zip(sorted(roll[:attack], reverse=True), sorted(roll[attack:], reverse=True))
        losses.append(len([1 for ours, theirs in pairs if ours <= theirs]))
    return losses


LOSSES: Final = [_losses(dice >> 2, dice & 3) if dice >> 2 and 0 < dice & 3 < 3 else [] for dice in range(16)]


def _sets(hand: list[int], symbols: list[int]) -> list[tuple[int, ...]]:
    """All sets of three in a sorted hand, each once."""
    found: list[tuple[int, ...]] = []
    for three in combinations(hand, 3):
        of = [symbols[card] for card in three]
        if (WILD_SYMBOL in of or len(set(of)) != 2) and three not in found:
            found.append(three)
    return found


def _pick(found: list[tuple[int, ...]], may_stop: bool, rng: random.Random) -> tuple[tuple[int, ...], int]:
    """A set picked card by card, or () to keep the hand; and how many of the picks were decisions."""
    decisions = 0
    for position in range(3):
        cards = sorted({three[position] for three in found})
        if position == 0 and may_stop:
            cards.insert(0, STOP)
        card = cards[0]
        if len(cards) > 1:
            decisions += 1
            card = rng.choice(cards)
        if card == STOP:
            return (), decisions
        found = [three for three in found if three[position] == card]
    return found[0], decisions


def play(world: World, seats: int, rounds: int, rng: random.Random) -> Result:
    """Plays one match to its end or to the round limit."""
    neighbours, region_of, region_size, region_bonus, card_symbols = world
    size = len(neighbours)
    wild = size
    symbols = [*card_symbols, WILD_SYMBOL]
    rand = rng.random
    owner = [-1] * size
    armies = [0] * size
    held = [0] * seats
    regions = [[0] * len(region_size) for _ in range(seats)]
    pool = [STARTING_ARMIES[seats]] * seats
    hands: list[list[int]] = [[] for _ in range(seats)]
    deck = [*range(size), wild, wild]
    rng.shuffle(deck)
    decisions = 0
    received = STARTING_ARMIES[seats] * seats
    killed = 0
    sets = 0
    alive = seats
    options: list[int] = []

    # Who begins: the highest die, those who tie roll again.
    tied = list(range(seats))
    while len(tied) > 1:
        dice = [int(rand() * 6) for _ in tied]
        tied = [tied[i] for i in range(len(tied)) if dice[i] == max(dice)]
    first = tied[0]

    # Claiming; the last territory leaves no choice.
    seat = first
    for empty in range(size, 0, -1):
        options.clear()
        for place in range(size):
            if owner[place] < 0:
                options.append(place)
        place = options[0]
        if empty > 1:
            decisions += 1
            place = options[int(rand() * empty)]
        owner[place] = seat
        armies[place] = 1
        held[seat] += 1
        regions[seat][region_of[place]] += 1
        pool[seat] -= 1
        seat = (seat + 1) % seats

    # The rest of the starting armies.
    while sum(pool) > 0:
        if pool[seat] > 0:
            options.clear()
            for place in range(size):
                if owner[place] == seat:
                    options.append(place)
            decisions += 1
            armies[options[int(rand() * len(options))]] += 1
            pool[seat] -= 1
        seat = (seat + 1) % seats

    seat = first
    turn_of_round = 0
    played = 1
    while True:
        # Income.
        armies_in_hand = max(3, held[seat] // 3)
        mine = regions[seat]
        for region in range(len(region_size)):
            if mine[region] == region_size[region]:
                armies_in_hand += region_bonus[region]
        received += armies_in_hand

        # Cards, then armies; again in mid-turn when an elimination has filled the hand.
        hand = hands[seat]
        bonus_paid = False
        captures = 0
        trading_down = False
        while True:
            keep = 4 if trading_down else 2
            while len(hand) > keep:
                found = _sets(hand, symbols)
                if not found:
                    break
                three, asked = _pick(found, not trading_down and len(hand) < 5, rng)
                decisions += asked
                if not three:
                    break
                for card in three:
                    hand.remove(card)
                under = list(three)
                rng.shuffle(under)
                deck.extend(under)
                value = SET_VALUES[sets] if sets < 6 else 5 * (sets - 2)
                sets += 1
                armies_in_hand += value
                received += value
                own = [card for card in three if card != wild and owner[card] == seat]
                if own and not bonus_paid:
                    bonus_paid = True
                    if len(own) > 1:
                        decisions += 1
                    armies[own[int(rand() * len(own))]] += 2
                    received += 2
                if trading_down:
                    break
            if armies_in_hand:
                options.clear()
                for place in range(size):
                    if owner[place] == seat:
                        options.append(place)
                count = len(options)
                while armies_in_hand:
                    if count > 1 or armies_in_hand > 1:
                        decisions += 1
                    amount = 1 + int(rand() * armies_in_hand)
                    armies[options[int(rand() * count)]] += amount
                    armies_in_hand -= amount
            if trading_down and len(hand) > 4:
                continue
            trading_down = False

            # Attacks.
            while not trading_down:
                options.clear()
                options.append(STOP)
                for place in range(size):
                    if owner[place] == seat and armies[place] > 1:
                        border = place * WIDTH
                        for other in neighbours[place]:
                            if owner[other] != seat:
                                options.append(border + other)
                if len(options) == 1:
                    break
                decisions += 1
                border = options[int(rand() * len(options))]
                if border == STOP:
                    break
                source = border // WIDTH
                target = border % WIDTH
                most = armies[source] - 1
                attack = 1 + int(rand() * (3 if most > 3 else most))
                defence = 1
                if armies[target] > 1:
                    decisions += 1
                    defence = 1 + int(rand() * 2)
                table = LOSSES[attack * 4 + defence]
                lost = table[int(rand() * len(table))]
                at_stake = attack if attack < defence else defence
                killed += at_stake
                armies[source] -= lost
                armies[target] -= at_stake - lost
                if armies[target]:
                    continue
                loser = owner[target]
                region = region_of[target]
                held[loser] -= 1
                regions[loser][region] -= 1
                owner[target] = seat
                held[seat] += 1
                mine[region] += 1
                captures += 1
                moved = attack
                if armies[source] - attack > 1:
                    decisions += 1
                    moved += int(rand() * (armies[source] - attack))
                armies[source] -= moved
                armies[target] = moved
                if held[loser] == 0:
                    alive -= 1
                    if alive == 1:
                        cards = len(deck) + sum(len(one) for one in hands)
                        return Result(decisions, played, owner, armies, received, killed, cards)
                    hand.extend(hands[loser])
                    hand.sort()
                    hands[loser].clear()
                    if len(hand) >= 6:
                        trading_down = True

            if not trading_down:
                break

        if captures and deck:
            hand.append(deck.pop(0))
            hand.sort()

        # The free move.
        options.clear()
        options.append(STOP)
        for place in range(size):
            if owner[place] == seat and armies[place] > 1:
                border = place * WIDTH
                for other in neighbours[place]:
                    if owner[other] == seat:
                        options.append(border + other)
        if len(options) > 1:
            decisions += 1
            border = options[int(rand() * len(options))]
            if border != STOP:
                source = border // WIDTH
                amount = 1 + int(rand() * (armies[source] - 1))
                armies[source] -= amount
                armies[border % WIDTH] += amount

        # The next seat in play; a round ends when the order comes back to, or past, who began.
        while True:
            seat = (seat + 1) % seats
            turn_of_round += 1
            if held[seat]:
                break
        if turn_of_round >= seats:
            if played == rounds:
                cards = len(deck) + sum(len(one) for one in hands)
                return Result(decisions, played, owner, armies, received, killed, cards)
            turn_of_round -= seats
            played += 1
