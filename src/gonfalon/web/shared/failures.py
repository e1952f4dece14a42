"""Responses to errors: a page, a problem document (RFC 9457) for programs, a line for our own script."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from gonfalon.core.basics.author_faults import find_place
from gonfalon.core.basics.errors import DataError, GonfalonError, NotationError, OptionError, Refusal
from gonfalon.games import list_author_packages
from gonfalon.table import errors
from gonfalon.web import messages
from gonfalon.web.http.errors import Malformed, Nothing
from gonfalon.web.http.forms import is_scripted
from gonfalon.web.http.rate_limits import TooMany
from gonfalon.web.shared.context import services_of

logger: Final = logging.getLogger("gonfalon.web")

KINDS: Final[dict[type[Exception], tuple[int, str, str]]] = {
    Refusal: (409, "illegal_action", messages.TITLE_ILLEGAL),
    errors.Stale: (409, "stale", messages.TITLE_STALE),
    errors.Conflict: (409, "stale", messages.TITLE_STALE),
    errors.Hasty: (409, "hasty", messages.TITLE_HASTY),
    errors.Finished: (409, "game_over", messages.TITLE_OVER),
    errors.Present: (409, "present", messages.TITLE_PRESENT),
    errors.OtherRules: (409, "other_rules", messages.TITLE_OTHER_RULES),
    errors.NotHost: (403, "not_host", messages.TITLE_NOT_HOST),
    errors.NotSeated: (403, "not_seated", messages.TITLE_NOT_SEATED),
    errors.Secret: (403, "secret", messages.TITLE_SECRET),
    errors.NoAccount: (401, "no_account", messages.TITLE_NO_ACCOUNT),
    errors.NoTable: (404, "no_table", messages.TITLE_NO_TABLE),
    errors.NoWay: (404, "no_seat", messages.TITLE_NO_SEAT),
    Nothing: (404, "not_found", messages.TITLE_NOTHING),
    errors.Withdrawn: (410, "withdrawn", messages.TITLE_WITHDRAWN),
    errors.Taken: (410, "seat_taken", messages.TITLE_TAKEN),
    errors.GoneBy: (410, "gone_by", messages.TITLE_GONE),
    errors.BadNonce: (400, "bad_nonce", messages.TITLE_BAD_NONCE),
    NotationError: (400, "bad_notation", messages.TITLE_BAD_NOTATION),
    errors.NoChoice: (400, "no_choice", messages.TITLE_NO_CHOICE),
    DataError: (400, "bad_cards", messages.TITLE_BAD_CARDS),
    OptionError: (400, "bad_option", messages.TITLE_BAD_OPTION),
    Malformed: (400, "malformed", messages.TITLE_MALFORMED),
    errors.Broken: (500, "damaged", messages.TITLE_DAMAGED),
    errors.NoRoom: (503, "no_room", messages.TITLE_BUSY),
    errors.Maintenance: (503, "maintenance", messages.TITLE_MAINTENANCE),
    errors.Banned: (403, "banned", messages.TITLE_BANNED),
    errors.Late: (503, "late", messages.TITLE_BUSY),
    errors.Closing: (503, "closing", messages.TITLE_BUSY),
    errors.StoreError: (503, "store", messages.TITLE_NO_DATABASE),
    TooMany: (429, "too_many", messages.TITLE_TOO_MANY),
    GonfalonError: (400, "refused", messages.TITLE_REFUSED),
}
SENTENCES: Final = {404: messages.NOT_FOUND, 405: messages.WRONG_METHOD, 500: messages.SERVER_ERROR}
LONGEST: Final = 400
"""Maximum characters of a sentence, which may quote very long input."""


def explain_error(error: Exception, reading: bool = False) -> tuple[int, str, str, str]:
    """Return the status, the code, the title and the sentence of an error.

    Args:
        error: The error.
        reading: Whether the request only reads.
    """
    if isinstance(error, HTTPException):
        phrase = HTTPStatus(error.status_code).phrase
        detail = SENTENCES.get(error.status_code, error.detail) if error.detail == phrase else error.detail
        return error.status_code, phrase.lower().replace(" ", "_"), phrase, detail
    # The nearest base class in the table decides, so subclasses need no line of their own.
    for kind in type(error).__mro__:
        if kind in KINDS:
            status, code, title = KINDS[kind]
            away = messages.NO_READING if reading else messages.NO_WRITING
            reason = error.reason if isinstance(error, Refusal) else str(error)
            sentence = away if isinstance(error, errors.StoreError) else reason
            return status, code, title, sentence if len(sentence) <= LONGEST else sentence[:LONGEST] + " …"
    return 500, "internal", messages.TITLE_SERVER_ERROR, SENTENCES[500]


def refusal_context(error: Exception) -> dict[str, str]:
    """Return the sentence of a refusal and its rule, for the prompt row."""
    return {"text": explain_error(error)[3], "rule": error.reason.rule if isinstance(error, Refusal) else ""}


async def failure_response(request: Request, error: Exception) -> Response:
    """Return the response to an error in the form that the client can read."""
    method = request.scope.get("method", "GET")  # a socket has none
    status, code, title, sentence = explain_error(error, method in ("GET", "HEAD"))
    if code == "internal" and (place := find_place(error, list_author_packages())):
        title, sentence = messages.TITLE_GAME_FAULT, messages.GAME_FAULT
        if services_of(request).for_author:
            sentence = messages.GAME_FAULT_AT.format(fault=type(error).__name__, place=place)
    # The store logs its own failures, and maintenance is none.
    if status >= 500 and not isinstance(error, errors.StoreError | errors.Maintenance):
        logger.error("%s: %s", method, errors.locate_error(error))
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    if isinstance(error, TooMany):
        headers["retry-after"] = str(error.seconds)
    # What a page shows apart from the sentence. Headers are ASCII, so our script decodes both.
    apart = {"tag": error.reason.tag, "rule": error.reason.rule} if isinstance(error, Refusal) else {}
    if is_scripted(request) or (status == 429 and not wants_json(request)):
        # A page would cost more than a client over its limits should get.
        headers |= {f"x-{name}": quote(text) for name, text in apart.items() if text}
        return PlainTextResponse(sentence, status, headers)
    if wants_json(request):
        problem = {"type": f"about:blank#{code}", "code": code, "title": title, "status": status, "detail": sentence}
        return JSONResponse(problem | apart, status, headers, media_type="application/problem+json")
    context = {"title": title, "sentence": sentence, "unchanged": code not in ("internal", "store")}
    context["record"] = isinstance(error, errors.OtherRules) and error.record
    context["listed"] = isinstance(error, errors.Taken) and request.url.path.startswith("/opponents/")
    context["back"] = request.method == "POST" and request.url.path.startswith("/admin/") and status != 404
    response = services_of(request).render.page("error.html", status, **context)
    response.headers.update(headers)
    return response


def wants_json(request: Request) -> bool:
    """Return whether the client is a program and not a browser."""
    accept = request.headers.get("accept", "")
    return request.url.path.startswith("/api/") or ("json" in accept and "text/html" not in accept)
