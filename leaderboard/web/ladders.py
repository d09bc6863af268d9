"""Ladders as data: what the pages of ladders, of variants and the API have in common."""

from collections.abc import Callable
from typing import Any, Final, Literal

from pydantic import BaseModel

from engine.rules.errors import UnknownName
from engine.rules.variants import VARIANTS
from leaderboard import ladder as book
from leaderboard.scopes import ALL, FAMILY, VARIANT, Scope, find_scope, known_scopes
from leaderboard.store import Store
from leaderboard.web.paging import Paging
from leaderboard.web.paths import ladder_path, with_query
from leaderboard.web.problems import unknown

PER_PAGE: Final = 50

Column = Literal["rank", "agent", "author", "language", "rating", "matches", "wins", "trend", "faults"]
NAMED: Final = ("agent", "author", "language")  # the columns whose order begins with A


class ScopeData(BaseModel):
    """What a ladder is about: `name` is how it is written in addresses and on the command line."""

    name: str
    kind: Literal["variant", "family", "all"]
    title: str
    rules_version: int | None
    matches: int


class Row(BaseModel):
    """An agent on a ladder, by its newest rated version."""

    rank: int | None  # null for the anchor, which is not ranked
    rank_low: int | None
    rank_high: int | None
    agent: str
    version: int
    author: str
    language: str
    built_in: bool
    rating: float
    mu: float
    sigma: float
    matches: int
    wins: int
    faults: int
    trend: float | None


class Filter(BaseModel):
    """Which rows are wanted, and in which order."""

    q: str = ""
    author: str = ""
    language: str = ""
    built_in: Literal["", "no", "only"] = ""
    min_matches: int = 0
    sort: Column = "rank"
    down: bool = False

    def takes(self, row: Row) -> bool:
        return (
            self.q.casefold() in f"{row.agent}\n{row.author}".casefold()
            and self.author in ("", row.author)
            and self.language in ("", row.language)
            and self.built_in in ("", "only" if row.built_in else "no")
            and row.matches >= self.min_matches
        )

    def query(self, **more: Any) -> dict[str, Any]:
        """As it stands in an address."""
        given = self.model_dump(exclude_defaults=True)
        return given | more


class LadderData(BaseModel):
    """A part of a ladder. `scale` is where the drawings of ratings begin and end."""

    scope: ScopeData
    agents: int
    scale: tuple[float, float]
    filter: Filter
    authors: list[str]
    languages: list[str]
    rows: list[Row]
    paging: Paging

    def link(self, **more: Any) -> str:
        """This ladder with another filter or order, from its first page."""
        return with_query(ladder_path(self.scope.name), self.filter.query(**more))

    def sorted_by(self, column: Column) -> str:
        """The link of a column: the usual order first, then the other way round."""
        down = self.filter.sort == column and not self.filter.down
        return self.link(sort=column if column != "rank" else None, down="true" if down else None)


def ladder_data(store: Store, name: str, wanted: Filter, path: str, page: int, per_page: int) -> LadderData:
    scope = scope_named(name)
    found = book.ladder(store, scope)
    rows = [Row(**row._asdict()) for row in found.rows]
    mine = ordered([row for row in rows if wanted.takes(row)], wanted)
    more = {"per_page": per_page if per_page != PER_PAGE else None}
    paging = Paging.of(path, wanted.query(**more), page, per_page, len(mine))
    return LadderData(
        scope=scope_data(scope, found.matches),
        agents=len(rows),
        scale=scale_of(rows),
        filter=wanted,
        authors=sorted({row.author for row in rows if row.author}, key=str.casefold),
        languages=sorted({row.language for row in rows}),
        rows=list(paging.cut(mine)),
        paging=paging,
    )


def best_of(store: Store, scope: Scope, count: int) -> list[Row]:
    """Those that are ranked."""
    ranked = [row for row in book.ladder(store, scope).rows if row.rank is not None]
    return [Row(**row._asdict()) for row in ranked[:count]]


def scope_named(name: str) -> Scope:
    try:
        return find_scope(name)
    except UnknownName:
        families = sorted({f"{FAMILY}:{variant.family}" for variant in VARIANTS.values()})
        raise unknown("ladder", name, [*VARIANTS, *families, ALL], ladder_path) from None


def scope_data(scope: Scope, matches: int) -> ScopeData:
    return ScopeData(
        name=str(scope),
        kind=scope.kind,  # type: ignore[arg-type]
        title=title_of(scope),
        rules_version=scope.rules_version or None,
        matches=matches,
    )


def title_of(scope: Scope) -> str:
    if scope.kind == ALL:
        return "All variants"
    if scope.kind == FAMILY:
        return f"{scope.name.capitalize()} family"
    variant = VARIANTS.get(scope.name)
    title = variant.title if variant else scope.name
    is_newest = variant is not None and variant.version == scope.rules_version
    return title if is_newest else f"{title}, rules {scope.rules_version}"


def all_scopes(store: Store) -> list[ScopeData]:
    """All over all first, then families, then variants: those of today, and older rules that were played."""
    played = {one.scope: one.matches for one in known_scopes(store)}
    families = sorted({variant.family for variant in VARIANTS.values()})
    today = [Scope(ALL, ALL, 0), *[Scope(FAMILY, name, 0) for name in families]]
    today += [Scope(VARIANT, variant.name, variant.version) for variant in VARIANTS.values()]
    older = [scope for scope in played if scope not in today]
    return [scope_data(scope, played.get(scope, 0)) for scope in today + older]


def ordered(rows: list[Row], wanted: Filter) -> list[Row]:
    """Numbers begin with the highest, ranks and names with the first; those who have none come last.

    In the order of ranks the anchor keeps its place between them.
    """
    if wanted.sort == "rank":
        return rows[::-1] if wanted.down else rows
    key: Callable[[Row], Any] = KEYS.get(wanted.sort, lambda row: getattr(row, wanted.sort))
    is_down = wanted.down if wanted.sort in NAMED else not wanted.down
    known = [row for row in rows if key(row) is not None]
    return sorted(known, key=key, reverse=is_down) + [row for row in rows if key(row) is None]


KEYS: Final[dict[str, Callable[[Row], Any]]] = {
    "agent": lambda row: row.agent.casefold(),
    "author": lambda row: row.author.casefold() or None,
}


def scale_of(rows: list[Row]) -> tuple[float, float]:
    """From the lowest to the highest rating that anybody may have."""
    if not rows:
        return 0.0, 50.0
    return min(row.mu - 3 * row.sigma for row in rows), max(row.mu + 3 * row.sigma for row in rows)
