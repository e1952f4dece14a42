"""Proved deals on pages: which seats have sealed a share."""

from __future__ import annotations

from gonfalon.table import LinkHolder, Table
from gonfalon.table.seats.proving import ShownShare
from gonfalon.table.store.store import SeatRow
from gonfalon.web.shared.template_context import Context


def proof_context(table: Table, who: LinkHolder) -> Context | None:
    """Return the context of _proof.html; None if the deal is not proved."""
    shown = table.gathering.proving.shown()
    if shown is None:
        return None
    mine = who.seats[:1] if who.invited else who.holds
    rows = [
        {
            "seat": row.seat,
            "name": "You" if row.seat in mine and len(mine) == 1 else name if row.name else "A free seat",
            "mine": row.seat in mine and not who.invited,
            "bot": row.by == "bot",
            **said,
            "words": describe_share(row, said, shown["opening"]),
        }
        for row, name, said in zip(table.row.seats, table.names, shown["seats"], strict=True)
    ]
    silent = [row for row in rows if row["mine"] and not row["said"]]
    return {
        **shown,
        "game": table.game.name,
        "rows": rows,
        "added": any(row["closed"] for row in rows),
        "silent": bool(silent) and not shown["opening"],
    }


def describe_share(row: SeatRow, said: ShownShare, opening: bool) -> str:
    """Return in words what a seat has added to the deal, whoever plays there now."""
    if said["opened"]:
        return "opened"
    if said["closed"] is not None:
        return "sealed"
    if row.by == "bot":
        return "adds nothing, as bots do"
    return "adds nothing" if said["said"] or opening else "not sealed yet"
