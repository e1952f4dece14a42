"""The games of these tests: Feint as installed, a small game for three, and one that cannot be loaded."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.cli import main

GROUP = "gonfalon.games"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Installs the game `bids`, and `broken`, whose module is missing."""
    found = dict(games._find_entry_points())
    found["bids"] = EntryPoint("bids", "tests.cli.bids:Bids", GROUP)
    found["broken"] = EntryPoint("broken", "tests.cli.missing:Missing", GROUP)
    monkeypatch.setattr(games, "_find_entry_points", lambda: found)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep saved games in the test's own folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process with lines of input. Return the exit code, stdout and stderr."""

    def call(*argv: str | Path, typed: str = "") -> tuple[int, str, str]:
        capsys.readouterr()
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = main([str(arg) for arg in argv])
        out, err = capsys.readouterr()
        return code, out, err

    return call
