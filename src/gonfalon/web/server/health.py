"""Health checks: whether the server is alive, and whether it is ready for visitors."""

from __future__ import annotations

from typing import Final

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.web.shared.context import services_of

PATIENCE: Final = 3.0
"""Seconds that the database has to answer."""


async def check_alive(_: Request) -> Response:
    """Answer that the server is alive."""
    return PlainTextResponse("ok")


async def check_ready(request: Request) -> Response:
    """Answer whether everything that a table needs is available: 200, or 503 with the missing part. It reveals no
    address and no path."""
    tables = services_of(request).tables
    found = {"database": False, "room": False, "workers": tables.bots.runner.alive(), "serving": not tables.closing}
    try:
        # A database that hangs must not hang the check, so its thread is abandoned.
        with anyio.fail_after(PATIENCE):
            found["room"] = await anyio.to_thread.run_sync(tables.store.reach, abandon_on_cancel=True)
            found["database"] = True
    except (GonfalonError, TimeoutError):
        pass
    wanting = [what for what, there in found.items() if not there]
    return JSONResponse({"ready": not wanting, "wanting": wanting}, 503 if wanting else 200)
