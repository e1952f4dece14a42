"""Tips at prompts: a sentence about the question, during the first games of a kind on a device.

The sentence belongs to the game and to the prompt of the decision (`Words.tips`). Every board holds it, and the page
shows or hides it. A player's setting holds at every table of their device.
"""

from __future__ import annotations

from starlette.requests import Request

from gonfalon.core.rules.words import NEWCOMER_GAMES
from gonfalon.table import Table
from gonfalon.web.shared import devices, preferences


async def shows_tips(request: Request, table: Table, token: str) -> bool | None:
    """Return whether a page of a table shows tips; None if there are none."""
    if not table.game.tips or not table.seats.find_holder(token).holds or table.position.over:
        return None
    if wish := preferences.read_preferences(request).tips:
        return wish == "on"
    # This table may not be stored as a visit yet, so it is added below.
    known = {seat.key for seat in await devices.list_tables(request) if seat.game == table.game.name}
    return len(known | {table.key}) <= NEWCOMER_GAMES
