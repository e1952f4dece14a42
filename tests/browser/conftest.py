"""A server in a process of its own, and a browser that tells when a page complains."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.loaded import SCRIPT
from tests.web.served import Served, serving

# Where the machine has much else to do, a page may take longer than Playwright's five seconds.
expect.set_options(timeout=20_000)


# For all tests of a module: each opens tables of its own, and to start takes longer than to play a little.
@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, free_port: Callable[[], int]) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("served"), free_port()) as served:
        yield served


@pytest.fixture
def loaded(request: pytest.FixtureRequest, tmp_path: Path, free_port: Callable[[], int]) -> Iterator[Served]:
    """A server at which the same answers lead to the same game; its parameter is the seed of all deals."""
    with serving(tmp_path, free_port(), SCRIPT.format(seed=request.param)) as served:
        yield served
