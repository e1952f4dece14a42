"""A record on the screen."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import events

from gonfalon.terminal.past import Past
from gonfalon.terminal.screen.table import TableApp, TableScreen

STEPS: Final = {"left": -1, "right": 1, "enter": 1, "space": 1, "backspace": -1, "home": -1_000_000, "end": 1_000_000}
CHAPTERS: Final = {"pageup": -1, "pagedown": 1, "left_square_bracket": -1, "right_square_bracket": 1}


class PastScreen(TableScreen):
    """Steps through a game: the arrows step, PgUp and PgDn go from part to part, `v` changes the viewer."""

    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("← →", "step"),
        ("PgUp PgDn", "round"),
        ("v", "viewer"),
        ("↑ ↓ Tab", "cards"),
        ("l", "log"),
        ("/", "card"),
        ("q", "leave"),
    )

    def __init__(self, past: Past, plain: bool = False) -> None:
        super().__init__(past, False, plain)
        self.past = past

    async def on_key(self, event: events.Key) -> None:
        if event.key in STEPS:
            self.past.step(STEPS[event.key])
        elif event.key in CHAPTERS:
            self.past.chapter(CHAPTERS[event.key])
        elif event.character == "v":
            self.past.next_viewer()
        else:
            await super().on_key(event)
            return
        event.stop()
        self.show(self.past.sight())


class PastApp(TableApp):
    """A terminal that shows a record."""

    def __init__(self, past: Past) -> None:
        super().__init__(past, motion=False)
        self.past = past

    def table(self) -> TableScreen:
        return PastScreen(self.past, self.no_color)
