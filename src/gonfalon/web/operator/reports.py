"""The form by which a player reports another player to the operator."""

from __future__ import annotations

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import Response

from gonfalon.core.text.untrusted import isolate
from gonfalon.table import LinkHolder, Table, administration
from gonfalon.table.errors import NoChoice, NotSeated
from gonfalon.table.messages import NOT_SEATED
from gonfalon.web.http.forms import read_form, read_number, read_text
from gonfalon.web.http.rate_limits import REPORTS
from gonfalon.web.shared.context import at_table, services_of
from gonfalon.web.shared.devices import hash_owner
from gonfalon.web.shared.template_context import Context


async def show_report(request: Request) -> Response:
    """Show the form."""
    table, who, _ = await at_table(request)
    return render_report(request, table, who)


async def send_report(request: Request) -> Response:
    """Store a report, and thank the player; or show the form with the reason of a refusal."""
    table, who, _ = await at_table(request)
    form = await read_form(request)
    if not who.holds:
        raise NotSeated(NOT_SEATED)
    device, reason = hash_owner(request), read_text(form, "reason")
    services_of(request).limits.spend(REPORTS, device)
    try:
        seat = read_number(form, "seat")
        await run_sync(administration.report_player, table, who, device, seat, reason)
    except NoChoice as error:
        return render_report(request, table, who, str(error), reason)
    return services_of(request).render.page("report.html", **report_context(table, who), sent=True)


def render_report(request: Request, table: Table, who: LinkHolder, error: str = "", reason: str = "") -> Response:
    """Return the form. Raises NotSeated for a spectator."""
    if not who.holds:
        raise NotSeated(NOT_SEATED)
    context = report_context(table, who) | {"error": error, "reason": reason[: administration.MAX_TEXT]}
    return services_of(request).render.page("report.html", 400 if error else 200, **context, sent=False)


def report_context(table: Table, who: LinkHolder) -> Context:
    """Return the players that the holder of a link can report."""
    others = [
        {"seat": row.seat, "name": isolate(row.name)}
        for row in table.row.seats
        if row.token is not None and row.seat not in who.holds
    ]
    return {"players": others, "most": administration.MAX_TEXT, "error": "", "reason": ""}
