"""The engine: rules, chance, records and the referee of Conquest Arena.

`MODE` says whether the rules run as compiled modules or from their sources.
"""

import os
from importlib import import_module
from pathlib import Path
from typing import Final, Literal

from engine import build_stamp, interpreted

# Before anything else is imported from here: no binary may run that was not made of the sources beside it.
_here = Path(__file__).parent
_sources_wanted = os.environ.get("ARENA_INTERPRETED", "0") not in ("", "0")
_compiled = not _sources_wanted and build_stamp.is_compiled(_here)
if _sources_wanted:
    interpreted.prefer_sources()
if _compiled:
    # mypyc derives each module's __file__ from its library's, which it takes to stand above the package.
    _library = import_module(f"engine.{build_stamp.LIBRARY}")
    _library.__file__ = str(_here.parent / Path(str(_library.__file__)).name)

MODE: Final[Literal["compiled", "interpreted"]] = "compiled" if _compiled else "interpreted"
