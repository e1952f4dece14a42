"""The run of a story: its own browser and server, and a deal in which it happens."""

from __future__ import annotations

import socket
import tempfile
import time
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser

from tests.browser.loaded import load
from tests.web.served import serving
from tools.screens.camera import Camera, open_browser
from tools.screens.seats import NeverComesError
from tools.screens.stories import STORIES, Story

MAX_DEALS: Final = 20
"""Number of deals to try for a story, since bots may play differently than before."""

SERVER: Final = "import sys; from tests.browser.loaded import main; main(int(sys.argv[1]), sys.argv[2], False)"
"""A server with fixed chance, which makes real reviews."""


def run_story(name: str, folder: Path) -> str:
    """Take the pictures of a story, and return a summary."""
    begun = time.monotonic()
    with open_browser() as browser:
        seed = find_seed(STORIES[name], browser, folder)
    return f"{name}: seed {seed}, {time.monotonic() - begun:.0f} s"


def find_seed(story: Story, browser: Browser, folder: Path) -> int:
    """Return the seed of the deals in which a story happened."""
    for seed in range(story.seed, story.seed + MAX_DEALS):
        with (
            tempfile.TemporaryDirectory() as place,
            serving(Path(place), find_free_port(), SERVER) as served,
        ):
            load(served, seed)
            camera = Camera(browser, f"http://127.0.0.1:{served.port}", folder)
            try:
                story.tell(camera, served)
            except NeverComesError:
                continue
            finally:
                camera.close()
            return seed
    raise SystemExit(f"A screen does not appear in {MAX_DEALS} deals from seed {story.seed}.")


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
