"""The servers of `full_house`: Gonfalon in one process that reports its pauses, and a bare echo of equal frames.

A pause is a callback of the event loop that uses more than 20 ms of CPU: the load of other programs does not count. The
pauses are printed as JSON when the server stops, each with its time, its seconds and its cause.
"""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import sys
import time
from contextlib import suppress
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from gonfalon.web import serve

SHORTEST_PAUSE: Final = 0.02
Pause = tuple[float, float, str]
"""The time of the end in seconds since 1970, the CPU seconds, and the cause."""


def watch_pauses(pauses: list[Pause]) -> None:
    """Note the pauses of the event loop of this thread from now on."""
    # No other event loop can be watched, so uvloop is hidden from the server.
    sys.modules["uvloop"] = None  # type: ignore[assignment]
    run, collected = asyncio.Handle._run, [0.0]

    def note_collection(phase: str, info: dict[str, int]) -> None:
        collected[0] += time.thread_time() * (1 if phase == "stop" else -1)

    def run_watched(handle: asyncio.Handle) -> None:
        collected[0], begun = 0.0, time.thread_time()
        run(handle)
        if (spent := time.thread_time() - begun) > SHORTEST_PAUSE:
            pauses.append((time.time(), spent, name_cause(handle, collected[0])))

    gc.callbacks.append(note_collection)
    setattr(asyncio.Handle, "_run", run_watched)  # noqa: B010


def name_cause(handle: asyncio.Handle, collecting: float) -> str:
    """Return the name of a callback's task or function, and the time of garbage collections in it."""
    callback = getattr(handle, "_callback", None)
    task = getattr(callback, "__self__", None)
    found = task.get_coro() if isinstance(task, asyncio.Task) else callback
    name = getattr(found, "__qualname__", type(found).__name__)
    if isinstance(task, asyncio.Task):
        name = f"{task.get_name()}, {name}"  # AnyIO names tasks by their functions
    return f"{name} ({1000 * collecting:.0f} ms of garbage collection)" if collecting > SHORTEST_PAUSE / 2 else name


def serve_echo(port: int) -> None:
    """Serve the echo: a post to `/KEY?size=N` sends a frame of N bytes to all sockets at `/KEY`."""
    rooms: dict[str, set[WebSocket]] = {}

    async def post(request: Request) -> Response:
        await request.form()
        frame = bytes(int(request.query_params["size"]))
        for page in rooms.get(request.path_params["key"], ()):
            await page.send_bytes(frame)
        return Response(status_code=204)

    async def follow(page: WebSocket) -> None:
        await page.accept()
        room = rooms.setdefault(page.path_params["key"], set())
        room.add(page)
        with suppress(WebSocketDisconnect):
            await page.receive_text()
        room.discard(page)

    app = Starlette(routes=[Route("/{key}", post, methods=["POST"]), WebSocketRoute("/{key}", follow)])
    config = uvicorn.Config(app, log_level="error", ws="websockets-sansio", ws_per_message_deflate=False)
    with socket.create_server(("127.0.0.1", port)) as listener:
        print("The echo listens.", flush=True)
        uvicorn.Server(config).run(sockets=[listener])


def main() -> None:
    kind, port, *rest = sys.argv[1:]
    if kind == "echo":
        serve_echo(int(port))
        return
    pauses: list[Pause] = []
    if "pauses" in rest:
        watch_pauses(pauses)
    serve(port=int(port), database_url=rest[0], workers=int(rest[1]), limits=0)
    print(json.dumps(pauses), flush=True)


if __name__ == "__main__":
    main()
