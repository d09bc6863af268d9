"""Jinja templates, and what they may call."""

import hashlib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from leaderboard.web import paths, words

HERE: Final = Path(str(resources.files("leaderboard.web")))
STATIC: Final = HERE / "static"


@cache
def environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals |= {name: getattr(paths, name) for name in dir(paths) if name.endswith("_path")}
    made.globals |= {"static": static, "with_query": paths.with_query, "file_name": paths.file_name}
    made.filters |= {name: getattr(words, name) for name in words.FILTERS}
    return made


def render(template: str, **context: Any) -> str:
    return environment().get_template(template).render(context)


@cache
def digest_of(name: str) -> str:
    return hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]


def static(name: str) -> str:
    """The address of a file of ours; another one once the file is another."""
    return f"/static/{name}?v={digest_of(name)}"


@cache
def edition() -> str:
    """Another one whenever the pages would look different for the same data."""
    files = sorted(path for path in HERE.rglob("*") if path.suffix in (".html", ".css", ".js", ".svg", ".py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]
