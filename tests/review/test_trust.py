"""The published statements of a review were checked in the shipped version, with enough losses."""

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
"""Fewer losses are not significant."""


@pytest.mark.parametrize(("name", "options"), [*((name, {}) for name in games.names()), ("factionwars", {"seats": 2})])
def test_the_shipped_version_was_checked(name: str, options: Options) -> None:
    """The check uses the lobby's default: its number of seats, rules, network, baseline of luck and scale of losses."""
    table = Table(measured(name, **options))
    assert CHECK not in table.untold


@pytest.mark.parametrize("name", games.names())
def test_a_scale_that_ships_rests_on_enough_losses(name: str) -> None:
    file = find_data_file(games.game(name), LOSSES)
    assert file is None or json.loads(file.read_text("utf-8"))["about"]["losses"] >= LEAST
