"""What pytest is to know: the marker of tests that prove a ruling."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker of `rule` known."""
    config.addinivalue_line("markers", "rule(game, *numbers): the rulings that a test proves")
