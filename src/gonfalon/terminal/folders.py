"""Where what belongs to this user is kept."""

from __future__ import annotations

import os
from pathlib import Path


def own(*names: str) -> Path:
    """A place in the user's folder for data."""
    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return home.joinpath("gonfalon", *names)
