"""A visitor's own tables, kept in his browser: a cookie that no script and no other site can read.

It holds nothing but the links he has been given; without it everything works by the links themselves.
"""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

COOKIE: Final = "tables"
MOST: Final = 8
DAYS: Final = 90


def tables(request: Request) -> list[tuple[str, str]]:
    """The visitor's links as (key, token), newest first. They are his word: nothing is checked here."""
    pairs = (part.partition(".") for part in request.cookies.get(COOKIE, "").split("~"))
    return [(key, token) for key, _, token in pairs if key and token][:MOST]


def remember(request: Request, response: Response, key: str, token: str) -> None:
    """Put a link first among the visitor's own."""
    known = tables(request)
    if known[:1] == [(key, token)]:
        return
    links = [(key, token), *(link for link in known if link != (key, token))][:MOST]
    response.set_cookie(
        COOKIE,
        "~".join(".".join(link) for link in links),
        max_age=DAYS * 24 * 3600,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
