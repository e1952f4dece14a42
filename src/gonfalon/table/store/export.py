"""Exports of tables before they are deleted: JSON files without anything that leads to a seat."""

from __future__ import annotations

import json
import os
from pathlib import Path

from gonfalon.table.store.store import Store


def export_table(store: Store, key: str, folder: Path) -> Path:
    """Write a stored table into a file of a folder. Only this user may read it, for it holds hidden cards. When this
    returns it is on the disk. Raises OSError, StoreError."""
    row, entries = store.table(key), store.entries(key)
    body = {
        "table": row.key,
        "game": row.game,
        "options": row.options,
        "rules": row.rules,
        "data": row.data,
        "opened": row.opened,
        "ended": row.ended,
        "stage": row.stage,
        "rematch": row.rematch,
        "rematch_of": row.rematch_of,
        "seats": [{"seat": seat.seat, "name": seat.name, "bot": seat.bot, "brings": seat.brings} for seat in row.seats],
        "entries": [{"kind": entry.kind, "seat": entry.seat, "text": entry.text} for entry in entries],
    }
    file = folder / f"table-{row.key}.json"
    # Renamed when it is complete, so that a crash leaves no partial file under the final name.
    part = file.with_suffix(".part")
    part.unlink(missing_ok=True)
    try:
        part.touch(0o600, exist_ok=False)
        with part.open("w", encoding="utf-8") as out:
            json.dump(body, out, ensure_ascii=False, indent=1)
            out.flush()
            os.fsync(out.fileno())
        part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return file
