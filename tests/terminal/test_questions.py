"""The time a question can be answered, and the time a message about one stays on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from textual.events import Key
from textual.pilot import Pilot

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.terminal.games.local import LocalDesk
from gonfalon.terminal.screens.table import TableScreen
from tests.terminal.playing import SMALL, app_of, desk_of, press, screen_of, wait_for, wait_until_asked

Play = Callable[[Pilot[None], TableScreen, LocalDesk], Awaitable[None]]


def at_table(play: Play, game: str = "feint", people: int = 1) -> None:
    """Run a function at a table once its screen is open."""
    desk = desk_of(game, people=people)

    async def run() -> None:
        async with app_of(desk).run_test(size=SMALL) as pilot:
            await play(pilot, screen_of(pilot), desk)

    asyncio.run(run())


def enter() -> Key:
    """Return an Enter key typed now."""
    return Key("enter", None)


def read_progress(screen: TableScreen, desk: LocalDesk) -> tuple[int, tuple[str, ...]]:
    """Return the number of decisions so far and the raised card."""
    return len(desk.driver.record.decisions), screen.picking.lifted


async def answer_question(pilot: Pilot[None]) -> None:
    """Answer the question and wait for the next one."""
    screen = await wait_until_asked(pilot)
    version = screen.sight.version
    while screen.sight.version == version:
        await press(pilot, "enter")
    await wait_for(pilot, lambda: bool(screen.sight.answers))


@pytest.mark.parametrize("key", ["enter", "1"])
def test_keys_typed_before_a_question_do_not_answer_it(key: str) -> None:
    async def play(pilot: Pilot[None], screen: TableScreen, desk: LocalDesk) -> None:
        await wait_until_asked(pilot)
        ahead = Key(key, key if key.isdecimal() else None)
        await answer_question(pilot)
        before = read_progress(screen, desk)
        for _ in range(2):
            await screen.on_key(ahead)
            assert read_progress(screen, desk) == before
            await wait_until_asked(pilot)
        await screen.on_key(Key(key, key if key.isdecimal() else None))
        assert read_progress(screen, desk) != before

    at_table(play)


@pytest.mark.parametrize("game", ["feint", "factionwars"])
def test_a_question_that_can_be_seen_is_answered_by_the_first_key(game: str) -> None:
    """An Enter at the moment the question appears raises a card or decides."""

    async def play(pilot: Pilot[None], screen: TableScreen, desk: LocalDesk) -> None:
        for _ in range(15):
            await wait_for(pilot, lambda: (screen.seen_at is not None and waits(screen)) or bool(screen.sight.over))
            if screen.sight.over:
                break
            before = read_progress(screen, desk)
            if screen.moment_end is None:
                assert screen.find_spot() is not None
                await screen.on_key(enter())
                assert read_progress(screen, desk) != before
                assert screen.status == ""
            else:
                await screen.on_key(enter())
                await asyncio.sleep(0)

    def waits(screen: TableScreen) -> bool:
        return screen.moment_end is not None or bool(screen.sight.answers)

    at_table(play, game)


def test_a_question_that_was_answered_is_not_asked_any_more() -> None:
    """It does not return with other redraws until the game continues."""

    async def play(pilot: Pilot[None], screen: TableScreen, desk: LocalDesk) -> None:
        asked = (await wait_until_asked(pilot)).sight
        desk.answered.set = lambda: None  # type: ignore[method-assign]
        while not len(desk.driver.record.decisions) > 2 or screen.sight.answers:
            await press(pilot, "enter")
            screen.show(asked)
            if desk.driver.record.decisions[-1][0] == 0:
                break
        assert screen.sight.answers == ()
        screen.show(replace(asked, answers=asked.answers[1:]))
        assert screen.sight.answers == asked.answers[1:]

    at_table(play)


def test_a_question_below_another_screen_is_not_answered_from_there() -> None:
    """It came while the log was open. A digit closes the log and raises no card."""

    async def play(pilot: Pilot[None], screen: TableScreen, desk: LocalDesk) -> None:
        asked = (await wait_until_asked(pilot)).sight
        for comes, lifted in ((True, 0), (False, 1)):
            await pilot.press("l")
            await wait_for(pilot, lambda: not screen.is_active)
            if comes:
                screen.show(replace(asked, version=asked.version + 100))
                await pilot.pause()
            await pilot.press("1")
            await wait_for(pilot, lambda: screen.is_active)
            await pilot.pause()
            assert len(screen.picking.lifted) == lifted

    at_table(play)


@pytest.mark.parametrize("key", ["l", "slash"])
def test_two_keys_at_once_close_only_the_overlay(key: str) -> None:
    """Both were typed before the first one closed it."""

    async def play(pilot: Pilot[None], screen: TableScreen, desk: LocalDesk) -> None:
        await wait_until_asked(pilot)
        await pilot.press(key)
        await wait_for(pilot, lambda: not screen.is_active)
        over = pilot.app.screen
        for _ in range(3):
            over.post_message(Key("escape", None))
        await pilot.pause()
        assert pilot.app.screen is screen
        for _ in range(2):
            screen.post_message(Key("q", "q"))
        await pilot.pause()
        assert not screen.is_active

    at_table(play)


def test_an_enter_from_before_does_not_lift_the_curtain() -> None:
    """The previous player pressed it once too often."""
    ahead = enter()

    async def play(pilot: Pilot[None], screen: TableScreen, desk: LocalDesk) -> None:
        await wait_for(pilot, lambda: screen.moment_end is not None and screen.seen_at is not None)
        await screen.on_key(ahead)
        await pilot.pause()
        assert screen.sight.next_player
        await pilot.click(offset=(40, 12))
        await pilot.pause()
        assert screen.sight.next_player
        await screen.on_key(enter())
        await wait_until_asked(pilot)

    at_table(play, "jinkei", people=2)


@pytest.mark.parametrize("asked", [True, False])
def test_refusals_of_an_earlier_position_disappear(asked: bool) -> None:
    """It disappears when the position changes, with or without a new question, but not with an update of a clock or a
    greeting."""

    async def play(pilot: Pilot[None], screen: TableScreen, desk: LocalDesk) -> None:
        sight = (await wait_until_asked(pilot)).sight
        await screen.command("u")
        said = screen.status
        assert said == "There is nothing to undo."
        screen.show(replace(sight, watching=1))
        assert screen.status == said
        screen.show(replace(sight, version=sight.version + 1, answers=sight.answers if asked else ()))
        assert screen.status == ""

    at_table(play)


@pytest.mark.parametrize(
    ("doing", "moved"), [("act", True), ("act", False), ("why_not", True), ("undo", True), ("hint", True)]
)
def test_a_late_refusal_does_not_apply_to_the_current_question(
    doing: str, moved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(pilot: Pilot[None], screen: TableScreen, desk: LocalDesk) -> None:
        sight = (await wait_until_asked(pilot)).sight

        async def refuse(*given: str) -> str:
            screen.show(replace(sight, version=sight.version + moved))
            if doing == "hint":
                raise GonfalonError("No.")
            return "No."

        monkeypatch.setattr(desk, doing, refuse)
        if doing == "act":
            await screen.send_answer(sight.answers[0].id)
        elif doing == "why_not":
            frame = screen.canvas.frame
            assert frame is not None
            board = (spot for spot in frame.spots if spot.key.region == "board")
            screen.go_to(next(spot for spot in board if spot.touch and not spot.may))
            screen.picking.touch(sight.answers[0].parts[0])
            await screen.explain_refusal()
        elif doing == "undo":
            await screen.command("u")
        else:
            await screen.show_hint()
        assert screen.status == ("" if moved else "No.")

    at_table(play)
