"""The build of the rules that is running: compiled, or plain Python. Both play the same games."""

from __future__ import annotations

import sys
from typing import Final

from gonfalon.core.rules import state

SUFFIXES: Final = (".so", ".pyd")


def find_build() -> str:
    """Return `compiled` or `plain`."""
    return "compiled" if str(state.__file__).endswith(SUFFIXES) else "plain"


def name_build() -> str:
    """Return the build for people, in `gonfalon --version` and `gonfalon bench`."""
    return "compiled" if find_build() == "compiled" else "plain Python"


def compiled_modules() -> list[str]:
    """Return the names of the loaded modules that are compiled."""
    loaded = ((name, getattr(module, "__file__", None)) for name, module in sys.modules.items())
    return sorted(name for name, file in loaded if name.startswith("gonfalon.") and str(file).endswith(SUFFIXES))
