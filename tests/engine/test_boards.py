"""The three boards: every border, the regions, symbols, islands and names."""

import copy
import itertools
import json
import math
import pickle
from importlib import resources
from typing import Any

import pytest

from engine.rules.boards.board import BOARDS, NO_SYMBOL, Board, load
from engine.rules.errors import RulesError, UnknownName

# Written by hand, apart from the data: each border once, by region, then between regions.
CLASSIC = """
ala-nwt ala-alb nwt-alb nwt-ont nwt-gre alb-ont alb-wus ont-wus ont-eus ont-que ont-gre que-eus que-gre
wus-eus wus-cam eus-cam
ven-per ven-bra per-bra per-arg bra-arg
ice-gbr ice-sca gbr-sca gbr-neu gbr-weu sca-neu sca-ukr neu-weu neu-seu neu-ukr weu-seu seu-ukr
naf-egy naf-eaf naf-con egy-eaf eaf-con eaf-saf eaf-mad con-saf saf-mad
ura-sib ura-chi ura-afg sib-yak sib-irk sib-mon sib-chi yak-kam yak-irk kam-irk kam-mon kam-jpn irk-mon
mon-jpn mon-chi chi-afg chi-ind chi-sia afg-ind afg-mid ind-mid ind-sia
ido-ngu ido-wau ngu-wau ngu-eau wau-eau
ala-kam gre-ice cam-ven bra-naf weu-naf seu-naf seu-egy seu-mid ukr-ura ukr-afg ukr-mid egy-mid
eaf-mid sia-ido
"""

# The classic territory that each land of 2210 A.D. stands for, in the order of its places.
CLASSIC_OF_2210 = """
ala nwt gre alb ont que wus eus cam  ven per bra arg  ice gbr sca neu weu seu ukr  naf egy eaf con saf mad
mid afg ura sib yak kam irk mon jpn chi ind sia  ido ngu wau eau
"""

WATER_2210 = """
bio-pos tim-atl jpn-tok hon-tok jav-sun ava-ire amr-nyo ama-bra ama-pau sah-ivo ind-cey mad-mic lea-aka
pos-haw haw-atl atl-tok tok-sun ire-nyo nyo-bra pau-ivo cey-mic mic-aka
"""

MOON_2210 = """
har-dew har-rai har-ari dew-rai dew-sto rai-sto  ari-ser ari-cri ser-cri ser-nec cri-nec
rha-clo rha-wal byr-clo byr-mar clo-mar clo-tyc clo-wal mar-tyc wal-tyc
rai-ari rai-ser rai-rha rai-clo dew-byr sto-byr sto-clo ser-rha nec-rha nec-wal
"""

GODSTORM = """
lig-rom lig-dal rom-apu rom-cor apu-dal apu-gra apu-sic dal-dac dal-thr dal-gra dac-thr thr-gra gra-min
gra-ion min-ion ion-ana
hib-cal hib-ang cal-ang cal-thu ang-gau ang-ale gau-ibe gau-ale ale-thu ale-gal thu-var var-gal
atl-car atl-gai car-gai car-cyr gai-cyr gai-nub cyr-egy cyr-nub egy-nub egy-kus nub-kus
pho-asy pho-bab pho-she asy-bab asy-sum asy-par bab-sum bab-she sum-par
hes-tri tri-pos pos-ori
rus-scy rus-cim rus-sar scy-cim cim-sar
gau-lig dac-scy hib-hes ibe-ori atl-ori atl-ibe sic-car min-egy ana-pho egy-pho kus-she var-rus sar-par
"""

GODSTORM_SEA = """
ale-ang ale-thu ang-gau ang-hib apu-dal apu-gra apu-sic atl-ibe atl-ori cal-hib cal-thu car-sic cim-sar
cor-rom egy-min gra-ion gra-min hes-hib ibe-ori ion-min kus-she
"""

MOUNTAINS = "ale-lig ale-dal ale-dac gal-dac gal-scy gal-rus cim-ana cim-par ana-par ana-asy"
UNDERWORLD = """
u01-u11 u01-u12 u01-u13 u02-u03 u02-u13 u03-u05 u03-u13 u04-u05 u05-u06 u05-u13 u06-u07 u07-u08 u07-u09
u07-u11 u09-u10 u09-u11 u10-u11 u11-u12 u12-u13
"""

FLAMES = "u01-u02 u01-u10 u03-u04 u08-u09 u06-u12 u07-u12"

FIRST_LAYERS = [("classic", "land"), ("ad2210", "land"), ("godstorm", "earth")]


def pairs(board: Board, text: str) -> set[tuple[int, int]]:
    """Read `ala-kam` pairs."""
    found = set()
    for word in text.split():
        a, b = sorted(board.find(short) for short in word.split("-"))
        found.add((a, b))
    return found


def borders(board: Board, *kinds: str) -> set[tuple[int, int]]:
    return {(a, b) for a, b, kind in board.borders if not kinds or kind in kinds}


def adjacent(board: Board, a: str, b: str) -> bool:
    return board.find(b) in board.neighbours[board.find(a)]


def neighbours(board: Board, place: str) -> set[str]:
    return {board.ids[other] for other in board.neighbours[board.find(place)]}


def pieces(board: Board, places: set[int]) -> int:
    """In how many pieces these places fall apart."""
    left, count = set(places), 0
    while left:
        count += 1
        todo = [left.pop()]
        while todo:
            for other in board.neighbours[todo.pop()]:
                if other in left:
                    left.remove(other)
                    todo.append(other)
    return count


def layer(board: Board, name: str) -> set[int]:
    return {place for place in range(board.size) if board.layers[board.layer_of[place]] == name}


def raw(name: str) -> dict[str, Any]:
    text = resources.files("engine.rules.boards").joinpath(f"{name}.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


# Borders


@pytest.mark.ruling("T3")
@pytest.mark.ruling("M31")
def test_classic_has_these_83_borders() -> None:
    board = load("classic")
    assert board.size == 42
    assert len(board.borders) == 83
    assert borders(board) == pairs(board, CLASSIC)


@pytest.mark.ruling("T3")
def test_classic_degrees_go_from_two_to_six() -> None:
    board = load("classic")
    degrees = [len(board.neighbours[place]) for place in range(42)]
    assert sum(degrees) == 2 * 83
    assert max(degrees) == 6
    assert {board.ids[place] for place in range(42) if degrees[place] <= 2} == {
        "argentina",
        "madagascar",
        "japan",
        "eastern_australia",
    }
    assert min(degrees) == 2


@pytest.mark.ruling("M31")
def test_classic_borders_that_editions_and_copies_get_wrong() -> None:
    board = load("classic")
    assert adjacent(board, "East Africa", "Middle East")
    assert adjacent(board, "Egypt", "Southern Europe")
    assert adjacent(board, "New Guinea", "Western Australia")
    assert adjacent(board, "Venezuela", "Brazil")
    assert not adjacent(board, "Alberta", "Eastern United States")
    assert neighbours(board, "greenland") == {"northwest_territory", "ontario", "quebec", "iceland"}
    assert neighbours(board, "brazil") == {"venezuela", "peru", "argentina", "north_africa"}
    assert [(board.ids[a], board.ids[b]) for a, b, _ in board.wraps] == [("alaska", "kamchatka")]


@pytest.mark.ruling("T5")
@pytest.mark.parametrize(
    "path", ["ido sia ind afg ukr", "saf con naf bra", "ind mid eaf"], ids=["asia", "africa", "red-sea"]
)
def test_paths_named_in_the_rulebooks(path: str) -> None:
    board = load("classic")
    assert all(adjacent(board, a, b) for a, b in itertools.pairwise(path.split()))


@pytest.mark.ruling("M5")
def test_2210_land_is_the_classic_map_without_one_border() -> None:
    board, classic = load("ad2210", "land"), load("classic")
    equivalent = [classic.find(short) for short in CLASSIC_OF_2210.split()]
    assert sorted(equivalent) == list(range(42))
    image = {tuple(sorted((equivalent[a], equivalent[b]))) for a, b, _ in board.borders}
    assert len(board.borders) == len(image) == 82
    assert borders(classic) - image == pairs(classic, "eaf-mid")
    assert image <= borders(classic)
    assert [classic.ids[place] for place in equivalent] == [
        place["classic"] for place in raw("ad2210")["places"] if place["layer"] == "land"
    ]


def test_2210_disputed_border_can_be_left_out() -> None:
    board, without = load("ad2210", "land"), load("ad2210", "land", disputed=False)
    assert {(a, b) for a, b, _ in board.disputed} == pairs(board, "can-esa")
    assert borders(board) - borders(without) == pairs(board, "can-esa")
    assert len(without.borders) == 81
    assert without.disputed == []
    assert pieces(without, set(range(42))) == 1
    expected = {"nunavut", "canada", "republique_du_quebec", "iceland_grc"}
    assert neighbours(board, "exiled_states_of_america") == expected
    assert neighbours(without, "exiled_states_of_america") == expected - {"canada"}


def test_2210_water_and_moon() -> None:
    board = load("ad2210")
    assert [len(layer(board, name)) for name in board.layers] == [42, 13, 14]
    assert len(board.borders) == 82 + 13 + 9 + 30
    assert borders(board, "coast", "water") == pairs(board, WATER_2210)
    assert len(borders(board, "coast")) == 13
    assert borders(board, "lunar") == pairs(board, MOON_2210)
    assert pieces(board, layer(board, "land") | layer(board, "water")) == 1
    assert pieces(board, layer(board, "water")) == 4
    assert pieces(board, layer(board, "lunar")) == 1
    assert pieces(board, set(range(board.size))) == 2
    assert {board.ids[place] for place in board.with_feature("landing_site")} == {
        "sea_of_crisis",
        "bay_of_dew",
        "tycho",
    }
    assert {(board.ids[a], board.ids[b]) for a, b, _ in board.wraps} == {
        ("northwestern_oil_emirate", "pevek"),
        ("new_atlantis", "neo_tokyo"),
    }


@pytest.mark.ruling("M5")
@pytest.mark.ruling("M31")
def test_godstorm_has_these_69_borders() -> None:
    board = load("godstorm", "earth")
    assert len(board.borders) == 69
    assert borders(board) == pairs(board, GODSTORM)
    assert borders(board, "sea") == pairs(board, GODSTORM_SEA)


@pytest.mark.ruling("R19b")
def test_mountains_are_not_borders() -> None:
    board = load("godstorm", "earth")
    blocked = {(a, b) for a, b, by in board.blocked if by == "mountains"}
    assert blocked == pairs(board, MOUNTAINS)
    assert len(blocked) == len(board.blocked) == 10
    assert not blocked & borders(board)
    assert adjacent(board, "gaul", "liguria")
    assert adjacent(board, "varangia", "rus")
    assert not adjacent(board, "thracia", "ionia")
    assert not adjacent(board, "egypt", "sheba")


def test_godstorm_underworld_and_heavens() -> None:
    board = load("godstorm")
    assert [len(layer(board, name)) for name in board.layers] == [42, 13, 5]
    flames = {(a, b) for a, b, by in board.blocked if by == "flames"}
    assert flames == pairs(board, FLAMES)
    assert borders(board, "passage") == pairs(board, UNDERWORLD)
    assert len(borders(board, "passage")) == 19
    assert not flames & borders(board)
    assert pieces(board, layer(board, "underworld")) == 1
    assert [board.ids[place] for place in board.with_feature("gate")] == ["u1", "u4", "u8"]
    assert [board.ids[place] for place in board.with_feature("crypt")] == ["u2", "u5", "u7", "u10"]
    assert [board.ids[place] for place in board.with_feature("altar")] == ["u3", "u9"]
    assert neighbours(board, "u1") == {"u11", "u12", "u13"}
    assert neighbours(board, "u4") == {"u5"}
    assert neighbours(board, "u8") == {"u7"}
    for heaven in board.with_feature("heaven"):
        assert board.neighbours[heaven] == []
        assert board.reaches[heaven] == board.with_feature("gate")
    assert {row["heaven"] for row in board.facts["pantheons"]} == {
        board.ids[place] for place in layer(board, "heavens")
    }


def test_godstorm_holds_together_when_atlantis_sinks() -> None:
    board = load("godstorm", "earth")
    assert board.facts["sinks"] == {"region": "atlantis"}
    sunk = set(board.members[board.region_ids.index("atlantis")])
    assert pieces(board, set(range(42)) - sunk) == 1


@pytest.mark.parametrize("name", BOARDS)
def test_neighbours_are_the_borders_both_ways_in_ascending_order(name: str) -> None:
    board = load(name)
    links = {(place, other) for place in range(board.size) for other in board.neighbours[place]}
    assert links == borders(board) | {(b, a) for a, b in borders(board)}
    assert all(a < b for a, b, _ in board.borders)
    assert board.borders == sorted(board.borders)
    assert len(borders(board)) == len(board.borders)
    for places in board.neighbours:
        assert places == sorted(set(places))


@pytest.mark.parametrize(("name", "first"), FIRST_LAYERS)
def test_map_and_every_region_are_in_one_piece(name: str, first: str) -> None:
    board = load(name)
    assert pieces(board, layer(board, first)) == 1
    for region in range(len(board.region_ids)):
        if board.region_ids[region] != "heavens":
            assert pieces(board, set(board.members[region])) == 1


# Regions


@pytest.mark.ruling("T3")
@pytest.mark.ruling("M6")
@pytest.mark.parametrize("name", ["classic", "ad2210"])
def test_continents_of_the_classic_map(name: str) -> None:
    board = load(name, "land")
    found = dict(zip(board.region_ids, zip(board.region_size, board.region_bonus, strict=True), strict=True))
    assert found == {
        "north_america": (9, 5),
        "south_america": (4, 2),
        "europe": (7, 5),
        "africa": (6, 3),
        "asia": (12, 7),
        "australia": (4, 2),
    }
    assert sum(board.region_bonus) == 24


@pytest.mark.ruling("M6")
def test_continents_of_godstorm() -> None:
    board = load("godstorm", "earth")
    found = dict(zip(board.region_ids, zip(board.region_size, board.region_bonus, strict=True), strict=True))
    assert found == {
        "europa": (12, 7),
        "germania": (9, 5),
        "africa": (7, 5),
        "asia_minor": (6, 3),
        "atlantis": (4, 3),
        "hyrkania": (4, 2),
    }


def test_regions_of_water_and_moon() -> None:
    board = load("ad2210")
    found = dict(zip(board.region_ids, zip(board.region_size, board.region_bonus, strict=True), strict=True))
    beyond = {region: found[region] for region in list(found)[6:]}
    assert beyond == {
        "us_pacific": (3, 2),
        "asia_pacific": (2, 1),
        "northern_atlantic": (3, 2),
        "southern_atlantic": (2, 1),
        "indian": (3, 2),
        "cresinion": (4, 2),
        "delphot": (4, 2),
        "sajon": (6, 4),
    }


def test_underworld_and_heavens_pay_nothing() -> None:
    board = load("godstorm")
    assert board.region_ids[6:] == ["underworld", "heavens"]
    assert board.region_bonus[6:] == [0, 0]


@pytest.mark.parametrize("name", BOARDS)
def test_region_tables_agree(name: str) -> None:
    board = load(name)
    for region in range(len(board.region_ids)):
        assert board.members[region] == [p for p in range(board.size) if board.region_of[p] == region]
        assert board.region_size[region] == len(board.members[region])
        assert {board.layer_of[place] for place in board.members[region]} == {board.region_layer[region]}


def test_spot_checks_of_region_members() -> None:
    classic = load("classic")
    for place, region in [("ala", "North America"), ("mid", "Asia"), ("ukr", "Europe"), ("ido", "Australia")]:
        assert classic.region_names[classic.region_of[classic.find(place)]] == region
    godstorm = load("godstorm")
    for place, region in [("anatolia", "Europa"), ("iberia", "Germania"), ("sheba", "Asia Minor")]:
        assert godstorm.region_names[godstorm.region_of[godstorm.find(place)]] == region


# Symbols and islands


@pytest.mark.ruling("M2")
@pytest.mark.parametrize(("name", "first"), FIRST_LAYERS)
def test_fourteen_of_each_symbol(name: str, first: str) -> None:
    board = load(name, first)
    assert [board.symbols.count(symbol) for symbol in range(3)] == [14, 14, 14]


@pytest.mark.ruling("M3")
def test_symbol_names() -> None:
    assert load("classic").symbol_names == ["infantry", "cavalry", "artillery"]
    assert load("ad2210").symbol_names == ["mod-1", "mod-3", "mod-5"]
    assert load("godstorm").symbol_names == ["skull", "blade", "sphere"]


@pytest.mark.ruling("M3")
def test_ontario_is_cavalry() -> None:
    board = load("classic")
    assert board.symbol_names[board.symbols[board.find("ontario")]] == "cavalry"


@pytest.mark.ruling("R65")
def test_2210_lands_bear_the_symbol_of_their_classic_equivalent() -> None:
    board, classic = load("ad2210", "land"), load("classic")
    assert board.symbols == [classic.symbols[classic.find(short)] for short in CLASSIC_OF_2210.split()]
    assert raw("ad2210")["provenance"]["symbols"].startswith("reconstructed")


def test_only_first_layers_have_symbols() -> None:
    for name in ("ad2210", "godstorm"):
        board = load(name)
        assert set(board.symbols[42:]) == {NO_SYMBOL}
        assert NO_SYMBOL not in board.symbols[:42]


@pytest.mark.ruling("T4")
def test_seven_islands() -> None:
    board = load("classic")
    assert [board.ids[place] for place in board.islands] == [
        "greenland",
        "iceland",
        "great_britain",
        "madagascar",
        "japan",
        "indonesia",
        "new_guinea",
    ]


@pytest.mark.ruling("M79")
@pytest.mark.parametrize(("name", "first"), FIRST_LAYERS)
def test_an_island_has_sea_borders_only(name: str, first: str) -> None:
    board = load(name, first)
    ashore = {place for a, b, kind in board.borders if kind == "land" for place in (a, b)}
    assert board.islands == sorted(set(range(board.size)) - ashore)


# Names, numbers and loading


@pytest.mark.parametrize("name", BOARDS)
def test_every_name_finds_its_place(name: str) -> None:
    board = load(name)
    for place in range(board.size):
        words = [board.ids[place], board.names[place], board.shorts[place], *board.aliases[place]]
        for word in words:
            assert board.find(word) == board.find(f" {word.upper()} ") == place
    assert len(set(board.shorts)) == len(set(board.ids)) == len(set(board.names)) == board.size
    assert all(len(short) == 3 and short == short.lower() and short.isalnum() for short in board.shorts)


def test_aliases_and_spelling() -> None:
    classic = load("classic")
    assert classic.find("Southeast Asia") == classic.find("siam")
    assert classic.find("great-britain") == classic.find("Great Britain") == classic.find("gbr")
    assert load("ad2210").find("Pevet") == load("ad2210").find("pevek")


def test_unknown_place_names_the_nearest_and_lists_all() -> None:
    with pytest.raises(UnknownName, match="kamchatka") as caught:
        load("classic").find("Kamtchatka")
    assert "Did you mean 'kamchatka'" in str(caught.value)
    assert "madagascar" in str(caught.value)
    assert isinstance(caught.value, RulesError)
    with pytest.raises(UnknownName):
        load("ad2210", "land").find("tycho")


def test_unknown_board_and_layer_list_what_exists() -> None:
    with pytest.raises(UnknownName, match="classic, ad2210, godstorm"):
        load("clasic")
    with pytest.raises(UnknownName, match="land, water, lunar"):
        load("ad2210", "moon")


@pytest.mark.parametrize(("name", "first"), FIRST_LAYERS)
def test_first_layer_comes_first_and_keeps_its_numbers(name: str, first: str) -> None:
    whole, part = load(name), load(name, first)
    assert layer(whole, first) == set(range(42))
    assert part.size == 42
    assert part.ids == whole.ids[:42]
    assert part.region_of == whole.region_of[:42]
    assert part.region_bonus == whole.region_bonus[:6]
    assert part.neighbours == [[p for p in whole.neighbours[place] if p < 42] for place in range(42)]


def test_a_later_layer_alone() -> None:
    moon = load("ad2210", "lunar")
    assert moon.size == 14
    assert moon.region_ids == ["cresinion", "delphot", "sajon"]
    assert len(moon.borders) == 30
    assert load("godstorm", "heavens").reaches == [[]] * 5


def test_a_board_is_loaded_once_and_never_copied() -> None:
    board = load("classic")
    assert load("classic") is board
    assert copy.deepcopy(board) is board
    assert pickle.loads(pickle.dumps(board)) is board
    assert repr(board) == "<Board classic: 42 places, 83 borders>"


@pytest.mark.parametrize("name", BOARDS)
def test_places_can_be_drawn(name: str) -> None:
    board = load(name)
    for place in range(board.size):
        assert 0 < board.x[place] < 1000
        assert 0 < board.y[place] < 600
    for a, b in itertools.combinations(range(board.size), 2):
        if board.layer_maps[board.layer_of[a]] == board.layer_maps[board.layer_of[b]]:
            assert math.dist((board.x[a], board.y[a]), (board.x[b], board.y[b])) >= 45


@pytest.mark.parametrize("name", BOARDS)
def test_data_follow_one_schema(name: str) -> None:
    data = raw(name)
    assert list(data) == [
        "name",
        "title",
        "provenance",
        "layers",
        "symbols",
        "regions",
        "places",
        "borders",
        "blocked",
        "facts",
    ]
    assert data["name"] == name
    required = {"id", "name", "short", "layer", "region", "symbol", "x", "y"}
    optional = {"island", "features", "aliases", "reaches", "classic"}
    for place in data["places"]:
        assert required <= set(place) <= required | optional
    for border in data["borders"]:
        assert {"a", "b", "kind"} <= set(border) <= {"a", "b", "kind", "disputed", "wraps"}
        assert border["kind"] in {"land", "sea", "coast", "water", "lunar", "passage"}
    for region in data["regions"]:
        assert {"id", "name", "bonus", "layer"} <= set(region) <= {"id", "name", "bonus", "layer", "aliases"}
    assert {"borders", "bonuses", "symbols", "positions"} <= set(data["provenance"])
