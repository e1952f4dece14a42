"""Actions before the deal and after the end: sit down, be ready, leave, offer and answer a rematch. Each is a plain
form post."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gonfalon.core.basics.decks import DeckError, Decks
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.rules.state import Seat
from gonfalon.table import LinkHolder, Table
from gonfalon.table.errors import NoTable, Seated, Stale, Withdrawn
from gonfalon.table.links import WATCH
from gonfalon.table.live.tables import next_seat
from gonfalon.table.seats.names import clean_name
from gonfalon.table.seats.seat_choices import LOT
from gonfalon.web import messages
from gonfalon.web.http.forms import read_form, read_text, redirect_to
from gonfalon.web.http.rate_limits import REMATCHES
from gonfalon.web.shared import devices, preferences
from gonfalon.web.shared.context import at_table, services_of, table_path
from gonfalon.web.shared.deck_links import describe_faults, name_deck
from gonfalon.web.shared.failures import explain_error
from gonfalon.web.shared.game_info import first_game
from gonfalon.web.table.table_page import own_link, show_again, show_seat, show_table, show_waiting

LONGEST = 20_000
"""Maximum characters of a choice in a form: a deck file is longer than a name."""


async def sit_down(request: Request) -> Response:
    """Take the free seat, ready with the form's choice, and go there; or first to the game's lesson, not ready."""
    at, who, token = await at_table(request, used=True)
    form = await read_form(request)
    waits = at.gathering.waits
    try:
        brings = read_choices(form, at, who.seats[:1]) if waits and who.invited else {}
        # An invalid choice is refused before the seat is taken.
        for seat, wish in brings.items():
            if fault := at.gathering.find_fault(seat, wish):
                raise OptionError(fault)
        seat_token = await at.seats.take_seat(
            token, read_text(form, "nonce"), read_text(form, "name"), devices.read_device_key(request)
        )
    except (DeckError, OptionError) as error:
        return await show_seat(request, at, who, str(error), explain_error(error)[0])
    except Seated:
        if (own := await own_link(request, at)) is None:
            raise
        return redirect_to(request, own)
    lesson = first_game(services_of(request).kind(at.game.name)) if waits and read_text(form, "learn") else None
    if waits and lesson is None:
        seated = at.seats.find_holder(seat_token)
        with suppress(OptionError, Stale, Withdrawn):  # the page of the seat shows the state of the table
            await at.gathering.be_ready(seated, dict.fromkeys(seated.holds, next(iter(brings.values()), "")))
    response = redirect_to(request, lesson["url"] if lesson else table_path(at.key, seat_token))
    if lesson is not None:  # the lobby leads back to the seat
        await devices.remember_seat(request, response, at, seat_token)
    name = read_text(form, "name")
    if clean_name(name):
        preferences.store_preferences(request, response, preferences.read_preferences(request).called(name))
    return response


async def set_ready(request: Request) -> Response:
    """Be ready with the form's choice, or not ready after all."""
    at, who, token = await at_table(request)
    form = await read_form(request)
    brings: dict[Seat, str] = {}
    try:
        if read_text(form, "back"):
            await at.gathering.cancel_ready(who)
        else:
            brings = read_choices(form, at, who.holds)
            await at.gathering.be_ready(who, brings)
    except (DeckError, OptionError, Stale) as error:
        if at.gathering.waits:
            return await show_waiting(request, at, token, str(error), explain_error(error)[0])
        if read_text(form, "back") or any(at.row.seats[seat].brings != wish for seat, wish in brings.items()):
            return await show_table(request, at, token, error)
    return redirect_to(request, table_path(at.key, token))


async def leave_table(request: Request) -> Response:
    """Leave the table before the deal."""
    at, who, _ = await at_table(request)
    await at.gathering.leave(who)
    return redirect_to(request, table_path(at.key, WATCH))


def read_choices(form: FormData, at: Table, seats: Sequence[Seat]) -> dict[Seat, str]:
    """Return the choices of seats in a form: by name, or as a pasted deck. Raises DeckError, OptionError."""
    decks, found = at.game.decks(), {}
    for seat in seats:
        tail = f"-{seat}" if len(seats) > 1 else ""
        pasted, wish = read_text(form, f"code{tail}"), read_text(form, f"brings{tail}")
        pasted = (
            pasted if pasted.strip() or not wish.startswith("?") else wish
        )  # the link of a deck on the shelf of the browser
        if decks is not None and pasted.strip():
            found[seat] = parse_own_deck(decks, pasted)
        elif wish:
            found[seat] = wish
        if len(found.get(seat, "")) > LONGEST:
            raise OptionError(messages.CHOICE_TOO_LONG)
    return found


def parse_own_deck(decks: Decks, pasted: str) -> str:
    """Return the text that names a pasted deck. Raises DeckError, OptionError."""
    if pasted.strip() == LOT:
        return LOT
    deck = decks.read(pasted)
    if faults := decks.check(deck):
        raise OptionError(messages.DECK_NOT_LEGAL.format(fault=describe_faults(faults)))
    return name_deck(decks, deck)


# ---- rematches ------------------------------------------------------------------------------------


async def join_rematch(request: Request) -> Response:
    """Go to the player's seat at the rematch, which the first player to come offers to the others; or refuse it."""
    at, who, token = await at_table(request)
    here, device, form = services_of(request), devices.read_device_key(request), await read_form(request)
    wish = read_text(form, "wish")
    if wish == "no":
        with suppress(Stale, Withdrawn):  # the offer may be gone by now
            await here.tables.refuse(at, who)
        return redirect_to(request, table_path(at.key, token))
    # The key of a device is as secret and as constant as a nonce.
    nonce = read_text(form, "nonce") or device
    if not nonce and who.holds and at.position.over:
        return show_again(request, at, wish)
    if who.holds:
        await count_rematch(request, at)
    try:
        key, seat = await here.tables.rematch(at, who, token, nonce, device, swap=wish == "swap")
    except Seated:
        return redirect_to(request, await own_link_to_rematch(request, at, who))
    there = await here.tables.table(key)
    return redirect_to(request, table_path(there.key, seat))


async def count_rematch(request: Request, old: Table) -> None:
    """Count a rematch at the finished table if this request opens one; the address of the request is not charged.
    Raises TooMany."""
    here = services_of(request)
    if old.position.over and await here.tables.next_game(old) is None:
        # A chain of rematches shares one account, so that it cannot open tables without limit.
        here.limits.inherit(REMATCHES, old.row.rematch_of or "", old.key)
        here.limits.spend(REMATCHES, old.key)


async def own_link_to_rematch(request: Request, at: Table, who: LinkHolder) -> str:
    """Return the link of a player that took a seat at the rematch earlier. Raises Seated."""
    there = await services_of(request).tables.next_game(at)
    own = there and await own_link(request, there, {next_seat(at.game, seat) for seat in who.holds})
    if not own:
        raise Seated(messages.SEATED_BEFORE)
    return own


async def watch_rematch(request: Request) -> Response:
    """Watch the rematch. Raises NoTable."""
    at, _, _ = await at_table(request)
    there = await services_of(request).tables.next_game(at)
    if there is None:
        raise NoTable()
    return RedirectResponse(table_path(there.key, WATCH), 303)
