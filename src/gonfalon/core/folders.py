"""The folders of the user's files, by the XDG Base Directory Specification."""

from __future__ import annotations

import os
from pathlib import Path


def locate_data(*names: str) -> Path:
    """Return a path in the user's folder for data."""
    # The specification treats an empty variable like an unset one.
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share").joinpath("gonfalon", *names)


def locate_state(*names: str) -> Path:
    """Return a path in the user's folder for state, such as preferences and history."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state").joinpath("gonfalon", *names)
