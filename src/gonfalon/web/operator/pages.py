"""The page of the operator behind a secret link: tables, reports, bans, the notice and maintenance.

All addresses in these pages are relative, so that they hold no token. They show what `table/administration.py` shows:
nothing hidden of a running game.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from anyio.to_thread import run_sync
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from gonfalon.core.text.untrusted import isolate
from gonfalon.table import Store, administration
from gonfalon.table import messages as table_messages
from gonfalon.table.errors import NoChoice
from gonfalon.table.links import TOKEN
from gonfalon.table.store.admin_rows import STATES, ListedTable
from gonfalon.web import messages
from gonfalon.web.http.errors import Nothing
from gonfalon.web.http.forms import parse_seat, read_form, read_text, redirect_to
from gonfalon.web.http.rate_limits import GUESSES, client_of
from gonfalon.web.shared.context import services_of
from gonfalon.web.shared.template_context import Context

MAX_SHOWN: Final = 100
"""The number of tables on the page; the filters find the others."""


async def admit_operator(request: Request) -> Store:
    """Return the store for the holder of the operator's link. Raises Nothing, TooMany."""
    server, token = services_of(request), request.path_params["token"]
    if not TOKEN.fullmatch(token) or not await run_sync(administration.is_operator, server.tables.store, token):
        # Limited, because a token could otherwise be found by trying.
        server.limits.spend(GUESSES, client_of(request))
        raise Nothing(messages.NOT_FOUND)
    return server.tables.store


async def show_operator(request: Request) -> Response:
    """Show the whole state of the server."""
    store = await admit_operator(request)
    filters = {name: request.query_params.get(name, "")[:64] for name in ("name", "game", "days", "state")}
    context = await run_sync(read_context, store, filters)
    games = sorted(services_of(request).kinds)
    return render_operator(
        request, "admin.html", {**context, "filters": filters, "games": games, "states": list(STATES)}
    )


def read_context(store: Store, filters: dict[str, str]) -> Context:
    """Return the tables that fit the filters, the reports and the bans."""
    days = filters["days"]
    since = float(days) if days.isascii() and days.isdigit() and len(days) < 6 else None
    # PostgreSQL refuses this character.
    name, game = (filters[one].replace("\0", "") for one in ("name", "game"))
    state = filters["state"] if filters["state"] in STATES else ""
    found, now = administration.list_tables(store, game, name, since, state), administration.read_time(store)
    reports = [administration.show_report(store, report) for report in store.list_reports()]
    return {
        "state": store.server_state(),
        "count": len(found),
        "tables": [describe_table(row, now) for row in found[:MAX_SHOWN]],
        "reports": [{**one._asdict(), "created": format_time(one.created)} for one in reports],
        "bans": [
            {
                "subject": one.subject,
                "shown": administration.shorten_subject(one.subject),
                "note": one.note,
                "since": format_time(one.created),
            }
            for one in store.list_bans()
        ],
    }


def describe_table(row: ListedTable, now: float) -> Context:
    """Return a table for the list."""
    return {
        "key": row.key[: administration.SHOWN_KEY],
        "game": row.game,
        "stage": administration.describe_stage(row.stage, row.ended),
        "names": [isolate(name) for name in row.names if name],
        "active": administration.describe_age(row.active, now),
        "opened": administration.describe_age(row.opened, now),
    }


async def show_table(request: Request) -> Response:
    """Show the public facts of a table, and what the operator can do there."""
    store = await admit_operator(request)
    key = await run_sync(administration.find_key, store, request.path_params["key"])
    shown = await run_sync(administration.show_table, services_of(request).tables, key)
    ended = shown.stage in (table_messages.STAGE_OVER, table_messages.STAGE_CLOSED)
    context: Context = {
        "table": shown,
        "key": shown.key[: administration.SHOWN_KEY],
        "opened": format_time(shown.opened),
        "ended": ended,
        "record": shown.stage == table_messages.STAGE_OVER,
        "seats": [
            {**vars(seat), "devices": [(one, administration.shorten_subject(one)) for one in seat.devices]}
            for seat in shown.seats
        ],
    }
    return render_operator(request, "admin_table.html", context)


async def download_record(request: Request) -> Response:
    """Return the record of a finished game. Raises Secret before its end."""
    store = await admit_operator(request)
    key = await run_sync(administration.find_key, store, request.path_params["key"])
    text = await administration.read_record(services_of(request).tables, key)
    headers = {"content-disposition": f'attachment; filename="{key[: administration.SHOWN_KEY]}.json"'}
    return Response(text, media_type="application/json", headers=headers)


# ---- what the operator does -------------------------------------------------------------------------


async def change_server(request: Request) -> Response:
    """Set the notice or maintenance, ban, unban, or settle a report."""
    store = await admit_operator(request)
    form, task = await read_form(request), request.path_params["task"]
    if task not in TASKS:
        raise Nothing(messages.NOT_FOUND)
    await run_sync(TASKS[task], store, form)
    await services_of(request).tables.read_state()
    return redirect_to(request, f"/admin/{request.path_params['token']}/#{task}")


def set_notice(store: Store, form: FormData) -> None:
    """Set the notice; empty for none."""
    administration.set_notice(store, read_text(form, "text"))


def set_maintenance(store: Store, form: FormData) -> None:
    """Begin maintenance, or end it."""
    administration.set_maintenance(store, read_text(form, "wish") == "on")


def change_bans(store: Store, form: FormData) -> None:
    """Ban a device or network, or remove a ban."""
    if subject := read_text(form, "unban"):
        administration.unban(store, subject)
    else:
        administration.ban(store, read_text(form, "subject").strip(), read_text(form, "note"))


def settle_report(store: Store, form: FormData) -> None:
    """Settle a report."""
    store.settle_report(administration.find_report(store, read_text(form, "id")).id, time.time())


TASKS: Final[dict[str, Callable[[Store, FormData], None]]] = {
    "notice": set_notice,
    "maintenance": set_maintenance,
    "bans": change_bans,
    "reports": settle_report,
}


async def change_table(request: Request) -> Response:
    """Close a table, or rename a player."""
    store = await admit_operator(request)
    form, task = await read_form(request), request.path_params["task"]
    key = await run_sync(administration.find_key, store, request.path_params["key"])
    if task == "close":
        await administration.close_table(services_of(request).tables, key)
    elif task == "rename":
        seats = len((await run_sync(store.table, key)).seats)
        seat = parse_seat(read_text(form, "seat"), seats)
        await run_sync(administration.rename_seat, store, key, seat, read_text(form, "name"))
        await (await services_of(request).tables.table(key)).refresh()
    else:
        raise NoChoice(messages.NOT_FOUND)
    shown = key[: administration.SHOWN_KEY]
    return redirect_to(request, f"/admin/{request.path_params['token']}/tables/{shown}/")


def render_operator(request: Request, template: str, context: Context) -> Response:
    """Return a page that no search engine lists."""
    response = services_of(request).render.page(template, **context)
    response.headers["x-robots-tag"] = "noindex, nofollow"
    return response


def format_time(moment: float) -> str:
    """Return a time in UTC, to the minute."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M")
