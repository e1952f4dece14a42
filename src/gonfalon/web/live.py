"""Push: the newest board as HTML, whenever what this viewer may see has changed."""

from __future__ import annotations

from contextlib import suppress

import anyio
from starlette.websockets import WebSocket, WebSocketDisconnect

from gonfalon.core.errors import GonfalonError
from gonfalon.web.render import base_url
from gonfalon.web.site import at_table, site


async def live(socket: WebSocket) -> None:
    """Send boards until the browser goes. Who reads slowly misses those in between."""
    try:
        table, who, token = await at_table(socket)
    except GonfalonError:
        await socket.close(1008)
        return
    if who.invited:
        await socket.close(1008)
        return
    await socket.accept()
    render, base = site(socket).render, base_url(socket)
    watch = table.watch(who.viewer)

    async def push() -> None:
        sent = ""
        with suppress(WebSocketDisconnect):
            while True:
                await watch.changed()
                board = render.board(table, who, token, base)
                if board != sent:
                    sent = board
                    await socket.send_text(board)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(push)
        # Only a reader notices that the browser has gone; nothing is to be said here.
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
        tasks.cancel_scope.cancel()
