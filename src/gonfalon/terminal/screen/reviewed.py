"""A record with its review on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from textual import events

from gonfalon.core.sheet import Line
from gonfalon.terminal.frame import NARROW, Frame, Looks, Spot, drawing_size, frame_of
from gonfalon.terminal.review_frame import ENTRY, STEP, Entry, hidden, note_steps, page, panel, summary
from gonfalon.terminal.reviewed import Reviewed, told_of
from gonfalon.terminal.reviewing import Reviewing
from gonfalon.terminal.screen.past import PastApp, PastScreen

BOARD, SUMMARY, HIDDEN = "board", "summary", "hidden"
PAGES: Final = {"b": BOARD, "s": SUMMARY, "t": HIDDEN}
MARKS: Final = {"n": 1, "p": -1}
UP_AND_DOWN: Final = {"up": -1, "down": 1, "shift+tab": -1, "tab": 1}


class ReviewScreen(PastScreen):
    """Steps through a reviewed game: `n` and `p` go from mark to mark, `s` and `t` open other pages, `b` the board."""

    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("← →", "step"),
        ("n p", "marks"),
        ("g", "go to"),
        ("v", "viewer"),
        ("s", "summary"),
        ("t", "thoughts"),
        ("q", "leave"),
        ("i", "all of it"),
        ("PgUp PgDn", "round"),
        ("↑ ↓ Tab", "cards"),
        ("/", "card"),
    )
    PAGE_KEYS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("↑ ↓", "read"),
        ("↵", "go there"),
        ("n p", "marks"),
        ("v", "viewer"),
        ("s", "summary"),
        ("t", "thoughts"),
        ("b", "board"),
        ("q", "leave"),
        ("← →", "step"),
    )

    def __init__(self, past: Reviewed, begin: str, plain: bool = False) -> None:
        super().__init__(past, plain)
        self.past: Reviewed = past
        self.page = begin
        self.entry = 0

    # ---- drawing ---------------------------------------------------------------------------------

    def frame_at(self, width: int, height: int) -> Frame:
        if self.page != BOARD:
            keys = [pair for pair in self.PAGE_KEYS if PAGES.get(pair[0]) != self.page]
            looks = Looks(self.picking, status=self.status, keys=keys)
            return page(self.past, self.entries(width), self.entry, looks, width, height)
        looks = Looks(self.picking, self.at, self.status, self.clock, self.reading(width), self.KEYS, self.beside)
        frame = frame_of(self.desk.game, self.sight, looks, width, height)
        note_steps(frame)
        return frame

    def beside(self, width: int, height: int) -> list[Line]:
        """What stands beside the board."""
        return panel(self.past, width, height)

    def entries(self, width: int) -> list[Entry]:
        """The paragraphs of the page; the cursor stays among them."""
        found = (summary if self.page == SUMMARY else hidden)(self.past, width - 4)
        self.entry = min(self.entry, len(found) - 1)
        return found

    def draw(self, keep: bool = True) -> None:
        width, height = drawing_size(*self.size)
        if self.page == BOARD or not self.size.width:
            super().draw(keep)
        else:
            self.canvas.draw(self.frame_at(width, height), None)

    def reading(self, width: int) -> Sequence[Line]:
        """A card is read only once somebody has gone to it: else the review stands there."""
        wandered = self.at is not None and self.wandered == (self.sight.version, self.at)
        return super().reading(max(width, NARROW)) if wandered else ()

    # ---- keys and the mouse ----------------------------------------------------------------------

    async def on_key(self, event: events.Key) -> None:
        event.prevent_default()
        letter = event.character or ""
        self.status = ""
        if letter in PAGES:
            self.turn_to(BOARD if self.page == PAGES[letter] else PAGES[letter])
        elif letter in MARKS:
            if not self.past.to_mark(MARKS[letter]):
                self.status = "There is no mark that way."
            self.show(self.past.sight())
        elif letter == "i":
            self.read_on()
        elif self.page != BOARD and event.key in UP_AND_DOWN:
            self.entry = max(0, self.entry + UP_AND_DOWN[event.key])
            self.draw()
        elif self.page != BOARD and event.key in ("enter", "escape"):
            self.to_board(self.entry if event.key == "enter" else None)
        else:
            await super().on_key(event)
            return
        event.stop()

    def turn_to(self, page: str) -> None:
        """Open another page, or the board."""
        self.page = page
        self.entry = 0
        self.draw()

    def to_board(self, entry: int | None) -> None:
        """Back to the board, at the decision of an entry if it leads to one."""
        some = self.entries(drawing_size(*self.size)[0])
        leads_to = None if entry is None or entry >= len(some) else some[entry].leads_to
        if leads_to is not None:
            self.past.at = self.past.step_of(leads_to)
        self.page = BOARD
        self.show(self.past.sight())

    def read_on(self) -> None:
        """All that is said of this decision, over the table."""
        one = self.past.judged()
        if one is None:
            self.status = "Nothing is said of this step to whoever looks."
            self.draw()
            return
        texts = [text for text, _ in told_of(self.past, one)]
        texts = [f"Asked: {one['asked']}", *texts, self.past.brought()]
        self.read(f"Decision {one['at'] + 1}", [line for text in texts if text for line in (text, "")], key="i")

    async def choose(self, spot: Spot | None) -> None:
        """A click: a paragraph, or a decision in the list beside the board."""
        if spot is not None and spot.touch.startswith(STEP):
            self.past.at = self.past.step_of(int(spot.touch[len(STEP) :]))
            self.show(self.past.sight())
        elif spot is not None and spot.key.region == ENTRY:
            self.entry = int(spot.key.what)
            self.to_board(self.entry)
        else:
            await super().choose(spot)

    def go_to(self, spot: Spot | None) -> None:
        if spot is None or spot.key.region != ENTRY:
            super().go_to(spot)


class ReviewApp(PastApp):
    """A terminal that shows a reviewed record, and reviews it meanwhile if that is still to be done."""

    def __init__(self, past: Reviewed, begin: str = SUMMARY, work: Reviewing | None = None) -> None:
        super().__init__(past)
        self.reviewed = past
        self.begin = begin
        self.work = work

    def table(self) -> ReviewScreen:
        return ReviewScreen(self.reviewed, self.begin, self.no_color)

    def on_mount(self) -> None:  # beside the one of every table, which Textual calls as well
        if self.work is not None:
            self.work.begin(self.heard)

    def heard(self) -> None:
        """Something has been found, or the work has come to its end: called in the thread that does it."""
        self.call_later(self.take)

    def take(self) -> None:
        """Show what has been found."""
        assert self.work is not None
        if self.work.failure is not None:
            self.failure = self.work.failure
            self.exit()
            return
        self.reviewed.take(*self.work.now)
        shown = next((one for one in self.screen_stack if isinstance(one, ReviewScreen)), None)
        if shown is not None:
            shown.show(self.reviewed.sight())
