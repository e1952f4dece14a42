"""The base of all apps on the screen."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.app import App
from textual.binding import Binding, BindingType

Result = TypeVar("Result")


class ScreenApp(App[Result]):
    """An app that Ctrl-Z suspends, and that Ctrl-C leaves."""

    CSS: ClassVar[str] = "Screen { background: #131417; }"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    # With priority, so that no widget takes the keys.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def action_leave(self) -> None:
        """Leave the app."""
        self.exit()
