"""Each viewer's view is made once per change, and readers leave it unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.state import SPECTATOR
from gonfalon.table import LinkHolder, Person, Robot, Table, Tables
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.table.live import TableFrames
from tests.table.opening import tables_at

OPTIONS: dict[str, dict[str, int]] = {"factionwars": {"seats": 2}, "feint": {}, "generals": {}, "jinkei": {}}
VIEWERS = (0, 1, SPECTATOR)


def house_game(name: str) -> Game:
    return games.game(name, **OPTIONS[name])


async def deal_table(tables: Tables, name: str) -> tuple[Table, dict[int, str]]:
    return await tables.open_table(house_game(name), [Person("May"), Person("Bo")])


async def step(table: Table) -> None:
    """Take the first legal action of the first seat in turn."""
    seat = next(seat for seat in (0, 1) if table.position.is_asked(seat))
    await table.moves.act(LinkHolder(seat), table.position.version(seat), table.view(seat).legal(seat)[:1])


@pytest.mark.anyio
@pytest.mark.parametrize("name", OPTIONS)
async def test_readers_leave_the_shared_view_unchanged(tmp_path: Path, name: str) -> None:
    frames = TableFrames(Renderer({name: games.find_game_class(name)}))
    async with tables_at(tmp_path, find=games.game) as tables:
        table, tokens = await deal_table(tables, name)
        game = table.game
        for _ in range(12):
            if table.position.over:
                break
            before = {viewer: table.view(viewer).dump() for viewer in VIEWERS}
            for token in tokens.values():
                frames.board(table, token)
            for viewer in VIEWERS:
                view = table.view(viewer)
                table.build_view(viewer)
                game.text(view, names_for(game, viewer, table.names))
                game.controls(view)
                view.why_not(max(viewer, 0), 0)
            assert {viewer: table.view(viewer).dump() for viewer in VIEWERS} == before
            assert all(table.view(viewer).dump() == table.position.state.mask(viewer).dump() for viewer in VIEWERS)
            await step(table)


@pytest.mark.anyio
@pytest.mark.parametrize(("morale", "said"), [(30, True), (None, False)])
async def test_a_seat_says_that_its_bot_has_not_learnt_the_cards(
    tmp_path: Path, morale: int | None, said: bool
) -> None:
    cards = {"form": 1, "box": {"morale": morale}} if morale else None
    async with tables_at(tmp_path, find=games.game) as tables:
        table, _ = await tables.open_table(games.game("feint", cards=cards), [Person("May"), Robot("expert")])
        assert [bool(seat["note"]) for seat in table.build_view(0)["seats"]] == [False, said]
