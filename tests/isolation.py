"""An environment for tests without the user's data: an empty home and no settings.

`tests/conftest.py` imports this module before any of Gonfalon. Programs that tests start inherit the environment.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

KEPT: Final = frozenset({
    "PATH", "PYENV_ROOT", "LD_LIBRARY_PATH", "TMPDIR", "CC", "CFLAGS", "CI", "HYPOTHESIS_PROFILE", "VIRTUAL_ENV",
    "GONFALON_OTHER_PYTHON", "GONFALON_SLOWED", "SYSTEMROOT", "COMSPEC", "PATHEXT", "TEMP", "TMP",
})  # fmt: skip
"""Variables for the paths of programs and the settings of the test run."""
KEPT_PREFIXES: Final = ("PYTHON", "PYTEST_", "COVERAGE_", "OPENBLAS_")
"""Beginnings of the names of further such variables: Python, its test tools, and the arithmetic of this machine."""
PREFIX: Final = "gonfalon-home-"


def isolate() -> None:
    """Replace the home by an empty folder and drop all variables except those for running tests."""
    above = os.environ.get("HOME", "")
    for name in list(os.environ):
        if name not in KEPT and not name.startswith(KEPT_PREFIXES):
            del os.environ[name]
    inside = Path(above).name.startswith(PREFIX)  # the home of the process that shares its tests out
    home = tempfile.mkdtemp(prefix=PREFIX, dir=above if inside else None)
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    os.environ.update(HOME=home, USERPROFILE=home, LANG="C.UTF-8")


isolate()
