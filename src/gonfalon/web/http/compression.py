"""Answers are sent packed, where a browser takes that.

Packing tells by its length how much of an answer repeats itself. So a secret, the token of a seat for instance, must
not be packed beside words that somebody else chose (BREACH). The pages of tables name all addresses relative to their
own, which holds the token; a page that has to show one goes as it is (`kept_apart`).
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

from gonfalon.web.http.minify import lean_script, lean_style

LEVEL: Final = 5
"""Of packing while somebody waits."""
WORTH: Final = 500
"""Bytes from which on it is worth packing."""
LASTS: Final = "public, max-age=31536000, immutable"
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
    """Files under an address that changes with them. Texts are made lean and packed once, at the start."""

    def __init__(self, folder: Path, made: Mapping[str, str]) -> None:
        """`made`: texts that lie in no file, by their names."""
        super().__init__(directory=folder)
        self.texts: dict[str, tuple[bytes, bytes]] = {}
        for file in folder.rglob("*"):
            if file.suffix in TEXTS:
                self.texts[file.relative_to(folder).as_posix()] = packed(lean(file))
        self.texts.update((name, packed(text)) for name, text in made.items())

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path in self.texts and scope["method"] in ("GET", "HEAD"):
            packed = "gzip" in Headers(scope=scope).get("accept-encoding", "")
            coding = {"content-encoding": "gzip"} if packed else None
            kind = mimetypes.guess_type(path)[0] or "text/plain"
            response = Response(self.texts[path][packed], headers=coding, media_type=kind)
            response.headers["vary"] = "Accept-Encoding"
        else:
            response = await super().get_response(path, scope)
        response.headers["cache-control"] = LASTS
        return response


@cache
def packed(text: str) -> tuple[bytes, bytes]:
    """A text as it is sent, and the same packed."""
    return text.encode(), gzip.compress(text.encode(), 9, mtime=0)


def lean(file: Path) -> str:
    """The content of a text file, if it is a script or a style sheet of ours as it is sent."""
    text = file.read_text("utf-8")
    if file.suffix == ".js" and file.parent.name != "vendor":
        text = lean_script(text)
    elif file.suffix == ".css":
        text = lean_style(text)
    return text
