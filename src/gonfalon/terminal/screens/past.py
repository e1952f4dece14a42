"""The screen of a replay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from textual import events

from gonfalon.terminal import messages
from gonfalon.terminal.drawing.past import Past
from gonfalon.terminal.screens.table import TableApp, TableScreen

STEPS: Final = {"left": -1, "right": 1, "enter": 1, "space": 1, "backspace": -1, "home": -1_000_000, "end": 1_000_000}
"""Keys that go to another step, and the distance."""
CHAPTERS: Final = {"pageup": -1, "pagedown": 1, "left_square_bracket": -1, "right_square_bracket": 1}
"""Keys that go to another part of the game, and the direction."""


class PastScreen(TableScreen):
    """A screen that steps through a game: arrows for steps, PgUp and PgDn for parts, `v` for another viewer."""

    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("← →", "step"),
        ("PgUp PgDn", "round"),
        ("g", "go to"),
        ("v", "viewer"),
        ("↑ ↓ Tab", "cards"),
        ("l", "log"),
        ("/", "card"),
        ("q", "leave"),
    )
    SPECTATOR_REASON: ClassVar[str] = messages.REPLAY
    NO_ACTION_REASON: ClassVar[str] = messages.REPLAY

    def __init__(self, past: Past, plain: bool = False) -> None:
        super().__init__(past, False, plain)
        self.past = past

    def list_keys(self) -> Sequence[tuple[str, str]]:
        return self.KEYS

    async def on_key(self, event: events.Key) -> None:
        event.prevent_default()  # otherwise Textual also calls the handler of the base class
        if event.key in STEPS:
            self.past.step(STEPS[event.key])
        elif event.key in CHAPTERS:
            self.past.chapter(CHAPTERS[event.key])
        elif event.character == "v":
            self.past.next_viewer()
        elif event.character == "g":
            self.jump()
        else:
            await super().on_key(event)
            return
        event.stop()
        self.show(self.past.sight())

    def jump(self) -> None:
        """Ask for a part of the game or the number of a step, and go there."""
        from gonfalon.terminal.screens.asking import Pick  # its widgets take a while to load

        parts = [(name, str(self.past.number(step))) for step, name in self.past.chapters()]
        self.app.push_screen(Pick(messages.GO_TO, parts, messages.GO_TO_HELP), self.go_to_step)

    def go_to_step(self, number: str | None) -> None:
        """Go to a step by its number."""
        if number is None:
            return
        if number.isdecimal() and len(number) < 9:
            self.past.go_to(int(number))
        else:
            self.status = messages.NO_STEP.format(number=repr(number[:20]))
        self.show(self.past.sight())


class PastApp(TableApp):
    """The app of a replay."""

    def __init__(self, past: Past) -> None:
        super().__init__(past, motion=False)
        self.past = past

    def table(self) -> TableScreen:
        return PastScreen(self.past, self.no_color)

    @property
    def plays(self) -> bool:
        return False
