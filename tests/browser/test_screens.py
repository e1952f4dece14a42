"""The camera takes a page in every window, and an animation at a given time."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image, ImageStat
from playwright.sync_api import Browser, Page

from tests.web.served import Served
from tools.screens.camera import Camera

FADE = "data:text/html,<style>@keyframes f{from{opacity:0}}body{background:white;margin:0}div{background:black;\
height:100vh;animation:f 1s linear}</style><div></div>"
"""Black fades in over white, evenly, within a second."""


def load_image(path: Path) -> Image.Image:
    return Image.open(io.BytesIO(path.read_bytes()))


def test_a_page_at_every_size_by_day_and_by_night(browser: Browser, served: Served, tmp_path: Path) -> None:
    """The images keep three quarters of 1280 by 800, two fifths of 1920 by 1080, and 65 percent of 360 by 740."""
    camera = Camera(browser, f"http://127.0.0.1:{served.port}", tmp_path)
    touched: list[str] = []

    def touch(page: Page) -> None:
        touched.append(page.url)

    camera.still("about", "/about", touch)
    camera.close()
    sizes = {path.name: load_image(path).size for path in tmp_path.glob("*.webp")}
    wide = {"1280": (960, 600), "1920": (768, 432), "390": (390, 844), "360": (234, 481)}
    assert sizes == {f"about-{size}-{look}.webp": wide[size] for size in wide for look in ("light", "dark")}
    assert len(touched) == 2
    day, night = (load_image(tmp_path / f"about-1280-{look}.webp").convert("L") for look in ("light", "dark"))
    assert ImageStat.Stat(day).mean[0] > ImageStat.Stat(night).mean[0] + 100


def test_what_moves_is_held_at_a_time(browser: Browser, tmp_path: Path) -> None:
    """After a quarter and three quarters of a second of white turning black the values are 191 and 64."""
    camera = Camera(browser, FADE, tmp_path)
    camera.film("fade", [("", 250), ("", 750)])
    camera.close()
    film = load_image(tmp_path / "film-fade-390.webp").convert("L")
    assert film.size == (5 * (195 + 6) - 6, 422)
    assert [film.getpixel((x, 200)) for x in (97, 298)] == [pytest.approx(191, abs=6), pytest.approx(64, abs=6)]
