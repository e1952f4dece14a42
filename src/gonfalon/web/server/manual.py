"""The documentation at /docs if it has been built; otherwise how to build it."""

from __future__ import annotations

import mimetypes
import os
import sys
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from gonfalon.web.shared.context import services_of

VARIABLE: Final = "GONFALON_DOCS"
"""The environment variable with the folder of the built site."""


# Before Python 3.13 only the system may know it, and a picture of no known type is not shown.
mimetypes.add_type("image/webp", ".webp")


def find_folder() -> Path | None:
    """Return the folder of the built site: GONFALON_DOCS, or share/gonfalon/docs of this environment; None if there is
    none."""
    place = Path(os.environ.get(VARIABLE) or Path(sys.prefix) / "share" / "gonfalon" / "docs")
    return place if (place / "index.html").is_file() else None


def make_routes() -> list[BaseRoute]:
    """Return the routes below /docs."""
    built = find_folder()
    if built is None:
        return [Route("/docs", explain_build), Route("/docs/{path:path}", explain_build)]
    return [Route("/docs", to_index), Mount("/docs", StaticFiles(directory=built, html=True))]


async def to_index(request: Request) -> Response:
    """Redirect an address without its final slash, from which relative links would fail."""
    return RedirectResponse("/docs/", 307)


async def explain_build(request: Request) -> Response:
    """Show how to build the documentation."""
    return services_of(request).render.page("manual.html")
