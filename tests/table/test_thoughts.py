"""Hints for people and the thoughts of bots: their recipients, their timing and their words."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gonfalon.bots import Alternative, Belief, Bot, Budget, Choice, Estimate, Fact
from gonfalon.bots.players.thoughts import noted, thought, told
from gonfalon.core.basics.errors import Refusal
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.state import SPECTATOR, State
from gonfalon.table import LinkHolder, Person, Robot, Table, Tables
from gonfalon.table.errors import NotSeated, Secret, StoreError
from gonfalon.table.game.entries import Entry
from gonfalon.table.links import WATCHER
from gonfalon.table.shared import timers
from gonfalon.table.store.store import Written
from tests.table.duel import Duel
from tests.table.opening import play_on, tables_at, until

pytestmark = pytest.mark.anyio
MAY, BO = LinkHolder(0), LinkHolder(1)
FULL = Choice(
    3,
    "It wins at once.",
    Estimate(0.625, 0.5, 0.75),
    ((3, 0.75), (4, 0.25)),
    (Alternative(4, Estimate(0.5, 0.25, 0.625), 0.25), Alternative(5, None, 0.0)),
    (Belief("their card", (("a 5", 0.46), ("a 4", 0.54))),),
    "If their card were a 4, I would pass.",
    40,
    32,
    (Fact("Ox", "Strength", 6, "Cat", 2),),
)


class Sage(Bot):
    """A bot that reports every kind of thought and plays the first legal action."""

    def think(self, view: State, budget: Budget, rng: Rng) -> Choice:
        legal = view.legal(view.viewer)
        return replace(FULL, action=legal[0], alternatives=(Alternative(legal[-1], None, 0.1),), why="A sage's reason.")


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    async with tables_at(tmp_path, make_bot=Sage) as tables:
        yield tables


async def test_a_move_that_could_not_be_written_is_written_later(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full for a moment, and no client touches the table."""
    monkeypatch.setattr(timers, "AGAIN", 0.01)
    table = await open_duel(tables, Person("May"), Robot("any"))
    append, failures = tables.store.append, iter(range(3))

    def full(key: str, length: int, entries: list[Entry], *more: Any) -> Written:
        if entries[0].seat == 1 and next(failures, None) is not None:
            raise StoreError("disk full")
        return append(key, length, entries, *more)

    monkeypatch.setattr(tables.store, "append", full)
    await play_on(table, 0)
    assert next(failures, None) is None
    bots = [seq for seq, entry in enumerate(tables.store.entries(table.key)) if entry.seat == 1]
    assert sorted(tables.store.thoughts(table.key)) == bots


async def open_duel(tables: Tables, *seating: Any, hints: bool = True) -> Table:
    table, _ = await tables.open_table(Duel(), seating or (Person("May"), Person("Bo")), hints)
    return table


def test_a_choice_is_kept_as_a_text() -> None:
    assert thought(noted(FULL)) == FULL
    assert thought(noted(Choice(1))) == Choice(1)
    before = json.loads(noted(FULL)) | {"reason": {"basis": "tried", "other": 4, "facts": [["tries", 30.0]]}}
    assert thought(json.dumps(before)) == replace(FULL, reason=()), "kept before reasons were facts"


async def test_a_choice_in_words(tables: Tables) -> None:
    table = await open_duel(tables)
    view = table.view(0)
    first, last = view.legal(0)[0], view.legal(0)[-1]
    choice = replace(FULL, action=first, alternatives=(Alternative(last, None, 0.1),))
    words = told(table.game, view, choice, table.names)
    assert not told(table.game, view, replace(choice, why=words["text"]), table.names)["why"]
    assert words["action"] == table.game.notation(first)
    assert words["text"] == table.game.describe(view, first)
    assert words["chance"] == {"value": 62, "low": 50, "high": 75}
    assert words["alternatives"][0]["chance"] is None
    assert words["facts"] == [{"about": "Ox: Strength", "value": 6, "other": "Cat", "than": 2}]
    assert words["beliefs"] == [
        {"about": "their card", "likely": [{"text": "a 5", "chance": 46}, {"text": "a 4", "chance": 54}]}
    ]


async def test_a_hint_is_for_the_seat_that_asked_and_for_this_question(tables: Tables) -> None:
    table = await open_duel(tables)
    before = table.mark(0), table.mark(1), table.mark(SPECTATOR)
    await table.hints.advise(MAY)
    hint = table.hints.given(0)
    assert hint is not None
    assert hint.action == table.view(0).legal(0)[0]
    assert table.hints.given(1) is None
    assert (table.mark(1), table.mark(SPECTATOR)) == before[1:]
    assert table.mark(0) != before[0]
    await table.moves.act(MAY, table.position.version(0), [table.view(0).legal(0)[0]])
    assert table.hints.given(0) is None


async def test_no_hints_where_none_were_agreed_on(tables: Tables) -> None:
    table = await open_duel(tables, hints=False)
    with pytest.raises(Secret, match="no hints at this table"):
        await table.hints.advise(MAY)


async def test_no_hints_without_a_question(tables: Tables) -> None:
    table = await open_duel(tables)
    with pytest.raises(NotSeated):
        await table.hints.advise(WATCHER)
    while table.position.is_asked(0):
        await table.moves.act(MAY, table.position.version(0), [table.view(0).legal(0)[-1]])
    with pytest.raises(Refusal, match="not your turn"):
        await table.hints.advise(MAY)
    await table.hints.advise(BO)
    await table.seats.resign(BO)
    with pytest.raises(Refusal, match="not your turn"):
        await table.hints.advise(BO)


async def test_a_rematch_keeps_the_agreed_settings(tables: Tables) -> None:
    table, tokens = await tables.open_table(Duel(), [Person("May"), Robot("any")], True)
    await table.seats.resign(MAY)
    key, _ = await tables.rematch(table, MAY, tokens[0], "n" * 22)
    new = await tables.table(key)
    assert new.row.hints
    assert not new.gathering.waits, "against bots it begins at once"


async def test_thoughts_are_secret_until_the_end_and_lie_at_their_decisions(tables: Tables) -> None:
    table = await open_duel(tables, Person("May"), Robot("any"))
    await until(lambda: table.bots not in table.timers.busy)
    await table.moves.act(MAY, table.position.version(0), [table.view(0).legal(0)[0]])
    with pytest.raises(Secret):
        await table.bots.thoughts()
    assert "sage" not in repr(table.build_view(0))
    assert "sage" not in repr(table.build_view(SPECTATOR))
    await play_on(table, 0)
    await until(lambda: table.bots not in table.timers.busy)
    thoughts = await table.bots.thoughts()
    decisions = (await table.moves.record()).decisions
    assert thoughts
    assert [number for number, (seat, _) in enumerate(decisions) if seat == 1] == sorted(thoughts)
    assert all(decisions[number] == (1, choice.action) for number, choice in thoughts.items())
    assert {choice.why for choice in thoughts.values()} == {"A sage's reason."}


async def test_a_thought_that_cannot_be_read_does_not_hide_the_others(tables: Tables) -> None:
    table = await open_duel(tables, Person("May"), Robot("any"))
    await play_on(table, 0)
    kept = await table.bots.thoughts()
    assert len(kept) > 2
    seqs = sorted(tables.store.thoughts(table.key))
    for seq, text in zip(seqs, ("", "{}"), strict=False):
        with tables.store.engine.begin() as connection:
            connection.exec_driver_sql(f"UPDATE thoughts SET text = '{text}' WHERE seq = {seq}")
    assert list(await table.bots.thoughts()) == list(kept)[2:]


async def test_thoughts_outlive_the_server(tmp_path: Path) -> None:
    async with tables_at(tmp_path, make_bot=Sage) as tables:
        table = await open_duel(tables, Robot("any"), Robot("any"))
        await play_on(table)
        await until(lambda: table.bots not in table.timers.busy)
        kept, key = await table.bots.thoughts(), table.key
    async with tables_at(tmp_path) as tables:
        assert await (await tables.table(key)).bots.thoughts() == kept
