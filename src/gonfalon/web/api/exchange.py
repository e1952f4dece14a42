"""Import and export in the API: decks in all their forms, and records of files."""

from __future__ import annotations

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gonfalon.core.basics.decks import Deck, DeckError, Decks
from gonfalon.table.links import WATCH
from gonfalon.table.opened_records import open_record
from gonfalon.web import messages
from gonfalon.web.api.bodies import read_field, read_json, read_kind
from gonfalon.web.api.openapi import DeckToRead, OpenedRecord, ReadDeck, RecordToOpen
from gonfalon.web.http.errors import Nothing
from gonfalon.web.lobby.open_table import count_table
from gonfalon.web.shared.context import base_url, services_of, table_path
from gonfalon.web.shared.game_info import builder_url


async def read_deck(request: Request) -> Response:
    """Return a deck in all its forms, or the faults of its text."""
    body = await read_json(request, DeckToRead)
    kind = read_kind(request, body)
    decks = services_of(request).render.decks.get(kind.name)
    if decks is None:
        raise Nothing(messages.NO_DECKS.format(game=kind.title))
    text = read_field(body, "deck", str)
    deck, unread = await run_sync(parse_deck, decks, text)
    link = builder_url(kind.name) + decks.link(deck)
    answer: ReadDeck = {
        "name": deck.name,
        "cards": deck.counts,
        "size": decks.figures(deck).size,
        "faults": unread + decks.check(deck),
        "code": decks.code(deck),
        "link": base_url(request) + link,
        "qr": base_url(request) + link.replace("/build?", "/build/qr.svg?", 1),
        "text": decks.text(deck),
    }
    return JSONResponse(answer)


def parse_deck(decks: Decks, text: str) -> tuple[Deck, list[str]]:
    """Return the deck of a text in any form as far as it can be read, and the faults of its lines."""
    try:
        return decks.read(text), []
    except DeckError as error:
        deck, faults = decks.parse(text)
        return (deck, faults) if deck.counts else (Deck("", {}), [str(error)])


async def open_file(request: Request) -> Response:
    """Open the record of a finished game as a table to watch."""
    body = await read_json(request, RecordToOpen)
    text = read_field(body, "record", str)
    await count_table(request)
    key = await open_record(services_of(request).tables, text)
    page = base_url(request) + table_path(key, WATCH)
    answer: OpenedRecord = {"table": key, "page": page, "replay": f"{page}replay"}
    return JSONResponse(answer, 201, {"location": f"/api/tables/{key}"})
