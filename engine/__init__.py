"""The engine: rules, chance, records and the referee of Conquest Arena.

`MODE` says whether the rules run as compiled modules or from their sources.
"""

import os
from pathlib import Path
from typing import Final, Literal

from engine import build_stamp, interpreted

# Before anything else is imported from here: no binary may run that was not made of the sources beside it.
_sources_wanted = os.environ.get("ARENA_INTERPRETED", "0") not in ("", "0")
if _sources_wanted:
    interpreted.prefer_sources()

MODE: Final[Literal["compiled", "interpreted"]] = (
    "compiled" if not _sources_wanted and build_stamp.is_compiled(Path(__file__).parent) else "interpreted"
)
