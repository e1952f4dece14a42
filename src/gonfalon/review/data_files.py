"""Data files beside a game's bots, learned from games, each identified by its hash."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

from gonfalon.core.rules.game import Game

BASELINE: Final = "baseline.json"
"""The fitted baseline of luck."""
NETWORK: Final = "network.npz"
"""The weights of the network."""


def find_data_file(game: Game, name: str) -> Path | None:
    """Return the path of a data file of a game; None if there is none."""
    folder = getattr(game, "folder", None)  # a game made for a test may have none
    path = None if folder is None else folder / "bots" / name
    return path if path is not None and path.is_file() else None


def hash_file(path: Path | None) -> str:
    """Return a short hash of a file; empty if there is none."""
    return "" if path is None else sha256(path.read_bytes()).hexdigest()[:16]


def hash_data_file(game: Game, name: str) -> str:
    """Return a short hash of a data file of a game; empty if there is none."""
    return hash_file(find_data_file(game, name))
