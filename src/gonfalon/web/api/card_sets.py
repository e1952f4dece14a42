"""Own cards in the API: checked, kept under an id, and used for a table."""

from __future__ import annotations

import time
from typing import Final

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gonfalon.core.basics.errors import DataError
from gonfalon.core.basics.options import Options
from gonfalon.core.files.card_files import split_fault
from gonfalon.core.files.card_sets import CardSet, describe_card_set
from gonfalon.core.rules.game import Game
from gonfalon.table.game.own_cards import list_changes, show_change
from gonfalon.table.store.card_set_rows import StoredCardSet
from gonfalon.web import messages
from gonfalon.web.api.bodies import read_field, read_json, read_kind
from gonfalon.web.api.openapi import CardsToCheck, CheckedCards, KeptSet, KeptSets, WholeSet
from gonfalon.web.http.errors import Malformed, Nothing
from gonfalon.web.lobby.card_choice import read_set, store_set
from gonfalon.web.shared.context import base_url, services_of

MAX_FAULTS: Final = 100
"""The number of faults in an answer."""


async def check_cards(request: Request) -> Response:
    """Return the faults of own cards, or their differences from the standard cards."""
    try:
        _, found = await read_text(request)
    except DataError as error:
        faults = error.faults or (str(error),)
        told = [split_fault(fault) for fault in faults[:MAX_FAULTS]]
        refused: CheckedCards = {
            **list_changes("", ()),
            "faults": [{"line": line or None, "text": text} for line, text in told],
            "fault_count": len(faults),
        }
        return JSONResponse(refused)
    sound: CheckedCards = {**list_changes(found.name, found.changes), "faults": [], "fault_count": 0}
    return JSONResponse(sound)


async def handle_sets(request: Request) -> Response:
    """Keep a set of cards, or list those of the server."""
    return await (keep_set(request) if request.method == "POST" else list_sets(request))


async def list_sets(request: Request) -> Response:
    """Return the sets of the server."""
    found = await run_sync(services_of(request).tables.store.house_card_sets)
    answer: KeptSets = {"sets": [describe_set(request, one) for one in found]}
    return JSONResponse(answer)


async def keep_set(request: Request) -> Response:
    """Keep a set of own cards. An equal set of the same device has the same id."""
    text, found = await read_text(request)
    kept = await store_set(request, found, text)
    return JSONResponse(await describe_whole(request, kept), 201, {"location": f"/api/cards/{kept.id}"})


async def show_set(request: Request) -> Response:
    """Return a set with its text and its differences from the standard cards."""
    found = await find_set(request, request.path_params["id"])
    return JSONResponse(await describe_whole(request, found))


async def read_text(request: Request) -> tuple[str, CardSet]:
    """Return the text of a body and its set of cards. Raises DataError, OptionError, TooMany, Malformed."""
    body = await read_json(request, CardsToCheck)
    kind = read_kind(request, body)
    text = read_field(body, "cards", str)
    return text, await read_set(request, kind, text, read_field(body, "name", str, ""))


async def read_cards(request: Request, kind: type[Game], body: dict[str, object]) -> Options:
    """Return the options of the cards that a body chooses for a table; empty for the standard cards. Raises DataError,
    Nothing, OptionError, TooMany, Malformed."""
    text, id = read_field(body, "cards", str, ""), read_field(body, "set", str, "")
    if text and id:
        raise Malformed(messages.API_CARDS_OR_SET)
    if text:
        return (await read_set(request, kind, text)).options
    if not id:
        return {}
    found = await find_set(request, id, time.time())
    if found.game != kind.name:
        raise Nothing(messages.NO_CARD_SET)
    return found.options


async def find_set(request: Request, id: str, now: float | None = None) -> StoredCardSet:
    """Return a set by its id; with a time it counts as used then. Raises Nothing."""
    found = await run_sync(services_of(request).tables.store.card_set, id, now)
    if found is None or found.game not in services_of(request).kinds:
        raise Nothing(messages.NO_CARD_SET)
    return found


def describe_set(request: Request, one: StoredCardSet) -> KeptSet:
    """Return a set without its cards."""
    return {"id": one.id, "game": one.game, "name": one.name, "page": f"{base_url(request)}/cards/{one.id}/"}


async def describe_whole(request: Request, one: StoredCardSet) -> WholeSet:
    """Return a set with its text and its changes. Raises GonfalonError if the cards no longer fit the game."""
    game = await run_sync(services_of(request).tables.new_game, one.game, one.options)
    changes = await run_sync(describe_card_set, game)
    return {**describe_set(request, one), "text": one.text, "changes": list(map(show_change, changes))}
