"""The board as data, the controls of a decision, and the cards of a game, for pages, terminals and programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypedDict, final

from gonfalon.core.rules.state import SPECTATOR, Action, Seat, State
from gonfalon.core.rules.words import Words

if TYPE_CHECKING:
    from gonfalon.core.basics.decks import Decks
    from gonfalon.core.text.sheet import Sheet, Still


Shown = Mapping[str, object]
"""JSON for pages, terminals and programs. A game defines its own types as `TypedDict`s."""
TEXT_WIDTH: Final = 80
"""The number of columns of a table in plain text."""


class Choice(TypedDict):
    """An action as a button: its notation and its sentence."""

    id: str
    text: str


class GameEnd(TypedDict):
    """The winners of a finished game, and the kind of victory (`Outcome.how`)."""

    winners: list[Seat]
    how: str


class Arms(TypedDict):
    """A seat's banner. `colour` and `pattern` are names of the style sheet, `glyph` is the name of an icon. Without a
    glyph the banner shows the first letter of the seat's name."""

    colour: str
    pattern: str
    glyph: str


class Round(TypedDict):
    """A round of a finished game: its name, one value for each seat, and the winner (None for a draw)."""

    name: str
    values: list[int]
    winner: Seat | None


CLOTHS: Final = (
    ("yellow", "chevronny"),
    ("black", "bendy"),
    ("white", "paly"),
    ("purple", "lozengy"),
    ("teal", "checky"),
)
"""The colors and patterns of banners for seats without a faction."""


COLORS: Final = frozenset(
    (
        "black",
        "blue",
        "brown",
        "copper",
        "crimson",
        "gray",
        "green",
        "grey",
        "orange",
        "purple",
        "red",
        "silver",
        "teal",
    )
) | {"violet", "white", "yellow"}
"""The colors of the style sheet."""
FREE_COLORS: Final = ("teal", "purple", "brown", "black", "grey", "white")
"""The colors of factions without one of their own, in this order."""


def dress_factions(factions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the factions of a card file, each with a color, a pattern and a crest. A faction without a known color
    gets one that no other faction has, as long as there are any."""
    used = {faction.get("colour") for faction in factions}
    free = cycle([one for one in FREE_COLORS if one not in used] or FREE_COLORS)
    return [
        {
            **faction,
            "colour": faction["colour"] if faction.get("colour") in COLORS else next(free),
            "pattern": faction.get("pattern") or "plain",
            "glyph": faction.get("glyph") or "gonfalon",
        }
        for faction in factions
    ]


class Page(Words):
    """The face of a game on pages, in terminals and for programs.

    Every member has a default that works. All methods with a view must compute their result from that view alone,
    because it is sent to the viewer.
    """

    hints: ClassVar[bool] = True
    """Whether tables offer hints by default. The person who opens a table can choose otherwise."""

    moment_seconds: ClassVar[Mapping[str, float]] = {}
    """The display time of moments between two decisions, in seconds, by their names. Other moments are shown for a few
    seconds. A viewer can skip them."""

    moment_lasts: ClassVar[str] = ""
    """The name of a moment that the page of a table keeps showing beside the board until the next moment. The template
    gets its board as `lasting`."""

    moments_pass: bool = False
    """Whether past moments cannot be shown again, for games in which cards that were seen may not be looked up."""

    log_note: str = ""
    """A sentence beside the log of a running game about the events that it leaves out; empty if none."""

    counts: ClassVar[str] = ""
    """The name of the number that `score` returns, such as `Morale`. The review draws it as a curve. Empty: no
    curve."""
    rounds_count: ClassVar[str] = ""
    """The meaning of the values of `rounds`, such as `points of each round`."""

    def board(self, view: State) -> Shown:
        """Return the model of the table as JSON: everything that pages, terminals and programs show of a view.

        The template, `sheet` and the API read this model and nothing else. By default it holds the bare data of the
        view.

        Args:
            view: A masked state.

        Returns:
            JSON with `viewer`, the view's viewer, and any other keys.
        """
        return {"viewer": view.viewer, "data": view.data()}

    @final
    def text(self, view: State, names: list[str]) -> str:
        """Return the table in plain text of `TEXT_WIDTH` columns: the most compact drawing of its sheet."""
        # Imported here: sheets need `dataclasses`, which would slow down `import gonfalon` (tests/test_imports.py).
        from gonfalon.core.text.sheet import format_text

        return format_text(self.sheet(self.board(view), names, TEXT_WIDTH, 0), TEXT_WIDTH)

    def sheet(self, board: Shown, names: list[str], width: int, height: int) -> Sheet:
        """Draw the table in characters. By default its sides, zones and cards are listed.

        Args:
            board: A model that `board` returned, possibly decoded from JSON.
            names: The names of the seats as the viewer reads them.
            width: The maximum number of columns of a line.
            height: The preferred number of lines; 0 for the most compact drawing that leaves nothing out.
        """
        from gonfalon.core.text.default_sheet import default_sheet

        viewer = board.get("viewer")
        cloths = [(arms["colour"], arms["pattern"]) for arms in map(self.arms, range(self.seats))]
        return default_sheet(board, viewer if isinstance(viewer, int) else SPECTATOR, names, width, cloths)

    def film(self, board: Shown, before: Shown | None, names: list[str]) -> Sequence[Still]:
        """Return the stills between two boards that a terminal shows one after the other.

        They are made from these boards alone, so they can show nothing else. The result of a moment is not included. By
        default there are none.

        Args:
            board: The model of the new position.
            before: The model that the viewer was shown before; None at the first board.
            names: The names of the seats as the viewer reads them.
        """
        return ()

    def touches(self, notation: str) -> tuple[str, ...]:
        """Return the parts of the table to touch one after the other to choose an action: its notation in pieces, such
        as a card and a location."""
        return (notation,)

    def card(self, text: str) -> Shown | None:
        """Return the printed text of a card with its rulings and provenance, as JSON with at least `slug`, `name` and
        `text`.

        Args:
            text: The name or slug of a card, as a person typed it.

        Returns:
            The card; None if there is no such card.
        """
        return None

    def all_cards(self) -> Sequence[Shown]:
        """Return every card that may occur in this game, once, in the form of `card`. A page includes these texts once
        beside its board, so they must be equal in every state and for every viewer."""
        return []

    def guide_tables(self) -> Mapping[str, list[list[str]]]:
        """Return the tables of guide.md that are made from card data.

        Returns:
            By placeholder (the name in a line of the guide such as `<!-- every card -->`): the rows of the table. The
            first row is its head.
        """
        return {}

    def catalogue(self) -> Sequence[Shown]:
        """Return every card of the game's data, once, in the form of `card`, for looking up cards of any
        configuration."""
        return self.all_cards()

    def controls(self, view: State) -> Shown:
        """Return the controls of the viewer's decision as JSON, for the game's table.html. By default there is a button
        for each legal action."""
        choices = self.buttons(view, view.legal(view.viewer) if view.viewer >= 0 else [])
        return {"mode": "choice" if choices else None, "choices": choices}

    def arranged(self, view: State, actions: list[Action]) -> list[Action]:
        """Return the actions of a draft in the order in which the rules ask for them.

        A page may collect several actions and send them in one post, which is applied completely or not at all. By
        default the order stays as it was sent.

        Args:
            view: The seat's view before the first action.
            actions: The actions in the order of the post.

        Raises:
            Refusal: The actions do not fit together.
        """
        return actions

    def buttons(self, view: State, actions: list[Action]) -> list[Choice]:
        """Return a button for each of these legal actions of the viewer."""
        return [{"id": self.notation(action), "text": self.describe(view, action)} for action in actions]

    def arms(self, seat: Seat) -> Arms:
        """Return a seat's banner, from knowledge that is public before the deal."""
        colour, pattern = CLOTHS[seat % len(CLOTHS)]
        return {"colour": colour, "pattern": pattern, "glyph": ""}

    def chapter(self, view: State) -> str:
        """Return the current part of the game, such as "Round 3", from public knowledge; empty for a game without
        parts. Replays have a mark where it changes."""
        return ""

    def score(self, view: State) -> list[int]:
        """Return each seat's score by the measure that `counts` names, as far as the viewer knows it."""
        return []

    def rounds(self, view: State) -> list[Round]:
        """Return the rounds of a finished game, for the page of its end; empty for a game without rounds."""
        return []

    @classmethod
    def lobby(cls) -> Mapping[str, Any]:
        """Return the choices that the lobby shows beside the options, such as factions with their texts, as JSON; empty
        for a game without such choices."""
        return {}

    def decks(self) -> Decks | None:
        """Return the decks of a game whose players bring their own; None for other games."""
        return None

    @classmethod
    def has_decks(cls) -> bool:
        """Return whether players bring their own decks."""
        return cls.decks is not Page.decks


class CardIds:
    """Ids of the cards on a page, from visible facts alone.

    Equal cards are numbered in the order in which the page draws them, so no id can follow a card through a hidden
    zone.
    """

    def __init__(self) -> None:
        self.count: dict[str, int] = {}

    def numbered(self, stem: str) -> str:
        """Return the next id for a card of this stem, such as `patriot-2`."""
        number = self.count[stem] = self.count.get(stem, 0) + 1
        return f"{stem}-{number}"


def find_end(view: State) -> GameEnd | None:
    """Return the winners of a finished game and the kind of victory; None while it is running."""
    outcome = view.outcome()
    return None if outcome is None else {"winners": outcome.winners, "how": outcome.how}


def is_due(view: State, seat: Seat) -> bool:
    """Return whether a seat must still act, as far as the viewer knows."""
    # A view reveals only the viewer's own answer to a simultaneous decision, so all other seats count as due.
    return seat in view.asked() and not (seat == view.viewer and view.turn != seat)
