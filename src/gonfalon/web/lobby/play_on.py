"""Playing on from any position of a finished game: the form, and the table that it opens.

Visitors with access to the replay may see all of it, so they may take any seat and the true cards. If hidden cards are
dealt again, the new table is made of the seat's view alone (`core/files/play_on.py`).
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import Response

from gonfalon import bots
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.play_on import OVER, continue_record, find_position, next_decision
from gonfalon.core.files.record import Record
from gonfalon.core.files.start_position import ANEW, TRUE
from gonfalon.core.rules.game import names_for
from gonfalon.core.rules.state import Seat
from gonfalon.core.text.untrusted import isolate
from gonfalon.table import Open, Person, Robot, Seating, Table
from gonfalon.web import messages
from gonfalon.web.history.replay import parse_mark, parse_viewer
from gonfalon.web.http.errors import Malformed
from gonfalon.web.http.forms import read_form, redirect_to
from gonfalon.web.http.rate_limits import TooMany
from gonfalon.web.learning.library import find_noted
from gonfalon.web.lobby.open_table import count_table, offers_hints, parse_sitter
from gonfalon.web.shared import preferences
from gonfalon.web.shared.context import at_table, services_of, table_path
from gonfalon.web.shared.failures import explain_error
from gonfalon.web.shared.game_cards import showcase_of
from gonfalon.web.shared.template_context import Context
from gonfalon.web.table.table_context import table_title

Handler = Callable[[Request], Awaitable[Response]]


class Wish(NamedTuple):
    """The position to play on from, and the settings."""

    at: float
    seat: Seat
    cards: str = ANEW
    opponent: str = ""
    """A level or a friend, as in the lobby; empty for the default."""


class Source(NamedTuple):
    """A finished game, its title, and the seat that a spectator takes."""

    record: Record
    title: str
    own: Seat


Find = Callable[[Request], Awaitable[Source]]


async def find_table_game(request: Request) -> Source:
    """Return the game of a table. Raises Secret before its end, OtherRules if it cannot be replayed."""
    table, who, _ = await at_table(request)
    return Source(await table.moves.record(), table_title(table), who.holds[0] if who.holds else 0)


async def find_annotated_game(request: Request) -> Source:
    """Return an annotated game. Raises Nothing."""
    noted = await find_noted(request)
    return Source(noted.record, noted.title, noted.seat)


def form_handler(find: Find) -> Handler:
    """Return a handler that shows the form for the game that `find` returns."""

    async def show(request: Request) -> Response:
        source, query = await find(request), request.query_params
        return await render_form(
            request, source, read_wish(source, query.get("at", ""), query.get("as", "")), None, 200
        )

    return show


def open_handler(find: Find) -> Handler:
    """Return a handler that opens the table and redirects to the player's seat, or shows the form with the reason for a
    refusal."""

    async def create(request: Request) -> Response:
        source, form = await find(request), await read_form(request)
        fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
        wish = read_wish(source, fields.get("at", ""), fields.get("seat", ""))
        wish = wish._replace(cards=fields.get("cards", ANEW), opponent=fields.get("opponent", ""))
        try:
            table, token = await open_played_on(request, source.record, wish)
        except (OptionError, TooMany) as error:
            return await render_form(request, source, wish, str(error), explain_error(error)[0])
        return redirect_to(request, table_path(table.key, token))

    return create


def read_wish(source: Source, at: str, eyes: str) -> Wish:
    """Return the position that an address or a form names. Raises Malformed."""
    mark, viewer = parse_mark(at), parse_viewer(eyes or "all", source.record.game.seats)
    if mark is None:
        raise Malformed(messages.PLACES_OF_DECISION)
    return Wish(mark, viewer if viewer >= 0 else source.own)


async def open_played_on(request: Request, record: Record, wish: Wish) -> tuple[Table, str]:
    """Return the new table, and the token of its opener. Raises OptionError, TooMany."""
    if wish.cards not in (ANEW, TRUE):
        raise OptionError(messages.CHOOSE_CARDS)
    server, tables = services_of(request), services_of(request).tables
    kind = server.kinds[record.game.name]
    seating = build_seating(
        wish, record.game.seats, preferences.read_preferences(request).name, f"bot:{bots.choose_default_level(kind())}"
    )
    await count_table(request)
    # From a seed that the player knew, the cards dealt again could be computed.
    rng = Rng(secrets.randbits(64))
    game = await run_sync(continue_record, record, wish.seat, wish.at, wish.cards, rng)
    table, tokens = await tables.open_table(game, seating, offers_hints("", kind, seating))
    return table, tokens[wish.seat]


def build_seating(wish: Wish, seats: int, name: str, usual: str) -> list[Seating]:
    """Return the seating; of several other players one is the friend. Raises OptionError."""
    other = parse_sitter(wish.opponent or usual, "")
    rest = parse_sitter(usual, "") if isinstance(other, Open) else other
    if not isinstance(rest, Robot):
        raise OptionError(messages.CHOOSE_BOT_OR_FRIEND)
    found: list[Seating] = [rest] * seats
    found[(wish.seat + 1) % seats] = other
    found[wish.seat] = Person(name)
    return found


async def render_form(request: Request, source: Source, wish: Wish, error: str | None, status: int) -> Response:
    """Return the form. Raises OptionError at the end of the game."""
    context = await run_sync(describe_position, source.record, wish)
    render, kind = services_of(request).render, services_of(request).kinds[source.record.game.name]
    likely = preferences.read_preferences(request).of(kind.name, "opponent")
    return render.page(
        "play_on.html",
        status,
        page_title=f"Play on: {source.title} · Gonfalon",
        table={"title": source.title},
        game=showcase_of(render, kind),
        error=error,
        chosen={"cards": wish.cards, "opponent": wish.opponent or likely},
        **context,
    )


def describe_position(record: Record, wish: Wish) -> Context:
    """Return the position for play_on.html, from the seat's own view."""
    game = record.game
    state = find_position(record, wish.seat, wish.at)
    if state.over:
        raise OptionError(OVER)
    view = state.mask(wish.seat)
    names = names_for(game, wish.seat, record.names)
    return {
        "number": next_decision(wish.at),
        "at": f"{wish.at:.10g}",
        "seat": wish.seat,
        "names": list(map(isolate, record.names)),
        "prompt": game.prompt(view, names),
        "text": game.text(view, names).strip("\n"),
        "replay_url": f"replay?at={wish.at:.10g}&as={wish.seat}",
    }


show, create = form_handler(find_table_game), open_handler(find_table_game)
show_annotated, create_annotated = form_handler(find_annotated_game), open_handler(find_annotated_game)
