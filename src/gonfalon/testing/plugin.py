"""The pytest plugin that registers the marker of tests that prove a ruling."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker of `rule`."""
    config.addinivalue_line("markers", "rule(game, *numbers): the rulings that a test proves")
