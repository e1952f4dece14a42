"""Live games: seats, records, chance, bots, and wake-ups. This package knows no HTTP."""

from __future__ import annotations

from gonfalon.table.links import Beside, LinkHolder, Open, Person, Program, Robot, Seating
from gonfalon.table.live.old_table import OldTable
from gonfalon.table.live.table import Table
from gonfalon.table.live.tables import Tables
from gonfalon.table.live.views import build_view
from gonfalon.table.store.store import Store

__all__ = [
    "Beside",
    "LinkHolder",
    "Tables",
    "Open",
    "Person",
    "OldTable",
    "Program",
    "Robot",
    "Seating",
    "Store",
    "Table",
    "build_view",
]
