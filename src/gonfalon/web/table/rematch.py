"""The context of rematches: offers and answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gonfalon.core.rules.game import names_for
from gonfalon.table import LinkHolder, Table
from gonfalon.table.seats.seat_choices import FACTIONS, faction_name, option_of

JOIN: Final[Sequence[tuple[str, str]]] = [("", "Join"), ("no", "No")]
"""The text of a form's button, and the wish that it sends."""
WITHOUT: Final[Mapping[str, object]] = {"text": None, "buttons": [], "next_url": None, "url": "rematch"}


def rematch_context(table: Table, who: LinkHolder) -> dict[str, Any]:
    """Return the context of _rematch.html: the state of a rematch, and the possible answers. All of it is public except
    the preset choice of the own seat."""
    row, seats = table.current.next_row, table.game.seats
    fresh = [("", "Rematch")]
    if option_of(table.game.afresh()) == FACTIONS and seats == 2:
        fresh.append(("swap", "Swap factions"))
    fresh = fresh if who.holds else []
    if row is None:
        return {**WITHOUT, "buttons": fresh}
    if row.stage == "closed":
        return {**WITHOUT, "text": "The offer of a rematch was withdrawn.", "buttons": fresh}
    there = {seat: row.seats[(seat + 1) % seats] for seat in range(seats)}
    names = names_for(table.game, who.viewer, table.names)
    joined = sorted((seat for seat in there if there[seat].token), key=lambda seat: there[seat].seated or 0.0)
    name = names[joined[0]] if joined else "Somebody"
    mine = [there[seat] for seat in who.holds]
    if any(one.token for one in mine):
        text = "The next game has begun." if row.stage == "dealt" else "You have offered a rematch."
        if row.stage == "waiting" and not set(joined[:1]) & set(who.holds):
            text = f"{name} offers a rematch, and you have joined."
        refused = [names[seat] for seat in there if there[seat].ready == "no"]
        text = f"{' and '.join(refused)} said no to the rematch." if refused else text
        return {**WITHOUT, "text": text, "buttons": [("", "To the next table")]}
    if row.stage == "dealt":
        text = "The next game has begun without you." if mine else "The next game has begun."
        return {**WITHOUT, "text": text, "next_url": "next"}
    if not mine:
        return {**WITHOUT, "text": f"{name} offers a rematch.", "next_url": "next"}
    if any(one.bot is not None for one in mine):
        return {**WITHOUT, "text": "A bot has your seat at the next game.", "next_url": "next"}
    if any(one.ready == "no" for one in mine):
        return {**WITHOUT, "text": f"You said no to {name}’s rematch.", "buttons": [("", "Join after all")]}
    return {**WITHOUT, "text": f"{name} offers a rematch{describe_faction(table, mine[0].brings)}.", "buttons": JOIN}


def describe_faction(table: Table, brings: str) -> str:
    """Return the meaning of a preset faction for the player of its seat."""
    if option_of(table.game.afresh()) != FACTIONS:
        return ""
    name = faction_name(table.game, brings)
    return f": you would lead {name}" if name else ""
