"""Pages of a table: the table itself, invitations, and the record."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from contextlib import suppress

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from gonfalon.core.files.record import parse_body
from gonfalon.core.files.record_text import write_record_text
from gonfalon.core.rules.state import Seat
from gonfalon.core.text.untrusted import isolate
from gonfalon.table import LinkHolder, Table
from gonfalon.table.errors import GoneBy, NoWay, OtherRules, Taken
from gonfalon.table.game.clock import load_pace
from gonfalon.table.links import WATCH, new_nonce
from gonfalon.web import messages
from gonfalon.web.http.compression import forbid_compression
from gonfalon.web.http.errors import Nothing
from gonfalon.web.http.forms import is_scripted
from gonfalon.web.http.web_push import Pusher
from gonfalon.web.shared import devices, preferences
from gonfalon.web.shared.context import (
    at_table,
    base_url,
    counted_from_one,
    find_followed,
    old_table_at,
    services_of,
    table_path,
)
from gonfalon.web.shared.failures import explain_error, refusal_context
from gonfalon.web.shared.game_cards import showcase_of
from gonfalon.web.shared.game_info import first_game, guide_url
from gonfalon.web.shared.template_context import Context
from gonfalon.web.table import tips, waiting_room
from gonfalon.web.table.ending import read_news
from gonfalon.web.table.live import table_frames_of
from gonfalon.web.table.table_context import board_context, moment_context, page_context, past_context, table_title


async def show_spectators(request: Request) -> Response:
    """Show the table to spectators, whose link is the bare key."""
    key = request.path_params["key"]
    with suppress(OtherRules):  # there the way goes on to the replay
        await find_followed(request, key, WATCH)
    return RedirectResponse(table_path(key, WATCH), 303)


async def add_slash(request: Request) -> Response:
    """Redirect a table's link without its final slash."""
    key, token = request.path_params["key"], request.path_params["token"]
    return RedirectResponse(f"/t/{key}/{token}/", 307)


def mine_url(seat: devices.OwnSeat) -> str:
    """Return the address of a seat that the visitor's browser knows. It reveals neither key nor token, for it stands on
    pages beside names that others chose (see `Packed`)."""
    return f"/mine/{hashlib.sha256(f'{seat.key} {seat.token}'.encode()).hexdigest()[:16]}"


async def redirect_to_own(request: Request) -> Response:
    """Redirect to the visitor's own seat. Raises Nothing if this browser does not know it."""
    for seat in await devices.list_tables(request):
        if seat.token and mine_url(seat) == request.url.path:
            return RedirectResponse(table_path(seat.key, seat.token), 303)
    raise Nothing(messages.NO_OWN_SEAT)


async def show_page(request: Request) -> Response:
    """Show the table for the owner of a link; an invited visitor sees the seat itself."""
    try:
        at, who, token = await at_table(request, used=True)
    except NoWay:
        return await show_lost(request)
    except OtherRules:
        await old_table_at(request, request.path_params["token"])
        return RedirectResponse("replay", 303)
    if who.invited:
        return await show_seat(request, at, who)
    if not at.position.dealt:
        response = await show_waiting(request, at, token)
        if who.holds:
            await devices.remember_seat(request, response, at, token)
        return response
    response = await show_table(request, at, token)
    if who.holds:
        await devices.remember_seat(request, response, at, token)
    return response


async def show_moment(request: Request) -> Response:
    """Show a moment between two decisions, `n`: only the board for our script, else a page. The table itself is shown
    if the moment is not kept. Raises GoneBy."""
    at, who, token = await at_table(request)
    number = counted_from_one(request.query_params.get("n", ""))
    render = services_of(request).render
    if who.invited:
        raise NoWay(messages.SIT_FIRST)
    if is_scripted(request):
        try:
            return HTMLResponse(table_frames_of(request).moment(at, token, number))
        except GoneBy:  # a page that has fallen behind goes on to the next
            return Response(status_code=204)
    try:
        seen = moment_context(render, at, token, number)
    except GoneBy as error:
        if at.position.dealt:
            return await show_table(request, at, token, error)
        return await show_waiting(request, at, token, str(error), explain_error(error)[0])
    page = page_context(render, at, token, course=table_frames_of(request).ending(at))
    context = page | seen
    context |= {"menu": page["menu"], "own_url": None}
    return render.page("table.html", 200, **context)


def pusher_of(request: Request) -> Pusher:
    """Return the sender of notifications of the server that received a request."""
    found: Pusher = request.app.state.pusher
    return found


def find_push_key(request: Request, table: Table, who: LinkHolder) -> str | None:
    """Return the server's key for the page of a seat that offers notifications; None for other pages."""
    pace = load_pace(table.row.clock)
    offered = pace is not None and pace.days and len(who.holds) == 1 and not table.position.over
    return pusher_of(request).public_key if offered else None


async def show_past(request: Request) -> Response:
    """Show the table after a sentence of the log, `n`: only the board for our script, else a page. Raises GoneBy."""
    at, who, token = await at_table(request)
    line = counted_from_one(request.query_params.get("n", "")) - 1
    if who.invited or not at.position.dealt:
        raise NoWay(messages.SIT_FIRST)
    server = services_of(request)
    try:
        # Replayed in a thread, since a long game takes some hundredths of a second.
        found = await run_sync(at.past, who.viewer, line)
    except GoneBy as error:
        if is_scripted(request):
            raise
        return await show_table(request, at, token, error)
    seen = past_context(server.render, at, token, line, found)
    if is_scripted(request):
        return HTMLResponse(server.render.templates.draw("_table.html", seen))
    page = page_context(server.render, at, token, course=table_frames_of(request).ending(at))
    return server.render.page("table.html", 200, **page | seen | {"menu": page["menu"], "own_url": None})


async def show_table(request: Request, at: Table, token: str, error: Exception | None = None) -> Response:
    """Show the table, with the reason if an action was refused."""
    server = services_of(request)
    frames = table_frames_of(request)
    await frames.prepare_ending(at)
    refusal = None if error is None else refusal_context(error)
    news = await run_sync(read_news, server.tables.store, at.key) if at.position.over else None
    context = page_context(server.render, at, token, refusal, frames.ending(at), news)
    context["own_url"] = None if at.seats.find_holder(token).holds else await own_link(request, at)
    context["tips"] = await tips.shows_tips(request, at, token)
    context["push_key"] = find_push_key(request, at, at.seats.find_holder(token))
    return server.render.page("table.html", 200 if error is None else explain_error(error)[0], **context)


async def show_decisions(request: Request) -> Response:
    """Show the decisions of a finished game that mattered, as far as it is reviewed. Raises Secret before the end."""
    at, _, token = await at_table(request)
    await at.moves.record()  # raises Secret during the game
    here, frames = services_of(request), table_frames_of(request)
    await frames.prepare_ending(at)
    news = await run_sync(read_news, here.tables.store, at.key)
    context = board_context(here.render, at, token, None, frames.ending(at), news)
    # The curtain of a shared device shows nothing of a game.
    return here.render.page("_decisions.html", **context) if "end" in context else Response(status_code=204)


async def show_waiting(
    request: Request, at: Table, token: str, error: str | None = None, status: int = 200
) -> Response:
    """Show a table that waits for the deal, with the reason if a choice was refused."""
    here = services_of(request)
    context = waiting_room.wait_context(here.render, at, token, base_url(request), error)
    context["own_url"] = None if at.seats.find_holder(token).holds else await own_link(request, at)
    context["push_key"] = find_push_key(request, at, at.seats.find_holder(token))
    response = here.render.page("wait.html", status, **context)
    return forbid_compression(response) if context["link"] else response


async def own_link(request: Request, at: Table, seats: Collection[Seat] | None = None) -> str | None:
    """Return the visitor's own seat at a table, or among these seats, if their browser remembers one."""
    for mine_at in await devices.list_tables(request):
        if mine_at.key == at.key:
            with suppress(NoWay):
                held = at.seats.find_holder(mine_at.token).holds
                if held and (seats is None or not set(held).isdisjoint(seats)):
                    return mine_url(mine_at)
    return None


async def show_lost(request: Request) -> Response:
    """Show help to a visitor whose link leads to no seat."""
    server = services_of(request)
    at = await server.tables.table(request.path_params["key"])
    context = {"table": {"title": table_title(at)}, "own_url": await own_link(request, at), "watch_url": f"../{WATCH}/"}
    return server.render.page("lost.html", 404, **context)


async def show_seat(
    request: Request, at: Table, who: LinkHolder, error: str | None = None, status: int = 200
) -> Response:
    """Show the page on which an invited visitor sits down, or their seat if they have done so. Raises Taken."""
    own = await own_link(request, at)
    if not who.seats:
        if own is not None:
            return RedirectResponse(own, 303)
        raise Taken(messages.SEAT_TAKEN)
    context = await invitation_context(request, at, who, error)
    response = services_of(request).render.page("sit.html", status, **context | {"own_url": own})
    devices.give_device_key(request, response)
    return forbid_compression(response)


async def invitation_context(request: Request, at: Table, who: LinkHolder, error: str | None) -> Context:
    """Return the context of sit.html for a visitor who may take one of some free seats."""
    opener, here = at.gathering.opener(), services_of(request)
    game = showcase_of(here.render, here.kind(at.game.name))
    return {
        **waiting_room.sides_context(at, who),
        **waiting_room.bring_context(here.render, at, who, error),
        **{key: game[key] for key in ("short", "about", "brief", "minutes")},
        "folded": True,
        "waits": at.gathering.waits,
        "host": isolate(opener.name) if opener is not None else messages.A_PLAYER,
        "sit_url": "sit",
        "player": preferences.read_preferences(request).name,
        # Sending the page twice takes one seat.
        "nonce": new_nonce(),
        "spectator_url": f"../{WATCH}/",
        "guide_url": guide_url(at.game),
        "first_game": await run_sync(first_game, here.kind(at.game.name)),
        "own_url": None,
        "listed": False,
    }


def show_again(request: Request, at: Table, wish: str) -> Response:
    """Show the page on which a player without cookies sits down to the next game."""
    response = services_of(request).render.page(
        "again.html",
        table={"title": table_title(at)},
        rematch_url="rematch",
        table_url="./",
        nonce=new_nonce(),
        wish=wish,
    )
    return forbid_compression(response)


async def download_record(request: Request) -> Response:
    """Return the record of a finished game, as a file in one of its forms. Every command reads both."""
    try:
        at, _, _ = await at_table(request)
        text, game = (await at.moves.record()).dumps(), at.game.name
    except OtherRules:
        old_table, _ = await old_table_at(request, request.path_params["token"])
        text, game = old_table.record, old_table.row.game
    form = request.url.path.rpartition(".")[2]
    headers = {"content-disposition": f'attachment; filename="{game}-{request.path_params["key"][:6]}.{form}"'}
    if form == "txt":
        return PlainTextResponse(write_record_text(parse_body(text)), headers=headers)
    return Response(text, media_type="application/json", headers=headers)
