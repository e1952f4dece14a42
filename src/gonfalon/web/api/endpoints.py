"""The public API: the views and decisions of tables as JSON, for bots and other clients."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Final, TypeVar

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from gonfalon import bots
from gonfalon.bots.players.thoughts import told
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.play_on import played_on
from gonfalon.core.files.start_position import ANEW, TRUE
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import LinkHolder, Open, Person, Robot, Seating, Table
from gonfalon.table.errors import Closing, OtherRules, Stale, Withdrawn
from gonfalon.table.game.clock import pace_of
from gonfalon.table.links import WATCH, WATCHER, derive_invitation, hash_token, own_seat
from gonfalon.table.live.archive import thoughts_of
from gonfalon.table.live.table import Watch
from gonfalon.table.live.views import View
from gonfalon.web.api.openapi import (
    Acting,
    BackWish,
    BeingReady,
    NextSeat,
    OnceMore,
    Opened,
    Opening,
    OwnTable,
    PlayingOn,
    Saying,
    SeatTaken,
    SeatWish,
    Sharing,
    SittingDown,
    Standing,
    build_document,
)
from gonfalon.web.http.errors import Malformed
from gonfalon.web.http.forms import seat_of
from gonfalon.web.http.rate_limits import HINTS
from gonfalon.web.lobby.open_table import by_lot, count_table, make_game
from gonfalon.web.shared.context import (
    base_url,
    count_follower,
    counted_from_one,
    find_followed,
    old_table_at,
    services_of,
    table_path,
)
from gonfalon.web.table.gathering import LONGEST, count_rematch
from gonfalon.web.table.moves import LONGEST_NOTATION

T = TypeVar("T")
FIELDS: Final[dict[type, str]] = {
    str: "a text",
    int: "a whole number",
    list: "a list",
    dict: "an object",
    bool: "true or false",
}
KEEP_ALIVE: Final = 7.0
"""Seconds after which a silent stream sends an empty line, which shows both ends that it is alive."""


async def openapi(request: Request) -> Response:
    """The description of this API."""
    return JSONResponse(build_document(services_of(request).kinds.values()))


async def games(request: Request) -> Response:
    """The installed games with their options, and the levels of bots."""
    kinds = services_of(request).kinds
    found = [game | {"version": kinds[game["name"]].version} for game in services_of(request).render.games]
    for game in found:
        game["options"] = [
            {
                "name": o.name,
                "label": o.label,
                "help": o.help,
                "default": o.default,
                "choices": o.choices or None,
                "least": o.least,
                "most": o.most,
            }
            for o in kinds[game["name"]].options_spec
            if o.public
        ]
        guide = game.pop("guide_url")
        game["guide"] = base_url(request) + guide if guide else None
    return JSONResponse({"games": found, "bots": bots.list_levels()})


async def create(request: Request) -> Response:
    """Open a table. This response alone holds the tokens of its seats."""
    body = await read_json(request, Opening)
    kind = services_of(request).kinds.get(field(body, "game", str, ""))
    if kind is None:
        raise OptionError("Name one of the games of /api/games.")
    tables = services_of(request).tables
    options = by_lot(kind, field(body, "options", dict, {}))
    if "seats" in body and "seats" not in options and len(kind.seat_counts) > 1:
        options = options | {"seats": len(field(body, "seats", list))}
    game = make_game(tables, kind, options)
    wishes = field(body, "seats", list, ["me"] + ["open"] * (game.seats - 1))
    if len(wishes) != game.seats:
        raise OptionError(f"{game.title} needs {game.seats} seats, each me, open or bot:LEVEL.")
    seating = [sitter(wish, field(body, "name", str, "")) for wish in wishes]
    pace = pace_of(body.get("clock"))
    count_table(request)
    table, tokens = await tables.open_table(
        game,
        seating,
        field(body, "hints", bool, kind.hints),
        field(body, "ready", bool, True),
        field(body, "proved", bool, False),
        pace,
    )
    return opened(request, table, tokens)


async def tables(request: Request) -> Response:
    """Open a table, or list the tables of the bearer. (One route, so that both methods are described at one
    address.)"""
    return await (create(request) if request.method == "POST" else own_tables(request))


async def own_tables(request: Request) -> Response:
    """The tables at which the bearer's token holds a seat. Other tables are not listed, since their keys allow
    watching."""
    token = bearer(request)
    held = await anyio.to_thread.run_sync(services_of(request).tables.store.held, hash_token(token))
    base = base_url(request)
    found: list[OwnTable] = [
        {"table": key, "game": game, "seat": seat, "page": base + table_path(key, token)} for key, game, seat in held
    ]
    return JSONResponse({"tables": found})


async def play_on(request: Request) -> Response:
    """Open a table that continues from a position of a finished game. Raises Secret before its end."""
    old, _, _ = await at_table(request)
    body, here = await read_json(request, PlayingOn), services_of(request)
    record, seats = await old.moves.record(), old.game.seats
    wishes = field(body, "seats", list, ["me"] + ["open"] * (seats - 1))
    if len(wishes) != seats:
        raise OptionError(f"{old.game.title} needs {seats} seats, each me, open or bot:LEVEL.")
    seating = [sitter(wish, field(body, "name", str, "")) for wish in wishes]
    seat, at = field(body, "seat", int, wishes.index("me") if "me" in wishes else 0), field(body, "at", int)
    cards = field(body, "cards", str, ANEW)
    if not 0 <= seat < seats or at < 0 or cards not in (ANEW, TRUE):
        raise Malformed('"seat" is one of the game, "at" a number of decisions, and "cards" anew or true.')
    count_table(request)
    rng = Rng(secrets.randbits(64))
    game = await anyio.to_thread.run_sync(played_on, record, seat, at, cards, rng)
    hints = field(body, "hints", bool, old.game.hints)
    table, tokens = await here.tables.open_table(game, seating, hints, field(body, "ready", bool, True))
    return opened(request, table, tokens)


def opened(request: Request, table: Table, tokens: dict[int, str]) -> Response:
    """Return the response for a new table."""
    first = next(iter(tokens.values()), "")
    base = base_url(request)
    free = [(row.seat, derive_invitation(first, row.seat)) for row in table.current.free_seats()] if first else []
    answer: Opened = {
        "table": table.key,
        "watch": base + table_path(table.key, WATCH),
        "seats": [
            {"seat": seat, "token": token, "page": base + table_path(table.key, token)}
            for seat, token in tokens.items()
        ],
        "invitation": derive_invitation(first) if free else None,
        "invitations": [
            {"seat": seat, "invitation": link, "page": base + table_path(table.key, link)} for seat, link in free
        ],
    }
    return JSONResponse(answer, 201, {"location": f"/api/tables/{table.key}"})


def sitter(wish: object, name: str) -> Seating:
    """Return the player that a word of `seats` stands for. Raises OptionError."""
    if wish == "me":
        return Person(name)
    if wish == "open":
        return Open()
    if isinstance(wish, str) and wish.startswith("bot:"):
        return Robot(wish.removeprefix("bot:"))
    raise OptionError("A seat is me, open or bot:LEVEL.")


async def view(request: Request) -> Response:
    """The table as the owner of the token sees it."""
    try:
        # A program that comes again with its invitation looks first, then sits down as before.
        table, who, _ = await at_table(request, used=True)
    except OtherRules:
        old_table, who = await old_table_at(request, bearer(request))
        return JSONResponse(shortened(await anyio.to_thread.run_sync(old_table.shown, who.viewer), request))
    return JSONResponse(shortened(table.shown(who.viewer), request))


def shortened(shown: View, request: Request) -> View:
    """Return a view whose log begins with the requested line; in a long game the log is most of a view."""
    first = request.query_params.get("log", "0")
    if not (first.isascii() and first.isdigit() and len(first) < 7):
        raise Malformed('"log" is the number of the line with which the log begins.')
    return {**shown, "log": [line for line in shown["log"] if line["n"] >= int(first)]} if int(first) else shown


async def moment(request: Request) -> Response:
    """A moment between two decisions as the owner of the token sees it."""
    table, who, _ = await at_table(request)
    return JSONResponse(table.moment(who.viewer, counted_from_one(request.path_params["number"])))


async def words(request: Request) -> Response:
    """The table as text, as the owner of the token sees it."""
    table, who, _ = await at_table(request)
    return JSONResponse({"text": await anyio.to_thread.run_sync(table.words, who.viewer)})


async def company(request: Request) -> Response:
    """The people at the table now."""
    table, _, _ = await at_table(request)
    return JSONResponse(table.present())


async def say(request: Request) -> Response:
    """Show an emote to all viewers of the table."""
    table, who, _ = await at_table(request)
    await table.say(who, field(await read_json(request, Saying), "emote", str))
    return JSONResponse(table.present())


async def sit(request: Request) -> Response:
    """Take a free seat with an invitation. The same secret `nonce` gives the same seat again."""
    table, who, token = await at_table(request, used=True)
    body = await read_json(request, SittingDown)
    brings = field(body, "brings", str, "")
    wants = brings_of(body, 0) and table.gathering.waits and who.seats
    if wants and (fault := table.gathering.fault(who.seats[0], brings)):
        raise OptionError(fault)
    seat = await table.seats.sit(token, field(body, "nonce", str, ""), field(body, "name", str, ""))
    if table.gathering.waits and field(body, "ready", bool, True):
        with suppress(Stale, Withdrawn):  # the same request, sent again
            mine = table.seats.who(seat)
            await table.gathering.be_ready(mine, brings_of(body, mine.viewer))
    answer: SeatTaken = {
        "seat": table.seats.who(seat).viewer,
        "token": seat,
        "page": base_url(request) + table_path(table.key, seat),
    }
    return JSONResponse(answer, 201)


async def ready(request: Request) -> Response:
    """Be ready before the deal, or not ready after all."""
    table, who, _ = await at_table(request)
    body = await read_json(request, BeingReady)
    own_seat(who)
    if field(body, "ready", bool, True):
        await table.gathering.be_ready(who, brings_of(body, who.viewer))
    else:
        await table.gathering.take_back(who)
    return JSONResponse(table.shown(who.viewer))


async def share(request: Request) -> Response:
    """Before a proved deal, add the seat's closed share, or none; then open the share."""
    table, who, _ = await at_table(request)
    body = await read_json(request, Sharing)
    seat, attempt = own_seat(who), field(body, "attempt", int)
    if "opened" in body:
        await table.gathering.open_shares(who, attempt, {seat: field(body, "opened", str)})
    else:
        closed = None if body.get("closed") is None else field(body, "closed", str)
        await table.gathering.add_shares(who, attempt, {seat: closed})
    return JSONResponse(table.shown(who.viewer))


async def leave(request: Request) -> Response:
    """Leave the table before the deal."""
    table, who, _ = await at_table(request)
    await read_json(request)
    own_seat(who)
    await table.gathering.leave(who)
    return JSONResponse(table.shown(SPECTATOR))


def brings_of(body: dict[str, object], seat: int) -> dict[int, str]:
    """Return the choice of a seat in a program's request. Raises Malformed."""
    wish = field(body, "brings", str, "")
    if len(wish) > LONGEST:
        raise Malformed('"brings" is far too long.')
    return {seat: wish} if wish else {}


async def rematch(request: Request) -> Response:
    """Offer a rematch, or join the offered one."""
    table, who, token = await at_table(request)
    here, body = services_of(request), await read_json(request, OnceMore)
    own_seat(who)
    await count_rematch(request, table)
    key, seat = await here.tables.rematch(
        table,
        who,
        token,
        field(body, "nonce", str, ""),
        swap=field(body, "swap", bool, False),
        ready=field(body, "ready", bool, True),
    )
    there = await here.tables.table(key)
    answer: NextSeat = {
        "table": key,
        "seat": there.seats.who(seat).viewer,
        "token": seat,
        "page": base_url(request) + table_path(there.key, seat),
    }
    return JSONResponse(answer, 201, {"location": f"/api/tables/{key}"})


async def refuse(request: Request) -> Response:
    """Refuse the offered rematch."""
    table, who, _ = await at_table(request)
    await read_json(request)
    await services_of(request).tables.refuse(table, who)
    return JSONResponse(table.shown(who.viewer))


async def act(request: Request) -> Response:
    """Carry out actions, all or none, and return the table after them."""
    table, who, _ = await at_table(request)
    body = await read_json(request, Acting)
    expected = field(body, "expected", int)
    if field(body, "take_back", bool, False):
        await table.moves.take_back(who, expected)
    else:
        notations = field(body, "actions", list)
        if not all(isinstance(text, str) and len(text) <= LONGEST_NOTATION for text in notations):
            raise Malformed('"actions" is a list of the ids of legal actions.')
        await table.moves.act(who, expected, [table.game.parse(text) for text in notations])
    return JSONResponse(table.shown(who.viewer))


async def take_back(request: Request) -> Response:
    """Undo the seat's last decision, ask the others for a take-back, or answer such a request."""
    table, who, _ = await at_table(request)
    body = await read_json(request, BackWish)
    wish = field(body, "wish", str)
    if wish == "ask":
        await table.requests.ask(who, field(body, "expected", int))
    elif wish in ("agree", "refuse"):
        await table.requests.answer(who, field(body, "number", int), wish == "agree")
    else:
        raise Malformed('"wish" is ask, agree or refuse.')
    return JSONResponse(table.shown(who.viewer))


async def resign(request: Request) -> Response:
    """Resign."""
    table, who, _ = await at_table(request)
    await read_json(request)
    await table.seats.resign(who)
    return JSONResponse(table.shown(who.viewer))


async def seat(request: Request) -> Response:
    """Set the player of a seat: `bot` for a free seat or an absent player, `me` to take the own seat back, `nobody` to
    claim the win on time."""
    table, who, _ = await at_table(request)
    number = seat_of(request.path_params["seat"], table.game.seats)
    by = field(await read_json(request, SeatWish), "by", str)
    if by == "bot":
        await table.seats.give_to_bot(who, number)
    elif by == "nobody":
        await table.seats.claim_win(who, number)
    elif by == "me" and number == who.viewer:
        await table.seats.come_back(who)
    else:
        raise Malformed('"by" is bot, nobody, or me at your own seat.')
    return JSONResponse(table.shown(who.viewer))


async def answers(request: Request) -> Response:
    """Set the standing answer in the game's windows: always, able or never."""
    table, who, _ = await at_table(request)
    await table.seats.stand(who, field(await read_json(request, Standing), "answers", str))
    standing = table.seats.standing(who.viewer)
    return JSONResponse({"answers": standing})


async def hint(request: Request) -> Response:
    """The choice of a bot in the seat's place, from the seat's view."""
    table, who, token = await at_table(request)
    await read_json(request)
    services_of(request).limits.spend(HINTS, hash_token(token))
    await table.hints.advise(who)
    choice = table.hints.given(who.viewer)
    if choice is None:
        raise Stale("The table has changed meanwhile; look again, then ask.")
    return JSONResponse(told(table.game, table.view(who.viewer), choice, table.names))


async def thoughts(request: Request) -> Response:
    """The bots' thoughts about their decisions, after the end of the game."""
    try:
        table, _, _ = await at_table(request)
        kept, record = await table.bots.thoughts(), await table.moves.record()
        found = await anyio.to_thread.run_sync(lambda: list(thoughts_of(record, kept)))
    except OtherRules:
        old_table, _ = await old_table_at(request, bearer(request))
        found = old_table.kept.head["thoughts"]
    return JSONResponse({"thoughts": [{"decision": t["decision"], "seat": t["seat"], **t["told"]} for t in found]})


async def record(request: Request) -> Response:
    """The whole record, after the end of the game."""
    try:
        table, _, _ = await at_table(request)
        text = (await table.moves.record()).dumps()
    except OtherRules:
        old_table, _ = await old_table_at(request, bearer(request))
        text = old_table.record
    return Response(text, media_type="application/json")


async def stream(request: Request) -> Response:
    """A view per line (or event), at once and after each change, until the end of the game."""
    table, who, _ = await at_table(request)
    events = "text/event-stream" in request.headers.get("accept", "")
    kind = "text/event-stream" if events else "application/x-ndjson"
    with count_follower(request, table, who):
        pass  # it is refused before it begins
    company = request.query_params.get("company") == "yes"
    body = lines(
        table.watch(who.viewer), who.holds or (SPECTATOR,), events, count_follower(request, table, who), company
    )
    return StreamingResponse(body, media_type=kind, headers={"x-accel-buffering": "no"})


async def lines(
    watch: Watch,
    seats: Sequence[int],
    events: bool,
    counted: AbstractContextManager[None] | None = None,
    company: bool = False,
) -> AsyncGenerator[str, None]:
    """Return the text of a stream, as server-sent events or one JSON object per line, with presence if `company` is
    requested. The reader is present, and `counted`."""
    watch.table.presence.enter(seats)
    try:
        with suppress(Closing), counted or nullcontext():
            while True:
                shown, here = None, None
                with anyio.move_on_after(KEEP_ALIVE):
                    if company:
                        shown, here = await watch.anything()
                    else:
                        shown = await watch.changed()
                if shown is not None:
                    yield line("view", shown, events, f"id: {shown['version']}\n")
                    if shown["stage"] in ("over", "closed"):
                        return
                elif here is not None:
                    yield line("company", here if events else {"company": here}, events)
                else:
                    yield ": still here\n\n" if events else "\n"
    finally:
        watch.table.presence.leave(seats)


def line(event: str, what: object, events: bool, head: str = "") -> str:
    """Return a line of a stream, or an event with its header."""
    body = json.dumps(what, ensure_ascii=False, separators=(",", ":"))
    return f"{head}event: {event}\ndata: {body}\n\n" if events else body + "\n"


async def at_table(request: Request, used: bool = False) -> tuple[Table, LinkHolder, str]:
    """Return the table of the path, and the person that the bearer's token stands for: a spectator without one. `used`
    invitations are accepted only where players sit down."""
    token = bearer(request)
    table, who = await find_followed(request, request.path_params["key"], token, used)
    if who.shares:
        # A program has no curtain: it looks on.
        who = WATCHER
    table.presence.see(who.holds or (SPECTATOR,))
    return table, who, token


def bearer(request: Request) -> str:
    """Return the token of a request; a spectator's if there is none. Raises Malformed."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme and scheme.lower() != "bearer":
        raise Malformed("A seat's token comes as Authorization: Bearer TOKEN.")
    return token.strip() or WATCH


async def read_json(request: Request, form: type | None = None) -> dict[str, object]:
    """Return the body as an object with only the fields of a `form`. Raises Malformed."""
    try:
        body = json.loads(await request.body() or b"{}")
    except (ValueError, RecursionError):
        raise Malformed("The body is not JSON.") from None
    if not isinstance(body, dict):
        raise Malformed("The body must be a JSON object.")
    known = () if form is None else form.__annotations__
    if (unknown := next((name for name in body if name not in known), None)) is not None:
        there = f"the fields are {', '.join(known)}" if known else "this request has none"
        raise Malformed(f"There is no field {unknown[:40]!r}: {there}.")
    return body


def field(body: dict[str, object], name: str, kind: type[T], default: T | None = None) -> T:
    """Return a field of the body, checked for its type. Raises Malformed."""
    value = body.get(name, default)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Malformed(f'"{name}" must be {FIELDS[kind]}.')
    return value
