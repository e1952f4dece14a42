"""Live games: who sits where, the record of every table, chance, bots, wake-ups. No HTTP here."""

from __future__ import annotations

from gonfalon.table.errors import (
    Broken,
    Finished,
    NoTable,
    NotSeated,
    NoWay,
    Secret,
    Stale,
    StoreError,
    TableError,
    Taken,
)
from gonfalon.table.hall import Hall
from gonfalon.table.live import Table
from gonfalon.table.shown import shown
from gonfalon.table.store import Store
from gonfalon.table.who import Open, Person, Robot, Seating, Who

__all__ = [
    "Broken",
    "Finished",
    "Hall",
    "NoTable",
    "NoWay",
    "NotSeated",
    "Open",
    "Person",
    "Robot",
    "Seating",
    "Secret",
    "Stale",
    "Store",
    "StoreError",
    "Table",
    "TableError",
    "Taken",
    "Who",
    "shown",
]
