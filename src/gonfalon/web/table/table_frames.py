"""The live parts of a table's page, drawn once for each link and kept while a socket needs them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final
from weakref import WeakKeyDictionary, WeakValueDictionary

from markupsafe import Markup
from starlette.requests import HTTPConnection

from gonfalon.table import Table
from gonfalon.table.errors import place
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.table.ending import Told, worked_out
from gonfalon.web.table.frames import LOG, Frame
from gonfalon.web.table.table_context import board_context, moment_context, seats_context
from gonfalon.web.table.waiting_room import bring_context, sides_context

logger: Final = logging.getLogger("gonfalon.web")


class TableFrames:
    """The live parts of all tables: the board and the seats, as each link may see them."""

    def __init__(self, render: Renderer) -> None:
        self.render = render
        # Frames live as long as a socket holds the last one that it sent.
        self._frames: WeakKeyDictionary[Table, WeakValueDictionary[tuple[str, str], Frame]] = WeakKeyDictionary()
        self._endings: WeakKeyDictionary[Table, Told | None] = WeakKeyDictionary()

    async def prepare_ending(self, table: Table) -> None:
        """Compute the facts of the end page once the game is over, before the board is drawn."""
        if table in self._endings or not table.position.over:
            return
        try:
            self._endings[table] = await worked_out(table)
        except Exception as error:
            # An end page without its curve is better than none.
            self._endings[table] = None
            logger.error("table %s: its end is told without a curve, %s", table.key[:4], place(error))

    def ending(self, table: Table) -> Told | None:
        """Return the facts of the end page, or None until `prepare_ending` has computed them."""
        return self._endings.get(table)

    def board(self, table: Table, token: str) -> Frame:
        """Return the board for a link: the table, the curtain of a shared device, or the choices before the deal."""
        if not table.position.dealt:
            who = table.seats.who(token)
            html = self.render.templates.draw("_bring.html", bring_context(self.render, table, who))
            return Frame("table", html, who.viewer)

        def draw() -> tuple[str, list[str]]:
            context = board_context(self.render, table, token, ending=self.ending(table))
            drawn = table.drawn(table.seats.who(token).viewer)
            log = self.render.log(context["log"], drawn) if "log" in context else []
            return self.render.templates.draw(context["live_template"], context | {"drawn_log": Markup(LOG)}), log

        return self._reuse(table, "table", token, table.page_mark(token), draw)

    def seats(self, table: Table, token: str) -> Frame:
        """Return the seats for a link, without invitations.

        Links to free seats are part of the page alone, which is not compressed then; frames are compressed, and their
        size must not depend on a secret.
        """
        if not table.position.dealt:
            who = table.seats.who(token)
            html = self.render.templates.draw("_sides.html", sides_context(table, who, token))
            return Frame("seats", html, who.viewer)

        def draw() -> tuple[str, list[str]]:
            return self.render.templates.draw("_seats.html", seats_context(table, token)), []

        return self._reuse(table, "seats", token, (table.company(), table.page_mark(token)), draw)

    def moment(self, table: Table, token: str, number: int) -> str:
        """Return the board at a moment between two decisions.

        Raises:
            GoneBy: the moment is not kept.
        """
        return self.render.templates.draw("_table.html", moment_context(self.render, table, token, number))

    def _reuse(
        self, table: Table, part: str, token: str, mark: object, draw: Callable[[], tuple[str, list[str]]]
    ) -> Frame:
        """Return the last frame of this part, drawn again if its mark has changed."""
        frames = self._frames.setdefault(table, WeakValueDictionary())
        frame = frames.get((part, token))
        if frame is None or frame.mark != mark:
            html, log = draw()
            frame = frames[part, token] = Frame(part, html, table.seats.who(token).viewer, mark, log)
        return frame


def table_frames_of(connection: HTTPConnection) -> TableFrames:
    """Return the frames of the server that received a request."""
    frames: TableFrames = connection.app.state.table_frames
    return frames
