"""The forms of what pages, terminals and programs are shown of Jinkei: its board, and how a decision is asked."""

from __future__ import annotations

from typing import NotRequired, Required, TypedDict

from gonfalon.core.rules.page import Choice, GameEnd
from gonfalon.core.rules.state import Seat


class Printed(TypedDict, total=False):
    """What is printed on a card, all of it where it lies open."""

    slug: str
    name: str
    rank: int
    colour: str
    shape: str
    points: int
    text: str
    rulings: list[int]
    provenance: dict[str, str]


class Face(Printed, total=False):
    """A card on the table: its back, or all that is `Printed` on it; in a battle, what it does there."""

    back: Required[bool]
    owner: Required[Seat]
    id: Required[str]


class Fighter(Face):
    """A card in a battle: where it came from, what it was called, what it is worth there."""

    seat: Seat
    space: str
    called: str
    effective: int
    sum: str
    sentence: str


class Space(TypedDict):
    """A space of a formation; `cards` and `sum` (`9+1 = 10`) where the formation lies on the table."""

    space: str
    name: str
    row: int
    column: int
    blank: bool
    reveal: bool
    two: bool
    bonus: int
    wild: bool
    cards: NotRequired[list[Face]]
    sum: NotRequired[str | None]


class FormationChoice(TypedDict):
    """A formation that may be chosen."""

    id: str
    name: str
    spaces: list[Space]


class FormationOf(TypedDict):
    """A formation of a type."""

    name: str
    round: int
    spaces: list[Space]


class Type(TypedDict):
    """A type with its formations, and who has taken it."""

    id: str
    name: str
    taken: Seat | None
    formations: list[FormationOf]


class SeatBoard(TypedDict):
    """What lies before a seat."""

    seat: Seat
    colour: str
    type: str | None
    formation: str | None
    spaces: list[Space]
    role: str | None
    row: int
    row_name: str | None
    choices: list[FormationChoice]
    hand: list[Face]
    hand_count: int
    deck_count: int
    taken_count: int
    taken: list[Face]
    scored: list[int]
    points: int
    total: int
    placed: list[str]
    to_act: bool


class Duel(TypedDict):
    """The battle on the table: the attack, its answer, and who won it and why; seats by number, or `tie`. Once it is
    decided, `told` says it in words."""

    number: int
    lead: Fighter | None
    answer: Fighter | None
    winner: Seat | str | None
    why: NotRequired[str]
    told: NotRequired[Told]


class Told(TypedDict):
    """A decided battle in words: `9 + 1 = 10 beats 9, same colour`; the same in parts, the better card first."""

    sentence: str
    order: list[Seat]
    beats: str
    because: str


class Board(TypedDict):
    """All that lies on the table."""

    viewer: int
    me: Seat | None
    game: int
    games: int
    round: int
    rounds: int
    phase: str
    first: Seat
    starter: Seat
    offense: Seat | None
    battles: list[Seat | str | None]
    seats: list[SeatBoard]
    colours: list[str]
    types: list[Type]
    duel: Duel | None
    outcome: GameEnd | None


class Play(TypedDict):
    """A card of a space called a colour, and where it stands among the choices."""

    id: str
    called: str
    n: int


class Controls(TypedDict):
    """How a page asks: by `choices`, in a battle by `plays` of a space; or by cards of the hand laid on `open` spaces;
    `why` not, by space."""

    mode: str | None
    choices: list[Choice]
    plays: dict[str, list[Play]]
    open: list[str]
    why: dict[str, str]
