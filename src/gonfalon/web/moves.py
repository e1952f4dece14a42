"""What can be done: open a table, sit down, act, concede, play again. Every one is a plain form post."""

from __future__ import annotations

import secrets
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gonfalon.core.errors import NotationError, OptionError, Refusal
from gonfalon.core.game import Game
from gonfalon.core.state import Action
from gonfalon.table import Finished, Open, Person, Robot, Seating, Stale, Table
from gonfalon.web.failures import explain
from gonfalon.web.pages import show_lobby, show_table
from gonfalon.web.render import offered
from gonfalon.web.site import Malformed, at_table, path, site

LONGEST_NOTATION = 200


async def create(request: Request) -> Response:
    """Open a table and go to one's seat; the lobby again, with the reason, when that cannot be."""
    form = await read_form(request)
    here = site(request)
    fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
    try:
        kind = here.kinds.get(fields.pop("game", ""))
        if kind is None:
            raise OptionError("Choose one of the games.")
        table, token = await open_table(here.hall, kind, fields)
    except OptionError as error:
        if scripted(request):
            raise
        return await show_lobby(request, str(error), fields, explain(error)[0])
    return went(request, path(table, token))


async def open_table(hall: Any, kind: type[Game], fields: dict[str, str]) -> tuple[Table, str]:
    """A table from the lobby's fields; the opener's seat is counted first in lists like `factions.0`.

    Raises OptionError.
    """
    fields = {field: value for field, value in fields.items() if value}
    name, opponent = fields.pop("name", ""), fields.pop("opponent", "friend")
    wish = fields.pop("seat", "random")
    lists = sorted(field for field in fields if "." in field)
    spread: dict[str, list[str]] = {}
    for field in lists:
        spread.setdefault(field.partition(".")[0], []).append(fields.pop(field))
    game = make(hall, kind, fields | spread)
    mine = secrets.randbelow(game.seats) if wish == "random" else seat_number(wish, game)
    if mine:
        turned = {option: values[-mine:] + values[:-mine] for option, values in spread.items()}
        game = make(hall, kind, fields | turned)
    other: Seating
    level = opponent.removeprefix("bot:")
    if opponent == "friend":
        other = Open()
    elif opponent != level:
        other = Robot(level)
    else:
        raise OptionError("Choose an opponent: a bot or a friend.")
    seating = [Person(name) if seat == mine else other for seat in range(game.seats)]
    table, tokens = await hall.open_table(game, seating)
    return table, tokens[mine]


def make(hall: Any, kind: type[Game], options: dict[str, Any]) -> Game:
    """A game from what a form or a program sent: only its public options. Raises OptionError."""
    public = {option.name for option in kind.options_spec if offered(option)}
    for option in options:
        if option not in public:
            raise OptionError(f"{kind.title} has no option {option[:40]!r} here.")
    game: Game = hall.find(kind.name, **options)
    return game


def seat_number(text: str, game: Game) -> int:
    """The seat of a form. Raises OptionError."""
    if not (text.isascii() and text.isdigit() and len(text) < 3 and int(text) < game.seats):
        raise OptionError(f"{game.title} has the seats 0 to {game.seats - 1}.")
    return int(text)


async def sit(request: Request) -> Response:
    """Take the free seat and go there."""
    at, _, token = await at_table(request)
    form = await read_form(request)
    seat = await at.sit(token, request.query_params.get("nonce", "")[:40], text(form, "name"))
    return went(request, path(at, seat))


async def act(request: Request) -> Response:
    """A seat's answer to what it is asked; several actions are done all or none.

    Without script a refusal shows on the page of the table itself.
    """
    at, who, token = await at_table(request)
    form = await read_form(request)
    try:
        expected = number(form, "expected")
        if form.get("back"):
            await at.take_back(who, expected)
        else:
            await at.act(who, expected, actions_of(form, at.game))
    except (Refusal, Stale, Finished, NotationError) as error:
        if scripted(request):
            raise
        status, _, _, sentence = explain(error)
        return show_table(request, at, token, sentence, status)
    return went(request, path(at, token))


def actions_of(form: FormData, game: Game) -> list[Action]:
    """The actions of a page's form: `act` fields in ascending order, then `then`; or `part1` and
    `part2`, which together are one action's notation. Raises NotationError."""
    texts = [value for value in form.getlist("act") if isinstance(value, str)]
    last = text(form, "then")
    joined = text(form, "part1") + text(form, "part2")
    for notation in (*texts, last, joined):
        if len(notation) > LONGEST_NOTATION:
            raise NotationError("This is no action; it is far too long.")
    actions = sorted(game.parse(notation) for notation in texts)
    return actions + [game.parse(notation) for notation in (last, joined) if notation]


async def concede(request: Request) -> Response:
    """Give up."""
    at, who, token = await at_table(request)
    await at.resign(who)
    return went(request, path(at, token))


async def rematch(request: Request) -> Response:
    """Go to one's seat at the table of the rematch; whoever comes first opens it."""
    at, who, token = await at_table(request)
    key, seat = await at.rematch(who, token)
    return went(request, path(await site(request).hall.table(key), seat))


# ---- reading and answering ------------------------------------------------------------------------


async def read_form(request: Request) -> FormData:
    """The form that was posted. Raises Malformed."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("", "application/x-www-form-urlencoded", "multipart/form-data"):
        raise Malformed("A form is expected here.")
    return await request.form(max_files=0, max_fields=200)


def text(form: FormData, name: str) -> str:
    """A field as text, empty when it is missing."""
    value = form.get(name, "")
    return value if isinstance(value, str) else ""


def number(form: FormData, name: str) -> int:
    """A field as a number. Raises Malformed."""
    value = text(form, name)
    if not (value.isascii() and value.isdigit() and len(value) < 10):
        raise Malformed("The form does not say which state of the table it answers; load the page again.")
    return int(value)


def scripted(request: Request) -> bool:
    """Whether our own script sent this; it shows a refusal in place, and gets news by its socket."""
    return request.headers.get("x-live") == "1"


def went(request: Request, url: str) -> Response:
    """Done: the browser goes to a page; the script is told where that would have been."""
    if scripted(request):
        return Response(status_code=204, headers={"location": url})
    return RedirectResponse(url, 303)
