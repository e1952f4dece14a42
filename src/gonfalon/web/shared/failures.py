"""Responses to errors: a page, a problem document (RFC 9457) for programs, a line for our own script."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from gonfalon.core.basics.errors import GonfalonError, NotationError, OptionError, Refusal
from gonfalon.table import errors
from gonfalon.web.http.errors import Malformed, Nothing
from gonfalon.web.http.forms import is_scripted
from gonfalon.web.http.rate_limits import TooMany
from gonfalon.web.shared.context import services_of

logger: Final = logging.getLogger("gonfalon.web")

KINDS: Final[dict[type[Exception], tuple[int, str, str]]] = {
    Refusal: (409, "illegal_action", "The rules say no"),
    errors.Stale: (409, "stale", "The table has changed"),
    errors.Conflict: (409, "stale", "The table has changed"),
    errors.Hasty: (409, "hasty", "Not so fast"),
    errors.Finished: (409, "game_over", "The game is over"),
    errors.Present: (409, "present", "No bot is needed"),
    errors.OtherRules: (409, "other_rules", "This table cannot go on"),
    errors.NotHost: (403, "not_host", "Not yours to give"),
    errors.NotSeated: (403, "not_seated", "Only watching"),
    errors.Secret: (403, "secret", "Not yet"),
    errors.NoTable: (404, "no_table", "No such table"),
    errors.NoWay: (404, "no_seat", "No such seat"),
    Nothing: (404, "not_found", "Nothing here"),
    errors.Withdrawn: (410, "withdrawn", "No game here"),
    errors.Taken: (410, "seat_taken", "The seat is taken"),
    errors.GoneBy: (410, "gone_by", "Gone by"),
    errors.BadNonce: (400, "bad_nonce", "No seat without a secret"),
    NotationError: (400, "bad_notation", "Not an action"),
    errors.NoChoice: (400, "no_choice", "There is no such setting"),
    OptionError: (400, "bad_option", "This table cannot be set up"),
    Malformed: (400, "malformed", "This cannot be read"),
    errors.Broken: (500, "damaged", "This table is damaged"),
    errors.Late: (503, "late", "One moment"),
    errors.Closing: (503, "closing", "One moment"),
    errors.StoreError: (503, "store", "The database does not answer"),
    TooMany: (429, "too_many", "Too many at once"),
    GonfalonError: (400, "refused", "This cannot be done"),
}
SENTENCES: Final = {
    404: "There is nothing at this address.",
    405: "This address does not take that kind of request.",
    500: "Something went wrong on our side; the server's log says where. Open the table again to see how it stands.",
}
UNREAD: Final = "The server cannot read its database just now. Try again in a moment."
UNSAVED: Final = "The server could not save this in its database, so nothing was changed. Try again in a moment."
LONGEST: Final = 400
"""Maximum characters of a sentence, which may quote very long input."""


def explain_error(error: Exception, reading: bool = False) -> tuple[int, str, str, str]:
    """Return status, code, title and sentence of an error. `reading` says whether the request only reads."""
    if isinstance(error, HTTPException):
        phrase = HTTPStatus(error.status_code).phrase
        detail = SENTENCES.get(error.status_code, error.detail) if error.detail == phrase else error.detail
        return error.status_code, phrase.lower().replace(" ", "_"), phrase, detail
    for kind in type(error).__mro__:
        if kind in KINDS:
            status, code, title = KINDS[kind]
            away = UNREAD if reading else UNSAVED
            sentence = away if isinstance(error, errors.StoreError) else str(error)
            return status, code, title, sentence if len(sentence) <= LONGEST else sentence[:LONGEST] + " …"
    return 500, "internal", "That should not have happened", SENTENCES[500]


async def failure_response(request: Request, error: Exception) -> Response:
    """Return the response to an error in the form that the client can read."""
    method = request.scope.get("method", "GET")  # a socket has none
    status, code, title, sentence = explain_error(error, method in ("GET", "HEAD"))
    if status >= 500 and not isinstance(error, errors.StoreError):  # the store logs its own failures
        logger.error("%s: %s", method, errors.locate_error(error))
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    if isinstance(error, TooMany):
        headers["retry-after"] = str(error.seconds)
    if is_scripted(request) or (status == 429 and not wants_json(request)):
        # A page would cost more than whoever asks for too much should get.
        return PlainTextResponse(sentence, status, headers)
    if wants_json(request):
        problem = {"type": f"about:blank#{code}", "code": code, "title": title, "status": status, "detail": sentence}
        return JSONResponse(problem, status, headers, media_type="application/problem+json")
    context = {"title": title, "sentence": sentence, "unchanged": code not in ("internal", "store")}
    context["record"] = isinstance(error, errors.OtherRules) and error.record
    response = services_of(request).render.page("error.html", status, status=status, **context)
    response.headers.update(headers)
    return response


def wants_json(request: Request) -> bool:
    """Return whether the client is a program and no browser."""
    accept = request.headers.get("accept", "")
    return request.url.path.startswith("/api/") or ("json" in accept and "text/html" not in accept)
