"""Playing on from any position of a finished game: the page that asks how, and the table that it opens.

Whoever may see the replay may see all of it, so they may take any seat, and the true cards. Dealt anew, the new table
is made of the seat's view alone (`core/play_on.py`).
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import Response

from gonfalon import bots
from gonfalon.core.begun import ANEW, TRUE
from gonfalon.core.errors import OptionError
from gonfalon.core.game import names_for
from gonfalon.core.play_on import OVER, played_on, position_of
from gonfalon.core.record import Record
from gonfalon.core.rng import Rng
from gonfalon.core.state import Seat
from gonfalon.table import LinkHolder, Open, Person, Robot, Seating, Table
from gonfalon.table.seats import WATCH
from gonfalon.web import likes
from gonfalon.web.context import Malformed, at_table, give, path, services
from gonfalon.web.failures import explain
from gonfalon.web.limits import TABLES, TooMany, client_of
from gonfalon.web.moves import read_form, went
from gonfalon.web.open_table import USUAL_GRACE, sitter
from gonfalon.web.render import Context, title
from gonfalon.web.replay import mark_of, viewer_of
from gonfalon.web.showcase import showcase_of


class Wish(NamedTuple):
    """From where somebody wants to play on, and how."""

    at: float
    seat: Seat
    cards: str = ANEW
    opponent: str = ""
    """A level or a friend, as the lobby names them; as usual when empty."""


async def show(request: Request) -> Response:
    """What can be chosen. Raises Secret while the game goes on, OtherRules where it cannot be replayed."""
    table, who, _ = await at_table(request)
    record = await table.moves.record()
    query = request.query_params
    wish = wish_of(table, who, query.get("at", ""), query.get("as", ""))
    return await page(request, table, record, wish, None, 200)


async def create(request: Request) -> Response:
    """Open the table and go to one's seat; the page again, with the reason, when that cannot be."""
    old, who, _ = await at_table(request)
    record = await old.moves.record()
    form = await read_form(request)
    fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
    wish = wish_of(old, who, fields.get("at", ""), fields.get("seat", ""))
    wish = wish._replace(cards=fields.get("cards", ANEW), opponent=fields.get("opponent", ""))
    try:
        table, token = await opened(request, record, wish)
    except (OptionError, TooMany) as error:
        return await page(request, old, record, wish, str(error), explain(error)[0])
    return went(request, path(table, token))


def wish_of(table: Table, who: LinkHolder, at: str, eyes: str) -> Wish:
    """The position that an address or a form names: for eyes that are no seat's, from the link's own seat. Raises
    Malformed."""
    mark, viewer = mark_of(at), viewer_of(eyes or "all", table.game.seats)
    if mark is None:
        raise Malformed("Say from which step to play on, at=0 and so on.")
    own = who.holds[0] if who.holds else 0
    return Wish(mark, viewer if viewer >= 0 else own)


async def opened(request: Request, record: Record, wish: Wish) -> tuple[Table, str]:
    """The new table, and the token of whoever opened it. Raises OptionError, TooMany."""
    if wish.cards not in (ANEW, TRUE):
        raise OptionError("Choose what becomes of the unseen cards: dealt anew, or as they lay.")
    server, tables = services(request), services(request).tables
    kind = server.kinds[record.game.name]
    seating = seated(wish, record.game.seats, likes.read(request).name, f"bot:{bots.usual(kind())}")
    server.limits.spend(TABLES, client_of(request))
    rng = Rng(secrets.randbits(64))
    game = await run_sync(played_on, record, wish.seat, wish.at, wish.cards, rng)
    table, tokens = await tables.open_table(game, seating, kind.hints, grace=USUAL_GRACE)
    give(request, table, WATCH, tokens[wish.seat])
    return table, tokens[wish.seat]


def seated(wish: Wish, seats: int, name: str, usual: str) -> list[Seating]:
    """Who sits where; of several others one is the friend. Raises OptionError."""
    other = sitter(wish.opponent or usual, "")
    rest = sitter(usual, "") if isinstance(other, Open) else other
    if not isinstance(rest, Robot):
        raise OptionError("Choose who else plays: a bot, or a friend.")
    found: list[Seating] = [rest] * seats
    found[(wish.seat + 1) % seats] = other
    found[wish.seat] = Person(name)
    return found


async def page(request: Request, table: Table, record: Record, wish: Wish, error: str | None, status: int) -> Response:
    """The page that asks. Raises OptionError where the game is over."""
    context = await run_sync(asked, record, wish)
    render, kind = services(request).render, services(request).kinds[table.game.name]
    likely = likes.read(request).of(kind.name, "opponent")
    return render.page(
        "play_on.html",
        status,
        page_title=f"Play on: {title(table)} · Gonfalon",
        table={"title": title(table)},
        game=showcase_of(render, kind),
        error=error,
        chosen={"cards": wish.cards, "opponent": wish.opponent or likely},
        **context,
    )


def asked(record: Record, wish: Wish) -> Context:
    """What play_on.html tells of the position, from the seat's own view."""
    game = record.game
    step, state = position_of(record, wish.seat, wish.at)
    if state.over:
        raise OptionError(OVER)
    view = state.mask(wish.seat)
    names = names_for(game, wish.seat, record.names)
    return {
        "step": step,
        "at": f"{wish.at:.10g}",
        "seat": wish.seat,
        "names": record.names,
        "prompt": game.prompt(view, names),
        "text": game.text(view, names).strip("\n"),
        "replay_url": f"replay?at={wish.at:.10g}&as={wish.seat}",
    }
