"""The run of a story: a browser and a server of its own, and deals in which it comes."""

from __future__ import annotations

import socket
import tempfile
import time
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser

from tests.browser.loaded import SCRIPT, load
from tests.web.served import serving
from tools.screens.camera import Camera, cameras
from tools.screens.seats import NeverComes
from tools.screens.stories import STORIES, Story

TRIES: Final = 20
"""Deals in which a story is looked for: bots may play otherwise than they once did."""


def tell(name: str, folder: Path) -> str:
    """Take the pictures of a story; what there is to say of it."""
    begun = time.monotonic()
    with cameras() as browser:
        seed = came(STORIES[name], browser, folder)
    return f"{name}: seed {seed}, {time.monotonic() - begun:.0f} s"


def came(story: Story, browser: Browser, folder: Path) -> int:
    """The seed of the deals in which a story came."""
    for seed in range(story.seed, story.seed + TRIES):
        with (
            tempfile.TemporaryDirectory() as place,
            serving(Path(place), free_port(), SCRIPT) as served,
        ):
            load(served, seed)
            camera = Camera(browser, f"http://127.0.0.1:{served.port}", folder)
            try:
                story.tell(camera, served)
            except NeverComes:
                continue
            finally:
                camera.close()
            return seed
    raise SystemExit(f"In {TRIES} deals from seed {story.seed} on a screen never comes.")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
