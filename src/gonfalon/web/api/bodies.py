"""The JSON bodies of requests, checked for their fields and types."""

from __future__ import annotations

import json
from typing import Final, TypeVar

from starlette.requests import Request

from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game
from gonfalon.web import messages
from gonfalon.web.http.errors import Malformed
from gonfalon.web.shared.context import services_of

T = TypeVar("T")
FIELDS: Final[dict[type, str]] = {
    str: messages.TYPE_TEXT,
    int: messages.TYPE_NUMBER,
    list: messages.TYPE_LIST,
    dict: messages.TYPE_OBJECT,
    bool: messages.TYPE_BOOLEAN,
}


async def read_json(request: Request, form: type | None = None) -> dict[str, object]:
    """Return the body as an object with only the fields of a `form`. Raises Malformed."""
    try:
        body = json.loads(await request.body() or b"{}")
    except (ValueError, RecursionError):
        # Deeply nested JSON raises RecursionError, which is no fault of the server.
        raise Malformed(messages.API_NOT_JSON) from None
    if not isinstance(body, dict):
        raise Malformed(messages.API_NOT_AN_OBJECT)
    known = () if form is None else form.__annotations__
    if (unknown := next((name for name in body if name not in known), None)) is not None:
        # Cut, because the response quotes it.
        name = repr(unknown[:40])
        if not known:
            raise Malformed(messages.API_NO_FIELDS.format(field=name))
        raise Malformed(messages.API_UNKNOWN_FIELD.format(field=name, fields=", ".join(known)))
    return body


def read_field(body: dict[str, object], name: str, kind: type[T], default: T | None = None) -> T:
    """Return a field of the body, checked for its type. Raises Malformed."""
    value = body.get(name, default)
    # `bool` is a subclass of `int`, but true is no number in JSON.
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Malformed(messages.API_FIELD_TYPE.format(field=name, type=FIELDS[kind]))
    return value


def read_kind(request: Request, body: dict[str, object]) -> type[Game]:
    """Return the game that a body names. Raises Malformed, OptionError."""
    kind = services_of(request).kinds.get(read_field(body, "game", str, ""))
    if kind is None:
        raise OptionError(messages.API_NAME_GAME)
    return kind
