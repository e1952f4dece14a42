"""The pages of card sets: the check of a text, and the page of a kept set or of the cards of a table."""

from __future__ import annotations

import time

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import Response

from gonfalon.core.basics.errors import DataError, OptionError
from gonfalon.core.files.card_sets import CardSet, describe_card_set, find_set_name, read_card_set, write_changes
from gonfalon.core.files.kept_data import data_option
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.rules import CARD_SET
from gonfalon.web import messages
from gonfalon.web.http.compression import forbid_compression
from gonfalon.web.http.errors import Nothing
from gonfalon.web.http.forms import read_form, read_text, redirect_to
from gonfalon.web.http.rate_limits import CARD_SETS, TooMany, client_of
from gonfalon.web.lobby.card_choice import MAX_TEXT_BYTES, check_text, keep_set, remember_set, set_url, store_set
from gonfalon.web.lobby.lobby import show_new
from gonfalon.web.shared import preferences
from gonfalon.web.shared.context import at_table, base_url, services_of
from gonfalon.web.shared.failures import explain_error
from gonfalon.web.shared.game_cards import showcase_of
from gonfalon.web.shared.game_info import form_url
from gonfalon.web.shared.template_context import Context
from gonfalon.web.table.own_cards import describe_own_cards
from gonfalon.web.table.waiting_room import draw_qr


async def check_cards(request: Request) -> Response:
    """Return what the own cards of a form change, or all of their faults."""
    server = services_of(request)
    kind = server.kind(request.path_params["game"])
    text = read_text(await read_form(request), "cards")
    return server.render.page("_card_check.html", check=await check_text(request, kind, text))


async def keep_cards(request: Request) -> Response:
    """Keep the own cards of a form as a set and redirect to its page; or show the form with all faults."""
    kind = services_of(request).kind(request.path_params["game"])
    form = await read_form(request)
    fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
    try:
        one = await keep_set(request, kind, fields.get("cards", ""))
    except (DataError, OptionError, TooMany) as error:
        return await show_new(request, kind, fields, str(error), explain_error(error)[0])
    response = redirect_to(request, set_url(one.id))
    remember_set(request, response, one)
    return response


async def show_set(request: Request) -> Response:
    """Show a set of cards, and remember it for the forms of this device. Raises Nothing."""
    server = services_of(request)
    one = await run_sync(server.tables.store.card_set, request.path_params["id"], time.time())
    if one is None or one.game not in server.kinds:
        raise Nothing(messages.NO_CARD_SET)
    game = await run_sync(server.tables.new_game, one.game, one.options)
    url = base_url(request) + set_url(one.id)
    response = render_set(
        request,
        game,
        text=one.text,
        link={"url": url, "qr": draw_qr(url), "house": one.house},
        open_url=f"{form_url(one.game)}?set={one.id}",
        edit_url=f"{form_url(one.game)}?edit={one.id}#cards" if len(one.text.encode()) <= MAX_TEXT_BYTES else None,
    )
    remember_set(request, response, one)
    return response


async def show_table_cards(request: Request) -> Response:
    """Show the cards of a table that differ from the standard set. Raises Nothing."""
    at, _, _ = await at_table(request)
    return render_set(request, at.game, table_url="./")


async def keep_table_cards(request: Request) -> Response:
    """Keep the cards of a table as a set and redirect to its page. Raises Nothing, NoRoom, TooMany."""
    at, _, _ = await at_table(request)
    game, option = at.game, data_option(at.game)
    server = services_of(request)
    if describe_own_cards(game) is None:
        raise Nothing(messages.STANDARD_CARDS)
    options = {option: game.pinned()[option], CARD_SET: find_set_name(game)}
    server.limits.spend(CARD_SETS, client_of(request))
    text = await run_sync(write_text, game)
    found = CardSet(game.name, find_set_name(game), options, describe_card_set(game), game.data_hash)
    one = await store_set(request, found, text)
    response = redirect_to(request, set_url(one.id))
    remember_set(request, response, one)
    return response


def write_text(game: Game) -> str:
    """Return the own cards of a game as lines of changes; empty if such lines cannot express them."""
    changes = describe_card_set(game)
    text = write_changes(find_set_name(game), [(change.path, change.after) for change in changes])
    try:
        found = read_card_set(type(game), text)
        return text if type(game)(**found.options).data_hash == game.data_hash else ""
    except (DataError, OptionError):
        return ""


def render_set(
    request: Request,
    game: Game,
    text: str = "",
    link: Context | None = None,
    open_url: str | None = None,
    edit_url: str | None = None,
    table_url: str | None = None,
) -> Response:
    """Return the page of the own cards of a game. Raises Nothing for the standard set."""
    server = services_of(request)
    own = describe_own_cards(game)
    if own is None:
        raise Nothing(messages.STANDARD_CARDS)
    response = server.render.page(
        "card_set.html",
        game=showcase_of(server.render, server.kinds[game.name]),
        name=own["name"],
        changes=own["changes"],
        text=text,
        link=link,
        open_url=open_url,
        edit_url=edit_url,
        table_url=table_url,
        player=preferences.read_preferences(request).name,
    )
    # The address of a set is a secret beside text that others chose.
    return forbid_compression(response)
