"""The run: every story at a server of its own. `python -m tests.screens [--only WORD] [--into FOLDER]`"""

from __future__ import annotations

import argparse
import socket
import tempfile
import time
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser

from tests.browser.loaded import SCRIPT
from tests.screens.camera import Camera, cameras
from tests.screens.seats import NeverComes
from tests.screens.stories import STORIES, Story
from tests.web.served import serving

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "screens"
TRIES: Final = 20
"""Deals in which a story is looked for: bots may play otherwise than they once did."""


def tell(story: Story, browser: Browser, folder: Path) -> int:
    """Take the pictures of a story; the seed of the deals in which it came."""
    for seed in range(story.seed, story.seed + TRIES):
        with (
            tempfile.TemporaryDirectory() as place,
            serving(Path(place), free_port(), SCRIPT.format(seed=seed)) as served,
        ):
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


def main() -> None:
    parser = argparse.ArgumentParser(prog="screens", description="Take pictures of every screen.")
    parser.add_argument("--only", default="", metavar="WORD", help="only the stories whose names hold this")
    parser.add_argument("--into", type=Path, default=FOLDER, metavar="FOLDER", help="where the pictures go")
    args = parser.parse_args()
    folder: Path = args.into
    folder.mkdir(parents=True, exist_ok=True)
    if not args.only:
        for old in folder.glob("*.webp"):
            old.unlink()
    with cameras() as browser:
        for name, story in STORIES.items():
            if args.only in name:
                begun = time.monotonic()
                seed = tell(story, browser, folder)
                print(f"{name}: seed {seed}, {time.monotonic() - begun:.0f} s", flush=True)
    sizes = [path.stat().st_size for path in folder.glob("*.webp")]
    print(f"{len(sizes)} pictures of {sum(sizes) / 1e6:.1f} MB in all, {max(sizes, default=0) / 1e3:.0f} kB at most.")


if __name__ == "__main__":
    main()
