"""The published statements of a review were checked in the shipped version."""

from __future__ import annotations

import pytest

from gonfalon import games
from gonfalon.core.basics.options import Options
from gonfalon.review.judging.players import Table
from gonfalon.review.judging.trust import CHECK
from tests.measured import measured


@pytest.mark.parametrize(("name", "options"), [*((name, {}) for name in games.names()), ("factionwars", {"seats": 2})])
def test_the_shipped_version_was_checked(name: str, options: Options) -> None:
    """The check uses the lobby's default: its number of seats, rules, network and baseline of luck."""
    table = Table(measured(name, **options))
    assert CHECK not in table.untold
