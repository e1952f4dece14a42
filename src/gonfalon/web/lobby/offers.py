"""The list of open tables, and its live updates.

One task of each process reads the list while pages show it, and sends it where it differs.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import anyio
from anyio.to_thread import run_sync
from starlette.websockets import WebSocket, WebSocketDisconnect

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.game import Game
from gonfalon.core.text.english import many
from gonfalon.core.text.untrusted import isolate
from gonfalon.table import Table
from gonfalon.table.game.clock import load_pace
from gonfalon.web import messages
from gonfalon.web.http.rate_limits import client_of
from gonfalon.web.shared.clocks import summarize_pace
from gonfalon.web.shared.context import Services, services_of
from gonfalon.web.shared.game_cards import arms_of
from gonfalon.web.shared.game_info import asked_for
from gonfalon.web.shared.template_context import Context
from gonfalon.web.table.own_cards import describe_own_cards

MINUTE: Final = 60.0
READ_SECONDS: Final = 1.0
"""Seconds between two reads of the list."""
HEARTBEAT_S: Final = 20.0
"""Seconds of silence after which a page is sent an empty frame."""
MAX_FOLLOWERS: Final = 200
"""The number of simultaneous pages of one address that show the list."""


async def list_tables(server: Services) -> list[Table]:
    """Return the open tables: those with a free seat and a present player, the newest first."""
    found = []
    for key in await run_sync(server.tables.store.list_offers, server.tables.now()):
        with suppress(GonfalonError):  # one broken table must not hide the others
            table = await server.tables.table(key)
            if table.row.offer and table.gathering.waits and table.current.free_seats():
                found.append(table)
    return found


async def list_offers(server: Services) -> list[Context]:
    """Return the rows of _offers.html. They hold no key and no link of a table."""
    now = server.tables.now()
    return [describe_offer(server, table, now) for table in await list_tables(server)]


def describe_offer(server: Services, table: Table, now: float) -> Context:
    """Return an open table for a list: its game, house rules and clock, and who waits."""
    rows, free, kind = table.row.seats, table.current.free_seats(), server.kinds[table.game.name]
    taken = [row for row in rows if row not in free]
    banners = [banner for row in taken for banner in table.gathering.list_banners(row.seat) if banner.get("slug")]
    minutes = int((now - table.row.opened) // MINUTE)
    facts = [kind.title.rpartition(": ")[2], summarize_pace(load_pace(table.row.clock))]
    facts += list_house_rules(table.game)
    if len(rows) > 2:
        facts.append(messages.SEATS_TAKEN.format(taken=len(taken), seats=len(rows)))
    facts += [banner["name"] for banner in banners]
    return {
        "id": table.row.offer,
        "game": table.game.name,
        "who": ", ".join(isolate(row.name) for row in taken),
        "facts": " · ".join(facts),
        "arms": banners[0] if banners else arms_of(kind)[0],
        "since": messages.MINUTES_AGO.format(time=many(max(1, minutes), "minute")),
    }


def find_house_rules(game: Game) -> dict[str, object]:
    """Return the options of a game that differ from the default, by name."""
    return {
        option.name: game.options[option.name]
        for option in game.options_spec
        if asked_for(type(game), option) and game.options[option.name] != option.default
    }


def list_house_rules(game: Game) -> list[str]:
    """Return the options and the cards of a game that differ from the default, in words."""
    rules, options = find_house_rules(game), {option.name: option for option in game.options_spec}
    shown = {name: dict(options[name].choices).get(value, value) for name, value in rules.items()}
    own = describe_own_cards(game)
    cards = [messages.CARDS_OF_TABLE.format(name=own["name"])] if own else []
    return [*cards, *(f"{options[name].label}: {value}" for name, value in shown.items())]


class OfferFeed:
    """The list as HTML, read again and again while at least one page follows it."""

    def __init__(self, pause: float = READ_SECONDS) -> None:
        self.pause: float = pause
        self.parts: tuple[str, str] | None = None
        """The list, and the operator's notice."""
        self.followers: int = 0
        self.news: anyio.Event = anyio.Event()
        self._reads: bool = False

    def enter(self, server: Services) -> None:
        """Note a page that follows the list."""
        self.followers += 1
        if not self._reads:
            self._reads = True
            server.tables.spawn(lambda: self._read(server))

    def leave(self) -> None:
        """Note that such a page has gone."""
        self.followers -= 1

    async def _read(self, server: Services) -> None:
        try:
            while self.followers and not server.tables.closing:
                draw = server.render.templates.draw
                parts = (draw("_offers.html", {"offers": await list_offers(server)}), draw("_notice.html", {}))
                if parts != self.parts:
                    self.parts = parts
                    self._wake()
                await anyio.sleep(self.pause)
        finally:
            self._reads, self.parts = False, None
            self._wake()

    def _wake(self) -> None:
        news, self.news = self.news, anyio.Event()
        news.set()


async def serve_offers(socket: WebSocket) -> None:
    """Send the list of open tables to a page whenever it changes."""
    server = services_of(socket)
    feed: OfferFeed = socket.app.state.offer_feed
    with server.limits.followed(f"offers {client_of(socket)}", MAX_FOLLOWERS):
        await socket.accept()
        feed.enter(server)
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_push, socket, feed, server)
                # A page has nothing to say: anything but its end closes the socket.
                if (await socket.receive())["type"] != "websocket.disconnect":
                    await socket.close(1008)
                tasks.cancel_scope.cancel()
        finally:
            feed.leave()


async def _push(socket: WebSocket, feed: OfferFeed, server: Services) -> None:
    sent: tuple[str, ...] = ("", "")
    with suppress(WebSocketDisconnect, RuntimeError):
        while not server.tables.closing:
            waking = feed.news
            if feed.parts is not None and feed.parts != sent:
                news, sent = [new for new, old in zip(feed.parts, sent, strict=True) if new != old], feed.parts
                for html in news:
                    await socket.send_text(html)
                continue
            with anyio.move_on_after(HEARTBEAT_S) as waiting_time:
                await waking.wait()
            if waiting_time.cancelled_caught:
                await socket.send_text("")
        await socket.close(1001)
