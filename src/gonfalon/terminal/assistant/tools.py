"""The tools of the assistant's server, and the server itself."""

from __future__ import annotations

import asyncio
import functools
import signal
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Annotated, Final

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, TextContent
from pydantic import Field

from gonfalon import __version__, games
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.rules.game import Game
from gonfalon.terminal.assistant import messages
from gonfalon.terminal.assistant.guide import read_rules
from gonfalon.terminal.assistant.local_server import LocalServer
from gonfalon.terminal.assistant.seat import AssistantSeat
from gonfalon.terminal.games.own_cards import make_rules
from gonfalon.terminal.games.server import Json, Server, ServerError, reading_answers

MAX_WAIT_S: Final = 50
"""Maximum seconds of a wait, because many clients end a call after a minute."""
AFTER_ACTION_S: Final = 8.0
"""Seconds for which an action waits for the next question, which is usual against bots."""
NAME: Final = "Assistant"
LOT: Final = "lot"
"""The word for a faction or deck by chance (`table/seats/seat_choices.py`)."""


GameName = Annotated[str, Field(description="The name of the game, from list_games.")]
TableNumber = Annotated[int, Field(description="The number of the table; 0 for the one that you used last.")]
Brings = Annotated[str, Field(description="Your faction, or your deck: a slug or a share code; empty for the default.")]
PlayerName = Annotated[str, Field(description="Your name at the table.")]


class Assistant:
    """The tools of one assistant, and its seats.

    Args:
        address: The address of the server; None to start one when it is needed.
    """

    def __init__(self, address: str | None = None) -> None:
        self.address = address
        self.local = LocalServer()
        self.seats: list[AssistantSeat] = []
        self.latest = 0
        """The number of the table that was used last."""

    def server(self) -> Server:
        """Return the server of new tables. Raises ServerError."""
        if self.address is None:
            self.address = self.local.start()
        return Server(self.address)

    def seat(self, table: int) -> AssistantSeat:
        """Return a seat by the number of its table. Raises ServerError."""
        if not self.seats:
            raise ServerError(messages.NO_TABLE)
        if not 0 <= table <= len(self.seats):
            raise ServerError(messages.NO_SUCH_TABLE.format(number=table, count=len(self.seats)))
        self.latest = table or self.latest
        return self.seats[self.latest - 1]

    def sit_down(self, link: str, name: str, brings: str = "") -> AssistantSeat:
        """Take a seat, or return to it. Raises ServerError and ServerAwayError."""
        found = AssistantSeat(link, name, brings)
        known = [seat.link for seat in self.seats]
        at = known.index(found.link) if found.link in known else len(known)
        self.seats[at : at + 1] = [found]
        self.latest = at + 1
        return found

    async def list_games(self) -> str:
        """List the games of the server with their options, and the levels of bots."""
        with reading_answers():
            found = await asyncio.to_thread(self.server().ask, "/games")
            lines = [line for game in found["games"] for line in describe_game(game)]
            return "\n".join((*lines, messages.LEVELS.format(levels=", ".join(found["bots"]))))

    async def read_guide(
        self,
        game: GameName,
        text: Annotated[
            str, Field(description="A heading, the number of a ruling, or the name of a card; empty to begin.")
        ] = "",
    ) -> str:
        """Read the rules of a game, one section at a time, a ruling, or a card as your table plays it."""
        if game not in games.names():
            raise ServerError(await self.explain_missing(game))
        return await asyncio.to_thread(read_rules, games.find_game_class(game), text.strip(), self.find_rules(game))

    def find_rules(self, game: str) -> Game | None:
        """Return a game with the cards of the latest table that plays it; None without such a table."""
        tables = [*self.seats[self.latest - 1 : self.latest], *reversed(self.seats)]
        view = next((seat.desk.view for seat in tables if seat.desk.view.get("game") == game), None)
        return make_rules(game, view.get("cards")) if view else None

    async def explain_missing(self, game: str) -> str:
        """Return why the rules of a game cannot be read here."""
        with reading_answers():
            found = await asyncio.to_thread(self.server().ask, "/games")
            link = next((one["guide"] for one in found["games"] if one["name"] == game), None)
        return (
            messages.NO_RULES.format(game=game, link=link)
            if link
            else messages.NO_SUCH_GAME.format(game=repr(game[:60]))
        )

    async def open_table(
        self,
        game: GameName,
        opponent: Annotated[str, Field(description="The level of the bots at the other seats, or `person`.")] = "club",
        options: Annotated[Mapping[str, str | int | bool] | None, Field(description="Options of the game.")] = None,
        brings: Brings = "",
        name: PlayerName = NAME,
        cards: Annotated[str, Field(description="Own cards: lines such as `patriot.strength = 7`, or a file.")] = "",
    ) -> str:
        """Open a table, and take the first seat."""
        body = {"game": game, "name": name, "options": dict(options or {}), **({"cards": cards} if cards else {})}
        with reading_answers():
            server = self.server()
            found = await asyncio.to_thread(open_seats, server, body, opponent, brings)
            seat = await asyncio.to_thread(self.sit_down, found["seats"][0]["page"], name)
            links = [messages.INVITE.format(link=one["page"]) for one in found["invitations"]]
            head = messages.OPENED.format(number=self.latest, watch=found["watch"])
            lines = (head, messages.OWN_LINK.format(link=seat.link), *links, "", await asyncio.to_thread(seat.look))
            return "\n".join(lines)

    async def join_table(
        self,
        link: Annotated[str, Field(description="An invitation, or the link of your seat.")],
        brings: Brings = "",
        name: PlayerName = NAME,
    ) -> str:
        """Take a seat with an invitation, or return to your seat."""
        seat = await asyncio.to_thread(self.sit_down, link, name, brings)
        head = messages.JOINED.format(number=self.latest)
        return f"{head}\n\n{await asyncio.to_thread(seat.look)}"

    async def look(self, table: TableNumber = 0) -> str:
        """Look at the table: what lies there, the news since the last time, and your actions."""
        return await asyncio.to_thread(self.seat(table).look)

    async def act(
        self,
        action: Annotated[str, Field(description="The number or the notation of one of your actions.")],
        table: TableNumber = 0,
    ) -> str:
        """Take one of your actions, then look at the table."""
        seat = self.seat(table)
        await seat.act(action)
        return await asyncio.to_thread(seat.wait, AFTER_ACTION_S)

    async def wait(
        self,
        seconds: Annotated[float, Field(description=f"The longest time to wait, at most {MAX_WAIT_S}.")] = 30.0,
        table: TableNumber = 0,
    ) -> str:
        """Wait until it is your turn, the game is over, or the time has run out, then look at the table."""
        return await asyncio.to_thread(self.seat(table).wait, min(seconds, MAX_WAIT_S))

    async def resign(self, table: TableNumber = 0) -> str:
        """Resign the game."""
        return await asyncio.to_thread(self.seat(table).resign)


def open_seats(server: Server, body: Json, opponent: str, brings: str) -> Json:
    """Open a table with the same opponent at all other seats, and return the server's answer. Raises ServerError and
    ServerAwayError."""
    game = next((one for one in server.ask("/games")["games"] if one["name"] == body["game"]), None)
    if game is None:
        raise ServerError(messages.NO_SUCH_GAME.format(game=repr(body["game"][:60])))
    options = dict(body["options"])
    defaults = {option["name"]: option["default"] for option in game["options"]}
    count = str(options.get("seats") or defaults.get("seats") or game["seats"])
    # The server refuses any other text.
    others = int(count) - 1 if count.isdecimal() and len(count) < 3 else 1
    if brings:
        options[name_choice(game)] = [brings, *[LOT] * others]
    word = "open" if opponent == "person" else f"bot:{opponent}"
    opened: Json = server.ask("/tables", {**body, "options": options, "seats": ["me", *[word] * others]})
    return opened


def name_choice(game: Json) -> str:
    """Return the option that holds what each seat brings."""
    return str(game["bring"]["option"] if game["bring"] else "factions")


def describe_game(game: Json) -> list[str]:
    """Return the lines about a game and its options, as the server lists it."""
    lines = [messages.GAME.format(name=game["name"], title=game["title"], seats=game["seats"], tagline=game["tagline"])]
    for option in game["options"]:
        values = ", ".join(str(choice[0]) for choice in option["choices"] or ())
        told = messages.VALUES.format(values=values) if values else ""
        lines.append(
            messages.OPTION.format(name=option["name"], label=option["label"], values=told, default=option["default"])
        )
    ready = game["bring"]["ready"] if game["bring"] else game["factions"] if game["picks"] else ()
    if ready:
        slugs = ", ".join(str(one.get("slug") or one["value"]) for one in ready)
        lines.append(messages.BRINGS.format(slugs=slugs))
    return lines


Tool = Callable[..., Awaitable[str]]


def answer_refusals(tool: Tool) -> Callable[..., Awaitable[str | CallToolResult]]:
    """Return a tool whose refusals are answers of one sentence, which the library would prefix."""

    @functools.wraps(tool)
    async def call(*args: object, **kwargs: object) -> str | CallToolResult:
        try:
            return await tool(*args, **kwargs)
        except GonfalonError as error:
            return CallToolResult(content=[TextContent(type="text", text=str(error))], is_error=True)

    return call


def build_server(assistant: Assistant) -> MCPServer[object]:
    """Return the server with the tools of an assistant."""
    server: MCPServer[object] = MCPServer(
        "gonfalon", title="Gonfalon", instructions=messages.INSTRUCTIONS, version=__version__, log_level="ERROR"
    )
    tools: tuple[Tool, ...] = (
        assistant.list_games,
        assistant.read_guide,
        assistant.open_table,
        assistant.join_table,
        assistant.look,
        assistant.act,
        assistant.wait,
        assistant.resign,
    )
    for tool in tools:
        server.add_tool(answer_refusals(tool), structured_output=False)
    return server


def run_server(address: str | None) -> int:
    """Serve an assistant over standard input and output until it leaves. Return the exit code. Raises ServerError."""
    if address is not None:
        Server(address)  # for its check
    assistant = Assistant(address)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with suppress(KeyboardInterrupt):
            build_server(assistant).run("stdio")
    finally:
        assistant.local.stop()
    return 0
