"""Hints: the choice of the strongest level in a player's place, for their page only."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

import anyio
from anyio.to_thread import run_sync

from gonfalon.bots import Choice
from gonfalon.bots.players.thoughts import noted, thought
from gonfalon.core.basics.errors import Refusal
from gonfalon.core.rules.state import Seat
from gonfalon.table import messages
from gonfalon.table.bots.players import BotPlayers
from gonfalon.table.errors import Late, Secret, locate_error
from gonfalon.table.links import LinkHolder, require_seat
from gonfalon.table.shared.current import Current
from gonfalon.table.shared.services import Services, choose_stand_in

HINT_WAITS: Final = 10.0
"""Seconds that a hint waits for a worker. The asking request holds a connection open."""
logger: Final = logging.getLogger("gonfalon.table")


class Hints:
    """Gives hints, each for one version of a seat's view."""

    def __init__(self, current: Current, bots: BotPlayers, services: Services) -> None:
        self.current: Current = current
        self.bots: BotPlayers = bots
        self.services: Services = services
        self._given: dict[Seat, tuple[int, Choice]] = {}
        """For each seat the version of its view, and the advised choice."""
        self._advising: list[anyio.Lock] = [anyio.Lock() for _ in range(current.game.seats)]

    def take(self, hints: Mapping[int, tuple[int, str]]) -> None:
        """Take over the hints in the store."""
        for seat, (version, text) in hints.items():
            known, _ = self._given.get(seat, (0, None))
            if version > known and 0 <= seat < len(self._advising):
                try:
                    self._given[seat] = (version, thought(text))
                except (ValueError, LookupError, TypeError) as error:
                    logger.error("table %s: a hint cannot be read, %s", self.current.key[:4], locate_error(error))
                    continue
                self.current.private_changes[seat] += 1

    def given(self, seat: Seat) -> Choice | None:
        """Return the hint for the current question to a seat."""
        version, choice = self._given.get(seat, (0, None))
        position = self.current.position
        if choice is None or version != position.version(seat) or choice.action not in position.view(seat).legal(seat):
            return None
        return choice

    async def advise(self, who: LinkHolder) -> None:
        """Compute the choice of the strongest level in a player's place, from their view and for their page only.
        Raises NotSeated, Secret, Finished, Refusal, Late."""
        seat, current = require_seat(who), self.current
        if not current.row.hints:
            raise Secret(messages.NO_HINTS)
        if not current.position.is_asked(seat) or current.row.seats[seat].bot is not None:
            raise Refusal(messages.NOT_ASKED)
        begun = current.position.version(seat)

        def gone() -> bool:
            return self.services.closing or current.position.version(seat) != begun

        async with self._advising[seat]:  # whoever asks while this is thought about gets the same answer
            if gone() or self.given(seat) is not None:
                return
            level = choose_stand_in(current.game)
            view = current.position.view_to_keep(seat)
            try:
                choice = await self.bots.ask_level(level, view, gone, lambda: anyio.fail_after(HINT_WAITS))
            except TimeoutError:
                raise Late(messages.BOTS_BUSY) from None
            if choice is not None and not gone():
                # Stored first, because the page of this seat may be open at another process.
                await run_sync(current.store.advise, current.key, seat, begun, noted(choice))
                self._given[seat] = (begun, choice)
                current.private_changes[seat] += 1
                current.wake_followers()
