"""Proved deals on pages: which seats have sealed a share."""

from __future__ import annotations

from gonfalon.table import LinkHolder, Table
from gonfalon.table.seats.proving import ShownShare
from gonfalon.table.store.store import SeatRow
from gonfalon.web import messages
from gonfalon.web.shared.template_context import Context


def proof_context(table: Table, who: LinkHolder) -> Context | None:
    """Return the context of _proof.html; None if the deal is not proved."""
    shown = table.gathering.proving.describe()
    if shown is None:
        return None
    mine = who.seats[:1] if who.invited else who.holds
    rows = [
        {
            "seat": row.seat,
            "name": messages.YOU if row.seat in mine and len(mine) == 1 else name,
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
    """Return the share of a seat in words."""
    if said["opened"]:
        return messages.SHARE_OPENED
    if said["closed"] is not None:
        return messages.SHARE_SEALED
    if row.by == "bot":
        return messages.BOT_ADDS_NOTHING
    return messages.ADDS_NOTHING if said["said"] or opening else messages.NOT_SEALED
