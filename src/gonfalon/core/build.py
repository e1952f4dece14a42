"""Which build of the rules is running: compiled, or plain Python. Both play the same games."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

from gonfalon.core import state

NOTE: Final = Path(__file__).parents[1] / "build.json"
"""What the build of the wheel (hatch_build.py) wrote down; a source tree has none."""
SUFFIXES: Final = (".so", ".pyd")


def build() -> str:
    """`compiled` or `plain`."""
    return "compiled" if str(state.__file__).endswith(SUFFIXES) else "plain"


def why_plain(note: Path = NOTE) -> str:
    """Why it is not compiled, as the end of a sentence."""
    try:
        why = str(json.loads(note.read_text("utf-8"))["why"])
    except (OSError, ValueError, KeyError, TypeError):
        return "it runs from its sources"
    return why or "its compiled modules cannot be loaded here"


def sentence() -> str:
    """The build in words, for `gonfalon --version` and `gonfalon bench`."""
    return "compiled" if build() == "compiled" else f"plain Python: {why_plain()}"


def compiled_modules() -> list[str]:
    """The modules that are loaded and run compiled."""
    loaded = ((name, getattr(module, "__file__", None)) for name, module in sys.modules.items())
    return sorted(name for name, file in loaded if name.startswith("gonfalon.") and str(file).endswith(SUFFIXES))
