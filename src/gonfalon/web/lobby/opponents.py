"""Finding an opponent: the page of open tables, sitting down at one, and *Play a person now*."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from anyio.to_thread import run_sync
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response

from gonfalon.core.basics.decks import DeckError
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.game import Game
from gonfalon.core.text.english import many
from gonfalon.table import Table
from gonfalon.table.errors import NoTable, Seated, Stale, Taken, Withdrawn
from gonfalon.table.links import WATCHER, LinkHolder, new_nonce
from gonfalon.table.seats.names import clean_name
from gonfalon.table.seats.seat_choices import FACTIONS, find_choice_option, list_choices
from gonfalon.web import messages
from gonfalon.web.http.compression import forbid_compression
from gonfalon.web.http.forms import read_form, read_text, redirect_to
from gonfalon.web.http.rate_limits import SITTING, TooMany, client_of
from gonfalon.web.lobby.offers import list_house_rules, list_offers, list_tables
from gonfalon.web.lobby.open_table import open_table
from gonfalon.web.shared import devices, preferences
from gonfalon.web.shared.context import services_of, table_path
from gonfalon.web.shared.failures import explain_error
from gonfalon.web.shared.game_cards import list_showcases
from gonfalon.web.table.gathering import read_choices
from gonfalon.web.table.table_page import invitation_context, own_link

OFFER: Final = re.compile(r"[0-9a-f]{12}")
WAITS: Final = ("1", "3", "10")
"""The minutes after which a bot sits down, as *Play a person now* offers them."""


async def show_opponents(request: Request, error: str | None = None, status: int = 200) -> Response:
    """Show the open tables, and *Play a person now*."""
    server, liked = services_of(request), preferences.read_preferences(request)
    games = list_showcases(server.render)
    wanted = request.query_params.get("game", "")
    response = server.render.page(
        "opponents.html",
        status,
        games=games,
        wanted=wanted if wanted in server.kinds else "",
        offers=await list_offers(server),
        waits=[{"value": value, "label": many(int(value), "minute")} for value in WAITS],
        levels=games[0]["bots"] if games else [],
        player=liked.name,
        error=error,
    )
    devices.give_device_key(request, response)
    return response


async def find_table(request: HTTPConnection) -> Table:
    """Return the open table of a public number. Raises NoTable, Taken."""
    server, offer = services_of(request), request.path_params["offer"]
    key = await run_sync(server.tables.store.find_offer, offer) if OFFER.fullmatch(offer) else None
    if key is None:
        raise Taken(messages.OFFER_GONE)
    return await server.tables.table(key)


async def show_offer(request: Request, error: str | None = None, status: int = 200) -> Response:
    """Show the page on which a visitor sits down at an open table, or their own seat there."""
    at = await find_table(request)
    if (own := await own_link(request, at)) is not None:
        return RedirectResponse(own, 303)
    free = tuple(row.seat for row in at.current.free_seats())
    if not free:
        raise Taken(messages.SEAT_TAKEN)
    who = LinkHolder(WATCHER.viewer, invited=True, seats=free)
    context = await invitation_context(request, at, who, error)
    # Nothing here leads to the table itself, whose key would allow watching.
    context |= {"sit_url": "./", "listed": True, "spectator_url": None, "first_game": None, "proof": None}
    response = services_of(request).render.page("sit.html", status, **context)
    devices.give_device_key(request, response)
    # The nonce of the form is a secret beside names that others chose.
    return forbid_compression(response)


async def take_offer(request: Request) -> Response:
    """Take a seat of an open table, ready with the choice of the form, and go there."""
    at, form = await find_table(request), await read_form(request)
    free = [row.seat for row in at.current.free_seats()]
    name = read_text(form, "name")
    try:
        if not clean_name(name):
            raise OptionError(messages.NAME_YOURSELF)
        wish = next(iter(read_choices(form, at, free[:1]).values()), "")
        if free and wish and (fault := at.gathering.find_fault(free[0], wish)):
            raise OptionError(fault)
        token = await sit_down(request, at, read_text(form, "nonce"), name, wish)
    except (DeckError, OptionError) as error:
        return await show_offer(request, str(error), explain_error(error)[0])
    return go_to_seat(request, at, token, name)


async def sit_down(request: Request, at: Table, nonce: str, name: str, wish: str) -> str:
    """Take a seat of an open table for this visitor, ready with a choice. Return its token. Raises TooMany, Taken."""
    services_of(request).limits.spend(SITTING, client_of(request))
    if await own_link(request, at) is not None:
        raise Seated(messages.SEATED_BEFORE)
    token = await at.seats.take_offered_seat(nonce, name, devices.read_device_key(request))
    seated = at.seats.find_holder(token)
    with suppress(OptionError, Stale, Withdrawn):  # the page of the seat shows the state of the table
        await at.gathering.be_ready(seated, dict.fromkeys(seated.holds, wish))
    return token


def go_to_seat(request: Request, at: Table, token: str, name: str) -> Response:
    """Redirect to a seat, and store the name of the visitor."""
    response = redirect_to(request, table_path(at.key, token))
    preferences.store_preferences(request, response, preferences.read_preferences(request).called(name))
    return response


async def play_person(request: Request) -> Response:
    """Join a fitting open table at once; else open one, at which a bot sits down after the chosen time."""
    form = await read_form(request)
    fields = {key: read_text(form, key) for key in ("game", "wait", "level", "name")}
    kind, name = services_of(request).kinds.get(fields["game"]), fields["name"]
    try:
        if kind is None:
            raise OptionError(messages.CHOOSE_GAME)
        if not clean_name(name):
            raise OptionError(messages.NAME_YOURSELF)
        server = services_of(request)
        for table in await list_tables(server):
            same = table.game.name == kind.name and fits(table)
            if same and await own_link(request, table) is None:
                with suppress(Taken, Stale, Withdrawn, NoTable):  # another player was faster
                    return go_to_seat(request, table, await join(request, table, name), name)
        table, token = await open_table(request, kind, list_fields(request, kind, fields))
    except (OptionError, TooMany) as error:
        return await show_opponents(request, str(error), explain_error(error)[0])
    return go_to_seat(request, table, token, name)


def fits(table: Table) -> bool:
    """Return whether an open table has the usual rules and cards and no clock, so that it fits any player."""
    return not list_house_rules(table.game) and not table.row.clock and table.row.sealing is None


async def join(request: Request, table: Table, name: str) -> str:
    """Take a seat of an open table with the faction or deck that this device chose last, if it may be chosen."""
    option = find_choice_option(table.game)
    wish = preferences.read_preferences(request).of(table.game.name, f"{option}.0")
    if option == FACTIONS:
        free = [one for one in list_choices(table.game) if one not in table.gathering.list_taken_factions()]
        wish = wish if wish in free else next(iter(free), "")
    elif wish not in list_choices(table.game):
        wish = ""  # any preset deck
    return await sit_down(request, table, new_nonce(), name, wish)


def list_fields(request: Request, kind: type[Game], fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of the form of a table for *Play a person now*: open to all, with the usual rules."""
    seats = kind().seats
    found = {"opponent": "friend"} if kind.seat_counts == (2,) else {f"who-{n}": "friend" for n in range(1, seats)}
    found |= {"name": fields["name"], "listed": "yes", "bot-after": fields["wait"], "bot-level": fields["level"]}
    option = find_choice_option(kind())
    wish = preferences.read_preferences(request).of(kind.name, f"{option}.0")
    if option is not None:
        found[f"{option}.0"] = wish if wish in list_choices(kind()) else "lot"
    return found
