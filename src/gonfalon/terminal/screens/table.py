"""The screen of the table, which turns keys and the mouse into answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen

from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.text.emotes import EMOTES, NAMES
from gonfalon.core.text.sheet import Line
from gonfalon.terminal import messages
from gonfalon.terminal.drawing.cards import format_card, format_card_panel, mark_changes
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
    build_frame,
    compute_panel_width,
    drawing_size,
    log_lines,
)
from gonfalon.terminal.drawing.picking import Picking
from gonfalon.terminal.drawing.viewport import Answer, Desk, GreetingDesk, RematchDesk, Sight, select_earlier
from gonfalon.terminal.screens.app import ScreenApp
from gonfalon.terminal.screens.canvas import Canvas

ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
GREET_KEY = ("t", "greet")
KEYS_AMONG_OTHERS = (*(pair for pair in KEYS if pair[0] not in ("Esc", "q")), GREET_KEY, ("q", "leave"))
SPECTATOR_KEYS = (("↑ ↓ Tab", "cards"), ("l", "log"), ("/", "card"), ("q", "leave"))
"""Keys for spectators, and after the end."""
MOMENT_KEYS = (("↵", "continue"), ("Esc", "skip"), ("q", "leave"))
MIN_SECONDS = 0.5
"""Minimum seconds for which the end of a moment is shown."""
EMPTY_SIGHT = Sight("", -2, (), {}, "")
"""A table that shows nothing."""


class TableScreen(Screen[str]):
    """The screen of one table."""

    CSS: ClassVar[str] = "TableScreen { background: #131417; }"
    KEYS: ClassVar[tuple[tuple[str, str], ...]] = KEYS
    SPECTATOR_REASON: ClassVar[str] = messages.SPECTATOR
    """The reason why a spectator cannot act."""
    NO_ACTION_REASON: ClassVar[str] = messages.NO_DECISION
    """The reason why a player without a decision cannot act."""

    def __init__(self, desk: Desk, motion: bool = True, plain: bool = False) -> None:
        super().__init__()
        self.desk = desk
        self.motion = motion
        self.canvas = Canvas(plain)
        self.sight = EMPTY_SIGHT
        self.picking = Picking()
        self.at: Key | None = None
        """The spot under the cursor."""
        self.status = ""
        self.moment_end: asyncio.Event | None = None
        """The event that ends the moment on the screen; None while there is none."""
        self.muted = False
        """Whether greetings are hidden."""
        self.skips_moments = False
        """Whether all moments are skipped until the next decision."""
        self.read_card = ""
        """Slug of the card under the cursor."""
        self.readings: dict[tuple[str, int], list[Line]] = {}
        """Cache of card texts, by slug and width."""
        self.shown = 0
        """Number of tables drawn."""
        self.news = 0
        """Number of tables drawn that had a new question or moment."""
        self.seen_at: float | None = None
        """Time since when the latest of these is visible. Earlier keys do not answer it."""
        self.given: tuple[int, Sequence[Answer]] = (-1, ())
        """The version and answers of the question that was answered last."""

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
        """Draw the table. A new question moves the cursor to its first spot and clears old messages."""
        if self.given == (sight.version, list(sight.answers)):
            sight = replace(sight, answers=())
        self.skips_moments = self.skips_moments and not (sight.answers or sight.over)
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
        """Note that there is a new question or moment."""
        self.news += 1
        self.seen_at = None

    def wait_until_seen(self) -> None:
        """Note the time at which the latest news has been drawn. News below another screen is not visible."""
        if self.seen_at is None and self.is_active:
            self.call_after_refresh(self.note_seen, self.news)

    def note_seen(self, news: int) -> None:
        """Note that news has been drawn, unless newer news replaced it."""
        if news == self.news and self.seen_at is None:
            self.seen_at = events.Event().time  # the clock of key events

    def is_early(self, event: Message) -> bool:
        """Return whether an input came before the question or moment that it would answer was visible."""
        waits = self.moment_end is not None or bool(self.sight.answers)
        return waits and (self.seen_at is None or event.time < self.seen_at)

    async def hold(self, sight: Sight, seconds: float | None, live: bool = False) -> None:
        """Draw a moment and the events that lead to it. Any key continues.

        So does time, if animation is on or if the game continues without this player. Before the device is passed to
        another player all popups are closed, because they are meant for this one.
        """
        if sight.next_player:
            self.workers.cancel_group(self, "hint")
            # A popup could show the hand of the player who passes the device.
            while self.app.screen is not self:
                await self.app.pop_screen()
        timed = seconds is not None and (live or self.motion) and not sight.next_player
        if timed and self.skips_moments:
            return
        self.skips_moments = False
        begun = time.monotonic()
        if await self.show_stills(sight) or not timed:
            left = None if seconds is None or not timed else max(MIN_SECONDS, seconds - (time.monotonic() - begun))
            await self.show_until(sight, left)

    async def show_change(self, sight: Sight, seconds: float = 0.0) -> None:
        """Draw the events that led to a table, then the table. If the player skips them, only the table is drawn."""
        if not self.skips_moments:
            await self.show_stills(sight)
        self.show(sight)
        await asyncio.sleep(0.0 if self.skips_moments or sight.answers else seconds)

    async def show_stills(self, sight: Sight) -> bool:
        """Draw the stills before a table, if animation is on. Return False if the player skipped them.

        Sentences of the log appear together with their stills.
        """
        before, game = self.sight, self.desk.game
        if not self.motion or game is None or not sight.board or before.viewer != sight.viewer:
            return True
        for still in game.film(sight.board, before.board or None, list(sight.names)):
            log = select_earlier(still.ahead, sight.log, before.log)
            shown = replace(sight, board=still.board, prompt=still.words, moment=still.words, log=log)
            if await self.show_until(replace(shown, answers=(), over="", tip=""), still.seconds):
                return False
        return True

    async def show_until(self, sight: Sight, seconds: float | None) -> bool:
        """Draw a table for some seconds, or until the player continues. Return whether the player did."""
        self.moment_end = asyncio.Event()
        self.begin_news()
        self.show(sight)
        try:
            await asyncio.wait_for(self.moment_end.wait(), seconds)
        except TimeoutError:
            return False
        finally:
            self.moment_end = None
        return True

    def tick(self) -> None:
        """Draw running clocks each second."""
        if any(clock.since is not None for clock in self.sight.clocks):
            self.draw()

    def clock(self, seat: int) -> str:
        """Return the time that a seat has left as text; empty without a clock."""
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
        """Draw everything: again if the cursor had to move, or if another card is under it."""
        if not self.size.width:
            return
        width, height = drawing_size(*self.size)
        frame = self.frame_at(width, height)
        spot = frame.find_spot(self.at)
        if spot is None or (not spot.may and frame.find_first() is not None and not self.stays_at(spot)):
            spot = self.find_first_spot(frame) or frame.find_first(may=False)
            self.at = spot.key if spot else None
            frame = self.frame_at(width, height)
            spot = frame.find_spot(self.at)
        if (slug := spot.card if spot else "") != self.read_card:
            self.read_card = slug
            frame = self.frame_at(width, height)
        self.canvas.draw(frame, spot)

    def stays_at(self, spot: Spot) -> bool:
        """Return whether the cursor stays at a spot that leads nowhere, because the player moved it there."""
        return self.moved_to == (self.sight.version, spot.key)

    moved_to: tuple[int, Key] | None = None
    """The version and spot to which the player last moved the cursor."""

    def find_first_spot(self, frame: Frame) -> Spot | None:
        """Return the spot for the cursor: on the board if a card is lifted."""
        return (frame.find_first(region=BOARD) if self.picking.lifted else None) or frame.find_first()

    def frame_at(self, width: int, height: int) -> Frame:
        """Return the frame for a size."""
        sight = self.sight
        if self.muted:
            sight = replace(sight, company=[one._replace(says="") for one in sight.company])
        looks = Looks(self.picking, self.at, self.status, self.clock, self.build_card_panel(width), self.list_keys())
        return build_frame(self.desk.game, sight, looks, width, height)

    def list_keys(self) -> Sequence[tuple[str, str]]:
        """Return the keys that work now."""
        if self.moment_end is not None:
            return MOMENT_KEYS if self.sight.moment else MOMENT_KEYS[::2]
        if self.sight.over or self.sight.viewer < 0:
            again = [("r", "play again")] if self.can_rematch() else []
            return [*again, *SPECTATOR_KEYS[:-1], *([GREET_KEY] if self.can_greet() else []), SPECTATOR_KEYS[-1]]
        keys = KEYS_AMONG_OTHERS if self.can_greet() and not self.picking.lifted else self.KEYS
        return keys if self.sight.hints else [pair for pair in keys if pair[0] != "h"]

    def build_card_panel(self, width: int) -> Sequence[Line]:
        """Return the text of the card under the cursor, for the panel beside the board."""
        inner = (compute_panel_width(width) or width) - 2
        slug = self.read_card
        if not slug:
            return ()
        if (slug, inner) not in self.readings:
            card = self.card(slug)
            self.readings[slug, inner] = format_card_panel(card, inner) if card else []
        return self.readings[slug, inner]

    def card(self, slug: str) -> Mapping[str, Any] | None:
        """Return a printed card by its slug."""
        game = self.desk.game
        card = game.card(slug) if game else None
        return mark_changes(game, card) if game and card else None

    # ---- keys and the mouse ----------------------------------------------------------------------

    async def on_key(self, event: events.Key) -> None:
        key = event.key
        event.stop()
        if self.moment_end is not None:
            if key == "q":
                self.leave()
            elif self.is_early(event):
                pass
            elif not self.sight.next_player or key in ("enter", "space", "escape"):
                self.skips_moments = key == "escape"
                self.moment_end.set()
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
            await self.choose(self.find_spot())
        elif key == "escape":
            self.cancel_selection()
        elif event.character and event.character.isdecimal():
            await self.choose_by_digit(int(event.character))
        else:
            await self.command(event.character or "")

    async def command(self, letter: str) -> None:
        """Execute a key that is a letter."""
        if letter == "q":
            self.leave()
        elif (letter in ("h", "u", "t") and self.sight.viewer < 0) or (letter in ("h", "u") and self.sight.over):
            self.status = self.explain_no_action()
            self.draw()
        elif letter == "r" and self.can_rematch():
            self.run_worker(self.start_rematch(), group="again", exclusive=True)
        elif letter == "?":
            await self.explain_refusal()
        elif letter == "h":
            self.run_worker(self.show_hint(), group="hint", exclusive=True)
        elif letter == "u":
            asked = self.sight.version
            self.show_status(await self.desk.undo(), asked)
        elif letter == "l":
            lines = ["".join(piece.text for piece in line) for line in log_lines(self.sight.log, 78)]
            self.show_text(messages.LOG, lines or [messages.NO_LOG], from_end=True, key="l")
        elif letter == "/":
            self.search_cards()
        elif letter == "t" and self.can_greet():
            self.run_worker(self.greet(), group="greet", exclusive=True)
        else:
            self.draw()

    def find_spot(self) -> Spot | None:
        """Return the spot under the cursor."""
        return self.canvas.frame.find_spot(self.at) if self.canvas.frame else None

    def go_to(self, spot: Spot | None) -> None:
        """Move the cursor to a spot."""
        if spot is not None:
            self.at = spot.key
            self.moved_to = (self.sight.version, spot.key)
        self.draw()

    def move(self, dx: int, dy: int) -> None:
        """Move the cursor in a direction."""
        here = self.find_spot()
        frame = self.canvas.frame
        self.go_to(frame.find_nearest(here, dx, dy) if frame and here else None)

    def next_region(self, by: int) -> None:
        """Move the cursor to the next region."""
        frame = self.canvas.frame
        if frame is None:
            return
        now = REGIONS.index(self.at.region) if self.at else 0
        for step in range(1, len(REGIONS) + 1):
            region = REGIONS[(now + by * step) % len(REGIONS)]
            spot = frame.find_first(region=region) or frame.find_first(may=False, region=region)
            if spot is not None:
                self.go_to(spot)
                return

    async def choose_by_digit(self, number: int) -> None:
        """Choose a card of the hand by its number, or an answer if there is no hand."""
        frame = self.canvas.frame
        if frame is None:
            return
        hand = [spot for spot in frame.spots if spot.key.region == HAND]
        found = hand or [spot for spot in frame.spots if spot.key.region == ANSWERS]
        number = (number - 1) % 10
        if number < len(found):
            self.at = found[number].key
            self.moved_to = (self.sight.version, self.at)
            if hand and self.picking.lifted:
                self.picking.cancel()
            await self.choose(found[number])

    async def on_canvas_pointed(self, message: Canvas.Pointed) -> None:
        self.status = ""
        self.go_to(message.spot)
        if message.chosen and not self.is_early(message):
            await self.choose(message.spot)

    async def on_click(self, event: events.Click) -> None:
        early = self.is_early(event)
        if self.moment_end is None:
            self.canvas.report_spot(event.screen_x, event.screen_y, not early)
        elif not early and not self.sight.next_player:
            self.moment_end.set()

    async def on_mouse_move(self, event: events.MouseMove) -> None:
        spot = self.canvas.frame.find_at(event.screen_x, event.screen_y) if self.canvas.frame else None
        if spot is not None and spot.key != self.at and self.moment_end is None:
            self.go_to(spot)

    # ---- answers ---------------------------------------------------------------------------------

    async def choose(self, spot: Spot | None) -> None:
        """Touch the thing at a spot."""
        if spot is None:
            return
        if spot.answer is not None:
            await self.send_answer(spot.answer.id)
            return
        if self.picking.lifted and spot.touch in self.picking.lifted:
            self.cancel_selection()
            return
        if not spot.touch or spot.touch not in self.picking.list_touchable():
            if self.picking.lifted and spot.key.region == HAND:
                self.picking.cancel()
                if spot.touch in self.picking.list_touchable():
                    await self.choose(spot)
                    return
            await self.explain_refusal()
            return
        answer = self.picking.touch(spot.touch)
        if answer:
            await self.send_answer(answer)
            return
        self.moved_to = None
        self.draw()

    async def send_answer(self, answer: str) -> None:
        """Send an answer. An accepted answer closes the question until the table changes."""
        self.picking.cancel()
        self.moved_to = None
        asked = self.sight
        refusal = await self.desk.act(answer)
        if not refusal:
            self.given = (asked.version, list(asked.answers))
            self.show(self.sight)
        self.show_status(refusal, asked.version)

    def show_status(self, text: str, asked: int) -> None:
        """Show a message about a version of the position, unless the table has changed since."""
        if self.sight.version == asked:
            self.status = text
        self.draw()

    def cancel_selection(self) -> None:
        """Cancel the selection. The cursor returns to the lifted card."""
        lifted = self.picking.lifted
        if self.picking.cancel() and self.canvas.frame:
            back = next((spot for spot in self.canvas.frame.spots if spot.touch == lifted[0]), None)
            self.at = back.key if back else None
        self.draw()

    async def explain_refusal(self) -> None:
        """Show why the thing at the cursor cannot be chosen."""
        spot, asked = self.find_spot(), self.sight.version
        if not self.sight.answers:
            self.show_status(self.explain_no_action(), asked)
        else:
            self.show_status(await self.find_reason(spot) if spot else "", asked)

    def explain_no_action(self) -> str:
        """Return why no action is possible."""
        return (
            messages.GAME_OVER
            if self.sight.over
            else self.SPECTATOR_REASON
            if self.sight.viewer < 0
            else self.NO_ACTION_REASON
        )

    async def find_reason(self, spot: Spot) -> str:
        """Return a sentence about a spot: the rule that forbids it, or that it is legal."""
        if spot.may:
            return messages.LEGAL_SPOT
        if not spot.touch:
            return messages.READ_ONLY
        if not self.picking.lifted and any(spot.touch in one.parts[1:] for one in self.picking.answers):
            return messages.CARD_FIRST
        tries = ["".join((*self.picking.lifted, spot.touch)), spot.touch]
        frame = self.canvas.frame
        if frame is not None and spot.key.region == HAND:
            tries += [spot.touch + one.touch for one in frame.spots if one.key.region == BOARD and one.touch]
        for notation in dict.fromkeys(tries):
            if why := await self.desk.why_not(notation):
                return why
        return messages.NOT_NOW

    async def show_hint(self) -> None:
        """Show the choice of a bot."""
        self.status = messages.THINKING
        self.draw()
        asked = self.sight.version
        lines: Sequence[str] = ()
        said = ""
        try:
            lines = await self.desk.hint()
        except GonfalonError as error:
            said = str(error)
        self.show_status(said, asked)
        if lines and self.sight.version == asked:
            self.show_text("I suggest", lines, key="h")

    def show_text(self, title: str, lines: Sequence[str], from_end: bool = False, key: str = "") -> None:
        """Show a text over the table. A key that the popup does not use goes to the table."""
        from gonfalon.terminal.screens.popup import Reading  # its widgets take a while to load

        self.app.push_screen(Reading(title, lines, from_end, key), self.handle_closing_key)

    async def handle_closing_key(self, event: events.Key | None) -> None:
        """Handle the key that closed a text."""
        if event is not None:
            await self.on_key(event)

    def search_cards(self) -> None:
        """Show the search for cards, beginning with the card under the cursor."""
        from gonfalon.terminal.screens.popup import Lookup

        game = self.desk.game
        if game is None:
            self.status = messages.NO_RULES
            self.draw()
            return
        names = [str(card["name"]) for card in game.catalogue() if "name" in card]
        here = self.find_spot()
        held = self.card(here.card) if here and here.card else None

        def text_of(name: str) -> str:
            found = game.card(name)
            return format_card(mark_changes(game, found), 78) if found else name

        self.app.push_screen(Lookup(names, text_of, str(held["name"]) if held else ""))

    def can_rematch(self) -> bool:
        """Return whether a rematch is possible."""
        return bool(self.sight.over) and self.sight.viewer >= 0 and isinstance(self.desk, RematchDesk)

    async def start_rematch(self) -> None:
        """Start a rematch."""
        assert isinstance(self.desk, RematchDesk)
        self.status = await self.desk.rematch()
        if self.status:
            self.draw()
        else:
            self.leave()

    def can_greet(self) -> bool:
        """Return whether there are people to greet."""
        return bool(self.sight.company) and self.sight.viewer >= 0 and isinstance(self.desk, GreetingDesk)

    async def greet(self) -> None:
        """Ask for a greeting and send it, or mute greetings."""
        from gonfalon.terminal.screens.popup import Choosing

        mute = messages.SHOW_GREETINGS if self.muted else messages.HIDE_GREETINGS
        chosen = await self.app.push_screen_wait(Choosing(messages.GREET, [*EMOTES.values(), mute]))
        if chosen == len(EMOTES):
            self.muted = not self.muted
        elif chosen is not None and isinstance(self.desk, GreetingDesk):
            self.status = await self.desk.say(NAMES[chosen])
        self.draw()

    def leave(self) -> None:
        """Leave the table."""
        if self.is_active:
            self.dismiss("")


class TableApp(ScreenApp[None]):
    """The app of one table. Ctrl-C asks before it leaves, and leaves if it is pressed again."""

    def __init__(self, desk: Desk, motion: bool = True) -> None:
        super().__init__()
        self.desk = desk
        self.motion = motion
        self.failure: Exception | None = None

    @property
    def plays(self) -> bool:
        """Whether a player sits at a table whose game is not over."""
        tables = [screen.sight for screen in self.screen_stack if isinstance(screen, TableScreen)]
        return any(sight.viewer >= 0 and not sight.over for sight in tables)

    def _handle_exception(self, error: Exception) -> None:
        """End the app at a fault. Textual would print the values of variables, which may be hidden cards."""
        self.failure = self.failure or error
        super()._handle_exception(error)

    def _print_error_renderables(self) -> None:
        """Print nothing, because Textual's report may contain hidden cards."""

    def on_mount(self) -> None:
        self.push_screen(self.table(), lambda _: self.exit())

    def action_leave(self) -> None:
        from gonfalon.terminal.screens.popup import Choosing

        again = isinstance(self.screen, Choosing) and self.screen.heading == messages.LEAVE
        if again or not self.plays:
            self.exit()
        else:
            popup = Choosing(messages.LEAVE, [messages.STAY, messages.LEAVE_SAVED])
            self.push_screen(popup, lambda chosen: self.exit() if chosen == 1 else None)

    def table(self) -> TableScreen:
        """Return the screen to show."""
        return TableScreen(self.desk, self.motion, self.no_color)
