"""Fixtures of all tests: an isolated environment, Hypothesis profiles, chance, free ports."""

import tests.isolation  # noqa: F401, I001 (before anything reads the environment)

import os
import socket
from collections.abc import Callable
from pathlib import Path
from random import Random  # noqa: TID251 (it stands for the system's)

import pytest
from hypothesis import settings

from gonfalon.table import chance
from tests.databases import database, postgres
from tests.missing import IN_CI

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
    config.addinivalue_line("markers", "journey: a whole game in a browser, which `make test` runs too")
    config.addinivalue_line("markers", "extended: left out of `make test`, which takes five minutes; CI runs it")
    config.addinivalue_line("markers", "long: left to `make thorough`, before a release")


SLOWEST_FOLDERS = ("browser", "check", "docs", "bridges")
"""The folders whose files take longest, the longest first."""
EXTENDED_FOLDERS = ("bots", "bridges", "browser", "lab", "learn", "tools")
"""The folders that `make test` leaves to `make extended`, except for tests marked as journeys."""
EXTENDED_FILES = ("test_forecasts.py", "test_new.py", "test_players.py", "test_releases.py")
"""The files that it also leaves out: bots' thinking, and tests of several seconds."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files without quick tests unread where only those are run: reading all takes each process ten seconds."""
    if collection_path.suffix != ".py" or "not extended" not in config.option.markexpr:
        return None
    text = collection_path.read_text("utf-8")
    extended = is_extended(collection_path) and "pytest.mark.journey" not in text
    return extended or "\npytestmark = pytest.mark.extended" in text or None


def is_extended(file: Path) -> bool:
    """Return whether `make test` leaves a file out, except for tests marked as journeys."""
    return file.parent.name in EXTENDED_FOLDERS or file.name in EXTENDED_FILES


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that `make test` leaves out, and begin with the slowest folders.

    This order keeps a parallel process from running one of them alone at the end.
    """

    def place(item: pytest.Item) -> int:
        folder = item.path.parent.name
        return SLOWEST_FOLDERS.index(folder) if folder in SLOWEST_FOLDERS else len(SLOWEST_FOLDERS)

    items.sort(key=place)
    for item in items:
        if is_extended(item.path) and item.get_closest_marker("journey") is None:
            item.add_marker("extended")


@pytest.fixture(autouse=True)
def same_deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test in this process the same chance every time, so that no test fails in rare deals."""
    if request.node.get_closest_marker("fresh_deals") is None:
        rng = Random(request.node.nodeid)
        monkeypatch.setattr(chance, "SYSTEM", rng)


@pytest.fixture(scope="session")
def free_port() -> Callable[[], int]:
    """A function that returns an unused port of this machine, a new one each call."""

    def find() -> int:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
            return port

    return find
