"""The widget that shows the table."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from gonfalon.core.text.sheet import Line
from gonfalon.core.text.untrusted import printable_cells
from gonfalon.terminal.drawing.frame import Frame, Spot
from gonfalon.terminal.screens.palette import BASE, HERE, HERE_ONLY, HERE_PLAIN, build_style


class Canvas(Widget, can_focus=True):
    """Draws a frame and reports the spot under the mouse."""

    DEFAULT_CSS: ClassVar[str] = "Canvas { width: 100%; height: 100%; }"

    class Pointed(Message):
        """The mouse is over a spot; `chosen` if it was clicked."""

        def __init__(self, spot: Spot, chosen: bool) -> None:
            super().__init__()
            self.spot = spot
            self.chosen = chosen

    def __init__(self, plain: bool) -> None:
        super().__init__()
        self.plain = plain
        self.frame: Frame | None = None
        self.here: Spot | None = None
        self.strips: list[Strip] = []

    def draw(self, frame: Frame, here: Spot | None) -> None:
        """Draw a frame with the cursor at a spot. Only changed lines are drawn."""
        before = self.strips
        self.frame, self.here = frame, here
        self.strips = [self.build_strip(y, line) for y, line in enumerate(frame.lines)]
        # A terminal over a slow connection flickers if every line is sent.
        changed = [
            Region(0, y, frame.width, 1)
            for y, strip in enumerate(self.strips)
            if y >= len(before) or before[y] != strip
        ]
        if len(before) != len(self.strips):
            self.refresh()
        elif changed:
            self.refresh(*changed)

    def build_strip(self, y: int, line: Line) -> Strip:
        """Return a line in the form of Textual."""
        assert self.frame is not None
        may = {spot.x for spot in self.frame.spots if spot.y == y and spot.may}
        here = self.here if self.here is not None and self.here.y == y else None
        segments: list[Segment] = []
        x = 0
        for piece in line:
            if here is not None and x == here.x and len(piece.text) == here.width:
                style = HERE_PLAIN if self.plain else HERE if here.may else HERE_ONLY
                segments.append(Segment(printable_cells(piece.text), style))
            else:
                segments.append(
                    Segment(printable_cells(piece.text), build_style(piece.look, x in may and piece.look != "button"))
                )
            x += len(piece.text)
        return Strip(segments, x)

    def render_line(self, y: int) -> Strip:
        """Return a line of the widget."""
        if y < len(self.strips):
            return self.strips[y].crop(0, self.size.width).extend_cell_length(self.size.width, BASE)
        return Strip.blank(self.size.width, BASE)

    def report_spot(self, x: int, y: int, chosen: bool) -> None:
        """Report the spot at a place of the mouse, if there is one."""
        spot = None if self.frame is None else self.frame.find_at(x, y)
        if spot is not None:
            self.post_message(self.Pointed(spot, chosen))
