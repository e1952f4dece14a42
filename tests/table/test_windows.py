"""Answer windows: the time, the record and the messages do not reveal whether a seat could have answered."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import Beside, LinkHolder, Person, Robot, Table, Tables, chance
from gonfalon.table.errors import NoChoice
from tests.table.duel import Duel
from tests.table.opening import first, let_pass, moot, say, tables_at, tables_on, until

pytestmark = pytest.mark.anyio
MAY, BO = LinkHolder(0), LinkHolder(1)
LENGTH = 0.2


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    async with tables_at(tmp_path, grace=60, pause=(LENGTH, LENGTH)) as tables:
        yield tables


async def open_window(tables: Tables, can: bool, bo: str = "person") -> Table:
    """Return a table where Bo may veto May's card. His cards are higher, or they are not."""
    sitter = Person("Bo") if bo == "person" else Robot(bo)
    while True:
        table, _ = await moot(tables, Person("May"), sitter)
        await first(table, 0)
        if bo == "person":
            await say(table, BO, f"k{10 + max(ranks(table, 1))}")
        await until(lambda table=table: table.position.is_asked(0))
        theirs = ranks(table, 1)
        ready = [rank for rank in ranks(table, 0) if any(other > rank for other in theirs) == can]
        if ready:
            await say(table, MAY, f"k{ready[0]}")
            return table


def ranks(table: Table, seat: int) -> list[int]:
    return sorted((card & 1023) % 10 for card in table.position.state.unordered_zones()[seat])


async def answered_after(table: Table) -> float:
    """Return the seconds from the end of the window until it closed, as shown to the other seat."""
    version, end = table.position.version(0), table.windows.due()
    await until(lambda: table.position.version(0) != version)
    return table.current.time.now() - end


@pytest.mark.parametrize("can", [True, False], ids=["could", "could not"])
@pytest.mark.parametrize("how", ["never", "able", "person", "bot"])
async def test_every_answer_comes_after_the_same_time(tables: Tables, how: str, can: bool) -> None:
    """A seat that can veto is not answered automatically under `able`. The window stays open until the
    person answers."""
    if how == "bot":
        table = await open_window(tables, can, "random")
    else:
        table = await open_window(tables, can)
    assert tables.store.entries(table.key)[-1].seat == 0
    async with anyio.create_task_group() as tasks:
        if how in ("never", "able"):
            await table.seats.set_standing_answer(BO, how)
        if how == "able" and can:
            await until(lambda: table.windows.left() <= 0)
            await anyio.wait_all_tasks_blocked()
            assert table.game.window(table.view(SPECTATOR)) == "Veto"
        if how == "person" or (how == "able" and can):
            tasks.start_soon(say, table, BO, "pass")
        assert await answered_after(table) >= 0
    entry = tables.store.entries(table.key)[-1]
    assert (entry.kind, entry.seat) == ("act", 1)
    if how != "bot":
        assert entry.text == "pass"


async def asked_to_veto(table: Table) -> None:
    """Let May play her lowest card, so that Bo is asked about it."""
    await until(lambda: table.position.is_asked(0))
    await say(table, MAY, f"k{ranks(table, 0)[0]}")
    assert table.game.window(table.view(SPECTATOR)) == "Veto"


@pytest.mark.parametrize("beside", [True, False], ids=["one device", "two devices"])
async def test_people_at_one_device_wait_for_no_window(tables: Tables, beside: bool) -> None:
    """They see each other answer. On two devices the time would reveal it. May plays the first card."""
    table, _ = await moot(tables, Person("May"), Beside("Bo") if beside else Person("Bo"))
    await first(table, 0)
    await say(table, BO, f"k{10 + max(ranks(table, 1))}")
    await asked_to_veto(table)
    assert (table.windows.seconds() is None) is beside
    end = table.windows.due()
    await say(table, BO, "pass")
    assert beside or table.current.time.now() >= end


async def test_timing_reveals_nothing_to_spectators_of_one_device(tables: Tables) -> None:
    table, _ = await moot(tables, Person("May"), Beside("Bo"))
    await first(table, 0)
    await say(table, BO, f"k{10 + max(ranks(table, 1))}")
    table.presence.enter([SPECTATOR])
    await asked_to_veto(table)
    assert table.windows.seconds() == LENGTH
    end = table.windows.due()
    await say(table, BO, "pass")
    assert table.current.time.now() >= end


@pytest.mark.parametrize("beside", [True, False], ids=["two people", "a bot"])
async def test_a_standing_answer_counts_at_once_for_a_lone_player(tables: Tables, beside: bool) -> None:
    """For the other person at the device its time would reveal that no question was asked."""
    table, _ = await moot(
        tables, Person("May") if beside else Robot("random"), Beside("Bo") if beside else Person("Bo")
    )
    table.windows.pause = (LENGTH, LENGTH) if beside else (3600.0, 3600.0)
    table.presence.enter([1])
    await first(table, *((0, 1, 0) if beside else (1,)))
    await until(lambda: table.windows.due() > 0 and table.position.is_asked(1))
    version, closes = table.position.version(0), table.windows.due()
    await table.seats.set_standing_answer(BO, "never")
    await until(lambda: table.position.version(0) != version)
    assert not beside or table.current.time.now() >= closes


@pytest.mark.parametrize("secret", ["a", "b"])
async def test_the_end_of_a_window_does_not_depend_on_possible_answers(tmp_path: Path, secret: str) -> None:
    """Twin tables with the same key, secret and history differ in whether Bo can veto."""
    ends: list[tuple[float, float | None]] = []
    async with tables_at(tmp_path, grace=60, pause=(5.0, 9.0)) as tables:
        tables.store.secret = secret
        for can in (True, False):
            table = await open_window(tables, can)
            end = table.windows.due()
            assert 5.0 < end - table.position.shown_at < 9.0
            for choice in ("able", "always"):
                await table.seats.set_standing_answer(BO, choice)
            longer = table.position.clone()
            longer.request_undo(0, None)  # an entry that shows nothing new of the game
            assert longer.length == table.position.length + 1
            table.current.position = longer
            assert table.windows.due() == end
            table.current.key, longer.shown_length, longer.shown_at = "twin", 7, 1000.0
            ends.append((table.windows.due(), table.windows.seconds()))
    assert ends[0] == ends[1]


async def test_windows_are_open_for_different_times(tables: Tables) -> None:
    table = await open_window(tables, can=True)
    table.windows.pause = (5.0, 9.0)
    drawn: dict[tuple[str, str, int], float] = {}
    for secret in ("a", "b"):
        for key in ("c", "d"):
            for length in (3, 4):
                tables.store.secret, table.current.key, table.position.shown_length = secret, key, length
                drawn[secret, key, length] = table.windows.due()
    assert len(set(drawn.values())) == len(drawn) == 8


async def test_all_processes_and_restarts_have_the_same_end(database: str) -> None:
    async with tables_on(database, pause=(50.0, 90.0)) as here, tables_on(database, pause=(50.0, 90.0)) as there:
        table = await open_window(here, can=True)
        end, seconds = table.windows.due(), table.windows.seconds()
        entry = here.store.entries(table.key)[-1]
        assert seconds is not None
        assert end == pytest.approx(entry.at + seconds, abs=1e-6)
        other = await there.table(table.key)
        assert (other.windows.due(), other.windows.seconds()) == (end, seconds)
        here.forget(table.key)
        again = await here.table(table.key)
        assert (again.windows.due(), again.windows.seconds()) == (end, seconds)


async def test_a_setting_is_shown_to_its_owner_alone(tables: Tables) -> None:
    table = await open_window(tables, can=True)
    before = {viewer: (table.mark(viewer), table.build_view(viewer)) for viewer in (0, SPECTATOR)}
    company, own = table.public_mark(), table.mark(1)
    stored = tables.store.entries(table.key)
    await table.seats.set_standing_answer(BO, "able")
    assert table.seats.standing_answer(1) == "able"
    assert table.mark(1) != own
    assert table.public_mark() == company
    assert tables.store.entries(table.key) == stored
    for viewer, (mark, shown) in before.items():
        assert table.mark(viewer) == mark
        assert table.build_view(viewer) == shown
    assert table.seats.standing_answer(0) == "always"


async def test_never_lasts_for_one_turn_and_for_windows_only(tmp_path: Path) -> None:
    async with tables_at(tmp_path, grace=60) as tables:
        table = await open_window(tables, can=True)
        await table.seats.set_standing_answer(BO, "never")
        await until(lambda: table.game.window(table.view(SPECTATOR)) is None)
        assert tables.store.entries(table.key)[-1].text == "pass"
        assert table.position.is_asked(1)  # to speak: that is no window
        assert table.seats.standing_answer(1) == "never"
        await table.moves.act(BO, table.position.version(1), table.view(1).legal(1)[-1:])
        assert table.seats.standing_answer(1) == "always"


async def test_a_change_of_mind_in_the_pause_counts(tmp_path: Path) -> None:
    async with tables_at(tmp_path, grace=600, pause=(60, 60), monotonic=lambda: 0.0) as tables:
        table = await open_window(tables, can=True)
        await table.seats.set_standing_answer(BO, "never")
        await table.seats.set_standing_answer(BO, "always")
        let_pass(tables, 60)
        table.current.wake_followers()
        await anyio.wait_all_tasks_blocked()
        assert table.game.window(table.view(SPECTATOR)) == "Veto"
        veto = table.view(1).legal(1)[0]
        await table.moves.act(BO, table.position.version(1), [veto])


async def test_a_setting_outlives_the_server(tmp_path: Path) -> None:
    async with tables_at(tmp_path, grace=60) as tables:
        table = await open_window(tables, can=True)
        await table.seats.set_standing_answer(MAY, "able")
    async with tables_at(tmp_path, grace=60) as tables:
        again = await tables.table(table.key)
        assert again.seats.standing_answer(0) == "able"
        assert again.seats.standing_answer(1) == "always"


async def test_there_are_no_other_settings(tables: Tables) -> None:
    table = await open_window(tables, can=True)
    with pytest.raises(NoChoice):
        await table.seats.set_standing_answer(BO, "sometimes")
    duel, _ = await tables.open_table(Duel(), [Person("May"), Person("Bo")])
    assert duel.seats.standing_answer(0) is None
    with pytest.raises(NoChoice):
        await duel.seats.set_standing_answer(MAY, "able")


async def test_the_record_is_the_same_for_each_way_to_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three ways to pass give the same record and show the others the same."""
    monkeypatch.setattr(chance.SYSTEM, "getrandbits", lambda bits: 4)
    told: list[Any] = []
    async with tables_at(tmp_path, grace=60) as tables:
        for choice in ("always", "able", "never"):
            table, _ = await moot(tables, Person("May"), Person("Bo"))
            await first(table, 0, 1)
            top = max(ranks(table, 0))
            assert top >= max(ranks(table, 1))
            await say(table, MAY, f"k{top}")
            await table.seats.set_standing_answer(BO, choice)
            if choice == "always":
                await say(table, BO, "pass")
            await until(lambda table=table: table.game.window(table.view(SPECTATOR)) is None)
            shown = {viewer: {**table.build_view(viewer), "table": ""} for viewer in (0, SPECTATOR)}
            told.append((tables.store.entries(table.key), shown))
    assert told[0] == told[1] == told[2]
