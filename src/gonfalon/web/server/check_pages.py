"""Opens pages of a table at a given position as a browser would, for `gonfalon check`."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import anyio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import Action, Seat
from gonfalon.table import Store, Tables
from gonfalon.table.game.entries import ACT, Entry
from gonfalon.table.links import TOKEN_BYTES, WATCH, hash_token, new_key
from gonfalon.table.store.card_set_rows import StoredCardSet
from gonfalon.table.store.shared_rows import PresenceRow, Shared
from gonfalon.table.store.store import Link, SeatRow, Stamp, TableRow
from gonfalon.web.api import endpoints
from gonfalon.web.history import replay
from gonfalon.web.lobby import card_browser, guide_page, lobby
from gonfalon.web.server.application import create_app
from gonfalon.web.table import table_page

Handler = Callable[[Request], Awaitable[Response]]


class OneTable(Store):
    """A store that holds one table and has no database."""

    def __init__(self) -> None:
        # The base class is not initialized, because it would open a database.
        self.rows: dict[str, tuple[TableRow, list[Entry]]] = {}
        self.process: str = new_key()
        self.secret: str = new_key()

    def table(self, key: str) -> TableRow:
        return self.rows[key][0]

    def entries(self, key: str, since: int = 0) -> list[Entry]:
        return self.rows[key][1][since:]

    def stamp(self, key: str, rematch: str | None) -> Stamp:
        return Stamp(len(self.rows[key][1]), (0, 0))

    def proof(self, key: str, seats: int) -> None:
        """Return None: no deal is proved here."""

    def thoughts(self, key: str) -> dict[int, str]:
        return {}

    def remember(self, device: str, link: Link) -> None:
        """Do nothing: no device returns."""

    def remembered(self, device: str) -> list[Link]:
        return []

    def shared(self, key: str) -> Shared:
        return Shared({}, {}, [], {})

    def be_present(self, key: str, rows: Sequence[PresenceRow]) -> None:
        """Do nothing: no page stays open."""

    def house_card_sets(self, game: str = "") -> list[StoredCardSet]:
        return []

    def card_set(self, id: str, now: float | None = None) -> None:
        """Return None: no set is kept."""

    def kept_heads(self, keys: Sequence[str]) -> dict[str, str]:
        return {}

    def seats_of(self, tokens: Sequence[str]) -> dict[str, list[int]]:
        return {}

    def list_offers(self, now: float) -> list[str]:
        return []

    def review_job(self, key: str) -> None:
        return None

    def review(self, key: str) -> None:
        return None


_SERVERS: Final[dict[type[Game], tuple[Starlette, OneTable]]] = {}


def server_of(kind: type[Game]) -> tuple[Starlette, OneTable]:
    """Return the web application with one game, whose templates are read once, and its store."""
    if kind not in _SERVERS:
        store = OneTable()
        # Each check replaces the table, so no older one needs to stay in memory.
        tables = Tables(store, find=lambda _, **options: kind(**options), keep=1)
        _SERVERS[kind] = create_app(tables, {kind.name: kind}), store
    return _SERVERS[kind]


def open_pages(game: Game, decisions: list[tuple[Seat, Action]]) -> dict[str, str]:
    """Return the fault of each page of a table after these decisions, by its name; empty for none."""
    return anyio.run(open_all, game, decisions)


def read_table_page(game: Game, decisions: list[tuple[Seat, Action]], seat: Seat) -> str:
    """Return the HTML of a seat's page of a table after these decisions, for the tests of a game."""
    app, key = lay_table(game, decisions)
    response = anyio.run(open_page, app, table_page.show_page, {"key": key, "token": token_of(seat)})
    return bytes(response.body).decode()


def lay_table(game: Game, decisions: list[tuple[Seat, Action]]) -> tuple[Starlette, str]:
    """Return a web application with one table after these decisions, and the key of the table."""
    app, store = server_of(type(game))
    key = new_key()
    row = TableRow(
        key=key,
        game=game.name,
        options=game.shown_options(),
        rules=game.version,
        data=game.data_hash,
        invitation=None,
        rematch=None,
        opened=0.0,
        seats=tuple(
            SeatRow(seat, name, token=hash_token(token_of(seat))) for seat, name in enumerate(game.seat_names())
        ),
    )
    store.rows = {key: (row, [Entry(ACT, seat, game.notation(action)) for seat, action in decisions])}
    return app, key


async def open_all(game: Game, decisions: list[tuple[Seat, Action]]) -> dict[str, str]:
    """Open the pages one after the other."""
    app, key = lay_table(game, decisions)
    tokens = {f"seat {seat}": token_of(seat) for seat in range(game.seats)} | {"the spectator": WATCH}
    found = {}
    for who, token in tokens.items():
        at = {"key": key, "token": token}
        found[f"the table of {who}"] = await find_fault(app, table_page.show_page, at)
        found[f"the table of {who} as JSON"] = await find_fault(app, endpoints.show_view, at, token)
    found["the lobby"] = await find_fault(app, lobby.show_games, {})
    found["the form of a new table"] = await find_fault(app, lobby.show_form, {"game": game.name})
    if (game.folder / "guide.md").is_file():
        found["the guide"] = await find_fault(app, guide_page.show_guide, {"game": game.name})
    if game.catalogue():
        found["the cards"] = await find_fault(app, card_browser.show_cards, {"game": game.name})
    if is_over(game, decisions):
        for eyes in [*(str(seat) for seat in range(game.seats)), "watch", "all"]:
            for place in ("", f"&at={len(decisions) // 2}"):
                query = f"as={eyes}{place}"
                found[f"replay?{query}"] = await find_fault(
                    app, replay.show_replay, {"key": key, "token": WATCH}, query=query
                )
    return found


def token_of(seat: Seat) -> str:
    """Return the token of a seat."""
    return base64.urlsafe_b64encode(bytes([seat] * TOKEN_BYTES)).decode()


def is_over(game: Game, decisions: list[tuple[Seat, Action]]) -> bool:
    """Return whether the game is over after these decisions."""
    state = game.start()
    for decision in decisions:
        state.apply(*decision)
    return state.over


async def find_fault(app: Starlette, handler: Handler, names: dict[str, str], token: str = "", query: str = "") -> str:
    """Return the fault of a page; empty if it opens."""
    try:
        response = await open_page(app, handler, names, token, query)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "" if response.status_code == 200 else f"HTTP {response.status_code}"


async def open_page(
    app: Starlette, handler: Handler, names: dict[str, str], token: str = "", query: str = ""
) -> Response:
    """Return the response of a handler to a request with these parts of its path."""
    scope = {
        "type": "http",
        "method": "GET",
        "scheme": "http",
        "path": "/",
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(b"host", b"localhost"), (b"authorization", f"Bearer {token}".encode())],
        "server": ("localhost", 80),
        "path_params": names,
        "app": app,
    }
    return await handler(Request(scope))
