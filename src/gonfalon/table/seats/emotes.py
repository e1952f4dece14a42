"""Emotes: preset greetings, shown for a moment beside a name and never stored.

Players cannot write text of their own, and no emote affects the game.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import anyio

from gonfalon.core.rules.state import Seat
from gonfalon.core.text.emotes import EMOTES
from gonfalon.table import messages
from gonfalon.table.errors import Hasty, NoChoice
from gonfalon.table.shared.services import Services, Spawn

LASTS: Final = 4.0
"""Seconds for which an emote is shown."""
PAUSE: Final = 5.0
"""Minimum seconds between two emotes of a seat."""


class Emotes:
    """The latest emote of each seat. `changed` is called when one appears or fades."""

    def __init__(self, services: Services, changed: Callable[[], None], spawn: Spawn) -> None:
        self.services: Services = services
        self._changed = changed
        self._spawn: Spawn = spawn
        self._said: dict[Seat, tuple[str, float]] = {}
        self.count: int = 0
        """The number of emotes that appeared or faded."""

    def say(self, seat: Seat, emote: str) -> None:
        """Show an emote here; the caller tells other processes. Raises NoChoice and Hasty."""
        if emote not in EMOTES:
            raise NoChoice(messages.NO_EMOTE.format(emotes=", ".join(EMOTES)))
        if seat in self._said and self.services.now() < self._said[seat][1] + PAUSE:
            raise Hasty(messages.EMOTE_TOO_SOON.format(seconds=f"{PAUSE:g}"))
        self.hear(seat, emote)

    def hear(self, seat: Seat, emote: str) -> None:
        """Show an emote that may come from another process."""
        self._said[seat] = (emote, self.services.now())
        self._change()
        self._spawn(partial(self._fade, seat))

    def of(self, seat: Seat) -> str:
        """Return the name of the emote that a seat shows now, or an empty string."""
        emote, at = self._said.get(seat, ("", 0.0))
        return emote if self.services.now() < at + LASTS else ""

    async def _fade(self, seat: Seat) -> None:
        while self.of(seat):  # table time may have stood still meanwhile
            await anyio.sleep(max(0.01, self._said[seat][1] + LASTS - self.services.now()))
        self._change()

    def _change(self) -> None:
        self.count += 1
        self._changed()
