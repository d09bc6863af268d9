"""What a rating is about, and how it is written: `classic`, `classic@1`, `family:domination`, `all`."""

from typing import Final, NamedTuple

from sqlalchemy import select

from engine.rules.errors import UnknownName
from engine.rules.variants import VARIANTS, Variant
from leaderboard.store.database import Database
from leaderboard.store.tables import scopes

VARIANT: Final = "variant"
FAMILY: Final = "family"
ALL: Final = "all"


class Scope(NamedTuple):
    """A version of a variant's rules, a family of variants, or all of them."""

    kind: str
    name: str
    rules_version: int  # 0 but for variants

    def __str__(self) -> str:
        """As `find_scope` reads it; the version of the rules is left out if it is the newest."""
        if self.kind == VARIANT:
            newest = VARIANTS[self.name].version if self.name in VARIANTS else 0
            return self.name if self.rules_version == newest else f"{self.name}@{self.rules_version}"
        return f"{FAMILY}:{self.name}" if self.kind == FAMILY else ALL


EVERYTHING: Final = Scope(ALL, ALL, 0)


class KnownScope(NamedTuple):
    """One in which there are ratings."""

    id: int
    scope: Scope
    matches: int


def scopes_of(variant: Variant, rules_version: int) -> tuple[Scope, Scope, Scope]:
    """Those that a match counts in."""
    return Scope(VARIANT, variant.name, rules_version), Scope(FAMILY, variant.family, 0), EVERYTHING


def find_scope(text: str) -> Scope:
    """The scope of that name, whether anybody has played in it or not; UnknownName if there is none."""
    kind, colon, family = text.partition(":")
    families = {variant.family for variant in VARIANTS.values()}
    if colon and kind == FAMILY and family in families:
        return Scope(FAMILY, family, 0)
    name, at, version = text.partition("@")
    if name in VARIANTS:
        newest = VARIANTS[name].version
        if not at:
            return Scope(VARIANT, name, newest)
        known = [str(number) for number in range(1, newest + 1)]
        if version not in known:
            raise UnknownName(f"version of the rules of {name}", version, known)
        return Scope(VARIANT, name, int(version))
    if text != ALL:
        raise UnknownName("ladder", text, [*VARIANTS, *[f"{FAMILY}:{name}" for name in sorted(families)], ALL])
    return EVERYTHING


def known_scopes(store: Database) -> list[KnownScope]:
    """Where there are ratings: variants by name, the newest rules first, then families, then all."""
    with store.reading() as connection:
        rows = connection.execute(select(scopes)).all()
    found = [KnownScope(row.id, Scope(row.kind, row.name, row.rules_version), row.matches) for row in rows]
    kinds = VARIANT, FAMILY, ALL
    return sorted(found, key=lambda one: (kinds.index(one.scope.kind), one.scope.name, -one.scope.rules_version))
