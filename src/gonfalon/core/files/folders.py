"""The folders of this user's files."""

from __future__ import annotations

import os
from pathlib import Path


def own(*names: str) -> Path:
    """A place in the user's folder for data."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share").joinpath("gonfalon", *names)


def noted(*names: str) -> Path:
    """Return a path in the user's folder for preferences."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state").joinpath("gonfalon", *names)
