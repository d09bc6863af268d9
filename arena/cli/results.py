"""How matches came out: one match as a placement, many as a table of places."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from arena.cli.board_view import seat_text
from arena.cli.output import table
from arena.matches import Fault, Fixture, Played
from engine.rules.notation import LETTERS
from engine.rules.state import COLOURS, ENDINGS
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
    return {"seat": fault.seat, "bot": fault.bot, "kind": fault.kind, "detail": fault.detail}


def match_page(played: Played, path: Path | None) -> list[Any]:
    final, fixture = played.final, played.fixture
    options = "".join(f", {name}={value}" for name, value in fixture.options.items())
    right = ("place", "land", "luck", "faults")
    rows = table(f"{fixture.variant}{options}", "place", "seat", "bot", "land", "luck", "faults", right=right)
    faults = Counter(fault.seat for fault in played.faults)
    for seat in sorted(range(final.seats), key=lambda seat: final.places[seat]):
        bot, luck = fixture.bots[seat].name, f"{played.luck[seat]:+.1f}"
        place, land, count = str(final.places[seat]), str(final.held[seat]), str(faults[seat] or "·")
        rows.add_row(place, seat_text(seat), bot, land, luck, count)
    ending = f" Ended by {ENDINGS[final.ending].replace('_', ' ')} in round {final.round}"
    ending += f", {played.decisions:,} decisions." if played.decisions else "."
    parts: list[Any] = [rows, ending]
    if path is not None:
        parts.append(f" Record: {path}")
    return parts


class Faults:
    """Faults by bot and kind: the first of each, and how many there were."""

    def __init__(self, faults: Iterable[Fault] = ()) -> None:
        self.first: dict[tuple[str, str], Fault] = {}
        self.counts: Counter[tuple[str, str]] = Counter()
        self.add(faults)

    def add(self, faults: Iterable[Fault]) -> None:
        for fault in faults:
            self.first.setdefault((fault.bot, fault.kind), fault)
            self.counts[fault.bot, fault.kind] += 1

    def lines(self) -> list[str]:
        return [f"{_fault_line(fault)}{_first_of(self.counts[key])}" for key, fault in self.first.items()]

    def data(self) -> list[dict[str, Any]]:
        return [
            {"bot": fault.bot, "kind": fault.kind, "count": self.counts[key], "first": fault.detail}
            for key, fault in self.first.items()
        ]


def _fault_line(fault: Fault) -> str:
    return f"seat {LETTERS[fault.seat]} ({COLOURS[fault.seat]}), {fault.kind}: {fault.detail}"


def _first_of(count: int) -> str:
    return f" (the first of {count})" if count > 1 else ""


class Tally:
    """Counts places by entry: the bots as the user listed them, wherever they sat."""

    def __init__(self, entries: list[BotSpec], planned: int) -> None:
        self.entries = entries
        self.planned = planned
        self.places: list[Counter[int]] = [Counter() for _ in entries]
        self.wins = [0] * len(entries)
        self.endings: Counter[str] = Counter()
        self.faults = Faults()
        self.faulty = [0] * len(entries)
        self.rounds = 0
        self.matches = 0
        self.seconds = 0.0

    def add(self, played: Played) -> None:
        places = played.final.places
        for seat, entry in enumerate(played.fixture.entries):
            self.places[entry][places[seat]] += 1
            self.wins[entry] += places[seat] == 1 and places.count(1) == 1
        self.endings[ENDINGS[played.final.ending]] += 1
        self.faults.add(played.faults)
        for fault in played.faults:
            self.faulty[played.fixture.entries[fault.seat]] += 1
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


def series_data(tally: Tally, first: Fixture) -> dict[str, Any]:
    return {
        "variant": first.variant,
        "options": first.options,
        "seed": first.seed,
        "matches": tally.matches,
        "mean_rounds": round(tally.rounds / tally.matches, 2),
        "endings": dict(tally.endings),
        "seconds": round(tally.seconds, 3),
        "matches_per_second": round(tally.rate(), 2),
        "bots": [_entry_data(tally, entry) for entry in range(len(tally.entries))],
        "faults": tally.faults.data(),
    }


def _entry_data(tally: Tally, entry: int) -> dict[str, Any]:
    places = {str(place): tally.places[entry][place] for place in range(1, len(tally.entries) + 1)}
    return {
        "bot": tally.label(entry),
        "wins": tally.wins[entry],
        "mean_place": round(tally.mean(entry), 3),
        "places": places,
        "faults": tally.faulty[entry],
    }


def series_page(tally: Tally, first: Fixture) -> list[Any]:
    numbers = [str(place) for place in range(1, len(tally.entries) + 1)]
    columns = ("wins", "win %", "mean place", *[f"#{number}" for number in numbers], "faults")
    rows = table(f"{first.variant}, {tally.matches} matches, seats rotated", "bot", *columns, right=columns)
    for entry in tally.order():
        wins = tally.wins[entry]
        counts = [str(tally.places[entry][int(number)] or "·") for number in numbers]
        counts.append(str(tally.faulty[entry] or "·"))
        share = f"{100 * wins / tally.matches:.1f}"
        rows.add_row(tally.label(entry), str(wins), share, f"{tally.mean(entry):.2f}", *counts)
    endings = ", ".join(f"{count} by {name.replace('_', ' ')}" for name, count in tally.endings.most_common())
    mean = f"{tally.rounds / tally.matches:.1f} rounds on average"
    return [rows, f" {endings}; {mean}; {tally.rate():.1f} matches/s"]
