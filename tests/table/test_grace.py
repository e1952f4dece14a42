"""What a person has decided is held for some seconds: they may take it back, and nobody else notices anything."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import ClassVar

import anyio
import pytest

from gonfalon import games
from gonfalon.core.errors import OptionError, Refusal
from gonfalon.core.game import Game
from gonfalon.core.state import SPECTATOR
from gonfalon.table import Beside, LinkHolder, Person, Robot, Table, Tables
from gonfalon.table.errors import Finished, Stale
from gonfalon.table.position import ACT, BACK, HELD, HOLD, Entry, Held, Position, position_after, record
from tests.table.duel import DONE, Duel
from tests.table.opening import tables_at

pytestmark = pytest.mark.anyio
MAY, BO = LinkHolder(0), LinkHolder(1)


class SlowDuel(Duel):
    """The Duel with a grace."""

    has_grace: ClassVar[bool] = True


def find(name: str, **options: object) -> Game:
    if name != "duel":
        raise OptionError("There is only the duel.")
    return SlowDuel(**options)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    # Nobody is told to be away meanwhile, which would be a change of its own.
    async with tables_at(tmp_path, find=find, grace=60) as tables:
        yield tables


async def two(tables: Tables, grace: int = 3) -> Table:
    table, _ = await tables.open_table(SlowDuel(), [Person("May"), Person("Bo")], grace=grace)
    return table


async def say(table: Table, who: LinkHolder, *texts: str) -> None:
    await table.moves.act(who, table.position.version(who.viewer), [table.game.parse(text) for text in texts])


async def back(table: Table, who: LinkHolder) -> None:
    await table.moves.take_back(who, table.position.version(who.viewer))


def seen_by(table: Table, viewer: int) -> object:
    """All that a viewer could tell a change by."""
    position = table.position
    return (table.shown(viewer), table.mark(viewer), table.company(), position.version(viewer), position.waited_for())


async def until_done(table: Table) -> None:
    with anyio.fail_after(20):
        while table.position.held:
            await table.current.news.wait()


async def exchanged(table: Table) -> None:
    """Both have exchanged nothing, and it is somebody's turn to play."""
    for seat in (0, 1):
        async with table.current.lock:
            await table.moves.act_at(seat, table.position.version(seat), [DONE])


@pytest.mark.parametrize("together", [True, False])
async def test_nobody_else_notices_what_is_held_or_taken_back(tables: Tables, together: bool) -> None:
    table = await two(tables)
    if not together:
        await exchanged(table)
    others = {viewer: seen_by(table, viewer) for viewer in (1, SPECTATOR)}
    mine, hand = table.shown(0), table.view(0).legal(0)
    choice = str(DONE) if together else table.game.notation(hand[0])
    await table.moves.act(MAY, mine["version"], hand[-1:] if together else hand[:1])
    assert {viewer: seen_by(table, viewer) for viewer in others} == others
    now = table.shown(0)
    assert now["held"] is not None
    assert [action["id"] for action in now["held"]["actions"]] == ["done" if together else choice]
    assert now["can_take_back"]
    assert not table.position.asked(0)
    assert now["decision"] is None
    assert now["board"] == mine["board"]
    assert now["log"] == mine["log"]
    await back(table, MAY)
    assert {viewer: seen_by(table, viewer) for viewer in others} == others
    again = table.shown(0)
    assert {**again, "version": 0} == {**mine, "version": 0}


async def test_it_is_done_when_the_grace_has_passed_and_not_before(tables: Tables) -> None:
    table = await two(tables, grace=1)
    await exchanged(table)
    seat = 0 if table.position.asked(0) else 1
    begun, before = time.time(), table.position.version(1 - seat)
    await table.moves.act(LinkHolder(seat), table.position.version(seat), table.view(seat).legal(seat)[:1])
    due = table.position.held[seat].due
    assert begun + 1 <= due <= time.time() + 1
    await until_done(table)
    assert time.time() >= due
    assert table.position.version(1 - seat) == before + 1
    assert table.position.asked(1 - seat)
    assert [entry.kind for entry in tables.store.entries(table.key)][-2:] == [HOLD, ACT]


async def test_every_decision_of_a_seat_is_held_for_the_same_time(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The only card, one of many, nothing at all: none of it can be told by when it is done."""
    table = await two(tables)
    monkeypatch.setattr(tables.heartbeat, "now", lambda: 1000.0)
    for actions in ([DONE], [*table.view(0).legal(0)[:1], DONE]):
        await table.moves.act(MAY, table.position.version(0), actions)
        assert table.position.held[0].due == 1003.0
        await back(table, MAY)


async def test_each_is_done_at_its_own_time(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await two(tables, grace=5)
    for now, who in ((1000.0, MAY), (1003.0, BO)):
        monkeypatch.setattr(tables.heartbeat, "now", lambda now=now: now)
        await table.moves.act(who, table.position.version(who.viewer), [DONE])
    monkeypatch.setattr(tables.heartbeat, "now", lambda: 1006.0)
    await table.moves.release()
    assert list(table.position.held) == [1]
    assert table.position.state.answers[0] == [DONE]
    assert table.shown(0)["can_take_back"]  # Bo has not answered yet, as far as May can see


async def test_at_one_device_the_next_may_answer_while_the_first_can_still_take_back(tables: Tables) -> None:
    table, tokens = await tables.open_table(SlowDuel(), [Person("May"), Beside("Bo")], grace=5)
    await table.seats.rise(tokens[0], 0)
    await table.moves.act(table.seats.who(tokens[0]), table.position.version(0), [DONE])
    assert table.seats.device(tokens[0]).seat is None  # the curtain has fallen
    assert table.seats.turn_of(tokens[0]) == 1
    await table.seats.rise(tokens[0], 0)
    await table.moves.take_back(table.seats.who(tokens[0]), table.position.version(0))
    assert table.position.asked(0)


async def test_the_same_post_again_changes_nothing_and_another_is_refused(tables: Tables) -> None:
    table = await two(tables)
    version = table.position.version(0)
    for _ in range(2):
        await table.moves.act(MAY, version, [DONE])
    assert len(tables.store.entries(table.key)) == table.position.length
    with pytest.raises(Stale):
        await table.moves.act(MAY, version, [*table.view(0).legal(0)[:1], DONE])
    with pytest.raises(Refusal, match="take that back first"):
        await table.moves.act(MAY, table.position.version(0), [DONE])
    with pytest.raises(Refusal, match="taken back"):
        await back(table, BO)


async def test_what_is_not_legal_is_refused_at_once(tables: Tables) -> None:
    table = await two(tables)
    await exchanged(table)
    with pytest.raises(Refusal):
        await table.moves.act(MAY, table.position.version(0), [DONE])
    assert not table.position.held


async def test_what_was_held_when_the_server_died_is_done_by_the_next(tmp_path: Path) -> None:
    async with tables_at(tmp_path, find=find) as tables:
        table = await two(tables, grace=1)
        key = table.key
        await table.moves.act(MAY, table.position.version(0), [DONE])
        assert table.position.held
    async with tables_at(tmp_path, find=find) as tables:
        table = await tables.table(key)
        assert table.position.asked(1)
        await until_done(table)
        assert table.position.state.answers[0] == [DONE]


async def test_whoever_gives_up_leaves_nothing_behind(tables: Tables) -> None:
    table = await two(tables)
    await table.moves.act(MAY, table.position.version(0), [DONE])
    async with table.current.lock:
        await table.moves.give_up(0)
    assert not table.position.held
    with pytest.raises(Finished):
        await back(table, MAY)


async def test_who_has_it(tables: Tables) -> None:
    """Tables of several people, in games that say so; the rematch too."""
    alone, _ = await tables.open_table(SlowDuel(), [Person("May"), Robot("random")], grace=3)
    beside, _ = await tables.open_table(SlowDuel(), [Person("May"), Beside("Bo")], grace=5)
    other, _ = await tables.open_table(Duel(), [Person("May"), Person("Bo")], grace=3)
    assert [table.row.grace for table in (alone, beside, other)] == [0, 5, 0]
    assert [games.game(name).has_grace for name in ("feint", "jinkei", "factionwars", "generals")] == [
        True,
        False,
        True,
        False,
    ]


def test_a_record_is_without_what_was_held() -> None:
    game = Duel()
    position = Position(game)
    entries = position.chance()
    decided = len(entries)
    entries += position.hold(0, None, [DONE], 5.0)
    entries += position.take_back(0, None)
    entries += position.hold(0, None, [DONE], 6.0)
    entries += position.hold(1, None, [DONE], 7.0)
    entries += position.release(1)
    entries += position.release(0)
    assert [entry.kind for entry in entries[decided:]] == [HOLD, BACK, HOLD, HOLD, ACT, ACT]
    assert entries[decided + 1].text == HELD
    again = position_after(game, entries)
    assert again.state.dump() == position.state.dump()
    assert not again.held
    assert len(record(game, entries, ["May", "Bo"]).decisions) == decided + 2
    assert position_after(game, entries[: decided + 3]).held == {0: Held(6.0, (DONE,))}
    assert Entry(HOLD, 0, '[5.0, "done"]') == entries[decided]
