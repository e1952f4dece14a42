"""The menu before a game: the game, the opponents, the options and own cards; a lesson, a puzzle or a saved game."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from gonfalon import games
from gonfalon.bots.levels import LEVELS, choose_default_level, list_offered_levels
from gonfalon.core.basics.decks import Decks
from gonfalon.core.basics.errors import GonfalonError
from gonfalon.core.files.card_files import read_card_text
from gonfalon.core.files.card_sets import read_card_set
from gonfalon.core.files.kept_data import data_option
from gonfalon.core.rules.game import Game, Option
from gonfalon.core.text.sheet import Line, Piece, clip_text, fit_line, mark
from gonfalon.core.text.untrusted import isolate, printable
from gonfalon.lessons.shelf import find_first_lesson
from gonfalon.puzzles.shelf import list_puzzles
from gonfalon.terminal import messages
from gonfalon.terminal.games.saved_games import SavedGame

LABEL_COLUMNS: Final = 24
"""Columns of the labels."""
PLAY, MORE, LEARN, PUZZLE = "play", "more", "learn", "puzzle"
CARDS: Final = "cards:file"
"""Name of the row for own cards."""
KEYS: Final = (("↑ ↓", "row"), ("← →", "change"), ("↵", "play"), ("q", "leave"))
"""Keys and their meanings."""


@dataclass
class Row:
    """A row of the menu: its values, and the chosen one."""

    name: str
    label: str
    values: Sequence[object]
    words: Sequence[str]
    at: int = 0
    looks: Sequence[str] = ()

    @property
    def value(self) -> object:
        """The chosen value."""
        return self.values[self.at]


@dataclass(frozen=True)
class Chosen:
    """The result of the menu: a saved game or a new one."""

    kept: SavedGame | None = None
    game: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    levels: Sequence[str] = ()
    action: str = PLAY
    """`PLAY`, or `LEARN` or `PUZZLE` for the first lesson or today's puzzle of the game."""


class Menu:
    """The rows of the menu. Saved games are first, then a new game."""

    def __init__(self, names: Sequence[str], kept: Sequence[SavedGame] = ()) -> None:
        self.titles = list(names)
        """Titles of the games that were selected, and names of the others, which are not loaded."""
        self.kept = list(kept)
        self.game = Row("game", "Game", list(names), self.titles)
        self.rows: list[Row] = []
        self.more = False
        self.card_file = ""
        """Path of the file of own cards; empty for the standard cards."""
        self.fault = ""
        """Reason why the chosen game cannot be played."""
        self.refill()
        self.at = 0
        """The row under the cursor: saved games, then rows, then buttons."""

    @property
    def kind(self) -> type[Game]:
        """The chosen game."""
        return games.find_game_class(str(self.game.value))

    def refill(self) -> None:
        """Build the rows of the chosen game. Earlier choices are kept if they are still possible."""
        before = {row.name: row.value for row in self.rows}
        kind = self.kind
        self.titles[self.game.at] = kind.title
        asked = [row for option in kind.options_spec for row in build_rows(kind, option)]
        seats = next((cast(int, row.value) for row in asked if row.name == "seats"), kind.seat_counts[0])
        seats = cast(int, before.get("seats", seats)) if "seats" in {row.name for row in asked} else seats
        found = [*list_opponent_rows(kind, seats), *asked]
        for row in found:
            if row.name in before and before[row.name] in row.values:
                row.at = list(row.values).index(before[row.name])
        first = [row for row in found if row.name == "seats" or ":" in row.name]
        rest = [row for row in found if row not in first]
        cards = [Row(CARDS, messages.CARDS, [""], [""])] if data_option(kind) else []
        self.rows = [self.game, *first, *cards, *(rest if self.more else [])]
        self.hidden = [] if self.more else rest

    def count(self) -> int:
        """Return the number of lines that can be selected."""
        return len(self.kept) + len(self.rows) + len(self.buttons())

    def buttons(self) -> list[tuple[str, str]]:
        """Return the buttons: name and label."""
        minutes = find_first_lesson(self.kind)
        return [
            (PLAY, messages.PLAY),
            *([(MORE, messages.MORE_OPTIONS.format(count=len(self.hidden)))] if self.hidden else []),
            *([(LEARN, messages.FIRST_GAME.format(minutes=minutes))] if minutes else []),
            *([(PUZZLE, messages.PUZZLE_OF_DAY)] if list_puzzles(self.kind) else []),
        ]

    def move(self, by: int) -> None:
        """Move the cursor up or down."""
        self.at = (self.at + by) % self.count()

    def change(self, by: int) -> None:
        """Change the value of the row under the cursor."""
        self.fault = ""
        n = self.at - len(self.kept)
        if 0 <= n < len(self.rows):
            row = self.rows[n]
            row.at = (row.at + by) % len(row.values)
            if row.name in ("game", "seats"):
                self.refill()

    def is_typing(self) -> bool:
        """Return whether letters are typed into the row under the cursor."""
        n = self.at - len(self.kept)
        return 0 <= n < len(self.rows) and self.rows[n].name == CARDS

    def type_text(self, text: str) -> None:
        """Add a text to the path of the file of own cards, or remove its last letter if the text is empty."""
        self.fault = ""
        self.card_file = self.card_file + printable(text.strip("\r\n")) if text else self.card_file[:-1]

    def choose(self) -> Chosen | None:
        """Handle Enter. Return the choice; None if the menu continues."""
        if self.at < len(self.kept):
            return Chosen(self.kept[self.at])
        n = self.at - len(self.kept) - len(self.rows)
        button = PLAY if n < 0 else self.buttons()[n][0]
        if button == MORE:
            self.more = True
            self.refill()
            return None
        if button != PLAY:
            return Chosen(game=self.kind.name, action=button)
        levels = [str(row.value) for row in self.rows if row.name.startswith("level:")]
        options = self.options()
        try:
            if self.card_file and data_option(self.kind):
                text = read_card_text(Path(self.card_file.strip()).expanduser())
                options |= read_card_set(self.kind, text).options
            self.kind(**options)
        except GonfalonError as error:
            self.fault = str(error)
            return None
        return Chosen(None, self.kind.name, options, levels)

    def options(self) -> dict[str, object]:
        """Return the options of the new game that differ from their defaults."""
        found: dict[str, object] = {}
        lists: dict[str, list[object]] = {}
        for row in (*self.rows[1:], *self.hidden):
            name, colon, _ = row.name.partition(":")
            if name == "level" or row.name == CARDS:
                continue
            if colon:
                lists.setdefault(name, []).append(row.value)
            else:
                found[name] = row.value
        found |= {name: tuple(values) for name, values in lists.items()}
        usual = {option.name: option.default for option in self.kind.options_spec}
        return {name: value for name, value in found.items() if value != usual.get(name)}

    # ---- drawing ---------------------------------------------------------------------------------

    def lines(self, width: int) -> list[Line]:
        """Return the menu as lines."""
        wide = min(width, 96)
        lines: list[Line] = [[Piece(" Gonfalon ", "banner"), Piece("  a table for war card games", "soft")], []]
        if self.kept:
            lines.append([Piece(messages.CONTINUE, "title")])
        for n, kept in enumerate(self.kept):
            words = format_saved_game(kept)
            lines.append([Piece(clip_text(f"  {words}", wide), "button last" if self.at == n else "")])
        lines += [[]] if self.kept else []
        lines.append([Piece("A new game", "title")])
        for n, row in enumerate(self.rows):
            lines.append(self.row_line(row, self.at == len(self.kept) + n, wide))
        after = self.at - len(self.kept) - len(self.rows)
        lines.append([])
        for n, (name, words) in enumerate(self.buttons()):
            look = "lifted" if name == PLAY else "button" if after == n else "soft"
            text = clip_text(f"  {words}  ", wide - 2)
            lines.append([Piece("  "), Piece(text, f"{look} last" if after == n else look)])
        lines += [[], *self.about(wide)]
        return lines

    def row_line(self, row: Row, here: bool, width: int) -> Line:
        """Return a row with its label and value."""
        words = row.words[row.at]
        if row.name == CARDS:
            words = isolate(self.card_file) or (messages.TYPE_CARD_FILE if here else messages.STANDARD_CARDS)
        text = f"{'‹' if here else ' '} {words} {'›' if here else ' '}"
        look = row.looks[row.at] if row.looks else ""
        line = [
            Piece(f"  {row.label}".ljust(LABEL_COLUMNS), "bold" if here else "soft"),
            Piece(text, f"{look} card last" if here else look),
        ]
        return fit_line(line, width)

    def about(self, width: int) -> list[Line]:
        """Return a sentence about the chosen game, level or option."""
        if self.fault:
            return [[Piece(f"  {line}", "bad")] for line in textwrap.wrap(self.fault, width - 2)]
        n = self.at - len(self.kept)
        row = self.rows[n] if 0 <= n < len(self.rows) else self.game
        if row.name.startswith("level:"):
            level = LEVELS[str(row.value)]
            return wrap_about(f"{level.title} {level.about}.", width)
        if row.name == CARDS:
            return wrap_about(messages.ABOUT_CARDS, width)
        option = next((one for one in self.kind.options_spec if one.name == row.name), None)
        text = option.help if option else self.kind.tagline
        return wrap_about(text, width)


def wrap_about(text: str, width: int) -> list[Line]:
    """Return a sentence as lines."""
    return [[Piece(f"  {line}", "soft")] for line in textwrap.wrap(text, width - 2)]


def format_saved_game(kept: SavedGame) -> str:
    """Return a saved game in words."""
    record = kept.record
    names = " against ".join(map(isolate, record.names)) if record.names else ""
    return f"{record.game.title}  {names}  {len(record.decisions)} decisions"


def list_opponent_rows(kind: type[Game], seats: int) -> list[Row]:
    """Return the rows for the levels of the other seats."""
    game = kind()
    names = list_offered_levels(game)
    at = names.index(choose_default_level(game))
    words = [LEVELS[name].title for name in names]
    labels = {n: messages.OPPONENT_NUMBER.format(number=n) for n in range(1, seats)}
    if seats == 2:
        labels = {1: messages.OPPONENT}
    return [Row(f"level:{n}", label, names, words, at) for n, label in labels.items()]


def build_rows(kind: type[Game], option: Option) -> list[Row]:
    """Return the rows for an option; none if it can only be typed."""
    if option.name == Decks.option and kind.has_decks():
        return deck_rows(kind, option)
    if option.name == "factions" and "factions" in kind.lobby():
        factions = cast("list[dict[str, str]]", kind.lobby()["factions"])
        slugs = [one["slug"] for one in factions]
        words = [f"{mark(one['pattern'])} {one['name']}" for one in factions]
        looks = [one["colour"] for one in factions]
        default = cast("Sequence[str]", option.default)
        return [
            Row(
                f"factions:{n}",
                messages.YOUR_FACTION if n == 0 else messages.THEIR_FACTION,
                slugs,
                words,
                slugs.index(slug),
                looks,
            )
            for n, slug in enumerate(default)
        ]
    if not option.public or option.file:
        return []
    if option.choices:
        values = [value for value, _ in option.choices]
        words = [text for _, text in option.choices]
        return [Row(option.name, option.label, values, words, values.index(option.default))]
    if isinstance(option.default, bool):
        return [Row(option.name, option.label, [False, True], [messages.NO, messages.YES], int(option.default))]
    if isinstance(option.default, int) and option.least is not None and option.most is not None:
        numbers = list(range(option.least, option.most + 1))
        return [Row(option.name, option.label, numbers, [str(n) for n in numbers], numbers.index(option.default))]
    return []


def deck_rows(kind: type[Game], option: Option) -> list[Row]:
    """Return a row of the preset decks for each seat."""
    decks = kind().decks()
    default = option.default
    if decks is None or not isinstance(default, (tuple, list)):
        return []
    slugs = [deck.slug for deck in decks.ready()]
    words = [deck.name for deck in decks.ready()]
    return [
        Row(
            f"{option.name}:{n}", messages.YOUR_DECK if n == 0 else messages.THEIR_DECK, slugs, words, slugs.index(slug)
        )
        for n, slug in enumerate(default)
    ]
