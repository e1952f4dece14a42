"""Terminals of all kinds: without colors, without a cursor, on Windows, and with names in wide letters."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
from rich.cells import cell_len

from gonfalon.core.rules.log import Line
from gonfalon.core.text.sheet import PATTERNS, clip_text, mark
from gonfalon.games import find_game_class, game
from gonfalon.terminal.drawing.columns import pad_wide, wrap_columns
from gonfalon.terminal.drawing.frame import Frame, Looks
from gonfalon.terminal.drawing.frame import build_frame as frame_for
from gonfalon.terminal.drawing.picking import Picking
from gonfalon.terminal.drawing.viewport import Answer, Present, Sight
from gonfalon.terminal.screens import run
from tests.terminal.playing import LARGE, SMALL, app_of, desk_of, frame_of, press, screen_of, wait_for

GAMES = ("feint", "jinkei", "generals", "factionwars")


@pytest.mark.parametrize("name", GAMES)
def test_no_side_is_known_by_its_colour_alone(name: str) -> None:
    """The factions of a game, and seats without a faction, have different signs."""
    factions = find_game_class(name).lobby().get("factions", [])
    assert isinstance(factions, list)
    signs = [mark(faction["pattern"]) for faction in factions]
    assert len(set(signs)) == len(signs)
    arms = [game(name).arms(seat)["pattern"] for seat in range(game(name).seats)]
    assert len(set(map(mark, arms))) == len(arms)
    assert len(set(PATTERNS.values())) == len(PATTERNS)


def is_even(frame: Frame) -> bool:
    """Return whether each line has as many columns as characters, so that nothing shifts."""
    return all(cell_len(piece.text) == len(piece.text) for line in frame.lines for piece in line)


@pytest.mark.parametrize("name", GAMES)
def test_every_sign_is_one_column_wide(name: str) -> None:
    desk = desk_of(name)

    async def play() -> None:
        async with app_of(desk).run_test(size=SMALL if name == "feint" else LARGE) as pilot:
            screen = screen_of(pilot)
            for _ in range(8):
                await wait_for(pilot, lambda: bool(screen.sight.answers) or screen.moment_end is not None)
                await press(pilot, "enter")
                assert is_even(frame_of(pilot))

    asyncio.run(play())


@pytest.mark.parametrize("width", [60, 61, 62, 79, 80, 83])
def test_a_screen_full_of_wide_letters_is_even(width: int) -> None:
    """Log, prompt, answers, company, notes and refusals keep their columns with any line breaks."""
    name = "諸葛孔明臥龍先生"
    log = [Line(n=n, text=f"{'x' * n} {name * 2} did it.", indent=n % 2, private=False, mark="") for n in range(30)]
    sight = Sight("Moot", 0, [name, "Ada"], {}, f"{name} asks. " * 9, log=log, notes=[f"{name} is away"])
    sight = replace(sight, company=[Present(name, "here", True, ""), Present(name * 4, "away", False, "Hello!")])
    answers = [Answer(str(n), f"{'y' * n} {name}", (str(n),)) for n in range(9)]
    for status, over in (("", ""), (f"z{name * 9}", ""), ("", f"z{name * 9}")):
        looks = Looks(Picking(answers), status=status)
        frame = frame_for(None, replace(sight, answers=answers, over=over), looks, width, 24)
        texts = ["".join(piece.text for piece in line) for line in frame.lines]
        assert {cell_len(text) for text in texts} == {len(text) for text in texts} == {width}
    recap = replace(sight, moment=f"A duel.\n{name * 5}")
    assert is_even(frame_for(None, recap, Looks(Picking()), width, 24))


def test_a_wide_letter_keeps_both_its_columns() -> None:
    assert pad_wide(pad_wide("a曹b")) == pad_wide("a曹b")
    assert [cell_len(clip_text(pad_wide("曹操曹操"), n)) for n in range(1, 9)] == [1, 1, 3, 3, 5, 5, 7, 8]
    assert [
        line for width in range(4, 9) for line in wrap_columns("曹操曹操曹操", width) if cell_len(line) > width
    ] == []
    assert [cell_len("".join(wrap_columns("曹操曹操曹操", width))) for width in range(4, 9)] == [12] * 5


def test_without_colours_the_cursor_is_seen_by_its_reverse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    desk = desk_of("feint")

    async def look() -> list[bool]:
        app = app_of(desk)
        async with app.run_test(size=SMALL) as pilot:
            screen = screen_of(pilot)
            await wait_for(pilot, lambda: bool(screen.sight.answers))
            spot = screen.find_spot()
            assert spot is not None
            strip = screen.canvas.render_line(spot.y)
            found = [segment for segment in strip if segment.style and segment.style.reverse]
            return [app.no_color, [segment.text for segment in found] != [], len(found) == 1]

    assert asyncio.run(look()) == [True, True, True]


@pytest.mark.parametrize(
    ("term", "system", "terminal", "fits"),
    [
        ("xterm-256color", "posix", True, True),
        ("dumb", "posix", True, False),
        (None, "posix", True, False),
        (None, "nt", True, True),
        ("xterm", "posix", False, False),
    ],
)
def test_a_screen_is_drawn_where_there_can_be_one(
    monkeypatch: pytest.MonkeyPatch, term: str | None, system: str, terminal: bool, fits: bool
) -> None:
    """Windows' terminal has no TERM. A dumb one does not know its cursor's position."""
    environ = {} if term is None else {"TERM": term}
    monkeypatch.setattr(run, "os", SimpleNamespace(environ=environ, name=system))
    stream = SimpleNamespace(isatty=lambda: terminal)
    monkeypatch.setattr(sys, "stdin", stream)
    monkeypatch.setattr(sys, "stdout", stream)
    assert run.can_show_screen() is fits
