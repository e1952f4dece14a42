"""Garbage collections that never search all tables while people play.

By default Python searches all objects several times a minute, and with a thousand tables each search stops the server
for a second. Here each object is searched at most twice: the survivors of a search are excluded from all later ones.
Tables form no cycles, so they are freed without a search. A full search runs only while no one plays.

Python starts a search by the number of new objects less the number of freed ones. A move frees about as many objects as
it makes, so the new ones of many moves would be searched at once. The server therefore searches them every second.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping
from typing import Final

YOUNG: Final = 5_000
"""The number of new objects after which those are searched."""
SEARCHES: Final = 5
"""The number of such searches after which their survivors are searched once more."""
NEVER: Final = 1_000_000


def limit_collections() -> None:
    """Limit the garbage collector of this process to new objects."""
    gc.freeze()
    gc.set_threshold(YOUNG, SEARCHES, NEVER)
    if freeze_survivors not in gc.callbacks:
        gc.callbacks.append(freeze_survivors)


def freeze_survivors(phase: str, info: Mapping[str, int]) -> None:
    """Exclude the survivors of a search from later ones, except the youngest objects, many of which are garbage
    soon."""
    if phase == "stop" and info["generation"]:
        gc.freeze()


def collect_new() -> None:
    """Search the objects that no search has survived yet."""
    gc.collect(1)


def collect_all() -> None:
    """Search all objects, also the excluded ones. It may take a second."""
    gc.unfreeze()
    gc.collect()
