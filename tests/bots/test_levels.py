"""What people are told of the levels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.bots import about
from gonfalon.bots.levels import LEVELS
from tests.table.duel import Duel

STRENGTH = Path(__file__).resolve().parents[2] / "docs" / "strength"


def test_where_greedy_stands_is_told_only_where_it_was_measured() -> None:
    assert about("greedy", games.kind("feint")) == "plays by rule of thumb: in matches above Club, below Strong"
    assert about("greedy", Duel) == "plays by rule of thumb"
    assert about("club", Duel) == about("club", games.kind("feint")) == LEVELS["club"].about


@pytest.mark.parametrize("name", games.names())
def test_our_games_were_measured_so(name: str) -> None:
    ladder = json.loads((STRENGTH / f"{name}.json").read_text("utf-8"))
    ratings = {rung["level"]: rung["rating"] for rung in ladder["rungs"]}
    assert games.kind(name).measured
    assert ratings["club"] < ratings["greedy"] < ratings["strong"]
