"""Pictures of pages at every size, in light and dark mode, as small files."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, NamedTuple

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright

from tests.browser.conftest import DISABLED, find_chromium

WORK_TIMEOUT_MS: Final = 300_000
"""Maximum milliseconds for work of the server."""
MAX_BYTES: Final = 30_000
"""Maximum size of a picture in bytes."""
QUALITIES: Final = (24, 21, 18)
"""Qualities of WebP to try, best first."""
FRAME_GAP: Final = 6
"""Pixels between the frames of a film."""
Prepare = Callable[[Page], None]
"""A function that prepares a page for its picture."""


class Size(NamedTuple):
    """A window, and the scale of its picture."""

    width: int
    height: int
    kept: float = 1

    @property
    def window(self) -> ViewportSize:
        return {"width": self.width, "height": self.height}


SCREENS: Final = (Size(1280, 800, 0.75), Size(1920, 1080, 0.4))
PHONES: Final = (Size(390, 844), Size(360, 740, 0.65))
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
FILM: Final = ((Size(1280, 800, 0.45), 2), (Size(390, 844, 0.5), 5))
"""Windows of films, and the number of frames in a row."""
CALM: Final = (
    "document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 40))))"
)
AT: Final = """(milliseconds) => {
  for (const one of document.getAnimations()) {
    one.pause();
    one.currentTime = milliseconds;
  }
}"""
"""Script that holds all animations at a time after their start."""
AS_LIVE: Final = """() => {
  const net = document.getElementById("net");
  net.dataset.state = "on";
  net.querySelector(".net-words").textContent = "live";
}"""


class Camera:
    """Two windows at one server, a screen and a phone, and the folder of pictures."""

    def __init__(self, browser: Browser, home: str, folder: Path) -> None:
        self.browser = browser
        self.home = home
        self.folder = folder
        self.screen = browser.new_context(reduced_motion="reduce")
        self.phone = browser.new_context(reduced_motion="reduce", has_touch=True, is_mobile=True)

    def close(self) -> None:
        for context in self.browser.contexts:
            context.close()

    @contextmanager
    def open(self, address: str) -> Iterator[None]:
        """Keep a page open in another browser meanwhile."""
        page = open_page(self.browser.new_context(), self.home + address, SCREENS[0])
        yield
        page.close()

    def visit(self, *addresses: str) -> None:
        """Visit pages in both windows."""
        for context in (self.screen, self.phone):
            page = context.new_page()
            for address in addresses:
                page.goto(self.home + address)
            page.close()

    def press(self, address: str, button: str, heading: str) -> None:
        """Press a button, and wait for its result, which may take a while."""
        page = self.screen.new_page()
        page.goto(self.home + address)
        page.get_by_role("button", name=button).click()
        expect(page.get_by_role("heading", name=heading)).to_be_visible(timeout=WORK_TIMEOUT_MS)
        page.close()

    def still(self, name: str, address: str, prepare: Prepare | None = None) -> None:
        """Take a page in all windows."""
        for context, sizes in ((self.screen, SCREENS), (self.phone, PHONES)):
            page = open_page(context, self.home + address, sizes[0])
            if prepare:
                prepare(page)
            for size in sizes:
                for scheme in SCHEMES:
                    page.set_viewport_size(size.window)
                    page.emulate_media(color_scheme=scheme)
                    page.evaluate(CALM)
                    self.keep(f"{name}-{size.width}-{scheme}", scale_picture(take_picture(page), size.kept))
            page.close()

    def film(self, name: str, frames: Sequence[tuple[str, int]]) -> None:
        """Take moments, each at a number of milliseconds after its start."""
        for size, abreast in FILM:
            page = self.moving(size).new_page()
            page.set_viewport_size(size.window)
            # At normal speed animations would end before they can be held.
            page.context.new_cdp_session(page).send("Animation.setPlaybackRate", {"playbackRate": 0.001})
            pictures = []
            for address, milliseconds in frames:
                page.goto(self.home + address)
                wait_until_live(page)
                page.evaluate(CALM)
                page.evaluate(AT, milliseconds)
                pictures.append(scale_picture(take_picture(page), size.kept))
            self.keep(f"film-{name}-{size.width}", join_frames(pictures, abreast))
            page.close()

    def moving(self, size: Size) -> BrowserContext:
        """Return a window with animations."""
        small = size in PHONES or size.width < 600
        return self.browser.new_context(reduced_motion="no-preference", has_touch=small, is_mobile=small)

    def keep(self, name: str, picture: Image.Image) -> None:
        (self.folder / f"{name}.webp").write_bytes(pack_picture(picture))


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Yield a running Chromium."""
    path = find_chromium()
    if path is None:
        raise SystemExit("Chromium is missing: there is no /usr/bin/chromium, and none on PATH.")
    args = [f"--disable-features={DISABLED.replace(' ', ',')}", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=args)
        yield browser
        browser.close()


def open_page(context: BrowserContext, address: str, size: Size) -> Page:
    """Return a page after its connection is live."""
    page = context.new_page()
    page.set_viewport_size(size.window)
    page.goto(address)
    wait_until_live(page)
    return page


def wait_until_live(page: Page) -> None:
    """Wait until a page is connected. The page of a moment never is, and imitates a live one."""
    if "/moment" in page.url:
        page.evaluate(AS_LIVE)
    elif page.locator("#net").count():
        expect(page.locator("#net")).to_have_attribute("data-state", "on")


def take_picture(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def scale_picture(picture: Image.Image, kept: float) -> Image.Image:
    if kept == 1:
        return picture
    return picture.resize((round(picture.width * kept), round(picture.height * kept)), Image.Resampling.LANCZOS)


def join_frames(pictures: Sequence[Image.Image], abreast: int) -> Image.Image:
    """Return the frames of a film in rows, in reading order."""
    width, height = pictures[0].width + FRAME_GAP, pictures[0].height + FRAME_GAP
    rows = -(-len(pictures) // abreast)
    sheet = Image.new("RGB", (abreast * width - FRAME_GAP, rows * height - FRAME_GAP), "white")
    for number, picture in enumerate(pictures):
        sheet.paste(picture, (number % abreast * width, number // abreast * height))
    return sheet


def pack_picture(picture: Image.Image) -> bytes:
    """Return a picture as WebP within the maximum size, scaled down if necessary."""
    for quality in QUALITIES:
        file = io.BytesIO()
        picture.save(file, "WEBP", quality=quality, method=6)
        if file.tell() <= MAX_BYTES:
            return file.getvalue()
    return pack_picture(scale_picture(picture, 0.8))
