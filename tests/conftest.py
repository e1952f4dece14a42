"""What all tests share: Hypothesis profiles, the browser, free ports."""

import os
import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random  # noqa: TID251 (it stands for the system's)

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, Page, sync_playwright

from gonfalon.table import chance
from tests.databases import database, postgres
from tests.missing import IN_CI, missing

__all__ = ["database", "postgres"]

pytest_plugins = ["gonfalon.testing.plugin"]

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # several processes run at once as it is

# Times on a shared machine prove nothing, so no profile has a deadline. CI always tries the same
# examples: a change fails for what it did, and `HYPOTHESIS_PROFILE=thorough` looks for news.
settings.register_profile("dev", deadline=None, max_examples=50)
settings.register_profile("ci", deadline=None, max_examples=50, derandomize=True, print_blob=True)
settings.register_profile("thorough", deadline=None, max_examples=2000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if IN_CI else "dev"))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "fresh_deals: chance at its tables is the system's, as where people play")


DISABLED = (
    # Every new window draws these suggestions of its address bar beforehand, which no test looks at: a second each.
    "WebUIOmniboxPopup WebUIOmniboxFullPopup WebUIOmniboxAimPopup "
    # What Playwright disables itself, since Chromium heeds only the last list it is given.
    "AimEnabled AvoidCorsURLLoaderRestartOnRedirect AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose "
    "HttpsFirstBalancedModeAutoEnable HttpsUpgrades LensOverlay MediaRouter NetworkTimeServiceQuerying "
    "OptimizationHints PaintHolding PreconnectToSearch ThirdPartyStoragePartitioning"
)
"""Features of Chromium that the tests do without."""

LONG = ("browser", "check", "bridges")
"""The folders whose files take longest, the longest first."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the long files: when several processes share the files, none is left alone with one at the end."""

    def place(item: pytest.Item) -> int:
        folder = item.path.parent.name
        return LONG.index(folder) if folder in LONG else len(LONG)

    items.sort(key=place)


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


@pytest.fixture(autouse=True)
def same_deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """At tables in this process each test meets the same chance every time, so that none fails in one deal of many."""
    if request.node.get_closest_marker("fresh_deals") is None:
        rng = Random(request.node.nodeid)
        monkeypatch.setattr(chance, "SYSTEM", rng)


# Not session-wide: Playwright keeps an event loop running in this thread, in which asyncio.run() fails.
@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """The system's Chromium, running; a test opens its own contexts in it."""
    args = [f"--disable-features={DISABLED.replace(' ', ',')}"]
    if os.geteuid() == 0:
        args.append("--no-sandbox")  # its sandbox refuses root
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=args)
        yield running
        running.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A blank page in a context of its own."""
    with browser.new_context() as context:
        yield context.new_page()


@pytest.fixture(scope="session")
def free_port() -> Callable[[], int]:
    """A function that finds a port of this machine nobody listens on, a fresh one each call."""

    def find() -> int:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
            return port

    return find
