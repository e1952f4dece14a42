"""Tests with a missing program are skipped, and fail in CI, where all programs are installed."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest

IN_CI = bool(os.environ.get("CI"))


def missing(reason: str) -> NoReturn:
    """End the test."""
    if IN_CI:
        pytest.fail(reason)
    pytest.skip(reason)
