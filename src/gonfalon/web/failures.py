"""Answers to what goes wrong: a page, a problem (RFC 9457) for programs, a line for our own script."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from gonfalon.core.errors import GonfalonError, NotationError, OptionError, Refusal
from gonfalon.table import (
    Broken,
    Finished,
    NoChoice,
    NoTable,
    NotSeated,
    NoWay,
    Present,
    Secret,
    Stale,
    StoreError,
    Taken,
)
from gonfalon.table.errors import Conflict, place
from gonfalon.web.site import Malformed, Nothing, site

logger: Final = logging.getLogger("gonfalon.web")

KINDS: Final[dict[type[Exception], tuple[int, str, str]]] = {
    Refusal: (409, "illegal_action", "The rules say no"),
    Stale: (409, "stale", "The table has changed"),
    Conflict: (409, "stale", "The table has changed"),
    Finished: (409, "game_over", "The game is over"),
    Present: (409, "present", "No bot is needed"),
    Broken: (409, "other_rules", "This table cannot go on"),
    NotSeated: (403, "not_seated", "Only watching"),
    Secret: (403, "secret", "Not yet"),
    NoTable: (404, "no_table", "No such table"),
    NoWay: (404, "no_seat", "No such seat"),
    Nothing: (404, "not_found", "Nothing here"),
    Taken: (410, "seat_taken", "The seat is taken"),
    NotationError: (400, "bad_notation", "Not an action"),
    NoChoice: (400, "no_choice", "There is no such setting"),
    OptionError: (400, "bad_option", "This table cannot be set up"),
    Malformed: (400, "malformed", "This cannot be read"),
    StoreError: (503, "store", "The table could not be saved"),
    GonfalonError: (400, "refused", "This cannot be done"),
}
SENTENCES: Final = {
    404: "There is nothing at this address.",
    405: "This address does not take that kind of request.",
    500: "Something went wrong on our side. The game is safe: open the table again.",
    503: "The table could not be read or saved just now; nothing was changed. Try again in a moment.",
}


def explain(error: Exception) -> tuple[int, str, str, str]:
    """Status, code, title and sentence of an error."""
    if isinstance(error, HTTPException):
        phrase = HTTPStatus(error.status_code).phrase
        detail = SENTENCES.get(error.status_code, error.detail) if error.detail == phrase else error.detail
        return error.status_code, phrase.lower().replace(" ", "_"), phrase, detail
    for kind in type(error).__mro__:
        if kind in KINDS:
            status, code, title = KINDS[kind]
            return status, code, title, SENTENCES[503] if status == 503 else str(error)
    return 500, "internal", "That should not have happened", SENTENCES[500]


async def failure(request: Request, error: Exception) -> Response:
    """The answer to an error, in the form the sender can read."""
    status, code, title, sentence = explain(error)
    if status >= 500:
        logger.error("%s: %s", request.method, place(error))
        if isinstance(error, StoreError):
            logger.error("%s", error)
    if request.headers.get("x-live") == "1":
        return PlainTextResponse(sentence, status)
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else None
    if wants_json(request):
        problem = {"type": f"about:blank#{code}", "code": code, "title": title, "status": status, "detail": sentence}
        return JSONResponse(problem, status, headers, media_type="application/problem+json")
    response = site(request).render.page("error.html", status, status=status, title=title, sentence=sentence)
    response.headers.update(headers or {})
    return response


def wants_json(request: Request) -> bool:
    """Whether the sender is a program rather than a browser."""
    accept = request.headers.get("accept", "")
    return request.url.path.startswith("/api/") or ("json" in accept and "text/html" not in accept)
