"""Opening the record of a finished game from a file, for its replay and review."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from gonfalon.core.basics.errors import DataError, DeckError, OptionError, RecordError
from gonfalon.core.files.card_sets import read_card_set
from gonfalon.table.links import WATCH
from gonfalon.table.opened_records import open_record
from gonfalon.web import messages
from gonfalon.web.http.errors import Malformed
from gonfalon.web.http.forms import is_scripted, read_file, read_form, redirect_to
from gonfalon.web.http.rate_limits import TooMany
from gonfalon.web.lobby.lobby import show_lobby
from gonfalon.web.lobby.open_table import count_table
from gonfalon.web.shared.context import Services, services_of, table_path
from gonfalon.web.shared.failures import explain_error
from gonfalon.web.shared.game_info import card_file_url, form_url, shelf_url

RECORD: Final = re.compile(r"\s*(?:\{|Format:)|\ufeff")
"""The beginning of a record, whose faults are reported."""


async def open_file(request: Request) -> Response:
    """Open the record in a form and redirect to its replay, or show the lobby with the reason for a refusal."""
    form = await read_form(request, files=1)
    text = ""
    try:
        text = await read_file(form, "record")
        if not text.strip():
            raise RecordError(messages.CHOOSE_RECORD)
        await count_table(request)
        key = await open_record(services_of(request).tables, text)
    except (Malformed, RecordError, TooMany) as error:
        status, _, _, sentence = explain_error(error)
        link = ""
        if isinstance(error, RecordError) and text.strip() and not RECORD.match(text):
            sentence, link = await run_sync(describe_other_text, services_of(request), text)
        if is_scripted(request):
            return PlainTextResponse(sentence, status, {"x-link": link})
        return await show_lobby(request, sentence, status, link)
    return redirect_to(request, f"{table_path(key, WATCH)}replay")


def describe_other_text(server: Services, text: str) -> tuple[str, str]:
    """Return a sentence about a text that is no record, and the address of the page that reads it, if there is one."""
    for name, decks in server.render.decks.items():
        with suppress(DeckError):
            if not decks.parse(text)[0].counts:
                decks.read(text)  # a link, a share code or a name
            return messages.LOOKS_LIKE_DECK.format(game=server.kinds[name].title), shelf_url(name)
    for name, kind in server.kinds.items():
        if card_file_url(kind) is None:
            continue
        with suppress(DataError, OptionError):
            if read_card_set(kind, text).options:
                return messages.LOOKS_LIKE_CARDS.format(game=kind.title), form_url(name)
    return messages.NOT_A_RECORD, ""
