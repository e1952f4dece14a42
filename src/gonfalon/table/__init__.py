"""Live games: seats, records, chance, bots, and wake-ups. This package knows no HTTP."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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


def __getattr__(name: str) -> object:
    """Load everything at its first use: a process in which bots think needs no database."""
    if name in __all__:
        for place in ("links", "store.store", "live.old_table", "live.tables", "live.views"):
            if (found := getattr(import_module(f"gonfalon.table.{place}"), name, None)) is not None:
                return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
