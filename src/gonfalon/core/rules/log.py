"""The log of a view in words: the lines that pages, terminals, replays and the API show."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Annotated, TypedDict

from gonfalon.core.rules.state import EVERYBODY, Event, State
from gonfalon.core.rules.words import Words


class Line(TypedDict):
    """A line of the log: one event or several that belong together. An indented line is a consequence of the one
    before."""

    n: Annotated[int, "The number of its last event."]
    text: str
    indent: int
    private: Annotated[bool, "Whether not all viewers can read it."]
    mark: Annotated[str, "The name of its icon, or 'turn' for a heading; '' for neither."]


def list_lines(game: Words, view: State, names: list[str], begin: int = 0) -> Iterator[Line]:
    """Yield the log of a view in words.

    Args:
        game: The game.
        view: The view.
        names: The names of the seats as the viewer reads them.
        begin: The number of the first event.
    """
    log = view.log or []
    events: list[Event] = []
    for n in range(begin, len(log)):
        events.append(log[n])
        if n + 1 < len(log) and game.continues(log[n + 1], log[n]):
            continue
        if text := game.line(events, view, names):
            indent = (len(text) - len(text.lstrip())) // 2
            private = any(event[1] != EVERYBODY for event in events)
            mark = game.mark(events[0])
            yield {"n": n, "text": text.strip(), "indent": indent, "private": private, "mark": mark}
        events = []


class LogReader:
    """The lines of one viewer's log, each made once.

    A line follows from its masked events and the names. Earlier events can change, so each is compared.
    """

    def __init__(self) -> None:
        self._names: list[str] = []
        self._events: array[int] = array("q")
        """A hash of each event, which needs a tenth of its memory."""
        self._lines: list[Line] = []

    def read(self, game: Words, view: State, names: list[str]) -> list[Line]:
        """Return the viewer's log in words."""
        if names != self._names:
            self._names, self._events, self._lines = names, array("q"), []
        events, known, lines = array("q", map(hash, view.log or ())), self._events, self._lines
        if events != known:
            pairs = enumerate(zip(events, known, strict=False))
            same = next((n for n, (new, old) in pairs if new != old), min(len(events), len(known)))
            # The next event may continue the line of the last equal one.
            while lines and lines[-1]["n"] >= same - 1:
                lines.pop()
            lines += list_lines(game, view, names, lines[-1]["n"] + 1 if lines else 0)
            self._events = events
        return lines[:]
