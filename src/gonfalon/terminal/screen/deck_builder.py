"""The deck builder on the screen."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar, Final

from textual import events
from textual.app import App, ComposeResult
from textual.screen import Screen

from gonfalon.core.decks import Deck, DeckError, Sieve
from gonfalon.core.rng import Rng
from gonfalon.terminal import deck_shelf
from gonfalon.terminal.deck_builder import CARDS, Builder, Source
from gonfalon.terminal.deck_frame import FILTER, deck_frame
from gonfalon.terminal.decks import read
from gonfalon.terminal.frame import drawing_size
from gonfalon.terminal.screen.asking import Ask, Pick, Sure
from gonfalon.terminal.screen.canvas import Canvas
from gonfalon.terminal.screen.popup import Reading

SYSTEM: Final = secrets.SystemRandom()
MOVES: Final = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -1_000_000, "end": 1_000_000}
FILTERS: Final = {"f": "factions", "g": "group", "c": "cost"}
LOT, EMPTY = "by lot", "empty"
EMPTY_DECK: Final = Deck("", {})


class DeckScreen(Screen[None]):
    """A deck and the cards that it may be made of."""

    CSS: ClassVar[str] = "DeckScreen { background: #131417; }"

    def __init__(self, builder: Builder, plain: bool = False) -> None:
        super().__init__()
        self.builder = builder
        self.canvas = Canvas(plain)
        self.status = ""
        self.searching = False

    def compose(self) -> ComposeResult:
        yield self.canvas

    def on_mount(self) -> None:
        self.canvas.focus()

    def on_resize(self) -> None:
        self.draw()

    def draw(self) -> None:
        """Draw everything anew, the cursor at its card."""
        if not self.size.width:
            return
        width, height = drawing_size(*self.size)
        builder = self.builder
        frame = deck_frame(builder, width, height, self.status, self.searching)
        here = (builder.column, builder.at[builder.column])
        spot = next((one for one in frame.spots if (one.key.region, one.key.what) == here), None)
        self.canvas.draw(frame, spot)

    # ---- keys and the mouse ----------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self.status = ""
        if self.searching:
            self.search(event)
        elif event.key in MOVES:
            self.builder.move(MOVES[event.key])
        elif event.key in ("tab", "shift+tab"):
            self.builder.turn()
        elif event.key in ("enter", "space", "right"):
            self.builder.change(1)
        elif event.key in ("left", "backspace", "delete"):
            self.builder.change(-1)
        elif event.key == "escape":
            self.builder.sift(Sieve())
        else:
            self.command(event.character or "")
        self.draw()

    def search(self, event: events.Key) -> None:
        """A key while words are typed."""
        builder, query = self.builder, self.builder.sieve.query
        if event.key in ("enter", "escape", "tab", "down"):
            self.searching = False
            if event.key == "escape":
                builder.sift(replace(builder.sieve, query=""))
        elif event.key == "backspace":
            builder.sift(replace(builder.sieve, query=query[:-1]))
        elif event.character is not None and event.character.isprintable():
            builder.sift(replace(builder.sieve, query=(query + event.character)[:40]))

    def command(self, letter: str) -> None:
        """The keys that are letters."""
        commands: dict[str, Callable[[], None]] = {
            "+": lambda: self.builder.change(1),
            "=": lambda: self.builder.change(1),
            "-": lambda: self.builder.change(-1),
            "/": self.begin_search,
            "s": self.save,
            "o": self.open,
            "u": self.take_back,
            "?": lambda: self.read("What the rules say", self.builder.faults or ["This deck is legal."], "?"),
            "m": lambda: self.read(self.builder.name(), self.builder.told(), "m"),
            "t": self.test_hand,
            "e": self.share,
            "i": self.bring_in,
            "r": self.rename,
            "d": self.delete,
            "q": self.leave,
        }
        if letter.lower() in FILTERS:
            self.builder.next_filter(FILTERS[letter.lower()], 1 if letter.islower() else -1)
        elif letter.isdecimal() and letter:
            self.builder.set_to(int(letter))
        elif letter in commands:
            commands[letter]()

    def on_click(self, event: events.Click) -> None:
        """A filter goes on to its next value; a card is looked at first, and then one more of it is taken, or in the
        deck one less."""
        spot = self.canvas.frame.at(event.screen_x, event.screen_y) if self.canvas.frame else None
        self.status = ""
        if spot is not None and spot.key.region == FILTER:
            self.builder.next_filter(spot.key.what)
        elif spot is not None:
            column, id = spot.key.region, spot.key.what
            if (self.builder.column, self.builder.at[column]) == (column, id):
                self.builder.change(1 if column == CARDS else -1)
            else:
                self.builder.go_to(column, id)
        self.draw()

    def on_mouse_scroll_down(self) -> None:
        self.builder.move(3)
        self.draw()

    def on_mouse_scroll_up(self) -> None:
        self.builder.move(-3)
        self.draw()

    # ---- what the letters do ---------------------------------------------------------------------

    def read(self, title: str, lines: list[str], key: str = "") -> None:
        """A text over the screen. A key that it has no use for goes to the deck."""
        self.app.push_screen(Reading(title, lines, key=key), self.read_away)

    def read_away(self, event: events.Key | None) -> None:
        """A text is no longer read."""
        if event is not None:
            self.on_key(event)

    def begin_search(self) -> None:
        """From now on words are typed."""
        self.searching = True

    def take_back(self) -> None:
        """As it was before the last change."""
        self.status = "" if self.builder.take_back() else "There is nothing to take back."

    def test_hand(self) -> None:
        """A first hand, drawn anew each time."""
        builder = self.builder
        pile = builder.decks.pile(builder.deck)
        hand = SYSTEM.sample(pile, min(len(pile), builder.decks.opening))
        names = [f"{builder.by_id[id].cost_text or '-':>9}  {builder.by_id[id].name}" for id in sorted(hand)]
        self.read("A first hand", names or ["There is nothing to draw from."])

    def share(self) -> None:
        """The deck as a code and as a text; the code goes to the clipboard where the terminal lets it."""
        self.app.copy_to_clipboard(self.builder.decks.code(self.builder.deck))
        self.read("To share it (the code is in the clipboard, if the terminal has one)", self.builder.shared())

    def bring_in(self) -> None:
        """A deck from elsewhere."""
        title = "A share code, the name of a file or of a deck; or paste a deck's text"
        self.app.push_screen(Ask(title, whole=True), self.brought)

    def brought(self, word: str | None) -> None:
        """Lay a deck from elsewhere on the table, as far as it can be read."""
        if word is None:
            return
        decks = self.builder.decks
        try:
            deck, unread = decks.parse(word) if "\n" in word else read(decks, word, self.builder.game)
            if not deck.counts:
                raise DeckError("Nothing in this text is a card.")
        except (DeckError, OSError) as error:
            self.status = str(error)
        else:
            named = replace(deck, name=deck.name or self.builder.deck.name, slug="", style="")
            self.builder.put(named, Source())
            if unread:
                self.read("What could not be read", unread)
        self.draw()

    def open(self) -> None:
        """One of the decks that are kept, or a ready-made one."""
        builder = self.builder
        own = [
            (
                f"{one.deck.name or one.path.stem}  ({'not legal yet' if one.faults else 'legal'})",
                f"kept:{one.path.stem}",
            )
            for one in deck_shelf.shelf(builder.game, builder.decks)
        ]
        ready = [(f"{deck.name}  (ready-made)", f"ready:{deck.slug}") for deck in builder.decks.ready()]
        rest = [("Drawn by lot", LOT), ("An empty deck", EMPTY)]
        self.app.push_screen(Pick("Open a deck", [*own, *ready, *rest], "a part of its name"), self.opened)

    def opened(self, answer: str | None) -> None:
        """Lay the chosen deck on the table."""
        builder = self.builder
        what, _, name = (answer or "").partition(":")
        if what == "kept":
            for one in deck_shelf.shelf(builder.game, builder.decks):
                if one.path.stem == name:
                    builder.open(one.path, one.deck)
        elif what == "ready":
            deck = builder.decks.find(name)
            builder.put(deck, Source(None, deck))
            self.status = deck.style
        elif answer == LOT:
            builder.put(builder.decks.lot(Rng(secrets.randbits(62))), Source())
        elif answer == EMPTY:
            builder.put(EMPTY_DECK, Source(None, EMPTY_DECK))
        self.draw()

    def save(self, leave: bool = False) -> None:
        """Keep it; where it is not in the file of its name, ask for a name first."""
        builder, deck = self.builder, self.builder.deck
        if builder.kept is not None and builder.kept.stem == deck_shelf.slug_of(deck.name):
            self.keep(leave)
        else:
            theirs = deck_shelf.slug_of(deck.name) in {ready.slug for ready in builder.decks.ready()}
            suggested = f"My {deck.name}" if theirs else deck.name
            self.app.push_screen(Ask("Save it as", suggested, "a name"), lambda name: self.named(name, leave))

    def named(self, name: str | None, leave: bool) -> None:
        """Keep it under a name, after asking where another deck has it."""
        if name is None:
            return
        builder = self.builder
        taken = deck_shelf.text_of(builder.game, name) is not None
        if taken and (builder.kept is None or builder.kept.stem != deck_shelf.slug_of(name)):
            answers = [("y", "put this one in its place"), ("n", "leave it")]
            title = f"There is a deck {name} already"
            self.app.push_screen(Sure(title, answers), lambda yes: self.keep_as(name, leave) if yes == "y" else None)
        else:
            self.keep_as(name, leave)

    def keep_as(self, name: str, leave: bool) -> None:
        """Give it a name and keep it."""
        self.builder.call(name, Source())
        if not self.keep(leave):
            self.builder.take_back()
            self.draw()

    def keep(self, leave: bool) -> bool:
        """Keep it under the name that it has; whether that was possible."""
        try:
            path = self.builder.save()
        except (DeckError, OSError) as error:
            self.status = str(error)
            self.draw()
            return False
        yet = "; it cannot be played with yet (? tells why)" if self.builder.faults else ""
        self.status = f"Saved as {path.stem}{yet}."
        self.draw()
        if leave:
            self.dismiss(None)
        return True

    def rename(self) -> None:
        """Ask for another name."""
        self.app.push_screen(Ask("Call it", self.builder.deck.name, "a name"), self.renamed)

    def renamed(self, name: str | None) -> None:
        """Give it another name, its file too."""
        if name is None:
            return
        try:
            if self.builder.kept is not None and deck_shelf.slug_of(name) != self.builder.kept.stem:
                self.refuse_taken(name)
            self.builder.rename(name)
        except (DeckError, OSError) as error:
            self.status = str(error)
        self.draw()

    def refuse_taken(self, name: str) -> None:
        """Raise DeckError where another deck is called so."""
        if deck_shelf.text_of(self.builder.game, name) is not None:
            raise DeckError(f"There is a deck {name} already.")

    def delete(self) -> None:
        """Ask whether its file is to go."""
        if self.builder.kept is None:
            self.status = "It is kept nowhere: there is nothing to delete."
            return
        answers = [("y", "delete it"), ("n", "keep it")]
        self.app.push_screen(Sure(f"Delete {self.builder.name()}?", answers), self.deleted)

    def deleted(self, answer: str | None) -> None:
        """Take its file away."""
        if answer == "y":
            try:
                self.builder.delete()
                self.status = "Deleted; the deck still lies here."
            except OSError as error:
                self.status = str(error)
        self.draw()

    def leave(self) -> None:
        """Leave, after asking where something would be lost."""
        if self.builder.saved:
            self.dismiss(None)
            return
        answers = [("s", "save it"), ("l", "leave it"), ("Esc", "go on")]
        self.app.push_screen(Sure("This deck is not saved.", answers), self.left)

    def left(self, answer: str | None) -> None:
        """Save it, or not, and leave."""
        if answer == "s":
            self.save(leave=True)
        elif answer == "l":
            self.dismiss(None)


class DeckApp(App[None]):
    """A terminal in which a deck is built."""

    CSS: ClassVar[str] = "Screen { background: #131417; }"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None

    def __init__(self, builder: Builder) -> None:
        super().__init__()
        self.builder = builder

    def on_mount(self) -> None:
        self.push_screen(DeckScreen(self.builder, self.no_color), lambda _: self.exit())
