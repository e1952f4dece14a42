"""The law of every page: no element is outside the window, clipped or covered."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from playwright.sync_api import Page, ViewportSize

WINDOWS: Final[tuple[ViewportSize, ...]] = (
    {"width": 360, "height": 740},
    {"width": 390, "height": 844},
    {"width": 1280, "height": 800},
)
"""Two phones and a laptop."""
FIND_FAULTS: Final = Path(__file__).with_name("layout.js").read_text("utf-8").partition("\n")[2]


def find_faults(page: Page) -> list[str]:
    """Return the elements that are outside the window, clipped or covered."""
    faults: list[str] = page.evaluate(FIND_FAULTS)
    return faults


def find_faults_in_windows(page: Page, what: str) -> list[str]:
    """Return the faults of a page in each window, each with a description and the window's width."""
    found = []
    for window in WINDOWS:
        page.set_viewport_size(window)
        found += [f"{what}, {window['width']}: {fault}" for fault in find_faults(page)]
    return found
