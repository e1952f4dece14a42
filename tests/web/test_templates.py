"""The statements of the documentation for template authors, checked for tables and replays."""

from __future__ import annotations

import re
from pathlib import Path

import anyio
import pytest

from gonfalon.table import Person, Tables
from gonfalon.testing import random_record
from gonfalon.web.history.replay import Scene, find_step, replay_context
from gonfalon.web.shared.renderer import Renderer
from gonfalon.web.shared.template_context import Context
from gonfalon.web.table.table_context import board_context
from tests.table.duel import Duel

PAGE = Path(__file__).resolve().parents[2] / "docs" / "pages" / "howto" / "board.md"


@pytest.fixture
def given(own_tables: Tables) -> list[Context]:
    """Return the context of the Duel's template at a table and in a replay."""
    render = Renderer({"duel": Duel})

    async def at_a_table() -> Context:
        async with own_tables.open():
            table, tokens = await own_tables.open_table(Duel(), [Person("Ann"), Person("Bo")])
            return board_context(render, table, tokens[table.position.state.turn])

    record = random_record(Duel(), 1)
    scene = Scene("key", "duel", "Duel", record.names, record.game)
    return [anyio.run(at_a_table), replay_context(render, scene, find_step(record, 0, None, {}))]


def test_every_name_is_there(given: list[Context]) -> None:
    told = re.findall(r"^\| `(\w+)` \|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert {"board", "me", "ui"} <= set(told)
    for context in given:
        assert set(told) <= set(context)
        assert {"mode", "choices", "names", "waiting"} <= set(context["ui"])
        assert {"key", "title", "game", "game_title"} <= set(context["table"])
        assert {"n", "text", "indent", "private", "mark"} <= set(context["log"][0])
    table, replay = given
    assert set(table["decision"]["actions"][0]) == {"id", "text"}
    assert replay["over"]["text"]
