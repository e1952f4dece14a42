"""What authors of games test with: tables laid out by hand, records of random play, rulings and their tests.

In a `conftest.py`, `pytest_plugins = ["gonfalon.testing.plugin"]` makes the marker of `rule` known.
"""

from gonfalon.testing.records import NAMES, check_record, random_record
from gonfalon.testing.rulings import rule
from gonfalon.testing.scenario import Player, Table

__all__ = ["NAMES", "Player", "Table", "check_record", "random_record", "rule"]
