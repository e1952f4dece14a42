"""Push: the newest board as HTML, whenever what this viewer may see has changed, and who is at the table."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import anyio
from starlette.websockets import WebSocket, WebSocketDisconnect

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import LinkHolder, Table
from gonfalon.table.errors import Closing
from gonfalon.web.http.rate_limits import TooMany
from gonfalon.web.shared.context import at_table, followed, services
from gonfalon.web.table.frames import Frame
from gonfalon.web.table.table_frames import table_frames_of

HEARTBEAT_S: Final = 20.0
"""Seconds of silence after which a page is sent an empty frame: it takes twice as long for a lost connection."""
MOST_SAID: Final = 64
"""Messages that a page may send before it is hung up on; ours send none."""


async def live(socket: WebSocket) -> None:
    """Send boards until the browser goes. A slow reader misses those in between."""
    try:
        table, who, token = await at_table(socket)
    except TooMany:
        raise
    except GonfalonError:
        await socket.close(1008)
        return
    if who.invited:
        await socket.close(1008)
        return
    with followed(socket, table, who):
        await push_boards(socket, table, who, token)


async def push_boards(socket: WebSocket, table: Table, who: LinkHolder, token: str) -> None:
    """The same, for a link that may."""
    await socket.accept()
    table_frames, sent_count = table_frames_of(socket), services(socket).metrics.frames
    follow = table.follow(token)
    present = who.holds or (SPECTATOR,)

    async def push() -> None:
        sent: dict[str, Frame] = {}
        with suppress(WebSocketDisconnect, Closing):
            while True:
                with anyio.move_on_after(HEARTBEAT_S) as waiting_time:
                    await follow.changed()
                if waiting_time.cancelled_caught:
                    await socket.send_bytes(b"")
                    continue
                await table_frames.prepare_ending(table)
                for frame in (table_frames.board(table, token), table_frames.seats(table, token)):
                    last = sent.get(frame.part)
                    if last is None or last.lines != frame.lines:
                        sent[frame.part] = frame
                        await socket.send_bytes(frame.after(last))
                        sent_count.inc()

    table.presence.enter(present)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(push)
            # Only a reader notices that the browser has gone; nothing is to be said here.
            for _ in range(MOST_SAID):
                if (await socket.receive())["type"] == "websocket.disconnect":
                    break
            else:
                await socket.close(1008)
            tasks.cancel_scope.cancel()
    finally:
        table.presence.leave(present)
