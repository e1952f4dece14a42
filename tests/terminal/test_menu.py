"""The menu before a game."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import gonfalon
from gonfalon.core.files.record import Record, load
from gonfalon.core.rules.game import Game
from gonfalon.core.text.sheet import length
from gonfalon.games import names
from gonfalon.terminal.games import saved_games
from gonfalon.terminal.games.menu import Chosen, Menu
from gonfalon.terminal.games.store import write_record
from gonfalon.terminal.play import assign_seats, list_names
from gonfalon.terminal.screens.menu import MenuApp
from gonfalon.terminal.screens.run import guess_seating


def menu_of(game: str, waits: list[saved_games.SavedGame] | None = None) -> Menu:
    menu = Menu(names(), waits or [])
    menu.game.at = menu.game.values.index(game)
    menu.refill()
    return menu


def keys(menu: Menu, *pressed: str) -> Chosen | None:
    async def press() -> Chosen | None:
        app = MenuApp(menu)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press(*pressed)
        return app.return_value

    return asyncio.run(press())


def test_a_game_its_opponent_and_its_factions_are_chosen_by_keys() -> None:
    chosen = keys(menu_of("feint"), "down", "right", "down", "right", "down", "down", "enter")
    assert chosen is not None
    assert (chosen.game, chosen.levels) == ("feint", ["strong"])
    assert chosen.options == {"factions": ("engineers", "agents")}  # the list begins anew after its last


def test_illegal_setups_are_reported_before_the_game() -> None:
    """Ruling 1 allows no mirror match without the option."""
    menu = menu_of("feint")
    factions = {row.name: row for row in menu.rows}
    factions["factions:1"].at = factions["factions:0"].at
    menu.at = len(menu.rows)
    assert menu.choose() is None
    assert "mirror" in menu.fault


def test_own_cards_are_chosen_by_the_name_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters that are commands elsewhere are part of the name. A fault is reported before the game."""
    monkeypatch.chdir(tmp_path)
    Path("q").write_text("patriot.strength = 99", encoding="utf-8")
    Path("qq").write_text("patriot.strength = 7", encoding="utf-8")
    menu = menu_of("feint")
    menu.at = [row.label for row in menu.rows].index("Cards")
    chosen = keys(menu, "q", "x", "backspace", "enter", "q", "enter")
    assert chosen is not None
    patriot = gonfalon.game("feint", **chosen.options).card("patriot")
    assert patriot is not None
    assert patriot["strength"] == 7
    menu.card_file = "q"
    assert menu.choose() is None
    assert "Line 1: Faction 'keion', card 'patriot': strength must be from 0 to 20, not 99" in menu.fault


def test_lessons_and_puzzles_are_in_the_menu() -> None:
    menu = menu_of("feint")
    assert [name for name, _ in menu.buttons()] == ["play", "more", "learn", "puzzle"]
    chosen = keys(menu, "up", "enter")
    assert chosen is not None
    assert (chosen.game, chosen.action) == ("feint", "puzzle")


def test_more_seats_have_more_opponents() -> None:
    menu = menu_of("factionwars")
    assert [row.label for row in menu.rows] == ["Game", "Opponent 1", "Opponent 2", "Players", "Cards"]
    menu.at = 3
    menu.change(1)
    assert [row.name for row in menu.rows].count("seats") == 1
    assert sum(row.name.startswith("level:") for row in menu.rows) == 3
    menu.at = len(menu.rows)
    chosen = menu.choose()
    assert chosen is not None
    assert chosen.options == {"seats": 4}


@pytest.mark.parametrize("game", ["feint", "jinkei", "generals", "factionwars"])
def test_all_options_fit_on_a_small_screen(game: str) -> None:
    menu = menu_of(game)
    menu.more = True
    menu.refill()
    assert not menu.hidden
    assert all(length(line) <= 76 for line in menu.lines(76))
    assert len(menu.lines(76)) <= 23


def test_a_game_that_waits_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert saved_games.list_waiting() == []
    record = Record(gonfalon.game("jinkei"), ["Player", "Club"])
    state = record.game.start()
    decision = state.decisions()[0]
    record.add(decision.seat, decision.sample(gonfalon.Rng(1)))
    path = saved_games.new_path("jinkei")
    write_record(record, path)
    (path.parent / "broken.json").write_text("{", encoding="utf-8")
    [one] = saved_games.list_waiting()
    assert one.path == path
    assert path.parent.stat().st_mode & 0o077 == 0
    chosen = keys(menu_of("feint", [one]), "enter")
    assert chosen is not None
    assert chosen.kept is one


def test_a_game_that_waits_is_found_among_many_that_are_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found among any number of newer files, including reviews. Files that are not offered are not loaded."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    rules = gonfalon.game("jinkei")
    record = Record(rules, ["Player", "Club"])
    decision = record.game.start().decisions()[0]
    record.add(decision.seat, decision.sample(gonfalon.Rng(1)))
    waits = saved_games.new_path("jinkei")
    write_record(record, waits)
    record.result = {"winners": [0]}
    paths = [waits]
    for number in range(12):
        paths.append(waits.with_name(f"later-{number}.json"))
        write_record(record, paths[-1])
    paths.append(waits.with_name("later-11.review.json"))
    paths[-1].write_text("{}", encoding="utf-8")
    for age, path in enumerate(paths):
        os.utime(path, (1_000_000 + age, 1_000_000 + age))
    loaded: list[str] = []

    def counted(text: str, find: Callable[..., Game]) -> Record:
        loaded.append(text)
        return load(text, find)

    monkeypatch.setattr("gonfalon.terminal.games.saved_games.load", counted)
    assert [one.path for one in saved_games.list_waiting()] == [waits]
    assert len(loaded) == 1


@pytest.mark.parametrize(
    ("names", "sitters"),
    [
        (["Player", "Club"], "person,club"),
        (["Expert", "Player"], "expert,person"),
        (["Player 1", "Player 2", "Random"], "person,person,random"),
        (["Gentle 1", "Gentle 2", "Player"], "gentle,gentle,person"),
    ],
)
def test_players_keep_their_seats_when_a_game_resumes(names: list[str], sitters: str) -> None:
    """Otherwise a player would see the hidden cards of another seat."""
    assert guess_seating(names) == sitters
    rules = gonfalon.game("factionwars", seats=len(names))
    assert list_names(assign_seats(rules, [], sitters)) == names
