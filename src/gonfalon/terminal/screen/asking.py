"""What is asked over a screen: a line of text, or one of a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from gonfalon.terminal.screen.popup import BOX, Over

LIST = """
{name} OptionList {{ height: auto; max-height: 14; border: none; background: #1e2026; color: #efe8da; padding: 0; }}
{name} OptionList > .option-list--option-highlighted {{ background: #e5bf64; color: #1a1405; text-style: bold; }}
"""


class Pasting(Input):
    """A line of text, or a whole text that is pasted: of several lines it is the answer as it is."""

    def _on_paste(self, event: events.Paste) -> None:
        lines = event.text.strip().splitlines()
        if len(lines) > 1:
            event.stop()
            event.prevent_default()  # Textual would put the first line into the field
            self.post_message(self.Submitted(self, "\n".join(lines)))


class Ask(Over[str | None]):
    """A line of text; None for whoever does not want to. With `whole`, a text of several lines may be pasted; else the
    first of them is written, and nothing is answered yet."""

    CSS: ClassVar[str] = BOX.format(name="Ask") + LIST.format(name="Ask")

    def __init__(self, title: str, text: str = "", hint: str = "", whole: bool = False) -> None:
        super().__init__()
        self.heading, self.text, self.hint, self.whole = title, text, hint, whole

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = self.heading
            box.border_subtitle = "Enter · Esc closes"
            kind = Pasting if self.whole else Input
            yield kind(self.text, placeholder=self.hint, select_on_focus=True)

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.dismiss(None)


class Pick(Over[str | None]):
    """One of a list of (label, answer), by arrows, the mouse, or a part of its label; with `free`, also whatever else
    was typed. None for whoever does not want to."""

    CSS: ClassVar[str] = BOX.format(name="Pick") + LIST.format(name="Pick")

    def __init__(self, title: str, choices: Sequence[tuple[str, str]], hint: str = "", free: bool = False) -> None:
        super().__init__()
        self.heading, self.choices, self.hint, self.free = title, list(choices), hint, free
        self.found = self.choices

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = self.heading
            box.border_subtitle = "↑ ↓ Enter · Esc closes"
            yield Input(placeholder=self.hint)
            yield OptionList()

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self.query_one(OptionList).can_focus = False
        self.fill("")

    def fill(self, wanted: str) -> None:
        """Show what has a text in its label."""
        self.found = [pair for pair in self.choices if wanted.lower() in pair[0].lower()]
        some = self.query_one(OptionList)
        some.clear_options()
        some.add_options([Option(label) for label, _ in self.found])
        some.highlighted = 0 if self.found and (wanted or not self.free) else None

    def on_input_changed(self, event: Input.Changed) -> None:
        self.fill(event.value.strip())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        at, typed = self.query_one(OptionList).highlighted, event.value.strip()
        if at is not None and at < len(self.found):
            self.dismiss(self.found[at][1])
        elif self.free and typed:
            self.dismiss(typed)
        elif not typed:
            self.dismiss(None)

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


class Sure(Over[str | None]):
    """A question that is answered with a letter; None for whoever thinks again."""

    CSS: ClassVar[str] = BOX.format(name="Sure")

    def __init__(self, title: str, answers: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self.heading, self.answers = title, list(answers)

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = self.heading
            box.border_subtitle = "Esc closes"
            yield Static("   ".join(f"[b]{key}[/b] {what}" for key, what in self.answers))

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key == "escape":
            self.dismiss(None)
        elif event.character in {key for key, _ in self.answers}:
            self.dismiss(event.character)
