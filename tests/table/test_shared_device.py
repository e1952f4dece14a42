"""Several people on one device: the view it shows and the fall of the curtain."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gonfalon.bots import make_level
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.core.rules.state import SPECTATOR, State
from gonfalon.table import Beside, Person, Robot, Table, Tables
from gonfalon.table.bots.workers import InThread
from gonfalon.table.errors import NotSeated
from gonfalon.table.seats.shared_device import SharedDevice
from gonfalon.table.store.shared_rows import Curtain
from tests.table.opening import moot, tables_at

pytestmark = pytest.mark.anyio


class Pondering(InThread):
    """Lets bots think until their question is void or the server stops."""

    stopped = False

    def close(self) -> None:
        self.stopped = True

    def think(
        self, codec: StateCodec, level: str, view: State, seed: int, gone: Callable[[], bool], asked: Any = None
    ) -> None:
        while not (gone() or self.stopped):
            time.sleep(0.01)


async def answer(table: Table, token: str) -> None:
    """Give the last legal answer of the person at the screen."""
    who = table.seats.find_holder(token)
    await table.moves.act(who, table.position.version(who.viewer), table.view(who.viewer).legal(who.viewer)[-1:])


async def test_seats_of_one_device_answer_one_after_another(tables: Tables) -> None:
    table, tokens = await moot(tables, Person("May"), Beside("Bo"), Person("Cy"), Beside("Di"))
    token = tokens[0]
    assert tokens[1] == tokens[3] == token != tokens[2]
    assert table.seats.find_holder(token).holds == (0, 1, 3)
    for seat in (0, 1, 3):  # simultaneous: one after another, each behind the curtain
        assert table.seats.find_holder(token).viewer == SPECTATOR
        assert table.seats.find_next_person(token) == seat
        await table.seats.move_curtain(token, seat)
        assert table.seats.find_holder(token).viewer == seat
        await answer(table, token)
    assert table.seats.find_holder(token).viewer == 3  # nobody else of the device is asked: Di may look on
    await answer(table, tokens[2])
    assert table.seats.find_holder(token).viewer == SPECTATOR  # now May has to speak
    assert table.seats.find_next_person(token) == 0


async def test_a_player_that_answered_may_look_again_and_undo(tables: Tables) -> None:
    table, tokens = await moot(tables, Person("May"), Beside("Bo"), Person("Cy"))
    token = tokens[0]
    await table.seats.move_curtain(token, 0)
    await answer(table, token)
    await table.seats.move_curtain(token, 0)
    assert table.seats.find_holder(token).viewer == 0
    await table.moves.undo(table.seats.find_holder(token), table.position.version(0))
    assert table.seats.find_holder(token).viewer == 0
    await answer(table, token)
    assert table.seats.find_holder(token).viewer == SPECTATOR


async def test_news_lets_the_curtain_fall_for_another_seat_only(tables: Tables) -> None:
    table, tokens = await moot(tables, Person("May"), Person("Cy"), Beside("Bo"))
    token, cy = tokens[0], tokens[1]
    await table.seats.move_curtain(token, 2)
    await answer(table, token)
    await table.seats.move_curtain(token, 0)
    await answer(table, token)
    await answer(table, cy)  # May is asked to speak, and it is she who looks
    assert table.seats.find_holder(token).viewer == 0
    await answer(table, token)  # then Cy may veto
    assert table.seats.find_holder(token).viewer == 0
    await answer(table, cy)
    assert table.seats.find_holder(token).viewer == 0  # Cy speaks
    await answer(table, cy)  # and Bo may veto
    assert table.seats.find_holder(token).viewer == SPECTATOR


async def test_the_curtain_can_be_let_down_and_stays_down(tables: Tables) -> None:
    table, tokens = await moot(tables, Person("May"), Beside("Bo"))
    token = tokens[0]
    await table.seats.move_curtain(token, 0)
    await table.seats.move_curtain(token, None)
    assert table.seats.find_holder(token).viewer == SPECTATOR
    with pytest.raises(NotSeated, match="Choose first which of them you are"):
        await table.moves.act(table.seats.find_holder(token), 1, [0])
    with pytest.raises(NotSeated):
        await table.seats.move_curtain(token, 2)


async def test_behind_the_curtain_the_page_changes_only_with_whose_turn_it_is(tables: Tables) -> None:
    """Cy's moves are news for May and Bo, but do not change their curtain."""
    table, tokens = await moot(tables, Person("May"), Beside("Bo"), Person("Cy"))
    token = tokens[0]
    await table.seats.move_curtain(token, 1)
    await answer(table, token)
    await table.seats.move_curtain(token, 0)
    await answer(table, token)
    await table.seats.move_curtain(token, None)
    before = table.page_mark(token)
    assert before[:2] == (None, None)
    assert table.page_mark(token) == before
    await answer(table, tokens[2])
    assert table.page_mark(token)[:2] == (None, 0)
    await table.seats.move_curtain(token, 0)
    await table.seats.move_curtain(token, None)
    for seat in (0, 1):
        assert str(table.position.version(seat)) not in str(table.page_mark(token)[:3])


async def test_a_restart_changes_no_curtain(tmp_path: Path) -> None:
    async with tables_at(tmp_path) as tables:
        table, tokens = await moot(tables, Person("May"), Beside("Bo"))
        await table.seats.move_curtain(tokens[0], 0)
    async with tables_at(tmp_path) as tables:
        table = await tables.table(table.key)
        assert table.seats.find_holder(tokens[0]).viewer == 0
        await answer(table, tokens[0])
        assert table.seats.find_holder(tokens[0]).viewer == SPECTATOR
    async with tables_at(tmp_path) as tables:
        table = await tables.table(table.key)
        assert table.seats.find_holder(tokens[0]).viewer == SPECTATOR
        assert table.seats.find_holder(tokens[0]).holds == (0, 1)


async def test_a_bot_that_stands_in_is_not_asked_for(tmp_path: Path) -> None:
    # A bot that moved meanwhile would let the curtain fall.
    async with tables_at(tmp_path, bot_runner=Pondering(make_level)) as tables:
        table, tokens = await moot(tables, Person("May"), Beside("Bo"), Robot("random"))
        token = tokens[0]
        await table.seats.move_curtain(token, 1)
        await table.seats.resign(table.seats.find_holder(token))
        assert table.seats.find_next_person(token) == 0
        await table.seats.move_curtain(token, 1)
        await table.seats.reclaim_seat(table.seats.find_holder(token))
        assert table.row.seats[1].by == "person"


def test_the_next_one_is_asked_round_the_table() -> None:
    device = SharedDevice((1, 2, 4))
    assert device.next([1, 2, 4]) == 1
    device.take(Curtain(2, 2, rises=1, version=1))
    assert device.next([1, 4]) == 4
    assert device.next([1]) == 1
    assert device.next([]) is None


def test_the_curtain_falls_after_every_moment() -> None:
    """All people have just looked at the device, so no view may appear by itself, not even of the same seat."""
    device = SharedDevice((0, 1))
    device.take(Curtain(0, 0, rises=1, version=5, moments=2))
    shown = []
    for moments in (2, 3):
        device.settle([0], 0, moments)
        shown.append(device.seat)
    assert shown == [0, None]
    assert device.next([0]) == 0
