"""Lessons, annotated games and puzzles replay with their original cards after later changes."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from gonfalon import games
from gonfalon.core.basics.errors import RecordError
from gonfalon.core.files.kept_data import data_file, kept_data
from gonfalon.core.files.record import load
from gonfalon.core.rules.game import Game
from gonfalon.games.factionwars import FactionWars, box

FIRST = (FactionWars.folder / "lessons" / "first.record.json").read_text("utf-8")


class Later(FactionWars):
    """Faction Wars with one more recruit."""

    def __init__(self, **options: Any) -> None:
        raw = json.loads(json.dumps(box.read_box(None).alone))
        raw["faction"][0]["cards"].append({"slug": "scout", "name": "Scout", "copies": 2, "battle": 2, "points": 1})
        given = {name: value for name, value in options.items() if value is not None}
        super().__init__(**{"cards": raw, **given})
        if "cards" not in given:
            self.options["cards"] = None  # they come with the program


def later(name: str, **options: Any) -> Game:
    return Later(**options)


@pytest.mark.parametrize("name", games.names())
def test_the_cards_of_every_record_of_a_game_are_kept(name: str) -> None:
    """`python -m tests.lessons.keep_data GAME` stores the current ones."""
    game = games.game(name)
    files = [*game.folder.glob("l*/*.record.json"), game.folder / "puzzles.jsonl"]
    used = {data for file in files for data in re.findall(r'"data": "(\w+)"', file.read_text("utf-8"))}
    kept = {file.stem for file in data_file(game, "").parent.iterdir()}
    assert kept == used
    for data in kept:
        again = type(game)(**kept_data(game, data))
        assert again.data_hash == data


def test_a_record_replays_by_its_own_cards() -> None:
    record, played = load(FIRST, later), json.loads(FIRST)
    assert record.game.data_hash == played["data"] != Later().data_hash
    assert record.written() == played["decisions"]
    record.replay()


@pytest.mark.parametrize("data", ["0" * 16, "../../cards", "", None, 7])
def test_cards_that_are_not_kept_are_refused(data: object) -> None:
    with pytest.raises(RecordError, match="card data that"):
        load(json.dumps(json.loads(FIRST) | {"data": data}), later)
