"""Bot accounts: challenges, the stream of an account, and the limits of what a program is told."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.to_thread import run_sync

from gonfalon import games
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.files.card_sets import read_card_set
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import LinkHolder, Open, Person, Program, Robot, Table, Tables
from gonfalon.table.accounts import AcceptRules, Account, find_reason
from gonfalon.table.errors import Broken, Conflict, NoAccount, NoWay
from gonfalon.table.game.clock import Pace
from gonfalon.table.links import hash_token
from gonfalon.table.live.programs import Programs, create_account, remove_account, renew_token
from gonfalon.table.store import account_rows
from gonfalon.table.store.account_rows import AccountSeat
from gonfalon.web.api import program_stream
from gonfalon.web.api.program_stream import ProgramStream
from tests.table.duel import Duel
from tests.table.moot import Moot
from tests.table.opening import first, tables_on, until
from tests.web.every import HOUSE

pytestmark = pytest.mark.anyio
MAY = LinkHolder(0)
ASKS = AcceptRules(ask=True)
FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
"""One letter of five characters."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def make_account(tables: Tables, name: str = "Rook", rules: AcceptRules = ASKS) -> tuple[Account, str]:
    return create_account(tables.store, name, "Plays at random.", rules)


@asynccontextmanager
async def streaming(programs: Programs, account: Account, states: bool = False) -> AsyncIterator[AsyncGenerator[Any]]:
    """Open the stream of an account, and read its first line."""
    async with aclosing(ProgramStream(programs, account, states).events(60)) as stream:
        hello = await anext(stream)
        assert hello is not None
        assert hello["type"] == "account"
        yield stream


async def read(stream: AsyncGenerator[Any], kind: str) -> Any:
    """Return the next event, which is of this kind."""
    with anyio.fail_after(10):
        event = await anext(stream)
    assert event["type"] == kind, event
    return event


async def challenge(programs: Programs, *sitters: Any, game: Any = None) -> tuple[Table, dict[int, str]]:
    """Open a table of May and others."""
    game = game or Duel()
    seating = await programs.invite([Person("May"), *sitters], game, None)
    return await programs.tables.open_table(game, seating)


@pytest.fixture
async def tables(database: str) -> AsyncIterator[Tables]:
    async with tables_on(database) as tables:
        yield tables


@pytest.fixture
def programs(tables: Tables) -> Programs:
    return Programs(tables)


async def test_a_program_accepts_a_challenge_and_plays_a_game_to_its_end(programs: Programs) -> None:
    account, token = make_account(programs.tables)
    async with streaming(programs, account) as stream:
        table, _ = await challenge(programs, Program("Rook"))
        assert table.row.stage == "waiting"
        event = await read(stream, "challenge")
        assert event["table"] == table.key
        assert (event["seat"], event["game"], event["names"]) == (1, "duel", ["May", "Rook (program)"])
        await programs.accept(account, table.key)
        assert (await read(stream, "begun"))["names"] == ["May", "Rook (program)"]
        seated = table.seats.find_holder(token)
        assert seated == LinkHolder(1)
        assert [row.seat for row in table.seats.list_hosts()] == [0]  # a program gives no seat away
        while not table.position.over:
            if table.position.is_asked(0):
                await first(table, 0)
            if table.position.is_asked(1):
                turn = await read(stream, "turn")
                assert turn["actions"] == [action["id"] for action in turn["view"]["decision"]["actions"]]
                await table.moves.act(seated, turn["version"], [table.game.parse(turn["actions"][0])])
        end = await read(stream, "ended")
        assert end["over"] == table.build_view(1)["over"]


async def test_the_server_accepts_challenges_that_fit_the_rules(programs: Programs) -> None:
    account, _ = make_account(programs.tables, rules=AcceptRules())
    async with streaming(programs, account) as stream:
        table, _ = await challenge(programs, Program("Rook"))
        assert (await read(stream, "begun"))["table"] == table.key
        assert table.row.stage == "dealt"


@pytest.mark.parametrize("name", HOUSE)
async def test_a_program_is_sent_only_what_its_seat_knows(tmp_path: Path, name: str) -> None:
    """For some turns of each game: the view of the API, and the state that a bot of the server would get."""
    async with tables_on(f"sqlite:///{tmp_path / 'tables.db'}") as tables:
        account, token = make_account(tables, rules=AcceptRules())
        async with streaming(Programs(tables), account, states=True) as stream:
            game = games.game(name)
            others = [Robot("random")] * (game.seats - 2)
            table, _ = await challenge(Programs(tables), Program("Rook"), *others, game=game)
            await read(stream, "begun")
            codec = StateCodec(table.game)
            for _ in range(6):
                await play_until_asked(table, 1)
                turn = await read(stream, "turn")
                assert json.dumps(turn["view"]) == json.dumps(table.build_view(1))
                received = codec.decode_view(turn["state"])
                assert (received.viewer, received.dump()) == (1, table.view(1).dump())
                assert received.dump() != table.position.state.dump(), "there are hidden cards"
                for secret in (token, account.token, tables.store.secret):
                    assert secret not in json.dumps(turn)
                await first(table, 1)


async def play_until_asked(table: Table, seat: int) -> None:
    """Let May play until a seat is asked."""
    while not table.position.is_asked(seat):
        await until(lambda: table.position.is_asked(0) or table.position.is_asked(seat))
        if table.position.is_asked(0):
            await first(table, 0)


async def test_a_program_that_was_killed_is_told_everything_again(programs: Programs) -> None:
    account, _ = make_account(programs.tables)
    async with streaming(programs, account) as stream:
        table, _ = await challenge(programs, Program("Rook"))
        await read(stream, "challenge")
    async with streaming(programs, account) as stream:
        assert (await read(stream, "challenge"))["table"] == table.key
        await programs.accept(account, table.key)
        await read(stream, "begun")
        asked = await read(stream, "turn")
    async with streaming(programs, account) as stream:
        assert (await read(stream, "begun"))["table"] == table.key
        assert await read(stream, "turn") == asked


async def test_the_end_of_a_game_is_reported_once_to_a_program_that_was_away(database: str) -> None:
    """The end comes with the first stream after it, even at another server; a later stream is silent about it."""
    async with tables_on(database) as tables:
        programs = Programs(tables)
        account, _ = make_account(tables, rules=AcceptRules(tables=1))
        async with streaming(programs, account) as stream:
            table, _ = await challenge(programs, Program("Rook"))
            await read(stream, "begun")
        await table.seats.resign(MAY)
    async with tables_on(database) as tables:
        programs = Programs(tables)
        async with streaming(programs, account) as stream:
            assert (await read(stream, "begun"))["table"] == table.key
            end = await read(stream, "ended")
            assert (end["table"], end["seat"], end["over"]["ended"]["seat"]) == (table.key, 1, 0)
            # A game that has ended is no running game: the account plays one at a time.
            second, _ = await challenge(programs, Program("Rook"))
            assert (await read(stream, "begun"))["table"] == second.key
        async with streaming(programs, account) as stream:
            assert (await read(stream, "begun"))["table"] == second.key
            assert (await read(stream, "turn"))["table"] == second.key


async def test_two_processes_serve_one_account(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The challenge comes from one process, the stream is at the other."""
    monkeypatch.setattr(program_stream, "READ_SECONDS", 0.02)
    async with tables_on(database) as here, tables_on(database) as there:
        account, token = make_account(here, rules=AcceptRules())
        async with streaming(Programs(there), account) as stream:
            shown = await Programs(here).list_programs("duel")
            assert [(one.account.name, one.connected) for one in shown] == [("Rook", True)]
            table, _ = await challenge(Programs(here), Program("Rook"))
            assert (await read(stream, "begun"))["table"] == table.key
            turn = await read(stream, "turn")
            await table.refresh()
            # The program may act at any process.
            await table.moves.act(
                table.seats.find_holder(token), turn["version"], [table.game.parse(turn["actions"][0])]
            )
            await read(stream, "turn")
        assert not (await Programs(here).list_programs())[0].connected


async def test_a_rematch_asks_the_program_again(programs: Programs) -> None:
    account, token = make_account(programs.tables, rules=AcceptRules())
    async with streaming(programs, account) as stream:
        table, tokens = await challenge(programs, Program("Rook"))
        await read(stream, "begun")
        await table.seats.resign(MAY)
        while (event := await anext(stream))["type"] == "turn":
            pass
        assert event["type"] == "ended"
        key, _ = await programs.tables.rematch(table, MAY, tokens[0], "n" * 22)
        begun = await read(stream, "begun")
        assert (begun["table"], begun["seat"], begun["rematch_of"]) == (key, 0, table.key)
        there = await programs.tables.table(key)
        assert there.seats.find_holder(token) == LinkHolder(0)


async def test_a_broken_table_hides_no_other(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    account, _ = make_account(programs.tables)
    load = programs.tables.table
    async with streaming(programs, account) as stream:
        broken, _ = await challenge(programs, Program("Rook"))

        async def table(key: str) -> Table:
            if key == broken.key:
                raise Broken("The stored data of this table is damaged.")
            return await load(key)

        monkeypatch.setattr(programs.tables, "table", table)
        whole, _ = await challenge(programs, Program("Rook"))
        assert (await read(stream, "challenge"))["table"] == whole.key


async def test_a_program_that_sits_and_is_not_ready_becomes_ready(programs: Programs) -> None:
    """The server was killed between the two steps of accepting."""
    account, _ = make_account(programs.tables)
    async with streaming(programs, account):
        table, _ = await challenge(programs, Program("Rook"))
        names = {1: "Rook (program)"}
        assert programs.store.sit(table.key, names, account.token, account.id, "", programs.tables.now())
        await table.refresh()
        assert table.row.stage == "waiting"
    async with streaming(programs, account) as stream:
        assert (await read(stream, "begun"))["table"] == table.key


async def test_a_declined_challenge_leaves_the_seat_to_a_bot(programs: Programs) -> None:
    account, _ = make_account(programs.tables)
    async with streaming(programs, account) as stream:
        table, _ = await challenge(programs, Program("Rook"))
        await read(stream, "challenge")
        await programs.decline(account, table.key, "busy")
        row = table.row.seats[1]
        assert (row.ready, row.reason) == ("no", "busy")
        await read(stream, "withdrawn")
        with pytest.raises(NoWay):
            await programs.accept(account, table.key)
        await table.seats.give_to_bot(MAY, 1)
        assert table.row.stage == "dealt"
        assert table.row.seats[1].program is None


async def test_a_challenge_is_withdrawn_when_its_table_closes(programs: Programs) -> None:
    account, _ = make_account(programs.tables)
    async with streaming(programs, account) as stream:
        table, _ = await challenge(programs, Program("Rook"))
        await read(stream, "challenge")
        await table.gathering.leave(MAY)
        assert await read(stream, "withdrawn") == {"type": "withdrawn", "table": table.key}


def is_active(programs: Programs, account: Account, table: Table) -> bool:
    found = programs.store.list_account_seats(account, programs.tables.now())
    return {seat.table: seat.active for seat in found}.get(table.key, False)


async def test_a_table_that_all_others_have_left_keeps_no_place(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    account, _ = make_account(programs.tables, rules=AcceptRules(tables=1))
    async with streaming(programs, account) as stream:
        left, _ = await challenge(programs, Program("Rook"))
        left.presence.enter((0,))
        await read(stream, "begun")
        with pytest.raises(OptionError, match="too many tables"):
            await challenge(programs, Program("Rook"))
        monkeypatch.setattr(account_rows, "NEW_SECONDS", -1.0)
        await until(lambda: is_active(programs, account, left))
        left.presence.grace = 0.0
        left.presence.leave((0,))
        await until(lambda: not is_active(programs, account, left))
        table, _ = await challenge(programs, Program("Rook"))
        assert await run_sync(programs.store.list_account_seats, account, programs.tables.now()) == [
            AccountSeat(left.key, 1, held=True, active=False)
        ]
        table.presence.enter((0,))
        while (event := await anext(stream))["table"] != table.key:
            assert event["type"] == "turn"
        assert event["type"] == "begun"


async def test_a_challenge_is_open_while_a_player_waits(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_stream, "READ_SECONDS", 0.02)
    account, _ = make_account(programs.tables)
    async with streaming(programs, account) as stream:
        table, _ = await challenge(programs, Program("Rook"))
        await read(stream, "challenge")
        monkeypatch.setattr(account_rows, "NEW_SECONDS", -1.0)
        await read(stream, "withdrawn")
        table.presence.enter((0,))
        assert (await read(stream, "challenge"))["table"] == table.key


async def test_a_program_is_told_that_a_bot_plays_for_it(programs: Programs) -> None:
    account, token = make_account(programs.tables, rules=AcceptRules())
    async with streaming(programs, account) as stream:
        table, _ = await challenge(programs, Program("Rook"), Robot("random"), game=Moot(seats=3))
        await read(stream, "begun")
        await read(stream, "turn")
        async with table.current.lock:
            await table.seats.seat_bot(1)
        assert await read(stream, "replaced") == {"type": "replaced", "table": table.key, "seat": 1}
        await table.seats.reclaim_seat(table.seats.find_holder(token))
        await play_until_asked(table, 1)  # its bot may have answered already
        assert (await read(stream, "turn"))["table"] == table.key


async def test_people_get_the_free_seats_and_programs_their_own(programs: Programs) -> None:
    """An invitation never leads to the seat that is kept for a program."""
    account, _ = make_account(programs.tables)
    async with streaming(programs, account):
        table, _ = await challenge(programs, Program("Rook"), Open(), game=Moot(seats=3))
        assert [row.seat for row in table.current.free_seats()] == [2]


async def test_only_fitting_tables_are_offered_to_a_program(programs: Programs) -> None:
    account, _ = make_account(programs.tables, rules=AcceptRules(games=("moot",)))
    with pytest.raises(OptionError, match=r"Rook \(program\) is not connected"):
        await challenge(programs, Program("Rook"))
    with pytest.raises(OptionError, match="no bot account with the name Bishop"):
        await challenge(programs, Program("Bishop"))
    async with streaming(programs, account):
        with pytest.raises(OptionError, match="it does not play this game"):
            await challenge(programs, Program("Rook"))
        with pytest.raises(OptionError, match="only one seat"):
            await challenge(programs, Program("Rook"), Program("Rook"), game=Moot(seats=3))


async def test_changed_cards_need_the_consent_of_the_account(programs: Programs) -> None:
    feint = games.find_game_class("feint")
    changed = games.game("feint", **read_card_set(feint, "patriot.strength = 7").options)
    plain, _ = make_account(programs.tables)
    anything, _ = make_account(programs.tables, "Bishop", AcceptRules(cards=True, ask=True))
    async with streaming(programs, plain), streaming(programs, anything):
        with pytest.raises(OptionError, match="with these rules or cards"):
            await challenge(programs, Program("Rook"), game=changed)
        await challenge(programs, Program("Rook"), game=feint())
        await challenge(programs, Program("Bishop"), game=changed)


def test_rules_name_the_reason_of_a_refusal() -> None:
    duel, pace = Duel(), Pace(600)
    for rules, clock, changed, tables, reason in (
        (AcceptRules(), pace, False, 3, ""),
        (AcceptRules(games=("moot", "duel"), seats=(2,)), None, False, 0, ""),
        (AcceptRules(games=("moot",)), None, False, 0, "game"),
        (AcceptRules(seats=(3, 4)), None, False, 0, "players"),
        (AcceptRules(clocks="none"), pace, False, 0, "clock"),
        (AcceptRules(clocks="only"), None, False, 0, "clock"),
        (AcceptRules(), None, True, 0, "options"),
        (AcceptRules(cards=True), None, True, 0, ""),
        (AcceptRules(tables=3), None, False, 3, "busy"),
    ):
        assert find_reason(rules, duel, clock, changed, tables) == reason


async def test_an_account_is_stored_without_its_token(programs: Programs) -> None:
    account, token = make_account(programs.tables, rules=AcceptRules(("duel",), (2,), "only", True, 2, True))
    assert token not in str(vars(account))
    assert account.token == hash_token(token)
    assert await programs.find_account(token) == account  # the rules too
    with pytest.raises(NoAccount):
        await programs.find_account(account.token)
    for name in ("Rook", "rook", "R\u043e\u043ek"):  # in another case, and with Cyrillic letters
        with pytest.raises(Conflict):
            make_account(programs.tables, name)
    for name in ("", " \u200b ", "a name of far too many letters", FAMILY * 18):
        with pytest.raises(OptionError, match="Choose a name"):
            make_account(programs.tables, name)


async def test_a_new_token_replaces_the_old_one_at_all_tables(programs: Programs) -> None:
    account, old = make_account(programs.tables, rules=AcceptRules())
    async with streaming(programs, account) as stream:
        table, _ = await challenge(programs, Program("Rook"))
        await read(stream, "begun")
        new = renew_token(programs.store, "Rook")
        await table.refresh()
        assert table.seats.find_holder(new) == LinkHolder(1)
        with pytest.raises(NoWay):
            table.seats.find_holder(old)
        with pytest.raises(NoAccount):
            await programs.find_account(old)
        remove_account(programs.store, "Rook")
        await table.refresh()
        with pytest.raises(NoWay):
            table.seats.find_holder(new)
        assert await programs.list_programs() == []


async def test_an_undo_needs_no_consent_of_a_program(programs: Programs) -> None:
    account, token = make_account(programs.tables, rules=AcceptRules())
    async with streaming(programs, account) as stream:
        table, _ = await challenge(programs, Program("Rook"), game=Moot(seats=2))
        await read(stream, "begun")
        await first(table, 0, 1)
        before = table.view(SPECTATOR).dump()
        await first(table, 0)
        assert table.view(SPECTATOR).dump() != before
        await table.requests.ask(MAY, table.position.version(0))
        assert table.view(SPECTATOR).dump() == before
        assert table.seats.find_holder(token) == LinkHolder(1)
