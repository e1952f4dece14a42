"""Clocks at live tables. Tests advance table time, so no test waits for it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from gonfalon import games
from gonfalon.core.basics.errors import Refusal
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import load
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import LinkHolder, Open, Person, Robot, Seating, Table, Tables
from gonfalon.table.errors import Present
from gonfalon.table.game.clock import NETWORK_DELAY_S, Pace
from gonfalon.table.game.entries import FLAG
from gonfalon.table.game.position import Position, make_record
from gonfalon.table.links import derive_invitation
from tests.table.moot import Moot
from tests.table.opening import find, first, let_pass, over_of, say, sit_ready, tables_at, until

pytestmark = pytest.mark.anyio
MAY, BO, CY = (LinkHolder(seat) for seat in range(3))
PACE = Pace(100, 10)


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    """Tables whose time advances only when a test advances it."""
    async with tables_at(tmp_path, monotonic=lambda: 0.0) as tables:
        yield tables


async def open_moot(tables: Tables, pace: Pace = PACE, seats: int = 3, sitters: list[Seating] | None = None) -> Table:
    """Open a table of the Moot where all seats choose a card first."""
    people = sitters or [Person(name) for name in ("May", "Bo", "Cy")[:seats]]
    table, _ = await tables.open_table(Moot(seats=seats), people, pace=pace)
    return table


async def speaking(tables: Tables, pace: Pace = PACE, seats: int = 3) -> Table:
    """Open a table of the Moot where the first seat speaks."""
    table = await open_moot(tables, pace, seats)
    await first(table, *range(seats))
    return table


def wait(table: Table, seconds: float) -> None:
    """Advance table time."""
    assert isinstance(table.backend, Tables)
    let_pass(table.backend, seconds)
    table.current.wake_followers()
    table.timers.wake()


def left(table: Table, viewer: int = SPECTATOR) -> list[int | None]:
    """Return the whole seconds of the banks, as a viewer sees them."""
    clock = table.build_view(viewer)["clock"]
    assert clock is not None
    return [None if seat["left"] is None else round(seat["left"] / 1000) for seat in clock["seats"]]


def due_of(table: Table) -> float | None:
    """Return the time of the next flag."""
    return table.clocks.due(table.position)


def entries(table: Table, kind: str) -> list[int]:
    return [entry.seat for entry in table.current.store.entries(table.key) if entry.kind == kind]


async def test_the_time_of_a_decision_is_stored_with_it(tables: Tables, tmp_path: Path) -> None:
    table = await speaking(tables)
    wait(table, 40.3)
    await first(table, 0)
    spent = [entry.spent for entry in tables.store.entries(table.key) if entry.seat == 0]
    assert len(spent) == 2
    assert spent[0] == 0  # within the allotment
    assert spent[1] == 40_000
    assert left(table) == [70, 100, 100]  # 100 - 40 + 10
    due = due_of(table)
    async with tables_at(tmp_path, monotonic=lambda: 0.0) as others:
        again = await others.table(table.key)
        assert left(again) == [70, 100, 100]
        assert due_of(again) == due
        assert again.position.viewers.versions == table.position.viewers.versions


async def test_at_zero_the_strongest_bot_stands_in_and_coming_back_gives_a_step(tmp_path: Path) -> None:
    async with tables_at(tmp_path, pace=60, monotonic=lambda: 0.0) as tables:  # so long a bot takes its time
        table = await speaking(tables)
        wait(table, 101)
        await until(lambda: table.row.seats[0].stood_for)
        assert entries(table, FLAG) == [0]
        with pytest.raises(Refusal, match="A bot is playing for you"):
            await first(table, 0)
        await table.seats.reclaim_seat(MAY)
        assert left(table)[0] == 10
        wait(table, 4.3)
        await first(table, 0)
        assert left(table)[0] == 6


async def test_a_flag_in_a_question_of_all_is_answered_in_secret(tables: Tables) -> None:
    table = await open_moot(tables)
    await first(table, 0)
    pages = {
        viewer: (table.mark(viewer), table.public_mark(), table.build_view(viewer)) for viewer in (0, 2, SPECTATOR)
    }
    table.presence.enter([0, 1, 2])
    company = table.public_mark()
    assert table.position.clock is not None
    table.position.clock._later[1] = tables.now() - 101  # the time of one is up, of the others not yet
    with table.backend.store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE tables SET due = 0")
    table.timers.wake()
    await until(lambda: bool(table.position.state.answers[1]))
    assert entries(table, FLAG) == [1]
    for viewer, (mark, _, shown) in pages.items():
        assert table.mark(viewer) == mark
        assert table.build_view(viewer) == shown
    assert table.public_mark() == company
    assert table.row.seats[1].bot is None
    own = table.build_view(1)
    assert own["decision"] is None
    assert own["prompt"] == "Your time is up. A bot moves for you."
    assert not own["can_take_back"]
    with pytest.raises(Refusal):
        await table.moves.undo(BO, own["version"])
    await first(table, 2)
    await until(lambda: table.row.seats[1].stood_for)
    clock = table.build_view(2)["clock"]
    assert clock is not None
    assert [seat["out"] for seat in clock["seats"]] == [False, True, False]


async def test_answers_and_their_times_stay_secret(tables: Tables) -> None:
    table = await open_moot(tables)
    table.presence.enter([0, 1, 2])  # or they are away before a busy machine has looked
    wait(table, 60)  # the allotment of ten seconds is over, and banks run
    before = {
        viewer: (table.mark(viewer), table.public_mark(), table.build_view(viewer)) for viewer in (0, 2, SPECTATOR)
    }
    own = left(table, 1)
    await first(table, 1)
    for viewer, seen in before.items():
        assert (table.mark(viewer), table.public_mark(), table.build_view(viewer)) == seen
    assert (own[1], left(table, 1)[1]) == (100, 50)  # its own page stops its clock
    await first(table, 0, 2)
    assert left(table) == [50, 50, 50]


@pytest.mark.parametrize("seats", [2, 3])
async def test_where_the_game_is_lost_at_zero(tables: Tables, seats: int) -> None:
    table = await speaking(tables, Pace(100, 10, "lose"), seats)
    wait(table, 101)
    if seats == 2:
        await until(lambda: table.position.over)
        assert over_of(table, 1) == {
            "text": "May ran out of time.",
            "result": None,
            "ended": {"seat": 0, "how": "time"},
        }
        assert over_of(table, 0)["text"] == "You ran out of time."
    else:
        await until(lambda: table.row.seats[0].stood_for)
        assert not table.position.over
        with pytest.raises(Refusal, match="a bot plays for you now"):
            await table.seats.reclaim_seat(MAY)
        assert table.row.seats[0].stood_for


async def test_a_lost_game_of_two_ends_at_once_in_a_question_of_both(tables: Tables) -> None:
    table = await open_moot(tables, Pace(100, 0, "lose"), 2)
    await first(table, 1)
    wait(table, 111)
    await until(lambda: table.position.over)
    assert entries(table, FLAG) == [0]


async def test_without_a_claim_a_player_may_play_on(tables: Tables) -> None:
    table = await speaking(tables, Pace(100, 10, "claim"), 2)
    with pytest.raises(Present):
        await table.seats.claim_win(BO, 0)
    wait(table, 101)
    await until(lambda: entries(table, FLAG) == [0])
    assert table.row.seats[0].bot is None
    assert table.seats.may_claim_win(BO, 0)
    assert not table.seats.may_claim_win(MAY, 0)
    await first(table, 0)
    assert left(table)[0] == 10
    assert not table.seats.may_claim_win(BO, 0)
    with pytest.raises(Present):
        await table.seats.claim_win(BO, 0)


async def test_a_win_by_time_can_be_claimed_between_two(tables: Tables) -> None:
    table = await speaking(tables, Pace(100, 10, "claim"), 2)
    wait(table, 101)
    await until(lambda: entries(table, FLAG) == [0])
    await table.seats.claim_win(BO, 0)
    assert over_of(table, 1)["ended"] == {"seat": 0, "how": "time"}


async def test_a_bot_can_be_claimed_for_a_present_player(tables: Tables) -> None:
    table = await speaking(tables, Pace(100, 10, "claim"))
    table.presence.enter([0])
    with pytest.raises(Present):
        await table.seats.give_to_bot(BO, 0)
    wait(table, 101)
    await until(lambda: entries(table, FLAG) == [0])
    assert not table.seats.may_claim_win(BO, 0)  # that is for two
    await table.seats.give_to_bot(BO, 0)
    assert table.row.seats[0].stood_for


async def test_of_several_processes_one_writes_a_flag_down(tables: Tables, tmp_path: Path) -> None:
    table = await speaking(tables)
    async with tables_at(tmp_path) as others:
        again = await others.table(table.key)
        wait(table, 101)
        await others.beat()
        async with anyio.create_task_group() as both:
            for one in (table, again):
                both.start_soon(one.clocks.serve)
        assert entries(table, FLAG) == [0]
        await until(lambda: tables.store.table(table.key).seats[0].stood_for)


async def test_downtime_is_not_charged(tmp_path: Path) -> None:
    async with tables_at(tmp_path, monotonic=lambda: 5.0, wall=lambda: 1000.0) as tables:
        table = await speaking(tables)
        assert due_of(table) == 1100.3
    for wall in (5000.0, 200.0):
        async with tables_at(tmp_path, monotonic=lambda: 7.0, wall=lambda wall=wall: wall) as tables:
            again = await tables.table(table.key)
            assert (tables.now(), due_of(again)) == (1000.0, 1100.3)
            shown = again.build_view(1)["clock"]
            assert shown is not None
            assert shown["seats"][0]["since"] == wall, "people are shown it by the wall clock"


async def test_clocks_are_redrawn_after_a_wall_clock_change(tmp_path: Path) -> None:
    wall = 1000.0
    async with tables_at(tmp_path, monotonic=lambda: 5.0, wall=lambda: wall) as tables:
        table = await speaking(tables)
        due, mark, company = due_of(table), table.mark(1), table.public_mark()
        await tables.beat()
        assert (table.mark(1), table.public_mark()) == (mark, company)
        wall = 4600.0
        await tables.beat()
        assert due_of(table) == due
        assert table.mark(1) != mark
        shown = table.build_view(1)["clock"]
        assert shown is not None
        assert shown["seats"][0]["since"] == 4600.0


async def test_no_bank_runs_before_a_window_closes(tmp_path: Path) -> None:
    async with tables_at(tmp_path, pause=(0.2, 0.2)) as tables:
        table = await speaking(tables)
        await first(table, 0)
        clock = table.position.clock
        assert clock is not None
        assert (clock.kind, clock.asked) == ("window", (1,))
        assert clock.since - table.position.now == pytest.approx(0.2)
        await say(table, BO, "pass")  # at its end
        assert left(table) == [100, 100, 100]


async def test_undo_gives_no_time_back(tables: Tables) -> None:
    """May speaks after 20 seconds, undoes that with consent, and speaks again after 10 more."""
    table = await speaking(tables)
    wait(table, 20.3)
    await first(table, 0)
    await table.requests.ask(MAY, table.position.version(0))
    for who in (BO, CY):
        await table.requests.answer(who, 1, True)
    assert table.position.is_asked(0)
    wait(table, 10)
    await first(table, 0)
    assert left(table)[0] == 80  # 100 - 30 + 10


async def test_the_clock_begins_with_the_deal_and_goes_to_the_rematch(tables: Tables) -> None:
    table, tokens = await tables.open_table(Moot(seats=2, rounds=1), [Person("May"), Open()], pace=PACE)
    assert due_of(table) is None
    assert left(table) == [100, 100]
    assert tables.store.since(table.key) is None
    await sit_ready(table, derive_invitation(tokens[0]), "bo", "Bo")
    begun = tables.store.since(table.key)
    assert begun is not None
    assert begun - tables.now() == pytest.approx(10, abs=5)  # after the allotment
    assert due_of(table) == pytest.approx(begun + 100.3)
    await table.seats.resign(MAY)
    key, _ = await tables.rematch(table, MAY, tokens[0], "n" * 22)
    assert tables.store.table(key).clock == PACE.dumps()


async def test_a_bot_has_no_clock(tables: Tables) -> None:
    table = await open_moot(tables, sitters=[Person("May"), Robot("random"), Person("Cy")])
    assert left(table) == [100, None, 100]
    wait(table, 1000)
    await until(lambda: len(entries(table, FLAG)) == 2)
    assert sorted(entries(table, FLAG)) == [0, 2]


async def test_the_record_holds_the_time_of_each_decision(tables: Tables) -> None:
    table = await speaking(tables, seats=2)
    wait(table, 40.3)
    await first(table, 0)
    found = make_record(table.game, tables.store.entries(table.key), ["May", "Bo"], pace=PACE)
    assert found.clock is not None
    assert found.clock["spec"] == {"bank": 100, "step": 10, "end": "bot"}
    spent = found.clock["spent"]
    assert isinstance(spent, list)
    assert [None if one is None else round(one / 1000) for one in spent] == [None, None, 0, 0, 40]
    again = load(found.dumps(), find)
    assert again.clock == found.clock
    old = make_record(table.game, tables.store.entries(table.key), ["May", "Bo"])
    assert "clock" not in old.to_json()
    assert load(old.dumps(), find).clock is None


@pytest.mark.parametrize("name", ["feint", "jinkei", "generals", "factionwars"])
def test_in_every_game_a_clock_runs_during_each_decision(name: str) -> None:
    position = Position(games.game(name), pace=PACE)
    position.draw_chance()
    for number in range(40):
        if position.over:
            break
        assert position.clock is not None
        assert position.clock.asked == tuple(position.find_awaited_seats())
        seat = next(seat for seat in position.clock.asked if position.is_asked(seat))
        position.now = float(number)
        position.act(seat, None, position.state.legal(seat)[:1], came=float(number))
    assert position.clock is not None
    assert all(0 < one <= 100_000 for one in position.clock.left)


@pytest.mark.parametrize(("name", "least"), [("feint", 0), ("jinkei", 6), ("generals", 0), ("factionwars", 10)])
def test_no_answer_to_a_question_of_all_shows_in_anybody_elses_clock(name: str, least: int) -> None:
    """Twin worlds throughout a game: in one a seat has answered after some time, or its time is up."""
    position, rng, tried = Position(games.game(name), pace=PACE), Rng(7), 0
    position.draw_chance()
    while not position.over and tried < 40:
        seats = [seat for seat in position.find_awaited_seats() if position.is_asked(seat)]
        seat = seats[rng.below(len(seats))]
        legal = position.state.legal(seat)
        position.now += float(rng.below(30))
        others = [other for other in (*range(position.state.seats), SPECTATOR) if other != seat]
        before = {other: (position.sight(other), position.version(other)) for other in others}
        together, answered = position.together, position.clone()
        answered.act(seat, None, [legal[rng.below(len(legal))]], came=position.now + NETWORK_DELAY_S)
        if together and answered.together and answered.state.answers[seat]:
            fallen = position.clone()
            fallen.drop_flag(seat)
            for twin in (answered, fallen):
                assert {other: (twin.sight(other), twin.version(other)) for other in others} == before
            tried += 1
        position = answered
    assert tried >= least
