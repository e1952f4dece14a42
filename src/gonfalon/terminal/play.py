"""Games by lines in a terminal, in which a player sees only the own view.

With `--record FILE` the record is written before each decision of a person and at the end, so the same command
continues an interrupted game. Without it an unfinished game is saved among those that wait. A record holds every hidden
card, so `save` is available only after the end.
"""

from __future__ import annotations

import difflib
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from gonfalon.bots import Bot, Budget, choose_default_level, list_levels, list_offered_levels, make
from gonfalon.bots.players.driver import Driver
from gonfalon.bots.players.thoughts import lines, told
from gonfalon.core.basics.errors import NotationError, OptionError, RecordError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.state import OPEN, SPECTATOR, Action, Seat, State
from gonfalon.core.rules.words import describe
from gonfalon.core.text.untrusted import isolate
from gonfalon.terminal.drawing.cards import format_card
from gonfalon.terminal.drawing.console import Console
from gonfalon.terminal.games import saved_games
from gonfalon.terminal.games.local import find_bot_note
from gonfalon.terminal.games.store import write_record
from gonfalon.terminal.games.tips import choose_tips
from gonfalon.terminal.games.undo import UndoStack
from gonfalon.terminal.screens import run as screen

PERSON: Final = "person"
"""Word of `--bots` for a person."""
HELP: Final = """\
Type the number of an action, or its notation (for example: {example}).
  why not ACTION   the rule that forbids it now
  hint             what a bot would do here
  back             take back what you did last
  look             the table again
  actions          the legal actions again
  log              everything that happened
  card NAME        what is printed on a card
  save FILE        the record, when the game is over
  quit             leave; the game waits
  help             this text"""
"""Help on the commands."""


def play_game(
    name: str,
    make_game: Callable[[], Game],
    options_given: bool,
    record: Record | None,
    path: Path | None,
    seats: Sequence[Seat],
    levels: str | None,
    plain: bool,
    seed: int | None,
    think: float | None = None,
    tips: bool | None = None,
    motion: bool = True,
) -> int:
    """Run `gonfalon play`: start a game, or continue the one of a record.

    Args:
        name: Name of the game.
        make_game: Makes the game with its options.
        options_given: Whether options were given, which must then agree with the record.
        record: The record to continue; None for a new game.
        path: File of the record.
        seats: Seats for people.
        levels: Value of `--bots`.
        plain: Play by lines, without a screen.
        seed: Seed of chance and bots.
        think: Seconds that a bot thinks for a decision.
        tips: Whether to show tips; None for newcomers only.
        motion: Whether to animate the screen.

    Returns:
        The exit code.

    Raises:
        OptionError: Seats and levels do not fit the game.
        RecordError: The record does not fit, or its game is over.
    """
    if record is None:
        game = make_game()
    else:
        game = record.game
        if game.name != name:
            raise RecordError(f"{path} is a record of {game.name}, not of {name}.")
        if options_given and make_game().shown_options() != game.shown_options():
            raise RecordError(f"{path} has other options. Omit --option to continue it.")
        if record.over:
            raise RecordError(f"{path} holds a finished game. Show it with `gonfalon replay {path}`.")
        if levels is None and not seats:
            levels = find_earlier_bots(record)
    bots = assign_seats(game, seats, levels)
    for bot in bots:
        # A time limit makes results irreproducible, so bots have one only without a seed.
        if bot is not None and (think is not None or seed is None):
            bot.budget = bot.patience if think is None else Budget(seconds=think)
    names = list_names(bots)
    goes_on = record is not None
    if record is None:
        record = Record(game, names)
    else:
        record.names = names
    driver = Driver(record, bots, secrets.randbits(64) if seed is None else seed, log=True)
    if path is not None:
        write_record(record, path)  # a failure is better now than after the game
    console = Console(plain)
    told = choose_tips(game, tips, goes_on) if console.terminal and None in bots else {}
    if not plain and None in bots and screen.can_show_screen():
        return screen.play_on_screen(driver, names, path, motion, told)
    return LineGame(driver, names, console, path, told).run()


def find_earlier_bots(record: Record) -> str | None:
    """Return the people and bots of a record as a value of `--bots`; None if the names do not tell."""
    sitters = screen.guess_seating(record.names)
    try:
        same = list_names(assign_seats(record.game, [], sitters)) == record.names
    except OptionError:
        return None
    return sitters if same else None


def assign_seats(game: Game, people: Sequence[Seat], levels: str | None) -> list[Bot | None]:
    """Return the bot at each seat, or None for a person.

    Args:
        game: The game.
        people: Seats for people.
        levels: Value of `--bots`.

    Raises:
        OptionError: Seats and levels do not fit the game.
    """
    seats = game.seats
    for seat in people:
        if seat >= seats:
            raise OptionError(format_no_seat(game, seat))
    mine = sorted(set(people)) or [0]
    others = seats - len(mine)
    given = (
        [choose_default_level(game)] * others
        if levels is None
        else [word.strip().lower() for word in levels.split(",")]
    )
    if given == ["none"]:
        given = [PERSON] * seats
    elif len(given) == 1:
        given = given * others
    if len(given) == others:
        for seat in mine:
            given.insert(seat, PERSON)
    if len(given) != seats:
        raise OptionError(
            f"--bots names {len(given)} levels, but {game.name} has {seats} seats. Name {others} for "
            f"the other seats, or {seats} for all."
        )
    for seat in people:
        if given[seat] != PERSON:
            raise OptionError(f"--seat {seat} gives you that seat, but --bots gives it to {given[seat]}.")
    return [None if word == PERSON else make_bot(word, game) for word in given]


def format_no_seat(game: Game, seat: Seat) -> str:
    """Return the message that a game has no such seat."""
    return f"There is no seat {seat}. The seats of {game.name} are 0 to {game.seats - 1}."


def list_names(bots: list[Bot | None]) -> list[str]:
    """Return the names of the players: their levels, with numbers if a level occurs twice."""
    plain = ["Player" if bot is None else bot.name.capitalize() for bot in bots]
    return [n if plain.count(n) == 1 else f"{n} {plain[: i + 1].count(n)}" for i, n in enumerate(plain)]


def make_bot(word: str, game: Game) -> Bot:
    """Return the bot for one word of `--bots`."""
    if word not in list_levels() and difflib.get_close_matches(word, [PERSON, "none"], 1):
        raise OptionError(f"There is no level {word!r}. Did you mean {PERSON}, or --bots none?")
    return make(word, game)


def find_prompt(view: State) -> str:
    """Return the name of the viewer's decision; empty if there is none."""
    return next((decision.prompt for decision in view.decisions() if decision.seat == view.viewer), "")


class PlayerLeftError(Exception):
    """The player leaves, or the input has ended."""


class UndoRequestedError(Exception):
    """The player undoes the last decision."""


class LineGame:
    """One game of people and bots in this terminal."""

    def __init__(
        self,
        driver: Driver,
        names: list[str],
        console: Console,
        path: Path | None,
        tips: Mapping[str, str] | None = None,
    ) -> None:
        self.driver: Driver = driver
        self.game: Game = driver.game
        self.names: list[str] = [isolate(name) for name in names]
        self.console: Console = console
        self.path: Path | None = path
        self.people: list[Seat] = [seat for seat, bot in enumerate(driver.bots) if bot is None]
        self.back = UndoStack(driver, self.people)
        self.heard: dict[int, int] = {}  # number of events that each viewer has read
        self.seen: dict[Seat, str] = {}  # the last table that each seat has seen
        self.at: Seat | None = None  # the seat at the screen
        self.tips: dict[str, str] = dict(tips or {})  # tips that have not been shown, by prompt

    def run(self) -> int:
        """Play until the end, or until a player leaves. Return the exit code."""
        console = self.console
        if self.people:
            console.say(f"{self.game.title}. Type help for what you can type here.")
            if note := find_bot_note(self.driver):
                console.say(note)
            if self.path is not None:
                console.say(f"The record is written to {self.path}. It holds every hidden card, so do not read it.")
        try:
            while True:
                seat = self.driver.advance()
                self.write()
                if seat is None:
                    break
                self.sit_at(seat)
                try:
                    action = self.answer(seat)
                except UndoRequestedError:
                    self.go_back(seat)
                    continue
                self.back.note()
                self.driver.act(seat, action)
        except (PlayerLeftError, KeyboardInterrupt) as left:
            self.keep()
            where = f" Continue with `gonfalon play {self.game.name} --record {self.path}`." if self.path else ""
            console.say(f"The game {'is saved' if where else 'stops here'}.{where}")
            if isinstance(left, KeyboardInterrupt):
                raise
            return 0
        except BaseException:
            self.keep()
            raise
        self.finish()
        return 0

    def go_back(self, seat: Seat) -> None:
        """Undo the player's last decision. Later events will be reported again."""
        self.back.go()
        self.heard[seat] = min(self.heard.get(seat, 0), len(self.driver.state.mask(seat).log or []))
        self.seen.pop(seat, None)

    def keep(self) -> None:
        """Save the unfinished game, if a player has decided something in it."""
        if self.path is None and any(seat in self.people for seat, _ in self.driver.record.decisions):
            self.path = saved_games.new_path(self.game.name)
        self.write()

    def write(self) -> None:
        """Write the record."""
        if self.path is not None:
            write_record(self.driver.record, self.path)

    # ---- one person -----------------------------------------------------------------------------

    def sit_at(self, seat: Seat) -> None:
        """Give the screen to a player, after a curtain if several people share the device."""
        if self.at == seat:
            return
        if len(self.people) > 1:
            self.console.curtain()
            if self.console.ask(f"Pass the device to {self.names[seat]}, press Enter. ") is None:
                raise PlayerLeftError
            self.console.curtain()
        self.at = seat

    def answer(self, seat: Seat) -> Action:
        """Return the legal action that the player types."""
        console = self.console
        view = self.driver.state.mask(seat)
        legal = view.legal(seat)
        self.tell_news(view)
        table = self.table(view)
        if self.seen.get(seat) != table:
            self.seen[seat] = table
            console.say(table)
            console.say()
        self.ask_again(view)
        while True:
            line = console.ask("> ")
            if line is None:
                raise PlayerLeftError
            if not line:
                continue
            if line.removeprefix("-").isdecimal():
                index = int(line) - 1 if len(line) < 9 else -1
                if 0 <= index < len(legal):
                    return legal[index]
                console.say(f"There is no action {line[:20]}; they are numbered 1 to {len(legal)}.")
                continue
            if self.command(view, line):
                continue
            try:
                action = self.parse(line)
            except NotationError as error:
                near = difflib.get_close_matches(line.lower(), [self.game.notation(a) for a in legal], 1)
                console.say(f"{error}" + (f" Did you mean {near[0]}?" if near else " Type help for help."))
                continue
            reason = view.why_not(seat, action)
            if reason is None:
                return action
            console.say(reason)

    def parse(self, text: str) -> Action:
        """Return an action from its notation, in any case and with any spaces."""
        try:
            return self.game.parse(text)
        except NotationError:
            plain = "".join(text.lower().split())
            if plain == text:
                raise
            return self.game.parse(plain)

    def command(self, view: State, line: str) -> bool:
        """Execute a line that is not an action. Return False if it may be an action."""
        word, _, rest = line.partition(" ")
        word = word.lower()
        rest = rest.strip()
        console = self.console
        if word in ("quit", "exit", "q") and not rest:
            raise PlayerLeftError
        if word in ("help", "h", "?") and not rest:
            console.say(HELP.format(example=self.game.notation(view.legal(view.viewer)[-1])))
        elif word in ("look", "table") and not rest:
            console.say(self.table(view))
        elif word in ("actions", "list") and not rest:
            self.ask_again(view)
        elif word == "log" and not rest:
            self.tell(view, 0)
        elif word == "card":
            self.show_card(rest)
        elif word == "hint" and not rest:
            self.advise(view)
        elif word == "back" and not rest:
            if why := self.back.why_not(view.viewer):
                console.say(why)
            else:
                raise UndoRequestedError
        elif word == "save":
            console.say(
                "A record holds every hidden card, so you can save it only after the end. "
                "To continue the game later, just leave: it is saved."
            )
        elif word in ("why", "why?"):
            self.explain(view, rest[4:].strip() if rest.lower().startswith("not ") else rest)
        else:
            return False
        return True

    def explain(self, view: State, text: str) -> None:
        """Write why an action is illegal, by the player's own view."""
        console = self.console
        text = text.rstrip("?").strip()
        if not text or text.lower() == "not":
            console.say("Which action? For example: why not " + self.game.notation(view.legal(view.viewer)[0]))
            return
        legal = view.legal(view.viewer)
        try:
            if text.isdecimal() and len(text) < 9 and 0 < int(text) <= len(legal):
                action = legal[int(text) - 1]
            else:
                action = self.parse(text)
        except NotationError as error:
            console.say(str(error))
            return
        console.say(view.why_not(view.viewer, action) or "It is legal: type it to do it.")

    def advise(self, view: State) -> None:
        """Write the choice of the game's strongest level, by the player's own view."""
        bot = make(list_offered_levels(self.game)[-1], self.game)
        choice = bot.choose(view, bot.patience, Rng(secrets.randbits(62)))
        first, *more = lines(told(self.game, view, choice, self.names))
        self.console.say(f"I would: {first}")
        for line in more:
            self.console.say(f"  {line}", indent="  ")

    def tell_thoughts(self) -> None:
        """Write the bots' thoughts about each of their decisions."""
        for number, (state, seat, _) in enumerate(self.driver.record.steps()):
            choice = self.driver.thoughts.get(number)
            if choice is not None:
                first, *more = lines(told(self.game, state.mask(seat), choice, self.names))
                self.console.say(f"{self.names[seat]} thought: {first}")
                for line in more:
                    self.console.say(f"  {line}", indent="  ")

    def show_card(self, name: str) -> None:
        """Write a printed card."""
        card = self.game.card(name) if name else None
        if card is None:
            self.console.say(f"There is no card {name!r} here." if name else "Which card? Type: card NAME")
        else:
            self.console.say(format_card(card))

    # ---- words ----------------------------------------------------------------------------------

    def table(self, view: State) -> str:
        """Return the table in words."""
        return self.game.text(view, names_for(self.game, view.viewer, self.names)).rstrip("\n")

    def ask_again(self, view: State) -> None:
        """Write the question and the legal actions."""
        names = names_for(self.game, view.viewer, self.names)
        self.console.head(self.game.prompt(view, names))
        if tip := self.tips.pop(find_prompt(view), ""):
            self.console.say(f"Tip: {tip}")
        self.console.menu([describe(self.game, view, action, names) for action in view.legal(view.viewer)])

    def tell_news(self, view: State) -> None:
        """Write the events since the viewer last read the log."""
        self.tell(view, self.heard.get(view.viewer, 0))
        self.heard[view.viewer] = len(view.log or [])

    def tell(self, view: State, begin: int) -> None:
        """Write the log from an event on."""
        names = names_for(self.game, view.viewer, self.names)
        told = False
        for event in (view.log or [])[begin:]:
            sentence = self.game.words(event, view, names)
            if sentence:
                self.console.say(f"* {sentence}", indent="  ")
                told = True
        if told:
            self.console.say()

    # ---- the end --------------------------------------------------------------------------------

    def finish(self) -> None:
        """Write the end of the log, the open table and the result, and offer to save the record."""
        console = self.console
        state = self.driver.state
        if self.people:
            viewer = self.people[0] if len(self.people) == 1 else SPECTATOR
            view = state.mask(viewer)
            if viewer == SPECTATOR and self.at is not None:
                console.say("The game is over." if not view.log else "The whole game, as spectators saw it:")
            self.tell_news(view)
            console.say(self.table(state.mask(OPEN)))
            console.say()
        self.tell_result(state)
        if self.path is not None:
            console.say(f"The record is in {self.path}.")
        elif self.people:
            self.offer_record()

    def tell_result(self, state: State) -> None:
        """Write the result."""
        if state.over:
            viewer = self.people[0] if len(self.people) == 1 else SPECTATOR
            self.console.head(self.game.ending(state.mask(viewer), names_for(self.game, viewer, self.names)))

    def offer_record(self) -> None:
        """Ask for a file to save the record, or the bots' thoughts."""
        console = self.console
        while True:
            thoughts = "thoughts: what the bots thought; " if self.driver.thoughts else ""
            line = console.ask(f"{thoughts}save FILE saves the record; Enter leaves: ")
            if not line or line.lower() in ("quit", "q", "exit"):
                return
            if line.lower() == "thoughts" and thoughts:
                self.tell_thoughts()
                continue
            word, _, rest = line.partition(" ")
            if word.lower() != "save" or not rest.strip():
                console.say("Type save and the name of a file, or press Enter.")
                continue
            path = Path(rest.strip()).expanduser()
            try:
                if path.exists():
                    console.say(f"{path} exists. Choose another name.")
                    continue
                write_record(self.driver.record, path)
            except (OSError, ValueError) as error:
                console.say(f"{path} cannot be written: {getattr(error, 'strerror', None) or error}.")
                continue
            console.say(f"The record is in {path}.")
            return
