"""Records on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

import gonfalon
from gonfalon.bots import make
from gonfalon.bots.players.driver import Driver
from gonfalon.core.files.record import Record
from gonfalon.core.rules.state import OPEN, SPECTATOR
from gonfalon.core.text.sheet import Line
from gonfalon.terminal.drawing.past import Past, list_viewers
from gonfalon.terminal.screens.past import PastApp
from gonfalon.terminal.screens.popup import Reading
from tests.terminal.playing import SMALL, screen_of, wait_for, words


def record_game(over: bool = True, game: str = "feint") -> Record:
    rules = gonfalon.game(game)
    names = ["Ada", "Bo", "Cy"][: rules.seats]
    driver = Driver(Record(rules, names), [make("random", rules) for _ in names], 5, log=True)
    driver.advance()
    if not over:
        driver.record.result = None
        del driver.record.decisions[12:]
    return driver.record


def keys(past: Past, *pressed: str) -> list[str]:
    """Return the screen's text after each key."""

    async def press() -> list[str]:
        app = PastApp(past)
        found = []
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            for key in pressed:
                await pilot.press(key)
                assert screen_of(pilot).canvas.frame is not None
                found.append(" ".join(words(pilot).split()))
        return found

    return asyncio.run(press())


def test_a_record_is_stepped_through_and_jumped_through() -> None:
    record = record_game()
    past = Past(record, OPEN)
    last = len(record.decisions)
    shown = keys(past, "right", "right", "left", "end", "home", "pagedown")
    numbers = [text.split("Step ")[1].split(",")[0] for text in shown]
    assert numbers[:5] == [f"{n} of {last}" for n in (1, 2, 1, last, 0)]
    assert past.game.chapter(past.steps[past.at][0]) != past.game.chapter(past.steps[past.at - 1][0])


@pytest.mark.parametrize("game", ["feint", "jinkei", "factionwars"])
def test_every_decision_has_its_step_for_every_viewer(game: str) -> None:
    """Simultaneous secret answers become visible together, but each step shows its decision."""
    record = record_game(game=game)
    assert [at for at in Past(record, OPEN).ats if at is not None] == list(range(len(record.decisions)))
    for viewer in (SPECTATOR, *range(record.game.seats)):
        past = Past(record, viewer)
        shown_by = {at: step[1] for at, step in zip(past.ats, past.steps, strict=True) if at is not None}
        assert sorted(shown_by) == list(range(len(record.decisions)))
        assert all(record.decisions[at][0] == seat for at, seat in shown_by.items())


def test_g_goes_to_a_part_of_the_game_or_to_a_step() -> None:
    """A typed text is searched among the parts first. A text that is neither a part nor a number changes nothing."""
    past = Past(record_game(), 0)
    begins = next(step for step, name in past.chapters() if name == "Round 2")
    shown_at: list[int] = []

    async def go() -> None:
        async with PastApp(past).run_test(size=SMALL) as pilot:
            for typed in ("2", "17", "x"):
                await pilot.press("g", *typed, "enter")
                await wait_for(pilot, lambda: pilot.app.screen is screen_of(pilot))
                await pilot.pause()
                shown_at.append(past.at)

    asyncio.run(go())
    assert shown_at == [begins, past.ats.index(16), past.ats.index(16)]


def test_a_key_does_its_work_once() -> None:
    """Textual calls the handlers of all classes of a screen. One log opens, not one for each class."""

    async def count() -> int:
        async with PastApp(Past(record_game(), 0)).run_test(size=SMALL) as pilot:
            await pilot.press("l")
            await pilot.pause()
            return sum(isinstance(one, Reading) for one in pilot.app.screen_stack)

    assert asyncio.run(count()) == 1


def test_steps_of_a_running_game_do_not_reveal_answers() -> None:
    past = Past(record_game(over=False), SPECTATOR)
    assert [past.number(n) for n in range(len(past.steps))] == list(range(past.count + 1))
    assert past.count + 1 == len(past.steps)


def test_as_a_seat_one_sees_no_card_of_the_others_hand() -> None:
    past = Past(record_game(), OPEN)
    past.step(12)
    position = past.steps[past.at][0]
    past.change_viewer(0)
    seen = " ".join(piece.text for line in drawn(past, past.sight().board) for piece in line)
    theirs, own = (
        {piece.card for line in drawn(past, past.game.board(position.mask(seat))) for piece in line if piece.card}
        for seat in (1, 0)
    )
    hidden = [str(card["name"]) for card in map(past.game.card, theirs - own) if card]
    assert hidden
    assert not [name for name in hidden if name in seen]


def drawn(past: Past, board: Mapping[str, object]) -> list[Line]:
    """Return everything drawn of a board on a large screen."""
    sheet = past.game.sheet(board, past.record.names, 110, 40)
    assert sheet is not None
    return [*sheet.lines, sheet.hand]


def test_all_cards_are_open_only_when_the_game_is_over() -> None:
    assert list_viewers(record_game()) == [OPEN, SPECTATOR, 0, 1]
    assert list_viewers(record_game(over=False)) == [SPECTATOR, 0, 1]


def test_another_viewer_sees_the_same_place_of_the_game() -> None:
    record = record_game()
    past = Past(record, OPEN)
    past.step(9)
    decisions = past.steps[past.at][3]
    [first, second] = keys(past, "v", "v")
    assert "as spectators saw it" in first
    assert "as Ada saw it" in second
    assert past.steps[past.at][3] <= decisions < past.steps[past.at + 1][3]
