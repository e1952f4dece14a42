"""Opening the record of a finished game from a file, for its replay and review."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from gonfalon.core.basics.errors import RecordError
from gonfalon.table.links import WATCH
from gonfalon.table.opened_records import open_record
from gonfalon.web import messages
from gonfalon.web.http.errors import Malformed
from gonfalon.web.http.forms import is_scripted, read_file, read_form, redirect_to
from gonfalon.web.http.rate_limits import TooMany
from gonfalon.web.lobby.lobby import show_lobby
from gonfalon.web.lobby.open_table import count_table
from gonfalon.web.shared.context import services_of, table_path
from gonfalon.web.shared.failures import explain_error


async def open_file(request: Request) -> Response:
    """Open the record in a form and redirect to its replay, or show the lobby with the reason for a refusal."""
    form = await read_form(request, files=1)
    try:
        text = await read_file(form, "record")
        if not text.strip():
            raise RecordError(messages.CHOOSE_RECORD)
        await count_table(request)
        key = await open_record(services_of(request).tables, text)
    except (Malformed, RecordError, TooMany) as error:
        if is_scripted(request):
            raise
        status, _, _, sentence = explain_error(error)
        return await show_lobby(request, sentence, status)
    return redirect_to(request, f"{table_path(key, WATCH)}replay")
