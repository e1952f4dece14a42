"""What a game keeps beside its bots: files that were learnt from games or measured, each told by its hash."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

from gonfalon.core.rules.game import Game

BASELINE: Final = "baseline.json"
LOSSES: Final = "losses.json"
NETWORK: Final = "network.npz"
TRUST: Final = "trust.json"


def held_file(game: Game, name: str) -> Path | None:
    """Such a file of a game; None where it has none."""
    folder = getattr(game, "folder", None)  # a game made for a test may have none
    path = None if folder is None else folder / "bots" / name
    return path if path is not None and path.is_file() else None


def file_hash(path: Path | None) -> str:
    """A short hash of a file; empty where there is none."""
    return "" if path is None else sha256(path.read_bytes()).hexdigest()[:16]


def held_hash(game: Game, name: str) -> str:
    """Which of such files a game has."""
    return file_hash(held_file(game, name))
