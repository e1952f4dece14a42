"""The CPU time of the first screen and of an answered key, relative to Textual alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

pytestmark = pytest.mark.extended
MOST: Final = 2.8
"""The maximum time of the first screen as a multiple of Textual's loading time: 0.4 s if that takes 0.15 s."""
FIRST = """
import os, sys, time
from gonfalon.cli import main
from gonfalon.terminal.screens import run
import textual.app
from gonfalon.terminal.screens.canvas import Canvas

def drawn(canvas, frame, here, draw=Canvas.draw):
    draw(canvas, frame, here)
    if frame.lines:
        os.write(1, str(time.process_time()).encode())
        os._exit(0)

def headless(app, run=textual.app.App.run):
    return run(app, headless=True, size=(80, 24))

run.can_show_screen = lambda: True
Canvas.draw = drawn
textual.app.App.run = headless
main(sys.argv[1:])
"""
TEXTUAL = "import textual.app, textual.screen, time; print(time.process_time())"


def seconds(folder: Path, *call: str) -> float:
    """Return the time a program reports on its second run, with a warm bytecode cache."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env |= {"PYTHONPYCACHEPREFIX": str(folder / "cache"), "XDG_DATA_HOME": str(folder / "home")}
    runs = [subprocess.run([sys.executable, "-c", *call], env=env, capture_output=True, check=True) for _ in range(2)]
    return float(runs[1].stdout)


def test_the_first_screen_is_soon_there(tmp_path: Path) -> None:
    """A game's first screen, and that of the menu, which loads only the game it offers first."""
    textual = seconds(tmp_path, TEXTUAL)
    for words in (["play", "feint"], ["play"]):
        assert seconds(tmp_path, FIRST, *words) < MOST * textual, words
