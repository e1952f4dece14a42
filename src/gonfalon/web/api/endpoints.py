"""The public API: the views and decisions of tables as JSON, for bots and other clients."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Final, cast

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse

from gonfalon import bots
from gonfalon.bots.players.thoughts import told
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.play_on import continue_record
from gonfalon.core.files.record import parse_body
from gonfalon.core.files.record_text import write_record_text
from gonfalon.core.files.start_position import ANEW, TRUE
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import LinkHolder, Open, Person, Seating, Table
from gonfalon.table.errors import Closing, OtherRules, Stale, Withdrawn
from gonfalon.table.game.clock import load_pace, parse_pace
from gonfalon.table.links import WATCH, WATCHER, derive_invitation, hash_token, require_seat
from gonfalon.table.live.archive import describe_thoughts
from gonfalon.table.live.table import Watch
from gonfalon.table.live.views import PaceShown, View
from gonfalon.table.seats.open_seats import MAX_WAIT_S, Offer
from gonfalon.web import messages
from gonfalon.web.api.bodies import read_field, read_json, read_kind
from gonfalon.web.api.card_sets import read_cards
from gonfalon.web.api.openapi import (
    Acting,
    BackWish,
    BeingReady,
    NextSeat,
    OnceMore,
    Opened,
    Opening,
    OpenTable,
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
from gonfalon.web.http.forms import parse_seat
from gonfalon.web.http.rate_limits import HINTS, SITTING, client_of
from gonfalon.web.lobby.lobby import PROGRAM
from gonfalon.web.lobby.offers import find_house_rules, list_tables
from gonfalon.web.lobby.open_table import count_table, draw_random_choices, invite_programs, make_game, parse_sitter
from gonfalon.web.lobby.opponents import find_table
from gonfalon.web.shared.context import (
    BANNED,
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

KEEP_ALIVE: Final = 7.0
"""Seconds after which a silent stream sends an empty line, which shows both ends that it is alive."""


async def describe_api(request: Request) -> Response:
    """Return the description of this API."""
    return JSONResponse(build_document(services_of(request).kinds.values()))


async def list_games(request: Request) -> Response:
    """Return the installed games with their options, and the levels of bots."""
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


async def create_table(request: Request) -> Response:
    """Open a table. This response alone holds the tokens of its seats."""
    body = await read_json(request, Opening)
    kind = read_kind(request, body)
    tables = services_of(request).tables
    cards = await read_cards(request, kind, body)
    options = draw_random_choices(tables.new_game(kind.name, cards), read_field(body, "options", dict, {}))
    # The list of seats also gives their number, unless an option names it.
    if "seats" in body and "seats" not in options and len(kind.seat_counts) > 1:
        options = options | {"seats": len(read_field(body, "seats", list))}
    game = make_game(tables, kind, options, cards)
    _, seating = read_seating(body, game)
    pace = parse_pace(body.get("clock"))
    seating = await invite_programs(request, seating, game, pace)
    offer = read_offer(body)
    await count_table(request, offer)
    table, tokens = await tables.open_table(
        game,
        seating,
        read_field(body, "hints", bool, kind.hints),
        read_field(body, "ready", bool, True),
        read_field(body, "proved", bool, False),
        pace,
        offer,
    )
    return build_opened(request, table, tokens)


def read_offer(body: dict[str, object]) -> Offer | None:
    """Return how a table is listed; None for a table by invitation only. Raises Malformed."""
    bot = read_field(body, "bot", dict, {})
    if not read_field(body, "listed", bool, False):
        return None
    if not bot:
        return Offer()
    after = read_field(bot, "after", int)
    if not 1 <= after <= MAX_WAIT_S:
        raise Malformed(messages.API_BOT_AFTER)
    return Offer(float(after), read_field(bot, "level", str))


async def list_open_tables(request: Request) -> Response:
    """Return the listed tables with a free seat."""
    return JSONResponse({"tables": [describe_open_table(table) for table in await list_tables(services_of(request))]})


def describe_open_table(table: Table) -> OpenTable:
    """Return a listed table, without its key."""
    rows, free, pace = table.row.seats, table.current.free_seats(), load_pace(table.row.clock)
    return {
        "id": table.row.offer or "",
        "game": table.game.name,
        "options": find_house_rules(table.game),
        "cards": table.facts.cards,
        "clock": None if pace is None else cast(PaceShown, pace.to_json()),
        "players": [row.name for row in rows if row not in free],
        "seats": len(rows),
        "free": len(free),
        "opened": table.row.opened,
    }


async def take_offered_seat(request: Request) -> Response:
    """Take a free seat of a listed table. The same secret `nonce` gives the same seat again."""
    body = await read_json(request, SittingDown)
    table = await find_table(request)
    services_of(request).limits.spend(SITTING, client_of(request))
    free, wish = [row.seat for row in table.current.free_seats()], brings_of(body, 0).get(0, "")
    # An invalid choice is refused before a seat is taken for it.
    if free and wish and (fault := table.gathering.find_fault(free[0], wish)):
        raise OptionError(fault)
    seat = await table.seats.take_offered_seat(read_field(body, "nonce", str, ""), read_field(body, "name", str, ""))
    mine = table.seats.find_holder(seat)
    if read_field(body, "ready", bool, True):
        with suppress(Stale, Withdrawn):  # the same request, sent again
            await table.gathering.be_ready(mine, brings_of(body, mine.viewer))
    answer: NextSeat = {
        "table": table.key,
        "seat": mine.viewer,
        "token": seat,
        "page": base_url(request) + table_path(table.key, seat),
    }
    return JSONResponse(answer, 201)


async def handle_tables(request: Request) -> Response:
    """Open a table, or list the tables of the bearer. (One route, so that both methods are described at one
    address.)"""
    return await (create_table(request) if request.method == "POST" else list_own_tables(request))


async def list_own_tables(request: Request) -> Response:
    """Return the tables at which the bearer's token holds a seat. Other tables are not listed, since their keys allow
    watching."""
    token = read_token(request)
    held = await anyio.to_thread.run_sync(services_of(request).tables.store.held, hash_token(token))
    base = base_url(request)
    found: list[OwnTable] = [
        {"table": key, "game": game, "seat": seat, "page": base + table_path(key, token)} for key, game, seat in held
    ]
    return JSONResponse({"tables": found})


async def open_played_on(request: Request) -> Response:
    """Open a table that continues from a position of a finished game. Raises Secret before its end."""
    old, _, _ = await at_table(request)
    body, here = await read_json(request, PlayingOn), services_of(request)
    record, seats = await old.moves.record(), old.game.seats
    wishes, seating = read_seating(body, old.game)
    seat, at = read_field(body, "seat", int, wishes.index("me") if "me" in wishes else 0), read_field(body, "at", int)
    cards = read_field(body, "cards", str, ANEW)
    if not 0 <= seat < seats or at < 0 or cards not in (ANEW, TRUE):
        raise Malformed(messages.API_PLAY_ON)
    await count_table(request)
    # From a seed that a client knew, the hidden cards could be computed.
    rng = Rng(secrets.randbits(64))
    game = await anyio.to_thread.run_sync(continue_record, record, seat, at, cards, rng)
    seating = await invite_programs(request, seating, game, None)
    hints = read_field(body, "hints", bool, old.game.hints)
    table, tokens = await here.tables.open_table(game, seating, hints, read_field(body, "ready", bool, True))
    return build_opened(request, table, tokens)


def build_opened(request: Request, table: Table, tokens: dict[int, str]) -> Response:
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


def read_seating(body: dict[str, object], game: Game) -> tuple[list[object], list[Seating]]:
    """Return the words of `seats` and the players that they stand for. Raises Malformed, OptionError."""
    usual: list[object] = ["me", *["open"] * (game.seats - 1)]
    wishes = read_field(body, "seats", list, usual)
    if len(wishes) != game.seats:
        raise OptionError(messages.API_SEATS.format(game=game.title, seats=game.seats))
    return wishes, [parse_seating(wish, read_field(body, "name", str, "")) for wish in wishes]


def parse_seating(wish: object, name: str) -> Seating:
    """Return the player that a word of `seats` stands for. Raises OptionError."""
    if wish == "me":
        return Person(name)
    if wish == "open":
        return Open()
    if isinstance(wish, str) and wish.startswith(("bot:", PROGRAM)):
        return parse_sitter(wish, "")
    raise OptionError(messages.API_SEAT)


async def show_view(request: Request) -> Response:
    """Return the table as the owner of the token sees it."""
    try:
        # A program may return with a used invitation: it looks first, then repeats its request for the seat.
        table, who, _ = await at_table(request, used=True)
    except OtherRules:
        old_table, who = await old_table_at(request, read_token(request))
        return JSONResponse(shorten_log(await anyio.to_thread.run_sync(old_table.build_view, who.viewer), request))
    return JSONResponse(shorten_log(table.build_view(who.viewer), request))


def shorten_log(shown: View, request: Request) -> View:
    """Return a view whose log begins with the requested line; in a long game the log is most of a view."""
    first = request.query_params.get("log", "0")
    if not (first.isascii() and first.isdigit() and len(first) < 7):
        raise Malformed(messages.API_LOG)
    return {**shown, "log": [line for line in shown["log"] if line["n"] >= int(first)]} if int(first) else shown


async def show_moment(request: Request) -> Response:
    """Return a moment between two decisions as the owner of the token sees it."""
    table, who, _ = await at_table(request)
    return JSONResponse(table.moment(who.viewer, counted_from_one(request.path_params["number"])))


async def show_text(request: Request) -> Response:
    """Return the table as text, as the owner of the token sees it."""
    table, who, _ = await at_table(request)
    return JSONResponse({"text": await anyio.to_thread.run_sync(table.describe, who.viewer)})


async def show_presence(request: Request) -> Response:
    """Return the presence of people at the table."""
    table, _, _ = await at_table(request)
    return JSONResponse(table.list_present())


async def send_emote(request: Request) -> Response:
    """Show an emote to all viewers of the table."""
    table, who, _ = await at_table(request)
    await table.say(who, read_field(await read_json(request, Saying), "emote", str))
    return JSONResponse(table.list_present())


async def take_seat(request: Request) -> Response:
    """Take a free seat with an invitation. The same secret `nonce` gives the same seat again."""
    table, who, token = await at_table(request, used=True)
    body = await read_json(request, SittingDown)
    brings = read_field(body, "brings", str, "")
    wants = brings_of(body, 0) and table.gathering.waits and who.seats
    # An invalid choice is refused before a seat is taken for it.
    if wants and (fault := table.gathering.find_fault(who.seats[0], brings)):
        raise OptionError(fault)
    seat = await table.seats.take_seat(token, read_field(body, "nonce", str, ""), read_field(body, "name", str, ""))
    if table.gathering.waits and read_field(body, "ready", bool, True):
        with suppress(Stale, Withdrawn):  # the same request, sent again
            mine = table.seats.find_holder(seat)
            await table.gathering.be_ready(mine, brings_of(body, mine.viewer))
    answer: SeatTaken = {
        "seat": table.seats.find_holder(seat).viewer,
        "token": seat,
        "page": base_url(request) + table_path(table.key, seat),
    }
    return JSONResponse(answer, 201)


async def set_ready(request: Request) -> Response:
    """Be ready before the deal, or not ready after all."""
    table, who, _ = await at_table(request)
    body = await read_json(request, BeingReady)
    require_seat(who)
    if read_field(body, "ready", bool, True):
        await table.gathering.be_ready(who, brings_of(body, who.viewer))
    else:
        await table.gathering.cancel_ready(who)
    return JSONResponse(table.build_view(who.viewer))


async def add_share(request: Request) -> Response:
    """Before a proved deal, add the seat's closed share, or none; then open the share."""
    table, who, _ = await at_table(request)
    body = await read_json(request, Sharing)
    seat, attempt = require_seat(who), read_field(body, "attempt", int)
    if "opened" in body:
        await table.gathering.open_shares(who, attempt, {seat: read_field(body, "opened", str)})
    else:
        closed = None if body.get("closed") is None else read_field(body, "closed", str)
        await table.gathering.add_shares(who, attempt, {seat: closed})
    return JSONResponse(table.build_view(who.viewer))


async def leave_table(request: Request) -> Response:
    """Leave the table before the deal."""
    table, who, _ = await at_table(request)
    await read_json(request)
    require_seat(who)
    await table.gathering.leave(who)
    # The link holds no seat any more.
    return JSONResponse(table.build_view(SPECTATOR))


def brings_of(body: dict[str, object], seat: int) -> dict[int, str]:
    """Return the choice of a seat in a program's request. Raises Malformed."""
    wish = read_field(body, "brings", str, "")
    if len(wish) > LONGEST:
        raise Malformed(messages.API_BRINGS_TOO_LONG)
    return {seat: wish} if wish else {}


async def join_rematch(request: Request) -> Response:
    """Offer a rematch, or join the offered one."""
    table, who, token = await at_table(request)
    here, body = services_of(request), await read_json(request, OnceMore)
    require_seat(who)
    await count_rematch(request, table)
    key, seat = await here.tables.rematch(
        table,
        who,
        token,
        read_field(body, "nonce", str, ""),
        swap=read_field(body, "swap", bool, False),
        ready=read_field(body, "ready", bool, True),
    )
    there = await here.tables.table(key)
    answer: NextSeat = {
        "table": key,
        "seat": there.seats.find_holder(seat).viewer,
        "token": seat,
        "page": base_url(request) + table_path(there.key, seat),
    }
    return JSONResponse(answer, 201, {"location": f"/api/tables/{key}"})


async def refuse_rematch(request: Request) -> Response:
    """Refuse the offered rematch."""
    table, who, _ = await at_table(request)
    await read_json(request)
    await services_of(request).tables.refuse(table, who)
    return JSONResponse(table.build_view(who.viewer))


async def apply_actions(request: Request) -> Response:
    """Carry out actions, all or none, and return the table after them."""
    table, who, _ = await at_table(request)
    body = await read_json(request, Acting)
    expected = read_field(body, "expected", int)
    if read_field(body, "take_back", bool, False):
        await table.moves.undo(who, expected)
    else:
        notations = read_field(body, "actions", list)
        if not all(isinstance(text, str) and len(text) <= LONGEST_NOTATION for text in notations):
            raise Malformed(messages.API_ACTIONS)
        await table.moves.act(who, expected, [table.game.parse(text) for text in notations])
    return JSONResponse(table.build_view(who.viewer))


async def request_undo(request: Request) -> Response:
    """Ask the others for an undo of the seat's last decision, or answer such a request."""
    table, who, _ = await at_table(request)
    body = await read_json(request, BackWish)
    wish = read_field(body, "wish", str)
    if wish == "ask":
        await table.requests.ask(who, read_field(body, "expected", int))
    elif wish in ("agree", "refuse"):
        await table.requests.answer(who, read_field(body, "number", int), wish == "agree")
    else:
        raise Malformed(messages.API_WISH)
    return JSONResponse(table.build_view(who.viewer))


async def resign(request: Request) -> Response:
    """Resign."""
    table, who, _ = await at_table(request)
    await read_json(request)
    await table.seats.resign(who)
    return JSONResponse(table.build_view(who.viewer))


async def set_player(request: Request) -> Response:
    """Set the player of a seat.

    `bot` is for a free seat or an absent player, `me` returns the own seat from its bot, and the word for no player
    claims the win on time.
    """
    table, who, _ = await at_table(request)
    number = parse_seat(request.path_params["seat"], table.game.seats)
    by = read_field(await read_json(request, SeatWish), "by", str)
    if by == "bot":
        await table.seats.give_to_bot(who, number)
    elif by == "nobody":
        await table.seats.claim_win(who, number)
    elif by == "me" and number == who.viewer:
        await table.seats.reclaim_seat(who)
    else:
        raise Malformed(messages.API_BY)
    return JSONResponse(table.build_view(who.viewer))


async def set_standing_answer(request: Request) -> Response:
    """Set the standing answer in the game's windows: always, able or never."""
    table, who, _ = await at_table(request)
    await table.seats.set_standing_answer(who, read_field(await read_json(request, Standing), "answers", str))
    standing = table.seats.standing_answer(who.viewer)
    return JSONResponse({"answers": standing})


async def give_hint(request: Request) -> Response:
    """Return the choice of a bot in the seat's place, from the seat's view."""
    table, who, token = await at_table(request)
    await read_json(request)
    services_of(request).limits.spend(HINTS, hash_token(token))
    await table.hints.advise(who)
    choice = table.hints.given(who.viewer)
    if choice is None:
        raise Stale(messages.API_TABLE_CHANGED)
    return JSONResponse(told(table.game, table.view(who.viewer), choice, table.names))


async def list_thoughts(request: Request) -> Response:
    """Return the bots' thoughts about their decisions, after the end of the game."""
    try:
        table, _, _ = await at_table(request)
        kept, record = await table.bots.thoughts(), await table.moves.record()
        found = await anyio.to_thread.run_sync(lambda: list(describe_thoughts(record, kept)))
    except OtherRules:
        old_table, _ = await old_table_at(request, read_token(request))
        found = old_table.kept.head["thoughts"]
    return JSONResponse({"thoughts": [{"decision": t["decision"], "seat": t["seat"], **t["told"]} for t in found]})


async def download_record(request: Request) -> Response:
    """Return the whole record, after the end of the game."""
    try:
        table, _, _ = await at_table(request)
        text = (await table.moves.record()).dumps()
    except OtherRules:
        old_table, _ = await old_table_at(request, read_token(request))
        text = old_table.record
    if request.query_params.get("form") == "text":
        return PlainTextResponse(write_record_text(parse_body(text)))
    return Response(text, media_type="application/json")


async def stream_views(request: Request) -> Response:
    """Stream a view per line (or event), at once and after each change, until the end of the game."""
    table, who, _ = await at_table(request)
    events = "text/event-stream" in request.headers.get("accept", "")
    kind = "text/event-stream" if events else "application/x-ndjson"
    with count_follower(request, table, who):
        pass  # the limit is checked before the response starts
    company = request.query_params.get("company") == "yes"
    body = write_lines(
        table.watch(who.viewer), who.holds or (SPECTATOR,), events, count_follower(request, table, who), company
    )
    return StreamingResponse(body, media_type=kind, headers={"x-accel-buffering": "no"})


async def write_lines(
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
                    yield format_line("view", shown, events, f"id: {shown['version']}\n")
                    if shown["stage"] in ("over", "closed"):
                        return
                elif here is not None:
                    yield format_line("company", here if events else {"company": here}, events)
                else:
                    # In an event stream this is a comment, which browsers ignore.
                    yield ": still here\n\n" if events else "\n"
    finally:
        watch.table.presence.leave(seats)


def format_line(event: str, what: object, events: bool, head: str = "") -> str:
    """Return a line of a stream, or an event with its header."""
    body = json.dumps(what, ensure_ascii=False, separators=(",", ":"))
    return f"{head}event: {event}\ndata: {body}\n\n" if events else body + "\n"


async def at_table(request: Request, used: bool = False) -> tuple[Table, LinkHolder, str]:
    """Return the table of the path, and the person that the bearer's token stands for: a spectator without one. `used`
    invitations are accepted only where players sit down."""
    token = read_token(request)
    table, who = await find_followed(request, request.path_params["key"], token, used)
    if who.shares:
        # A program has no curtain, so it is a spectator.
        who = WATCHER
    if not request.scope.get(BANNED):
        table.presence.see(who.holds or (SPECTATOR,))
    return table, who, token


def read_token(request: Request) -> str:
    """Return the token of a request; a spectator's if there is none. Raises Malformed."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme and scheme.lower() != "bearer":
        raise Malformed(messages.API_BEARER)
    return token.strip() or WATCH
