"""A server in a process of its own, and a browser that tells when a page complains."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.web.served import Served, serving


@pytest.fixture
def served(tmp_path: Path, free_port: Callable[[], int]) -> Iterator[Served]:
    with serving(tmp_path, free_port()) as served:
        yield served
