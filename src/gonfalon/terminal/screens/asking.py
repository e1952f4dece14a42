"""A popup with a list of choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from gonfalon.terminal.screens.popup import BOX, Popup


class Pick(Popup[str | None]):
    """A list of choices, selected by arrows, the mouse or a part of the label; other typed text is a result too.

    The result is the choice's value; None if the popup is closed without a choice.

    Args:
        title: The title.
        choices: Pairs of a label and a value.
        hint: Placeholder of the input.
    """

    CSS: ClassVar[str] = f"""{BOX.format(name="Pick")}
Pick OptionList {{ height: auto; max-height: 14; border: none; background: #1e2026; color: #efe8da; padding: 0; }}
Pick OptionList > .option-list--option-highlighted {{ background: #e5bf64; color: #1a1405; text-style: bold; }}
"""

    def __init__(self, title: str, choices: Sequence[tuple[str, str]], hint: str = "") -> None:
        super().__init__()
        self.heading, self.choices, self.hint = title, list(choices), hint
        self.found = self.choices

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = self.heading
            box.border_subtitle = "↑ ↓ Enter · Esc closes"
            yield Input(placeholder=self.hint)
            yield OptionList()

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        # The input keeps the focus, so that typing always filters the list.
        self.query_one(OptionList).can_focus = False
        self.fill("")

    def fill(self, wanted: str) -> None:
        """Show the choices whose labels contain a text."""
        self.found = [pair for pair in self.choices if wanted.lower() in pair[0].lower()]
        some = self.query_one(OptionList)
        some.clear_options()
        some.add_options([Option(label) for label, _ in self.found])
        # Without a filter nothing is highlighted, so that Enter does not choose by accident.
        some.highlighted = 0 if self.found and wanted else None

    def on_input_changed(self, event: Input.Changed) -> None:
        self.fill(event.value.strip())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        at, typed = self.query_one(OptionList).highlighted, event.value.strip()
        self.dismiss(self.found[at][1] if at is not None and at < len(self.found) else typed or None)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.found[event.option_index][1])

    def on_key(self, event: events.Key) -> None:
        some = self.query_one(OptionList)
        if event.key == "escape":
            event.stop()
            self.dismiss(None)
        elif event.key in ("up", "down"):
            event.stop()
            (some.action_cursor_up if event.key == "up" else some.action_cursor_down)()
