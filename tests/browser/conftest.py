"""A server in a process of its own, and a browser that tells when a page complains."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.web.served import Served, serving

WIDTHS = ("phone", "screen")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With GONFALON_WIDTH set, tests that are run in two widths are run in this one only (`make test`)."""
    wanted = os.environ.get("GONFALON_WIDTH")
    if wanted not in WIDTHS:
        return
    here = Path(__file__).parent
    other = f"[{WIDTHS[1 - WIDTHS.index(wanted)]}]"
    left = [item for item in items if here in item.path.parents and item.name.endswith(other)]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]


# For all tests of a module: each opens tables of its own, and to start takes longer than to play a little.
@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, free_port: Callable[[], int]) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("served"), free_port()) as served:
        yield served
