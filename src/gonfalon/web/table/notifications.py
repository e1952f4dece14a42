"""Notifications of turns, which a player turns on for one device at a table with days for each move."""

from __future__ import annotations

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gonfalon.core.basics.errors import OptionError
from gonfalon.table.links import hash_token, require_seat
from gonfalon.table.store.player_rows import Subscription
from gonfalon.web import messages
from gonfalon.web.http.forms import read_form, read_text
from gonfalon.web.shared.context import at_table
from gonfalon.web.shared.devices import OwnSeat
from gonfalon.web.shared.static_files import STATIC
from gonfalon.web.table.table_page import find_push_key, mine_url, pusher_of


async def set_notifications(request: Request) -> Response:
    """Turn notifications of a seat's turns on or off for a device, or tell whether they are on. Raises OptionError."""
    at, who, token = await at_table(request)
    form, seat = await read_form(request), require_seat(who)
    wish, endpoint = read_text(form, "wish"), read_text(form, "endpoint")
    link, device, store = hash_token(token), hash_token(endpoint), at.backend.store
    if wish == "off":
        await run_sync(store.unsubscribe, device, link)
    elif wish == "on":
        key, secret = read_text(form, "key"), read_text(form, "secret")
        if find_push_key(request, at, who) is None or not pusher_of(request).accepts(endpoint, key, secret):
            raise OptionError(messages.NO_NOTIFICATIONS)
        page = mine_url(OwnSeat(at.key, token, at.game.name, link))
        await run_sync(store.subscribe, Subscription(link, device, at.key, seat, endpoint, key, secret, page))
    return JSONResponse({"on": await run_sync(store.is_subscribed, device, link)})


async def send_worker(request: Request) -> Response:
    """Return the service worker, which shows notifications. Its address is above all pages, so it serves them all."""
    del request
    text = (STATIC / "push_worker.js").read_text("utf-8")
    return Response(text, media_type="text/javascript", headers={"cache-control": "no-cache"})
