"""Compressed responses for browsers that accept them.

The length of compressed text reveals repetition. So a secret such as a seat's token must never be compressed together
with text that someone else chose (BREACH). Pages of tables use relative addresses, so that they hold no token; a page
that has to show one is sent uncompressed (`kept_apart`).
"""

from __future__ import annotations

import gzip
import mimetypes
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gonfalon.web.http.minify import minify_text

LEVEL: Final = 5
"""The compression level for responses that a visitor waits for."""
WORTH: Final = 500
"""The number of bytes from which compression pays."""
LASTS: Final = "public, max-age=31536000, immutable"
TEXTS: Final = (".css", ".js", ".md", ".svg")


def forbid_compression(response: Response) -> Response:
    """Return the response, marked so that neither we nor any proxy compresses it."""
    response.headers["cache-control"] = "no-store, no-transform"
    return response


class Packed:
    """Compresses the responses of an application, except those that are kept apart."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def choose(scope: Scope, receive: Receive, pack: Send) -> None:
            # Only the head of a response says whether it may be compressed, so its first message decides.
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
    """Serves static files under addresses that change with their content. Texts are minified and compressed once, at
    the start."""

    def __init__(self, folder: Path, made: Mapping[str, str]) -> None:
        """Read the files. `made` are texts without a file, by name."""
        super().__init__(directory=folder)
        self.texts: dict[str, tuple[bytes, bytes]] = {}
        for file in folder.rglob("*"):
            if file.suffix in TEXTS:
                self.texts[file.relative_to(folder).as_posix()] = compress_text(read_minified(file))
        self.texts.update((name, compress_text(text)) for name, text in made.items())

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path in self.texts and scope["method"] in ("GET", "HEAD"):
            packed = "gzip" in Headers(scope=scope).get("accept-encoding", "")
            coding = {"content-encoding": "gzip"} if packed else None
            kind = mimetypes.guess_type(path)[0] or "text/plain"
            response = Response(self.texts[path][packed], headers=coding, media_type=kind)
            # Caches must not pass compressed bytes to clients that cannot read them.
            response.headers["vary"] = "Accept-Encoding"
        else:
            response = await super().get_response(path, scope)
        response.headers["cache-control"] = LASTS
        return response


@cache
def compress_text(text: str) -> tuple[bytes, bytes]:
    """Return a text in its sent form, and the same compressed."""
    # Without a time, equal texts give equal bytes in every process.
    return text.encode(), gzip.compress(text.encode(), 9, mtime=0)


def read_minified(file: Path) -> str:
    """Return the content of a text file; minified if it is a script or a style sheet of ours."""
    text = file.read_text("utf-8")
    # Scripts of others are minified already, and the minifier knows only the forms of ours.
    return minify_text(text) if file.suffix in (".css", ".js") and file.parent.name != "vendor" else text
