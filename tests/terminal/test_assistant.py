"""The tools of `gonfalon mcp`, called by the client of their protocol, at a server in this process."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from gonfalon import cli, games
from gonfalon.bots import make
from gonfalon.bots.players.driver import Driver
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.card_sets import read_card_set
from gonfalon.core.files.play_on import continue_record
from gonfalon.core.files.record import Record
from gonfalon.core.files.start_position import ANEW
from gonfalon.core.rules.game import Game
from gonfalon.table import Person, Store, Tables
from gonfalon.terminal.games.server import ServerAwayError
from gonfalon.web import create_app
from gonfalon.web.http.rate_limits import Limits
from gonfalon.web.server.server import Server, open_socket

pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters, stdio_client

from gonfalon.terminal.assistant.tools import Assistant, build_server


class Here:
    """A server in this process, with its loop in a thread."""

    def __init__(self, tables: Tables, listener: socket.socket) -> None:
        self.tables = tables
        self.address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.loop: asyncio.AbstractEventLoop | None = None

    def seat_at(self, game: Game) -> str:
        """Open a table of two people. Return the link of the first seat."""
        assert self.loop is not None
        opening = self.tables.open_table(game, [Person("May"), Person("Bo")])
        table, tokens = asyncio.run_coroutine_threadsafe(opening, self.loop).result(20)
        return f"{self.address}/t/{table.key}/{tokens[0]}/"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    """A server with all games, without rate limits."""
    store = Store(f"sqlite:///{tmp_path_factory.mktemp('assistant') / 'tables.db'}")
    with serve(Tables(store, pace=0, pause=(0, 0))) as found:
        yield found
    store.close()


@contextmanager
def serve(tables: Tables) -> Iterator[Here]:
    ready = threading.Event()
    with open_socket("127.0.0.1", 0) as listener:
        found = Here(tables, listener)

        def reached() -> None:
            found.loop = asyncio.get_running_loop()
            ready.set()

        config = uvicorn.Config(create_app(tables, limits=Limits(0)), access_log=False, log_level="error")
        server = Server(config, tables, reached)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            assert ready.wait(60)
            yield found
        finally:
            server.should_exit = True
            thread.join(60)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


class Caller:
    """Calls tools, and keeps whether the last answer was a refusal."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.refused = False

    async def __call__(self, tool: str, **arguments: Any) -> str:
        answer = await self.client.call_tool(tool, arguments)
        self.refused = answer.is_error
        [content] = answer.content
        text: str = content.text
        return text


def with_tools(here: Here, play: Callable[[Caller], Any]) -> Any:
    """Run a test as a client of the tools."""

    async def run() -> Any:
        async with Client(build_server(Assistant(here.address))) as client:
            return await play(Caller(client))

    return asyncio.run(run())


def test_games_are_listed_with_options_and_levels(here: Here) -> None:
    async def play(call: Caller) -> None:
        told = await call("list_games")
        assert "jinkei: Jinkei, for 2 players." in told
        assert "  option seats: Players (one of 2, 3, 4, 5; default 3)" in told
        assert "  brings: one of engineers, mibits, wu, agents, keion" in told
        assert "random, gentle, casual, club, greedy, strong, expert" in told

    with_tools(here, play)


def test_the_guide_is_read_by_section_ruling_and_card(here: Here) -> None:
    async def play(call: Caller) -> None:
        told = await call("read_guide", game="jinkei")
        assert "10. After each battle the cards behind step forward." in told
        assert "Formations, A round, A battle" in told
        assert (await call("read_guide", game="jinkei", text="the end")).startswith(
            "After three rounds the higher score"
        )
        ruling = await call("read_guide", game="feint", text="ruling 18")
        assert ruling.startswith("**18.** When does a card fit?")
        assert "**19.**" not in ruling
        assert (await call("read_guide", game="feint", text="Patriot")).startswith("Patriot\n")
        for game, text, said in (
            ("chess", "", "There is no game 'chess'. Call list_games."),
            ("jinkei", "99", "Jinkei has no ruling 99."),
            ("jinkei", "zork", "Jinkei has no section and no card 'zork'. Sections: In ten lines"),
        ):
            assert (await call("read_guide", game=game, text=text)).startswith(said)
            assert call.refused

    with_tools(here, play)


def test_own_cards_are_told_at_joining_and_read_in_the_guide(here: Here) -> None:
    feint = games.find_game_class("feint")
    link = here.seat_at(feint(**read_card_set(feint, "patriot.strength = 9", "Ours").options))

    async def play(call: Caller) -> None:
        assert "Strength: 6" in await call("read_guide", game="feint", text="patriot")
        for told in (await call("join_table", link=link), await call("look")):
            assert "Cards: Ours. Patriot: strength 6 → 9." in " ".join(
                told.replace("\u2068", "").replace("\u2069", "").split()
            )
        assert "Strength: 9 (changed from 6)" in await call("read_guide", game="feint", text="patriot")

    with_tools(here, play)


@pytest.mark.extended
def test_a_whole_game_of_jinkei(here: Here) -> None:
    async def play(call: Caller) -> None:
        told = await call("open_table", game="jinkei", opponent="random", name="Ada")
        assert told.startswith("Table 1 is open, and you have a seat.")
        actions = 0
        while "The game is over." not in told:
            asked = "\n1. " in told
            told = await call("act", action="1") if asked else await call("wait")
            assert not call.refused, told
            actions += asked
        # Six types and formations, and 15 cards to lay in three rounds, at the least.
        assert actions > 18
        assert "Round 3" in told
        refused = await call("act", action="1")
        assert (call.refused, refused) == (True, "The game is over.")

    with_tools(here, play)


def test_refusals_are_one_sentence(here: Here) -> None:
    early: list[tuple[str, dict[str, Any], str]] = [
        ("look", {}, "You have no table yet. Call open_table or join_table."),
        ("open_table", {"game": "chess"}, "There is no game 'chess'. Call list_games."),
        ("open_table", {"game": "feint", "brings": "zork"}, "Unknown faction 'zork'."),
        ("open_table", {"game": "feint", "opponent": "zork"}, "There is no level 'zork'."),
        ("open_table", {"game": "jinkei", "options": {"seats": "many"}}, "Jinkei has no option 'seats'"),
        ("open_table", {"game": "factionwars", "options": {"seats": "many"}}, "Option seats must be"),
        ("join_table", {"link": "http://[/t/a/b/"}, "http://[/t/a/b/ is not a link to a table"),
        ("join_table", {"link": f"{here.address}/t/\u00e9/zork/"}, f"{here.address}/t/\u00e9/zork/ is not a link"),
        ("join_table", {"link": "zork"}, "zork is not a link to a table"),
        ("join_table", {"link": f"{here.address}/t/zork/zork/"}, "There is no table at this address."),
    ]
    later: list[tuple[str, dict[str, Any], str]] = [
        ("look", {"table": 2}, "You have no table 2. Your tables are numbered 1 to 1."),
        ("look", {"table": -1}, "You have no table -1. Your tables are numbered 1 to 1."),
        ("act", {"action": "1"}, "There is nothing for you to decide now."),
        ("act", {"action": "9" * 9999}, "There is nothing for you to decide now."),
    ]

    async def play(call: Caller) -> None:
        for tool, arguments, said in early:
            assert (await call(tool, **arguments)).startswith(said)
            assert call.refused
        await call("open_table", game="jinkei", opponent="person")
        for tool, arguments, said in later:
            assert await call(tool, **arguments) == said
            assert call.refused

    with_tools(here, play)


def test_a_seat_is_taken_by_invitation_and_found_again(here: Here) -> None:
    async def play(call: Caller) -> None:
        told = await call("open_table", game="jinkei", opponent="person", name="Ada")
        [invitation] = [line.split()[-1] for line in told.splitlines() if line.startswith("Invitation")]
        [own] = [line.split()[-1] for line in told.splitlines() if line.startswith("Your seat")]
        joined = await call("join_table", link=invitation, name="Bo")
        assert joined.startswith("You have a seat at table 2.")
        assert "Ada" in joined
        assert "Your turn: Choose" in joined + await call("look", table=1)
        again = await call("join_table", link=own)
        assert again.startswith("You have a seat at table 1.")
        assert not call.refused
        assert "You resigned." in await call("resign")
        assert "Ada resigned" in await call("wait", table=2)

    with_tools(here, play)


@pytest.mark.parametrize("name", ["factionwars", "feint", "generals", "jinkei"])
def test_texts_of_positions_that_differ_only_in_hidden_cards_are_equal(here: Here, name: str) -> None:
    game = games.game(name, seats=2) if name == "factionwars" else games.game(name)
    driver = Driver(Record(game, ["May", "Bo"]), [make("random", game), make("random", game)], 7)
    driver.advance()
    record = driver.record
    # A decision of May in the middle of the game.
    at = next(n for n, (seat, _) in enumerate(record.decisions) if n > len(record.decisions) // 3 and seat == 0)
    twins = [continue_record(record, 0, at, ANEW, Rng(seed)) for seed in (1, 2)]
    one, other = (twin.start() for twin in twins)
    assert one.dump() != other.dump()

    async def play(call: Caller) -> list[str]:
        found = []
        for twin in twins:
            joined = await call("join_table", link=here.seat_at(twin))
            found.append(joined.partition("\n")[2] + await call("look"))
        return found

    first, second = with_tools(here, play)
    assert first == second


@pytest.mark.extended
def test_the_command_serves_over_standard_input(here: Here) -> None:
    async def run() -> str:
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "gonfalon", "mcp", "--server", here.address]
        )
        async with Client(stdio_client(command)) as client:
            assert "Call list_games" in (client.instructions or "")
            return await Caller(client)("list_games")

    assert "jinkei: Jinkei" in asyncio.run(run())


def test_an_address_without_a_host_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["mcp", "--server", "file:///x"]) == cli.BAD_INPUT
    assert "is not the address of a server" in capsys.readouterr().err


@pytest.mark.extended
def test_without_a_server_one_is_started_and_stopped(own_folder: None) -> None:
    assistant = Assistant()
    try:
        assert assistant.server().ask("/games")["bots"]
        address = assistant.address
        assert assistant.server().base + "/" == address
    finally:
        assistant.local.stop()
    with pytest.raises(ServerAwayError):
        assistant.server().ask("/games")


def test_a_table_is_opened_with_own_cards(here: Here) -> None:
    text = 'name = "Ours"\npatriot.strength = 7'

    async def play(call: Caller) -> tuple[str, str, str, str]:
        wrong = await call("open_table", game="feint", cards="patriots.strength = 7")
        usual = await call("open_table", game="feint", opponent="random")
        return wrong, usual, await call("open_table", game="feint", opponent="random", cards=text), await call("look")

    wrong, usual, opened, looked = with_tools(here, play)
    assert "Did you mean patriot?" in wrong
    assert "Ours" not in usual
    for told in (opened, looked):
        assert "Ours" in told
        assert "Patriot: strength 6" in told
