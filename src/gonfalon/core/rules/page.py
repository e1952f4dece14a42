"""What pages, terminals and programs show of a game: the board as data, how a decision is asked, cards to look up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypedDict, final

from gonfalon.core.rules.state import SPECTATOR, Action, Seat, State
from gonfalon.core.rules.words import Words

if TYPE_CHECKING:
    from gonfalon.core.basics.decks import Decks
    from gonfalon.core.text.sheet import Sheet, Still


Shown = Mapping[str, object]
"""JSON for pages, terminals and programs. A game gives it types of its own, as `TypedDict`s."""
TEXT_WIDTH: Final = 80
"""The columns of a table in plain text."""


class Choice(TypedDict):
    """An action as a button."""

    id: str
    text: str


class GameEnd(TypedDict):
    """Who has won, and how."""

    winners: list[Seat]
    how: str


class Arms(TypedDict):
    """A seat's banner: its colour, pattern and picture by their names in the styles and among the icons. Without a
    picture the first letter of the seat's name stands there."""

    colour: str
    pattern: str
    glyph: str


class Round(TypedDict):
    """What a part of a finished game brought each seat, and who won it."""

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
"""The banners of seats that lead no faction."""


class Page(Words):
    """What a page of a game is made of. Whatever a game leaves out has a default that works."""

    hints: ClassVar[bool] = True
    """Whether people may ask for hints at a table unless whoever opens it says otherwise."""

    moment_seconds: ClassVar[Mapping[str, float]] = {}
    """How long the moments between two decisions are shown, by their names. One that is not among them stays
    for a few seconds; every viewer can go on before that."""

    moment_lasts: ClassVar[str] = ""
    """The name of a moment that the page of a table goes on telling of, in its own way, until the next moment comes:
    its board is `lasting` in the game's template."""

    moments_pass: bool = False
    """Whether nobody can look at moments any more once the next have come: for games in which what was seen may not
    be looked up."""

    log_note: str = ""
    """What a running game's log leaves out, in a sentence beside it."""

    counts: ClassVar[str] = ""
    """What `score` counts ("Morale"): the end of a game tells it as a curve. Without a word there is none."""
    rounds_count: ClassVar[str] = ""
    """What the values of `rounds` are ("points of each round")."""

    def board(self, view: State) -> Shown:
        """Return the model of the table as JSON: all that pages, terminals and programs show of a view.

        The template, `sheet` and the API read this model and nothing else. `viewer` in it is the view's viewer. By
        default it holds the bare data of the view.
        """
        return {"viewer": view.viewer, "data": view.data()}

    @final
    def text(self, view: State, names: list[str]) -> str:
        """Return the table in plain text of `TEXT_WIDTH` columns: its sheet, as compact as it can be."""
        from gonfalon.core.text.sheet import format_text

        return format_text(self.sheet(self.board(view), names, TEXT_WIDTH, 0), TEXT_WIDTH)

    def sheet(self, board: Shown, names: list[str], width: int, height: int) -> Sheet:
        """Draw the table in characters. By default its sides, zones and cards.

        Args:
            board: A model as `board` returns it, perhaps by way of JSON.
            names: The seats' names as the viewer reads them.
            width: The columns of a line, at most.
            height: The lines of the drawing, if possible; 0 for the most compact drawing that leaves nothing out.
        """
        from gonfalon.core.text.default_sheet import default_sheet

        viewer = board.get("viewer")
        cloths = [(arms["colour"], arms["pattern"]) for arms in map(self.arms, range(self.seats))]
        return default_sheet(board, viewer if isinstance(viewer, int) else SPECTATOR, names, width, cloths)

    def film(self, board: Shown, before: Shown | None, names: list[str]) -> Sequence[Still]:
        """How a screen in a terminal comes to a board from the one that the viewer was shown `before`, if any: what
        happened between, still by still. It is made of these two boards alone, so it can show nothing more; and what
        a moment comes to is not in it. By default nothing lies between."""
        return ()

    def touches(self, notation: str) -> tuple[str, ...]:
        """What a hand touches one after the other to choose an action: its notation in pieces, such as a card and a
        place."""
        return (notation,)

    def card(self, text: str) -> Shown | None:
        """What is printed on a card, found by name or slug, with rulings and provenance."""
        return None

    def all_cards(self) -> Sequence[Shown]:
        """Every card that may come into this game, once, in the form of `card`: a page holds these texts
        beside its board. They are the same in every state and for everybody."""
        return []

    def guide_tables(self) -> Mapping[str, list[list[str]]]:
        """Return the tables of the guide that are made of card data, each with its head, by the names of their places:
        lines such as `<!-- every card -->`."""
        return {}

    def catalogue(self) -> Sequence[Shown]:
        """Every card of the game's data, once, in the form of `card`: for whoever looks one up, whatever is
        played with at a table."""
        return self.all_cards()

    def controls(self, view: State) -> Shown:
        """How a page asks the viewer's decision (see the game's table.html). By default a button for each action."""
        choices = self.buttons(view, view.legal(view.viewer) if view.viewer >= 0 else [])
        return {"mode": "choice" if choices else None, "choices": choices}

    def arranged(self, view: State, actions: list[Action]) -> list[Action]:
        """What a page lays out as a draft, in the order in which the rules ask for it, as far as the view tells.
        By default as it came. Raises Refusal."""
        return actions

    def buttons(self, view: State, actions: list[Action]) -> list[Choice]:
        """A button for each of these actions."""
        return [{"id": self.notation(action), "text": self.describe(view, action)} for action in actions]

    def arms(self, seat: Seat) -> Arms:
        """A seat's banner, by what everybody knows before the deal."""
        colour, pattern = CLOTHS[seat % len(CLOTHS)]
        return {"colour": colour, "pattern": pattern, "glyph": ""}

    def chapter(self, view: State) -> str:
        """The part of the game that is on, such as "Round 3", as everybody knows it: replays have a mark where it
        changes. Empty where there are no parts."""
        return ""

    def score(self, view: State) -> list[int]:
        """How each seat stands, by the measure that `counts` names, as far as the viewer knows."""
        return []

    def rounds(self, view: State) -> list[Round]:
        """The rounds of a finished game, where it is made of such; for the page of its end."""
        return []

    @classmethod
    def lobby(cls) -> Mapping[str, Any]:
        """What the lobby offers of this game beside its options, such as its factions; empty for a game that has
        no more to choose."""
        return {}

    def decks(self) -> Decks | None:
        """What there is to know about decks, for a game whose players bring their own; else None."""
        return None

    @classmethod
    def has_decks(cls) -> bool:
        """Whether players bring decks of their own."""
        return cls.decks is not Page.decks


class CardIds:
    """Gives every card on a page an id, from what the viewer sees alone: equal cards are numbered in the order they
    are drawn on the page, so no id can follow a card through a hidden place."""

    def __init__(self) -> None:
        self.count: dict[str, int] = {}

    def numbered(self, stem: str) -> str:
        """The next id of equal cards."""
        number = self.count[stem] = self.count.get(stem, 0) + 1
        return f"{stem}-{number}"


def ended(view: State) -> GameEnd | None:
    """Who has won; None while the game goes on."""
    outcome = view.outcome()
    return None if outcome is None else {"winners": outcome.winners, "how": outcome.how}


def is_due(view: State, seat: Seat) -> bool:
    """Whether a seat has still to act, as far as the viewer knows."""
    return seat in view.asked() and not (seat == view.viewer and view.turn != seat)
