"""Live games: who sits where, the record of every table, chance, bots, wake-ups. No HTTP here."""

from __future__ import annotations

from gonfalon.table.errors import (
    BadNonce,
    Broken,
    Closing,
    Finished,
    GoneBy,
    NoChoice,
    NoTable,
    NotHost,
    NotSeated,
    NoWay,
    OtherRules,
    Present,
    Secret,
    Stale,
    StoreError,
    TableError,
    Taken,
)
from gonfalon.table.live import Table
from gonfalon.table.retention import OldTable
from gonfalon.table.seats import Beside, Open, Person, Robot, Seating, Who
from gonfalon.table.shown import shown
from gonfalon.table.store import Store
from gonfalon.table.tables import Tables

__all__ = [
    "BadNonce",
    "Beside",
    "Broken",
    "Finished",
    "GoneBy",
    "Closing",
    "Tables",
    "NoChoice",
    "NoTable",
    "NoWay",
    "NotHost",
    "NotSeated",
    "Open",
    "OtherRules",
    "Person",
    "Present",
    "OldTable",
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
