"""The version of Gonfalon as a hash of its sources, the same in the plain and in the compiled build."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from gonfalon import bots, core, games

SOURCE_SUFFIXES: Final = (".py", ".toml", ".npz")
"""Suffixes of files that influence how a game is played."""
CALIBRATION_FILE: Final = "chances.json"
"""File that calibrates the reported win chances."""


@cache
def hash_package() -> str:
    """Return the hash of the whole package."""
    return hash_files([Path(games.__path__[0]).parent])


@cache
def hash_game_sources(name: str) -> str:
    """Return the hash of the sources that influence a game: its own, those of the core and of the bots."""
    module = sys.modules[games.find_game_class(name).__module__]
    own = Path(str(module.__file__))
    # A game in a package consists of its folder.
    inside = bool(module.__package__)  # A single file's neighbors belong to other games.
    return hash_files([Path(core.__path__[0]), Path(bots.__path__[0]), own.parent if inside else own])


def hash_files(places: Iterable[Path]) -> str:
    """Return the hash of the files in some places, by their relative paths and contents."""
    total = sha256()
    for place in places:
        files = [place] if place.is_file() else sorted(place.rglob("*"))
        for path in files:
            if path.suffix in SOURCE_SUFFIXES or path.name == CALIBRATION_FILE:
                # A checkout on Windows has other line endings but is the same version.
                body = sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
                total.update(f"{path.relative_to(place.parent).as_posix()} {body}\n".encode())
    return total.hexdigest()[:20]
