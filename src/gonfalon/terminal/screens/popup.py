"""Popups over the table: a text, a list, and cards to look up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final, TypeVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from gonfalon.core.text.untrusted import printable
from gonfalon.terminal import messages

BOX = """
{name} {{ align: center middle; background: #000000 60%; }}
{name} > Vertical {{ width: 84; max-width: 96%; height: auto; max-height: 90%; background: #1e2026; color: #efe8da;
  border: round #e5bf64; border-title-color: #e5bf64; border-subtitle-color: #b3ab99; padding: 0 1; }}
{name} VerticalScroll {{ height: auto; max-height: 100%; scrollbar-size-vertical: 1; }}
{name} Input {{ border: none; height: 1; background: #282b33; color: #efe8da; }}
"""
"""CSS of a popup, by its name."""


Result = TypeVar("Result")


class Popup(ModalScreen[Result]):
    """A popup that closes only once: a second key on its way would otherwise close the screen below."""

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        return super().dismiss(result) if self.is_active else AwaitComplete()


SCROLLING: Final = ("up", "down", "pageup", "pagedown", "home", "end", "left", "right")


class Reading(Popup[events.Key | None]):
    """A text, closed by any key.

    The result is a key that is meant for the screen below; None for keys that only close, such as `key`, which opened
    the text.
    """

    CSS: ClassVar[str] = BOX.format(name="Reading")

    def __init__(self, title: str, lines: Sequence[str], from_end: bool = False, key: str = "") -> None:
        super().__init__()
        self.heading = title
        self.lines = list(lines)
        self.from_end = from_end
        self.key = key

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = self.heading
            box.border_subtitle = "↑ ↓ scroll · Esc closes"
            with VerticalScroll():
                yield Static(Text(printable("\n".join(self.lines))))

    def on_mount(self) -> None:
        scroll = self.query_one(VerticalScroll)
        scroll.focus()
        if self.from_end:
            scroll.scroll_end(animate=False)

    def on_key(self, event: events.Key) -> None:
        if event.key not in SCROLLING:
            event.stop()
            closes = event.key in ("escape", "q", "enter", "space") or event.character == self.key
            self.dismiss(None if closes else event)

    def on_click(self) -> None:
        self.dismiss(None)


class Choosing(Popup[int | None]):
    """A short list, selected by number or with arrows and Enter."""

    CSS: ClassVar[str] = BOX.format(name="Choosing") + "Choosing > Vertical { width: 40; }"

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__()
        self.heading = title
        self.lines = list(lines)
        self.at = 0

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = self.heading
            box.border_subtitle = "↑ ↓ ↵ · Esc closes"
            yield Static()

    def on_mount(self) -> None:
        self.draw()

    def draw(self) -> None:
        text = Text()
        for n, line in enumerate(self.lines):
            text.append(f" {n + 1}  {line} \n", "reverse bold" if n == self.at else "")
        self.query_one(Static).update(text)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        number = int(event.character) - 1 if event.character and event.character.isdecimal() else -1
        if event.key in ("up", "down"):
            self.at = (self.at + (1 if event.key == "down" else -1)) % len(self.lines)
            self.draw()
        elif event.key in ("enter", "space"):
            self.dismiss(self.at)
        elif 0 <= number < len(self.lines):
            self.dismiss(number)
        elif event.key in ("escape", "q", "t"):
            self.dismiss(None)


class Lookup(Popup[None]):
    """A search for cards by a part of their names."""

    CSS: ClassVar[str] = BOX.format(name="Lookup")

    def __init__(self, names: Sequence[str], text_of: Callable[[str], str], begin: str = "") -> None:
        super().__init__()
        self.names = sorted(set(names))
        self.text_of = text_of
        self.begin = begin

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = messages.LOOK_UP
            box.border_subtitle = messages.LOOK_UP_HELP
            yield Input(self.begin, placeholder=messages.PART_OF_NAME, select_on_focus=True)
            with VerticalScroll():
                yield Static("")

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        wanted = event.value.strip().lower()
        found = [name for name in self.names if wanted in name.lower()]
        found.sort(key=lambda name: (name.lower() != wanted, not name.lower().startswith(wanted)))
        if not found:
            text = messages.NO_SUCH_CARD
        elif not wanted:
            text = ", ".join(found)
        else:
            text = self.text_of(found[0])
            text += f"\n\nAlso: {', '.join(found[1:])}" if len(found) > 1 else ""
        self.query_one(Static).update(Text(printable(text)))

    def on_input_submitted(self) -> None:
        self.dismiss()

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.dismiss()
