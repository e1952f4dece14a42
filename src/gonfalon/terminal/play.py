"""Games by lines in a terminal. A player sees only the view of the own seat.

With `--record FILE` the record is written before each decision of a person and at the end, so the same command
continues an interrupted game. Without it the game is saved in the user's folder when the player leaves or it ends. A
record holds every hidden card.
"""

from __future__ import annotations

import difflib
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from gonfalon.bots import Bot, Budget, choose_default_level, list_levels, list_offered_levels, make, make_level
from gonfalon.bots.outside.faults import describe_game_faults
from gonfalon.bots.outside.notation import format_bot_name, is_notation
from gonfalon.bots.players.driver import Driver
from gonfalon.bots.players.thoughts import lines, told
from gonfalon.core.basics.errors import NotationError, OptionError, RecordError
from gonfalon.core.basics.options import Options
from gonfalon.core.basics.rng import Rng
from gonfalon.core.files.record import Record
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.log import list_lines
from gonfalon.core.rules.state import OPEN, SPECTATOR, Action, Seat, State
from gonfalon.core.rules.words import describe_action
from gonfalon.core.text.citations import cite_rule
from gonfalon.core.text.untrusted import isolate
from gonfalon.terminal import messages
from gonfalon.terminal.drawing.console import Console
from gonfalon.terminal.games import saved_games
from gonfalon.terminal.games.local import find_bot_note
from gonfalon.terminal.games.own_cards import describe_own_cards
from gonfalon.terminal.games.store import write_record
from gonfalon.terminal.games.tips import choose_tips
from gonfalon.terminal.games.typed import format_card_reply, parse_action
from gonfalon.terminal.games.undo import UndoStack
from gonfalon.terminal.screens import run as screen

PERSON: Final = "person"
"""Word of `--bots` for a person."""


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
    if record is not None:
        check_record(record, path, name, make_game().shown_options() if options_given else None)
        # The names of a record show its seating, so a continued game keeps its bots.
        if levels is None and not seats:
            levels = find_earlier_bots(record)
    game = make_game() if record is None else record.game
    driver = seat_players(game, record, assign_seats(game, seats, levels), seed, think)
    if path is not None:
        write_record(driver.record, path)  # a failure is better now than after the game
    console, alone = Console(plain), None not in driver.bots
    told = choose_tips(game, tips, record is not None) if console.terminal and not alone else {}
    if not plain and not alone and screen.can_show_screen():
        return screen.play_on_screen(driver, driver.record.names, path, motion, told)
    return LineGame(driver, driver.record.names, console, path, told).run()


def seat_players(
    game: Game, record: Record | None, bots: list[Bot | None], seed: int | None, think: float | None
) -> Driver:
    """Return the driver of a new game, or of the one of a record, with the budgets and names of its bots."""
    for bot in bots:
        # A time limit makes results irreproducible, so bots have one only without a seed.
        if bot is not None and (think is not None or seed is None):
            bot.budget = bot.patience if think is None else Budget(seconds=think)
    names = list_names(bots)
    if record is None:
        record = Record(game, names)
    else:
        record.names = names
    return Driver(record, bots, secrets.randbits(64) if seed is None else seed, log=True)


def check_record(record: Record, path: Path | None, name: str, options: Options | None) -> None:
    """Check that a record can be continued.

    Args:
        record: The record.
        path: Its file.
        name: The requested game.
        options: The requested options; None to take those of the record.

    Raises:
        RecordError: The record has another game or other options, or its game is over.
    """
    game = record.game
    if game.name != name:
        raise RecordError(messages.OTHER_GAME.format(file=path, game=game.name, wanted=name))
    if options is not None and options != game.shown_options():
        raise RecordError(messages.OTHER_OPTIONS.format(file=path))
    if record.over:
        raise RecordError(messages.FINISHED.format(file=path))


def find_earlier_bots(record: Record) -> str | None:
    """Return the people and bots of a record as a value of `--bots`; None if the names do not show them."""
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
    given = [choose_default_level(game)] * others if levels is None else [word.strip() for word in levels.split(",")]
    if levels is not None and levels.strip().lower() == "none":
        given = [PERSON] * seats
    elif len(given) == 1:
        given = given * others
    if len(given) == others:
        for seat in mine:
            given.insert(seat, PERSON)
    if len(given) != seats:
        raise OptionError(messages.WRONG_BOTS.format(given=len(given), game=game.name, seats=seats, others=others))
    for seat in people:
        if given[seat].lower() != PERSON:
            raise OptionError(messages.SEAT_HAS_BOT.format(seat=seat, level=given[seat]))
    return [None if word.lower() == PERSON else make_bot(word, game) for word in given]


def format_no_seat(game: Game, seat: Seat) -> str:
    """Return the message that a game has no such seat."""
    return messages.NO_SEAT.format(seat=seat, game=game.name, last=game.seats - 1)


def list_names(bots: list[Bot | None]) -> list[str]:
    """Return the names of the players: their levels, with numbers if a level occurs twice."""
    plain = ["Player" if bot is None else format_bot_name(bot.name) for bot in bots]
    return [n if plain.count(n) == 1 else f"{n} {plain[: i + 1].count(n)}" for i, n in enumerate(plain)]


def make_bot(word: str, game: Game) -> Bot:
    """Return the bot for one word of `--bots`."""
    if is_notation(word):
        return make(word, game)
    level = word.lower()
    if level.partition(":")[0] in list_levels():
        return make(level, game)
    if difflib.get_close_matches(level, [PERSON, "none"], 1):
        raise OptionError(messages.NO_LEVEL.format(level=repr(word), person=PERSON))
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
        # Names of a record are untrusted, so they cannot affect the text around them.
        self.names: list[str] = [isolate(name) for name in names]
        self.console: Console = console
        self.path: Path | None = path
        self.people: list[Seat] = [seat for seat, bot in enumerate(driver.bots) if bot is None]
        self.undo_stack = UndoStack(driver, self.people)
        self.heard: dict[int, int] = {}  # number of events that each viewer has read
        self.seen: dict[Seat, str] = {}  # the last table that each seat has seen
        self.at: Seat | None = None  # the seat at the screen
        self.tips: dict[str, str] = dict(tips or {})  # tips that have not been shown, by prompt

    def run(self) -> int:
        """Play until the end, or until a player leaves. Return the exit code."""
        console = self.console
        if self.people:
            console.say(messages.GAME_START.format(game=self.game.title))
            if own_cards := describe_own_cards(self.game):
                console.say(own_cards)
            if note := find_bot_note(self.driver):
                console.say(note)
            if self.path is not None:
                console.say(messages.RECORD_WRITTEN.format(file=self.path))
        try:
            while True:
                seat = self.driver.advance()
                # Saved before each question, so that a closed terminal loses no decision.
                self.save()
                if seat is None:
                    break
                self.pass_device(seat)
                try:
                    action = self.ask_action(seat)
                except UndoRequestedError:
                    self.undo(seat)
                    continue
                self.undo_stack.save_position()
                self.driver.act(seat, action)
        except (PlayerLeftError, KeyboardInterrupt) as left:
            self.save_played()
            saved = messages.SAVED.format(game=self.game.name, file=self.path) if self.path else ""
            console.say(saved or messages.STOPPED)
            if isinstance(left, KeyboardInterrupt):
                # The command line turns the interruption into an exit code.
                raise
            return 0
        except BaseException:
            # An error of the rules or an exit must not lose the game either.
            self.save_played()
            raise
        self.write_end()
        return 0

    def undo(self, seat: Seat) -> None:
        """Undo the player's last decision. Later events will be reported again."""
        self.undo_stack.undo()
        self.heard[seat] = min(self.heard.get(seat, 0), len(self.driver.state.mask(seat).log or []))
        self.seen.pop(seat, None)

    def save_played(self) -> None:
        """Save the game, if a player has decided something in it."""
        if self.path is None and any(seat in self.people for seat, _ in self.driver.record.decisions):
            self.path = saved_games.new_path(self.game.name)
        self.save()

    def save(self) -> None:
        """Write the record."""
        if self.path is not None:
            write_record(self.driver.record, self.path)

    # ---- one person -----------------------------------------------------------------------------

    def pass_device(self, seat: Seat) -> None:
        """Give the screen to a player, after a curtain if several people share the device."""
        if self.at == seat:
            return
        if len(self.people) > 1:
            self.console.curtain()
            if self.console.ask(messages.PASS_DEVICE.format(player=self.names[seat], key=messages.ENTER) + " ") is None:
                raise PlayerLeftError
            self.console.curtain()
        self.at = seat

    def ask_action(self, seat: Seat) -> Action:
        """Return the legal action that the player types."""
        console = self.console
        view = self.driver.state.mask(seat)
        legal = view.legal(seat)
        self.write_news(view)
        table = self.format_table(view)
        if self.seen.get(seat) != table:
            self.seen[seat] = table
            console.say(table)
            console.say()
        self.write_question(view)
        while True:
            line = console.ask("> ")
            if line is None:
                raise PlayerLeftError
            if not line:
                continue
            if self.run_command(view, line):
                continue
            try:
                action = parse_action(self.game, legal, line)
            except NotationError as error:
                near = difflib.get_close_matches(line.lower(), [self.game.notation(a) for a in legal], 1)
                guess = messages.DID_YOU_MEAN.format(fault=error, name=near[0]) if near else ""
                console.say(guess or messages.TYPE_HELP.format(fault=error))
                continue
            reason = view.why_not(seat, action)
            if reason is None:
                return action
            console.say(cite_rule(reason))

    def run_command(self, view: State, line: str) -> bool:
        """Execute a line that is not an action. Return False if it may be an action."""
        word, _, rest = line.partition(" ")
        word = word.lower()
        rest = rest.strip()
        console = self.console
        if word in ("quit", "exit", "q") and not rest:
            raise PlayerLeftError
        if word in ("help", "h", "?") and not rest:
            console.say(messages.GAME_HELP.format(example=self.game.notation(view.legal(view.viewer)[-1])))
        elif word in ("look", "table") and not rest:
            console.say(self.format_table(view))
        elif word in ("actions", "list") and not rest:
            self.write_question(view)
        elif word == "log" and not rest:
            self.write_log(view, 0)
        elif word == "card":
            console.say(format_card_reply(self.game, rest))
        elif word == "hint" and not rest:
            self.show_hint(view)
        elif word == "back" and not rest:
            if why := self.undo_stack.why_not(view.viewer):
                console.say(why)
            else:
                raise UndoRequestedError
        elif word in ("why", "why?"):
            self.write_reason(view, rest[4:].strip() if rest.lower().startswith("not ") else rest)
        else:
            return False
        return True

    def write_reason(self, view: State, text: str) -> None:
        """Write why an action is illegal, by the player's own view."""
        console = self.console
        text = text.rstrip("?").strip()
        if not text or text.lower() == "not":
            console.say(messages.WHICH_ACTION.format(action=self.game.notation(view.legal(view.viewer)[0])))
            return
        legal = view.legal(view.viewer)
        try:
            action = parse_action(self.game, legal, text)
        except NotationError as error:
            console.say(str(error))
            return
        console.say(cite_rule(view.why_not(view.viewer, action) or messages.IS_LEGAL))

    def show_hint(self, view: State) -> None:
        """Write the choice of the game's strongest level, by the player's own view."""
        bot = make_level(list_offered_levels(self.game)[-1], self.game)
        choice = bot.choose(view, bot.patience, Rng(secrets.randbits(62)))
        first, *more = lines(told(self.game, view, choice, self.names))
        self.console.say(messages.HINT.format(choice=first))
        for line in more:
            self.console.say(f"  {line}", indent="  ")

    # ---- words ----------------------------------------------------------------------------------

    def format_table(self, view: State) -> str:
        """Return the table in words."""
        return self.game.text(view, names_for(self.game, view.viewer, self.names)).rstrip("\n")

    def write_question(self, view: State) -> None:
        """Write the question and the legal actions."""
        names = names_for(self.game, view.viewer, self.names)
        self.console.head(self.game.prompt(view, names))
        if tip := self.tips.pop(find_prompt(view), ""):
            self.console.say(messages.TIP.format(tip=tip))
        self.console.menu([describe_action(self.game, view, action, names) for action in view.legal(view.viewer)])

    def write_news(self, view: State) -> None:
        """Write the events since the viewer last read the log."""
        self.write_log(view, self.heard.get(view.viewer, 0))
        self.heard[view.viewer] = len(view.log or [])

    def write_log(self, view: State, begin: int) -> None:
        """Write the log from an event on."""
        names = names_for(self.game, view.viewer, self.names)
        told = False
        for line in list_lines(self.game, view, names, begin):
            self.console.say(f"* {line['text']}", indent="  " * (1 + line["indent"]))
            told = True
        if told:
            self.console.say()

    # ---- the end --------------------------------------------------------------------------------

    def write_end(self) -> None:
        """Write the end of the log, the open table and the result, and keep the record."""
        console = self.console
        state = self.driver.state
        if self.people:
            viewer = self.people[0] if len(self.people) == 1 else SPECTATOR
            view = state.mask(viewer)
            if viewer == SPECTATOR and self.at is not None:
                console.say(messages.WHOLE_GAME if view.log else messages.GAME_OVER)
            self.write_news(view)
            # After the end nothing is secret.
            console.say(self.format_table(state.mask(OPEN)))
            console.say()
        self.write_result(state)
        self.save_played()
        if self.path is not None:
            console.say(messages.RECORD_IN_REVIEW.format(file=self.path))

    def write_result(self, state: State) -> None:
        """Write the result."""
        if state.over:
            viewer = self.people[0] if len(self.people) == 1 else SPECTATOR
            self.console.head(self.game.ending(state.mask(viewer), names_for(self.game, viewer, self.names)))
        for line in describe_game_faults(self.driver, self.names):
            self.console.say(line)
