"""The kit sends requests of several actions to twin tables and detects answers that reveal more than the seat knew."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon import games
from gonfalon.check import run
from gonfalon.check.laws.formats.batches import LAWS
from gonfalon.table.check_requests import send_actions
from gonfalon.table.game import position
from tests.stranger.gonfalon_duel import Duel


@pytest.mark.parametrize("name", games.names())
def test_a_request_is_judged_by_its_seats_knowledge(name: str) -> None:
    [result] = run(games.find_game_class(name), 0, laws=LAWS, requests=send_actions, rounds=4)
    assert result.line().startswith("ok ")
    assert result.checked > 30


def nobody_judges(*_: Any) -> None:
    """The table's former behavior, before it considered complete answers and the seat's knowledge."""


@pytest.mark.parametrize(
    ("name", "holder", "part"),
    [
        ("feint", position.Position, "check_answer"),
        ("jinkei", position.Position, "check_answer"),
        ("factionwars", position.Position, "check_answer"),
        ("feint", position, "has_learned"),
        ("generals", position, "has_learned"),
    ],
)
def test_a_free_look_is_noticed(name: str, holder: object, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holder, part, nobody_judges)
    [result] = run(games.find_game_class(name), 0, laws=LAWS, requests=send_actions, rounds=40)
    assert "reveals what it could not know" in result.failure


def test_a_missing_request_function_is_reported() -> None:
    [result] = run(Duel, 0, laws=LAWS)
    assert result.skipped
