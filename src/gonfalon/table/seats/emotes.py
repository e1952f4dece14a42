"""What people say at a table: one of a few greetings, seen for a moment beside their name, and kept nowhere.

Nobody can write anything of their own, and nothing of the game follows from it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import anyio

from gonfalon.core.rules.state import Seat
from gonfalon.core.text.emotes import EMOTES
from gonfalon.table.errors import Hasty, NoChoice
from gonfalon.table.shared.services import Services

LASTS: Final = 4.0
"""Seconds for which one is seen."""
PAUSE: Final = 5.0
"""Seconds from one to the next of the same seat."""


class Emotes:
    """The latest of each seat; `changed` is called when one comes or fades."""

    def __init__(self, services: Services, changed: Callable[[], None]) -> None:
        self.services: Services = services
        self._changed = changed
        self._said: dict[Seat, tuple[str, float]] = {}
        self.count: int = 0
        """Counts what came and faded."""

    def say(self, seat: Seat, emote: str) -> None:
        """Show one here; other processes are told by whoever asks. Raises NoChoice and Hasty."""
        if emote not in EMOTES:
            raise NoChoice(f"There is no such greeting; there are {', '.join(EMOTES)}.")
        if seat in self._said and self.services.now() < self._said[seat][1] + PAUSE:
            raise Hasty(f"One greeting every {PAUSE:g} seconds is enough.")
        self.hear(seat, emote)

    def hear(self, seat: Seat, emote: str) -> None:
        """One has come, perhaps by another process."""
        self._said[seat] = (emote, self.services.now())
        self._change()
        self.services.spawn(partial(self._fade, seat))

    def of(self, seat: Seat) -> str:
        """What a seat says now, by its name; empty for nothing."""
        emote, at = self._said.get(seat, ("", 0.0))
        return emote if self.services.now() < at + LASTS else ""

    async def _fade(self, seat: Seat) -> None:
        while self.of(seat):  # the clock of the world may have been set meanwhile
            await anyio.sleep(max(0.01, self._said[seat][1] + LASTS - self.services.now()))
        self._change()

    def _change(self) -> None:
        self.count += 1
        self._changed()
