"""Which Gonfalon this is, as a hash of its sources: the same in the plain and in the compiled build."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from gonfalon import bots, core, games

DECIDES: Final = (".py", ".toml", ".npz")
"""Endings of files that decide how a game goes."""
TOLD: Final = "chances.json"
"""And what sets right the chances that are told."""


@cache
def of_all() -> str:
    """The hash of the whole package."""
    return hashed([Path(games.__path__[0]).parent])


@cache
def of_game(name: str) -> str:
    """The hash of what decides how the games of a name go: its own sources, those of the core and of the bots."""
    module = sys.modules[games.kind(name).__module__]
    own = Path(str(module.__file__))
    inside = bool(module.__package__)  # else it is a single file, and its neighbours are others'
    return hashed([Path(core.__path__[0]), Path(bots.__path__[0]), own.parent if inside else own])


def hashed(places: Iterable[Path]) -> str:
    """The hash of the files in some places, by their names there and what they hold."""
    total = sha256()
    for place in places:
        files = [place] if place.is_file() else sorted(place.rglob("*"))
        for path in files:
            if path.suffix in DECIDES or path.name == TOLD:
                body = sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
                total.update(f"{path.relative_to(place.parent).as_posix()} {body}\n".encode())
    return total.hexdigest()[:20]
