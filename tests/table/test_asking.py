"""Take-back requests: a seat can ask to undo its own open decision, but not after hidden cards or secret answers were
revealed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.core.basics.errors import Refusal
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import LinkHolder, Person, Robot, Store, Table, Tables
from gonfalon.table.errors import Broken, Finished, NotSeated, Stale
from gonfalon.table.game.entries import AGREE, AGREED, ASK, BACK, REFUSE, Entry
from gonfalon.table.game.position import Position, make_record, position_after
from gonfalon.table.game.takebacks import MOST_ASKED
from tests.feint.scenario import Table as Feint
from tests.feint.scenario import card
from tests.table.moot import Moot
from tests.table.opening import find, let_all_go, tables_at, until
from tests.table.test_undo import at

pytestmark = pytest.mark.anyio
MAY, DAVID = 0, 1


def act(position: Position, seat: int, *texts: str) -> list[Entry]:
    return position.act(seat, None, [position.game.parse(text) for text in texts])


def feint() -> Position:
    """Return May's turn. She holds Ox and Elk, David holds Hen and Smoke, which is played face down."""
    table = Feint(may=[card("ox", 4), card("elk", 3)], david=[card("hen", 3), card("smoke", 6, "covert")])
    table.may.holds("ox", "elk")
    table.david.holds("hen", "smoke")
    table.deploys(table.may)
    return at(table)


def answer(position: Position, seat: int, agrees: bool = True) -> list[Entry]:
    request = position.asking.request
    assert request is not None
    return position.answer_undo([seat], request.number, agrees)


def test_a_card_played_openly_is_taken_back_when_the_other_agrees() -> None:
    position = feint()
    start = position.state.dump()
    assert not position.can_request_undo(MAY)
    act(position, MAY, "ox@2")
    assert not position.can_undo(MAY)
    assert [position.can_request_undo(seat) for seat in (MAY, DAVID)] == [True, False]
    position.request_undo(MAY, position.version(MAY))
    answer(position, DAVID)
    position.grant_undo()
    assert position.state.dump() == start
    assert position.is_asked(MAY)
    assert not position.can_request_undo(MAY)
    act(position, MAY, "elk@3")
    assert position.asking.request is None


def test_it_ends_when_the_other_decides_openly_or_not() -> None:
    for text in ("hen@3", "smoke@3", "pass"):
        position = feint()
        act(position, MAY, "ox@2")
        position.request_undo(MAY, None)
        act(position, DAVID, text)
        assert position.asking.request is None
        assert not position.can_request_undo(MAY)
        with pytest.raises(Refusal, match="the game has moved on"):
            position.request_undo(MAY, None)


def test_secret_answers_are_not_asked_for_and_do_not_show() -> None:
    """No seat can ask before the last answer, after it, or about a last speech before the next common choice."""
    position = Position(Moot(seats=2))
    position.draw_chance()
    for seat in (MAY, DAVID):
        act(position, seat, position.game.notation(position.state.legal(seat)[0]))
        assert not any(position.can_request_undo(one) for one in (MAY, DAVID))
    for speaker in (MAY, DAVID):
        act(position, speaker, position.game.notation(position.state.legal(speaker)[0]))
        assert position.can_request_undo(speaker)  # while the other thinks about a veto
        act(position, 1 - speaker, "pass")
        assert not any(position.can_request_undo(one) for one in (MAY, DAVID))


def test_in_a_window_nothing_can_be_asked_afterwards() -> None:
    """Both the veto and the decision not to veto reveal a hand."""
    for veto in (False, True):
        position = Position(Moot(seats=2, rounds=1))
        position.draw_chance()
        for seat in (MAY, DAVID):
            act(position, seat, position.game.notation(min(position.state.legal(seat))))
        act(position, MAY, position.game.notation(min(position.state.legal(MAY))))
        options = position.state.legal(DAVID)
        act(position, DAVID, position.game.notation(min(options) if veto else max(options)))
        assert not position.can_request_undo(DAVID)


def test_so_often_and_no_more_and_not_twice_for_the_same() -> None:
    position = feint()
    for number in range(MOST_ASKED):
        act(position, MAY, "ox@2")
        position.request_undo(MAY, None)
        with pytest.raises(Refusal, match="Wait for the answer"):
            position.request_undo(MAY, None)
        assert position.asking.request
        assert position.asking.request.number == number + 1
        answer(position, DAVID)
        with pytest.raises(Stale, match="already agreed"):
            answer(position, DAVID)
        position.grant_undo()
    act(position, MAY, "ox@2")
    with pytest.raises(Refusal, match="asked for 5 undos"):
        position.request_undo(MAY, None)


def test_a_refusal_is_final_and_the_asker_may_only_withdraw() -> None:
    position = feint()
    act(position, MAY, "ox@2")
    for who in (DAVID, MAY):
        one = position.clone()
        one.request_undo(MAY, None)
        with pytest.raises(Refusal, match="Only the other players"):
            answer(one, MAY)
        answer(one, who, agrees=False)
        assert not one.can_request_undo(MAY)
        with pytest.raises(Stale):
            one.grant_undo()
        assert one.asking.request is None or (one.asking.request.by, one.asking.request.answer) == (DAVID, "refused")


SAMPLES: list[tuple[str, dict[str, object]]] = [
    ("feint", {}),
    ("generals", {"decks": ("little-conqueror", "yellow-sky")}),
]


@pytest.mark.parametrize(("name", "options"), SAMPLES, ids=["feint", "generals"])
def test_a_game_with_things_taken_back_replays_and_its_record_is_without_them(
    name: str, options: dict[str, object]
) -> None:
    """In random play a third of the decisions that can be undone or asked for are taken back."""
    game, rng = games.game(name, **options), Rng(6)
    position, granted, undone = Position(game), 0, 0
    entries = position.draw_chance()
    while not position.over and position.length < 500:
        seat = next(seat for seat in range(game.seats) if position.is_asked(seat))
        if position.can_undo(seat) and rng.below(3) == 0:
            entries += position.undo(seat, position.version(seat))
            undone += 1
            continue
        asker = next((one for one in range(game.seats) if position.can_request_undo(one)), None)
        if asker is not None and rng.below(3) == 0:
            entries += position.request_undo(asker, position.version(asker))
            if agrees := rng.below(3) > 0:
                entries += answer(position, 1 - asker)
            if agrees and rng.below(2):
                entries += position.grant_undo()
                granted += 1
                continue
            if not agrees:
                entries += answer(position, 1 - asker, agrees=False)
        legal = position.state.legal(seat)
        entries += position.act(seat, None, [legal[int(rng.below(len(legal)))]])
    assert granted
    assert undone > 3
    assert {ASK, AGREE, REFUSE, BACK} <= {entry.kind for entry in entries}
    again = position_after(game, entries)
    assert again.state.dump() == position.state.dump()
    assert (again.length, again.decisions) == (position.length, position.decisions)
    assert again.asking.asked == position.asking.asked
    kept = make_record(game, entries, ["May", "David"])
    assert len(kept.decisions) == position.decisions
    assert kept.replay().dump()[0] == position.state.dump()[0]


def test_entries_that_fit_nowhere_are_damage() -> None:
    position = feint()
    for entry in (Entry(ASK, MAY), Entry(AGREE, DAVID), Entry(REFUSE, DAVID), Entry(BACK, MAY, AGREED)):
        with pytest.raises(Broken):
            position.clone().replay(entry)
    act(position, MAY, "ox@2")
    position.replay(Entry(ASK, MAY))
    for entry in (Entry(ASK, MAY), Entry(BACK, DAVID, AGREED)):
        with pytest.raises(Broken):
            position.clone().replay(entry)


# ---- at a table -----------------------------------------------------------------------------------


async def open_spoken_moot(tables: Tables, *others: Person | Robot) -> Table:
    """Open a Moot of May and others in which all seats have chosen and May has spoken."""
    table, _ = await tables.open_table(find("moot", seats=1 + len(others)), [Person("May"), *others])
    table.presence.enter([SPECTATOR])  # so that bots play
    for seat, other in enumerate((None, *others)):
        if not isinstance(other, Robot):
            await say_first(table, seat)
    await until(lambda: table.position.is_asked(MAY))
    return table


def is_open(table: Table) -> bool:
    return table.position.asking.open is not None


async def say_first(table: Table, seat: int) -> None:
    await table.moves.act(LinkHolder(seat), table.position.version(seat), table.view(seat).legal(seat)[:1])


async def test_only_people_present_must_agree(tables: Tables) -> None:
    table = await open_spoken_moot(tables, Person("Bo"), Person("Cy"))
    before = table.view(SPECTATOR).dump()
    table.presence.enter([1])
    table.presence.enter([2])
    await say_first(table, MAY)
    assert table.build_view(MAY)["can_ask_back"]
    await table.requests.ask(LinkHolder(MAY), table.position.version(MAY))
    assert table.requests.waits_for(table.position) == [1, 2]
    for viewer in (0, 1, 2, SPECTATOR):
        shown = table.build_view(viewer)["request"]
        assert shown == {"number": 1, "seat": 0, "agreed": [], "answer": "", "by": None}
    with pytest.raises(NotSeated):
        await table.requests.answer(LinkHolder(SPECTATOR), 1, True)
    await table.requests.answer(LinkHolder(1), 1, True)
    assert table.view(SPECTATOR).dump() != before
    assert table.requests.waits_for(table.position) == [2]
    await table.requests.answer(LinkHolder(2), 1, True)
    assert table.view(SPECTATOR).dump()[:-1] == before[:-1]
    request = table.build_view(1)["request"]
    assert request is not None
    assert request["answer"] == "agreed"
    with pytest.raises(Stale):
        await table.requests.answer(LinkHolder(2), 1, False)


async def test_absent_people_are_not_waited_for_but_one_must_agree(tables: Tables) -> None:
    table = await open_spoken_moot(tables, Person("Bo"), Person("Cy"))
    table.presence.enter([1])
    let_all_go(tables)
    await say_first(table, MAY)
    await table.requests.ask(LinkHolder(MAY), table.position.version(MAY))
    assert table.requests.waits_for(table.position) == [1]
    table.presence.leave([1])
    let_all_go(tables)
    assert table.requests.waits_for(table.position) == [1, 2]
    assert is_open(table)
    await table.requests.answer(LinkHolder(2), 1, True)  # a program, without a page
    assert not is_open(table)


async def test_it_is_granted_when_the_last_silent_one_has_gone(tables: Tables) -> None:
    table = await open_spoken_moot(tables, Person("Bo"), Person("Cy"))
    table.presence.enter([1])
    table.presence.enter([2])
    await say_first(table, MAY)
    await table.requests.ask(LinkHolder(MAY), table.position.version(MAY))
    await table.requests.answer(LinkHolder(1), 1, True)
    assert is_open(table)
    table.presence.leave([2])
    let_all_go(tables)
    table.presence.check_processes()
    await until(lambda: not is_open(table))
    assert table.position.is_asked(MAY)


async def test_bots_agree_and_wait_for_the_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cy, a slow bot, has to answer about a veto and pauses during the request."""
    async with tables_at(tmp_path, pace=0.05, pause=(0.1, 0.1)) as tables:
        table = await open_spoken_moot(tables, Robot("random"), Person("Di"))
        table.presence.enter([2])
        await say_first(table, MAY)
        await table.requests.ask(LinkHolder(MAY), table.position.version(MAY))
        assert table.requests.waits_for(table.position) == [2]
        length = table.position.length
        with monkeypatch.context() as patch:
            patch.setattr("gonfalon.table.bots.players.UNDO_ANSWER_S", 0.2)
            await until(lambda: table.position.length > length)  # only now
        assert table.position.asking.request is None


async def test_bots_for_all_others_need_no_request(tables: Tables) -> None:
    table, _ = await tables.open_table(find("moot", seats=2), [Person("May"), Person("Bo")])
    for seat in (0, 1):
        await say_first(table, seat)
    table.presence.enter([MAY])
    await say_first(table, MAY)
    let_all_go(tables)
    await table.requests.ask(LinkHolder(MAY), table.position.version(MAY))
    assert table.requests.waits_for(table.position) == [1]
    await table.seats.give_to_bot(LinkHolder(MAY), 1)
    await until(lambda: table.position.is_asked(MAY))
    request = table.build_view(MAY)["request"]
    assert request is not None
    assert request["answer"] == "agreed"


async def test_another_process_knows_of_it(tmp_path: Path, database: str) -> None:
    """One process asks and another agrees. Of two simultaneous answers, the record takes one after the other."""
    first, second = Store(database), Store(database)
    async with Tables(first, pace=0, find=find).open() as here, Tables(second, pace=0, find=find).open() as there:
        table, _ = await here.open_table(find("moot", seats=2), [Person("May"), Person("Bo")])
        for seat in (0, 1, 0):
            await say_first(table, seat)
        await table.requests.ask(LinkHolder(MAY), table.position.version(MAY))
        other = await there.table(table.key)
        other.presence.enter([1])
        await other.requests.answer(LinkHolder(1), 1, True)
        assert other.position.is_asked(MAY)
        with pytest.raises((Stale, Finished)):
            await table.requests.answer(LinkHolder(1), 1, True)
        assert table.position.is_asked(MAY)
        assert [entry.kind for entry in first.entries(table.key)][-3:] == [ASK, AGREE, BACK]
        assert replace(first.entries(table.key)[-1], thought="") == Entry(BACK, MAY, AGREED)
    first.close()
    second.close()
