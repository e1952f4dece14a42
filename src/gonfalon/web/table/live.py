"""The live parts of a table's page: the board, rendered again when its viewer's view has changed, and the seats.

A part is rendered once for each link, and a socket receives only the lines that its last frame did not have. The server
compares the whole part with the last one of the same socket: a frame consists of runs of lines that the browser has
already, and new lines between them. So nothing has to be kept in step, and no mark can be forgotten. The browser joins
the lines (live.js) and morphs the result into the page.

Each frame is compressed by itself, once for all sockets with the same last frame. It is made for one link and holds no
token or key (see `web/http/compression.py`). Other frames, of this link or of others, do not affect its length.
"""

from __future__ import annotations

import json
import logging
import marshal
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from itertools import count
from typing import Final
from weakref import WeakKeyDictionary, WeakValueDictionary

import anyio
from markupsafe import Markup
from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket, WebSocketDisconnect

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.files.replay import Course
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import LinkHolder, Table
from gonfalon.table import messages as table_messages
from gonfalon.table.errors import Closing, TableError, locate_error
from gonfalon.table.store.admin_rows import ServerState
from gonfalon.web import messages
from gonfalon.web.http.rate_limits import TooMany
from gonfalon.web.http.templates import restore_slashes
from gonfalon.web.shared.context import at_table, count_follower, services_of
from gonfalon.web.shared.devices import BANNED_CODE, is_banned
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.table.ending import compute_course
from gonfalon.web.table.table_context import board_context, moment_context, seats_context
from gonfalon.web.table.waiting_room import bring_context, sides_context

logger: Final = logging.getLogger("gonfalon.web")
HEARTBEAT_S: Final = 20.0
"""Seconds of silence after which a page is sent an empty frame. A page considers a connection lost after twice that
time."""
MOST_SAID: Final = 64
"""The number of messages that a page may send before it is disconnected. Ours say once that they are hidden."""
Variants = tuple[tuple[int, list[str]], ...]
"""The renderings of a section: a hash of what each shows, and its lines."""
Run = tuple[int, int]
"""Lines of the last frame: the first, and their number."""
LONG: Final = 160
"""The number of characters from which a line is cut further, for much of a long line stays the same."""
CUT_BEFORE: Final = ("<li", "<button", "<label", "<p", "<section", "<details")
STRIDE: Final = 32
"""The number of lines that are compared at once where much is equal."""
SEAM: Final = "\0"
"""A character that HTML cannot contain."""
VARIANTS: Final = 2
"""The number of renderings of a section that a page keeps, because much alternates with the turn."""
LEVEL: Final = 1
_JSON: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_numbers: Final = count(1)


async def serve_live(socket: WebSocket) -> None:
    """Send boards until the browser disconnects. A slow reader misses intermediate ones."""
    try:
        table, who, token = await at_table(socket)
    except TooMany:
        raise
    except GonfalonError:
        await socket.close(1008)
        return
    # The page of an invitation has no live parts.
    if who.invited:
        await socket.close(1008)
        return
    with count_follower(socket, table, who):
        await LivePage(socket, table, who, token).run()


class LivePage:
    """The socket of an admitted link, and the frames that it was sent last."""

    def __init__(self, socket: WebSocket, table: Table, who: LinkHolder, token: str) -> None:
        self.socket, self.table, self.token = socket, table, token
        self.present = who.holds or (SPECTATOR,)
        self.frames, self.count = table_frames_of(socket), services_of(socket).metrics.frames
        self.hidden = False
        """Whether the page has said that it cannot be seen. It is told only when its player is asked."""
        self.sent: dict[str, Frame] = {}
        # Browsers send their origin, programs do not.
        files = f"/static/{socket.query_params.get('files')}" if "origin" in socket.headers else None
        self.outdated = files not in (None, self.frames.render.static_root)
        """Whether the scripts and styles of the page are those of another version."""

    async def run(self) -> None:
        """Send boards until the browser disconnects."""
        await self.socket.accept()
        self.table.presence.enter(self.present)
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self.push)
                await self.listen()
                tasks.cancel_scope.cancel()
        finally:
            self.table.presence.leave(self.present)

    async def listen(self) -> None:
        """Return when the browser has gone, which only a reader notices."""
        for _ in range(MOST_SAID):
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if message.get("text") == "hidden":
                self.hidden = True
                await self.send([self.frames.call(self.table, self.token)])
        await self.socket.close(1008)

    async def push(self) -> None:
        """Send a frame after each change, or let an outdated page reload."""
        if self.outdated:
            await self.send([self.frames.outdated])
            return
        follow = self.table.follow(self.token)
        with suppress(WebSocketDisconnect, Closing):
            while True:
                with anyio.move_on_after(HEARTBEAT_S) as waiting_time:
                    await follow.changed()
                if waiting_time.cancelled_caught:
                    await self.socket.send_bytes(b"")
                    continue
                # The operator may have excluded the client while its page was open.
                if is_banned(self.socket):
                    await self.socket.close(BANNED_CODE, table_messages.BANNED)
                    return
                if self.hidden:
                    await self.send([self.frames.call(self.table, self.token)])
                    continue
                # Rendering is synchronous, so everything that takes long is computed before it.
                await self.frames.prepare_ending(self.table)
                await self.send(self.frames.list_frames(self.table, self.token, "notice" in self.sent))

    async def send(self, frames: list[Frame]) -> None:
        """Send the frames that differ from the last ones of their parts."""
        for frame in frames:
            last = self.sent.get(frame.part)
            if last is None or last.lines != frame.lines:
                self.sent[frame.part] = frame
                await self.socket.send_bytes(frame.after(last))
                self.count.inc()


class TableFrames:
    """The live parts of all tables, board and seats, for each link."""

    def __init__(self, render: Renderer) -> None:
        self.render = render
        # Frames live as long as a socket holds the last one that it sent.
        self._frames: WeakKeyDictionary[Table, WeakValueDictionary[tuple[str, str], Frame]] = WeakKeyDictionary()
        self._notice: tuple[ServerState, Frame] | None = None
        self.outdated = Frame("table", render.templates.draw("_outdated.html", {}), SPECTATOR)
        self._calls = {asked: Frame("call", "asked" if asked else "", SPECTATOR) for asked in (True, False)}
        self._faults: WeakKeyDictionary[Table, str] = WeakKeyDictionary()
        self._endings: WeakKeyDictionary[Table, Course | None] = WeakKeyDictionary()

    async def prepare_ending(self, table: Table) -> None:
        """Compute the course of a game after its end, before the board is rendered."""
        if table in self._endings or not table.position.over:
            return
        try:
            self._endings[table] = await compute_course(table)
        except Exception as error:
            # An end page without its curve is better than none.
            self._endings[table] = None
            logger.error("table %s: its end page has no curve, %s", table.key[:4], locate_error(error))

    def ending(self, table: Table) -> Course | None:
        """Return the course of a finished game, or None until `prepare_ending` has computed it."""
        return self._endings.get(table)

    def board(self, table: Table, token: str) -> Frame:
        """Return the board for a link: the table, the curtain of a shared device, or the choices before the deal."""
        if not table.position.dealt:
            who = table.seats.find_holder(token)
            html = self.render.templates.draw("_bring.html", bring_context(self.render, table, who))
            return Frame("table", html, who.viewer)

        def draw(last: Sections | None) -> tuple[str, Sections]:
            context = board_context(self.render, table, token, course=self.ending(table))
            viewer = table.seats.find_holder(token).viewer
            parts = Sections((viewer, table.current.seating, table.position.over), last)
            if "log" in context:
                drawn = self.render.log(context["log"], table.rendered_log(viewer), context["past_url"])
                context["drawn_log"] = Markup(parts.add(drawn))
            table.forget_view(viewer)  # it is larger than the frame
            return self.render.templates.draw(context["live_template"], context | {"parts": parts}), parts

        return self._reuse(table, "table", token, table.page_mark(token), draw)

    def draw_or_explain(self, table: Table, token: str) -> list[Frame]:
        """Return the board and the seats for a link, or a sentence if the game cannot draw them.

        A page whose connection failed instead would connect again without end. Only the log names the fault.
        """
        try:
            return [self.board(table, token), self.seats(table, token)]
        except TableError:
            raise
        except Exception as error:
            # The sentence of a game's author helps to mend it; the text of another error could quote a hidden card.
            why = str(error) if isinstance(error, GonfalonError) else locate_error(error)
            if self._faults.get(table) != why:
                self._faults[table] = why
                logger.error("table %s: its board cannot be drawn: %s", table.key[:4], why)
            html = self.render.templates.draw("_fault.html", {"text": messages.GAME_FAULT})
            return [Frame("table", html, table.seats.find_holder(token).viewer)]

    def seats(self, table: Table, token: str) -> Frame:
        """Return the seats for a link, without invitations.

        Links to free seats are part of the page alone, which is not compressed then; frames are compressed, and their
        size must not depend on a secret.
        """
        if not table.position.dealt:
            who = table.seats.find_holder(token)
            html = self.render.templates.draw("_sides.html", sides_context(table, who))
            return Frame("seats", html, who.viewer)

        def draw(last: Sections | None) -> tuple[str, Sections]:
            context, parts = seats_context(table, token), Sections(None, last)
            found = parts.find("seats", context)
            return found or parts.keep(self.render.templates.draw("_seats.html", context)), parts

        return self._reuse(table, "seats", token, (table.public_mark(), table.page_mark(token)), draw)

    def list_frames(self, table: Table, token: str, noticed: bool) -> list[Frame]:
        """Return the live parts for a link. The operator's notice is one while there is any, and then until it has
        gone from a page (`noticed`)."""
        state = table.backend.state
        if self._notice is None or self._notice[0] != state:
            self._notice = state, Frame("notice", self.render.templates.draw("_notice.html", {}), SPECTATOR)
        frames = self.draw_or_explain(table, token)
        return [*frames, self._notice[1]] if noticed or state.notice or state.maintenance else frames

    def call(self, table: Table, token: str) -> Frame:
        """Return the part that says to a hidden page whether its player is asked."""
        who = table.seats.find_holder(token)
        asked = who.seated and not table.row.seats[who.viewer].stood_for and table.position.is_asked(who.viewer)
        return self._calls[asked]

    def moment(self, table: Table, token: str, number: int) -> str:
        """Return the board at a moment between two decisions.

        Raises:
            GoneBy: the moment is not kept.
        """
        return self.render.templates.draw("_table.html", moment_context(self.render, table, token, number))

    def _reuse(
        self, table: Table, part: str, token: str, mark: object, draw: Callable[[Sections | None], tuple[str, Sections]]
    ) -> Frame:
        """Return the last frame of this part, rendered again if its mark has changed."""
        frames = self._frames.setdefault(table, WeakValueDictionary())
        frame = frames.get((part, token))
        if frame is None or frame.mark != mark:
            html, sections = draw(None if frame is None else frame.sections)
            frame = frames[part, token] = Frame(part, html, table.seats.find_holder(token).viewer, mark, sections)
        return frame


def table_frames_of(connection: HTTPConnection) -> TableFrames:
    """Return the frames of the server that received a request."""
    frames: TableFrames = connection.app.state.table_frames
    return frames


class Frame:
    """A rendered part of a page for one link.

    Args:
        part: `table`, `seats`, `notice` or `call`.
        html: The rendered part.
        eyes: The viewer, which changes at a shared device.
        mark: The mark of the rendered state.
        sections: The sections that stand in the rendered part as placeholders.
    """

    def __init__(self, part: str, html: str, eyes: int, mark: object = None, sections: Sections | None = None) -> None:
        self.part: str = part
        self.lines: list[str] = split_lines(html) if sections is None else sections.finish(html)
        self.sections: Sections | None = sections
        self.eyes: int = eyes
        self.mark: object = mark
        self.number: int = next(_numbers)
        self._after: tuple[int, bytes] = (-1, b"")

    @property
    def html(self) -> str:
        """The rendered part. Only its lines are kept, most of which other frames share."""
        return "".join(self.lines)

    def after(self, last: Frame | None) -> bytes:
        """Return the bytes that bring a browser here from the last frame of its socket, computed once for all with that
        frame. A frame of another viewer is never used as a base."""
        if last is not None and last.eyes != self.eyes:
            last = None
        number = 0 if last is None else last.number
        if self._after[0] != number:
            self._after = number, compress_frame(self.part, [] if last is None else last.lines, self.lines)
        return self._after[1]


class Sections:
    """The sections of a rendered part, each rendered again only after what it shows has changed.

    A page keeps its own sections alone, so that its response time reveals nothing of another page.

    Args:
        base: What all sections show. After a change nothing is kept.
        last: The sections of the last frame.
    """

    def __init__(self, base: object, last: Sections | None) -> None:
        self.base: object = base
        self._last: dict[str, Variants] = last.kept if last is not None and last.base == base else {}
        self.kept: dict[str, Variants] = {}
        """The renderings of each section, the latest first."""
        self._missing: list[tuple[str, int]] = []
        self._placed: dict[str, list[str]] = {}

    def find(self, name: str, key: object) -> str:
        """Return the placeholder of a section that shows `key`; empty if it has to be rendered, for `keep`."""
        try:
            mark = hash(marshal.dumps(key, 2))  # type: ignore[arg-type]
        except ValueError:  # an object of a game's own class
            mark = hash(repr(key))
        for variant in self._last.get(name, ()):
            if variant[0] == mark:
                return self._put(name, variant)
        self._missing.append((name, mark))
        return ""

    def keep(self, html: str) -> str:
        """Keep the section that was missing last, and return its placeholder."""
        name, mark = self._missing.pop()
        return self._put(name, (mark, self.join(restore_slashes(str(html)))))

    def _put(self, name: str, variant: tuple[int, list[str]]) -> str:
        older = [other for other in self._last.get(name, ()) if other[0] != variant[0]]
        self.kept[name] = (variant, *older)[:VARIANTS]
        return self.add(variant[1])

    def add(self, lines: list[str]) -> str:
        """Return a placeholder of these lines."""
        name = f"section {len(self._placed)}"
        self._placed[name] = lines
        return SEAM + name + SEAM

    def finish(self, html: str) -> list[str]:
        """Return the lines of the whole part, and drop what the next frame does not need."""
        lines = self.join(html)
        self._last, self._placed = {}, {}
        return lines

    def join(self, html: str) -> list[str]:
        """Return the lines of HTML in which placeholders stand for sections."""
        lines: list[str] = []
        for text in html.split(SEAM):
            placed = self._placed.get(text)
            lines += split_lines(text) if placed is None else placed
        return lines


def split_lines(html: str) -> list[str]:
    """Return the lines of HTML, which joined give the same text."""
    lines = html.splitlines(keepends=True)
    return [piece for line in lines for piece in ((intern_line(line),) if len(line) < LONG else split_line(line))]


@lru_cache(1 << 15)
def intern_line(line: str) -> str:
    """Return one string for equal lines. With a thousand tables most memory would be repeated lines."""
    return line


@lru_cache(1 << 10)
def split_line(line: str) -> list[str]:
    """Return a long line cut before some tags."""
    if SEAM in line:
        return [line]
    for tag in CUT_BEFORE:
        line = line.replace(tag, SEAM + tag)
    return [intern_line(piece) for piece in line.split(SEAM) if piece]


def find_runs(old: list[str], new: list[str]) -> list[Run | str]:
    """Return the new lines as runs of old ones, and texts that are new."""
    at = dict(zip(reversed(old), range(len(old) - 1, -1, -1), strict=True))  # the first of equal ones stays
    found: list[Run | str] = []
    i, end, most = 0, len(new), len(old)
    first = past = 0
    while i < end:
        line = new[i]
        # Equal lines that follow the last run come before the first ones of all.
        start = past if past < most and old[past] == line else at.get(line)
        if start is None:
            found.append(line)
            i += 1
            continue
        first = past = start
        while past + STRIDE <= most and i + STRIDE <= end and old[past : past + STRIDE] == new[i : i + STRIDE]:
            past += STRIDE
            i += STRIDE
        while i < end and past < most and old[past] == new[i]:
            past += 1
            i += 1
        found.append((first, past - first))
    return found


def encode_message(part: str, old: list[str], new: list[str]) -> str:
    """Return the frame as the browser reads it: its part, the old and new number of lines, and the runs."""
    return _JSON.encode([part, len(old), len(new), find_runs(old, new)])


def compress_frame(part: str, old: list[str], new: list[str]) -> bytes:
    """Return the compressed frame."""
    return zlib.compress(encode_message(part, old, new).encode(), LEVEL, wbits=-zlib.MAX_WBITS)
