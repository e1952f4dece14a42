"""An environment for tests that holds nothing of the person who runs them: an empty home and no settings.

`tests/conftest.py` imports this module before anything of Gonfalon. Programs that tests start inherit the environment.
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
"""Variables that say where programs are and how the tests are run."""
KEPT_PREFIXES: Final = ("PYTHON", "PYTEST_", "COVERAGE_", "OPENBLAS_")
"""Beginnings of the names of further such variables: Python, its test tools, and the arithmetic of this machine."""
PREFIX: Final = "gonfalon-home-"


def isolate() -> None:
    """Replace the home by an empty folder and drop all variables but those that the tests are run with."""
    above = os.environ.get("HOME", "")
    for name in list(os.environ):
        if name not in KEPT and not name.startswith(KEPT_PREFIXES):
            del os.environ[name]
    inside = Path(above).name.startswith(PREFIX)  # the home of the process that shares its tests out
    home = tempfile.mkdtemp(prefix=PREFIX, dir=above if inside else None)
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    os.environ.update(HOME=home, USERPROFILE=home, LANG="C.UTF-8")


isolate()
