"""Answers are sent packed, where a browser takes that.

Packing tells by its length how much of an answer repeats itself. So a secret, the token of a seat for instance, must
not be packed beside words that somebody else chose (BREACH). The pages of tables name all addresses relative to their
own, which holds the token; a page that has to show one goes as it is (`kept_apart`).
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LEVEL: Final = 5
"""Of packing while somebody waits."""
WORTH: Final = 500
"""Bytes from which on it is worth packing."""
TEXTS: Final = (".css", ".js", ".md", ".svg")


def kept_apart(response: Response) -> Response:
    """The answer, marked as one that neither we nor anybody on the way may pack."""
    response.headers["cache-control"] = "no-store, no-transform"
    return response


class Packed:
    """Packs the answers of an application, but for those that are kept apart."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def choose(scope: Scope, receive: Receive, pack: Send) -> None:
            way = pack

            async def on(message: Message) -> None:
                nonlocal way
                if message["type"] == "http.response.start":
                    headers = Headers(raw=message["headers"])
                    way = send if "no-transform" in headers.get("cache-control", "") else pack
                await way(message)

            await self.app(scope, receive, on)

        await GZipMiddleware(choose, minimum_size=WORTH, compresslevel=LEVEL)(scope, receive, send)


class Lasting(StaticFiles):
    """Files under an address that changes with them, packed once at the start."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)
        files = [file for file in folder.rglob("*") if file.suffix in TEXTS]
        self.packed: dict[str, bytes] = {
            file.relative_to(folder).as_posix(): gzip.compress(file.read_bytes(), 9, mtime=0) for file in files
        }

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if response.status_code == 200 and path in self.packed:
            if "gzip" in Headers(scope=scope).get("accept-encoding", ""):
                packed = {"content-encoding": "gzip"}
                response = Response(self.packed[path], headers=packed, media_type=response.media_type)
            response.headers["vary"] = "Accept-Encoding"
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response
