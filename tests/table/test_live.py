"""Live tables: people, bots, chance, races, restarts, and the information each viewer gets."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, ClassVar

import anyio
import pytest
import sqlalchemy as sa

from gonfalon import games
from gonfalon.bots import Bot, Budget, Choice, make
from gonfalon.core.basics.errors import OptionError, Refusal
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import SPECTATOR, State
from gonfalon.table import LinkHolder, Open, Person, Robot, Seating, Store, Table, Tables
from gonfalon.table.errors import Broken, Finished, NoTable, NotSeated, NoWay, Stale, Taken
from gonfalon.table.game.position import MOMENTS_KEPT
from gonfalon.table.links import WATCH, derive_invitation, hash_token
from tests.table.duel import DONE, Duel
from tests.table.opening import find, nonce, over_of, say, tables_at, until

pytestmark = pytest.mark.anyio
MAY, BO = LinkHolder(0), LinkHolder(1)


async def two(tables: Tables, *seating: Seating) -> Table:
    table, _ = await tables.open_table(Duel(), seating or (Person("May"), Person("Bo")))
    return table


def hand(table: Table, seat: int) -> list[int]:
    return table.view(seat).legal(seat)


async def to_the_end(table: Table, *people: LinkHolder) -> None:
    """Play the last legal action for these people until the game is over."""
    watch = table.watch(SPECTATOR)
    table.presence.enter([SPECTATOR])
    with anyio.fail_after(60):
        while not table.position.over:
            await watch.changed()
            for who in people:
                while table.position.is_asked(who.viewer):
                    await table.moves.act(who, table.position.version(who.viewer), [hand(table, who.viewer)[-1]])


@pytest.mark.fresh_deals
async def test_chance_is_drawn_by_the_table_and_differs(tables: Tables) -> None:
    seeds = set()
    for _ in range(3):
        table = await two(tables)
        entries = tables.store.entries(table.key)
        assert [entry.seat for entry in entries] == [-1, -1]
        seeds |= {int(entry.text.removeprefix("seed:")) for entry in entries}
    assert len(seeds) == 6
    assert all(0 <= seed < 2**62 for seed in seeds)


async def test_several_actions_are_all_or_nothing(tables: Tables) -> None:
    table = await two(tables)
    mine = hand(table, 0)[0]
    before = table.position.state.dump()
    stored = tables.store.entries(table.key)
    with pytest.raises(Refusal, match="to play"):
        await table.moves.act(MAY, table.position.version(0), [mine, 10, DONE])
    assert table.position.state.dump() == before
    assert tables.store.entries(table.key) == stored
    await table.moves.act(MAY, table.position.version(0), [mine, DONE])
    assert len(tables.store.entries(table.key)) == len(stored) + 2


async def test_the_same_again_is_accepted_and_changes_nothing(tables: Tables) -> None:
    table = await two(tables)
    old = table.position.version(0)
    mine = hand(table, 0)[0]
    await table.moves.act(MAY, old, [mine, DONE])
    stored = tables.store.entries(table.key)
    await table.moves.act(MAY, old, [mine, DONE])
    assert tables.store.entries(table.key) == stored


async def test_two_clicks_at_once_do_one_thing(tables: Tables) -> None:
    table = await two(tables)
    await say(table, MAY, "done")
    await say(table, BO, "done")
    version, cards = table.position.version(0), hand(table, 0)
    told: list[str] = []

    async def click(action: int) -> None:
        try:
            await table.moves.act(MAY, version, [action])
            told.append("done")
        except (Stale, Refusal) as error:
            told.append(type(error).__name__)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(click, cards[0])
        tasks.start_soon(click, cards[1])
    assert sorted(told) == ["Stale", "done"]
    position = table.position.state
    assert len(position.played[0]) == 1  # type: ignore[attr-defined]


async def test_a_secret_answer_is_invisible_to_others(tables: Tables) -> None:
    table = await two(tables)
    before = {viewer: (table.mark(viewer), table.build_view(viewer)) for viewer in (1, SPECTATOR)}
    woken: list[int] = []

    async def wait(viewer: int) -> None:
        watch = table.watch(viewer)
        await watch.changed()
        await watch.changed()
        woken.append(viewer)

    async with anyio.create_task_group() as tasks:
        for viewer in (0, 1, SPECTATOR):
            tasks.start_soon(wait, viewer)
        await anyio.wait_all_tasks_blocked()
        await say(table, MAY, f"k{hand(table, 0)[0]}", "done")
        await anyio.wait_all_tasks_blocked()
        assert woken == [0]
        for viewer, (mark, shown) in before.items():
            assert table.mark(viewer) == mark
            assert table.build_view(viewer) == shown
        await say(table, BO, "done")
        await anyio.wait_all_tasks_blocked()
        assert sorted(woken) == [SPECTATOR, 0, 1]


async def test_a_view_holds_no_card_that_its_viewer_has_not_seen(tables: Tables) -> None:
    """Every card's name is a canary, and each viewer is shown only the cards they have seen."""
    table = await two(tables)
    seen: dict[int, set[str]] = {0: set(), 1: set(), SPECTATOR: set()}
    while not table.position.over:
        for viewer in seen:
            text = repr(table.build_view(viewer))
            view = table.view(viewer)
            may = {f"CARD-{card & 1023}-" for zone in view.ordered_zones() + view.unordered_zones() for card in zone}
            may |= {f"CARD-{event[3] & 1023}-" for event in view.log or ()} | seen[viewer]
            seen[viewer] |= may
            for kind in (*range(6), *range(10, 16)):
                assert f"CARD-{kind}-" not in text or f"CARD-{kind}-" in may
        who = MAY if table.position.is_asked(0) else BO
        await table.moves.act(who, table.position.version(who.viewer), [hand(table, who.viewer)[0]])
    assert not any(
        f"CARD-{kind}-" in repr(table.build_view(SPECTATOR))
        for kind in range(10)
        if (0, kind) not in list_played_cards(table)
    )


def list_played_cards(table: Table) -> set[tuple[int, int]]:
    zones = table.position.state.played  # type: ignore[attr-defined]
    return {(seat, card & 1023) for seat in range(2) for card in zones[seat]}


async def test_a_restart_loses_nothing_and_goes_on(tmp_path: Path) -> None:
    async with tables_at(tmp_path) as tables:
        table = await two(tables, Person("May"), Robot("random"))
        await say(table, MAY, "done")
        watch = table.watch(0)
        with anyio.fail_after(60):
            while not table.position.is_asked(0):
                await watch.changed()
        versions = {viewer: table.position.version(viewer) for viewer in (0, 1, SPECTATOR)}
        dump = table.position.state.dump()
    async with tables_at(tmp_path) as tables:
        again = await tables.table(table.key)
        assert again is not table
        assert again.position.state.dump() == dump
        assert {viewer: again.position.version(viewer) for viewer in versions} == versions
        await to_the_end(again, MAY)


async def test_a_restart_wakes_the_bots(tmp_path: Path) -> None:
    async with tables_at(tmp_path) as tables:
        tables._tasks = None  # the server dies before its bot has moved
        table = await two(tables, Robot("random"), Robot("random"))
        await anyio.wait_all_tasks_blocked()
        assert table.position.length == 2
    async with tables_at(tmp_path) as tables:
        await to_the_end(await tables.table(table.key))


async def test_a_crash_after_the_commit_loses_nothing(tmp_path: Path) -> None:
    def crash() -> None:
        raise KeyError("the power went")

    async with tables_at(tmp_path) as tables:
        table = await two(tables)
        old = table.position.version(0)
        table.current.publish = crash
        with pytest.raises(KeyError):
            await table.moves.act(MAY, old, [DONE])
    async with tables_at(tmp_path) as tables:
        again = await tables.table(table.key)
        assert again.position.length == 3
        assert not again.position.is_asked(0)
        await again.moves.act(MAY, old, [DONE])
        assert again.position.length == 3


async def test_a_failed_commit_changes_nothing(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError("disk full")

    table = await two(tables)
    dump = table.position.state.dump()
    monkeypatch.setattr(Store, "append", full)
    with pytest.raises(OSError, match="disk full"):
        await say(table, MAY, "done")
    monkeypatch.undo()
    assert table.position.state.dump() == dump
    await say(table, MAY, "done")


async def test_people_and_their_seats(tables: Tables) -> None:
    table, tokens = await tables.open_table(Duel(), [Open(), Person("May")])
    token = tokens[1]
    assert table.seats.find_holder(token) == LinkHolder(1)
    assert table.seats.find_holder(WATCH) == LinkHolder(SPECTATOR)
    invited = table.seats.find_holder(derive_invitation(token))
    assert (invited.seated, invited.invited) == (False, True)
    for wrong in ("", token[:-1], token + "x", hash_token(token), "ü", "\udcff"):
        with pytest.raises(NoWay):
            table.seats.find_holder(wrong)
    for who in (invited, table.seats.find_holder(WATCH)):
        with pytest.raises(NotSeated):
            await table.moves.act(who, 1, [DONE])
        with pytest.raises(NotSeated):
            await table.seats.resign(who)
    assert token not in repr(tables.store.table(table.key))


async def test_tokens_and_keys_are_long_and_differ(tables: Tables) -> None:
    found = set()
    for _ in range(5):
        table, tokens = await tables.open_table(Duel(), [Person("May"), Person("Bo")])
        found |= {table.key, *tokens.values(), derive_invitation(tokens[0])}
    assert len(found) == 20
    assert min(map(len, found)) >= 16


async def test_sitting_down(tables: Tables) -> None:
    table, tokens = await tables.open_table(Duel(), [Person("May"), Open()])
    ticket = derive_invitation(tokens[0])
    theirs = table.mark(0)
    token = await table.seats.take_seat(ticket, nonce("bo"), "  Bo\u202e\x00  \nBobson ")
    assert table.seats.find_holder(token) == LinkHolder(1)
    assert table.names == ["May", "Bo Bobson"]
    assert table.mark(0) != theirs
    assert await table.seats.take_seat(ticket, nonce("bo"), "Bo") == token
    with pytest.raises(Taken):
        await table.seats.take_seat(ticket, nonce("cy"), "Cy")
    with pytest.raises(NoWay):
        await table.seats.take_seat("guess", nonce("cy"), "Cy")


async def test_conceding_ends_the_game(tables: Tables) -> None:
    table = await two(tables)
    await table.seats.resign(MAY)
    await table.seats.resign(MAY)
    assert table.position.over
    assert over_of(table, 0)["text"] == "You resigned."
    assert over_of(table, 1)["text"] == "May resigned."
    assert table.build_view(1)["decision"] is None
    with pytest.raises(Finished):
        await say(table, BO, "done")
    with pytest.raises(Finished):
        await table.seats.resign(BO)
    record = await table.moves.record()
    assert record.ended == {"seat": 0, "how": "resigned"}
    assert record.result is None


async def test_a_rematch_changes_sides(tables: Tables) -> None:
    table, tokens = await tables.open_table(Duel(), [Person("May"), Person("Bo")])
    with pytest.raises(Stale, match="not over"):
        await tables.rematch(table, MAY, tokens[0], nonce("0"))
    await table.seats.resign(MAY)
    key, may = await tables.rematch(table, MAY, tokens[0], nonce("0"))
    assert await tables.rematch(table, MAY, tokens[0], nonce("0")) == (key, may)
    again, bo = await tables.rematch(table, BO, tokens[1], nonce("1"))
    assert again == key
    new = await tables.table(key)
    assert new.names == ["Bo", "May"]
    assert (new.seats.find_holder(may), new.seats.find_holder(bo)) == (LinkHolder(1), LinkHolder(0))


DAMAGES = [
    "UPDATE tables SET options = 'nothing' WHERE key = :key",
    "UPDATE tables SET options = '[1]' WHERE key = :key",
    """UPDATE seats SET seat = 7 WHERE seat = 1 AND "table" = :key""",
    """DELETE FROM seats WHERE seat = 1 AND "table" = :key""",
    """UPDATE entries SET seat = 9 WHERE seq = 2 AND "table" = :key""",
    """UPDATE entries SET seat = -7 WHERE seq = 2 AND "table" = :key""",
    """UPDATE entries SET kind = 'nonsense' WHERE seq = 2 AND "table" = :key""",
    """UPDATE entries SET kind = 'resign', seat = 5 WHERE seq = 2 AND "table" = :key""",
    """UPDATE entries SET kind = 'back', seat = 5 WHERE seq = 2 AND "table" = :key""",
    """UPDATE entries SET text = 'k' WHERE seq = 2 AND "table" = :key""",
    """UPDATE entries SET text = 'k10' WHERE seq = 2 AND "table" = :key""",
    """DELETE FROM entries WHERE seq = 1 AND "table" = :key""",
]


async def test_a_damaged_row_is_reported_in_a_sentence(store: Store) -> None:
    async with Tables(store, pace=0, find=find).open() as tables:
        damaged = [await two(tables) for _ in DAMAGES]
        for table in damaged:
            await say(table, MAY, "done")
        sound = await two(tables)
    with store.engine.begin() as connection:
        for table, damage in zip(damaged, DAMAGES, strict=True):
            connection.execute(sa.text(damage), {"key": table.key})
    async with Tables(store, pace=0, find=find).open() as tables:
        for table in damaged:
            with pytest.raises(Broken, match=r"^[A-Z][^\n]*\.$") as told:
                await tables.table(table.key)
            assert "k1" not in str(told.value)
        await tables.table(sound.key)


async def test_no_key_can_trouble_the_database(store: Store) -> None:
    async with Tables(store, pace=0, find=find).open() as tables:
        for key in (
            "\0",
            "a\0b",
            "a" * 33,
            "a b",
            "ü",
            "",
            "'",
            "%00",
            "\ud800",
            "\n",
            "a\n",
            "none",
            "../../etc/passwd",
        ):
            with pytest.raises(NoTable, match="There is no table at this address"):
                await tables.table(key)


class Faulty:
    """A bot that fails in one way."""

    def __init__(self, fault: str) -> None:
        self.fault = fault
        self.patience = Budget(seconds=1.0)

    def choose(self, view: State, budget: Budget, rng: Rng) -> Choice:
        if self.fault == "crash":
            raise RuntimeError(repr(view.dump()))
        return Choice(999, "")


class Slow(Bot):
    """A bot that thinks until it is stopped."""

    begun: ClassVar[list[bool]] = []
    stopped: ClassVar[list[bool]] = []

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        assert budget.halt is not None
        self.begun.append(True)
        latest = time.monotonic() + 60
        while not budget.halt() and time.monotonic() < latest:
            time.sleep(0.005)
        self.stopped.append(budget.halt())
        return Choice(view.legal(view.viewer)[0], "At last.")


async def test_thinking_ends_with_the_game(tmp_path: Path) -> None:
    Slow.begun.clear()
    Slow.stopped.clear()
    async with tables_at(tmp_path, make_bot=Slow) as tables:
        table = await two(tables, Person("May"), Robot("any"))
        await until(lambda: Slow.begun)
        assert not Slow.stopped
        await table.seats.resign(MAY)
        await until(lambda: Slow.stopped)
        assert all(Slow.stopped)


@pytest.mark.parametrize("fault", ["crash", "illegal"])
async def test_a_faulty_bot_does_not_stop_the_table(
    tmp_path: Path, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with tables_at(tmp_path, make_bot=lambda level, game: Faulty(fault)) as tables:
        table = await two(tables, Robot("any"), Robot("any"))
        await to_the_end(table)
        assert "bot" in caplog.text
        assert "CARD" not in caplog.text
        assert "Exchange" not in caplog.text


async def test_a_bot_sees_its_own_view_only(tmp_path: Path) -> None:
    views: list[State] = []

    def spy(level: str, game: Game) -> Any:
        bot = make("random", game)
        choose = bot.choose

        def look(view: State, budget: Budget | None, rng: Rng) -> Choice:
            views.append(view)
            return choose(view, budget, rng)

        bot.choose = look  # type: ignore[method-assign]
        return bot

    async with tables_at(tmp_path, make_bot=spy) as tables:
        await to_the_end(await two(tables, Robot("random"), Robot("random")))
    assert {view.viewer for view in views} == {0, 1}
    for view in views:
        other = view.unordered_zones()[1 - view.viewer]
        assert all(card & 1023 == 1023 for card in other)


async def test_an_unknown_bot_or_number_of_seats_opens_no_table(tables: Tables) -> None:
    with pytest.raises(OptionError):
        await tables.open_table(Duel(), [Person("May"), Robot("genius")])
    with pytest.raises(OptionError):
        await tables.open_table(Duel(), [Person("May")])


async def test_unused_tables_are_unloaded_and_reloaded(tmp_path: Path) -> None:
    async with tables_at(tmp_path, keep=2) as tables:
        keys = [(await two(tables)).key for _ in range(5)]
        watched = await tables.table(keys[0])
        for key in keys[1:]:
            await tables.table(key)
        assert len(tables._recent) == 2
        assert await tables.table(keys[0]) is watched
        again = await tables.table(keys[1])
        assert again.key == keys[1]


async def test_the_last_moment_is_shown_again_after_the_next(tmp_path: Path) -> None:
    """The page of Jinkei still shows the last duel. Its board is computed once per viewer. Earlier moments stay as they
    were, those included that the table has dropped."""
    jinkei, rng = games.game("jinkei", memory="open"), Rng(5)
    told: list[object] = []
    passed: dict[int, list[object]] = {}
    async with tables_at(tmp_path) as tables:
        tables.find = tables.stored.find = lambda name, **options: games.game(name, **options)
        table, _ = await tables.open_table(jinkei, (Person("May"), Person("Bo")))
        assert table.lasting_board(0) is None
        while len(told) < 3 or len(passed) <= MOMENTS_KEPT:
            seat = next(seat for seat in (0, 1) if table.position.is_asked(seat))
            legal = table.view(seat).legal(seat)
            await table.moves.act(LinkHolder(seat), table.position.version(seat), [legal[rng.below(len(legal))]])
            state = table.position.moment(table.position.moment_count)
            if state is not None:
                passed[table.position.moment_count] = state.dump()
            duel = state is not None and state.moment == "duel"
            for viewer in (0, 1, SPECTATOR):
                shown = table.lasting_board(viewer)
                assert shown == (jinkei.board(state.mask(viewer)) if state is not None and duel else None)
                assert table.lasting_board(viewer) is shown
            if duel and (not told or told[-1] is not state):
                told.append(state)
        found = {number: table.position.moment(number) for number in passed}
        assert {number: state and state.dump() for number, state in found.items()} == passed
