"""Numbers and times as people read them: the filters of the templates."""

from datetime import UTC, datetime
from typing import Final

from markupsafe import Markup

FILTERS: Final = (
    "ordinal",
    "when",
    "day",
    "rating",
    "whole",
    "share",
    "signed",
    "interval",
    "plural",
    "score",
    "words",
)
MINUS: Final = "\N{MINUS SIGN}"


def ordinal(number: int | None) -> str:
    """1st, 2nd, 3rd, 4th; a dash where there is none."""
    if number is None:
        return "–"
    end = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{end}"


def interval(low: int | None, high: int | None) -> str:
    """`2nd to 5th`; nothing where it is not known."""
    if low is None or high is None:
        return ""
    return ordinal(low) if low == high else f"{ordinal(low)} to {ordinal(high)}"


def when(seconds: float) -> Markup:
    """A moment in UTC: pages are kept, so none tells how long ago it was."""
    told = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
    return Markup('<time datetime="{}">{}</time>').format(stamp(seconds), told)


def stamp(seconds: float) -> str:
    """A moment for programs."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def day(seconds: float) -> Markup:
    time = datetime.fromtimestamp(seconds, UTC)
    return Markup('<time datetime="{0}">{0}</time>').format(time.strftime("%Y-%m-%d"))


def rating(number: float) -> str:
    return f"{number:.1f}".replace("-", MINUS)


def whole(number: float) -> str:
    """With thin spaces between thousands."""
    return f"{number:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}").replace("-", MINUS)


def share(number: float) -> str:
    return f"{100 * number:.0f} %".replace(" ", "\N{NARROW NO-BREAK SPACE}")


def signed(number: float, digits: int = 1) -> str:
    return f"{number:+.{digits}f}".replace("-", MINUS)


def plural(number: int, one: str, more: str = "") -> str:
    return f"{whole(number)} {one if number == 1 else more or one + 's'}"


def score(number: float) -> str:
    """A mean score, which lies between 0 and 1."""
    return f"{number:.3f}"


def words(name: str) -> str:
    """`round_limit` as people say it."""
    return name.replace("_", " ")
