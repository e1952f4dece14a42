"""One browser and one server for all browser tests, because starting them takes longer than many tests.

They are closed after the last of these tests: Playwright keeps an event loop running in this thread, in which
asyncio.run() fails.
"""

from __future__ import annotations

import functools
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests.browser.dealt import SCRIPT as DEALT
from tests.browser.dealt import deal_anew
from tests.browser.loaded import SCRIPT as LOADED
from tests.browser.loaded import load
from tests.browser.moots import SCRIPT as MOOTS
from tests.missing import missing
from tests.web.served import Served, serving

# Where the machine has much else to do, a page may take longer than Playwright's five seconds.
expect.set_options(timeout=20_000)

DISABLED = (
    # Every new window draws these suggestions of its address bar beforehand, which no test looks at: a second each.
    "WebUIOmniboxPopup WebUIOmniboxFullPopup WebUIOmniboxAimPopup "
    # What Playwright disables itself, since Chromium heeds only the last list it is given.
    "AimEnabled AvoidCorsURLLoaderRestartOnRedirect AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose "
    "HttpsFirstBalancedModeAutoEnable HttpsUpgrades LensOverlay MediaRouter NetworkTimeServiceQuerying "
    "OptimizationHints PaintHolding PreconnectToSearch ThirdPartyStoragePartitioning"
)
"""Features of Chromium that the tests do not need."""


SLOWED: Final = float(os.environ.get("GONFALON_SLOWED", "0"))
"""Milliseconds of extra delay of each request, to find tests that do not wait for answers."""


def slow_down(page: Page) -> None:
    limits = {"offline": False, "latency": SLOWED, "downloadThroughput": -1, "uploadThroughput": -1}
    session = page.context.new_cdp_session(page)
    session.send("Network.emulateNetworkConditions", limits)
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})


def wait_to_ask(patch: pytest.MonkeyPatch, kind: type[Page | Locator]) -> None:
    """Make a page evaluate scripts only after it has loaded, because its content is visible before its styles apply."""
    ask: Callable[..., object] = kind.evaluate

    @functools.wraps(ask)
    def ask_when_loaded(self: Page | Locator, *args: object, **named: object) -> object:
        (self if isinstance(self, Page) else self.page).wait_for_load_state()
        return ask(self, *args, **named)

    patch.setattr(kind, "evaluate", ask_when_loaded)


def find_chromium() -> str | None:
    """Path of the system's Chromium, or None."""
    usual = Path("/usr/bin/chromium")
    return str(usual) if usual.exists() else shutil.which("chromium")


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of Chromium."""
    path = find_chromium()
    if path is None:
        missing("Browser tests need Chromium: no /usr/bin/chromium, and none on PATH.")
    return path


@contextmanager
def launched(chromium: str) -> Iterator[Browser]:
    """The system's Chromium. Each test opens its own contexts in it."""
    args = [f"--disable-features={DISABLED.replace(' ', ',')}"]
    if os.geteuid() == 0:
        args.append("--no-sandbox")  # its sandbox refuses root
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=args)
        if SLOWED:
            running.on("context", lambda windows: windows.on("page", slow_down))
        with pytest.MonkeyPatch.context() as patch:
            for kind in (Page, Locator):
                wait_to_ask(patch, kind)
            yield running
        running.close()


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    with launched(chromium) as running:
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A blank page in its own context."""
    with browser.new_context() as context:
        yield context.new_page()


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory, free_port: Callable[[], int]) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("served"), free_port(), DEALT) as served:
        yield served


@pytest.fixture(autouse=True)
def same_cards(request: pytest.FixtureRequest) -> None:
    """Deal each test the same cards every time, so that no test fails in rare deals."""
    if "served" in request.fixturenames:
        deal_anew(request.getfixturevalue("served"), request.node.nodeid)


@pytest.fixture(scope="package")
def moots(tmp_path_factory: pytest.TempPathFactory, free_port: Callable[[], int]) -> Iterator[Served]:
    """A server that also has the Moot and a third-party game."""
    with serving(tmp_path_factory.mktemp("moots"), free_port(), MOOTS) as served:
        yield served


@pytest.fixture(scope="package")
def with_loaded_dice(tmp_path_factory: pytest.TempPathFactory, free_port: Callable[[], int]) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("loaded"), free_port(), LOADED) as served:
        yield served


@pytest.fixture
def loaded(request: pytest.FixtureRequest, with_loaded_dice: Served) -> Served:
    """A server where the same answers lead to the same game. Its parameter is the seed of each table's deal."""
    load(with_loaded_dice, request.param)
    return with_loaded_dice
