"""Helpers for the tests of games: positions laid out by hand, records of random play, and rulings with their tests.

In a `conftest.py`, `pytest_plugins = ["gonfalon.testing.plugin"]` registers the marker of `rule`.
"""

from gonfalon.testing.records import NAMES, check_record, random_record
from gonfalon.testing.rulings import rule
from gonfalon.testing.scenario import Player, Table

__all__ = ["NAMES", "Player", "Table", "check_record", "random_record", "rule"]
