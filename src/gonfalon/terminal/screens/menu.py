"""The screen of the menu."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult

from gonfalon.core.text.sheet import Line, Piece, fit_line
from gonfalon.terminal.drawing.frame import Frame, drawing_size
from gonfalon.terminal.games.menu import KEYS, Chosen, Menu
from gonfalon.terminal.screens.app import ScreenApp
from gonfalon.terminal.screens.canvas import Canvas

MOVES = {"up": -1, "down": 1, "tab": 1, "shift+tab": -1}


class MenuApp(ScreenApp[Chosen]):
    """The app in which a game is chosen. Its result is None if the user leaves."""

    def __init__(self, menu: Menu) -> None:
        super().__init__()
        self.menu = menu
        self.canvas = Canvas(self.no_color)

    def compose(self) -> ComposeResult:
        yield self.canvas

    def on_mount(self) -> None:
        self.canvas.focus()

    def on_resize(self) -> None:
        self.draw()

    def draw(self) -> None:
        """Draw the menu and the keys."""
        width, height = drawing_size(*self.size)
        rows: list[Line] = [[], *self.menu.lines(width - 4)]
        first = max(0, min(len(rows) - height + 1, self.menu.at - 2))
        keys = [piece for key, what in KEYS for piece in (Piece(key, "key"), Piece(f" {what}  ", "soft"))]
        frame = Frame(width, height)
        for n in range(first, first + height - 1):
            frame.lines.append(fit_line([Piece("  "), *(rows[n] if n < len(rows) else [])], width))
        frame.lines.append(fit_line([Piece("  "), *keys], width))
        self.canvas.draw(frame, None)

    def on_paste(self, event: events.Paste) -> None:
        if self.menu.is_typing() and event.text:
            self.menu.type_text(event.text)
            self.draw()

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if self.menu.is_typing() and (event.is_printable or event.key == "backspace"):
            self.menu.type_text((event.character or "") if event.is_printable else "")
        elif event.key in MOVES:
            self.menu.move(MOVES[event.key])
        elif event.key in ("left", "right"):
            self.menu.change(1 if event.key == "right" else -1)
        elif event.key in ("enter", "space"):
            chosen = self.menu.choose()
            if chosen is not None:
                self.exit(chosen)
                return
        elif event.key in ("q", "escape"):
            self.exit(None)
            return
        self.draw()
