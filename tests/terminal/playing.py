"""A person that plays on the screen by keys alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from textual.events import Key
from textual.pilot import Pilot

import gonfalon
from gonfalon.bots import make
from gonfalon.bots.players.driver import Driver
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game
from gonfalon.core.text.sheet import length
from gonfalon.terminal.drawing.frame import NARROWEST, Frame
from gonfalon.terminal.games.local import LocalDesk
from gonfalon.terminal.screens.table import TableApp, TableScreen

NARROW: Final = (55, 24)
SMALL: Final = (80, 24)
LARGE: Final = (160, 50)
MOST_KEYS: Final = 6000


def desk_of(game: str | Game, seed: int = 7, people: int = 1) -> LocalDesk:
    """Return a game with people at the first seats and simple bots at the others."""
    rules = gonfalon.game(game) if isinstance(game, str) else game
    bots = [None if seat < people else make("random", rules) for seat in range(rules.seats)]
    names = ["Ada", *(f"Bot {seat}" for seat in range(1, rules.seats))]
    return LocalDesk(Driver(Record(rules, names), bots, seed, log=True), names)


def screen_of(pilot: Pilot[None]) -> TableScreen:
    """Return the table on the screen."""
    found = next(one for one in reversed(pilot.app.screen_stack) if isinstance(one, TableScreen))
    assert isinstance(found, TableScreen)
    return found


def frame_of(pilot: Pilot[None]) -> Frame:
    """Return the drawn frame after checking that it fits the screen."""
    frame = screen_of(pilot).canvas.frame
    assert frame is not None
    assert len(frame.lines) == frame.height
    assert {length(line) for line in frame.lines} == {frame.width} == {max(pilot.app.size.width, NARROWEST)}
    return frame


def words(pilot: Pilot[None]) -> str:
    """Return all characters on the screen."""
    return "\n".join("".join(piece.text for piece in line).rstrip() for line in frame_of(pilot).lines)


async def press(pilot: Pilot[None], key: str) -> None:
    """Send a key to the table once its question is visible, without the pilot's pauses."""
    screen = screen_of(pilot)
    await wait_for(pilot, lambda: not screen.is_active or not screen.is_early(Key(key, None)))
    await screen.on_key(Key(key, None))
    await asyncio.sleep(0.001)


async def wait_for(pilot: Pilot[None], what: Callable[[], bool]) -> None:
    """Wait for a condition while the bots move."""
    for _ in range(60_000):
        if what():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("It has not come to that.")


async def wait_until_asked(pilot: Pilot[None]) -> TableScreen:
    """Wait until a question is visible and uncovered."""
    screen = screen_of(pilot)
    await wait_for(pilot, lambda: screen.is_active and bool(screen.sight.answers) and screen.seen_at is not None)
    return screen


async def play_on(pilot: Pilot[None], desk: LocalDesk, most: int = MOST_KEYS) -> int:
    """Press Enter at each cursor position until the game is over. Return the number of keys."""
    keys = 0
    screen = screen_of(pilot)

    def waits() -> bool:
        asked = not desk.answered.is_set() and bool(screen.sight.answers)
        return desk.driver.state.over or screen.moment_end is not None or asked

    while not desk.driver.state.over and keys < most:
        await wait_for(pilot, waits)
        await press(pilot, "enter")
        keys += 1
        frame_of(pilot)
    await wait_for(pilot, lambda: bool(screen.sight.over) or screen.moment_end is not None)
    return keys


def app_of(desk: LocalDesk) -> TableApp:
    """Return a terminal with that table, without animations."""
    return TableApp(desk, motion=False)
