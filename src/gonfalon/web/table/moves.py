"""Actions at a running table: act, undo, resign, and others. Each is a plain form post."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from gonfalon.core.basics.errors import NotationError, Refusal
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action
from gonfalon.core.text.english import many
from gonfalon.table import LinkHolder, Table
from gonfalon.table.errors import Finished, Hasty, Late, NoChoice, Secret, Stale
from gonfalon.table.links import hash_token
from gonfalon.web import messages
from gonfalon.web.http.errors import Malformed, Nothing
from gonfalon.web.http.forms import is_scripted, parse_seat, read_form, read_number, read_text, redirect_to
from gonfalon.web.http.rate_limits import HINTS, TooMany
from gonfalon.web.shared import preferences
from gonfalon.web.shared.context import at_table, services_of, table_path
from gonfalon.web.table.table_page import show_table

LONGEST_NOTATION = 200


async def apply_actions(request: Request) -> Response:
    """Apply a seat's answer to its question: several actions, all or none.

    Without script a refusal is shown on the page of the table itself.
    """
    at, who, token = await at_table(request)
    form = await read_form(request)
    try:
        expected = read_number(form, "expected")
        check_screen(form, who)
        if form.get("back"):
            await at.moves.undo(who, expected)
        else:
            actions = parse_actions(form, at.game)
            # On an outdated page the actions stay as sent: `act` recognizes a repetition, or refuses them.
            if expected == at.position.version(who.viewer):
                actions = at.game.arranged(at.position.view(who.viewer), actions)
            await at.moves.act(who, expected, actions)
            if wish := read_text(form, "answers"):  # the same answer from here on
                await at.seats.set_standing_answer(who, wish)
    except (Refusal, Stale, Finished, NotationError) as error:
        return await show_refusal(request, at, token, error)
    return finish_request(request, at, token)


async def show_refusal(request: Request, at: Table, token: str, error: Exception) -> Response:
    """Return the page of the table with the reason, which our own script shows in place."""
    if is_scripted(request):
        raise error
    return await show_table(request, at, token, error)


async def request_undo(request: Request) -> Response:
    """Ask the others for an undo of the seat's last decision, or answer such a request."""
    at, who, token = await at_table(request)
    form = await read_form(request)
    try:
        if (wish := read_text(form, "wish")) == "ask":
            check_screen(form, who)
            await at.requests.ask(who, read_number(form, "expected"))
        elif wish in ("agree", "refuse"):
            await at.requests.answer(who, read_number(form, "number"), wish == "agree")
        else:
            raise Malformed(messages.UNDO_WISHES)
    except (Refusal, Stale, Finished) as error:
        return await show_refusal(request, at, token, error)
    return finish_request(request, at, token)


def parse_actions(form: FormData, game: Game) -> list[Action]:
    """Return the actions of a page's form.

    The fields are `first`, `at`, `aim` and `act` in ascending order, then `then`; or `part1` and `part2`, which
    together are one notation (`part1` alone is a lifted card and no answer). `first` may limit the number of `act`
    fields (`guan-yu 4`), so that none is taken for something else. Raises NotationError, Refusal.
    """
    texts, aims = ([value for value in form.getlist(name) if isinstance(value, str)] for name in ("act", "aim"))
    first, _, most = read_text(form, "first").partition(" ")
    if most.isdecimal() and len(texts) > int(most):
        raise Refusal(messages.TOO_MANY_CARDS.format(cards=many(len(texts), "card"), cost=most))
    opening = [first, read_text(form, "at")]
    closing = [read_text(form, "then"), read_text(form, "part1") + read_text(form, "part2") if "part2" in form else ""]
    for notation in (*opening, *aims, *texts, *closing):
        if len(notation) > LONGEST_NOTATION:
            raise NotationError(messages.ACTION_TOO_LONG)
    actions = [action for some in (aims, texts) for action in sorted(game.parse(notation) for notation in some)]
    before, after = ([game.parse(notation) for notation in some if notation] for some in (opening, closing))
    return before + actions + after


async def give_hint(request: Request) -> Response:
    """Compute a hint, which the page then shows."""
    at, who, token = await at_table(request)
    form = await read_form(request)
    try:
        if read_number(form, "expected") != at.position.version(who.viewer):
            raise Stale(messages.TABLE_CHANGED)
        check_screen(form, who)
        services_of(request).limits.spend(HINTS, hash_token(token))
        await at.hints.advise(who)
    except (Refusal, Stale, Secret, Late, TooMany) as error:
        return await show_refusal(request, at, token, error)
    return finish_request(request, at, token)


def check_screen(form: FormData, who: LinkHolder) -> None:
    """Check that a form of a shared device was sent by the person at its screen.

    Raises:
        Stale: the form is from another person's page.
    """
    if who.shares and read_text(form, "seat") != str(who.viewer):
        raise Stale(messages.OTHER_PERSON)


async def resign(request: Request) -> Response:
    """Resign."""
    at, who, token = await at_table(request)
    check_screen(await read_form(request), who)
    await at.seats.resign(who)
    return finish_request(request, at, token)


async def reclaim_seat(request: Request) -> Response:
    """Take the player's seat back from its bot."""
    at, who, token = await at_table(request)
    check_screen(await read_form(request), who)
    await at.seats.reclaim_seat(who)
    return finish_request(request, at, token)


async def switch_screen(request: Request) -> Response:
    """At a shared device, lift the curtain for a seat, or lower it."""
    at, who, token = await at_table(request)
    if not who.shares:
        raise Nothing(messages.NO_CURTAIN)
    wish = read_text(await read_form(request), "seat")
    await at.seats.move_curtain(token, parse_seat(wish, at.game.seats) if wish else None)
    return finish_request(request, at, token)


async def store_tips(request: Request) -> Response:
    """Store on the visitor's device whether prompts show tips."""
    at, _, token = await at_table(request)
    wish = read_text(await read_form(request), "tips")
    if wish not in ("on", "off"):
        raise Malformed(messages.TIPS_ON_OR_OFF)
    response = finish_request(request, at, token)
    preferences.store_preferences(request, response, preferences.read_preferences(request).with_tips(wish))
    return response


async def send_emote(request: Request) -> Response:
    """Send an emote."""
    at, who, token = await at_table(request)
    form = await read_form(request)
    check_screen(form, who)
    try:
        await at.say(who, read_text(form, "emote"))
    except (Hasty, NoChoice) as error:
        return await show_refusal(request, at, token, error)
    return finish_request(request, at, token)


async def set_standing_answer(request: Request) -> Response:
    """Set the standing answer."""
    at, who, token = await at_table(request)
    form = await read_form(request)
    check_screen(form, who)
    await at.seats.set_standing_answer(who, read_text(form, "answers"))
    return finish_request(request, at, token)


async def give_to_bot(request: Request) -> Response:
    """Let a bot play at a free seat, or for an absent player."""
    at, who, token = await at_table(request)
    await at.seats.give_to_bot(who, parse_seat(request.path_params["seat"], at.game.seats))
    return finish_request(request, at, token)


async def claim_win(request: Request) -> Response:
    """Claim the win over a player whose time is up."""
    at, who, token = await at_table(request)
    await at.seats.claim_win(who, parse_seat(request.path_params["seat"], at.game.seats))
    return finish_request(request, at, token)


# ---- reading and answering ------------------------------------------------------------------------


def finish_request(request: Request, at: Table, token: str) -> Response:
    """Redirect the browser to its table. Our script gets the version of the page that it will receive."""
    response = redirect_to(request, table_path(at.key, token))
    response.headers["x-version"] = str(at.position.version(at.seats.find_holder(token).viewer))
    return response
