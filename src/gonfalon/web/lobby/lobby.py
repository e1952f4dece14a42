"""The lobby: the visitor's own tables, a card for every game, and each game's full form."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.files.card_sets import find_set_name
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.core.text.untrusted import isolate
from gonfalon.puzzles.shelf import choose_daily_puzzle, list_puzzles
from gonfalon.table import Table
from gonfalon.table import messages as table_messages
from gonfalon.table.errors import NoTable
from gonfalon.table.links import WATCHER
from gonfalon.table.seats.seat_choices import LOT
from gonfalon.web import messages
from gonfalon.web.http.compression import forbid_compression
from gonfalon.web.http.forms import read_form
from gonfalon.web.lobby.card_choice import build_choice, with_own_cards
from gonfalon.web.lobby.offers import list_offers
from gonfalon.web.shared import devices, preferences
from gonfalon.web.shared.clocks import format_own_time
from gonfalon.web.shared.context import Services, services_of
from gonfalon.web.shared.deck_links import deck_label
from gonfalon.web.shared.failures import explain_error
from gonfalon.web.shared.game_cards import PLAIN_ARMS, arms_of, list_showcases, showcase_of
from gonfalon.web.shared.game_info import puzzles_url
from gonfalon.web.shared.template_context import Context
from gonfalon.web.table.table_page import mine_url

TILES: Final = 4
"""The number of own tables in the lobby; a link shows the others."""
LOOKED_AT: Final = 12
"""The number of latest tables that are searched for those where it is the visitor's turn."""
FIRST_LEVEL: Final = "bot:gentle"
"""The level of players that have not chosen one."""
PROGRAM: Final = "program:"
"""Begins the choice of a program, before the name of its account."""
YOURS, RUNNING, ENDED = range(3)


async def show_games(request: Request) -> Response:
    """Show the games and the visitor's own tables."""
    return await show_lobby(request)


async def show_lobby(request: Request, error: str | None = None, status: int = 200, link: str = "") -> Response:
    """Show the lobby, with the reason if something was refused, and a link to the page that takes it."""
    server = services_of(request)
    known = await devices.list_tables(request)
    every = request.query_params.get("tables") == "all"
    tiles = await build_tiles(server, known if every else known[:LOOKED_AT])
    waiting = sum(tile["rank"] == YOURS for tile in tiles)
    tiles = tiles if every else tiles[:TILES]
    liked = preferences.read_preferences(request)
    return server.render.page(
        "lobby.html",
        status,
        games=[game | {"play": build_quick_fields(game, liked)} for game in list_showcases(server.render)],
        offers=await list_offers(server),
        puzzle=await run_sync(find_daily_puzzle, server),
        tiles=tiles,
        waiting=waiting,
        more=len(known) - len(tiles),
        player=liked.name,
        error=error,
        link=link,
    )


def find_daily_puzzle(server: Services) -> Context | None:
    """Return the puzzle of the day, each day of another game; None if no game has puzzles."""
    games = [game for game in list_showcases(server.render) if list_puzzles(server.kinds[game["name"]])]
    if not games:
        return None
    day = datetime.now(UTC).date()
    game = games[day.toordinal() % len(games)]
    kind = server.kinds[game["name"]]
    number = choose_daily_puzzle(kind, day)
    about = messages.PUZZLE_OF_DAY.format(kind=list_puzzles(kind)[number - 1].kind)
    url = f"{puzzles_url(kind)}{number}/"
    return {"url": url, "title": f"{game['short']}, puzzle {number}", "about": about, "arms": game["arms"][0]}


async def show_form(request: Request) -> Response:
    """Show the full form of a game: seats, factions or decks, house rules."""
    kind = services_of(request).kind(request.path_params["game"])
    return await show_new(request, kind, dict(request.query_params))


async def show_new(
    request: Request, kind: type[Game], form: Mapping[str, str], error: str | None = None, status: int = 200
) -> Response:
    """Show the form with the posted values and the reason why they were refused."""
    game = showcase_of(services_of(request).render, kind)
    liked = preferences.read_preferences(request)
    wished = {key: value for key, value in liked.chosen.items() if key.startswith(kind.name + ".")}
    sent = {key.partition(".")[2]: value for key, value in wished.items()} | {"name": liked.name}
    sent |= {"opponent": choose_level(game, liked)} | dict(form)
    if sent.get("d"):
        sent[f"{game['bring']['option']}.0" if game["bring"] else "d"] = "?" + str(request.url.query)
    cards = await build_choice(request, kind, sent)
    if cards and cards["options"]:
        game = with_own_cards(game, services_of(request).tables.new_game(kind.name, cards["options"]))
    known = {LOT, *(faction["slug"] for faction in game["factions"])}
    sent = {field: value for field, value in sent.items() if not field.startswith("factions.") or value in known}
    response = services_of(request).render.page(
        "new.html",
        status,
        game=game,
        sent=sent,
        brought=list_own_decks(request, kind, game, sent),
        cards=cards,
        programs=await list_programs(request, kind),
        error=error,
        player=liked.name,
        invented=game["invented"],
        invites="friend" in (sent["opponent"], sent.get("who-1")),
        listed=sent.get("listed") == "yes",
    )
    # The address of a kept set is a secret beside text that others chose.
    return forbid_compression(response) if cards and cards["sets"] else response


async def list_programs(request: Request, kind: type[Game]) -> list[Context]:
    """Return the bot accounts that play a game, the connected ones first."""
    programs = services_of(request).programs
    return [
        {
            "value": PROGRAM + one.account.name,
            "title": isolate(one.account.title),
            "about": one.account.about if one.connected else messages.PROGRAM_AWAY,
            "connected": one.connected,
        }
        for one in (await programs.list_programs(kind.name) if programs else [])
    ]


def list_own_decks(request: Request, kind: type[Game], game: Context, sent: Mapping[str, str]) -> Context:
    """Return for each side of a game with decks the chosen deck, as value and label, if it is no preset one."""
    decks = services_of(request).render.decks.get(kind.name)
    if decks is None:
        return {}
    usual = {deck["value"] for deck in game["bring"]["ready"]} | {LOT, ""}
    found = {}
    for side in ("0", "1"):
        value = sent.get(f"{game['bring']['option']}.{side}", "")
        label = "" if value in usual else deck_label(decks, value)
        found[side] = {"value": value, "label": label} if label else None
    return found


async def store_name(request: Request) -> Response:
    """Store the visitor's name on their device."""
    form = await read_form(request)
    name = form.get("name", "")
    response = RedirectResponse("/", 303)
    preferences.store_preferences(
        request, response, preferences.read_preferences(request).called(name if isinstance(name, str) else "")
    )
    return response


def build_quick_fields(game: Context, liked: preferences.Likes) -> Context:
    """Return the fields that *Play* posts with the level: the last choices of this device, else the defaults; random
    choices for others."""
    hidden = {"game": game["name"], "name": liked.name}
    if game["picks"]:
        known = {faction["slug"] for faction in game["factions"]}
        own = liked.of(game["name"], "factions.0")
        hidden |= {"factions.0": own if own in known else LOT, "factions.1": LOT}
    if game["bring"]:
        option = game["bring"]["option"]
        own = liked.of(game["name"], f"{option}.0") or game["bring"]["ready"][0]["value"]
        hidden |= {f"{option}.0": own, f"{option}.1": LOT}
    return {"hidden": hidden, "level": choose_level(game, liked)}


def choose_level(game: Context, liked: preferences.Likes) -> str:
    """Return the level that this device chose last, else the easiest."""
    level, known = liked.of(game["name"], "opponent"), [bot["value"] for bot in game["bots"]]
    return level if level in known else FIRST_LEVEL if FIRST_LEVEL in known else str(game["usual"])


# ---- the visitor's own tables ---------------------------------------------------------------------------------------


async def build_tiles(server: Services, seats: list[devices.OwnSeat]) -> list[Context]:
    """Return the visitor's tables: first those where it is their turn, then other running games, each the
    latest first."""
    heads = await run_sync(server.tables.store.kept_heads, [seat.key for seat in seats])
    held = await run_sync(server.tables.store.seats_of, [seat.link for seat in seats])
    tiles = []
    for seat in seats:
        head = heads.get(seat.key)
        tiles.append(
            await build_running(server, seat)
            if head is None
            else build_finished(server, seat, head, held.get(seat.link, []))
        )
    # Sorting is stable, so within each rank the latest table stays first.
    return sorted(tiles, key=lambda tile: int(tile["rank"]))


async def build_running(server: Services, seat: devices.OwnSeat) -> Context:
    """Return a table that is running, or that cannot be opened any more."""
    if not seat.token:
        return build_tile(server, seat, table_messages.DAMAGED, rank=ENDED, leads=False)
    try:
        table = await server.tables.table(seat.key)
        who = table.seats.find_holder(seat.token)
    except GonfalonError as error:
        # One broken table must not hide the others.
        gone = isinstance(error, NoTable)
        says = messages.TABLE_DELETED if gone else explain_error(error, reading=True)[3]
        return build_tile(server, seat, says, rank=ENDED, leads=not gone)
    if who.shares:
        # The lobby shows all people of a shared device the same, so it shows the spectators' view.
        who = WATCHER
    at = table.build_view(who.viewer)
    names = at["names"]
    arms = find_arms(table, at["board"], who.viewer)
    if at["over"]:
        return build_tile(server, seat, at["over"]["text"], list_opponents(names, who.viewer), "over", arms, ENDED)
    choosing = table.gathering.waits and any(table.row.seats[seat].ready != "yes" for seat in who.holds)
    yours = bool(at["decision"]) or choosing
    says = messages.CHOOSE_AND_READY if choosing else messages.YOUR_TURN if yours else at["prompt"]
    facts = (describe_progress(at["board"]), isolate(find_set_name(table.game)), format_own_time(at))
    where = " · ".join(fact for fact in facts if fact)
    return build_tile(server, seat, says, list_opponents(names, who.viewer), where, arms, YOURS if yours else RUNNING)


def build_finished(server: Services, seat: devices.OwnSeat, head: str, held: list[int]) -> Context:
    """Return a finished game from the head of its archive."""
    viewer = held[0] if len(held) == 1 else SPECTATOR
    try:
        found = json.loads(head)
        says = found["over"].get(str(viewer), messages.GAME_OVER)
        who = list_opponents([str(name) for name in found["names"]], viewer)
    except (ValueError, LookupError, TypeError, AttributeError):
        return build_tile(server, seat, table_messages.DAMAGED, rank=ENDED, leads=bool(seat.token))
    if not seat.token:
        return build_tile(server, seat, table_messages.DAMAGED, rank=ENDED, leads=False)
    # An archive does not hold the factions of the seats.
    return build_tile(server, seat, says, who, "over", [dict(plain) for plain in PLAIN_ARMS[:2]], ENDED)


def build_tile(
    server: Services,
    seat: devices.OwnSeat,
    says: str,
    who: Sequence[str] = (),
    where: str = "",
    arms: list[Context] | None = None,
    rank: int = RUNNING,
    leads: bool = True,
) -> Context:
    """Return the context of a table in the lobby."""
    kind = server.kinds.get(seat.game)
    title = kind.title.rpartition(": ")[2] if kind else seat.game
    if not arms:
        arms = arms_of(kind)[:2] if kind else [dict(plain) for plain in PLAIN_ARMS[:2]]
    return {
        "url": mine_url(seat) if leads else None,
        "who": who or [title],
        "where": " · ".join(part for part in (title if who else "", where) if part),
        "says": says,
        "rank": rank,
        "arms": arms,
    }


def list_opponents(names: list[str], viewer: int) -> list[str]:
    """Return the names of the other players."""
    return [name for seat, name in enumerate(names) if seat != viewer]


def describe_progress(board: Mapping[str, object]) -> str:
    """Return the progress of a game: `round 4 of 7`, `turn 9`."""
    for word in ("round", "turn"):
        if isinstance(number := board.get(word), int) and number:
            most = board.get(word + "s")
            return f"{word} {number} of {most}" if isinstance(most, int) and most > 1 else f"{word} {number}"
    return ""


def find_arms(table: Table, board: Mapping[str, Any], viewer: int) -> list[Context]:
    """Return the banners of the next player and of the viewer in front, as far as the board shows them."""
    found = []
    for seat in board.get("seats", []):
        if not isinstance(seat, dict):
            return []
        many = seat.get("factions")
        one = many[0] if isinstance(many, list) and many and isinstance(many[0], dict) else seat
        if not one.get("colour"):
            return []
        found.append({"slug": str(one.get("faction") or one.get("slug") or ""), "colour": str(one["colour"])})
    if len(found) != table.game.seats or len(found) < 2 or found[0] == found[1]:
        return []
    own = viewer if viewer >= 0 else 0
    return [found[(own + 1) % len(found)], found[own]]
