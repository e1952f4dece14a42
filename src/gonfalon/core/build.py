"""Which build of the rules is running: compiled, or plain Python. Both play the same games."""

from __future__ import annotations

import sys
from typing import Final

from gonfalon.core.rules import state

SUFFIXES: Final = (".so", ".pyd")


def build() -> str:
    """Return `compiled` or `plain`."""
    return "compiled" if str(state.__file__).endswith(SUFFIXES) else "plain"


def sentence() -> str:
    """Return the build in words, for `gonfalon --version` and `gonfalon bench`."""
    return "compiled" if build() == "compiled" else "plain Python"


def compiled_modules() -> list[str]:
    """The modules that are loaded and run compiled."""
    loaded = ((name, getattr(module, "__file__", None)) for name, module in sys.modules.items())
    return sorted(name for name, file in loaded if name.startswith("gonfalon.") and str(file).endswith(SUFFIXES))
