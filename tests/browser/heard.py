"""The messages of a page's sockets."""

from __future__ import annotations

from playwright.sync_api import Page, WebSocket

from tests.web.person import Joined


def heard(page: Page) -> list[str]:
    """Record the parts of the page that its sockets send from now on. The lobby's socket sends no parts."""
    frames: list[str] = []

    def opened(socket: WebSocket) -> None:
        if socket.url.endswith("/opponents/live"):
            return
        lines = Joined()

        def received(payload: bytes | str) -> None:
            assert isinstance(payload, bytes)
            if payload:  # else a heartbeat
                frames.append(lines.html(payload))

        socket.on("framereceived", received)

    page.on("websocket", opened)
    return frames
