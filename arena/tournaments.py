"""Tournaments in a store: made from a file, driven, and told how they stand."""

import hashlib
import os
import secrets
import shlex
import socket
from pathlib import Path
from typing import NamedTuple

from arena.config import ConfigError, Entrant, TournamentConfig, parse_config
from arena.formats import BlockResult, make_format
from arena.job import COMMAND
from arena.run import block_result
from arena.seating import commitment, seeded_key
from engine.record import ENGINE_VERSION
from leaderboard.standings import Standing, Standings, label_of
from leaderboard.store import Entrant as KeptEntrant
from leaderboard.store import Store, Tournament, Version
from sdk.bots import BOTS


def create(store: Store, config: TournamentConfig, text: str, folder: Path) -> Tournament:
    """Writes a new tournament into the book. Bots are looked for and started in the folder of its file."""
    store.check_new(config.name)  # before anything is written
    entrants = [KeptEntrant(one.name, kept_version(store, one, folder).id, "active") for one in config.entrants]
    key = secrets.token_bytes(32) if config.seed is None else seeded_key(config.seed)
    return store.create_tournament(config.name, text, str(folder), key, commitment(key), entrants, config.seed)


def kept_version(store: Store, entrant: Entrant, folder: Path) -> Version:
    version = store.add_version(entrant.name, *version_of(entrant, folder))
    store.describe(version.id, entrant.author, entrant.language)
    return version


def config_of(tournament: Tournament) -> TournamentConfig:
    return parse_config(tournament.config, f"tournament {tournament.name}")


def version_of(entrant: Entrant, folder: Path) -> tuple[str, str, bool, str]:
    """Specification, language, whether it is built in, and a digest of its code, as far as we see it."""
    bot = entrant.bot
    if bot in BOTS:
        return bot, "python", True, digest(f"{bot} {ENGINE_VERSION}".encode())
    if bot.startswith(COMMAND):
        program = folder / (shlex.split(bot.removeprefix(COMMAND)) or [""])[0]
        code = program.read_bytes() if program.is_file() else b""
        return bot, "command", False, digest(f"{bot} {folder} ".encode() + code)
    file, _, name = bot.rpartition(":")
    code = (folder / file).read_bytes()
    return located(bot, folder), "python", False, digest(code + name.encode())


def changed(store: Store, tournament: Tournament) -> list[str]:
    """Entrants whose code is not what it was when the tournament was made."""
    config, folder = config_of(tournament), Path(tournament.folder)
    kept = {one.name: store.version(one.version_id) for one in store.entrants(tournament.id)}
    found: list[str] = []
    for entrant in config.entrants:
        version = kept[entrant.name]
        try:
            is_same = version is not None and version_of(entrant, folder)[3] == version.digest
        except OSError:
            is_same = False
        found += [] if is_same else [entrant.name]
    return found


def located(bot: str, folder: Path) -> str:
    """The specification of a bot that is found from anywhere: the file of a class by its full path."""
    if bot in BOTS or bot.startswith(COMMAND):
        return bot
    file, _, name = bot.rpartition(":")
    return f"{(folder / file).resolve()}:{name}"


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def driver_name() -> str:
    """Who drives: for people who meet its lease."""
    return f"{socket.gethostname()}:{os.getpid()}"


class VariantTable(NamedTuple):
    """How a variant stands; `outcome` is what the format says of an entrant, such as its points in a Swiss."""

    label: str
    rows: list[Standing]  # in the order of the format, if it has one
    outcome: dict[int, str]


def standings(store: Store, tournament: Tournament) -> list[Standing]:
    """Over all variants."""
    return tables(store, tournament)[0]


def tables(store: Store, tournament: Tournament) -> tuple[list[Standing], list[VariantTable]]:
    """The standings over all variants, and those of each."""
    count = len(store.entrants(tournament.id))
    over_all, mine = Standings(count), dict[str, Standings]()
    for row in store.results(tournament.id):
        if not row.void:
            for added in (over_all, mine.setdefault(label_of(row.block_id), Standings(count))):
                added.add(row.entrants, row.places, row.faults)
    found: list[VariantTable] = []
    for label, outcome in outcomes(store, tournament).items():
        rows, order = mine.get(label, Standings(count)).rows(), list(outcome)
        rows.sort(key=lambda row: order.index(row.entrant) if row.entrant in outcome else count)
        found.append(VariantTable(label, rows, outcome))
    return over_all.rows(), found


def outcomes(store: Store, tournament: Tournament) -> dict[str, dict[int, str]]:
    """What the format says of the entrants in each variant, after the rounds that are complete; the best first."""
    try:
        config = config_of(tournament)
    except ConfigError:  # an old one, of settings that are no more
        return {}
    formats = {variant.label: make_format(config, variant) for variant in config.variants}
    played: dict[str, list[BlockResult]] = {label: [] for label in formats}
    unfinished: set[tuple[str, int]] = set()
    if any(one.depends_on_results for one in formats.values()):
        for block in store.block_results(tournament.id):
            label = label_of(block.id)
            played[label].append(block_result(block))
            if any(fixture.state == "open" for fixture in block.fixtures):
                unfinished.add((label, block.round))
    return {
        label: dict(one.ranking([done for done in played[label] if (label, done.round) not in unfinished]))
        for label, one in formats.items()
    }
