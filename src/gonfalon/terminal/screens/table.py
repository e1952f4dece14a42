"""The table on its screen: keys and the mouse become answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.message import Message
from textual.screen import Screen

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.text.emotes import EMOTES, NAMES
from gonfalon.core.text.sheet import Line
from gonfalon.terminal.drawing.cards import card_beside, card_text
from gonfalon.terminal.drawing.frame import (
    ANSWERS,
    BOARD,
    HAND,
    KEYS,
    REGIONS,
    Frame,
    Key,
    Looks,
    Spot,
    drawing_size,
    frame_of,
    log_lines,
    side_width,
)
from gonfalon.terminal.drawing.picking import Picking
from gonfalon.terminal.drawing.viewport import OVER, UNASKED, Again, Answer, Desk, Greeter, Sight, told_before
from gonfalon.terminal.screens.canvas import Canvas

ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
GREET = ("t", "greet")
KEYS_AMONG_OTHERS = (*(pair for pair in KEYS if pair[0] not in ("Esc", "q")), GREET, ("q", "leave"))
LOOKING = (("↑ ↓ Tab", "cards"), ("l", "log"), ("/", "card"), ("q", "leave"))
"""For whoever only watches, and when the game is over."""
CARD_FIRST = "Take a card first, with Enter or by its digit; then this place."
GOING_ON = (("↵", "go on"), ("Esc", "to the next question"), ("q", "leave"))
LEAST = 0.5
"""Seconds for which what a moment comes to is seen at least."""
COVERT = Sight("", -2, (), {}, "")


class TableScreen(Screen[str]):
    """One table. Its result is a sentence for whoever has left."""

    CSS: ClassVar[str] = "TableScreen { background: #131417; }"
    KEYS: ClassVar[tuple[tuple[str, str], ...]] = KEYS
    ONLY: ClassVar[str] = "You have no seat here; you can only watch."
    UNASKED: ClassVar[str] = UNASKED

    def __init__(self, desk: Desk, motion: bool = True, plain: bool = False) -> None:
        super().__init__()
        self.desk = desk
        self.motion = motion
        self.canvas = Canvas(plain)
        self.sight = COVERT
        self.picking = Picking()
        self.at: Key | None = None
        self.status = ""
        self.going_on: asyncio.Event | None = None
        """Set while a moment is looked at; whoever sets it goes on."""
        self.muted = False
        """Whether greetings are left out."""
        self.hurries = False
        """Whether all moments are passed over until something is asked."""
        self.read_card = ""
        """The card under the cursor, by its slug."""
        self.readings: dict[tuple[str, int], list[Line]] = {}
        self.shown = 0
        """How many sights have been drawn."""
        self.news = 0
        """How many of them had something to be answered, or to be looked at, that the one before had not."""
        self.seen_at: float | None = None
        """Since when the last of these can be seen; what was typed before is no answer to it."""
        self.given: tuple[int, Sequence[Answer]] = (-1, ())
        """The question that was answered last."""

    def compose(self) -> ComposeResult:
        yield self.canvas

    def on_mount(self) -> None:
        self.canvas.focus()
        self.set_interval(1.0, self.tick)
        self.run_worker(self.desk.run(self), exclusive=True, group="desk")

    def on_resize(self) -> None:
        self.draw()

    def on_screen_resume(self) -> None:
        self.wait_until_seen()

    # ---- what the desk shows ---------------------------------------------------------------------

    def show(self, sight: Sight) -> None:
        """Draw the table; a new question begins with the first thing that may be touched, and what was said of an
        earlier position goes."""
        if self.given == (sight.version, list(sight.answers)):
            sight = replace(sight, answers=())
        self.hurries = self.hurries and not (sight.answers or sight.over)
        moved = sight.version != self.sight.version
        if moved:
            self.status = ""
        if moved or sight.answers != self.sight.answers:
            self.picking = Picking(sight.answers)
            self.begin_news()
        self.sight = sight
        self.shown += 1
        self.draw()
        self.wait_until_seen()

    def begin_news(self) -> None:
        """Something else is asked, or to be looked at."""
        self.news += 1
        self.seen_at = None

    def wait_until_seen(self) -> None:
        """Note when it has been drawn; below another screen it is not seen."""
        if self.seen_at is None and self.is_active:
            self.call_after_refresh(self.note_seen, self.news)

    def note_seen(self, news: int) -> None:
        """It has been drawn, if it has not given way to something else."""
        if news == self.news and self.seen_at is None:
            self.seen_at = events.Event().time  # by the clock that keys have

    def is_early(self, event: Message) -> bool:
        """Whether something was done before that could be seen which it would answer, or end."""
        waits = self.going_on is not None or bool(self.sight.answers)
        return waits and (self.seen_at is None or event.time < self.seen_at)

    async def hold(self, sight: Sight, seconds: float | None, live: bool = False) -> None:
        """Draw a moment, after what leads to it; any key goes on, and so does time if motion is wanted or the game
        continues without this person. Before the
        device is passed to somebody else all that lies over the table goes away: it is for who sat here."""
        if sight.hands_over:
            self.workers.cancel_group(self, "hint")
            while self.app.screen is not self:
                await self.app.pop_screen()
        timed = seconds is not None and (live or self.motion) and not sight.hands_over
        if timed and self.hurries:
            return
        self.hurries = False
        begun = time.monotonic()
        if await self.stage(sight) or not timed:
            left = None if seconds is None or not timed else max(LEAST, seconds - (time.monotonic() - begun))
            await self.look(sight, left)

    async def lead_to(self, sight: Sight, seconds: float = 0.0) -> None:
        """Draw what has led to a table, then the table, for so long if nothing is asked; whoever hurries sees the
        table alone."""
        if not self.hurries:
            await self.stage(sight)
        self.show(sight)
        await asyncio.sleep(0.0 if self.hurries or sight.answers else seconds)

    async def stage(self, sight: Sight) -> bool:
        """Draw the stills on the way to a sight, if motion is wanted; False for whoever did not want to see them all.
        What the log tells of them is not shown before its time."""
        before, game = self.sight, self.desk.game
        if not self.motion or game is None or not sight.board or before.viewer != sight.viewer:
            return True
        for still in game.film(sight.board, before.board or None, list(sight.names)):
            log = told_before(still.ahead, sight.log, before.log)
            shown = replace(sight, board=still.board, prompt=still.words, moment=still.words, log=log)
            if await self.look(replace(shown, answers=(), over="", tip=""), still.seconds):
                return False
        return True

    async def look(self, sight: Sight, seconds: float | None) -> bool:
        """Draw something to look at, for so long or until somebody goes on; whether they did."""
        self.going_on = asyncio.Event()
        self.begin_news()
        self.show(sight)
        try:
            await asyncio.wait_for(self.going_on.wait(), seconds)
        except TimeoutError:
            return False
        finally:
            self.going_on = None
        return True

    def tick(self) -> None:
        """A second has passed: clocks that run are drawn anew."""
        if any(clock.since is not None for clock in self.sight.clocks):
            self.draw()

    def clock(self, seat: int) -> str:
        """The time that a seat has left, as minutes and seconds; empty without a clock."""
        clocks = self.sight.clocks
        left = clocks[seat].left if seat < len(clocks) else None
        if left is None:
            return ""
        since = clocks[seat].since
        seconds = max(0, int(left - (0 if since is None else max(0.0, time.time() - since))))
        days, rest = divmod(seconds, 86_400)
        hours, rest = divmod(rest, 3600)
        text = f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
        return f"{days} days {hours} h" if days else text if since is None else f"▸{text}"

    # ---- drawing ---------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw everything anew: twice where the cursor has to move first, or another card lies under it."""
        if not self.size.width:
            return
        width, height = drawing_size(*self.size)
        frame = self.frame_at(width, height)
        spot = frame.spot(self.at)
        if spot is None or (not spot.may and frame.first() is not None and not self.reads_on(spot)):
            spot = self.first_place(frame) or frame.first(may=False)
            self.at = spot.key if spot else None
            frame = self.frame_at(width, height)
            spot = frame.spot(self.at)
        if (slug := spot.card if spot else "") != self.read_card:
            self.read_card = slug
            frame = self.frame_at(width, height)
        self.canvas.draw(frame, spot)

    def reads_on(self, spot: Spot) -> bool:
        """Whether the cursor may stay where nothing can be done: the person has moved it there."""
        return self.wandered == (self.sight.version, spot.key)

    wandered: tuple[int, Key] | None = None

    def first_place(self, frame: Frame) -> Spot | None:
        """Where the cursor goes by itself: after a card was lifted to a place on the board."""
        return (frame.first(region=BOARD) if self.picking.lifted else None) or frame.first()

    def frame_at(self, width: int, height: int) -> Frame:
        sight = self.sight
        if self.muted:
            sight = replace(sight, company=[one._replace(says="") for one in sight.company])
        looks = Looks(self.picking, self.at, self.status, self.clock, self.reading(width), self.keys())
        return frame_of(self.desk.game, sight, looks, width, height)

    def keys(self) -> Sequence[tuple[str, str]]:
        """What the keys do now."""
        if self.going_on is not None:
            return GOING_ON if self.sight.moment else GOING_ON[::2]
        if self.sight.over or self.sight.viewer < 0:
            again = [("r", "play again")] if self.plays_again() else []
            return [*again, *LOOKING[:-1], *([GREET] if self.greets() else []), LOOKING[-1]]
        keys = KEYS_AMONG_OTHERS if self.greets() and not self.picking.lifted else self.KEYS
        return keys if self.sight.hints else [pair for pair in keys if pair[0] != "h"]

    def reading(self, width: int) -> Sequence[Line]:
        """What is printed on the card under the cursor, for the panel beside the board."""
        inner = (side_width(width) or width) - 2
        slug = self.read_card
        if not slug:
            return ()
        if (slug, inner) not in self.readings:
            card = self.card(slug)
            self.readings[slug, inner] = card_beside(card, inner) if card else []
        return self.readings[slug, inner]

    def card(self, slug: str) -> Mapping[str, Any] | None:
        """What is printed on a card."""
        game = self.desk.game
        return None if game is None else game.card(slug)

    # ---- keys and the mouse ----------------------------------------------------------------------

    async def on_key(self, event: events.Key) -> None:
        key = event.key
        event.stop()
        if self.going_on is not None:
            if key == "q":
                self.leave()
            elif self.is_early(event):
                pass
            elif not self.sight.hands_over or key in ("enter", "space", "escape"):
                self.hurries = key == "escape"
                self.going_on.set()
            return
        self.status = ""
        chooses = key in ("enter", "space") or bool(event.character and event.character.isdecimal())
        if chooses and self.is_early(event):
            self.draw()
        elif key in ARROWS:
            self.move(*ARROWS[key])
        elif key in ("tab", "shift+tab"):
            self.next_region(1 if key == "tab" else -1)
        elif key in ("enter", "space"):
            await self.choose(self.here())
        elif key == "escape":
            self.put_down()
        elif event.character and event.character.isdecimal():
            await self.digit(int(event.character))
        else:
            await self.command(event.character or "")

    async def command(self, letter: str) -> None:
        """The keys that are letters."""
        if letter == "q":
            self.leave()
        elif (letter in ("h", "u", "t") and self.sight.viewer < 0) or (letter in ("h", "u") and self.sight.over):
            self.status = self.unasked()
            self.draw()
        elif letter == "r" and self.plays_again():
            self.run_worker(self.play_again(), group="again", exclusive=True)
        elif letter == "?":
            await self.explain()
        elif letter == "h":
            self.run_worker(self.advise(), group="hint", exclusive=True)
        elif letter == "u":
            asked = self.sight.version
            self.tell(await self.desk.take_back(), asked)
        elif letter == "l":
            lines = ["".join(piece.text for piece in line) for line in log_lines(self.sight.log, 78)]
            self.read("What has happened", lines or ["Nothing yet."], from_end=True, key="l")
        elif letter == "/":
            self.look_up()
        elif letter == "t" and self.greets():
            self.run_worker(self.greet(), group="greet", exclusive=True)
        else:
            self.draw()

    def here(self) -> Spot | None:
        """The spot under the cursor."""
        return self.canvas.frame.spot(self.at) if self.canvas.frame else None

    def go_to(self, spot: Spot | None) -> None:
        """Put the cursor somewhere; the card there is read once it is drawn."""
        if spot is not None:
            self.at = spot.key
            self.wandered = (self.sight.version, spot.key)
        self.draw()

    def move(self, dx: int, dy: int) -> None:
        """The cursor one spot on."""
        here = self.here()
        frame = self.canvas.frame
        self.go_to(frame.towards(here, dx, dy) if frame and here else None)

    def next_region(self, by: int) -> None:
        """The cursor to the hand, the board, the answers."""
        frame = self.canvas.frame
        if frame is None:
            return
        now = REGIONS.index(self.at.region) if self.at else 0
        for step in range(1, len(REGIONS) + 1):
            region = REGIONS[(now + by * step) % len(REGIONS)]
            spot = frame.first(region=region) or frame.first(may=False, region=region)
            if spot is not None:
                self.go_to(spot)
                return

    async def digit(self, number: int) -> None:
        """A card of the hand by its place, or an answer where there is no hand."""
        frame = self.canvas.frame
        if frame is None:
            return
        hand = [spot for spot in frame.spots if spot.key.region == HAND]
        found = hand or [spot for spot in frame.spots if spot.key.region == ANSWERS]
        number = (number - 1) % 10
        if number < len(found):
            self.at = found[number].key
            self.wandered = (self.sight.version, self.at)
            if hand and self.picking.lifted:
                self.picking.down()
            await self.choose(found[number])

    async def on_canvas_pointed(self, message: Canvas.Pointed) -> None:
        self.status = ""
        self.go_to(message.spot)
        if message.chosen and not self.is_early(message):
            await self.choose(message.spot)

    async def on_click(self, event: events.Click) -> None:
        early = self.is_early(event)
        if self.going_on is None:
            self.canvas.pointed(event.screen_x, event.screen_y, not early)
        elif not early and not self.sight.hands_over:
            self.going_on.set()

    async def on_mouse_move(self, event: events.MouseMove) -> None:
        spot = self.canvas.frame.at(event.screen_x, event.screen_y) if self.canvas.frame else None
        if spot is not None and spot.key != self.at and self.going_on is None:
            self.go_to(spot)

    # ---- answers ---------------------------------------------------------------------------------

    async def choose(self, spot: Spot | None) -> None:
        """Touch what is at the cursor."""
        if spot is None:
            return
        if spot.answer is not None:
            await self.give(spot.answer.id)
            return
        if self.picking.lifted and spot.touch in self.picking.lifted:
            self.put_down()
            return
        if not spot.touch or spot.touch not in self.picking.may():
            if self.picking.lifted and spot.key.region == HAND:
                self.picking.down()
                if spot.touch in self.picking.may():
                    await self.choose(spot)
                    return
            await self.explain()
            return
        answer = self.picking.touch(spot.touch)
        if answer:
            await self.give(answer)
            return
        self.wandered = None
        self.draw()

    async def give(self, answer: str) -> None:
        """Send an answer. One that is taken ends the question: it is not asked any more until the table goes on."""
        self.picking.down()
        self.wandered = None
        asked = self.sight
        refusal = await self.desk.act(answer)
        if not refusal:
            self.given = (asked.version, list(asked.answers))
            self.show(self.sight)
        self.tell(refusal, asked.version)

    def tell(self, text: str, asked: int) -> None:
        """Say something of the position of a version, unless the table has moved on meanwhile."""
        if self.sight.version == asked:
            self.status = text
        self.draw()

    def put_down(self) -> None:
        """Put down what was lifted; the cursor goes back to it."""
        lifted = self.picking.lifted
        if self.picking.down() and self.canvas.frame:
            back = next((spot for spot in self.canvas.frame.spots if spot.touch == lifted[0]), None)
            self.at = back.key if back else None
        self.draw()

    async def explain(self) -> None:
        """Why what is at the cursor cannot be done now."""
        spot, asked = self.here(), self.sight.version
        if not self.sight.answers:
            self.tell(self.unasked(), asked)
        else:
            self.tell(await self.reason(spot) if spot else "", asked)

    def unasked(self) -> str:
        """Why nothing can be done at all."""
        return OVER if self.sight.over else self.ONLY if self.sight.viewer < 0 else self.UNASKED

    async def reason(self, spot: Spot) -> str:
        """A sentence about a spot: the rule that forbids it, or that nothing does."""
        if spot.may:
            return "Nothing forbids it: Enter chooses it."
        if not spot.touch:
            return "This is only to be read now."
        if not self.picking.lifted and any(spot.touch in one.parts[1:] for one in self.picking.answers):
            return CARD_FIRST
        tries = ["".join((*self.picking.lifted, spot.touch)), spot.touch]
        frame = self.canvas.frame
        if frame is not None and spot.key.region == HAND:
            tries += [spot.touch + one.touch for one in frame.spots if one.key.region == BOARD and one.touch]
        for notation in dict.fromkeys(tries):
            if why := await self.desk.why_not(notation):
                return why
        return "This cannot be done now."

    async def advise(self) -> None:
        """What a bot would do, over the table."""
        self.status = "Thinking …"
        self.draw()
        asked = self.sight.version
        lines: Sequence[str] = ()
        said = ""
        try:
            lines = await self.desk.hint()
        except GonfalonError as error:
            said = str(error)
        self.tell(said, asked)
        if lines and self.sight.version == asked:
            self.read("I would", lines, key="h")

    def read(self, title: str, lines: Sequence[str], from_end: bool = False, key: str = "") -> None:
        """A text over the table. A key that it has no use for goes to the table."""
        from gonfalon.terminal.screens.popup import Reading  # its widgets take a while to load

        self.app.push_screen(Reading(title, lines, from_end, key), self.read_away)

    async def read_away(self, event: events.Key | None) -> None:
        """A text is no longer read."""
        if event is not None:
            await self.on_key(event)

    def look_up(self) -> None:
        """Cards by their names; the one under the cursor first."""
        from gonfalon.terminal.screens.popup import Lookup

        game = self.desk.game
        if game is None:
            self.status = "This game is not installed here, so its cards cannot be looked up."
            self.draw()
            return
        names = [str(card["name"]) for card in game.catalogue() if "name" in card]
        here = self.here()
        held = self.card(here.card) if here and here.card else None

        def text_of(name: str) -> str:
            found = game.card(name)
            return card_text(found, 78) if found else name

        self.app.push_screen(Lookup(names, text_of, str(held["name"]) if held else ""))

    def plays_again(self) -> bool:
        """Whether another game can follow this one."""
        return bool(self.sight.over) and self.sight.viewer >= 0 and isinstance(self.desk, Again)

    async def play_again(self) -> None:
        """On to the next game."""
        assert isinstance(self.desk, Again)
        self.status = await self.desk.rematch()
        if self.status:
            self.draw()
        else:
            self.leave()

    def greets(self) -> bool:
        """Whether there is somebody to be greeted."""
        return bool(self.sight.company) and self.sight.viewer >= 0 and isinstance(self.desk, Greeter)

    async def greet(self) -> None:
        """Let the others read one of a few greetings, or show none of theirs any more."""
        from gonfalon.terminal.screens.popup import Choosing

        mute = "Show greetings again" if self.muted else "Show me no greetings"
        chosen = await self.app.push_screen_wait(Choosing("Greet", [*EMOTES.values(), mute]))
        if chosen == len(EMOTES):
            self.muted = not self.muted
        elif chosen is not None and isinstance(self.desk, Greeter):
            self.status = await self.desk.say(NAMES[chosen])
        self.draw()

    def leave(self) -> None:
        """Get up; the game waits."""
        if self.is_active:
            self.dismiss("")


class TableApp(App[None]):
    """A terminal that shows one table."""

    CSS: ClassVar[str] = "Screen { background: #131417; }"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None

    def __init__(self, desk: Desk, motion: bool = True) -> None:
        super().__init__()
        self.desk = desk
        self.motion = motion
        self.failure: Exception | None = None

    def _handle_exception(self, error: Exception) -> None:
        """A fault ends the app and is told as any other: Textual would print what variables hold, hidden cards too."""
        self.failure = self.failure or error
        super()._handle_exception(error)

    def _print_error_renderables(self) -> None:
        """Nothing: see above."""

    def on_mount(self) -> None:
        self.push_screen(self.table(), lambda _: self.exit())

    def table(self) -> TableScreen:
        """What is shown."""
        return TableScreen(self.desk, self.motion, self.no_color)
