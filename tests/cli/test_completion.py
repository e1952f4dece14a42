"""Shell completion and the manual page."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("argcomplete")
pytestmark = pytest.mark.extended  # a program each


def completed(line: str, folder: Path) -> list[str]:
    """Return the completions of a line."""
    found = folder / "found"
    asks = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_STDOUT_FILENAME": str(found), "_ARGCOMPLETE_SUPPRESS_SPACE": "1"}
    told = {"COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE_IFS": "\n"}
    script = "from gonfalon.cli import main; main()"
    subprocess.run([sys.executable, "-c", script], env={**os.environ, **asks, **told}, check=False, timeout=250)
    return sorted(found.read_text("utf-8").split())


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("gonfalon play fei", ["feint"]),
        ("gonfalon check feint --law knowl", ["knowledge-has-a-source"]),
        ("gonfalon check --explain knowl", ["knowledge-has-a-source"]),
        ("gonfalon play factionwars --bots club,gen", ["club,gentle"]),
    ],
)
def test_a_shell_completes_existing_names(line: str, offered: list[str], tmp_path: Path) -> None:
    assert completed(line, tmp_path) == offered
