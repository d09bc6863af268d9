"""Boards: places, borders and regions, read from the JSON files beside this one.

All boards follow one schema. A board has layers (land, water, Moon...); the places of its first layer come
first, so a place has the same number whether all layers are loaded or only that one. Every place belongs to
one region. Borders work both ways and have a kind:

    land     a common border          coast    between a land and a water place
    sea      a line over the sea      water, lunar, passage    inside those layers and the underworld

What looks like a border but may not be crossed (mountains, flames) stands in `blocked`; one-way links are in
`reaches`. `provenance` in the data says where each fact is from and what is reconstructed.
"""

import json
import os
from typing import Any, Final, NamedTuple

from engine.rules import boards
from engine.rules.errors import UnknownName

BOARDS: Final = ("classic", "ad2210", "godstorm")
NO_SYMBOL: Final = -1


class Border(NamedTuple):
    """Two places that touch, the lower number first."""

    a: int
    b: int
    kind: str


class Board:
    """A map as flat tables, indexed by place or by region. Shared by all matches: never change it."""

    def __init__(self, data: dict[str, Any], layer: str | None, disputed: bool) -> None:
        self.name: str = data["name"]
        self.title: str = data["title"]
        self.recipe: tuple[str, str | None, bool] = (self.name, layer, disputed)
        self.facts: dict[str, Any] = data["facts"]  # what only this game needs
        layers: list[Any] = [row for row in data["layers"] if layer is None or row["id"] == layer]
        self.layers: list[str] = [row["id"] for row in layers]
        self.layer_maps: list[str] = [row["map"] for row in layers]  # layers of one map are drawn together

        places: list[Any] = [row for row in data["places"] if row["layer"] in self.layers]
        self.size: int = len(places)
        self.ids: list[str] = [row["id"] for row in places]
        self.names: list[str] = [row["name"] for row in places]
        self.shorts: list[str] = [row["short"] for row in places]
        self.aliases: list[list[str]] = [list(row.get("aliases", [])) for row in places]
        self.numbers: dict[str, int] = self._numbers()
        self.layer_of: list[int] = [self.layers.index(row["layer"]) for row in places]
        self.symbol_names: list[str] = list(data["symbols"])
        self.symbols: list[int] = [self._symbol(row["symbol"]) for row in places]
        self.features: list[list[str]] = [list(row.get("features", [])) for row in places]
        self.islands: list[int] = [place for place in range(self.size) if places[place].get("island", False)]
        self.x: list[int] = [row["x"] for row in places]
        self.y: list[int] = [row["y"] for row in places]

        regions: list[Any] = [row for row in data["regions"] if row["layer"] in self.layers]
        self.region_ids: list[str] = [row["id"] for row in regions]
        self.region_names: list[str] = [row["name"] for row in regions]
        self.region_bonus: list[int] = [row["bonus"] for row in regions]
        self.region_layer: list[int] = [self.layers.index(row["layer"]) for row in regions]
        self.region_of: list[int] = [self.region_ids.index(row["region"]) for row in places]
        self.members: list[list[int]] = [
            [place for place in range(self.size) if self.region_of[place] == region]
            for region in range(len(regions))
        ]
        self.region_size: list[int] = [len(members) for members in self.members]

        rows: list[Any] = [row for row in data["borders"] if disputed or not row.get("disputed", False)]
        self.borders: list[Border] = self._borders(rows, "kind")
        self.disputed: list[Border] = self._borders([row for row in rows if row.get("disputed")], "kind")
        self.wraps: list[Border] = self._borders([row for row in rows if row.get("wraps")], "kind")
        self.blocked: list[Border] = self._borders(data["blocked"], "by")
        self.neighbours: list[list[int]] = [[] for _ in range(self.size)]
        for border in self.borders:
            self.neighbours[border.a].append(border.b)
            self.neighbours[border.b].append(border.a)
        for neighbours in self.neighbours:
            neighbours.sort()
        self.reaches: list[list[int]] = [
            [self.find(there) for there in row.get("reaches", []) if _key(there) in self.numbers] for row in places
        ]

    def _numbers(self) -> dict[str, int]:
        numbers: dict[str, int] = {}
        for place in range(self.size):
            for text in [self.ids[place], self.names[place], self.shorts[place], *self.aliases[place]]:
                numbers[_key(text)] = place
        return numbers

    def _symbol(self, name: str | None) -> int:
        return NO_SYMBOL if name is None else self.symbol_names.index(name)

    def _borders(self, rows: list[Any], kind: str) -> list[Border]:
        """The rows whose two ends are on this board, in ascending order."""
        borders: list[Border] = []
        for row in rows:
            if row["a"] in self.ids and row["b"] in self.ids:
                a, b = self.ids.index(row["a"]), self.ids.index(row["b"])
                borders.append(Border(min(a, b), max(a, b), row[kind]))
        return sorted(borders)

    def find(self, text: str) -> int:
        """The place with this id, name, short form or alias, in any case; UnknownName if there is none."""
        place = self.numbers.get(_key(text), -1)
        if place < 0:
            raise UnknownName(f"place on board {self.name}", text.strip().lower(), self.ids)
        return place

    def with_feature(self, feature: str) -> list[int]:
        """The places that have it: landing_site, gate, crypt, altar, heaven."""
        return [place for place in range(self.size) if feature in self.features[place]]

    def __reduce__(self) -> tuple[object, tuple[str, str | None, bool]]:
        return load, self.recipe  # a copy or a pickle is the shared board again

    def __repr__(self) -> str:
        return f"<Board {self.name}: {self.size} places, {len(self.borders)} borders>"


_loaded: Final[dict[tuple[str, str | None, bool], Board]] = {}


def load(name: str, layer: str | None = None, disputed: bool = True) -> Board:
    """The board of that name with all its layers, or with one of them; always the same object.

    With `disputed` false the borders that the sources do not agree on are left out.
    """
    recipe = (name, layer, disputed)
    if recipe not in _loaded:
        if name not in BOARDS:
            raise UnknownName("board", name, BOARDS)
        data = _read(name)
        known: list[str] = [row["id"] for row in data["layers"]]
        if layer is not None and layer not in known:
            raise UnknownName(f"layer of board {name}", layer, known)
        _loaded[recipe] = Board(data, layer, disputed)
    return _loaded[recipe]


def _read(name: str) -> dict[str, Any]:
    # The package's own path: a compiled module's __file__ does not point beside its source.
    path = os.path.join(boards.__path__[0], f"{name}.json")
    with open(path, encoding="utf-8") as file:
        data: dict[str, Any] = json.load(file)
    return data


def _key(text: str) -> str:
    return text.strip().lower().replace("_", " ").replace("-", " ")
