"""Tips at the prompt: a sentence about what is asked, over the first games of a kind on a device.

The sentence is the game's, for the prompt of the decision alone (`Words.tips`); every board holds it, and the page
shows it or not. Whoever has said what they want gets that, at every table of their device.
"""

from __future__ import annotations

from starlette.requests import Request

from gonfalon.core.rules.words import NEWCOMER
from gonfalon.table import Table
from gonfalon.web.shared import devices, preferences


async def shown(request: Request, table: Table, token: str) -> bool | None:
    """Whether a page of a table shows tips; None where there are none to show."""
    if not table.game.tips or not table.seats.who(token).holds or table.position.over:
        return None
    if wish := preferences.read(request).tips:
        return wish == "on"
    known = {seat.key for seat in await devices.tables(request) if seat.game == table.game.name}
    return len(known | {table.key}) <= NEWCOMER
