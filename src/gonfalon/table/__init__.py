"""Live games: who sits where, the record of every table, chance, bots, wake-ups. No HTTP here."""

from __future__ import annotations

from gonfalon.table.live import Table
from gonfalon.table.retention import OldTable
from gonfalon.table.seats import Beside, LinkHolder, Open, Person, Robot, Seating
from gonfalon.table.shown import shown
from gonfalon.table.store import Store
from gonfalon.table.tables import Tables

__all__ = [
    "Beside",
    "LinkHolder",
    "Tables",
    "Open",
    "Person",
    "OldTable",
    "Robot",
    "Seating",
    "Store",
    "Table",
    "shown",
]
