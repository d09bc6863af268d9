"""How matches came out: one match as a placement, many as a table of places."""

from collections import Counter
from pathlib import Path
from typing import Any

from arena.cli.board_view import seat_text
from arena.cli.output import table
from arena.matches import Fault, Fixture, Played
from engine.rules.notation import COLOURS, LETTERS
from engine.rules.state import ENDINGS
from sdk.local import BotSpec


def match_data(played: Played, path: Path | None) -> dict[str, Any]:
    final, fixture = played.final, played.fixture
    return {
        "variant": fixture.variant,
        "options": fixture.options,
        "seed": fixture.seed,
        "ending": ENDINGS[final.ending],
        "rounds": final.round,
        "decisions": played.decisions,
        "seats": [_seat_data(played, seat) for seat in range(final.seats)],
        "faults": [fault_data(fault) for fault in played.faults],
        "record": None if path is None else str(path),
    }


def _seat_data(played: Played, seat: int) -> dict[str, Any]:
    return {
        "seat": seat,
        "colour": COLOURS[seat],
        "bot": played.fixture.bots[seat].name,
        "place": played.final.places[seat],
        "territories": played.final.held[seat],
        "luck": round(played.luck[seat], 3),
    }


def fault_data(fault: Fault) -> dict[str, Any]:
    return {"seat": fault.seat, "kind": fault.kind, "detail": fault.detail}


def match_page(played: Played, path: Path | None) -> list[Any]:
    final, fixture = played.final, played.fixture
    options = "".join(f", {name}={value}" for name, value in fixture.options.items())
    right = ("place", "territories", "luck")
    rows = table(f"{fixture.variant}{options}", "place", "seat", "bot", "territories", "luck", right=right)
    for seat in sorted(range(final.seats), key=lambda seat: final.places[seat]):
        bot, luck = fixture.bots[seat].name, f"{played.luck[seat]:+.1f}"
        rows.add_row(str(final.places[seat]), seat_text(seat), bot, str(final.held[seat]), luck)
    ending = f" Ended by {ENDINGS[final.ending].replace('_', ' ')} in round {final.round}"
    ending += f", {played.decisions:,} decisions." if played.decisions else "."
    parts: list[Any] = [rows, ending]
    if path is not None:
        parts.append(f" Record: {path}")
    return parts


class Tally:
    """Counts places by entry: the bots as the user listed them, wherever they sat."""

    def __init__(self, entries: list[BotSpec]) -> None:
        self.entries = entries
        self.places: list[Counter[int]] = [Counter() for _ in entries]
        self.wins = [0] * len(entries)
        self.endings: Counter[str] = Counter()
        self.faults: list[Fault] = []
        self.rounds = 0
        self.matches = 0
        self.seconds = 0.0

    def add(self, played: Played) -> None:
        places = played.final.places
        for seat, entry in enumerate(played.fixture.entries):
            self.places[entry][places[seat]] += 1
            self.wins[entry] += places[seat] == 1 and places.count(1) == 1
        self.endings[ENDINGS[played.final.ending]] += 1
        self.faults.extend(played.faults)
        self.rounds += played.final.round
        self.matches += 1

    def label(self, entry: int) -> str:
        """The bot's name, numbered where it plays more than once."""
        names = [bot.name for bot in self.entries]
        name = names[entry]
        return f"{name} ({names[: entry + 1].count(name)})" if names.count(name) > 1 else name

    def mean(self, entry: int) -> float:
        counts = self.places[entry]
        return sum(place * count for place, count in counts.items()) / self.matches

    def rate(self) -> float:
        return self.matches / max(self.seconds, 1e-9)

    def order(self) -> list[int]:
        return sorted(range(len(self.entries)), key=self.mean)


def series_data(tally: Tally, fixture: Fixture) -> dict[str, Any]:
    return {
        "variant": fixture.variant,
        "options": fixture.options,
        "seed": fixture.seed,
        "matches": tally.matches,
        "mean_rounds": round(tally.rounds / tally.matches, 2),
        "endings": dict(tally.endings),
        "seconds": round(tally.seconds, 3),
        "matches_per_second": round(tally.rate(), 2),
        "bots": [_entry_data(tally, entry) for entry in range(len(tally.entries))],
        "faults": [fault_data(fault) for fault in tally.faults],
    }


def _entry_data(tally: Tally, entry: int) -> dict[str, Any]:
    places = {str(place): tally.places[entry][place] for place in range(1, len(tally.entries) + 1)}
    return {
        "bot": tally.label(entry),
        "wins": tally.wins[entry],
        "mean_place": round(tally.mean(entry), 3),
        "places": places,
    }


def series_page(tally: Tally, fixture: Fixture) -> list[Any]:
    numbers = [str(place) for place in range(1, len(tally.entries) + 1)]
    columns = ("wins", "win %", "mean place", *[f"#{number}" for number in numbers])
    rows = table(f"{fixture.variant}, {tally.matches} matches, seats rotated", "bot", *columns, right=columns)
    for entry in tally.order():
        wins = tally.wins[entry]
        counts = [str(tally.places[entry][int(number)] or "·") for number in numbers]
        share = f"{100 * wins / tally.matches:.1f}"
        rows.add_row(tally.label(entry), str(wins), share, f"{tally.mean(entry):.2f}", *counts)
    endings = ", ".join(f"{count} by {name.replace('_', ' ')}" for name, count in tally.endings.most_common())
    mean = f"{tally.rounds / tally.matches:.1f} rounds on average"
    return [rows, f" {endings}; {mean}; {tally.rate():.1f} matches/s"]


def fault_lines(faults: list[Fault]) -> list[str]:
    """One line for each bot, seat and fault, with how often it happened."""
    told: Counter[str] = Counter()
    for fault in faults:
        told[f"seat {LETTERS[fault.seat]} ({COLOURS[fault.seat]}), {fault.kind}: {fault.detail}"] += 1
    return [f"{line} ({count} times)" if count > 1 else line for line, count in told.items()]
