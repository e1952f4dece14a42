"""A terminal that is squeezed while people play, and grows again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot

from gonfalon.core.files.record import Record
from gonfalon.terminal.drawing.past import Past
from gonfalon.terminal.games.menu import Menu
from gonfalon.terminal.screens.menu import MenuApp
from gonfalon.terminal.screens.past import PastApp
from tests.terminal.playing import SMALL, app_of, desk_of, play_on, press, wait_until_asked, words

GAMES = ["factionwars", "feint", "generals", "jinkei"]
SQUEEZED = [(6, 24), (1, 1), (80, 1), (1, 24), (3, 3), (6, 2)]
"""Columns and lines."""


async def squeeze(pilot: Pilot[None]) -> None:
    """Resize the terminal to all sizes and back."""
    for size in (*SQUEEZED, SMALL):
        await pilot.resize_terminal(*size)
        await pilot.pause()


@pytest.mark.parametrize("game", ["feint", "generals"])
def test_a_table_survives_every_size_and_is_drawn_again_when_the_terminal_grows(game: str) -> None:
    desk = desk_of(game)

    async def run() -> None:
        async with app_of(desk).run_test(size=SMALL) as pilot:
            screen = await wait_until_asked(pilot)
            before = words(pilot)
            await squeeze(pilot)
            assert words(pilot) == before
            await pilot.resize_terminal(6, 24)
            for key in ("enter", "right", "down", "enter", "escape", "?"):
                await press(pilot, key)
            assert screen.is_active
            await pilot.resize_terminal(*SMALL)
            await pilot.pause()
            assert len(words(pilot).splitlines()) == SMALL[1]

    asyncio.run(run())


@pytest.mark.parametrize("key", ["l", pytest.param("slash", marks=pytest.mark.extended)])
def test_a_text_over_the_table_survives_every_size(key: str) -> None:
    desk = desk_of("feint")

    async def run() -> None:
        async with app_of(desk).run_test(size=SMALL) as pilot:
            screen = await wait_until_asked(pilot)
            await pilot.press(key)
            await pilot.pause()
            await squeeze(pilot)
            await pilot.press("escape")
            await pilot.pause()
            assert screen.is_active
            assert len(words(pilot).splitlines()) == SMALL[1]

    asyncio.run(run())


@pytest.mark.extended
@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_to_its_end_on_six_columns(game: str) -> None:
    desk = desk_of(game)

    async def run() -> None:
        async with app_of(desk).run_test(size=(6, 24)) as pilot:
            await play_on(pilot, desk)

    asyncio.run(run())
    assert desk.driver.state.over


def play_with_bots(game: str) -> Record:
    """The record of a game that bots played."""
    found = desk_of(game, people=0)
    found.driver.advance()
    return found.driver.record


@pytest.mark.extended
@pytest.mark.parametrize("game", ["factionwars", "feint"])
def test_menu_and_replay_survive_every_size(game: str) -> None:
    menu = Menu([game])
    menu.fault = "A fault that is told below the menu, in several lines where it has to be."

    async def run(app: App[Any]) -> None:
        async with app.run_test(size=SMALL) as pilot:
            for key in ("down", "right"):
                await pilot.press(key)
                await squeeze(pilot)
            assert app.is_running

    asyncio.run(run(MenuApp(menu)))
    asyncio.run(run(PastApp(Past(play_with_bots(game), 0))))
