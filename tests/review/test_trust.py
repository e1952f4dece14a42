"""What of a review is told was checked as it ships, and its losses rest on enough of them."""

from __future__ import annotations

import json

import pytest

from gonfalon import games
from gonfalon.core.basics.options import Options
from gonfalon.review.data_files import LOSSES, find_data_file
from gonfalon.review.judging.players import Table
from gonfalon.review.judging.trust import CHECK
from tests.measured import measured

LEAST = 20
"""Fewer losses than that say nothing."""


@pytest.mark.parametrize(("name", "options"), [*((name, {}) for name in games.names()), ("factionwars", {"seats": 2})])
def test_what_ships_was_checked_as_it_is(name: str, options: Options) -> None:
    """As the lobby deals it: with this number of seats, these rules, this network, this baseline of luck and this scale
    of losses."""
    table = Table(measured(name, **options))
    assert CHECK not in table.untold


@pytest.mark.parametrize("name", games.names())
def test_a_scale_that_ships_rests_on_enough_losses(name: str) -> None:
    file = find_data_file(games.game(name), LOSSES)
    assert file is None or json.loads(file.read_text("utf-8"))["about"]["losses"] >= LEAST
